"""Kernels between graphs that sum over common walks of every length: geometric and random."""

from __future__ import annotations

import abc
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.parameters import parameter
from kernex_core.kernels.base import Progress
from kernex_core.kernels.graphs.graph_kernel import CodedGraphs, Graphs
from kernex_core.kernels.graphs.product import TOLERANCE, Walks, radii, spectra, spectral_sums, sums
from kernex_core.kernels.graphs.shared_walks import Worth
from kernex_core.kernels.graphs.walks import WalkKernel
from kernex_core.kernels.pairwise import Work, all_pairs

NEAREST = 1.0 - 1e-9
"""Largest share of the bound that the weight of a step may have: at the bound itself there is no sum."""


@dataclass(frozen=True, kw_only=True)
class AllWalks(WalkKernel):
    """Base of kernels a' (I − c S)^(−1) b on the product of two graphs."""

    @abc.abstractmethod
    def walks(self, found: CodedGraphs) -> Walks:
        """What walks in these graphs are worth; the kernel is `resolved`."""

    def _worth(self, found: CodedGraphs) -> Worth:
        walks = self.walks(found)
        # one factor c for both graphs, and the scale of the vertex that is left and of the one that is reached
        leave = math.sqrt(walks.c) * walks.scale**2
        return Worth(walks.start / walks.scale, leave, walks.end * walks.scale)

    def _alone(self, found: CodedGraphs) -> float:
        n = np.diff(found.starts).astype(np.float64)
        return float(n.sum() ** 2 / 2.0 + (n**3).sum() / 2.0)

    def _work(self, found: CodedGraphs, offset: int) -> Work:
        return sums(found, self.walks(found), found.sizes, offset)

    def _of_shapes(self, found: CodedGraphs, n: int, symmetric: bool, progress: Progress) -> FloatArray:
        walks = self.walks(found)
        made = spectra(found, walks, lambda share: progress(0.5 * share))
        vertices: IntArray = np.diff(found.starts)
        columns = None if symmetric else vertices[n:]
        work = spectral_sums(made, walks.c, 0 if symmetric else n)
        return all_pairs(work, vertices[:n], columns, lambda share: progress(0.5 + 0.5 * share))


@dataclass(frozen=True)
class GeometricWalk(AllWalks):
    """Walks of every length, K(G, G') = 1' (I − β A_x)^(−1) 1 = Σ_k β^k 1' A_x^k 1: longer ones count less.

    A_x is the adjacency of the product graph: pairs of vertices with equal labels, pairs of edges with equal labels.

    Parameters
    ----------
    beta : float, optional
        Weight of a step, 0 ≤ β < 1 / max_G ρ(A_x(G, G)), ρ being the largest eigenvalue: only there the sum converges for
        all pairs of the data set. None: half of that bound, set by the graphs that it is fitted to and kept for new ones.
    share : float
        Of the bound: what β is set to where it is None.
    vertex_labels, edge_labels : bool
        Whether labels have to be equal, of vertices and of edges; off: all are.

    Notes
    -----
    Gärtner, Flach and Wrobel, On graph kernels: hardness results and efficient alternatives, COLT 2003. By conjugate
    gradients on the list of edges of the product; where all labels are equal from the eigenvalues of each graph. Beyond
    the bound a linear solve would still return numbers, which mean nothing: a graph that breaks it is refused. Where
    β^length is written as the weight of a walk in each graph, that β squared is this one.

    Examples
    --------
    >>> from kernex_core import GeometricWalk, Graph
    >>> edge = Graph(2, [(0, 1)])
    >>> GeometricWalk(beta=0.5).gram([edge]).round(6).tolist()
    [[8.0]]
    """

    title: ClassVar[str] = "Geometric walk"
    formula: ClassVar[str] = (
        r"\begin{gathered}K(G,G')=\mathbf 1^\top(I-\beta A_\times)^{-1}\mathbf 1\\"
        r"0\le\beta<1/\max_G\rho(A_\times(G,G))\end{gathered}"
    )
    source: ClassVar[str] = (
        "Gärtner, Flach and Wrobel, On graph kernels: hardness results and efficient alternatives, COLT 2003"
    )
    cost: ClassVar[str] = (
        "n² pairs of graphs, each some twenty steps along all pairs of edges, more near the bound"
    )
    set_by_items: ClassVar[tuple[str, ...]] = ("beta",)

    beta: float | None = parameter(
        None,
        help="How much a walk loses with each edge; has to stay below the bound of the graphs.",
        label="Weight of a step",
        symbol=r"\beta",
        low=0.0,
        optional=True,
        auto="half of its bound",
        logarithmic=True,
    )
    share: float = parameter(
        0.5, help="Of the bound of all graphs, where β is open.", low=0.0, high=NEAREST, hidden=True
    )

    def bound_on(self, samples: Graphs) -> float:
        """1 / max_G ρ(A_x(G, G)), which β has to stay below; infinite where no graph has an edge."""
        largest = float(radii(self.coded(samples)).max(initial=0.0))
        return 1.0 / largest if largest > 0.0 else math.inf

    def resolved(self, samples: Graphs) -> Self:
        """Return the kernel with β set to its share of the bound (half by default), if it was open."""
        if self.beta is not None:
            return self
        bound = self.bound_on(samples)
        # rounded, so that the order of the graphs does not matter
        return replace(self, beta=float(f"{self.share * bound:.6g}") if math.isfinite(bound) else 0.5)

    def check(self, samples: Graphs, ids: Sequence[str] | None = None) -> None:
        """See AbstractKernel: also graphs that β is too large for."""
        super().check(samples, ids)
        if self.beta is not None:
            self._admitted(self.coded(samples), ids)

    def remarks(self, samples: Graphs) -> tuple[str, ...]:
        """See AbstractKernel: also the bound."""
        said = super().remarks(samples)
        bound, beta = self.bound_on(samples), self.resolved(samples).beta
        if beta is None or not math.isfinite(bound):
            return said
        share = f"{100.0 * beta / bound:.3g} % of it"
        return (
            *said,
            f"β has to stay below {bound:.6g}, 1 over the largest eigenvalue; it is {beta:g}, {share}.",
        )

    def walks(self, found: CodedGraphs) -> Walks:
        """See AllWalks."""
        assert self.beta is not None  # resolved
        ones = np.ones(found.labels.size)
        return Walks(ones, ones, ones, self.beta, self._admitted(found, None), alike=True)

    def _iterations(self, share: float) -> float:
        return 1.2 * _until(0.5, math.sqrt(TOLERANCE))  # half of the bound

    def _admitted(self, found: CodedGraphs, ids: Sequence[str] | None) -> FloatArray:
        """(n,) β ρ of each graph, all below 1."""
        assert self.beta is not None  # resolved
        own = radii(found)
        shares: FloatArray = self.beta * own
        worst = int(shares.argmax()) if shares.size else 0
        if shares.max(initial=0.0) > NEAREST:
            name = f"graph {worst + 1}" if ids is None else ids[worst]
            raise InvalidInputError(
                f"β of the geometric walk has to stay below {1.0 / own[worst]:.6g}, 1 over the largest eigenvalue of the "
                f"product of {name} with itself, for its sum to converge",
                f"β = {self.beta:g}",
                "Choose a smaller β, or leave that graph out",
            )
        return shares


