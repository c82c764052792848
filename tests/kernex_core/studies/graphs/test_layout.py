import networkx as nx
import numpy as np
import pytest

from kernex_core.gram.graph import Graph
from kernex_core.gram.matrix import GramMatrix
from kernex_core.studies.graphs.pictures import LARGEST, graph_layout, nearest_graphs


def graph_of(found):
    return Graph(found.number_of_nodes(), list(nx.convert_node_labels_to_integers(found).edges))


def lengths(graph, at):
    return np.hypot(*(at[graph.edges[:, 0]] - at[graph.edges[:, 1]]).T)


def between(at):
    return np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1))


@pytest.mark.parametrize("n", [0, 1, 2, LARGEST + 1])
def test_vertices_without_edges_have_places_of_their_own(n):
    at = graph_layout(Graph(n))
    assert at.shape == (n, 2)
    assert np.isfinite(at).all()
    assert n < 2 or between(at)[~np.eye(n, dtype=bool)].min() > 0.0


def test_a_path_is_straight_and_a_ring_is_round():
    at = graph_layout(graph_of(nx.path_graph(6)))
    np.testing.assert_allclose(between(at), np.abs(np.subtract.outer(np.arange(6), np.arange(6))), atol=0.1)
    assert np.ptp(at[:, 0]) > 4.8
    assert np.ptp(at[:, 1]) < 0.2
    ring = graph_of(nx.cycle_graph(8))
    at = graph_layout(ring)
    np.testing.assert_allclose(np.hypot(*at.T), np.hypot(*at.T).mean(), rtol=0.05)
    np.testing.assert_allclose(lengths(ring, at), lengths(ring, at).mean(), rtol=0.05)


def test_no_more_stress_than_networkx_reaches():
    found = nx.convert_node_labels_to_integers(nx.random_labeled_tree(25, seed=3))
    found.add_edges_from([(0, 20), (5, 17)])
    d = np.asarray(nx.floyd_warshall_numpy(found))

    def stress(at):
        off = ~np.eye(len(d), dtype=bool)
        x = between(at)
        best = (x[off] / d[off]).sum() / (x[off] ** 2 / d[off] ** 2).sum()  # its unit is not that of an edge
        return ((best * x[off] - d[off]) ** 2 / d[off] ** 2).sum()

    theirs = np.array(list(nx.kamada_kawai_layout(found).values()))
    assert stress(graph_layout(graph_of(found))) <= 1.1 * stress(theirs)


@pytest.mark.parametrize("n", [30, LARGEST + 50])
def test_the_same_graph_has_the_same_places_and_edges_are_short(n):
    graph = graph_of(nx.random_labeled_tree(n, seed=1))
    at = graph_layout(graph)
    np.testing.assert_array_equal(at, graph_layout(graph))
    off = ~np.eye(n, dtype=bool)
    assert lengths(graph, at).mean() < 0.5 * between(at)[off].mean()


def test_parts_that_are_not_joined_keep_a_distance():
    graph = graph_of(nx.disjoint_union(nx.cycle_graph(6), nx.path_graph(4)))
    apart = between(graph_layout(graph))[:6, 6:]
    assert apart.min() > 1.0


def test_neighbours_are_ranked_by_the_cosine_and_a_graph_without_anything_is_last():
    K = GramMatrix(
        np.array([[4.0, 6.0, 4.0, 0.0], [6.0, 100.0, 1.0, 0.0], [4.0, 1.0, 4.0, 0.0], [0.0] * 4]),
        tuple("abcd"),
        "K",
    )
    found = nearest_graphs(K, 0)
    assert found.ids == ("c", "b", "d")
    np.testing.assert_allclose(found.cosines, [1.0, 0.3, 0.0])
    np.testing.assert_array_equal(found.values, [4.0, 6.0, 0.0])
