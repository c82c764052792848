"""Walks in step, compared vertex by vertex, against their enumeration."""

from itertools import pairwise

import numpy as np
import pytest

from kernex_core import InvalidInputError, TooLargeError
from kernex_core.gram.graph import Graph
from kernex_core.kernels.graphs import walks as walks_over_nodes
from kernex_core.kernels.graphs.walks import walk_sums_in_steps
from kernex_core.runtime.progress import finished


def random_graphs(rng, sizes=(1, 4, 0, 5, 6, 3), kinds="ab"):
    made = []
    for size in sizes:
        edges = np.argwhere(np.triu(rng.random((size, size)) < 0.6, 1))
        made.append(Graph(size, edges, edge_labels=rng.choice(list(kinds), len(edges))))
    return [*made, Graph(2, (), edge_labels=())]  # single vertices


def node_kernel(rng, graphs):
    F = rng.random((sum(graph.n_nodes for graph in graphs), 3))
    return F @ F.T


def walks(graph, length):
    """All walks of `length` edges: vertices, and labels of the edges."""
    labels = {}
    for (i, j), name in zip(graph.edges.tolist(), graph.edge_labels.tolist(), strict=True):
        labels[i, j] = labels[j, i] = name
    found = [(v,) for v in range(graph.n_nodes)]
    for _ in range(length):
        found = [(*walk, w) for walk in found for w in range(graph.n_nodes) if (walk[-1], w) in labels]
    return [(walk, [labels[edge] for edge in pairwise(walk)]) for walk in found]


def summed(K, graphs, length):
    starts = np.concatenate([[0], np.cumsum([graph.n_nodes for graph in graphs])])
    out = np.zeros((len(graphs), len(graphs)))
    for a, first in enumerate(graphs):
        for b, second in enumerate(graphs):
            for one, labels in walks(first, length):
                for other, others in walks(second, length):
                    if labels == others:
                        pairs = zip(one, other, strict=True)
                        out[a, b] += np.prod([K[starts[a] + i, starts[b] + j] for i, j in pairs])
    return out


def strip_of(K):
    return lambda first, end: K[first:end, first:]


def test_sums_are_those_of_all_pairs_of_walks_with_equal_labels(rng):
    graphs = random_graphs(rng)
    K = node_kernel(rng, graphs)
    found = finished(walk_sums_in_steps(graphs, strip_of(K), 3))
    for length in range(4):
        np.testing.assert_allclose(found.by_length[length], summed(K, graphs, length), rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(found.up_to(2), sum(summed(K, graphs, k) for k in range(3)), rtol=1e-12)
    assert not found.by_length[:, 2].any()  # a graph without vertices
    assert not found.by_length[1:, -1].any()  # one without edges counts at length 0 alone
    whole = found.up_to(3)
    assert np.array_equal(whole, whole.T)
    assert np.linalg.eigvalsh(whole)[0] > -1e-12 * np.trace(whole)
    with pytest.raises(InvalidInputError, match="length of walks"):
        found.up_to(4)


def test_vertices_may_be_numbered_in_any_order_and_labels_left_out(rng):
    graphs = random_graphs(rng, kinds="a")
    K = node_kernel(rng, graphs)
    before = finished(walk_sums_in_steps(graphs, strip_of(K))).by_length
    starts = np.concatenate([[0], np.cumsum([graph.n_nodes for graph in graphs])])
    shuffled, orders = [], []
    for graph, start in zip(graphs, starts[:-1], strict=True):
        new = rng.permutation(graph.n_nodes)  # of an old vertex
        shuffled.append(Graph(graph.n_nodes, new[graph.edges]))
        orders.append(start + np.argsort(new))
    order = np.concatenate(orders)
    after = finished(walk_sums_in_steps(shuffled, strip_of(K[np.ix_(order, order)]))).by_length
    np.testing.assert_allclose(after, before, rtol=1e-12)


def test_progress_never_falls_and_too_many_vertices_are_refused(rng, monkeypatch):
    graphs = random_graphs(rng)
    K = node_kernel(rng, graphs)
    shares = list(walk_sums_in_steps(graphs, strip_of(K)))
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    for refused in (-1, 11):
        with pytest.raises(InvalidInputError, match="length of walks"):
            finished(walk_sums_in_steps(graphs, strip_of(K), refused))
    monkeypatch.setattr(walks_over_nodes, "NODE_LIMIT", 10)
    with pytest.raises(TooLargeError, match="at most 10 vertices"):
        finished(walk_sums_in_steps(graphs, strip_of(K)))
