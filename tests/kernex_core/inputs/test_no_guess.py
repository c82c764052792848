"""No guess discards or reverses a number: what a file leaves open is asked, with the option that answers it."""

import io

import numpy as np
import pandas as pd
import pytest
from scipy.io import savemat

from kernex_core import read_labels, read_samples
from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.gram.provenance import write_script
from kernex_core.inputs.format import SURE
from kernex_core.inputs.reading import rank_formats
from kernex_core.inputs.upload import Upload, open_upload
from tests.kernex_core.inputs.dialects import workbook_bytes


def text_of(notes):
    return " ".join(f"{note.text} {note.action}" for note in notes)


def square(text, **options):
    return read_samples(text.encode(), "k.csv", "similarity", **options).gram.values.tolist()


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (';a;b\na;1;0,5\nb;0,5;1\n', [[1, 0.5], [0.5, 1]]),
        (';a;b\na;1;0,125\nb;0,125;1\n', [[1, 0.125], [0.125, 1]]),
        (';a;b\na;1,200;0,5\nb;0,5;1,200\n', [[1.2, 0.5], [0.5, 1.2]]),
        (';a;b\na;1.200,5;0,5\nb;0,5;1.200,5\n', [[1200.5, 0.5], [0.5, 1200.5]]),
        (';a;b\na;1,200;0.5\nb;0.5;1,200\n', [[1200, 0.5], [0.5, 1200]]),
        (';a;b\na;1,200.5;300\nb;300;2,000\n', [[1200.5, 300], [300, 2000]]),
        (';a;b\na;1,234,567;300\nb;300;2,000\n', [[1234567, 300], [300, 2000]]),
    ],
)  # fmt: skip
def test_commas_that_are_decided_by_a_number(text, values):
    assert square(text) == values


@pytest.mark.parametrize("mark", [";", "\t"])
def test_commas_that_nobody_can_tell_are_asked(mark):
    text = ";a;b\na;1,200;300\nb;300;2,000\n".replace(";", mark)
    with pytest.raises(InvalidInputError, match=r"'1,200' in line 2.*thousands.*\(1200.*decimal.*\(1\.2"):
        square(text)
    assert square(text, comma="thousands") == [[1200, 300], [300, 2000]]
    assert square(text, comma="decimal") == [[1.2, 300], [300, 2]]


@pytest.mark.parametrize(
    "text",
    [
        ";a;b\na;1,5;1.200\nb;1.200;1,5\n",
        ";a;b\na;1,200.5;0,5\nb;0,5;1\n",
        ";a;b\na;1,200;0.25\nb;0.25;1,20\n",
    ],
)
def test_mixtures_of_commas_are_refused(text):
    with pytest.raises(InvalidInputError):
        square(text)


@pytest.mark.parametrize("kind", ["vectors", "network"])
def test_commas_are_asked_for_every_table(kind):
    text = {
        "vectors": "id;x;y\na;1,200;3\nb;2,000;4\n",
        "network": "source;target;weight\na;b;1,200\nb;c;300\n",
    }[kind]
    with pytest.raises(InvalidInputError, match="1,200"):
        read_samples(text.encode(), "k.csv", kind)
    found = read_samples(text.encode(), "k.csv", kind, comma="thousands")
    assert 1200 in (found.X if kind == "vectors" else found.adjacency.toarray())


def test_what_was_answered_is_in_the_recipe():
    text = b";a;b\na;1,200;300\nb;300;2,000\n"
    found = read_samples(text, "k.csv", comma="thousands")
    assert ("comma", "thousands") in dict(found.recipe.keywords).items()
    pairs = b"SampleA,SampleB,distance\na,b,1\na,c,4\n"
    for meaning in ("similarity", "distance"):
        found = read_samples(pairs, "k.csv", meaning=meaning)
        assert dict(found.recipe.keywords)["meaning"] == meaning


def test_percent_signs():
    assert square(",a,b\na,100%,45.2%\nb,45.2%,100%\n") == [[100, 45.2], [45.2, 100]]
    with pytest.raises(InvalidInputError, match="100%"):
        square(",a,b\na,100%,45.2%\nb,0.9,100%\n")


