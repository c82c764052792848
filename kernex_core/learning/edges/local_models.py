"""One support vector machine a known gene (Bleakley, Biau and Vert, Bioinformatics 2007)."""

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

PARTS: Final = 5
"""Into which the other genes of a known gene are divided, where two known genes are scored."""


@dataclass(frozen=True)
class LocalModels(EdgeMethod):
    """One support vector machine a known gene.

    A pair of two known genes is scored where no gene is new: each of both genes scores the other by a machine that was not
    trained on their pair, nor on a fifth of its pairs with it, and the score is the mean of both (as by Bleakley, Biau and
    Vert for two machines that score one pair). A machine that was trained on a pair says back what it was told.
    """

    C: float = parameter(
        1.0, label="C", symbol="C", help="Cost of an edge on the wrong side; both classes weigh the same.",
        low=1e-6, high=1e6, logarithmic=True,
    )  # fmt: skip

    name: ClassVar[str] = "local"
    title: ClassVar[str] = "Local models"
    about: ClassVar[str] = (
        "For each known node a machine (C-SVM) learns which nodes are joined to it. Two new nodes get no score; two known "
        "ones the mean of both, each by a machine that left their pair out, with a fifth of its pairs."
    )
    formula: ClassVar[str] = r"s(i, x) = f_i(x), \quad f_i \text{ learned from row } i \text{ of } A"
    between_new: ClassVar[bool] = False
    tried: ClassVar[Mapping[str, tuple[float, ...]]] = {"C": (0.1, 1.0, 10.0)}

    def scores(self, kernel: KernelSide, network: NetworkSide) -> FloatArray:
        """See EdgeMethod."""
        return self._between_known(kernel, network) if kernel.test.size == 0 else self._new(kernel, network)

    def _new(self, kernel: KernelSide, network: NetworkSide) -> FloatArray:
        S, places = np.full(kernel.K.shape, np.nan), np.arange(kernel.train.size)
        for row, gene in enumerate(kernel.train.tolist()):
            values = self._of_one(kernel, network.A[row] > 0.0, np.delete(places, row), kernel.test)
            S[gene, kernel.test], S[kernel.test, gene] = values, values
        return S

    def _between_known(self, kernel: KernelSide, network: NetworkSide) -> FloatArray:
        S, places = np.full(kernel.K.shape, np.nan), np.arange(kernel.train.size)
        for row, gene in enumerate(kernel.train.tolist()):
            others = np.random.default_rng(3000 + row).permutation(np.delete(places, row))
            for part in range(min(PARTS, others.size)):
                asked = others[part::PARTS]
                learned = np.setdiff1d(others, asked)
                S[gene, kernel.train[asked]] = self._of_one(
                    kernel, network.A[row] > 0.0, learned, kernel.train[asked]
                )
        return np.asarray((S + S.T) / 2.0)

    def _of_one(
        self, kernel: KernelSide, joined: BoolArray, learned: IntArray, asked: IntArray
    ) -> FloatArray:
        """Decision values of genes by the machine of one gene, trained on the pairs with others at places `learned`."""
        y, genes = joined[learned], kernel.train[learned]
        edges, size = int(y.sum()), y.size
        if edges in (0, size):
            return np.full(asked.size, 1.0 if edges else -1.0)
        machine = balanced_machine(kernel.K[np.ix_(genes, genes)], y, self.C)
        return np.asarray(kernel.K[np.ix_(asked, genes)] @ machine.beta + machine.offset)
