import gzip
import io

import numpy as np
import openpyxl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kernex_core import InvalidInputError, join_labels, read_labels, read_samples
from kernex_core.inputs.format import SURE
from kernex_core.inputs.items.label_columns import LabelOptions
from kernex_core.inputs.reading import rank_formats
from kernex_core.inputs.tables.columns import is_cluster_table
from kernex_core.inputs.tables.table import table_of
from kernex_core.inputs.upload import Upload, open_upload


@pytest.mark.parametrize(
    "data",
    [
        b"id,label\na,x\nb,y\nc,x\n",
        b"a,x\nb,y\nc,x\n",
        b"id\tlabel\r\na\tx\r\nb\ty\r\nc\tx\r\n",
        b"a;x\nb;y\nc;x\n",
        b"a x\nb y\nc x\n",
        b"\xef\xbb\xbfid,class\na,x\nb,y\nc,x\n",
        gzip.compress(b"a,x\nb,y\nc,x\n"),
        b"# made by hand\na,x\nb,y\nc,x\n",
    ],
)
def test_ids_and_labels(data):
    found = read_labels(data, "labels.txt")
    assert found.ids == ("a", "b", "c")
    assert found.y.tolist() == ["x", "y", "x"]
    assert found.groups is None
    assert not found.positional


def test_groups_by_name_and_as_third_of_three():
    for data in (b"id,label,group\na,x,g\nb,y,h\n", b"a,x,g\nb,y,h\n", b"id,cluster,label\na,g,x\nb,h,y\n"):
        found = read_labels(data, "labels.csv")
        assert found.y.tolist() == ["x", "y"]
        assert found.groups.tolist() == ["g", "h"]


def test_workbook():
    book = openpyxl.Workbook()
    for row in (["id", "class"], [7, "x"], ["b", 2]):
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    found = read_labels(out.getvalue(), "labels.xlsx")
    assert found.ids == ("7", "b")
    assert found.y.tolist() == ["x", "2"]


def test_columns_by_choice():
    data = b"domain,fold,other\na,x,1\nb,y,2\n"
    assert read_labels(data, "l.csv", label_column="other").y.tolist() == ["1", "2"]
    assert read_labels(data, "l.csv", id_column="3", label_column="fold").ids == ("1", "2")
    assert read_labels(data, "l.csv", group_column="other").groups.tolist() == ["1", "2"]
    with pytest.raises(InvalidInputError, match=r"'nope'.*domain, fold, other"):
        read_labels(data, "l.csv", label_column="nope")
    assert read_labels(b"label,one\nb,two\n", "l.csv", header="no").ids == ("label", "b")
    assert read_labels(b"p,q\na,x\n", "l.csv", header="yes").ids == ("a",)
    assert LabelOptions().header == "auto"


def test_unlabelled_items_and_singletons_are_named():
    found = read_labels(b"a,x\nb,\nc,?\nd,NA\ne,x\nf,y\n", "l.csv")
    assert found.y.tolist() == ["x", "", "", "", "x", "y"]
    texts = " ".join(note.text for note in found.notes)
    assert "without a label: 3" in texts
    assert "one member: 1 (y)" in texts


def test_repeated_ids():
    found = read_labels(b"a,x\na,x\nb,y\nb,z\nc,x\n", "l.csv")
    assert found.ids == ("a", "b", "c")
    assert found.y.tolist() == ["x", "", "x"]
    assert found.duplicates == ("a", "b")
    assert found.conflicting == ("b",)
    assert any("different labels" in note.text and "(b)" in note.text for note in found.notes)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"a,x\nb\n", "1 fields in line 2"),
        (b"a,\nb,\n", "at least one label"),
        (b",x\nb,y\n", "needs an id.*label 1"),
        (b"id\n", "label"),
    ],
)
def test_refused(data, sentence):
    with pytest.raises(InvalidInputError, match=f"(?s){sentence}"):
        read_labels(data, "l.csv")


def test_join_by_id_whatever_the_order():
    labels = read_labels(b"c,x\na,y\nzz,y\nb,x\nb,x\n", "l.csv")
    joined = join_labels(("a", "b", "c", "d"), labels)
    assert joined.labels.ids == ("a", "b", "c", "d")
    assert joined.labels.y.tolist() == ["y", "x", "x", ""]
    assert joined.matched == 3
    assert joined.without_label == ("d",)
    assert joined.without_item == ("zz",)
    assert joined.duplicates == ("b",)
    assert joined.singletons == ("y",)
    texts = " ".join(note.text for note in joined.notes)
    for part in ("3", "(d)", "(zz)", "one member: 1 (y)", "same label: 1 (b)"):
        assert part in texts


def test_groups_are_joined_too():
    labels = read_labels(b"id,label,group\nb,x,g\na,y,h\n", "l.csv")
    assert join_labels(("a", "b", "c"), labels).labels.groups.tolist() == ["h", "g", ""]