@pytest.mark.parametrize(
    "name", ["similarity", "Identity", "tm_score", "jaccard", "correlation", "cosine", "ANI"]
)
def test_names_of_similarities_make_pairs(name):
    text = f"source,target,{name}\na,b,0.5\nb,c,0.3\n"
    found = read_samples(text.encode(), "k.csv")
    assert found.kind == "similarity"
    assert found.gram.values[0, 1] == 0.5


@pytest.mark.parametrize("name", ["count", "probability", "anything", "value"])
def test_a_single_number_is_the_weight_whatever_it_is_called(name):
    network = read_samples(f"source,target,{name}\na,b,0.5\nb,c,0.3\n".encode(), "k.csv")
    assert network.kind == "network"
    assert network.adjacency.toarray()[0, 1] == 0.5
    text = f"source,target,{name}\na,a,1\nb,b,1\na,b,0.5\n"
    assert read_samples(text.encode(), "k.csv").kind == "similarity"  # self pairs are no edges


@pytest.mark.parametrize("name", ["distance", "Num_Differences", "rmsd", "hamming_distance", "BrayCurtis"])
def test_names_of_distances(name):
    text = f"SampleA,SampleB,{name}\na,b,1\na,c,4\nb,c,8\n".encode()
    found = read_samples(text, "k.csv")
    K = found.gram.values
    assert np.diag(K).tolist() == [1, 1, 1]
    assert K[0, 1] > K[0, 2] > K[1, 2]
    chosen = read_samples(text, "k.csv", meaning="similarity")
    assert chosen.gram.values[1, 2] == 8
    assert "larger is further apart" in text_of(chosen.notes)


def test_mash_and_mothur_list_distances():
    mash = b"a.fa\tb.fa\t0.02\t0\t456/1000\na.fa\tc.fa\t0.3\t0\t4/1000\nb.fa\tc.fa\t0.3\t0\t4/1000\n"
    for text, name in ((mash, "m.tsv"), (b"a b 0.02\na c 0.3\nb c 0.3\n", "m.dist")):
        K = read_samples(text, name).gram.values
        assert K[0, 0] == 1 > K[0, 1] > K[0, 2]


def test_e_values_without_a_name_are_asked():
    text = b"a\tb\t1e-30\na\tc\t0.001\nb\tc\t0.002\n"
    with pytest.raises(InvalidInputError, match=r"a and b: 1e-30.*minus_log10.*30 by"):
        read_samples(text, "k.tsv")
    assert read_samples(text, "k.tsv", scale="minus_log10").gram.values[0, 1] == 30
    assert read_samples(text, "k.tsv", scale="as_is").gram.values[0, 1] == 1e-30
    own = b"a\ta\t1\nb\tb\t1\na\tb\t1e-30\n"  # each item is most alike to itself: no E-values
    assert read_samples(own, "k.tsv").gram.values[0, 1] == 1e-30


def test_several_scores_without_a_known_name_are_asked():
    text = b"gene1,gene2,alpha,beta\na,b,0.5,7\nb,c,0.3,8\na,c,0.1,9\n"
    with pytest.raises(
        InvalidInputError, match=r"score_column='alpha' \(0.5\), or score_column='beta' \(7\)"
    ):
        read_samples(text, "k.csv", "similarity")
    assert read_samples(text, "k.csv", "similarity", score_column="beta").gram.values[0, 1] == 7


def test_identities_or_distances_are_asked_where_the_form_does_not_say():
    text = b"3\nA\nB 33\nC 12 99\n"
    with pytest.raises(InvalidInputError, match=r"B and A: 33.*meaning='similarity'"):
        read_samples(text, "k.phy")
    assert read_samples(text, "k.phy", meaning="similarity").gram.values[0].tolist() == [100, 33, 12]
    assert read_samples(text, "k.phy", meaning="distance").gram.values[0, 0] == 1


@pytest.mark.parametrize(
    "text",
    [
        "#node1\tnode2\tweight\na\tb\t0.5\nb\tc\t0.3\n",
        "# made by a tool\n#node1\tnode2\tweight\na\tb\t0.5\nb\tc\t0.3\n",
        "#node1,node2,weight\na,b,0.5\nb,c,0.3\n",
    ],
)
def test_the_last_line_behind_a_mark_is_the_header(text):
    network = read_samples(text.encode(), "k.txt", "network")
    assert network.ids == ("a", "b", "c")
    assert network.adjacency.toarray()[0, 1] == 0.5


