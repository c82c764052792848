"""Columns of chosen nodes in networks of any size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.adjacency import Links
from kernex_core.gram.positions import as_positions
from kernex_core.kernels.networks.common_neighbours import CommonNeighbours
from kernex_core.kernels.networks.network_kernel import TOLERANCE, NetworkKernel
from kernex_core.parameters import check_range


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
