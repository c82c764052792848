"""Weisfeiler-Lehman subtree kernel: graphs are similar if their vertices have equal neighbourhoods."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import sparse

from kernex_core.base.frozen import IntArray
from kernex_core.base.parameters import parameter
from kernex_core.gram.graph import Graph
from kernex_core.kernels.base import Operations
from kernex_core.kernels.counts import count_matrix, renumbered
from kernex_core.kernels.explanation import Explanation, SharedSubtree
from kernex_core.kernels.graphs.graph_kernel import CodedGraphs, CountKernel, Graphs, coded, explained
from kernex_core.runtime.progress import Steps, finished

# Weisfeiler-Lehman labels that two graphs share, written out as trees.

LONGEST = 300
"""Letters after which a tree is cut off."""


def explain_subtrees(graphs: CodedGraphs, codes: IntArray, top: int, total: float) -> Explanation:
    """List the labels that most vertices of two graphs share.

    Parameters
    ----------
    graphs : CodedGraphs
        The two graphs.
    codes : (N, iterations + 1) int
        Label of each vertex after each iteration; no two iterations share a number.
    """
    border, height = int(graphs.starts[1]), codes.shape[1] - 1
    size = int(codes.max(initial=-1)) + 1
    counts = [np.bincount(part.ravel(), minlength=size) for part in (codes[:border], codes[border:])]

    def part(code: int) -> SharedSubtree:
        vertices, iterations = np.nonzero(codes == code)
        first, second = vertices[vertices < border], vertices[vertices >= border] - border
        tree = written(graphs, int(vertices[0]), int(iterations[0]))
        contribution = float(first.size) * float(second.size)
        return SharedSubtree(
            tree, int(iterations[0]), tuple(first.tolist()), tuple(second.tolist()), contribution
        )

    apart = "vertices with each label counted one by one, against a product of sparse counts"
    rest = f"all other labels of iterations 0 to {height}"
    return explained(counts[0].astype(np.float64) * counts[1], part, top, total, apart, rest)


def written(graphs: CodedGraphs, vertex: int, height: int) -> str:
    """Write the tree of walks of up to `height` edges from a vertex: alike for equal trees, unless cut off at LONGEST."""
    label = (graphs.label_names or ("",))[graphs.labels[vertex]] or "•"
    if height == 0 or graphs.rows[vertex] == graphs.rows[vertex + 1]:
        return label
    parts, letters = [], len(label)
    for p in range(graphs.rows[vertex], graphs.rows[vertex + 1]):
        kind = (graphs.edge_label_names or ("",))[graphs.edge_labels[p]]
        parts.append((f"[{kind}]" if kind else "") + written(graphs, int(graphs.neighbours[p]), height - 1))
        letters += len(parts[-1]) + 1
        if letters > LONGEST:
            break
    made = f"{label}({','.join(sorted(parts))})"
    return made if len(made) <= LONGEST else made[: LONGEST - 1] + "…"


JOINED = 64
"""Neighbours that are joined to a code one after another, for all vertices at once; further ones as a whole."""


@dataclass(frozen=True)
class WeisfeilerLehman(CountKernel):
    """Weisfeiler-Lehman subtree kernel, k(G, G') = Σ_{i=0..h} Σ_l #_l(G) #_l(G') over the labels l of iteration i.

    In iteration 0 vertices have their own labels. In each further one, the new label of a vertex stands for its old
    one and the multiset of those of its neighbours: vertices have equal labels after i iterations just if the trees
    of all walks of up to i edges from them are equal. Labels are told apart exactly (nothing is hashed), by one
    dictionary for all graphs.

    Parameters
    ----------
    iterations : int
        h, 0 to 20.
    vertex_labels : bool
        False: all vertices start equal.
    edge_labels : bool
        True: a neighbour counts with the label of the edge to it.

    Notes
    -----
    Shervashidze, Schweitzer, van Leeuwen, Mehlhorn and Borgwardt (2011), Weisfeiler-Lehman graph kernels, JMLR 12,
    definition 4. Without labels of edges, as there.

    Examples
    --------
    >>> from kernex_core import Graph, WeisfeilerLehman
    >>> path = Graph(3, [(0, 1), (1, 2)], ["C", "C", "O"])
    >>> WeisfeilerLehman(iterations=1).gram([path, path]).tolist()
    [[8.0, 8.0], [8.0, 8.0]]
    """

    title: ClassVar[str] = "Weisfeiler-Lehman"
    formula: ClassVar[str] = r"k(G,G')=\sum_{i=0}^{h}\sum_{l\in\Sigma_i}\#_l(G)\,\#_l(G')"
    source: ClassVar[str] = "Shervashidze and others, Weisfeiler-Lehman graph kernels, JMLR 2011"
    cost: ClassVar[str] = (
        "h times the edges of all graphs, then the sum over labels of the squared number of graphs"
    )

    iterations: int = parameter(
        3,
        help="How often each vertex takes in the labels of its neighbours: how far its neighbourhood reaches.",
        symbol="h",
        low=0,
        high=20,
        step=1,
    )
    vertex_labels: bool = parameter(
        True, help="Vertices start with their labels; off: all start equal.", label="Labels of vertices"
    )
    edge_labels: bool = parameter(
        False,
        help="A neighbour counts with the label of the edge to it; off: without.",
        label="Labels of edges",
    )

    def counting(self, graphs: Graphs) -> Steps[sparse.csr_array]:
        """See CountKernel: a column a label of an iteration."""
        made = self._coded(graphs)
        codes = yield from labelling(made, self.iterations)
        owner = np.repeat(np.arange(made.n), np.diff(made.starts) * (self.iterations + 1))
        return count_matrix(owner, codes.ravel(), made.n, _limit(codes))

    def _coded(self, graphs: Graphs) -> CodedGraphs:
        return coded(graphs, node_labels=self.vertex_labels, edge_labels=self.edge_labels)

    def _explained(self, s: Graph, t: Graph, top: int, total: float) -> Explanation:
        made = self._coded((s, t))
        return explain_subtrees(made, finished(labelling(made, self.iterations)), top, total)

    def counted(self, graphs: Graphs) -> Operations:
        """See CountKernel."""
        parts = sum(graph.n_nodes + 2 * graph.n_edges for graph in graphs)
        return {"relabelled neighbour": float(parts * (self.iterations + 1))}


def labelling(graphs: CodedGraphs, iterations: int) -> Steps[IntArray]:
    """Label all vertices: (N, iterations + 1), and no two iterations share a number."""
    codes = np.empty((graphs.labels.size, iterations + 1), np.int64)
    codes[:, 0] = now = graphs.labels
    number = graphs.n_labels
    yield 1.0 / (iterations + 1)
    for i in range(1, iterations + 1):
        now, more = refined(graphs, now)
        codes[:, i] = now + number
        number += more
        yield (i + 1) / (iterations + 1)
    return codes


def refined(graphs: CodedGraphs, codes: IntArray) -> tuple[IntArray, int]:
    """Labels after one iteration, from 0 on, and how many there are.

    Parameters
    ----------
    codes : (N,) int
        Labels before it.
    """
    degrees = np.diff(graphs.rows)
    tails = np.repeat(np.arange(degrees.size), degrees)
    kinds = codes[graphs.neighbours] * graphs.n_edge_labels + graphs.edge_labels
    kinds, n_kinds = renumbered(kinds, _limit(codes) * graphs.n_edge_labels)
    kinds = np.sort(tails * n_kinds + kinds) - tails * n_kinds  # in order within each row
    most = int(degrees.max(initial=0))
    made, number = renumbered(codes * (most + 1) + degrees, _limit(codes) * (most + 1))
    # the first neighbour joins the code, then the second, ...: equal codes stand for equal beginnings
    by_degree = np.argsort(-degrees, kind="stable")
    longer = np.searchsorted(-degrees[by_degree], -np.arange(most), side="left")
    for place, count in enumerate(longer[:JOINED].tolist()):
        at = by_degree[:count]
        joined, more = renumbered(made[at] * n_kinds + kinds[graphs.rows[at] + place], number * n_kinds)
        made[at] = joined + number
        number += more
    if most > JOINED:
        # the few vertices of many neighbours, where a step a neighbour would take the longest
        known: dict[tuple[int, bytes], int] = {}
        for vertex in by_degree[: int(longer[JOINED])].tolist():
            rest = kinds[graphs.rows[vertex] + JOINED : graphs.rows[vertex + 1]].tobytes()
            made[vertex] = known.setdefault((int(made[vertex]), rest), number + len(known))
        number += len(known)
    return renumbered(made, number)


def _limit(codes: IntArray) -> int:
    return int(codes.max(initial=-1)) + 1
