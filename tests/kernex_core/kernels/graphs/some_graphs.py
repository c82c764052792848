"""Graphs that tests draw, and those of vectors."""

import json

from hypothesis import strategies as st

from kernex_core.gram.graph import Graph


@st.composite
def graphs(draw, most=6):
    """A graph of up to six vertices, with or without labels."""
    n = draw(st.integers(0, most))
    pairs = [(i, j) for i in range(n) for j in range(i)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    labels = st.lists(st.sampled_from("ab"), min_size=n, max_size=n)
    kinds = st.lists(st.sampled_from("-="), min_size=len(edges), max_size=len(edges))
    return Graph(n, edges, draw(st.none() | labels), draw(st.none() | kinds))


def vectors(shared, start):
    """(case, graphs) of the vectors whose name begins so."""
    for case in json.loads((shared / "vectors/more.json").read_text()):
        if case["name"].startswith(start):
            parts = [case["inputs"]["graphs"][name] for name in case["inputs"]["order"]]
            yield (
                case,
                [Graph(each["n"], each["edges"], each["node_labels"], each["edge_labels"]) for each in parts],
            )
