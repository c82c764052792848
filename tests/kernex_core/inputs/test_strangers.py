"""Files that people bring and that were read wrongly without a word: small ones of our own for every kind."""

import io
import zipfile

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kernex_core import FORMATS, health, join_labels, read_labels, read_samples
from kernex_core.base.errors import InvalidInputError
from kernex_core.inputs.reading import rank_formats
from kernex_core.inputs.upload import Upload
from tests.kernex_core.inputs.dialects import workbook_bytes

nan = np.nan
SYMMETRIC = [[9, 2, 3], [2, 8, 4], [3, 4, 7]]


def said(read):
    return " ".join(f"{note.text} {note.action} {note.choice}" for note in read.notes)


def check(data, filename, ids, values, note=""):
    found = read_samples(data.encode(), filename)
    assert found.kind == "similarity"
    assert found.ids == tuple(ids)
    np.testing.assert_allclose(found.gram.values, values)
    assert note in said(found)
    return found


TRIANGLES = {
    "upper": ",a,b,c\na,9,2,3\nb,0,8,4\nc,0,0,7\n",
    "lower": ",a,b,c\na,9,0,0\nb,2,8,0\nc,3,4,7\n",
    "upper without ids": "9,2,3\n0,8,4\n0,0,7\n",
    "zeros and blanks": "\ta\tb\tc\na\t9\t2\t3\nb\t0\t8\t4\nc\tNA\t\t7\n",
}


@pytest.mark.parametrize("name", TRIANGLES)
def test_a_triangle_beside_zeros_is_mirrored(name):
    ids = "123" if "without" in name else "abc"
    check(TRIANGLES[name], "k.csv", ids, SYMMETRIC, "It is mirrored")


def test_a_triangle_is_mirrored_also_where_the_larger_is_taken_and_not_where_asymmetry_is_refused():
    data = b",a,b,c\na,-9,-2,-3\nb,0,-8,-4\nc,0,0,-7\n"
    made = read_samples(data, "k.csv", "similarity", symmetrise="max")
    np.testing.assert_array_equal(made.gram.values, -np.array(SYMMETRIC))
    with pytest.raises(Exception, match="symmetric"):
        read_samples(data, "k.csv", "similarity", symmetrise="refuse")


@given(st.integers(2, 7), st.data(), st.booleans(), st.sampled_from([",", "\t", ";"]))
def test_any_triangle(n, data, upper, separator):
    entries = st.integers(-99, 99).map(lambda k: k / 4)
    full = np.array([[data.draw(entries) for _ in range(n)] for _ in range(n)])
    written = np.triu(full) if upper else np.tril(full)
    assume((np.triu(full, 1) if upper else np.tril(full, -1)).any())
    text = "\n".join(separator.join(map(str, row)) for row in written.tolist())
    found = read_samples(text.encode(), "k.csv", "similarity", format="matrix", ids="none")
    np.testing.assert_array_equal(found.gram.values, written + written.T - np.diag(np.diag(full)))


def test_zeros_on_both_sides_are_no_triangle():
    values = [[9, 2, 0], [2, 8, 4], [0, 4, 7]]
    text = "\n".join(",".join(map(str, row)) for row in values)
    found = read_samples(text.encode(), "k.csv")
    np.testing.assert_array_equal(found.gram.values, values)
    assert "mirrored" not in said(found)


def test_tabs_divide_whatever_stands_in_fields():
    rows = ["a\ta\t1.0\t1,0,0,1\t.9", "a\tb\t.5\t0.5,0.1,3,1\t.4", "b\tb\t1.0\t1,0,0,1\t.9"]
    check("\n".join(rows), "hits.m8", "ab", [[1, 0.5], [0.5, 1]])
    rows = ["a\ta\t1\tx y; z", "a\tb\t.5\tu; v", "b\tb\t1\tw"]
    check("\n".join(rows), "hits.m8", "ab", [[1, 0.5], [0.5, 1]])