@dataclass(frozen=True)
class RandomWalk(AllWalks):
    """Random walks, K(G, G') = s_x' (I − T_x)^(−1) q_x: the chance that two walks, one in each graph, read the same labels.

    Each walk starts at any vertex alike, s_x = 1/(n n'); it stops at a vertex with the chance q, or goes on along any of its
    d edges alike: T_x = (1 − q)² A_x / (d d'). At an isolated vertex it stops for sure; q_x holds both chances to stop.

    Parameters
    ----------
    stop : float
        q, the chance that a walk stops at a vertex with edges; 0.001 to 1.
    vertex_labels, edge_labels : bool
        Whether labels have to be equal, of vertices and of edges; off: all are.

    Notes
    -----
    Kashima, Tsuda and Inokuchi, Marginalized kernels between labeled graphs, ICML 2003, with Kronecker deltas of labels.
    It converges for every q. The stopping chances stand at the end, q_x, and not a vector of ones.

    Examples
    --------
    >>> from kernex_core import Graph, RandomWalk
    >>> edge = Graph(2, [(0, 1)], node_labels=["C", "O"])
    >>> RandomWalk(stop=0.5).gram([edge, Graph(1, node_labels=["C"])]).round(6).tolist()
    [[0.166667, 0.25], [0.25, 1.0]]
    """

    title: ClassVar[str] = "Random walk"
    formula: ClassVar[str] = (
        r"\begin{gathered}K(G,G')=s_\times^\top(I-T_\times)^{-1}q_\times\\"
        r"T_\times=(1-q)^2A_\times/(d\,d')\end{gathered}"
    )
    source: ClassVar[str] = (
        "Kashima, Tsuda and Inokuchi, Marginalized kernels between labeled graphs, ICML 2003"
    )
    cost: ClassVar[str] = (
        "n² pairs of graphs, each some fifty steps along all pairs of edges, more for a small q"
    )

    stop: float = parameter(
        0.1, help="Chance that a walk stops at a vertex.", label="Stopping probability", symbol="q", low=0.001, high=1.0,
        step=0.05,
    )  # fmt: skip

    def walks(self, found: CodedGraphs) -> Walks:
        """See AllWalks: symmetric after a change of scale by the roots of the degrees."""
        n = np.diff(found.starts)
        degrees = np.diff(found.rows).astype(np.float64)
        root = np.sqrt(np.maximum(degrees, 1.0))
        start = 1.0 / np.repeat(n, n) / root
        end = np.where(degrees > 0.0, self.stop, 1.0) * root
        c = (1.0 - self.stop) ** 2
        return Walks(1.0 / root, start, end, c, np.full(found.n, c), alike=False)

    def _iterations(self, share: float) -> float:
        # walks also end where labels differ; a sum whose ends differ takes all the digits, and more work on vectors
        return 1.5 * _until(1.0 - share * (1.0 - self.stop) ** 2, TOLERANCE)


def _until(gap: float, tolerance: float) -> float:
    """Steps of conjugate gradients on a matrix with eigenvalues from `gap` to 2 − gap."""
    return 0.5 * math.log(2.0 / tolerance) * math.sqrt((2.0 - gap) / gap)
