"""Kernels on vertices with mixed attributes through landmarks: joint for every λ, and the kernels that it is compared with.

Literally, on the whole population, the spaces of both kernels share at most constants and the joint kernel vanishes. With
landmarks Z and k+ = (k1 + k2) / 2 a vertex x is

    w(x) = (k+(Z, Z) + ρI)^-1 k+(Z, x),

and a Gram matrix M on the landmarks gives the kernel w(x)' M w(x'), cosine-normalised. Every kernel goes this way, with the
same landmarks, the same w and the same nugget:

    joint(λ)   M = (λ (K1 + ρI)^-1 + (1 - λ) (K2 + ρI)^-1)^-1
    Gaussian   M = K1 + ρI                linear    M = K2 + ρI
    sum        M = (K1 + K2) / 2 + ρI     product   M = K1 * K2 + ρI

so that joint(1) is the Gaussian kernel and joint(0) the linear one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from kernex_core.errors import InvalidInputError
from kernex_core.extrapolation.hyperparameters import check_nugget
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.parallel_sum import JointPath, path_of
from kernex_core.joint.nodes.attributes import NodeAttributes, check_sigma, unit_rows
from kernex_core.kernels.graphs.walks_over_nodes import NodeStrip
from kernex_core.kernels.vectors.distance import median_distance
from kernex_core.parameters import check_choice

COMBINED: Final[Mapping[str, Callable[[FloatArray, FloatArray], FloatArray]]] = {
    "Gaussian": lambda K1, K2: K1,
    "linear": lambda K1, K2: K2,
    "sum": lambda K1, K2: (K1 + K2) / 2.0,
    "product": lambda K1, K2: K1 * K2,
}
"""Kernels of two that the joint one is compared with, by name."""


@dataclass(frozen=True, eq=False)
class NodeKernels(ReadOnlyArrays):
    """Two kernels on the vertices, decomposed once on the landmarks for every λ.

    Attributes
    ----------
    attributes : NodeAttributes
    sigma, nugget : float
        Width of the Gaussian kernel, and ρ.
    Z : (n,) int
        Landmarks.
    K1, K2 : (n, n) float
        Gaussian and linear kernel on the landmarks, without the nugget.
    W : (n, N) float
        w(x) of every vertex.
    path : JointPath
        Of K1 + ρI (weighted by λ) and K2 + ρI (by 1 - λ).
    """

    attributes: NodeAttributes
    sigma: float
    nugget: float
    Z: IntArray
    K1: FloatArray
    K2: FloatArray
    W: FloatArray
    path: JointPath

    def joint(self, lam: float) -> FloatArray:
        """(N, r) features of length 1 whose products are the joint kernel at λ.

        Raises
        ------
        InvalidInputError
            Unless 0 <= λ <= 1.
        """
        return self._features(self.path.F * np.sqrt(self.path.scale(lam)))

    def combined(self, name: str) -> FloatArray:
        """(N, n) features of length 1 of a kernel of COMBINED, with the same landmarks, w and nugget."""
        check_choice("A kernel on vertices", name, tuple(COMBINED))
        M = COMBINED[name](self.K1, self.K2) + self.nugget * np.eye(self.Z.size)
        values, V = np.linalg.eigh(M)
        return self._features(V * np.sqrt(np.maximum(values, 0.0)))

    def _features(self, root: FloatArray) -> FloatArray:
        """Features of M = root root'; a vertex that w does not reach has none."""
        return unit_rows(self.W.T @ root)

    def plain_strip(self, name: str) -> NodeStrip:
        """The kernel of COMBINED as it is: on all vertices, without landmarks and nugget."""
        check_choice("A kernel on vertices", name, tuple(COMBINED))
        of = self.attributes

        def strip(first: int, end: int) -> FloatArray:
            rows, columns = slice(first, end), slice(first, None)
            return COMBINED[name](of.gaussian(rows, columns, self.sigma), of.linear(rows, columns))

        return strip


def strip_of(features: FloatArray) -> NodeStrip:
    """Similarities of vertices from features (N, r), a strip at a time."""
    return lambda first, end: np.asarray(features[first:end] @ features[first:].T)


def node_kernels(
    attributes: NodeAttributes, Z: IntArray, *, sigma: float | None = None, nugget: float = 0.1
) -> NodeKernels:
    """Describe every vertex by landmarks, and decompose both kernels on them.

    Parameters
    ----------
    attributes : NodeAttributes
    Z : (n,) int
        Different vertices.
    sigma : float, optional
        Width, in the unit of the continuous attributes; None: the median distance between two landmarks.
    nugget : float
        ρ > 0: without it the two kernels have next to nothing in common.

    Raises
    ------
    InvalidInputError
        No landmarks, a width or a nugget that is not above 0.
    """
    if Z.size == 0:
        raise InvalidInputError("At least one landmark is needed", "none")
    rho = check_nugget(nugget)
    if rho == 0.0:
        raise InvalidInputError(
            "The nugget ρ of kernels on vertices has to be above 0",
            "0",
            "Without it the spaces of both kernels share at most constants, and the joint kernel vanishes",
        )
    width = check_sigma(median_distance(attributes.continuous[Z]) if sigma is None else sigma)
    everything = slice(None)
    K1, K2 = attributes.gaussian(Z, Z, width), attributes.linear(Z, Z)
    ridge = rho * np.eye(Z.size)
    both = (attributes.gaussian(Z, everything, width) + attributes.linear(Z, everything)) / 2.0
    W = cho_solve(cho_factor((K1 + K2) / 2.0 + ridge), both)
    return NodeKernels(attributes, width, rho, Z, K1, K2, np.asarray(W), path_of(K1 + ridge, K2 + ridge))