@given(st.data(), st.sampled_from("\t,;"))
def test_any_separator_with_other_marks_inside_fields(data, separator):
    inside = {"\t": " ,;'|", ",": " '|", ";": " '|"}[separator]
    names = st.text(st.sampled_from("abcdXYZ019_." + inside), min_size=1, max_size=8).filter(
        lambda name: name == name.strip() and any(letter.isalpha() for letter in name)
    )
    ids = data.draw(st.lists(names, min_size=3, max_size=6, unique=True))
    assume(not {name.lower() for name in ids} & {"na", "nan"})
    lines = [separator.join(["", *ids])] + [
        separator.join([name, *(str(2 + (i == j)) for j in range(len(ids)))]) for i, name in enumerate(ids)
    ]
    found = read_samples("\n".join(lines).encode(), "k.txt", "similarity")
    assert found.ids == tuple(ids)
    np.testing.assert_array_equal(found.gram.values, 2 + np.eye(len(ids)))


def test_a_star_is_no_item():
    rows = ["p1 p1 9", "p1 p2 2", "p2 p2 8", "p3 * -1"]
    found = check(
        "\n".join(rows).replace(" ", "\t"), "h.tsv", ("p1", "p2", "p3"), [[9, 2, nan], [2, 8, nan], [nan] * 3]
    )
    assert "no hit: 1 (p3)" in said(found)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("a\ta\t1\n#b\t#b\t1\na\t#b\t.5\n", ("a", "#b")),
        ("# a comment\na\ta\t1\n#b\t#b\t1\na\t#b\t.5\n", ("a", "#b")),
        ("#b\t#b\t1\n#b\t#c\t.5\n#c\t#c\t1\n", ("#b", "#c")),
        ("# BLASTP\n# Query: a\na\ta\t1\na\tb\t.5\n# BLASTP\n# Query: b\nb\tb\t1\n", ("a", "b")),
        ("#b #b 1\na a 1\n#b a .5\n# the end of it\n#b a .5\n", ("#b", "a")),
    ],
)
def test_ids_may_begin_with_the_mark_of_comments(text, ids):
    check(text, "pairs.tsv", ids, [[1, 0.5], [0.5, 1]])


def test_a_table_of_comments_alone_is_refused():
    with pytest.raises(Exception, match="comments"):
        read_samples(b"# one\n# two words\n# and three words\n", "k.csv")


STRAY = "\"x\t\"x\t1\ny's\ty's\t1\n\"x\ty's\t.5\nz\tz\t1\nz\t\"x\t.25\nz\ty's\t.125\n"


def test_a_stray_quotation_mark_is_a_letter():
    values = [[1, 0.5, 0.25], [0.5, 1, 0.125], [0.25, 0.125, 1]]
    check(STRAY, "pairs.tsv", ('"x', "y's", "z"), values)
    check(STRAY.replace("\t", ","), "pairs.csv", ('"x', "y's", "z"), values)
    check(STRAY.replace("\t", " "), "pairs.txt", ('"x', "y's", "z"), values)


@given(
    st.lists(
        st.text('ab",;\t x', min_size=1, max_size=6).map(str.strip).filter(bool),
        min_size=3,
        max_size=5,
        unique=True,
    )
)
def test_fields_in_quotation_marks_hold_anything(ids):
    quoted = ['"' + name.replace('"', '""') + '"' for name in ids]
    lines = [",".join(['""', *quoted])] + [
        ",".join([name, *(str(2 + (i == j)) for j in range(len(ids)))]) for i, name in enumerate(quoted)
    ]
    found = read_samples("\n".join(lines).encode(), "k.csv", "similarity", format="matrix", ids="both")
    assert found.ids == tuple(ids)


