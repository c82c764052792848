"""Small inputs in the real shape of public files, each with what RIGHT.md says of it: a value, a question, or a way out."""

from collections import Counter

import numpy as np
import pytest

from kernex_core import join_labels, read_labels, read_samples
from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.provenance import write_script
from kernex_core.inputs.catalogue import format_named
from kernex_core.inputs.upload import Upload
from pages.server.readers.tasks import look
from tests.conftest import REPOSITORY

nan = np.nan
MATRICES = {
    "02_skani_triangle.txt": (None, [[100, 97.51, 95.2], [97.51, 100, nan], [95.2, nan, 100]], "It is 100"),
    "04_us_thousand.tsv": ("abc", [[1200, 0.25, 125], [0.25, 2000, 500], [125, 500, 1000]], "thousands"),
    "16_source_target_similarity.csv": ("abc", [[1, 0.5, 0.1], [0.5, 1, 0.3], [0.1, 0.3, 1]], ""),
    "22_aai_summary.tsv": (
        ("GCF_1", "GCF_2", "GCF_3"), [[100, 85.21, 65.21], [85.21, 100, 66], [65.21, 66, 100]], "Mean AAI",
    ),
    "24_plink.genome": (("I1", "I2", "I3"), [[1, 0, 0.05], [0, 1, 0.25], [0.05, 0.25, 1]], "PI_HAT"),
    "25_gcta.grm": ("123", [[0.99, 0.02, 0.1], [0.02, 1.01, -0.03], [0.1, -0.03, 0.98]], "GCTA"),
    "27_dashing.txt": (
        ("A1.fq.gz", "A2.fq.gz", "A3.fq.gz"), [[nan, 0.1, 0.2], [0.1, nan, 0.3], [0.2, 0.3, nan]], "",
    ),
    "29_phylip_tab_and_blank.dist": (
        ("Mouse", "Bovine", "Lemur", "Tarsier"),
        [[0, 1.7043, 2.0235, 2.1378], [1.7043, 0, 1.1901, 1.3287], [2.0235, 1.1901, 0, 1.2905],
         [2.1378, 1.3287, 1.2905, 0]], "PHYLIP",
    ),
    "30_phylip_strict.dist": (
        ("catcatcatc", "dog", "lizard", "superlizar"),
        [[0, 0.2, 0.3, 0.6], [0.2, 0, 0.6, 0.7], [0.3, 0.6, 0, 0.8], [0.6, 0.7, 0.8, 0]], "ten characters",
    ),
    "31_excel_sep.csv": ("ab", [[1, 0.5], [0.5, 1]], ""),
    "33_title_row_merged.xlsx": ("abc", [[1, 0.2, 0.3], [0.2, 1, 0.4], [0.3, 0.4, 1]], "TM-scores, March 2024"),
    "38_gakco.kernel": ("123", [[1, 0.5, 0.2], [0.5, 1, 0.3], [0.2, 0.3, 1]], "GaKCo"),
    "39_stack.npy": ("123", np.eye(3), "2 kernels"),
    "40_train_test.npz": ("123", np.eye(3), "K_test (2 × 3)"),
    "41_sparse.npz": ("123", np.eye(3), "SciPy"),
    "45_usalign.tsv": ("abc", [[1, 0.71805, 0.51805], [0.71805, 1, 0.44805], [0.51805, 0.44805, 1]], "TM1"),
    "51_libsvm_precomputed.kernel": ("123", [[1, 0.5, 0.2], [0.5, 1, 0.3], [0.2, 0.3, 1]], "precomputed"),
    "53_ucsc_percent.csv": ("ab", [[100, 45.2], [45.2, 100]], "per cent"),
}  # fmt: skip
NETWORKS = {
    "01_string_interactions_short.tsv": (
        ("CDK1", "CCNB1", "PLK1"), {"CDK1-CCNB1": 0.999, "CDK1-PLK1": 0.995, "CCNB1-PLK1": 0.99},
    ),
    "06_multi_target.sif": (
        ("nodeA", "nodeB", "nodeC", "nodeD", "nodeE", "nodeF"),
        {"nodeA-nodeB": 1, "nodeA-nodeC": 1, "nodeA-nodeD": 1, "nodeB-nodeE": 1},
    ),
    "07_simple.sif": (
        ("YDR216W", "YIL056W", "YKR042W", "YBL021C"),
        {"YDR216W-YIL056W": 1, "YDR216W-YKR042W": 1, "YKR042W-YBL021C": 1},
    ),
    "09_pajek.net": (("98", "11", "38"), {"98-11": 3, "98-38": 8}),
    "13_gephi.gexf": (("Hello", "Word"), {"Hello-Word": 2}),
    "14_newman_value.gml": (("Myriel", "Napoleon", "MlleBaptistine"), {"Myriel-Napoleon": 1, "Myriel-MlleBaptistine": 8}),
    "55_data_set.ncol": ("abc", {"a-b": 1, "b-c": 0.5}),
}  # fmt: skip
VECTORS = {
    "32_vectors.xlsx": ("ABCD", ("s1", "s2"), [[1.5, 2], [2.5, 3], [0, nan], [0, 1]], None),
    "34_series_matrix.txt": (
        ("GSM1", "GSM2", "GSM3"), ("1007_s_at", "1053_at", "117_at"),
        [[7.1, 5, 3.2], [8.2, 5.5, nan], [6.4, 4.9, 3.1]], ["lung", "liver", "lung"],
    ),
    "35_feature_counts.txt": (
        ("ENSG1", "ENSG2", "ENSG3"), ("s1.bam", "s2.bam", "s3.bam"), [[0, 5, 1], [100, 130, 90], [12, 9, 30]], None,
    ),
    "36_orange_iris.tab": (
        ("x1", "x2", "x3"), ("sepal", "petal"), [[5.1, 1.4], [4.9, 1.3], [6, 4]], ["setosa", "setosa", "versicolor"],
    ),
    "57_duplicate_gene.csv": (
        ("A", "B", "A_2", "C"), ("s1", "s2", "s3"), [[1, 2, 3], [4, 5, 6], [7, 8, 9], [1, 1, 2]], None,
    ),
}  # fmt: skip
REFUSED = {
    "03_us_thousand.csv": "'1,200'.*1200.*comma",
    "05_thousand_pairs.tsv": "'1,200'.*1200.*comma",
    "11_pajek_short.net": "Pajek",
    "12_ucinet.dl": "UCINET.*data:",
    "18_evalue_pairs.tsv": "E-values.*minus_log10",
    "21_mols.csv": "SMILES.*fingerprints",
    "42_gff3.gff": "annotation",
    "47_square_one_row_short.csv": "'c'.*vectors",
    "49_towns_short_line.dst": "2 numbers in line 5.*Most.*3",
    "50_condensed.npy": "squareform",
    "56_fastani_identities.phy": "per cent.*meaning",
}


