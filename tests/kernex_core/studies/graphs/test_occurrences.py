"""Where walks lie, against every walk that there is."""

from itertools import pairwise

import numpy as np
import pytest

from kernex_core import GeometricWalk, WalkOfOrder
from kernex_core.gram.graph import Graph
from kernex_core.studies.graphs.pictures import along, among, around, on_paths, on_walks


def random_graph(rng, n):
    pairs = [(i, j) for i in range(n) for j in range(i) if rng.random() < 0.45]
    return Graph(n, pairs, rng.choice(["a", "b"], n), rng.choice(["x", "y"], len(pairs)))


def walks(graph, length):
    """All walks of so many edges, as lists of vertices."""
    found = [[v] for v in range(graph.n_nodes)]
    joined = {frozenset(pair) for pair in graph.edges.tolist()}
    for _ in range(length):
        found = [
            [*walk, v] for walk in found for v in range(graph.n_nodes) if frozenset((walk[-1], v)) in joined
        ]
    return found


@pytest.mark.parametrize("labels", [(True, True), (True, False), (False, True), (False, False)])
@pytest.mark.parametrize("length", [0, 1, 3])
def test_everything_on_a_walk_that_reads_so_is_found_and_nothing_else(labels, length):
    rng = np.random.default_rng(length)
    by_vertex, by_edge = labels
    for _ in range(12):
        graph = random_graph(rng, 6)
        place = {frozenset(pair): k for k, pair in enumerate(graph.edges.tolist())}
        words = rng.choice(["a", "b"], length + 1).tolist()
        kinds = rng.choice(["x", "y"], length).tolist()
        vertices, edges = np.zeros(6, dtype=bool), np.zeros(graph.n_edges, dtype=bool)
        for walk in walks(graph, length):
            steps = [place[frozenset(pair)] for pair in pairwise(walk)]
            if by_vertex and graph.node_labels[walk].tolist() != words:
                continue
            if by_edge and graph.edge_labels[steps].tolist() != kinds:
                continue
            vertices[walk], edges[steps] = True, True
        found = on_walks(graph, words if by_vertex else length + 1, kinds if by_edge else None)
        np.testing.assert_array_equal(found.vertices, vertices)
        np.testing.assert_array_equal(found.edges, edges)


@pytest.mark.parametrize("kernel", [WalkOfOrder(n=2), GeometricWalk(beta=0.05)])
def test_the_walk_that_a_part_shows_is_among_what_is_found(kernel):
    rng = np.random.default_rng(5)
    s, t = random_graph(rng, 6), random_graph(rng, 6)
    made = kernel.explain(s, t)
    assert made.parts
    for part in made.parts:
        for graph, walk in ((s, part.walk_s), (t, part.walk_t)):
            assert on_walks(graph, part.vertices, part.edges).vertices[list(walk)].all()


def paths_between(graph, u, v, hops):
    """All shortest paths of so many edges, as lists of vertices."""
    return [walk for walk in walks(graph, hops) if (walk[0], walk[-1]) == (u, v)]


@pytest.mark.parametrize("ends", [("a", "b"), ("a", "a"), None])
@pytest.mark.parametrize("hops", [1, 2, 3])
def test_ends_of_paths_and_the_edges_of_all_shortest_ones_are_found(ends, hops):
    rng = np.random.default_rng(hops)
    for _ in range(12):
        graph = random_graph(rng, 6)
        place = {frozenset(pair): k for k, pair in enumerate(graph.edges.tolist())}
        vertices, edges = np.zeros(6, dtype=bool), np.zeros(graph.n_edges, dtype=bool)
        for u in range(6):
            for v in range(6):
                shorter = any(paths_between(graph, u, v, length) for length in range(hops))
                fits = ends is None or (graph.node_labels[u], graph.node_labels[v]) == ends
                for walk in [] if shorter or not fits else paths_between(graph, u, v, hops):
                    vertices[[u, v]] = True
                    edges[[place[frozenset(pair)] for pair in pairwise(walk)]] = True
        found = on_paths(graph, ends, hops)
        np.testing.assert_array_equal(found.vertices, vertices)
        np.testing.assert_array_equal(found.edges, edges)


@pytest.mark.parametrize("height", [0, 1, 2])
def test_what_walks_from_roots_can_take_is_around_them(height):
    graph = random_graph(np.random.default_rng(3), 6)
    taken = {frozenset(pair) for walk in walks(graph, height) if walk[0] in (0, 2) for pair in pairwise(walk)}
    for shorter in range(height):  # a walk that ends at a vertex without edges
        taken |= {
            frozenset(pair) for walk in walks(graph, shorter) if walk[0] in (0, 2) for pair in pairwise(walk)
        }
    found = around(graph, [0, 2], height)
    assert np.flatnonzero(found.vertices).tolist() == [0, 2]
    assert {frozenset(pair) for pair in graph.edges[found.edges].tolist()} == taken


def test_one_path_has_two_ends_and_its_edges():
    found = along(Graph(4, [(0, 1), (1, 2), (2, 3), (0, 3)]), [3, 2, 1])
    assert np.flatnonzero(found.vertices).tolist() == [1, 3]
    assert found.edges.tolist() == [False, False, True, True]


def test_edges_among_vertices_are_those_with_both_ends_there():
    graph = Graph(4, [(0, 1), (1, 2), (2, 3)])
    assert among(graph, [0, 1, 3]).edges.tolist() == [True, False, False]