def test_the_label_column_is_found_by_its_name_in_any_order():
    for header in ("label,name", "class,id", "superfamily,domain", "class_name,protein_id", "y,sample"):
        found = read_labels(f"{header}\nEI,x1\nIE,x2\nEI,x3\nN,x4\n".encode(), "l.csv")
        assert (found.ids, found.y.tolist()) == (("x1", "x2", "x3", "x4"), ["EI", "IE", "EI", "N"])


@given(
    st.permutations(["id", "class", "size", "group"]),
    st.sampled_from(",;\t"),
)
def test_columns_of_labels_in_any_order(order, separator):
    columns = {"id": "abcd", "class": "xyxy", "size": ["1.5", "2", "3", "4"], "group": "ggh "}
    rows = [order, *([columns[name][k] for name in order] for k in range(4))]
    found = read_labels("\n".join(separator.join(row) for row in rows).encode(), "l.csv")
    assert (found.ids, "".join(found.y)) == (tuple("abcd"), "xyxy")
    assert found.groups.tolist() == ["g", "g", "h", ""]


SEVERAL = b"id,kinase,membrane,size\na,1,0,2.5\nb,1,1,3.5\nc,0,1,1.5\nd,0,0,2.5\n"


def test_several_columns_that_may_be_labels_are_named():
    found = read_labels(SEVERAL, "l.csv")
    assert found.y.tolist() == ["1", "1", "0", "0"]
    assert "may be the labels: kinase, membrane. kinase is taken" in said(found)
    other = read_labels(SEVERAL, "l.csv", label_column="membrane")
    assert other.y.tolist() == ["0", "1", "1", "0"]
    assert "membrane is taken" in said(other)
    without = b"\n".join(line.rsplit(b",", 1)[0] for line in SEVERAL.split(b"\n"))
    assert "few whole numbers: kinase, membrane" in said(read_samples(without, "x.csv"))
    assert rank_formats(Upload("my_labels.csv", without))[0].format.name == "labels"


REPEATED = b">g1\nACGTACGT\n>g1\nACGTTTTT\n>g2\nGGGGCCCC\n>g2\nGGGGCCCA\n"


def test_a_repeated_item_takes_the_label_that_its_lines_agree_on():
    samples = read_samples(REPEATED, "s.fa")
    assert samples.ids == ("g1", "g1_2", "g2", "g2_2")
    for lines in (b"id,class\ng1,A\ng1,A\ng2,B\ng2,C\n", b"g1,A\ng2,\n"):
        joined = join_labels(samples, read_labels(lines, "l.csv"))
        assert joined.labels.y.tolist() == ["A", "A", "", ""]
        assert "g1_2" in said(joined)
    selected = samples.take([1, 2])
    assert join_labels(selected, read_labels(b"g1,A\ng2,B\n", "l.csv")).labels.y.tolist() == ["A", "B"]


def test_an_item_that_only_looks_numbered_takes_no_label_of_another():
    labels = read_labels(b"g1,A\ng2,B\n", "l.csv")
    assert join_labels(("g1", "g1_2", "g2"), labels).labels.y.tolist() == ["A", "", "B"]


LOOSE = b"id,label\n1abc,x\nsp|P12345|CATA_HUMAN,y\nq.2,x\nr,y\n"


def test_ids_that_differ_by_their_surroundings_match_when_asked():
    labels = read_labels(LOOSE, "l.csv")
    items = ("1abc.pdb", "P12345", "q", "r")
    plain = join_labels(items, labels)
    assert plain.labels.y.tolist() == ["", "", "", "y"]
    assert (
        "Ids that differ by the ending of a file (.pdb), the name of a data base (sp|…|), a version (.2)"
        in said(plain)
    )
    asked = join_labels(items, labels, loosely=True)
    assert asked.labels.y.tolist() == ["x", "y", "x", "y"]
    assert not asked.without_label
    assert not asked.without_item
    with pytest.raises(Exception, match=r"differ by the ending of a file \(.pdb\)"):
        join_labels(("1abc.pdb", "2abc.pdb"), labels)


