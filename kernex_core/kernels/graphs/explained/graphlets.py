"""Small connected subgraphs that two graphs share."""

from __future__ import annotations

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.kernels.explanation import Explanation
from kernex_core.kernels.graphs.coded import CodedGraphs
from kernex_core.kernels.graphs.explained.listed import explained
from kernex_core.kernels.graphs.subgraphs.shapes import edges_of, label, name_of
from kernex_core.kernels.parts_of_graphs import SharedGraphlet


def explain_graphlets(
    made: CodedGraphs, kinds: IntArray, counts: FloatArray, k: int, top: int, total: float
) -> Explanation:
    """List the kinds of subgraphs that contribute most.

    Parameters
    ----------
    made : CodedGraphs
        The two graphs.
    kinds : (n_kinds,) int
        See `subgraphs.shapes`.
    counts : (2, n_kinds) float
    """

    def part(column: int) -> SharedGraphlet:
        kind = kinds[column : column + 1]
        edges = edges_of(int(kind[0]), k)
        labels = [int(label(kind, k, vertex)[0]) for vertex in range(k)]
        name = made.label_names or ("",)
        return SharedGraphlet(
            name_of(edges, k),
            edges,
            tuple(name[each] for each in labels),
            float(counts[0, column]),
            float(counts[1, column]),
            example(made, 0, edges, labels),
            example(made, 1, edges, labels),
            float(counts[0, column] * counts[1, column]),
        )

    apart = "kinds of subgraphs multiplied one by one, against a product of sparse counts"
    return explained(counts[0] * counts[1], part, top, total, apart, "all other kinds of subgraphs")


def example(
    made: CodedGraphs, graph: int, edges: tuple[tuple[int, int], ...], labels: list[int]
) -> tuple[int, ...]:
    """One set of vertices whose induced subgraph is this one, vertex by vertex, from 0 in its graph."""
    first, last = int(made.starts[graph]), int(made.starts[graph + 1])
    joined = {frozenset(edge) for edge in edges}
    near = [set(made.neighbours[made.rows[v] : made.rows[v + 1]].tolist()) for v in range(first, last)]
    # each vertex after the first is joined to an earlier one: few are then left to try
    order = [0]
    while len(order) < len(labels):
        order.append(
            next(
                v
                for v in range(len(labels))
                if v not in order and any(frozenset((v, u)) in joined for u in order)
            )
        )

    def extended(chosen: dict[int, int]) -> dict[int, int] | None:
        if len(chosen) == len(order):
            return chosen
        vertex = order[len(chosen)]
        anchor = next((u for u in order[: len(chosen)] if frozenset((u, vertex)) in joined), None)
        for x in range(first, last) if anchor is None else sorted(near[chosen[anchor] - first]):
            fits = made.labels[x] == labels[vertex] and x not in chosen.values()
            if fits and all(
                (x in near[y - first]) == (frozenset((u, vertex)) in joined) for u, y in chosen.items()
            ):
                found = extended({**chosen, vertex: x})
                if found:
                    return found
        return None

    found = extended({}) or {}
    return tuple(int(found[v]) - first for v in sorted(found))