def test_join_by_position_only_without_ids_and_when_asked():
    single = read_labels(b"x\ny\nx\n", "l.txt")
    assert single.positional
    assert read_labels(b"label\nx\ny\nx\n", "l.txt").y.tolist() == ["x", "y", "x"]
    with pytest.raises(InvalidInputError, match="column of ids"):
        join_labels(("a", "b", "c"), single)
    joined = join_labels(("a", "b", "c"), single, by_position=True)
    assert joined.by_position
    assert joined.labels.y.tolist() == ["x", "y", "x"]
    with pytest.raises(InvalidInputError, match="3 labels for 2 items"):
        join_labels(("a", "b"), single, by_position=True)
    with pytest.raises(InvalidInputError, match="never by position"):
        join_labels(("a", "b"), read_labels(b"p,x\nq,y\n", "l.csv"), by_position=True)


def test_ids_that_do_not_match_show_both_sides():
    labels = read_labels(b"D1a_,x\nd2b,y\n", "l.csv")
    with pytest.raises(InvalidInputError, match=r"d1a_.*D1a_.*nearest"):
        join_labels(("d1a_", "d9"), labels)


def test_the_real_labels(shared):
    folder = shared / "data" / "scop_tim_barrel"
    matrix = read_samples(
        (folder / "c1_sw_foldseek3di_score.csv.gz").read_bytes(), "c1_sw_foldseek3di_score.csv.gz"
    )
    joined = join_labels(matrix, read_labels((folder / "c1_labels.tsv").read_bytes(), "c1_labels.tsv"))
    assert joined.matched == 373
    assert len(joined.labels.classes) == 33
    assert sum(size for _, size in joined.labels.classes if size >= 10) == 296
    assert np.array_equal(joined.labels.ids, matrix.ids)


@given(sizes=st.lists(st.integers(1, 6), min_size=2, max_size=9), seed=st.integers(0, 99))
def test_clusters_with_their_representatives_are_labels_and_no_network(sizes, seed):
    """What MMseqs2 writes: the representative of its cluster, a tab, and a member, among them itself."""
    assume(max(sizes) > 1)
    rng = np.random.default_rng(seed)
    names = [f"P{k}" for k in rng.permutation(sum(sizes))]
    clusters = [[names.pop() for _ in range(size)] for size in sizes]
    data = "".join(f"{members[0]}\t{each}\n" for members in clusters for each in members).encode()
    best, *_ = rank_formats(Upload("res_cluster.tsv", data))
    assert best.format.name == "labels"
    found = read_labels(data, "res_cluster.tsv")
    assert dict(zip(found.ids, found.y, strict=True)) == {each: m[0] for m in clusters for each in m}
    assert any("clusters with their representatives" in note.text for note in found.notes)
    # one member in two clusters, or a representative that is no member: pairs again
    assert not is_cluster_table(
        table_of(Upload("c.tsv", data + f"{clusters[0][0]}\t{clusters[-1][-1]}\n".encode()))
    )
    assert not is_cluster_table(table_of(Upload("c.tsv", data + b"Q1\tQ2\n")))


@pytest.mark.parametrize("name", ["target", "y", "class", "label"])
@pytest.mark.parametrize(
    "values", [[0.31, -2.5, 7.0, 1e-3, 4.4, 9.0], [3, 1, 4, 5, 9, 2], ["2.5e90", *range(5)]]
)
def test_a_number_for_every_item_is_something_to_learn(name, values):
    """A target that no two items share was taken for no file of labels, and so for nothing."""
    data = f"id\t{name}\n" + "".join(f"i{k}\t{value}\n" for k, value in enumerate(values))
    best = rank_formats(open_upload(data.encode(), "measured.tsv"))[0]
    assert best.format.name == "labels"
    assert best.confidence > SURE
    assert len(read_labels(data.encode(), "measured.tsv").classes) == 6


@pytest.mark.parametrize(
    ("filename", "taken"), [("labels.tsv", True), ("my_classes.csv", True), ("a.tsv", False)]
)
def test_a_class_for_every_item_is_one_where_the_file_is_called_so(filename, taken):
    data = "id\tclass\n" + "".join(f"i{k}\tc{k}\n" for k in range(6))
    text = data if filename.endswith("tsv") else data.replace("\t", ",")
    best = rank_formats(open_upload(text.encode(), filename))[0]
    assert (best.format.name == "labels" and best.confidence > SURE) is taken


@pytest.mark.parametrize(
    "text",
    ["1,2\n3,4\n5,6\n7,8\n", "a,b\n1,2\n3,4\n5,6\n", "u1,v1\nu2,v2\nu3,v3\n", "0.1,0.2\n0.3,0.4\n0.5,0.7\n"],
)
def test_pairs_and_points_are_no_labels(text):
    assert rank_formats(open_upload(text.encode(), "data.csv"))[0].format.name != "labels"


def test_measurements_are_not_called_classes_with_one_member():
    notes = read_labels(
        b"id,label\n" + b"".join(b"s%d,%.2f\n" % (k, 0.37 * k) for k in range(20)), "dose.csv"
    ).notes
    assert any("20 different numbers" in note.text for note in notes)
    assert not any("member" in note.text or note.severity == "warning" for note in notes)
    few = read_labels(b"id,label\na,x\nb,x\nc,y\n", "classes.csv").notes
    assert any("one member: 1 (y)" in note.text for note in few)