def test_what_matches_two_lines_matches_none():
    labels = read_labels(b"a.1,x\na.2,y\nb,x\n", "l.csv")
    assert join_labels(("a", "b"), labels, loosely=True).labels.y.tolist() == ["", "x"]


def test_what_r_writes():
    check('"","V1","V2","V3"\n"1",9,2,3\n"2",2,8,4\n"3",3,4,7\n', "k.csv", "123", SYMMETRIC, "V1")
    check('"V1" "V2" "V3"\n"1" 9 2 3\n"2" 2 8 4\n"3" 3 4 7\n', "k.txt", "123", SYMMETRIC, "V1")
    names = ("1abc-A", "HLA-DRA", "g 3")
    check(
        ',"X1abc.A","HLA.DRA","g.3"\n"1abc-A",9,2,3\n"HLA-DRA",2,8,4\n"g 3",3,4,7\n',
        "k.csv",
        names,
        SYMMETRIC,
    )
    shuffled = ',"g.3","X1abc.A","HLA.DRA"\n"1abc-A",3,9,2\n"HLA-DRA",4,2,8\n"g 3",7,3,4\n'
    check(shuffled, "k.csv", names, SYMMETRIC, "R changed ids on top")
    check(",a,b,c\n1,9,2,3\n2,2,8,4\n3,3,4,7\n", "k.csv", "abc", SYMMETRIC, "called as on top")


def test_measurements_of_two_items_that_are_alike_by_chance_stay_measurements():
    assert read_samples(b"id,x1,x2\na,1,2\nb,2,5\n", "x.csv").kind == "vectors"
    assert read_samples(b",V1,V2,V3\n1,9,2,3\n2,1,8,4\n3,3,4,7\n", "x.csv").kind == "vectors"


@pytest.mark.parametrize(
    "sentinel",
    [
        "-2147483648",
        "2147483647",
        "4294967295",
        "1e308",
        "-1.797693e+308",
        "3.40282e+38",
        "-9223372036854775808",
        "-999",
    ],
)
def test_sentinels_are_unknown_and_named(sentinel):
    values = [[9, nan, 3], [nan, 8, 4], [3, 4, 7]]
    found = check(
        f"a,b,c\n9,{sentinel},3\n{sentinel},8,4\n3,4,7\n", "k.csv", "abc", values, "They are unknown"
    )
    assert "Entries that are" in said(found)
    pairs = f"a a 9\na b {sentinel}\nb a 2\nb b 8\n"
    check(pairs, "p.txt", "ab", [[9, 2], [2, 8]], "They are unknown")
    X = read_samples(f"id,u,v\na,1,{sentinel}\nb,2,3\nc,2,2\n".encode(), "x.csv").X
    np.testing.assert_array_equal(X, [[1, nan], [2, 3], [2, 2]])


def test_numbers_of_that_size_among_others_are_no_sentinels():
    values = [[9, -999, 3], [-999, 8, -400], [3, -400, 7]]
    check("\n".join(",".join(map(str, row)) for row in values), "k.csv", "123", values)


TM = "query\ttarget\talntmscore\tqtmscore\nx\tx\t1.0\t1\nx\ty\t1.25\t.0625\ny\ty\t1\t1\ny\tx\t1.5\t.125\n"


def test_a_score_that_passes_what_an_item_has_with_itself_is_taken_last_and_named():
    check(TM, "t.tsv", "xy", [[1, 0.09375], [0.09375, 1]], "qtmscore is taken")
    other = read_samples(TM.encode(), "t.tsv", score_column="alntmscore")
    assert "Pairs more similar than either item is to itself: 1 (x and y: 1.375 against 1 and 1)" in said(
        health(other)
    )
    assert "than either item" not in said(health(read_samples(TM.encode(), "t.tsv")))


