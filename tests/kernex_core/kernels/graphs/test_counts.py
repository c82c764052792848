"""Kernels that count parts of graphs: by enumeration, by vectors, and by what they are blind to."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.gram.graph import Graph
from kernex_core.kernels.counts import renumbered
from kernex_core.kernels.graphs import subgraphs as shapes
from kernex_core.kernels.graphs import subgraphs as visited
from kernex_core.kernels.graphs import weisfeiler_lehman
from kernex_core.kernels.graphs.graphlet import Graphlet
from kernex_core.kernels.graphs.shortest_path import ShortestPath
from kernex_core.kernels.graphs.weisfeiler_lehman import LONGEST, WeisfeilerLehman
from kernex_core.runtime.progress import finished
from tests.kernex_core.kernels.graphs.some_graphs import graphs, vectors
from tests.oracles import graph_features as oracle

KERNELS = [
    (WeisfeilerLehman, {"iterations": 0}),
    (WeisfeilerLehman, {"iterations": 3}),
    (WeisfeilerLehman, {"iterations": 2, "edge_labels": True}),
    (WeisfeilerLehman, {"iterations": 3, "vertex_labels": False}),
    (ShortestPath, {}),
    (ShortestPath, {"width": 3}),
    (ShortestPath, {"width": 2, "vertex_labels": False}),
    (Graphlet, {"k": 3}),
    (Graphlet, {"k": 4}),
    (Graphlet, {"k": 5}),
    (Graphlet, {"k": 3, "vertex_labels": True}),
    (Graphlet, {"k": 4, "vertex_labels": True}),
]
ORACLES = {
    WeisfeilerLehman: oracle.by_counts(oracle.weisfeiler_lehman),
    ShortestPath: oracle.shortest_path,
    Graphlet: oracle.by_counts(oracle.graphlet),
}
every_kernel = pytest.mark.parametrize(
    ("kind", "set_to"), KERNELS, ids=[repr(kind(**set_to)) for kind, set_to in KERNELS]
)
NAMED = {"Weisfeiler-Lehman": WeisfeilerLehman, "shortest path": ShortestPath, "graphlet k": Graphlet}
"""Beginnings of the names of vectors."""


@every_kernel
@given(some=st.lists(graphs(), min_size=1, max_size=5))
def test_as_enumerated(kind, set_to, some):
    wanted = [[ORACLES[kind](a, b, **set_to) for b in some] for a in some]
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


@pytest.mark.parametrize(("start", "kind"), NAMED.items(), ids=list(NAMED))
def test_vectors(shared, start, kind):
    cases = list(vectors(shared, start))
    assert cases
    for case, parts in cases:
        given_ = case["inputs"] | {"vertex_labels": case["inputs"].get("labelled", kind is not Graphlet)}
        kernel = kind(**{k: v for k, v in given_.items() if k in kind.__dataclass_fields__})
        assert kernel.gram(parts).tolist() == case["expected"], case["name"]


def test_labels_that_hashes_of_other_codes_confuse_are_told_apart():
    """Two graphs that only the multiset (not the set) of neighbours tells apart, and a pair that nothing tells apart."""
    star = [Graph(n, [(0, j) for j in range(1, n)]) for n in (3, 4)]
    K = WeisfeilerLehman(1, vertex_labels=False).gram(star)
    assert K.tolist() == [[9 + 5, 12 + 6], [12 + 6, 16 + 10]]
    six, two_threes = [(i, (i + 1) % 6) for i in range(6)], [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)]
    K = WeisfeilerLehman(20).gram([Graph(6, six), Graph(6, two_threes)])
    assert (K == 21 * 36).all()


@given(some=st.lists(graphs(), min_size=2, max_size=5))
def test_subtrees_of_hubs_are_told_apart_as_those_of_other_vertices(some):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            weisfeiler_lehman, "JOINED", 1
        )  # of every vertex the second neighbour on is joined as of a hub
        found = WeisfeilerLehman(iterations=3, edge_labels=True).gram(some).tolist()
    assert found == WeisfeilerLehman(iterations=3, edge_labels=True).gram(some).tolist()


def test_a_star_is_explained_in_few_steps(monkeypatch):
    """Steps do not grow with the neighbours of one vertex, nor does what is written out."""
    steps = []
    monkeypatch.setattr(
        weisfeiler_lehman, "renumbered", lambda *given: steps.append(given) or renumbered(*given)
    )
    n = 3_000
    star = Graph(n, [(0, k) for k in range(1, n)], [f"{k % 5}" for k in range(n)])
    found = WeisfeilerLehman(iterations=3).explain(star, star)
    assert len(steps) < 1_000
    assert max(len(part.tree) for part in found.parts) <= LONGEST
    assert any(part.tree.endswith("…") for part in found.parts)


def test_shapes_of_a_vector(shared):
    case = next(
        c for c in json.loads((shared / "vectors/more.json").read_text()) if "counts of one" in c["name"]
    )
    graph = Graph(6, np.argwhere(np.triu(case["inputs"]["adjacency"])))
    of_3, of_4 = (finished(Graphlet(k).counting([graph])).toarray()[0].tolist() for k in (3, 4))
    assert of_3 == [case["expected"]["k3"][name] for name in ("path", "triangle")]
    assert of_4 == [
        case["expected"]["k4"][name] for name in ("star", "path", "paw", "cycle", "diamond", "K4")
    ]


def test_every_connected_graph_has_one_number():
    """There are 2, 6 and 21 connected graphs of 3, 4 and 5 vertices."""
    for k, many in ((3, 2), (4, 6), (5, 21)):
        kinds = np.unique(shapes.canonical(np.arange(2 ** shapes.bits(k)), k)).tolist()
        pairs = [frozenset((i, j)) for j in range(k) for i in range(j)]
        edges = [{pair for pair in pairs if c >> shapes.place(min(pair), max(pair)) & 1} for c in kinds]
        assert sum(oracle.connected(each, k) for each in edges) == many


def test_numbers_of_kinds_beyond_a_table():
    """Hundreds of labels: pairs of them, lengths and graphs still fit one number each."""
    n = 500
    path = Graph(n, [(i, i + 1) for i in range(n - 1)], [str(i) for i in range(n)])
    parts = [path, Graph(3, [(0, 1), (1, 2)], ["0", "1", "2"]), Graph(2, [(0, 1)], ["7", "8"])]
    assert ShortestPath().gram(parts).tolist() == [[n * (n - 1), 6, 2], [6, 6, 0], [2, 0, 2]]
    assert Graphlet(k=4, vertex_labels=True).gram(parts)[0, 0] == n - 3
    assert WeisfeilerLehman(1).gram(parts)[:2, 1].tolist() == [3 + 2, 6]


@pytest.fixture
def few_are_visited(monkeypatch):
    monkeypatch.setattr(visited, "MOST_SUBGRAPHS", 1_000)


@pytest.mark.parametrize(("k", "labels"), [(5, False), (4, True)])
def test_drawn_counts_are_right_on_average_and_as_far_off_as_is_said(
    few_are_visited, monkeypatch, rng, k, labels
):
    edges = np.argwhere(np.triu(rng.random((40, 40)) < 0.2, 1))
    graph = Graph(40, edges, rng.choice(["a", "b"], 40))
    made = Graphlet(k, labels)._coded([graph])
    drawn = [finished(visited.visiting([graph], made, k, seed)) for seed in range(12)]
    monkeypatch.undo()
    exact = finished(visited.visiting([graph], made, k, 0)).entries
    kinds = np.unique(exact.kind)
    table = np.array([[d.entries.count[d.entries.kind == c].sum() for c in kinds] for d in drawn])
    wanted = np.array([exact.count[exact.kind == c].sum() for c in kinds])
    off = np.linalg.norm(table - wanted, axis=1) / np.linalg.norm(wanted)
    said = np.concatenate([d.errors for d in drawn])
    assert np.sqrt((off**2).mean()) == pytest.approx(said.mean(), rel=0.5)
    assert np.linalg.norm(table.mean(axis=0) - wanted) / np.linalg.norm(wanted) < 2 * said.mean() / 12**0.5


def test_what_is_drawn_is_said_and_does_not_depend_on_the_company(few_are_visited, rng):
    large = [Graph(60, np.argwhere(np.triu(rng.random((60, 60)) < 0.2, 1))) for _ in range(2)]
    small = Graph(5, [(0, 1), (1, 2), (2, 3), (3, 4)])
    kernel = Graphlet(5)
    (said,) = kernel.remarks([Graph(5, (), list("abcde")), *large])[1:]
    assert said.startswith("Graphs with more than 1,000,000 connected subgraphs of 5 vertices: 2.")
    K = kernel.gram([small, *large])
    assert np.array_equal(K, K.T)
    assert kernel.cross(large, [small, *large]) == pytest.approx(K[1:], rel=1e-12)
    assert not np.allclose(Graphlet(5, seed=1).gram(large), K[1:, 1:], rtol=1e-12)


def test_what_is_refused():
    with pytest.raises(InvalidInputError, match="up to 4 vertices"):
        Graphlet(5, vertex_labels=True)
    many = Graph(20_000, (), [str(i) for i in range(20_000)])
    with pytest.raises(TooLargeError, match=r"16,384.*20,000"):
        Graphlet(4, vertex_labels=True).gram([many])


def test_peer(shared):
    """GraKeL, where it is installed, defines these two alike."""
    peer = pytest.importorskip("grakel.kernels")
    graphs = [Graph(n, np.argwhere(np.triu(A, 1)), labels) for n, A, labels in drawn_for_the_peer()]
    theirs = [
        [
            {(int(i), int(j)) for e in (g.edges, g.edges[:, ::-1]) for i, j in e},
            dict(enumerate(g.node_labels)),
            {},
        ]
        for g in graphs
    ]
    histogram = peer.WeisfeilerLehman(n_iter=4, base_graph_kernel=peer.VertexHistogram)
    assert np.array_equal(WeisfeilerLehman(4).gram(graphs), histogram.fit_transform(theirs))
    assert np.array_equal(ShortestPath().gram(graphs), peer.ShortestPath().fit_transform(theirs))


def drawn_for_the_peer():
    rng = np.random.default_rng(3)
    for _ in range(20):
        n = int(rng.integers(3, 15))
        yield n, rng.random((n, n)) < 0.4, rng.choice(["a", "b", "c"], n)
