"""Graphlet kernel: graphs are similar if they hold the same small connected subgraphs."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
from scipy import sparse

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.parameters import parameter
from kernex_core.gram.graph import Graph
from kernex_core.kernels.base import Operations
from kernex_core.kernels.explanation import Explanation, SharedGraphlet
from kernex_core.kernels.graphs.graph_kernel import CodedGraphs, CountKernel, Graphs, coded, explained
from kernex_core.kernels.graphs.subgraphs import (
    DESCENTS,
    LABEL_BITS,
    MOST_SUBGRAPHS,
    SHAPES,
    edges_of,
    found,
    induced,
    label,
    name_of,
    visiting,
)
from kernex_core.runtime.progress import Steps, finished


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


@dataclass(frozen=True)
class Graphlet(CountKernel):
    """Graphlet kernel, k(G, G') = Σ_g #_g(G) #_g(G') over the connected graphs g of k vertices.

    #_g counts the sets of k vertices whose induced subgraph is isomorphic to g. Without labels, counts for k = 3 and 4
    follow from degrees and common neighbours; otherwise every connected subgraph is visited once. A graph with more than
    MOST_SUBGRAPHS of them is sampled instead: DESCENTS subgraphs are drawn with known probabilities, which gives counts
    that are right on average; `remarks` says how far off they may be.

    Parameters
    ----------
    k : int
        Number of vertices, 3, 4 or 5.
    vertex_labels : bool
        True: isomorphic graphs also have to have equal labels of vertices; for k up to 4.
    seed : int
        Of what is drawn, at least 0. A graph draws the same in whatever company.

    Raises
    ------
    InvalidInputError
        Labels for k = 5.
    TooLargeError
        More than 16,384 different labels of vertices.

    Notes
    -----
    Shervashidze, Vishwanathan, Petri, Mehlhorn and Borgwardt (2009), Efficient graphlet kernels for large graph
    comparison, AISTATS, without their division by the number of graphlets. Visiting: Wernicke (2006), Efficient
    detection of network motifs. Drawing: Knuth (1975), Estimating the efficiency of backtrack programs.

    Examples
    --------
    >>> from kernex_core import Graph, Graphlet
    >>> path, triangle = Graph(3, [(0, 1), (1, 2)]), Graph(3, [(0, 1), (1, 2), (0, 2)])
    >>> Graphlet(k=3).gram([path, triangle]).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    title: ClassVar[str] = "Graphlets"
    formula: ClassVar[str] = r"k(G,G')=\sum_{g}\#_g(G)\,\#_g(G')"
    source: ClassVar[str] = "Shervashidze and others, Efficient graphlet kernels, AISTATS 2009"
    cost: ClassVar[str] = "n times edges times degree (k = 3, 4), or the number of connected subgraphs"

    k: int = parameter(
        3,
        help="Number of vertices of the subgraphs that are counted.",
        label="Vertices of a subgraph",
        symbol="k",
        choices=(3, 4, 5),
    )
    vertex_labels: bool = parameter(
        False,
        help="Subgraphs also have to agree in the labels of their vertices (k up to 4); off: in their edges only.",
        label="Labels of vertices",
    )
    seed: int = parameter(
        0, help=f"Of what is drawn from graphs with more than {MOST_SUBGRAPHS:,} subgraphs.", low=0, step=1
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.k == 5 and self.vertex_labels:
            raise InvalidInputError(
                "Labels of vertices count for subgraphs of up to 4 vertices", "k = 5", "Set k = 4"
            )

    def counting(self, graphs: Graphs) -> Steps[sparse.csr_array]:
        """See CountKernel: a column a kind of subgraph."""
        return (yield from self._kinds(graphs))[1]

    def _kinds(self, graphs: Graphs) -> Steps[tuple[IntArray, sparse.csr_array]]:
        """Kinds of the columns (see `subgraphs.shapes`), and counts."""
        made = self._coded(graphs)
        if self.k < 5 and made.n_labels == 1:
            by_formula = (yield from _by_formula(made, self.k)).astype(np.float64)
            return np.array(SHAPES[self.k]), sparse.csr_array(by_formula)
        entries = (yield from visiting(graphs, made, self.k, self.seed)).entries
        kinds, column = np.unique(entries.kind, return_inverse=True)
        shape = (made.n, kinds.size)
        counts = sparse.coo_array((entries.count, (entries.owner, column)), shape=shape).tocsr()
        counts.sum_duplicates()
        return kinds, counts

    def _explained(self, s: Graph, t: Graph, top: int, total: float) -> Explanation:
        kinds, counts = finished(self._kinds((s, t)))
        return explain_graphlets(self._coded((s, t)), kinds, counts.toarray(), self.k, top, total)

    def counted(self, graphs: Graphs) -> Operations:
        """See CountKernel."""
        made = self._coded(graphs)
        steps = float((np.diff(made.rows).astype(np.float64) ** 2).sum())
        if self.k < 5 and made.n_labels == 1:
            return {"path step": 2.0 * steps}
        most = np.minimum(bounds(made, self.k), MOST_SUBGRAPHS + 2 * DESCENTS)
        return {"path step": 2.0 * steps, "subgraph": float(most.sum())}

    def remarks(self, samples: Graphs) -> tuple[str, ...]:
        """See AbstractKernel: also graphs that are too small, and how far off sampled counts are."""
        said = [*super().remarks(samples)]
        small = sum(graph.n_nodes < self.k for graph in samples)
        if small:
            said.append(
                f"Graphs with fewer than {self.k} vertices: {small:,}. Each has similarity 0 with everything."
            )
        errors = self._errors(samples)
        if errors.size:
            said.append(
                f"Graphs with more than {MOST_SUBGRAPHS:,} connected subgraphs of {self.k} vertices: {errors.size:,}. "
                f"Their counts are estimated from {DESCENTS:,} that are drawn (seed {self.seed}); the standard error is "
                f"at most {errors.max():.2g} of the length of the vector of counts."
            )
        return tuple(said)

    def _coded(self, graphs: Graphs) -> CodedGraphs:
        made = coded(graphs, node_labels=self.vertex_labels, edge_labels=False)
        if made.n_labels > 2**LABEL_BITS:
            raise TooLargeError(
                f"At most {2**LABEL_BITS:,} different labels of vertices fit the counts of subgraphs",
                f"{made.n_labels:,}",
                "Leave labels of vertices out, or take Weisfeiler-Lehman",
            )
        return made

    def _errors(self, graphs: Graphs) -> FloatArray:
        """Relative standard errors of the graphs that are sampled."""
        made = self._coded(graphs)
        if self.k < 5 and made.n_labels == 1:
            return np.empty(0)
        large = [graphs[i] for i in np.flatnonzero(bounds(made, self.k) > MOST_SUBGRAPHS).tolist()]
        return finished(visiting(large, self._coded(large), self.k, self.seed)).errors


def _by_formula(graphs: CodedGraphs, k: int) -> Steps[IntArray]:
    total = np.zeros((graphs.n, 8), np.int64)
    for i in range(graphs.n):
        total[i] = found(graphs.rows, graphs.neighbours, graphs.starts[i], graphs.starts[i + 1])
        yield (i + 1) / graphs.n
    return induced(total, k)


def bounds(graphs: CodedGraphs, k: int) -> FloatArray:
    """(n,) connected subgraphs of k vertices of each graph, or more for k = 5.

    A connected subgraph of five vertices holds at least two of four, each of which is joined to at most 4 d − 6 further
    vertices, d being the largest degree.
    """
    counts: FloatArray = finished(_by_formula(graphs, min(k, 4))).sum(axis=1).astype(np.float64)
    if k < 5:
        return counts
    degrees = np.append(np.diff(graphs.rows), 0)
    largest = np.array([degrees[a:b].max(initial=0) for a, b in pairwise(graphs.starts)])
    return np.asarray(counts * np.clip(4 * largest - 6, 0, np.maximum(np.diff(graphs.starts) - 4, 0)) / 2)
