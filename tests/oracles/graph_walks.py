"""Naive kernels on walks: every walk of every graph listed, every product graph a dense matrix."""

import itertools

import numpy as np


def arcs(graph):
    """{(u, v): label} of every edge in both directions; "" without labels."""
    kinds = [""] * graph.n_edges if graph.edge_labels is None else graph.edge_labels.tolist()
    found = dict(zip(map(tuple, graph.edges.tolist()), kinds, strict=True))
    return found | {(v, u): kind for (u, v), kind in found.items()}


def labels(graph):
    return [""] * graph.n_nodes if graph.node_labels is None else graph.node_labels.tolist()


def walks(graph, length):
    """Every walk with that many edges, as a tuple of vertices."""
    if length == 0:
        return [(u,) for u in range(graph.n_nodes)]
    joined = arcs(graph)
    return [
        (*walk, v)
        for walk in walks(graph, length - 1)
        for v in range(graph.n_nodes)
        if (walk[-1], v) in joined
    ]


def word(graph, walk, vertex_labels=True, edge_labels=True):
    """What one reads along a walk."""
    joined, names = arcs(graph), labels(graph)
    vertices = tuple(names[u] if vertex_labels else "" for u in walk)
    edges = tuple(joined[step] if edge_labels else "" for step in itertools.pairwise(walk))
    return vertices, edges


def common_walks(g, h, length, **read):
    """Pairs of walks, one in each graph, that read the same."""
    words = [word(h, walk, **read) for walk in walks(h, length)]
    return sum(words.count(word(g, walk, **read)) for walk in walks(g, length))


def chance_of(graph, walk, stop):
    """That a random walk is this one."""
    degree = [sum(u == of for u, _ in arcs(graph)) for of in range(graph.n_nodes)]
    chance = 1.0 / graph.n_nodes
    for u in walk[:-1]:
        chance *= (1.0 - stop) / degree[u]
    return chance * (stop if degree[walk[-1]] else 1.0)


def common_chance(g, h, length, stop, **read):
    """That two random walks have this length and read the same."""
    return sum(
        chance_of(g, a, stop) * chance_of(h, b, stop)
        for a in walks(g, length)
        for b in walks(h, length)
        if word(g, a, **read) == word(h, b, **read)
    )


def product(g, h, vertex_labels=True, edge_labels=True):
    """Pairs of vertices with equal labels, and the dense adjacency (V, V) of their graph."""
    of_g, of_h, names_g, names_h = arcs(g), arcs(h), labels(g), labels(h)
    pairs = [
        (u, v)
        for u in range(g.n_nodes)
        for v in range(h.n_nodes)
        if not vertex_labels or names_g[u] == names_h[v]
    ]
    A = np.zeros((len(pairs), len(pairs)))
    for p, (u, v) in enumerate(pairs):
        for q, (w, x) in enumerate(pairs):
            both = (u, w) in of_g and (v, x) in of_h
            A[p, q] = both and (not edge_labels or of_g[u, w] == of_h[v, x])
    return pairs, A


def geometric(g, h, beta, **read):
    """1' (I − β A)^(−1) 1 by a dense solve."""
    pairs, A = product(g, h, **read)
    return float(np.linalg.solve(np.eye(len(pairs)) - beta * A, np.ones(len(pairs))).sum()) if pairs else 0.0


def random(g, h, stop, **read):
    """s' (I − T)^(−1) q by a dense solve."""
    pairs, A = product(g, h, **read)
    if not pairs:
        return 0.0
    degrees = [[sum(u == of for u, _ in arcs(x)) for of in range(x.n_nodes)] for x in (g, h)]
    d = np.array([max(degrees[0][u], 1) * max(degrees[1][v], 1) for u, v in pairs])
    q = [np.where(np.array(degree) > 0, stop, 1.0) for degree in degrees]
    T = (1.0 - stop) ** 2 * A / d[:, None]
    ends = np.array([q[0][u] * q[1][v] for u, v in pairs])
    return float(np.linalg.solve(np.eye(len(pairs)) - T, ends).sum()) / (g.n_nodes * h.n_nodes)


def radius(g, **read):
    """Largest eigenvalue of the product of a graph with itself."""
    return float(np.linalg.eigvalsh(product(g, g, **read)[1]).max()) if g.n_nodes else 0.0
