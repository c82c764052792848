"""Kernels between small graphs from their definitions: everything is enumerated."""

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


def weisfeiler_lehman(graph, iterations, vertex_labels=True, edge_labels=False):
    """Counts of labels, each written out as a nested tuple."""
    now, near = names(graph, vertex_labels), neighbours(graph, edge_labels)
    counts = Counter((0, label) for label in now)
    for i in range(1, iterations + 1):
        now = [(now[v], tuple(sorted((now[u], kind) for u, kind in near[v]))) for v in near]
        counts += Counter((i, label) for label in now)
    return counts
