"""Graphs one by one and as a data set."""

import pickle

import numpy as np
import pytest

from kernex_core import InvalidInputError, KernexError, Labels
from kernex_core.gram.graph import Graph
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.kernels.graphs.graph_kernel import coded


def test_edges_are_kept_once_sorted_with_their_labels():
    graph = Graph(4, [(3, 1), (1, 0), (1, 3)], edge_labels=["=", "-", "="])
    assert graph.edges.tolist() == [[0, 1], [1, 3]]
    assert graph.edge_labels.tolist() == ["-", "="]
    assert graph.degrees.tolist() == [1, 2, 0, 1]
    assert graph.adjacency.toarray().sum(axis=0).tolist() == [1, 2, 0, 1]
    again = pickle.loads(pickle.dumps(graph))  # our own, written a line ago
    assert again == graph
    assert again.digest == graph.digest
    assert not again.edges.flags.writeable


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"n_nodes": 2, "edges": [(0, 2)]}, r"vertices 0 to 1.*\(0, 2\) \(edge 1\)"),
        ({"n_nodes": 0, "edges": [(0, 0)]}, "without vertices has no edges"),
        ({"n_nodes": 2, "edges": [(0, 1), (1, 1)]}, r"vertex 1 with itself \(edge 2\)"),
        ({"n_nodes": 2, "edges": [(0, 1), (1, 0)], "edge_labels": "ab"}, r"'a' and 'b' for \(0, 1\)"),
        ({"n_nodes": 2, "node_labels": ["a"]}, "one label a vertex"),
        ({"n_nodes": 2, "edges": [(0, 1)], "edge_labels": []}, "one label an edge"),
        ({"n_nodes": 2, "node_attributes": [[1.0]]}, "one row of attributes a vertex"),
        ({"n_nodes": 1, "node_attributes": [[np.nan]]}, "finite"),
        ({"n_nodes": 2, "edges": [(0, 1.5)]}, "whole numbers"),
        ({"n_nodes": -1}, "whole number from 0"),
    ],
)
def test_what_no_graph_is_says_where(given, said):
    with pytest.raises(InvalidInputError, match=f"(?s){said}"):
        Graph(**given)


def test_a_set_gives_back_its_graphs_and_its_parts():
    graphs = [
        Graph(2, [(0, 1)], ["a", "b"], ["="]),
        Graph(0, (), (), ()),
        Graph(3, [(0, 2)], ["a"] * 3, ["-"]),
    ]
    whole = GraphSet.of(graphs, ["x", "y", "z"], labels=Labels(("x", "y", "z"), ["1", "2", "1"]))
    assert list(whole.graphs) == graphs
    part = whole.take([2, 0])
    assert list(part.graphs) == [graphs[2], graphs[0]]
    assert part.labels.y.tolist() == ["1", "1"]
    assert part.digest == GraphSet.of(graphs[::-2], ["z", "x"]).digest != whole.digest
    with pytest.raises(InvalidInputError, match="none in graph 2"):
        GraphSet.of([graphs[0], Graph(1, (), None, ())])
    with pytest.raises(InvalidInputError, match="3 edges"):
        GraphSet(("x",), [4], [3], [[0, 1]])


def test_codes_hold_every_edge_twice_and_equal_labels_equal_numbers(rng):
    graphs = []
    for size in (0, 1, 4, 6):
        edges = np.argwhere(np.triu(rng.random((size, size)) < 0.5, 1))
        graphs.append(Graph(size, edges, rng.choice(list("abc"), size), rng.choice(list("12"), len(edges))))
    found = coded(graphs)
    assert found.starts.tolist() == [0, 0, 1, 5, 11]
    for k, graph in enumerate(graphs):
        start = found.starts[k]
        names = [found.label_names[code] for code in found.labels[start : found.starts[k + 1]]]
        assert names == graph.node_labels.tolist()
        met = {}
        for i in range(graph.n_nodes):
            for at in range(found.rows[start + i], found.rows[start + i + 1]):
                met[i, found.neighbours[at] - start] = found.edge_label_names[found.edge_labels[at]]
        of = dict(zip(map(tuple, graph.edges.tolist()), graph.edge_labels.tolist(), strict=True))
        assert met == of | {(j, i): kind for (i, j), kind in of.items()}
    bare = coded(graphs, node_labels=False, edge_labels=False)
    assert not bare.labels.any()
    assert (bare.n_labels, bare.n_edge_labels) == (1, 1)


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        (([10**12], [0], []), "2,000,000 vertices"),
        (([2], [10**12], [(0, 1)]), "5,000,000 edges"),
        (([2**62, 2**62], [0, 0], []), "2,000,000 vertices"),
        (([2], [2], [(0, 1), (0, 1)]), "each once"),
        (([3], [2], [(1, 2), (0, 1)]), "another order"),
        (([2], [1], [(1, 0)]), "another order"),
        (([2.5], [0], []), "whole numbers"),
        (([-1], [0], []), "at least 0"),
    ],
)  # fmt: skip
def test_arrays_that_no_graphs_have_are_refused(parts, sentence):
    with pytest.raises(KernexError, match=sentence):
        GraphSet(tuple(map(str, range(len(parts[0])))), *parts)