TABLE = "id,sequence,class\na,MKVLAAGG,x\nb,MKVLAAG,y\nc,,x\na,MRRLL,x\n"


def test_sequences_in_a_column_of_a_table():
    found = read_samples(TABLE.encode(), "s.csv")
    assert found.kind == "sequences"
    assert (found.ids, found.strings) == (("a", "b", "a_2"), ("MKVLAAGG", "MKVLAAG", "MRRLL"))
    assert found.labels.y.tolist() == ["x", "y", "x"]
    assert "without a sequence: 1" in said(found)
    assert found.repeated == (("a_2", "a"),)


@given(st.permutations(["id", "seq", "label", "length"]), st.sampled_from(",;\t"), st.booleans())
def test_columns_of_sequences_in_any_order(order, separator, titled):
    columns = {
        "id": ["p1", "p2", "p3"],
        "seq": ["MKVLAAGGMKVLAAGGMKVLAAGG", "MKVLAAGGMKVLAAGGMKVLA", "MRRLLMKVLAAGGMKVLAAGG"],
        "label": ["u", "v", "u"],
        "length": ["24", "21", "21"],
    }
    rows = [*([order] if titled else []), *([columns[name][k] for name in order] for k in range(3))]
    found = read_samples("\n".join(separator.join(row) for row in rows).encode(), "s.txt")
    assert found.strings == tuple(columns["seq"])
    if titled:
        assert found.ids == ("p1", "p2", "p3")
        assert found.labels.y.tolist() == ["u", "v", "u"]


def test_two_columns_of_ids_are_a_list_of_edges():
    for text in ("a\tb\na\tc\nb\tc\n", "a b\nb c\nc d\nd a\nb d\n"):
        assert read_samples(text.encode(), "e.tsv").kind == "network"
        with pytest.raises(Exception, match=r"list of edges"):
            read_samples(text.encode(), "e.tsv", "sequences")
    assert rank_formats(Upload("l.tsv", b"a\tx\nb\tx\nc\ty\n"))[0].format.name == "labels"


def test_of_several_arrays_and_sheets_one_is_named():
    out = io.BytesIO()
    np.savez(out, train=np.eye(2), test=np.ones((2, 2)), ids=np.array(["a", "b"]))
    found = read_samples(out.getvalue(), "k.npz")
    assert "train (2 × 2), test (2 × 2). train is taken" in said(found)
    assert read_samples(out.getvalue(), "k.npz", key="test").gram.values.sum() == 4
    assert FORMATS[[f.name for f in FORMATS].index("numpy")].suggest(
        Upload("k.npz", out.getvalue())
    ).choices == {"key": ("", "train", "test")}
    book = workbook_bytes(
        [["", "a", "b"], ["a", 2, 1], ["b", 1, 2]], [["", "a", "b"], ["a", 3, 1], ["b", 1, 3]]
    )
    found = read_samples(book, "k.xlsx")
    assert "sheets sheet 1, sheet 2. sheet 1 is taken" in said(found)
    assert read_samples(book, "k.xlsx", sheet="sheet 2").gram.values[0, 0] == 3


@pytest.mark.parametrize("code", [0xD800, 0xDFFF, 0x110000, 0x7FFFFFFF, 0xFFFFFFFF])
@pytest.mark.parametrize("order", "<>")
def test_ids_of_a_numpy_file_that_are_no_text_are_refused(code, order):
    ids = np.array(["a", "b", "c"], f"{order}U1")
    stream, packed = io.BytesIO(), io.BytesIO()
    np.lib.format.write_array(stream, ids)
    written = stream.getvalue()[:-4] + code.to_bytes(4, "little" if order == "<" else "big")
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("ids.npy", written)
        with file.open("K.npy", "w") as member:
            np.lib.format.write_array(member, np.eye(3))
    with pytest.raises(InvalidInputError, match="Ids have to be text"):
        read_samples(packed.getvalue(), "K.npz")