def test_a_comment_of_as_many_words_is_no_header():
    labels = read_labels(b"# made by Ann, last year\na,x\nb,y\nc,x\n", "l.csv")
    assert labels.ids == ("a", "b", "c")


def test_titles_above_a_table_are_left_out_and_said():
    found = read_samples(b"Scores of March\n,a,b,c\na,1,2,3\nb,2,1,4\nc,3,4,1\n", "k.csv")
    assert found.gram.values[0].tolist() == [1, 2, 3]
    assert "Scores of March" in text_of(found.notes)


@pytest.mark.parametrize("first", ["sep=;", '"sep=;"', "SEP=;"])
def test_the_line_for_excel_names_the_separator(first):
    assert square(f"{first}\n;a;b\na;1;0,5\nb;0,5;1\n") == [[1, 0.5], [0.5, 1]]


PAJEK = {
    "edges and arcs": "*Vertices 3\n1 \"a\"\n2 \"b b\"\n3 \"c\"\n*Edges\n1 2 2.5\n*Arcs\n3 2 4\n",
    "lists": "*vertices 3\n1 a\n2 \"b b\"\n3 c\n*edgeslist\n1 2\n*arcslist\n2 3\n",
    "matrix": "*vertices 3\n1 a\n2 \"b b\"\n3 c\n*matrix\n0 2 0\n2 0 1\n0 1 0\n",
    "without labels": "% a comment\n*network x\n*vertices 3\n*edges\n1 2\n2 3\n",
}  # fmt: skip


@pytest.mark.parametrize("name", PAJEK)
def test_pajek(name):
    network = read_samples(PAJEK[name].encode(), "x.net")
    assert network.n_edges == 2
    assert network.ids == (("1", "2", "3") if name == "without labels" else ("a", "b b", "c"))


def test_vertices_of_one_label_stay_apart():
    network = read_samples(b'*vertices 3\n1 "a"\n2 "a"\n3 "b"\n*edges\n1 2\n2 3\n', "x.net")
    assert network.ids == ("a", "a_2", "b")


@pytest.mark.parametrize(
    "text",
    [
        '*vertices 2\n0 "a"\n', '*vertices 2\n1 a\n2 b\n*edges\n1 3\n', '*vertices 2\n1 a\n2 b\n*edges\n1 2 x\n',
        '*vertices 4 2\n1 a\n', "*vertices 2\n1 a\n1 b\n", "*vertices 2\n*partition\n1\n", "*vertices 2\n*matrix\n0 1 1\n",
    ],
)  # fmt: skip
def test_damaged_pajek_is_refused(text):
    with pytest.raises(InvalidInputError, match="Pajek"):
        read_samples(text.encode(), "x.net")


def test_a_pajek_file_that_promises_too_much_is_refused():
    with pytest.raises(TooLargeError):
        read_samples(b"*vertices 99999999999\n", "x.net")


def test_gexf_is_looked_over_before_it_is_read():
    bomb = b'<?xml version="1.0"?><!DOCTYPE g [<!ENTITY a "aaaa">]><gexf><graph><nodes/></graph></gexf>'
    with pytest.raises(InvalidInputError, match="GEXF"):
        read_samples(bomb, "x.gexf")


def test_sif_by_its_relations_and_by_its_ending():
    assert rank_formats(Upload("x.txt", b"a pp b\nb pd c\n"))[0].format.name == "sif"
    network = read_samples(b"a\tbinds to\tb\tc\nd\n", "x.sif")
    assert (network.ids, network.n_edges) == (("a", "b", "c", "d"), 2)
    assert "binds to (2)" in text_of(network.notes)
    with pytest.raises(InvalidInputError, match="alone in line 2"):
        read_samples(b"a pp b\na pp\n", "x.sif", format="sif")


