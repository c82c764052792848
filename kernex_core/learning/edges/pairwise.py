"""One support vector machine on pairs of genes, by a kernel between pairs.

Ben-Hur and Noble, Kernel methods for predicting protein-protein interactions, Bioinformatics 2005 (products); Vert, Qiu and
Noble, A new pairwise kernel for biological network inference with support vector machines, BMC Bioinformatics 2007.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from kernex_core.frozen import BoolArray, FloatArray, IntArray
from kernex_core.learning.edges.balanced import balanced_machine
from kernex_core.learning.edges.genes import KernelSide, NetworkSide
from kernex_core.learning.edges.methods import EdgeMethod
from kernex_core.parameters import parameter

MOST: Final = 3_000
"""Pairs that are learned from: their kernel takes 72 MB."""


@dataclass(frozen=True)
class PairwiseMachine(EdgeMethod):
    """One support vector machine on pairs."""

    pairs: str = parameter(
        "differences", label="Kernel of pairs", choices=("differences", "products"),
        help="Differences: two pairs are alike where their genes differ in like ways. Products: where the genes of one are "
        "like those of the other, in either order.",
    )  # fmt: skip
    C: float = parameter(
        1.0,
        label="C",
        symbol="C",
        help="Cost of a pair on the wrong side; both classes weigh the same.",
        low=1e-6,
        high=1e6,
        logarithmic=True,
    )
    negatives: int = parameter(
        4, label="Pairs without an edge", help="Drawn by the seed, so many an edge.", low=1, high=50, step=1
    )
    seed: int = parameter(
        0, label="Seed", help="Of the pairs without an edge.", low=0, high=2**31 - 1, step=1
    )

    name: ClassVar[str] = "pairwise"
    title: ClassVar[str] = "Pairwise machine"
    about: ClassVar[str] = (
        "One machine (C-SVM) tells pairs with an edge from some drawn without one, by a kernel between pairs."
    )
    formula: ClassVar[str] = (
        r"k\big((a, b), (c, d)\big) = (K_{ac} - K_{ad} - K_{bc} + K_{bd})^2 "
        r"\quad\text{or}\quad K_{ac} K_{bd} + K_{ad} K_{bc}"
    )

    tried: ClassVar[Mapping[str, tuple[float, ...]]] = {"C": (0.1, 1.0, 10.0)}

    def scores(self, kernel: KernelSide, network: NetworkSide) -> FloatArray:
        """See EdgeMethod."""
        a, b, joined = self._learned_from(network.A)
        if joined.all():  # every pair is an edge
            return np.ones(kernel.K.shape)
        left, right = kernel.K[kernel.train[a]], kernel.K[kernel.train[b]]
        # a score is a quadratic form: Σ β k(p, (x, y)) needs one product of (n, P) by (P, n) for all pairs at once
        own = kernel.train
        found = balanced_machine(self._kernel(left[:, own], right[:, own], a, b), joined, self.C)
        beta, offset = found.beta, found.offset
        if self.pairs == "products":
            S = left.T @ (beta[:, None] * right)
            return np.asarray(S + S.T + offset)
        D = left - right
        squares = beta @ (D * D)
        S = squares[:, None] + squares[None, :] - 2.0 * D.T @ (beta[:, None] * D)
        return np.asarray((S + S.T) / 2.0 + offset)

    def _kernel(self, left: FloatArray, right: FloatArray, a: IntArray, b: IntArray) -> FloatArray:
        if self.pairs == "products":
            return np.asarray(left[:, a] * right[:, b] + left[:, b] * right[:, a])
        D = left - right
        return np.asarray((D[:, a] - D[:, b]) ** 2)

    def _learned_from(self, A: FloatArray) -> tuple[IntArray, IntArray, BoolArray]:
        """Ends of the pairs, as rows of A, and whether they are joined: all edges, or as many as there is room for."""
        rows, columns = np.triu_indices(A.shape[0], 1)
        joined = A[rows, columns] > 0.0
        rng = np.random.default_rng(self.seed)
        edges, others = (rng.permutation(np.flatnonzero(which)) for which in (joined, ~joined))
        edges = edges[: max(MOST // (1 + self.negatives), 1)]
        chosen = np.concatenate([edges, others[: self.negatives * edges.size]])
        return rows[chosen], columns[chosen], joined[chosen]
