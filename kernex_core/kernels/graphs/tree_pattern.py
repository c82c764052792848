"""Tree pattern kernel: graphs are similar if trees can be laid out along their edges in the same way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.errors import TooLargeError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.jit import jit
from kernex_core.base.parameters import parameter
from kernex_core.gram.graph import Graph
from kernex_core.kernels.base import Operations, Progress, no_progress, seconds
from kernex_core.kernels.explanation import Explanation, SharedRoots
from kernex_core.kernels.graphs.graph_kernel import (
    CodedGraphs,
    GraphKernel,
    Graphs,
    coded,
    explained,
    in_range,
)
from kernex_core.kernels.pairwise import all_pairs, shared

# Tree patterns that two graphs share: a table of pairs of vertices, one level of the trees after the other.

Bytes = NDArray[np.uint8]


@jit
def pattern_sums(
    starts: IntArray, rows: IntArray, neighbours: IntArray, labels: IntArray, edge_labels: IntArray,
    pairs: IntArray, weights: IntArray, powers: FloatArray, sizes: Bytes, out: FloatArray, meter: IntArray,
) -> None:  # fmt: skip
    """Write the sum over pairs of vertices of what trees of all levels give, for some pairs of graphs.

    Parameters
    ----------
    pairs : (P, 2)
    weights : (n,) product of two is what the meter counts a pair of graphs for
    powers : (levels − 1,) factor of a second, third, ... branch at each level
    sizes : (2^12,) number of bits of each number
    out : (P,)
    meter : [stop, done]
    """
    for p in range(pairs.shape[0]):
        i, j = pairs[p]
        table = pattern_table(
            starts, rows, neighbours, labels, edge_labels, i, j, powers, sizes, meter
        )  # fmt: skip
        if meter[0]:
            return
        out[p] = table.sum()
        meter[1] += weights[i] * weights[j]


@jit
def pattern_table(
    starts: IntArray, rows: IntArray, neighbours: IntArray, labels: IntArray, edge_labels: IntArray,
    i: int, j: int, powers: FloatArray, sizes: Bytes, meter: IntArray,
) -> FloatArray:  # fmt: skip
    """k_h(u, v) of the vertices of graph i and those of graph j (n, n'); see `pattern_sums`."""
    sums, products = np.empty(sizes.size), np.empty((12, 12))
    # trees of one vertex: 1 for every pair with equal labels
    before = np.zeros((starts[i + 1] - starts[i], starts[j + 1] - starts[j]))
    for u in range(before.shape[0]):
        for v in range(before.shape[1]):
            if labels[starts[i] + u] == labels[starts[j] + v]:
                before[u, v] = 1.0
    for level in range(powers.size):
        after = np.zeros_like(before)
        for u in range(before.shape[0]):
            if meter[0]:
                return before
            for v in range(before.shape[1]):
                x, y = starts[i] + u, starts[j] + v
                if labels[x] != labels[y]:
                    continue
                # a tree one level higher joins u and v with as many of their neighbours, in pairs whose subtrees
                # agree: a sum over matchings, of which `matchings` wants the side with fewer neighbours in the columns
                n, m = rows[x + 1] - rows[x], rows[y + 1] - rows[y]
                for a in range(n):
                    for b in range(m):
                        p, q = rows[x] + a, rows[y] + b
                        value = before[neighbours[p] - starts[i], neighbours[q] - starts[j]]
                        value = value if edge_labels[p] == edge_labels[q] else 0.0
                        if n >= m:
                            products[a, b] = value
                        else:
                            products[b, a] = value
                after[u, v] = matchings(products, max(n, m), min(n, m), powers[level], sizes, sums)
        before = after
    return before


@jit
def matchings(products: FloatArray, n: int, m: int, power: float, sizes: Bytes, sums: FloatArray) -> float:
    """Sum over the non-empty matchings R of n rows and m <= n columns of power^(|R| − 1) times their products.

    sums[S] is the sum over matchings of the rows so far that use just the columns S. The empty one is left out, not
    taken off afterwards: it would drown small sums. `products` is overwritten.
    """
    if m <= 1 or power == 0.0:
        total = 0.0
        for a in range(n):
            for b in range(m):
                total += products[a, b]
        return total
    kept = 0
    for b in range(m):  # columns without anything double the number of sets for nothing
        any_there = False
        for a in range(n):
            any_there = any_there or products[a, b] != 0.0
        if any_there:
            for a in range(n):
                products[a, kept] = products[a, b]
            kept += 1
    m = kept
    sums[: 1 << m] = 0.0
    sums[0] = 1.0
    for a in range(n):
        idle = True
        for b in range(m):
            idle = idle and products[a, b] == 0.0
        if idle:
            continue
        # from the largest set down: what is added to has not been taken from yet
        for used in range((1 << m) - 1, 0, -1):
            more = 0.0
            for b in range(m):
                if used >> b & 1:
                    more += sums[used ^ (1 << b)] * products[a, b]
            sums[used] += more
    total = 0.0
    for used in range(1, 1 << m):
        total += sums[used] * power ** (sizes[used] - 1)
    return total


MOST_NEIGHBOURS = 12
"""Largest degree of a vertex: the sum over matchings takes 2^degree steps."""
PAIR_LIMIT = 10_000_000
"""Largest number of pairs of vertices of two graphs, which take sixteen bytes each."""
STEP_LIMIT = 1e13
SIZE, BRANCHING = "size", "branching"
_SIZES = np.array([bin(number).count("1") for number in range(2**MOST_NEIGHBOURS)], np.uint8)


@dataclass(frozen=True)
class TreePattern(GraphKernel):
    """Tree patterns of height h, K(G, G') = Σ_{u,v} k_h(u, v), with a sum over matchings of neighbours.

    k_1 = [l(u) = l(v)], and k_h(u, v) = [l(u) = l(v)] Σ_R μ^(|R| − 1) Π_{(u',v') ∈ R} k_{h−1}(u', v') over the non-empty
    matchings R of the neighbours of u and v with equal labels, of vertices and of edges. μ = λ weighs each further
    *branch*: K counts pairs of equal trees laid along edges, each weighed by λ^(leaves − 1). μ = λ^(h−1) weighs their *size*
    instead, by λ^(vertices − h). For λ = 0 only walks of h − 1 edges are left.

    Parameters
    ----------
    height : int
        h, levels of vertices of a tree, 1 to 10.
    lam : float
        λ, at least 0: below 1 bushy trees count for less, above 1 for more.
    variant : str
        "size" or "branching".
    vertex_labels, edge_labels : bool
        Whether labels have to be equal, of vertices and of edges; off: all are.

    Raises
    ------
    TooLargeError
        A vertex with more than 12 neighbours, which is named, or more work than the limit.
    InvalidInputError
        Similarities beyond what is computed with.

    Notes
    -----
    Mahé and Vert (2009), Graph kernels based on tree patterns for molecules, Machine Learning 75, definitions 4 and 5 and
    section 3: there, factors are λ^−h Σ k_h for the size, with λ in each k_h. In slides of Vert the sum goes over *all*
    sets of pairs of neighbours, not matchings alone. That is no kernel: for two trees it gives K(a,b)² / (K(a,a) K(b,b)) =
    38 > 1, so that no feature map can stand behind it.

    Examples
    --------
    >>> from kernex_core import Graph, TreePattern
    >>> fork, path = Graph(3, [(0, 1), (0, 2)], ["C", "O", "O"]), Graph(3, [(0, 1), (1, 2)], ["C", "C", "O"])
    >>> TreePattern(height=2, lam=0.5, variant="branching").gram([fork, path]).tolist()
    [[9.0, 4.0], [4.0, 6.5]]
    """

    title: ClassVar[str] = "Tree patterns"
    formula: ClassVar[str] = (
        r"\begin{gathered}k_h(u,v)=[l_u=l_v]\sum_{\emptyset\neq R\in M(u,v)}\mu^{|R|-1}\\"
        r"{}\cdot\prod_{(u',v')\in R}k_{h-1}(u',v')\end{gathered}"
    )
    source: ClassVar[str] = (
        "Mahé and Vert, Graph kernels based on tree patterns for molecules, Machine Learning 2009"
    )
    cost: ClassVar[str] = "n² pairs of graphs, each h times pairs of vertices times d 2^d for degree d"

    height: int = parameter(
        3,
        help="Levels of vertices of the trees that are laid along edges.",
        symbol="h",
        low=1,
        high=10,
        step=1,
    )
    lam: float = parameter(
        1.0,
        help="Weight of bushy trees; at 0 only walks count.",
        label="Weight of branches",
        symbol=r"\lambda",
        low=0.0,
    )
    variant: str = parameter(
        SIZE,
        help="What the weight goes by: the number of vertices of a tree, or of its branches.",
        choices=(SIZE, BRANCHING),
    )
    vertex_labels: bool = parameter(
        True, help="Only vertices with equal labels match; off: all do.", label="Labels of vertices"
    )
    edge_labels: bool = parameter(
        True, help="Only edges with equal labels match; off: all do.", label="Labels of edges"
    )

    def check(self, samples: Graphs, ids: Sequence[str] | None = None) -> None:
        """See AbstractKernel: also the degrees."""
        super().check(samples, ids)
        for k, graph in enumerate(samples):
            if graph.degrees.max(initial=0) > MOST_NEIGHBOURS:
                vertex = int(graph.degrees.argmax())
                named = f"graph {k + 1}" if ids is None else f"{ids[k]!r}"
                raise TooLargeError(
                    f"Tree patterns take vertices of up to {MOST_NEIGHBOURS} neighbours",
                    f"{graph.degrees[vertex]} at vertex {vertex} of {named}",
                    "Leave that graph out, or take Weisfeiler-Lehman",
                )

    def operations(self, samples: Graphs) -> Operations:
        """See AbstractKernel; as if on one core, but for the threads that share the pairs."""
        made, pairs = self._coded(samples), float(len(samples)) ** 2
        return {"entry": pairs, "tree step": shared(_steps(made) * max(1, self.height - 1))}

    def gram(self, samples: Graphs, *, progress: Progress = no_progress) -> FloatArray:
        """Similarities (n, n) among graphs."""
        return self._values(tuple(samples), None, progress)

    def cross(self, samples: Graphs, others: Graphs, *, progress: Progress = no_progress) -> FloatArray:
        """Similarities (n, n') of graphs to others."""
        return self._values(tuple(samples), tuple(others), progress)

    def _coded(self, graphs: Graphs) -> CodedGraphs:
        return coded(graphs, node_labels=self.vertex_labels, edge_labels=self.edge_labels)

    def _values(self, samples: Graphs, others: Graphs | None, progress: Progress) -> FloatArray:
        self.check(samples)
        self.check(samples if others is None else others)
        made = self._coded((*samples, *(others or ())))
        _refuse(made, len(samples), self.height)
        weights = np.maximum(_of_vertices(made)[1], 1.0).astype(np.int64)
        offset = 0 if others is None else len(samples)
        work = partial(self._some, made.bare(), weights, offset)
        columns = None if others is None else weights[len(samples) :]
        K = all_pairs(work, weights[: len(samples)], columns, progress)
        return in_range(K, self.title, "Choose smaller trees, or a smaller weight of branches")

    def _some(
        self, made: CodedGraphs, weights: IntArray, offset: int, pairs: IntArray, meter: IntArray
    ) -> FloatArray:
        out = np.zeros(pairs.shape[0])
        pattern_sums(
            made.starts, made.rows, made.neighbours, made.labels, made.edge_labels,
            pairs + np.array([0, offset]), weights, self._powers(), _SIZES, out, meter,
        )  # fmt: skip
        return out

    def _powers(self) -> FloatArray:
        """Factor of each further branch, by level."""
        exponents = np.arange(1.0, self.height) if self.variant == SIZE else np.ones(self.height - 1)
        return np.asarray(float(self.lam) ** exponents, np.float64)

    def _explained(self, s: Graph, t: Graph, top: int, total: float) -> Explanation:
        made = self._coded((s, t))
        table = pattern_table(
            made.starts, made.rows, made.neighbours, made.labels, made.edge_labels,
            0, 1, self._powers(), _SIZES, np.zeros(2, np.int64),
        )  # fmt: skip

        def part(k: int) -> SharedRoots:
            u, v = divmod(k, t.n_nodes)
            label = made.label_names[made.labels[u]] if made.label_names else ""
            return SharedRoots(label, u, v, self.height, float(table[u, v]))

        apart = "pairs of vertices added up one by one, against the sum of their table"
        return explained(table.ravel(), part, top, total, apart, "all other pairs of vertices")


def _of_vertices(made: CodedGraphs) -> tuple[FloatArray, FloatArray]:
    """(N,) and (n,) about the square root of the steps that a vertex takes with one like it, and their sums."""
    degrees = np.diff(made.rows).astype(np.float64)
    steps = 1.0 + degrees * 2.0 ** (degrees / 2.0)
    sums = np.concatenate([[0.0], np.cumsum(steps)])
    return steps, np.diff(sums[made.starts])


def _steps(made: CodedGraphs) -> float:
    """Steps for one level of all pairs of graphs, each once, of vertices with equal labels."""
    steps, _ = _of_vertices(made)
    owner = np.repeat(np.arange(made.n), np.diff(made.starts))
    both, place = np.unique(owner * made.n_labels + made.labels, return_inverse=True)
    of_graph = np.bincount(place, steps, minlength=both.size)
    of_label = np.bincount(made.labels, steps, minlength=made.n_labels)
    return float((of_label**2).sum() + (of_graph**2).sum()) / 2.0


def _refuse(made: CodedGraphs, n: int, height: int) -> None:
    sizes = np.diff(made.starts)
    largest = int(sizes[:n].max(initial=0)) * int((sizes[n:] if n < sizes.size else sizes).max(initial=0))
    if largest > PAIR_LIMIT:
        raise TooLargeError(
            f"Two graphs may have {PAIR_LIMIT:,} pairs of vertices",
            f"{largest:,}",
            "Leave out the largest graphs",
        )
    steps = _steps(made) * max(1, height - 1)
    if steps > STEP_LIMIT:
        raise TooLargeError(
            f"At most {STEP_LIMIT:.0e} steps over pairs of vertices and sets of neighbours are worked through",
            f"{steps:.1e}, about {seconds({'tree step': shared(steps)}) / 3600.0:,.0f} hours",
            "Select fewer or smaller graphs, or take Weisfeiler-Lehman",
        )
