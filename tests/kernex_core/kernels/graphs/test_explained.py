"""Why two graphs are similar: parts that sum to K, each found again in both graphs."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernex_core.gram.graph import Graph
from kernex_core.kernels.explanation import SharedGraphlet, SharedPath, SharedSubtree
from kernex_core.kernels.graphs.graphlet import Graphlet
from kernex_core.kernels.graphs.shortest_path import ShortestPath
from kernex_core.kernels.graphs.tree_pattern import TreePattern
from kernex_core.kernels.graphs.weisfeiler_lehman import WeisfeilerLehman
from tests.kernex_core.kernels.graphs.some_graphs import graphs
from tests.oracles import graph_features as oracle

KERNELS = [
    WeisfeilerLehman(2),
    WeisfeilerLehman(2, edge_labels=True),
    WeisfeilerLehman(2, vertex_labels=False),
    ShortestPath(),
    ShortestPath(width=3),
    ShortestPath(vertex_labels=False),
    Graphlet(3),
    Graphlet(4),
    Graphlet(5),
    Graphlet(4, vertex_labels=True),
    TreePattern(3, 0.5),
    TreePattern(3, 2.0, "branching"),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@given(s=graphs(), t=graphs(), top=st.integers(1, 4))
def test_parts_sum_to_the_similarity_and_lie_in_both_graphs(kernel, s, t, top):
    made, whole = kernel.explain(s, t, top), kernel.explain(s, t, 10_000)
    assert made.total == kernel.gram([s, t])[0, 1]
    for each in (made, whole):
        assert each.discrepancy < 1e-12
    assert whole.rest == 0.0
    assert len(whole.parts) == whole.n_parts == made.n_parts
    assert len(made.parts) == min(top, made.n_parts)
    worth = [part.contribution for part in whole.parts]
    assert worth == sorted(worth, reverse=True)
    assert all(value > 0.0 for value in worth)
    for part in whole.parts:
        check(part, kernel, s, t)


def check(part, kernel, s, t):
    for graph, side in ((s, "s"), (t, "t")):
        names, near = oracle.names(graph, kernel.vertex_labels), oracle.neighbours(graph)
        if isinstance(part, SharedPath):
            path, hops = getattr(part, f"path_{side}"), getattr(part, f"hops_{side}")
            assert len(path) == hops + 1
            assert oracle.hops(graph)[path[0], path[-1]] == hops
            assert all(v in [x for x, _ in near[u]] for u, v in itertools.pairwise(path))
            assert sorted(names[v] for v in (path[0], path[-1])) == sorted(part.ends)
            same = [
                d
                for (u, v), d in oracle.hops(graph).items()
                if sorted((names[u], names[v])) == sorted(part.ends)
            ]
            assert 2 * getattr(part, f"count_{side}") == same.count(hops)
        elif isinstance(part, SharedSubtree):
            roots = getattr(part, f"roots_{side}")
            trees = [tree(graph, kernel, v, part.height) for v in range(graph.n_nodes)]
            assert roots == tuple(v for v, written in enumerate(trees) if written == part.tree)
        elif isinstance(part, SharedGraphlet):
            chosen = getattr(part, f"vertices_{side}")
            assert len(set(chosen)) == kernel.k
            joined = {frozenset(edge) for edge in graph.edges.tolist()}
            pairs = itertools.combinations(range(kernel.k), 2)
            found = [(i, j) for i, j in pairs if frozenset((chosen[i], chosen[j])) in joined]
            assert sorted(found) == sorted(part.edges)
            assert tuple(names[v] for v in chosen) == part.labels
        else:
            assert names[getattr(part, f"vertex_{side}")] == part.label


def tree(graph, kernel, vertex, height):
    """Walks from a vertex, written out."""
    name = oracle.names(graph, kernel.vertex_labels)[vertex] or "•"
    near = oracle.neighbours(graph, kernel.edge_labels)[vertex]
    if height == 0 or not near:
        return name
    parts = [(f"[{kind}]" if kind else "") + tree(graph, kernel, u, height - 1) for u, kind in near]
    return f"{name}({','.join(sorted(parts))})"


def test_long_trees_are_cut_off(rng):
    n = 40
    graph = Graph(n, np.argwhere(np.triu(rng.random((n, n)) < 0.5, 1)), rng.choice(["carbon", "oxygen"], n))
    made = WeisfeilerLehman(6).explain(graph, graph, 1_000)
    assert made.discrepancy == 0.0
    assert max(len(part.tree) for part in made.parts) == 300
    assert any(part.tree.endswith("…") for part in made.parts)


def test_names_of_subgraphs():
    house = Graph(5, [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4)])
    (part,) = Graphlet(5).explain(house, house).parts
    assert part.name == "6 edges of 5"
    full = Graph(5, [(i, j) for i in range(5) for j in range(i)])
    named = {k: Graphlet(k).explain(full, full).parts[0].name for k in (3, 4, 5)}
    assert named == {3: "triangle of 3", 4: "all joined of 4", 5: "all joined of 5"}