@pytest.mark.parametrize(("kind", "value"), [("value", 8), ("strength", 8), ("id", 1)])
def test_the_number_of_an_edge_is_its_weight(kind, value):
    text = f'graph [ node [ id 0 label "a" ] node [ id 1 label "b" ] edge [ source 0 target 1 {kind} 8 ] ]'
    assert read_samples(text.encode(), "x.gml").adjacency.toarray()[0, 1] == value


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("1:1 2:0.5\n1:0.5 2:1\n", "k.txt"), ("1 0:1 1:1 2:0.5\n-1 0:2 1:0.5 2:1\n", "k.txt"),
        ("1 1 10 1\n2 1 10 0.5\n2 2 10 1\n", "k.grm"),
    ],
)  # fmt: skip
def test_numbered_entries_are_a_kernel(text, name):
    assert read_samples(text.encode(), name).gram.values.tolist() == [[1, 0.5], [0.5, 1]]


def test_names_of_ten_characters_may_touch_their_numbers():
    found = read_samples(
        b"3\nabcdefghij0.0 1.0 2.0\nb         1.0 0.0 3.0\nabcdefghik2.0 3.0 0.0\n",
        "k.phy",
        meaning="similarity",
    )
    assert found.ids == ("abcdefghij", "b", "abcdefghik")
    assert found.gram.values[2].tolist() == [2, 3, 0]


def test_which_of_several_weights_is_asked():
    text = b"source,target,alpha,beta\na,b,0.5,7\nb,c,0.3,8\n"
    with pytest.raises(
        InvalidInputError, match=r"weight_column='alpha' \(0.5\), or weight_column='beta' \(7\)"
    ):
        read_samples(text, "k.csv")
    assert read_samples(text, "k.csv", weight_column="beta").adjacency.toarray()[0, 1] == 7
    alike = read_samples(text, "k.csv", weights="ignore")
    assert alike.adjacency.toarray()[0, 1] == 1
    gml = b"graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 rank 2 prob 0.5 ] ]"
    with pytest.raises(InvalidInputError, match=r"weight_attribute='rank' \(2\)"):
        read_samples(gml, "x.gml")
    assert read_samples(gml, "x.gml", weight_attribute="prob").adjacency.toarray()[0, 1] == 0.5


KING = "FID1\tID1\tFID2\tID2\tN_SNP\tHetHet\tIBS0\tKinship\n"
TOOLS = {
    "KING": (KING + "F\tI\tG\tJ\t100\t0.1\t0.02\t0.25\nF\tI\tH\tK\t100\t0.1\t0.02\t0.05\n", 0.25, 0.5),
    "PLINK 2": ("#IID1\tIID2\tNSNP\tIBS0\tKINSHIP\nI\tJ\t100\t0.02\t0.25\nI\tK\t100\t0.02\t0.05\n", 0.25, 0.5),
    "skani": ("Ref_file\tQuery_file\tANI\tRef_name\na\tb\t97.5\tx\na\tc\t95.1\ty\n", 97.5, 100),
    "fastANI": ("a.fa\tb.fa\t97.5\t800\t900\na.fa\tc.fa\t95.1\t700\t900\n", 97.5, 100),
    "CompareM": ("#Genome A\tGenes in A\tGenome B\tMean AAI\na\t35\tb\t85.5\na\t35\tc\t65\n", 85.5, 100),
    "US-align": ("#PDBchain1\tPDBchain2\tTM1\tTM2\tRMSD\na\tb\t0.5\t0.7\t2\na\tc\t0.5\t0.4\t3\n", 0.6, 1),
}  # fmt: skip


@pytest.mark.parametrize("tool", TOOLS)
def test_columns_of_a_tool_say_which_is_the_score_and_what_an_item_has_with_itself(tool):
    text, pair, own = TOOLS[tool]
    found = read_samples(text.encode(), "k.tsv")
    assert found.kind == "similarity"
    np.testing.assert_allclose(found.gram.values[0, :2], [own, pair])
    assert f"those of {tool}" in text_of(found.notes)


def test_biogrid_is_a_network_of_symbols():
    top = "#BioGRID Interaction ID\tEntrez Gene Interactor A\tEntrez Gene Interactor B\tOfficial Symbol Interactor A\t"
    text = (
        top
        + "Official Symbol Interactor B\tScore\n1\t6416\t2318\tMAP2K4\tFLNC\t-\n2\t84665\t88\tMYPN\tACTN2\t-\n"
    )
    assert read_samples(text.encode(), "b.txt").ids == ("MAP2K4", "FLNC", "MYPN", "ACTN2")


def test_ids_that_differ_by_case_or_blanks_are_named():
    found = read_samples(b"id,x1,x2\nA,1,2\na ,2,3\nb,4,5\n", "x.csv")
    assert "'A' and 'a '" in text_of(found.notes)


