"""The kernels that weights are learned for: matrices that are given, or sums of features that are never multiplied out.

Whatever learns weights asks two things of them: the weighted sum, and a'K_m a for every kernel at once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

import numpy as np
from scipy import sparse

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.base.parameters import check_choice
from kernex_core.base.validation import (
    as_matrix,
    as_symmetric,
    check_digits_kept,
    check_size,
    largest_size,
    power_of_ten,
)
from kernex_core.gram.normalize import Center, CosineNormalize
from kernex_core.gram.split import Split


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


# Kernels put on one scale before they are weighed: without it a larger kernel gets weight for its size alone.

NORMALISATIONS: Final = {
    "none": "as they are",
    "mean": "each divided by its mean self-similarity",
    "cosine": "each item of length 1",
    "centred": "each centred, then divided by its mean self-similarity: its variance",
}
"""What is done to every kernel first, by name."""


def normalised(blocks: Split, how: str) -> tuple[Split, float]:
    """One kernel normalised by what its training block says, and what its similarities were divided by in the end.

    Parameters
    ----------
    blocks : Split
    how : {"none", "mean", "cosine", "centred"}

    Raises
    ------
    InvalidInputError
        Another name, or a kernel without self-similarity.
    """
    check_choice("The normalisation", how, tuple(NORMALISATIONS))
    if how in ("cosine", "centred"):
        fitted = (CosineNormalize() if how == "cosine" else Center()).fit(blocks.K_train)
        crossed = fitted.apply_cross(blocks.K_cross, blocks.diag_test)
        blocks = replace(
            blocks, K_train=fitted.apply(blocks.K_train), K_cross=crossed.values, diag_test=crossed.diag
        )
    if how in ("none", "cosine"):
        return blocks, 1.0
    unit = float(np.diag(blocks.K_train).mean())
    if unit <= 0.0:
        raise InvalidInputError(
            "A kernel needs self-similarities above 0 to be put on a scale", f"mean {unit:g}", "Leave it out"
        )
    return (
        replace(
            blocks,
            K_train=blocks.K_train / unit,
            K_cross=blocks.K_cross / unit,
            diag_test=blocks.diag_test / unit,
        ),
        unit,
    )


def normalised_alone(K: FloatArray, how: str) -> tuple[FloatArray, float]:
    """The same of a kernel without new items."""
    empty = Split(K, np.zeros((0, len(K))), np.zeros(0))
    made, unit = normalised(empty, how)
    return made.K_train, unit
