"""The files that strangers brought, each with what RIGHT.md says of it."""

import numpy as np
import pytest

from kernex_core import SmithWaterman, diagnose, health, join_labels, read_labels, read_samples
from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.provenance import write_script

nan = np.nan
SQUARE = [[0, 1, 2, 4], [1, 0, 3, 5], [2, 3, 0, 6], [4, 5, 6, 0]]
GENOMES = tuple(f"GCF_{k}.fna" for k in range(1, 5))
CLUSTAL = ("sp|P1|A_HUMAN", "sp|P2|B_HUMAN", "sp|P3|C_HUMAN")
MATRICES = {
    "01_triangle_zeros_distance.csv": ("abcd", [[0, 5, 4, 3], [5, 0, 6, 2], [4, 6, 0, 1], [3, 2, 1, 0]], "mirrored"),
    "02_triangle_zeros_similarity.csv": ("ABC", [[1, 0.5, 0.7], [0.5, 1, 0.9], [0.7, 0.9, 1]], "mirrored"),
    "03_foldseek_u_t.m8": (("a.cif", "b.cif"), [[1, 0.815], [0.815, 1]], "column 3 is taken"),
    "04_diamond_unal.tsv": (("p1", "p2", "p3"), [[900, 90, nan], [90, 800, nan], [nan] * 3], "no hit: 1 (p3)"),
    "06_pairs_stray_quote.tsv": (("5'-nt", '"x', "y"), [[1, 0.3, 0.1], [0.3, 1, 0.2], [0.1, 0.2, 1]], ""),
    "08_orange.dst": (("Ann", "Bob", "Cai"), [[0, 1, 2], [1, 0, 3], [2, 3, 0]], "Orange"),
    "09_clustal.pim": (CLUSTAL, [[100, 45.2, 30.1], [45.2, 100, 28], [30.1, 28, 100]], "Clustal"),
    "15_R_write_csv.csv": (
        "1234", [[1, 0.5, 0.2, 0.1], [0.5, 1, 0.3, 0.1], [0.2, 0.3, 1, 0.1], [0.1, 0.1, 0.1, 1]], "as R writes",
    ),
    "16_R_make_names.csv": (("1abc-A", "HLA-DRA", "g 3"), [[1, 0.5, 0.2], [0.5, 1, 0.3], [0.2, 0.3, 1]], "R changed"),
    "17_square.phy": ("abcd", SQUARE, "PHYLIP"),
    "19_mash_triangle.txt": (
        GENOMES, [[0, 0.01, 0.2, 0.3], [0.01, 0, 0.21, 0.31], [0.2, 0.21, 0, 0.05], [0.3, 0.31, 0.05, 0]], "It is 0",
    ),
    "20_fastani.matrix": (
        ("a.fna", "b.fna", "c.fna", "d.fna"),
        [[100, 98.5, nan, 79.2], [98.5, 100, 80.1, nan], [nan, 80.1, 100, 95], [79.2, nan, 95, 100]], "It is 100",
    ),
    "22_gkmsvm_kernel.out": ("123", [[1, 0.079, 0.03], [0.079, 1, 0.02], [0.03, 0.02, 1]], "triangle"),
    "23_R_dist_print.txt": ("abcd", SQUARE, "as R prints"),
    "24_nexus.nex": ("abc", [[0, 1, 2], [1, 0, 3], [2, 3, 0]], "NEXUS"),
    "26_two_arrays.npz": ("1234", np.eye(4), "train (4 × 4), test (4 × 4). train is taken"),
    "30_alntmscore_above_1.tsv": (("x1", "x2"), [[1, 0.0444], [0.0444, 1]], "qtmscore is taken"),
    "34_foldseek_undefined_bits.m8": ("abc", [[300, 70, -12], [70, 250, 20], [-12, 20, 400]], "-2147483648"),
}  # fmt: skip


@pytest.fixture
def stranger(shared):
    return lambda name: ((shared / "data" / "strangers" / name).read_bytes(), name)


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
    assert found.ids == tuple(ids)
    np.testing.assert_allclose(found.gram.values, values, atol=1e-12)
    assert note in said(found)


def test_the_other_array_is_offered(stranger):
    assert (read_samples(*stranger("26_two_arrays.npz"), key="test").gram.values == 1).all()


def test_labels_before_ids(stranger):
    found = read_labels(*stranger("11_labels_class_first.csv"))
    assert (found.ids, found.y.tolist()) == (("x1", "x2", "x3", "x4"), ["EI", "IE", "EI", "N"])
    with pytest.raises(InvalidInputError, match="labels of items"):
        read_samples(*stranger("11_labels_class_first.csv"))


def test_several_label_columns(stranger):
    found = read_labels(*stranger("12_labels_many_columns.csv"))
    assert "may be the labels: kinase, membrane, secreted. kinase is taken" in said(found)
    assert "kinase, membrane, secreted" in said(read_samples(*stranger("12_labels_many_columns.csv")))


def test_repeated_ids(stranger):
    samples = read_samples(*stranger("13_repeated_ids.fa"))
    labels = read_labels(*stranger("14_repeated_ids_labels.csv"))
    assert samples.ids == ("g1", "g1_2", "g2")
    assert join_labels(samples, labels).labels.y.tolist() == ["A", "A", "B"]


def test_dna_is_aligned_as_dna(stranger):
    assert SmithWaterman().similarities(read_samples(*stranger("28_dna_for_sw.fa"))).values[0, 0] == 50


def test_a_kernel_of_six_decimals(stranger):
    found = read_samples(*stranger("29_rounded_6_digits.csv"))
    assert diagnose(found.gram).min_eigenvalue == pytest.approx(-3e-6, rel=0.1)
    assert diagnose(found.gram).negative == 0
    assert "within the digits of the file" in " ".join(note.text for note in health(found).notes)


def test_a_pair_above_both_self_scores(stranger):
    found = read_samples(*stranger("30_alntmscore_above_1.tsv"), score_column="alntmscore")
    assert "x1 and x2" in " ".join(note.text for note in health(found).notes if "itself" in note.text)


def test_sequences_in_a_table(stranger):
    found = read_samples(*stranger("31_seqs.csv"))
    assert (found.ids, found.strings) == (("a", "b", "c"), ("MKVLAAGGTTR", "MKVLAAGGTT", "MRRRLLAAK"))
    assert found.labels.y.tolist() == ["x", "y", "x"]


def test_edges_are_a_network(stranger):
    network = read_samples(*stranger("32_edges.tsv"))
    assert network.ids == ("a", "b", "c")
    assert network.adjacency.toarray().tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]


def test_no_file_is_forgotten(shared):
    names = {path.name for path in (shared / "data" / "strangers").iterdir()} - {"RIGHT.md"}
    others = {name for name in names if name[:2] in {"11", "12", "13", "14", "28", "29", "31", "32"}}
    assert names == set(MATRICES) | others