def test_a_column_of_percent_signs_among_others():
    found = read_samples(b"id,x,y\na,50%,1\nb,20%,2\nc,0,3\n", "x.csv")
    assert found.X.tolist() == [[50, 1], [20, 2], [0, 3]]
    assert read_samples(b"a\tb\t50%\nb\tc\t20%\n", "k.tsv").gram.values[0, 1] == 50


@pytest.mark.parametrize(
    ("data", "way"),
    [
        (b"\x89HDF\r\n\x1a\n" + bytes(90), "h5py"),
        (b"SQLite format 3" + bytes(90), "sqlite3"),
    ],
)
def test_containers_that_are_not_read_name_what_exports_them(data, way):
    with pytest.raises(InvalidInputError, match=way):
        read_samples(data, "x.bin")


@pytest.mark.parametrize(
    "text",
    [
        b"#SampleID\tBarcodeSequence\tDOB\nS1\tAGCA\t20060805\nS2\tAACT\t20060216\nS3\tACAG\t20060109\n",
        b"#OTUID\ttaxonomy\tconfidence\n# comment\nOTU_1\tk__Bacteria;p__Firmicutes\t0.890\nOTU_2\tk__Bacteria\t0.9999\n",
    ],
)
def test_a_table_of_items_is_no_table_of_pairs(text):
    assert not any(
        guess.confidence
        for guess in rank_formats(open_upload(text, "map.txt"))
        if guess.format.name == "pairs"
    )


@pytest.mark.parametrize(
    "text",
    [
        b"verbose      = 2\nCodonFreq    = 2\nseqfile      = algn\nSmall_Diff   = .5e-6\n",  # settings of PAML
        b"#!/bin/sh\npyrcc4  resources.qrc -o resources.py\npyuic4 newick.ui > newick.py\npyuic4 about.ui > about.py\n",
        b"Supplemental results for CODEML\n\ndN/dS for site classes (K=2)\n\np:   0.50872  0.49128\nw:   0.14044  1.00000\n",
    ],
)
def test_a_text_is_no_table_of_labels(text):
    with pytest.raises(InvalidInputError):
        read_samples(text, "x.txt")
    assert all(guess.confidence < SURE for guess in rank_formats(open_upload(text, "x.txt")))


def test_labels_may_stand_behind_blanks():
    guess, *_ = rank_formats(open_upload(b"d1 kinase\nd2 protease\nd3 kinase\n", "x.txt"))
    assert (guess.format.name, guess.confidence > SURE) == ("labels", True)


def _squares(X):
    """A square array in every container that has no ids, under a name that says nothing."""
    rows = [[f"{value:.6g}" for value in row] for row in X]
    yield "x.csv", "\n".join(map(",".join, rows)).encode()
    top = [[f"f{k}" for k in range(len(X))], *rows]
    yield "x.tsv", "\n".join(map("\t".join, top)).encode()
    yield "x.txt", "\n".join(" ".join([f"s{k}", *row]) for k, row in enumerate(rows)).encode()
    for save in (np.save, np.savez):
        out = io.BytesIO()
        save(out, X)
        yield "x.npy" if save is np.save else "x.npz", out.getvalue()
    out = io.BytesIO()
    savemat(out, {"A": X})
    yield "x.mat", out.getvalue()
    for name, write in (("x.xlsx", "to_excel"), ("x.parquet", "to_parquet")):
        out = io.BytesIO()
        getattr(pd.DataFrame(X, columns=[f"f{k}" for k in range(len(X))]), write)(out, index=False)
        yield name, out.getvalue()


def test_as_many_measurements_as_items_are_never_averaged_without_a_question(rng):
    X = np.round(rng.normal(size=(12, 12)), 3)
    for name, data in _squares(X):
        with pytest.raises(InvalidInputError, match=r"symmetrise='mean'.*symmetrise='max'.*kind='vectors'"):
            read_samples(data, name)
        vectors = read_samples(data, name, kind="vectors")
        np.testing.assert_array_equal(vectors.X, X, err_msg=name)
        for kind in (None, "similarity"):
            made = read_samples(data, name, kind=kind, symmetrise="max")
            np.testing.assert_array_equal(made.gram.values, np.maximum(X, X.T), err_msg=name)
        # who says the kind has answered; and the script that reads it again says so, too
        made = read_samples(data, name, kind="similarity")
        np.testing.assert_allclose(made.gram.values, (X + X.T) / 2.0, err_msg=name)
        assert any("not symmetric" in note.text for note in made.notes)
        assert "symmetrise='mean'" in write_script([made.recipe], heading="x")


