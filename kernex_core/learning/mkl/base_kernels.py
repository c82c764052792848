"""The kernels that weights are learned for: matrices that are given, or sums of features that are never multiplied out.

Whatever learns weights asks two things of them: the weighted sum, and a'K_m a for every kernel at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy import sparse

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.magnitude import check_digits_kept, power_of_ten
from kernex_core.symmetry import largest_size
from kernex_core.validation import as_matrix, as_symmetric, check_size


class BaseKernels(Protocol):
    """M kernels of the same n items."""

    @property
    def n_items(self) -> int:
        """Number of items n."""

    @property
    def n_kernels(self) -> int:
        """Number of kernels M."""

    def weighted(self, weights: FloatArray) -> FloatArray:
        """(n, n) sum of the kernels, each times its weight (M,); an array of the caller's own."""

    def quadratic(self, a: FloatArray) -> FloatArray:
        """(M,) q_m = a'K_m a for a (n,)."""


@dataclass(frozen=True, eq=False)
class KernelStack(ReadOnlyArrays):
    """Kernels that are given as matrices.

    Attributes
    ----------
    values : (M, n, n) float
        Symmetric; that they are positive semidefinite is the caller's word.
    """

    values: FloatArray

    def __post_init__(self) -> None:
        if np.ndim(self.values) != 3 or len(self.values) == 0:
            raise InvalidInputError("A stack of kernels has shape (M, n, n)", str(np.shape(self.values)))
        made = [as_symmetric(K, f"Kernel {m + 1}") for m, K in enumerate(self.values)]
        object.__setattr__(self, "values", np.stack(made))
        super().__post_init__()

    @property
    def n_items(self) -> int:
        """See BaseKernels."""
        return int(self.values.shape[1])

    @property
    def n_kernels(self) -> int:
        """See BaseKernels."""
        return int(self.values.shape[0])

    def weighted(self, weights: FloatArray) -> FloatArray:
        """See BaseKernels; kernels of weight 0 cost nothing."""
        used = np.flatnonzero(weights)
        return np.asarray(np.tensordot(weights[used], self.values[used], axes=1))

    def quadratic(self, a: FloatArray) -> FloatArray:
        """See BaseKernels."""
        return np.asarray((self.values @ a) @ a)


@dataclass(frozen=True, eq=False)
class FeatureGroups(ReadOnlyArrays):
    """One linear kernel a group of features: K_m = Σ_{j in m} x_j x_j', of rank at most the size of the group.

    Attributes
    ----------
    X : (n, p) float
        Features in the columns.
    members : (p, M) scipy.sparse.csr_array
        1 where feature j is in group m. Groups may overlap; the identity is one kernel a feature.
    """

    X: FloatArray
    members: sparse.csr_array

    def __post_init__(self) -> None:
        object.__setattr__(self, "X", check_size(as_matrix(self.X, "X"), "X"))
        check_digits_kept(
            2.0 * power_of_ten(largest_size(self.X)), "The kernel of features", "Standardise them first"
        )
        given: Any = self.members
        object.__setattr__(self, "members", sparse.csr_array(given, dtype=np.float64))
        if self.members.shape[0] != self.X.shape[1] or self.members.shape[1] == 0:
            raise InvalidInputError(
                f"Groups need a row for each of {self.X.shape[1]} features, and at least one column",
                f"shape {self.members.shape}",
            )
        super().__post_init__()

    @property
    def n_items(self) -> int:
        """See BaseKernels."""
        return int(self.X.shape[0])

    @property
    def n_kernels(self) -> int:
        """See BaseKernels."""
        return int(self.members.shape[1])

    def weighted(self, weights: FloatArray) -> FloatArray:
        """See BaseKernels: X diag(w) X', w_j the summed weight of the groups of feature j."""
        w = self.members @ weights
        used = np.flatnonzero(w)
        part = self.X[:, used]
        return np.asarray((part * w[used]) @ part.T)

    def quadratic(self, a: FloatArray) -> FloatArray:
        """See BaseKernels."""
        slopes = self.X.T @ a
        return np.asarray(self.members.T @ (slopes * slopes))

    def coefficients(self, weights: FloatArray, a: FloatArray) -> FloatArray:
        """(p,) β of the linear function X β = K_weights a."""
        return np.asarray((self.members @ weights) * (self.X.T @ a))