@pytest.fixture
def stranger(shared):
    return lambda name: ((shared / "data" / "strangers2" / name).read_bytes(), name)


def said(read):
    return " ".join(f"{note.text} {note.action}" for note in read.notes)


@pytest.mark.parametrize("name", MATRICES)
def test_matrices(stranger, name):
    ids, values, note = MATRICES[name]
    found = read_samples(*stranger(name))
    if (np.diag(values) == 0).all():  # its form or its diagonal settles that these are distances
        np.testing.assert_allclose(np.diag(found.gram.values), 1)
        assert "meaning='distance'" in write_script([found.recipe], heading="test")
        found = read_samples(*stranger(name), meaning="similarity")
    assert found.kind == "similarity"
    assert ids is None or found.ids == tuple(ids)
    np.testing.assert_allclose(found.gram.values, values, atol=1e-12)
    assert note in said(found)


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("kind", [None, "network"])
def test_networks(stranger, name, kind):
    ids, edges = NETWORKS[name]
    found = read_samples(*stranger(name), kind=kind)
    B = found.adjacency.toarray()
    assert found.ids == tuple(ids)
    assert {
        f"{found.ids[i]}-{found.ids[j]}": B[i, j] for i, j in zip(*np.nonzero(np.triu(B)), strict=True)
    } == edges


@pytest.mark.parametrize("name", VECTORS)
def test_vectors(stranger, name):
    ids, columns, X, labels = VECTORS[name]
    found = read_samples(*stranger(name))
    assert (found.kind, found.ids, found.columns) == ("vectors", tuple(ids), tuple(columns))
    np.testing.assert_allclose(found.X, X)
    assert labels == (None if found.labels is None else found.labels.y.tolist())


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_the_way_out(stranger, name):
    with pytest.raises(InvalidInputError, match=REFUSED[name]):
        read_samples(*stranger(name))