def test_what_can_only_be_similarities_is_symmetrised_without_a_question(rng):
    X = np.round(rng.normal(size=(12, 12)), 3)
    for name, data in _squares((X + X.T) / 2.0):
        assert read_samples(data, name).kind == "similarity", name
    ids = [f"p{k}" for k in range(12)]
    out = io.BytesIO()
    np.savez(out, kernel=X)
    for name, data in (("k.csv", pd.DataFrame(X, ids, ids).to_csv().encode()), ("k.npz", out.getvalue())):
        np.testing.assert_allclose(read_samples(data, name).gram.values, (X + X.T) / 2.0)


WEIGHTS = ",a,b,c,d\na,0,3,0,0\nb,3,0,1,0\nc,0,1,0,2\nd,0,0,2,0\n"


def test_zeros_between_items_that_differ_are_no_distances_until_somebody_says_so():
    with pytest.raises(InvalidInputError, match=r"a and c: 0; a and b: 3.*meaning='distance'.*'similarity'"):
        square(WEIGHTS)
    assert square(WEIGHTS, meaning="similarity")[0] == [0, 3, 0, 0]
    assert square(WEIGHTS, meaning="distance")[0][2] == 1
    # copies are at distance 0 from each other, and as far from all others
    copies = ",a,b,c\na,0,0,2\nb,0,0,2.1\nc,2,2.1,0\n"
    assert square(copies)[0][1] == 1


@pytest.mark.parametrize(
    ("first", "option", "ids", "labels"),
    [
        (["842302", "842517", "84300903"], "id_column", ("842302", "842517", "84300903"), None),
        (["1", "2", "1"], "label_column", ("1", "2", "3"), ["1", "2", "1"]),
    ],
)
def test_whole_numbers_beside_fractions_that_have_no_name_are_asked(first, option, ids, labels):
    text = "".join(
        f"{k},{x},{x / 7:.3f}\n" for k, x in zip(first, (14.25, 13.5, 12.37), strict=True)
    ).encode()
    with pytest.raises(InvalidInputError, match=rf"{option}='column 1'.*{option}=''.*a measurement"):
        read_samples(text, "wine.data")
    found = read_samples(text, "wine.data", **{option: "column 1"})
    assert (found.ids, found.X.shape) == (ids, (3, 2))
    assert (found.labels and found.labels.y.tolist()) == labels
    measured = read_samples(text, "wine.data", **{option: ""})
    assert measured.X[:, 0].tolist() == [float(k) for k in first]
    assert dict(measured.recipe.keywords)[option] == ""
    # a name on top, and nothing is asked
    assert read_samples(b"n,x,y\n" + text, "wine.csv").X.shape == (3, 3)


def test_double_precision_of_fortran_is_a_number():
    assert square("1.0D+00 2.5D-01\n2.5D-01 1.0d+00\n") == [[1, 0.25], [0.25, 1]]


def test_points_that_divide_thousands_tell_semicolons_from_decimal_commas():
    found = read_samples(
        b"a;b;resnik\nGO:1;GO:2;3,52\nGO:1;GO:3;1.200,5\nGO:2;GO:3;0,1\n", "p.csv", "similarity"
    )
    assert found.gram.values[0, 2] == 1200.5


def test_pairs_of_items_of_two_kinds_are_said():
    table = b"sample,feature,value\ns1,f1,1\ns1,f2,2\ns2,f1,3\ns2,f2,4\n"
    assert "No item stands in both columns of ids (s1, f1)" in text_of(read_samples(table, "p.csv").notes)
    assert "both columns" not in text_of(read_samples(table.replace(b"s2", b"f1"), "p.csv").notes)


