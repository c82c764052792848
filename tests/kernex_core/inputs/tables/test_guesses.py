"""What a table is guessed to be: separators, quotation marks, lines that begin with #, headers and columns of labels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernex_core import read_labels, read_samples
from kernex_core.inputs.reading import rank_formats
from kernex_core.inputs.similarities.pairs import PairOptions
from kernex_core.inputs.tables.dialect import find_dialect
from kernex_core.inputs.upload import Upload
from kernex_core.studies.data import read_as

NUMBERS = "\t100\t50\t0\t0\t1\t50\t1\t50\t1e-9\t"


@pytest.mark.parametrize(
    ("lines", "separator"),
    [
        (["a;b;2,5", "b;c;1,5", "a;c;0,5"], ";"),
        (["a b 2,5", "b c 1,5"], " "),
        (["id;x", "a;2,5", "b;1"], ";"),
        (["a,b;c,2", "d,e;f,3"], ","),
        (["1,2,3", "4,5,6"], ","),
    ],
)
def test_commas_inside_numbers_divide_nothing(lines, separator):
    found = find_dialect(lines)
    assert found.separator == separator
    assert (found.comma == "decimal") == (separator != ",")


def hits(pairs):
    return "".join(f"{a}\t{b}{NUMBERS}{score}\n" for a, b, score in pairs)


@given(
    st.lists(st.sampled_from(['"', "'", ""]), min_size=4, max_size=4),
    st.lists(st.sampled_from(['"', "'", ""]), min_size=4, max_size=4),
    st.randoms(use_true_random=False),
)
def test_quotation_marks_are_letters_in_the_tables_of_search_tools(before, after, random):
    ids = [f"{b}{name}{a}" for b, name, a in zip(before, "abcd", after, strict=True)]
    if all(b != '"' or a == '"' for b, a in zip(before, after, strict=True)):
        return  # whole quotation marks may enclose
    lines = [(a, b, 300 if a == b else 80) for a in ids for b in ids]
    random.shuffle(lines)
    found = read_samples(hits(lines).encode(), "h.m8")
    assert set(found.ids) == set(ids)
    assert found.gram.unknown.complete


@pytest.mark.parametrize(
    "text",
    [
        hits([('"a', '"a', 300), ('"a', 'b"', 80), ('b"', 'b"', 200)]),
        hits([("a", "a", 300), ('"b', 'c"', 80), ('"b', '"b', 200), ('c"', 'c"', 100)]),
    ],
)
def test_two_marks_on_a_line_enclose_no_tab(text):
    found = read_samples(text.encode(), "h.m8")
    assert set(found.ids) == {field for line in text.split("\n") if line for field in line.split("\t")[:2]}


MARKED = {
    "hits": (hits([("#a", "#a", 300), ("#a", "b", 80), ("b", "b", 200), ("b", "c", 20), ("c", "c", 220)]), ("#a", "b", "c")),
    "pairs": ("#1 #1 1\n#1 a .5\na a 1\na b .3\nb b 1\n", ("#1", "a", "b")),
    "pairs, named again below": ("#1 a .5\na #1 .5\na a 1\na b .3\nb b 1\n", ("#1", "a", "b")),
    "behind a comment": ("# made by hand\n#1 #1 1\n#1 a .5\na a 1\n", ("#1", "a")),
    "ids on top": ("#a,#b,c\n1,.5,.1\n.5,1,.2\n.1,.2,1\n", ("#a", "#b", "c")),
}  # fmt: skip


@pytest.mark.parametrize("name", MARKED)
def test_ids_that_begin_with_a_mark_stay_when_sorted(name):
    text, ids = MARKED[name]
    found = read_samples(text.encode(), "p.txt")
    assert found.kind == "similarity"
    assert found.ids == ids


def test_rows_commented_out_stay_out_and_are_told():
    found = read_samples(b"#x y .5\na a 1\na b .3\nb b 1\n", "p.txt")
    assert found.ids == ("a", "b")
    assert any("begin with #" in note.text and note.severity == "warning" for note in found.notes)
    data = b"#x y .5\na a 1\na b .3\nb b 1\n"
    on_page = read_as(Upload("p.txt", data), "pairs", PairOptions())
    assert on_page.notes[0] == found.notes[0]
    silent = read_samples(b"# three pairs of items\n# q t s\na a 1\na b .3\nb b 1\n", "p.txt")
    assert not any("begin with #" in note.text for note in silent.notes)


HEADED = {
    "family,protein": ("f1,p1", "f2,p2", "f1,p3"),
    "species,gene,chrom": ("f1,p1,1", "f2,p2,2", "f1,p3,1"),
    "diagnosis,patient,age": ("f1,p1,3", "f2,p2,4", "f1,p3,5"),
    "foo,bar": ("f1,p1", "f2,p2", "f1,p3"),
    "phenotype,accession": ("f1,p1", "f2,p2", "f1,p3"),
    "sequence,superfamily": ("p1,f1", "p2,f2", "p3,f1"),
    "baz,qux,size": ("p1,f1,3.5", "p2,f2,2", "p3,f1,1.25"),
    "type;sample": ("f1;p1", "f2;p2", "f1;p3"),
    "fold,class,domain": ("1,f1,p1", "1,f2,p2", "2,f1,p3"),
}


@pytest.mark.parametrize("header", HEADED)
def test_labels_and_ids_are_found_under_any_header(header):
    text = "\n".join([header, *HEADED[header]]) + "\n"
    found = read_labels(text.encode(), "l.csv")
    assert dict(zip(found.ids, found.y.tolist(), strict=True)) == {"p1": "f1", "p2": "f2", "p3": "f1"}
    if header.split(",")[0] in ("foo", "baz"):
        assert any("It is taken for the names of the columns" in note.action for note in found.notes)
    if header == "foo,bar":
        assert any("bar is taken for the ids" in note.action and "foo" in note.choice for note in found.notes)
        other = read_labels(text.encode(), "l.csv", id_column="2", label_column="1", header="no")
        assert other.ids == ("bar", "p1", "p2", "p3")
    assert rank_formats(Upload("l.csv", text.encode()))[0].format.kind not in ("sequences", "network")


@given(
    st.integers(4, 30),
    st.permutations(["item", "class", "size"]),
    st.sampled_from([",", ";", "\t"]),
    st.booleans(),
    st.data(),
)
def test_any_order_of_columns_with_a_header_of_unknown_names(n, order, separator, known, data):
    classes = data.draw(st.lists(st.sampled_from(["kinase", "protease"]), min_size=n - 2, max_size=n - 2))
    values = {
        "item": [f"p{k}" for k in range(n)],
        "class": ["kinase", "kinase", *classes],
        "size": [f"{k + 0.5}" for k in range(n)],
    }
    if len(set(values["class"])) < 2:
        values["class"][-1] = "protease"
    names = (
        {"item": "protein", "class": "family", "size": "kDa"}
        if known
        else {"item": "wer", "class": "was", "size": "kDa"}
    )
    rows = [[names[k] for k in order], *([values[k][i] for k in order] for i in range(n))]
    found = read_labels("\n".join(separator.join(row) for row in rows).encode(), "l.csv")
    assert found.ids == tuple(values["item"])
    assert found.y.tolist() == values["class"]


def test_labels_without_a_header_have_no_header_guessed():
    for text in (
        "A\tp1\nB\tp2\nA\tp3\nB\tp4\n",
        "x,a\ny,b\nx,c\nz,d\n",
        "protein,p1\ndna,p2\nprotein,p3\ndna,p4\n",
    ):
        assert len(read_labels(text.encode(), "l.csv").ids) == 4


@pytest.mark.parametrize(
    "word", ["-2147483648", "-9223372036854775808", "NA", "<NA>", "-999", "1.7976931348623157e308", ""]
)
def test_labels_that_stand_for_none(word):
    found = read_labels(f"id,class\na,1\nb,{word}\nc,2\nd,1\n".encode(), "l.csv")
    assert found.y.tolist() == ["1", "", "2", "1"]
    assert any("without a label: 1" in note.text for note in found.notes)
    if word.lstrip("-")[:1].isdigit():
        assert any(word in note.text and note.severity == "warning" for note in found.notes)


def test_plus_and_minus_are_two_classes_and_a_dash_among_numbers_is_unknown():
    assert read_labels(b"id,class\na,+\nb,-\nc,-\nd,+\n", "l.csv").y.tolist() == ["+", "-", "-", "+"]
    found = read_samples(b",a,b,c\na,1,-,.2\nb,-,1,.5\nc,.2,.5,1\n", "m.csv")
    np.testing.assert_array_equal(found.gram.values, [[1, np.nan, 0.2], [np.nan, 1, 0.5], [0.2, 0.5, 1]])
    vectors = read_samples(b"id,f,g\na,1,-\nb,-,2.5\nc,3,4\n", "v.csv", kind="vectors")
    np.testing.assert_array_equal(vectors.X, [[1, np.nan], [np.nan, 2.5], [3, 4]])


@pytest.mark.parametrize("text", ["a b\nb c\nc d\nd e\n", "a,b\nb,c\nc,d\nd,a\n"])
def test_a_path_and_a_cycle_are_networks(text):
    found = read_samples(text.encode(), "e.txt")
    assert found.kind == "network"
    assert len(found.ids) == len(set(text.replace(",", " ").split()))


def test_names_that_are_also_measurements_or_values_take_nothing_from_vectors():
    food = read_samples(b"protein,fat,sugar\n12,3.5,1\n7,2.5,4\n3,1,9\n", "v.csv", kind="vectors")
    assert food.columns == ("protein", "fat", "sugar")
    assert food.labels is None
    plain = read_samples(b"1,2.5,protein\n3,4,dna\n5,6,dna\n7,1,rna\n", "v.csv", kind="vectors")
    assert plain.X.shape == (4, 2)
    assert plain.labels.y.tolist() == ["protein", "dna", "dna", "rna"]


@pytest.mark.parametrize("mark", [",", ";"])
def test_blanks_in_every_class_below_a_heading_without_one_divide_nothing(mark):
    lines = [mark.join(("id", "label")), *(mark.join((f"item{i}", f"community {i % 3}")) for i in range(9))]
    assert find_dialect(lines).separator == mark


def test_a_heading_of_one_word_over_two_columns_is_read_as_r_writes_it():
    assert find_dialect(["x", "a 1", "b 2", "c 3"]).separator == " "
