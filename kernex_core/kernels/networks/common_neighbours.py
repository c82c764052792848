"""Common neighbours: the number of nodes that two nodes are both joined to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_range
from kernex_core.base.validation import check_digits_kept, power_of_ten
from kernex_core.gram.graph import Links, as_adjacency, degrees
from kernex_core.gram.matrix import as_positions
from kernex_core.gram.seen import ITEMS, marked
from kernex_core.kernels.base import Operations, Progress, no_progress
from kernex_core.kernels.networks.network_kernel import TOLERANCE, NetworkKernel, Nodes
from kernex_core.kernels.networks.spectrum import NetworkSpectrum, Operator, check_decomposable


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


# Columns of chosen nodes in networks of any size.


@dataclass(frozen=True, eq=False)
class ChosenColumns(ReadOnlyArrays):
    """Similarities of all nodes to a few.

    Attributes
    ----------
    nodes : (k,) int
    values : (n, k) float
    degree : int
        Of the polynomial of the network that they were computed by.
    error_bound : float
        No value is further from the kernel's than this, rounding apart.
    """

    nodes: IntArray
    values: FloatArray
    degree: int
    error_bound: float


def chosen_columns(
    kernel: NetworkKernel, adjacency: Links, nodes: ArrayLike, *, tolerance: float = TOLERANCE
) -> ChosenColumns:
    """Columns of a kernel at chosen nodes, without the whole matrix.

    Parameters
    ----------
    kernel : NetworkKernel
        Not the pseudo-inverse, which no polynomial of the network comes near in few steps.
    adjacency : Network, or (n, n)
        Dense or sparse, of any size.
    nodes : (k,) int or (n,) bool
    tolerance : float
        Error that is allowed, in units of the largest value that the kernel can have.

    Raises
    ------
    InvalidInputError
        See `NetworkKernel.adjacency`; a parameter beyond its bound.
    TooLargeError
        A parameter that needs too many products with the network.

    Notes
    -----
    exp(−τL) = Σ_j c_j T_j(I − L/s) with c_j = 2 e^(−τs) I_j(τs); what is cut off is at most Σ_{j>m} c_j.

    Examples
    --------
    >>> from kernex_core import Diffusion, chosen_columns
    >>> made = chosen_columns(Diffusion(tau=1.0), [[0, 1, 0], [1, 0, 1], [0, 1, 0]], [0])
    >>> made.values.round(4).ravel().tolist(), made.error_bound < 1e-12
    ([0.4678, 0.3057, 0.0999], True)
    """
    if not isinstance(kernel, NetworkKernel):
        raise InvalidInputError(
            "A kernel on the nodes of a network is needed", repr(kernel), "For example Diffusion(tau=1)"
        )
    check_range("The tolerance", tolerance, 0.0, open_low=True)
    B = kernel.adjacency(adjacency)
    at = as_positions(nodes, B.shape[0])
    if isinstance(kernel, CommonNeighbours):
        return ChosenColumns(at, np.asarray((B @ B[:, at]).toarray()), 2, 0.0)
    series = kernel.series(B, tolerance)
    return ChosenColumns(at, series.columns(at), series.coefficients.size - 1, series.bound)
