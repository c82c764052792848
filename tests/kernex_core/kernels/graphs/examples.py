"""Small graphs that have everything: labels of vertices and edges, isolated vertices, no edges, no vertices."""

import json

import numpy as np

from kernex_core import Graph


def drawn(rng, size, share=0.5, names="ab", kinds="12"):
    edges = np.argwhere(np.triu(rng.random((size, size)) < share, 1))
    return Graph(size, edges, rng.choice(list(names), size), rng.choice(list(kinds), len(edges)))


def small(rng):
    """Of 0 to 6 vertices."""
    return [
        Graph(0, (), (), ()),
        Graph(3, (), ["a", "b", "a"], ()),
        *(drawn(rng, size) for size in (1, 2, 3, 4, 5)),
        drawn(rng, 6, 0.3),
        drawn(rng, 6, 0.7),
    ]


def renumbered(graph, rng):
    """The same graph, its vertices in another order."""
    order = rng.permutation(graph.n_nodes)
    names = np.empty_like(graph.node_labels)
    names[order] = graph.node_labels
    return Graph(graph.n_nodes, order[graph.edges], names, graph.edge_labels)


def vectors(shared, kernel):
    """(case, graphs) of the reference values of a kernel."""
    for case in json.loads((shared / "vectors/more.json").read_text(encoding="utf-8")):
        given = case["inputs"]
        if given.get("kernel") == kernel:
            yield (
                case,
                [
                    Graph(g["n"], g["edges"], g["node_labels"], g["edge_labels"])
                    for g in (given["graphs"][name] for name in given["order"])
                ],
            )