def test_a_triangle_without_names_whose_diagonal_is_less_than_its_rows_is_said():
    assert "whether the triangle has its diagonal" in text_of(
        read_samples(b"0.5\n0.3 0.2\n0.1 0.4 0.6\n", "t.txt").notes
    )
    assert "the triangle has" not in text_of(read_samples(b"1\n0.3 1\n0.1 0.4 1\n", "t.txt").notes)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sample,mass,length\n,g,cm\nA,1.5,3\nB,2.5,4\nC,3,5\n", "'g' in line 2"),
        ("id,u,v\nA,<0.5,3\nB,1.5,4\nC,2,<0.1\n", "'<0.5' in line 2"),
    ],
)
def test_what_keeps_a_column_from_being_numbers_is_named(text, said):
    with pytest.raises(InvalidInputError, match=said):
        read_samples(text.encode(), "x.csv")


def test_a_workbook_whose_data_stand_on_another_sheet_is_not_called_damaged():
    book = workbook_bytes([["Read me"], ["This workbook"]], [["", "a", "b"], ["a", 1, 0.5], ["b", 0.5, 1]])
    with pytest.raises(InvalidInputError, match=r"first sheet \(sheet 1\).*data first: sheet 2"):
        read_samples(book, "k.xlsx")


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_columns_at_the_end_with_nothing_in_them_are_none(mark):
    text = ",a,b,,\na,1,0.5,,\nb,0.5,1,,\n,,,,\n".replace(",", mark)
    assert square(text) == [[1, 0.5], [0.5, 1]]
    # an entry, and the column is one
    kept = read_samples(text.replace(f"1{mark}{mark}", f"1{mark}{mark}7").encode(), "x.csv", "vectors")
    assert kept.X.shape[1] > 2


def test_a_class_and_one_measurement_of_each_item_are_vectors_with_classes():
    found = read_samples(b"id,expression,class\na,1.5,1\nb,2.5,2\nc,3.5,1\nd,0.5,2\n", "x.csv")
    assert (found.X.ravel().tolist(), found.labels.y.tolist()) == ([1.5, 2.5, 3.5, 0.5], ["1", "2", "1", "2"])


def test_numbers_that_labels_leave_out_are_named():
    found = read_labels(b"id,time,status\np1,120,1\np2,300,0\np3,45,1\n", "l.csv")
    assert "Columns of numbers: time. They are left out." in text_of(found.notes)


def test_texts_beside_numbers_are_no_pairs_where_none_stands_on_both_sides():
    table = b"id,sex,age,size\na,m,30,1\nb,f,40,2\nc,m,50,3\nd,f,20,4\n"
    assert rank_formats(open_upload(table, "x.csv"))[0].format.name != "hits"


POINTS = ";A;B\nA;1.000;250\nB;250;2.500\n"


@pytest.mark.parametrize("mark", [";", ",", "\t"])
def test_points_that_may_divide_thousands_are_asked(mark):
    text = POINTS.replace(";", mark)
    with pytest.raises(InvalidInputError, match=r"'1\.000' in line 2.*thousands.*\(1000.*decimal.*\(1:"):
        square(text)
    assert square(text, comma="thousands") == [[1000, 250], [250, 2500]]
    assert square(text, comma="decimal") == [[1, 250], [250, 2.5]]


@pytest.mark.parametrize(
    "text",
    [
        POINTS.replace("250", "0.250"),
        POINTS.replace("2.500", "2.50"),
        POINTS.replace("250", "0"),
        ",A,B\nA,0,1.234\nB,1.234,0\n",
    ],
)
def test_points_that_are_decimal_marks_are_not_asked(text):
    assert max(map(max, read_samples(text.encode(), "k.csv", "vectors").X.tolist())) < 300


def test_measurements_among_many_texts_are_vectors_and_name_no_items():
    rows = "16.99,1.01,F,No,Sun,2\n10.34,1.66,M,No,Sat,3\n16.99,3.5,M,Yes,Sun,3\n23.68,3.31,F,No,Sat,2\n"
    found = read_samples(f"bill,tip,sex,smoker,day,size\n{rows}".encode(), "tips.csv")
    assert (found.kind, found.X.shape, found.labels.y.tolist()) == ("vectors", (4, 3), ["F", "M", "M", "F"])
    one = read_labels(b"bill,sex,day\n16.99,F,Sun\n10.34,M,Sat\n16.99,M,Sun\n23.68,F,Sat\n", "l.csv")
    assert len(one.y) == 4
