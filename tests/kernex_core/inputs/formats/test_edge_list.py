"""Lists of edges: every rule has its note, and every refusal its sentence."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernex_core import (
    Diffusion,
    InvalidInputError,
    Network,
    TooLargeError,
    Vectors,
    load_dataset,
    read_samples,
)
from kernex_core.gram.provenance import write_script
from kernex_core.inputs.formats.edge_list import read, suggest
from kernex_core.inputs.networks import edges as finish
from kernex_core.inputs.networks.edges import EdgeOptions, edge_columns
from kernex_core.inputs.reading import rank_formats
from kernex_core.inputs.upload import Upload, open_upload


def said(network):
    return " ".join(f"{note.text} {note.action}" for note in network.notes)


def edges_of(network):
    entries = network.adjacency.tocoo()
    rows, columns = entries.coords
    return {
        (network.ids[i], network.ids[j]): w
        for i, j, w in zip(rows, columns, entries.data, strict=True)
        if i < j
    }


@pytest.mark.parametrize(
    "text",
    [
        "a\tb\na\tc\nb\tc\n",
        "source,target\na,b\na,c\nb,c\n",
        "# a comment\na b\na c\nb c\n",
        "from;to;year\na;b;1999\na;c;2001\nb;c;2002\n",
        "x,source,target\n1,a,b\n2,a,c\n3,b,c\n",
    ],
)
def test_two_columns_are_enough(text):
    network = read_samples(text.encode(), "e.txt")
    assert network.kind == "network"
    assert network.ids == ("a", "b", "c")
    assert edges_of(network) == {("a", "b"): 1.0, ("a", "c"): 1.0, ("b", "c"): 1.0}
    assert network.n_edges == 3
    assert network.neighbours.tolist() == [2, 2, 2]


def test_weights_stand_in_a_third_column_or_in_one_that_is_called_so():
    plain = read_samples(b"a\tb\t2\nb\tc\t0.5\n", "e.tsv", kind="network")
    assert edges_of(plain) == {("a", "b"): 2.0, ("b", "c"): 0.5}
    named = read_samples(b"source,target,year,weight\na,b,1999,2\nb,c,2000,.5\n", "e.csv")
    assert edges_of(named) == edges_of(plain)
    alike = read_samples(b"a\tb\t2\nb\tc\t0.5\n", "e.tsv", kind="network", weights="ignore")
    assert edges_of(alike) == {("a", "b"): 1.0, ("b", "c"): 1.0}
    chosen = read_samples(
        b"a,x,b,3\nb,y,c,4\n", "e.csv", kind="network", format="edges", target_column="3", weight_column="4"
    )
    assert edges_of(chosen) == {("a", "b"): 3.0, ("b", "c"): 4.0}
    comma = read_samples(b"source\ttarget\tweight\na\tb\t2,5\nb\tc\t0,5\n", "e.tsv")
    assert edges_of(comma) == {("a", "b"): 2.5, ("b", "c"): 0.5}


def test_pairs_with_a_score_or_a_network_both_are_offered_and_the_guess_is_explained():
    upload = Upload("k.tsv", b"a\tb\t2\nb\tc\t3\na\tc\t1.5\nc\td\t1\n")
    offered = [guess.format.name for guess in rank_formats(upload) if guess.confidence > 0.1]
    assert offered[0] == "pairs"
    assert "edges" in offered
    assert "pairs with a score: what is not listed is unknown" in said(read_samples(upload, "k.tsv"))
    assert "a network: what is not listed is no edge" in said(read_samples(upload, "k.tsv", kind="network"))
    assert rank_formats(Upload("k.tsv", b"a\tb\t1\nb\tc\t1\nc\td\t1\na\td\t1\n"))[0].format.name == "edges"
    assert rank_formats(Upload("k.tsv", b"source\ttarget\tscore\na\tb\t2\n"))[0].format.name == "edges"


def test_numbers_are_vectors_unless_the_header_or_the_visitor_says_edges():
    data = b"1,2\n2,3\n3,1\n2,4\n"
    assert read_samples(data, "x.csv").kind == "vectors"
    assert read_samples(data, "x.csv", kind="network").ids == ("1", "2", "3", "4")
    assert read_samples(b"source,target\n" + data, "x.csv").kind == "network"


@pytest.mark.parametrize("separator", [",", " ", "\t"])
def test_two_columns_of_whole_numbers_are_edges_where_points_would_be_there_twice_or_on_the_diagonal(
    rng, separator
):
    karate = load_dataset("karate_club").samples["network"].adjacency.tocoo()
    pairs = [(i + 1, j + 1) for i, j in zip(*karate.coords, strict=True) if i < j]
    text = "".join(f"{i}{separator}{j}\n" for i, j in pairs)
    network = read_samples(text.encode(), "karate.txt")
    assert isinstance(network, Network)
    assert (network.n, network.n_edges) == (34, 78)
    for more in (pairs[0], (5, 5)):
        assert read_samples(f"{text}{more[0]}{separator}{more[1]}\n".encode(), "x.csv").kind == "vectors"


@pytest.mark.parametrize("columns", [4, 260])
def test_measurements_of_genes_that_are_called_like_ends_are_vectors(rng, columns):
    head = ",".join(["sample", *(f"GENE{k}" for k in range(columns))])
    rows = [f"s{k}," + ",".join(f"{v:.3f}" for v in rng.normal(size=columns)) for k in range(12)]
    made = read_samples("\n".join([head, *rows]).encode(), "expression.csv")
    assert isinstance(made, Vectors)
    assert made.X.shape == (12, columns)
    by_number = read_samples(b"gene1,gene2,weight\n1,2,0.5\n2,3,0.7\n", "edges.csv")
    assert isinstance(by_number, Network)


def test_self_loops_repetitions_zeros_and_lone_nodes_have_rules_and_notes():
    network = read_samples(
        b"a b 1\nb a 3\na b 2\nc c 1\na d 0\ne\nb f 1\n", "e.txt", kind="network", format="edges"
    )
    assert network.ids == ("a", "b", "c", "d", "e", "f")
    assert edges_of(network) == {("a", "b"): 3.0, ("b", "f"): 1.0}
    for sentence in (
        "Edges from a node to itself: 1 (c). They are dropped.",
        "Edges of weight 0: 1. They are no edges.",
        "in either direction: 2. They are one edge; the largest weight counts.",
        "Lines with one id: 1 (e). They are nodes.",
        "Nodes without an edge: 3 (c, d, e).",
    ):
        assert sentence in said(network)
    for how, weight in (("sum", 6.0), ("mean", 2.0)):
        again = read_samples(b"a b 1\nb a 3\na b 2\n", "e.txt", kind="network", format="edges", repeated=how)
        assert edges_of(again) == {("a", "b"): weight}


def test_components_are_told():
    network = read_samples(b"a\tb\nb\tc\nc\ta\nd\te\nd\tf\n", "e.tsv")
    assert "2 components with edges; the largest has 3 of 6 nodes" in said(network)


def test_negative_weights_stay_become_their_size_or_go():
    data = b"source,target,weight\na,b,-2\nb,c,1\n"
    kept = read_samples(data, "e.csv")
    assert "Edges with a negative weight: 1; the lowest is -2" in said(kept)
    with pytest.raises(InvalidInputError, match=r"-2 between 'a' and 'b'.*negative='absolute'"):
        Diffusion().similarities(kept)
    assert edges_of(read_samples(data, "e.csv", negative="absolute"))["a", "b"] == 2.0
    assert edges_of(read_samples(data, "e.csv", negative="drop")) == {("b", "c"): 1.0}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("source,target,weight\na,b,heavy\n", "'heavy' between 'a' and 'b', column 'weight'"),
        ("source,target,weight\na,b,NA\nb,c,1\n", "'NA' between 'a' and 'b'"),
        ("source,target,weight\na,b,inf\nb,c,1\n", "known and finite"),
        ("source,target\na,b\n,c\n", "none in data line 2"),
        ("source,target\na,a\nb,b\n", "at least one edge"),
        ("source,target\na,b\nb,c,d,e\n", "no more fields than the others"),
    ],
)
def test_what_is_wrong_is_named(text, message):
    with pytest.raises(InvalidInputError, match=message):
        read_samples(text.encode(), "e.csv", format="edges")


def test_more_than_the_limits_is_refused(monkeypatch):
    data = b"source,target\na,b\nb,c\nc,d\n"
    with pytest.raises(TooLargeError, match="At most 3 nodes"):
        read_samples(data, "e.csv", limit=3)
    monkeypatch.setattr(finish, "EDGE_LIMIT", 2)
    with pytest.raises(TooLargeError, match="2 edges"):
        read_samples(data, "e.csv")


def test_the_script_reads_the_same(tmp_path, monkeypatch):
    data = b"source,target,weight\na,b,-2\nb,c,1\n"
    (tmp_path / "e.csv").write_bytes(data)
    monkeypatch.chdir(tmp_path)
    network = read_samples(data, "e.csv", negative="absolute", repeated="sum").take([2, 1])
    names = {}
    exec(write_script([network.recipe], heading="Made by a test"), names)
    again = names["network"]
    assert again == network
    assert again.digest == network.digest
    assert again.ids == ("c", "b")
    assert edges_of(again) == {("c", "b"): 1.0}


NAMES = st.sampled_from(["a", "b", "c", "dd", "e1", "f"])


@given(st.lists(st.tuples(NAMES, NAMES, st.integers(-3, 3)), min_size=1, max_size=25))
def test_any_list_is_what_a_dictionary_says(lines):
    text = "source,target,weight\n" + "".join(f"{a},{b},{w}\n" for a, b, w in lines)
    wanted = {}
    for a, b, w in lines:
        if a != b and w:
            key = frozenset((a, b))
            wanted[key] = max(wanted.get(key, -9), w)
    if not wanted:
        with pytest.raises(InvalidInputError, match="at least"):
            read_samples(text.encode(), "e.csv")
        return
    network = read_samples(text.encode(), "e.csv")
    assert {frozenset(pair): w for pair, w in edges_of(network).items()} == wanted
    assert list(network.ids) == list(dict.fromkeys(name for a, b, _ in lines for name in (a, b)))
    B = network.adjacency
    assert not B.data.flags.writeable
    assert (B != B.T).nnz == 0
    assert np.all(B.diagonal() == 0.0)


@pytest.mark.parametrize("header", ["auto", "yes", "no"])
@pytest.mark.parametrize("text", ["weight,to,from\n2,a,b\n3,b,c\n", "a b\nb c\n", "a\tb\t0.5\nb\tc\t0.25\n"])
def test_the_columns_that_were_found_are_offered_and_stay_theirs_whatever_the_first_line_is(text, header):
    upload = open_upload(text.encode(), "edges.txt")
    made = suggest(upload)
    found = edge_columns(upload, EdgeOptions())
    assert (
        read(upload, made.options).adjacency.toarray().tolist()
        == read(upload, EdgeOptions()).adjacency.toarray().tolist()
    )
    again = edge_columns(upload, replace(made.options, header=header))
    assert (again.source, again.target, again.weight) == (found.source, found.target, found.weight)


ODD = (
    "1", " 2", "2 ", "+4", ".5", "5.", "True", "FALSE", "inf", "nan", "NA", "", "?", "1_000", "0x10", "1d3", "1e", "\uff11",
    "1,5", "1%", "1e400", "1.000000000000000055511151231257827", "\u00a01", '"3"', '"3', "1L", "e5", "-", "1 2", "2\t3",
)  # fmt: skip


@pytest.mark.parametrize("header", ["", "source\ttarget\tweight\n"])
@pytest.mark.parametrize("word", ODD)
def test_what_stands_for_a_weight_is_the_same_number_or_none_however_the_file_is_read(word, header):
    """A line with one id has every line looked at by itself, else all of them are read at once."""
    lines = header + "\n".join(["a\tb\t1", "b\tc\t0.25", f"c\td\t{word}", "d\ta\t3"])
    made = []
    for text in (lines, f"{lines}\na"):
        try:
            made.append(read_samples(text.encode(), "e.tsv", format="edges").adjacency.toarray().tolist())
        except InvalidInputError as error:
            made.append(error.found)
    assert made[0] == made[1]
