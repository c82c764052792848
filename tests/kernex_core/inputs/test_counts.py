"""What is refused for a count is refused before anybody splits it into fields: by a bound on work, not on time."""

import csv
import gzip
import io
import zipfile
from contextlib import suppress

import pytest

from kernex_core import KernexError, TooLargeError, read_labels, read_samples
from kernex_core.inputs.networks import markup
from kernex_core.inputs.tables import lines as counts
from kernex_core.inputs.upload import Upload
from kernex_core.studies.data import readings
from tests.operations import calls

FEW = 4_000
"""Calls of functions: no loop over the lines, fields or records of these files takes so few."""


def npz(n):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for k in range(n):
            file.writestr(f"{k}.npy", b"")
    return out.getvalue()


REFUSED = {
    "commas": ("k.csv", b"1," * 3_000_000),
    "packed commas": ("k.csv.gz", gzip.compress(b"0," * 3_000_000)),
    "blanks": ("k.txt", b"1 " * 3_000_000),
    "many columns far below": ("k.csv", b"a,b\n1,2\n" * 1_000 + b"x," * 600_000 + b"\n"),
    "commas below a header of a record": ("k.fasta", b">a\n" + b"x," * 3_000_000 + b"\n"),
    "two lines of many columns": ("k.csv", (b"1," * 600_000 + b"1\n") * 2),
    "empty records": ("k.fasta", b">a\nA\n" * 200_000),
    "records with line ends of Windows": ("k.fasta", b">a\r\nA\r\n" * 200_000),
    "records below comments": ("k.fasta", b"; a comment\n\n" + b">a\nA\n" * 200_000),
    "one number a line": ("k.csv", b"17\n" * 200_000),
    "one word a line": ("k.txt", b"word\r\n" * 200_000),
    "marks of quotation": ("k.csv", b'"' * 3_000_000),
    "a field far below": ("k.csv", b"a,b\n1,2\n" * 1_000 + b"x," + b"1" * 3_000_000 + b"\n"),
    "lines": ("k.csv", b"a,b,c\n" * 5_100_000),
    "arrays": ("k.npz", npz(3_000)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_count_refuses_before_the_work_begins(name):
    filename, data = REFUSED[name]
    read_samples(
        b"id,a,b\nx,1,2\ny,2,1\nz,2,2\n", "small.csv"
    )  # what is imported once is no work of this file
    refusals = []

    def work():
        with pytest.raises(TooLargeError) as caught:
            read_samples(data, filename)
        refusals.append(caught.value)

    made = calls(work)
    assert refusals[0].found
    # the headings of an archive are listed by zipfile, a few calls each
    assert made < (FEW if name != "arrays" else 600_000)
    if name != "arrays":  # these are counted by who reads them
        with pytest.raises(TooLargeError):
            readings(Upload(filename, data))


def test_long_sequences_in_lines_are_no_long_fields():
    letters = b"ACGT" * 200_000
    lines = b"\n".join(letters[at : at + 80] for at in range(0, len(letters), 80))
    found = read_samples(b">x\n" + lines + b"\n>y\n" + lines, "s.fasta")
    assert [len(each) for each in found.strings] == [len(letters)] * 2


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("filename", ["s.fasta", "s.txt"])
@pytest.mark.parametrize("before", [b"", b"; a comment"])
def test_a_sequence_on_one_line_is_no_field_of_a_table(end, filename, before):
    lengths = [csv.field_size_limit() + 1, counts.MOST_OF_A_FIELD + 1]
    records = [b">%d" % n + end + (b"ACGT" * (n // 4 + 1))[:n] + end for n in lengths]
    found = read_samples((before + end if before else b"") + b"".join(records), filename)
    assert [len(each) for each in found.strings] == lengths


LONG = b"a" * (csv.field_size_limit() + 1)


@pytest.mark.parametrize("data", [
    b'#"' + LONG + b'"\n' + b"a,b\n" * 40,
    b"a,b\n" * 40 + b'#"' + LONG + b'"\n',
    b'a,"' + LONG + b"\n" * 40,
    b'>a,"' + LONG + b"\nACGT\n>b\nACG",
], ids=["above", "below", "open", "header"])  # fmt: skip
@pytest.mark.parametrize("filename", ["s.csv", "s.fasta", "s.txt"])
def test_a_field_without_end_is_refused_in_words_or_no_field(data, filename):
    with suppress(KernexError):  # and no error of anybody else's
        assert read_samples(data, filename).kind == "sequences"


def test_labels_are_counted_too():
    with pytest.raises(TooLargeError, match="columns"):
        read_labels(b"1," * 600_000, "l.csv")


def test_a_limit_that_a_script_raises_holds():
    data = b">a\nACGT\n" * 100_001
    with pytest.raises(TooLargeError, match="100,000 items"):
        read_samples(data, "s.fasta", "sequences")
    assert read_samples(data, "s.fasta", "sequences", limit=200_000).n == 100_001


def test_pairs_may_have_more_lines_than_there_are_items(monkeypatch):
    monkeypatch.setattr(counts, "SAMPLE_LIMIT", 100)
    pairs = b"".join(b"n%d\tn%d\t%d\n" % (i, j, i * j) for i in range(1, 30) for j in range(1, 30))
    assert read_samples(pairs, "pairs.tsv").n == 29
    monkeypatch.setattr(counts, "MOST_LINES", 800)
    with pytest.raises(TooLargeError, match="800 lines"):
        counts.check_counts(Upload("pairs.tsv", pairs), 100)


@pytest.mark.parametrize("end", ["\n", " "])
def test_markup_on_one_line_is_no_table_of_many_columns(monkeypatch, end):
    monkeypatch.setattr(counts, "MOST_COLUMNS", 20)
    nodes = end.join(f'<node id="n{k}"/>' for k in range(30))
    graph = (
        f'<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">{end}{nodes}'
    )
    text = f'{graph}<edge source="n0" target="n1"/></graph></graphml>'
    assert read_samples(text.encode(), "g.graphml").n == 30
    nodes = end.join(f"node [ id {k} ]" for k in range(30))
    assert read_samples(f"graph [ {nodes} edge [ source 0 target 1 ] ]".encode(), "g.gml").n == 30


def test_gml_is_counted_in_words(monkeypatch):
    nodes = " ".join(f"node [ id {k} ]" for k in range(90_000))
    monkeypatch.setattr("networkx.parse_gml", lambda *a, **k: pytest.fail("read"))
    with pytest.raises(TooLargeError, match="words"):
        read_samples(f"graph [\n{nodes}\n]".encode(), "g.gml")
    assert markup.MOST_WORDS < 5 * 90_000


def test_nodes_that_edges_alone_name_are_counted_before_the_graph_is_made(monkeypatch):
    edges = "".join(f'<edge source="a{k}" target="b{k}"/>' for k in range(60_000))
    monkeypatch.setattr("networkx.parse_graphml", lambda *a, **k: pytest.fail("read"))
    with pytest.raises(TooLargeError, match="100,000 nodes"):
        read_samples(
            f'<graphml><graph edgedefault="undirected">{edges}</graph></graphml>'.encode(), "g.graphml"
        )


@pytest.mark.parametrize("element", ['<data key="k"/>', '<key id="k" for="node"/>', "<hyperedge/>"])
@pytest.mark.parametrize(("name", "reader"), [("graphml", "parse_graphml"), ("gexf", "read_gexf")])
def test_elements_of_every_kind_are_counted_before_the_graph_is_made(monkeypatch, element, name, reader):
    monkeypatch.setattr(markup, "MOST_ELEMENTS", 1_000)
    monkeypatch.setattr(f"networkx.{reader}", lambda *a, **k: pytest.fail("read"))
    with pytest.raises(TooLargeError, match="elements in all"):
        read_samples(f'<{name}><graph>{element * 1_000}<node id="a"/></graph></{name}>'.encode(), f"g.{name}")
