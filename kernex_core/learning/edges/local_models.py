"""One support vector machine a known gene (Bleakley, Biau and Vert, Bioinformatics 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernex_core.frozen import BoolArray, FloatArray
from kernex_core.learning.edges.balanced import balanced_machine
from kernex_core.learning.edges.genes import KernelSide, NetworkSide
from kernex_core.learning.edges.methods import EdgeMethod
from kernex_core.parameters import parameter


@dataclass(frozen=True)
class LocalModels(EdgeMethod):
    """One support vector machine a known gene."""

    C: float = parameter(
        1.0, label="C", symbol="C", help="Cost of an edge on the wrong side; both classes weigh the same.",
        low=1e-6, high=1e6, logarithmic=True,
    )  # fmt: skip

    name: ClassVar[str] = "local"
    title: ClassVar[str] = "Local models"
    about: ClassVar[str] = (
        "For each known node a machine (C-SVM) learns which nodes are joined to it; two new nodes get no score."
    )
    formula: ClassVar[str] = r"s(i, x) = f_i(x), \quad f_i \text{ learned from row } i \text{ of } A"
    between_new: ClassVar[bool] = False
    between_known: ClassVar[bool] = False

    def scores(self, kernel: KernelSide, network: NetworkSide) -> FloatArray:
        """See EdgeMethod."""
        from sklearn import config_context  # slow to import

        S = np.full(kernel.K.shape, np.nan)
        # thousands of small machines: their checks would take most of the time
        with config_context(assume_finite=True, skip_parameter_validation=True):
            for row, gene in enumerate(kernel.train.tolist()):
                values = self._of_one(kernel, network.A[row] > 0.0, row)
                S[gene, kernel.test], S[kernel.test, gene] = values, values
        return S

    def _of_one(self, kernel: KernelSide, joined: BoolArray, row: int) -> FloatArray:
        others = np.delete(np.arange(kernel.train.size), row)
        y, genes = joined[others], kernel.train[others]
        edges, size = int(y.sum()), y.size
        if edges in (0, size):
            return np.full(kernel.test.size, 1.0 if edges else -1.0)
        machine = balanced_machine(kernel.K[np.ix_(genes, genes)], y, self.C)
        return np.asarray(kernel.K[np.ix_(kernel.test, genes)] @ machine.beta + machine.offset)
