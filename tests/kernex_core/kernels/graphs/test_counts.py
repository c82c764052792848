"""Kernels that count parts of graphs: by enumeration, by vectors, and by what they are blind to."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernex_core.gram.graph import Graph
from kernex_core.kernels.graphs.weisfeiler_lehman import WeisfeilerLehman
from tests.oracles import graph_features as oracle

KERNELS = [
    (WeisfeilerLehman, {"iterations": 0}),
    (WeisfeilerLehman, {"iterations": 3}),
    (WeisfeilerLehman, {"iterations": 2, "edge_labels": True}),
    (WeisfeilerLehman, {"iterations": 3, "vertex_labels": False}),
]
ORACLES = {WeisfeilerLehman: oracle.weisfeiler_lehman}
every_kernel = pytest.mark.parametrize(
    ("kind", "set_to"), KERNELS, ids=[repr(kind(**set_to)) for kind, set_to in KERNELS]
)
NAMED = {"Weisfeiler-Lehman": WeisfeilerLehman}
"""Beginnings of the names of vectors."""


@st.composite
def graphs(draw, most=6):
    """A graph of up to six vertices, with or without labels."""
    n = draw(st.integers(0, most))
    pairs = [(i, j) for i in range(n) for j in range(i)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    labels = st.lists(st.sampled_from("ab"), min_size=n, max_size=n)
    kinds = st.lists(st.sampled_from("-="), min_size=len(edges), max_size=len(edges))
    return Graph(n, edges, draw(st.none() | labels), draw(st.none() | kinds))


@every_kernel
@given(some=st.lists(graphs(), min_size=1, max_size=5))
@settings(max_examples=40)
def test_as_enumerated(kind, set_to, some):
    counts = [ORACLES[kind](graph, **set_to) for graph in some]
    wanted = [[oracle.product(a, b) for b in counts] for a in counts]
    assert kind(**set_to).gram(some).tolist() == wanted


@every_kernel
def test_numbers_of_vertices_do_not_matter(kind, set_to, rng):
    for _ in range(10):
        n = int(rng.integers(2, 12))
        edges = np.argwhere(np.triu(rng.random((n, n)) < 0.4, 1))
        one = Graph(n, edges, rng.choice(["a", "b"], n), rng.choice(["-", "="], len(edges)))
        order = rng.permutation(n)
        other = Graph(n, order[one.edges], one.node_labels[np.argsort(order)], one.edge_labels)
        K = kind(**set_to).gram([one, other])
        assert np.unique(K).size == 1


def test_vectors(shared):
    found = json.loads((shared / "vectors/more.json").read_text())
    seen = set()
    for case in found:
        for start, kind in NAMED.items():
            if case["name"].startswith(start):
                kernel = kind(**{k: v for k, v in case["inputs"].items() if k in kind.__dataclass_fields__})
                K = kernel.gram(of_vector(case["inputs"]))
                assert pytest.approx(np.array(case["expected"]), rel=1e-12) == K, case["name"]
                seen.add(start)
    assert seen == set(NAMED)


def of_vector(inputs):
    parts = [inputs["graphs"][name] for name in inputs["order"]]
    return [Graph(each["n"], each["edges"], each["node_labels"], each["edge_labels"]) for each in parts]


def test_labels_that_hashes_of_other_codes_confuse_are_told_apart():
    """Two graphs that only the multiset (not the set) of neighbours tells apart, and a pair that nothing tells apart."""
    star = [Graph(n, [(0, j) for j in range(1, n)]) for n in (3, 4)]
    K = WeisfeilerLehman(1, vertex_labels=False).gram(star)
    assert K.tolist() == [[9 + 5, 12 + 6], [12 + 6, 16 + 10]]
    six, two_threes = [(i, (i + 1) % 6) for i in range(6)], [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)]
    K = WeisfeilerLehman(20).gram([Graph(6, six), Graph(6, two_threes)])
    assert (K == 21 * 36).all()