def test_what_a_question_answers(stranger):
    thousands = read_samples(*stranger("03_us_thousand.csv"), comma="thousands")
    assert np.diag(thousands.gram.values).tolist() == [1200, 2000, 1000]
    pairs = read_samples(*stranger("05_thousand_pairs.tsv"), comma="thousands")
    assert pairs.gram.values.tolist() == [[1200, 300], [300, 2000]]
    scaled = read_samples(*stranger("18_evalue_pairs.tsv"), scale="minus_log10").gram.values
    np.testing.assert_allclose(sorted(scaled[np.triu_indices(4, 1)])[:4], [2.8931, 3.1753, 12, 30], atol=1e-3)
    percent = read_samples(*stranger("56_fastani_identities.phy"), meaning="similarity")
    assert np.diag(percent.gram.values).tolist() == [100] * 4
    assert percent.gram.values[2, 1] == 99


def test_a_name_says_distance(stranger):
    found = read_samples(*stranger("19_pairs_distance.csv"))
    K = found.gram.values
    assert np.diag(K).tolist() == [1, 1, 1]
    assert K[0, 1] > K[0, 2] > K[1, 2]
    assert "Num_Differences" in said(found)


def test_classes_beside_a_kernel(stranger):
    assert read_samples(*stranger("40_train_test.npz")).labels.y.tolist() == ["0", "1", "1"]
    assert read_samples(*stranger("51_libsvm_precomputed.kernel")).labels.y.tolist() == ["1", "-1", "1"]
    first = read_samples(*stranger("39_stack.npy"))
    assert first.others[0].gram.values.tolist() == (2 * np.eye(3)).tolist()


def test_labels_with_a_header(stranger):
    items = read_samples(b",a,b,c\na,2,1,0\nb,1,2,1\nc,0,1,2\n", "k.csv")
    labels = read_labels(*stranger("43_labels_with_header.tsv"))
    with pytest.raises(InvalidInputError, match="Header line: yes"):
        join_labels(items, labels)
    named = read_labels(*stranger("43_labels_with_header.tsv"), header="yes")
    assert join_labels(items, named, by_position=True).labels.y.tolist() == ["x", "y", "x"]


def test_a_header_behind_a_mark_names_labels(stranger):
    found = read_labels(*stranger("52_qiime_map.tsv"))
    assert found.ids == ("L1", "L2", "L3")
    assert "BodySite" in said(found)
    body = read_labels(*stranger("52_qiime_map.tsv"), label_column="BodySite")
    assert body.y.tolist() == ["gut", "tongue", "tongue"]


def test_no_file_is_forgotten(shared):
    names = {path.name for path in (shared / "data" / "strangers2").iterdir()} - {"RIGHT.md"}
    others = {"19_pairs_distance.csv", "43_labels_with_header.tsv", "52_qiime_map.tsv"}
    assert names == {*MATRICES, *NETWORKS, *VECTORS, *REFUSED} | others


def test_the_counts_of_the_documentation_are_those_of_the_files(shared):
    counts = Counter()
    for folder in ("strangers", "strangers2"):
        for path in sorted((shared / "data" / folder).iterdir()):
            if path.name != "RIGHT.md":
                found = look(Upload(path.name, path.read_bytes()))
                kind = format_named(found.way).kind if found.way else "none of these"
                is_open = any(not question.decided for question in found.read.questions)
                counts[
                    kind, "read" if found.read.result is not None else "asked" if is_open else "refused"
                ] += 1
    text = (
        (REPOSITORY / "docs/formats.md").read_text(encoding="utf-8").partition("## What strangers brought")[2]
    )
    rows = [
        line.strip("| ").split(" | ")
        for line in text.partition("\n## ")[0].splitlines()
        if line.startswith("| ")
    ]
    said = {
        (kind, outcome): int(number)
        for kind, *numbers in rows[1:]
        for outcome, number in zip(rows[0][1:], numbers, strict=True)
    }
    assert {key: number for key, number in said.items() if number} == dict(counts)
