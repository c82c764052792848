"""Common neighbours: the number of nodes that two nodes are both joined to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from scipy import sparse

from kernex_core.frozen import FloatArray
from kernex_core.gram.adjacency import Links, as_adjacency, degrees
from kernex_core.gram.seen import ITEMS, marked
from kernex_core.kernels.base import Progress, no_progress
from kernex_core.kernels.cost import Operations
from kernex_core.kernels.networks.network_kernel import NetworkKernel, Nodes
from kernex_core.kernels.networks.spectrum import NetworkSpectrum, Operator, check_decomposable
from kernex_core.magnitude import check_digits_kept, power_of_ten


@dataclass(frozen=True)
class CommonNeighbours(NetworkKernel):
    """Common neighbours, K = B²: the weights of two edges are multiplied, and added over the nodes between.

    Notes
    -----
    Vert, Kernel methods and computational biology, slides. The diagonal holds the sum of squared weights: without
    weights the degree.

    Examples
    --------
    >>> from kernex_core import CommonNeighbours
    >>> CommonNeighbours().gram([[0, 1, 1], [1, 0, 0], [1, 0, 0]]).tolist()
    [[2.0, 0.0, 0.0], [0.0, 1.0, 1.0], [0.0, 1.0, 1.0]]
    """

    title: ClassVar[str] = "Common neighbours"
    formula: ClassVar[str] = r"K=B^2"
    source: ClassVar[str] = "Vert, Kernel methods and computational biology, slides"
    cost: ClassVar[str] = "Σ d², d being the degrees"

    @property
    def operator(self) -> Operator:
        """See NetworkKernel."""
        return "adjacency"

    def weights(self, eigenvalues: FloatArray) -> FloatArray:
        """See NetworkKernel."""
        return np.asarray(eigenvalues**2)

    def adjacency(self, samples: Links, ids: Sequence[str] | None = None) -> sparse.csr_array:
        """See NetworkKernel; weights whose squares have lost their digits are refused."""
        B = super().adjacency(samples, ids)
        _check_squares(float(np.abs(B.data).max(initial=0.0)))
        return B

    def resolved_on(self, spectrum: NetworkSpectrum) -> Self:
        """See NetworkKernel."""
        _check_squares(spectrum.radius)
        return self

    def gram(self, samples: Nodes, *, progress: Progress = no_progress) -> FloatArray:
        """Similarities (n, n) among the nodes, exact where weights are whole numbers; nothing is decomposed."""
        if isinstance(samples, NetworkSpectrum):
            return super().gram(samples, progress=progress)
        B = self.adjacency(samples)
        check_decomposable(B.shape[0])
        K: FloatArray = (B @ B).toarray()
        progress(1.0)
        return marked((K + K.T) / 2.0, ITEMS)

    def operations(self, samples: Nodes) -> Operations:
        """See AbstractKernel."""
        if isinstance(samples, NetworkSpectrum):
            return super().operations(samples)
        B = as_adjacency(samples)
        edges = degrees(sparse.csr_array(abs(B).sign()))
        return {"entry": float(B.shape[0]) ** 2, "sparse entry": float((edges**2).sum())}


def _check_squares(size: float) -> None:
    check_digits_kept(
        2.0 * power_of_ten(size),
        "The common neighbours of a network",
        "Multiply all weights by a large number first",
    )
