"""Kernels between small graphs from their definitions: everything is enumerated."""

import itertools
import math
from collections import Counter


def neighbours(graph, edge_labels=False):
    """{vertex: [(neighbour, label of the edge)]}"""
    found = {v: [] for v in range(graph.n_nodes)}
    for e, (i, j) in enumerate(graph.edges.tolist()):
        kind = str(graph.edge_labels[e]) if edge_labels and graph.edge_labels is not None else ""
        found[i].append((j, kind))
        found[j].append((i, kind))
    return found


def names(graph, used=True):
    if graph.node_labels is None or not used:
        return [""] * graph.n_nodes
    return [str(name) for name in graph.node_labels]


def product(a, b):
    return sum(count * b[part] for part, count in a.items())


def by_counts(count):
    """The kernel of what is counted."""
    return lambda a, b, **set_to: product(count(a, **set_to), count(b, **set_to))


def weisfeiler_lehman(graph, iterations, vertex_labels=True, edge_labels=False):
    """Counts of labels, each written out as a nested tuple."""
    now, near = names(graph, vertex_labels), neighbours(graph, edge_labels)
    counts = Counter((0, label) for label in now)
    for i in range(1, iterations + 1):
        now = [(now[v], tuple(sorted((now[u], kind) for u, kind in near[v]))) for v in near]
        counts += Counter((i, label) for label in now)
    return counts


def hops(graph):
    """{(u, v): length of a shortest path} for u ≠ v that a path joins, by Floyd and Warshall."""
    far = float("inf")
    d = {(u, v): far for u in range(graph.n_nodes) for v in range(graph.n_nodes)}
    for i, j in graph.edges.tolist():
        d[i, j] = d[j, i] = 1
    for w in range(graph.n_nodes):
        for u, v in list(d):
            d[u, v] = min(d[u, v], d[u, w] + d[w, v])
    return {(u, v): length for (u, v), length in d.items() if u != v and length < far}


def shortest_path(a, b, width=1, vertex_labels=True):
    """Four loops."""
    s, t = names(a, vertex_labels), names(b, vertex_labels)
    return sum(
        max(0, width - abs(d - e))
        for (u, v), d in hops(a).items()
        for (x, y), e in hops(b).items()
        if s[u] == t[x] and s[v] == t[y]
    )


def shape(edges, labels):
    """A small graph up to isomorphism: the least of all ways to number it."""
    n = len(labels)
    return min(
        (
            tuple(labels[order[i]] for i in range(n)),
            tuple(frozenset((order[i], order[j])) in edges for i, j in itertools.combinations(range(n), 2)),
        )
        for order in itertools.permutations(range(n))
    )


def connected(edges, n):
    reached = {0}
    for _ in range(n):
        reached |= {v for edge in edges if edge & reached for v in edge}
    return len(reached) == n


def graphlet(graph, k, vertex_labels=False):
    """Counts of connected induced subgraphs: every set of k vertices is looked at."""
    labels, counts = names(graph, vertex_labels), Counter()
    pairs = {frozenset(edge) for edge in graph.edges.tolist()}
    for chosen in itertools.combinations(range(graph.n_nodes), k):
        edges = {
            frozenset((i, j))
            for i, j in itertools.combinations(range(k), 2)
            if frozenset((chosen[i], chosen[j])) in pairs
        }
        if connected(edges, k):
            counts[shape(edges, [labels[v] for v in chosen])] += 1
    return counts


def tree_pattern(a, b, height, lam, variant="size", vertex_labels=True, edge_labels=True):
    """Recursion over all non-empty matchings, as printed by Mahé and Vert: λ stands in every k_h."""
    s, t = names(a, vertex_labels), names(b, vertex_labels)
    near_a, near_b = neighbours(a, edge_labels), neighbours(b, edge_labels)

    def k(h, u, v):
        if s[u] != t[v]:
            return 0.0
        if h == 1:
            return lam if variant == "size" else 1.0
        total = 0.0
        for r in range(1, min(len(near_a[u]), len(near_b[v])) + 1):
            for left in itertools.combinations(near_a[u], r):
                for right in itertools.permutations(near_b[v], r):
                    if all(x[1] == y[1] for x, y in zip(left, right, strict=True)):
                        values = [k(h - 1, x[0], y[0]) for x, y in zip(left, right, strict=True)]
                        total += math.prod(values if variant == "size" else [lam * value for value in values])
        return lam * total if variant == "size" else total / lam

    whole = sum(k(height, u, v) for u in range(a.n_nodes) for v in range(b.n_nodes))
    return whole / lam**height if variant == "size" else whole


def every_subset(a, b, height, lam):
    """The formula of the slides: a product over all pairs of neighbours with equal labels, not matchings alone."""
    s, t, near_a, near_b = names(a), names(b), neighbours(a), neighbours(b)

    def k(h, u, v):
        if s[u] != t[v]:
            return 0.0
        pairs = itertools.product(near_a[u], near_b[v]) if h > 1 else ()
        return math.prod(1.0 + lam * k(h - 1, x[0], y[0]) for x, y in pairs)

    return sum(k(height, u, v) for u in range(a.n_nodes) for v in range(b.n_nodes))
