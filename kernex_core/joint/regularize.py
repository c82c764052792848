"""Joint regularization of any number of kernels: (Σ β_i K_i^-1)^-1."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.extrapolation.approximation import Constraint, approximate
from kernex_core.extrapolation.hyperparameters import check_nugget
from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.parallel_sum import path_of
from kernex_core.gram.seen import BROUGHT, ITEMS, LABELS, PAIR, Seen, marked, seen_of, tells
from kernex_core.validation import EPS, as_matrix, as_numbers, as_symmetric, check_kernel


@dataclass(frozen=True, eq=False)
class FeatureJoint(ReadOnlyArrays):
    """Joint metric of several kernels on one feature map (Kernel extrapolation, section 3.4).

    Attributes
    ----------
    Q : (n, n) float
        (Σ β_i Q_i^-1)^-1, each Q_i by Lemma 1.
    Phi : (n, m) float
    """

    Q: FloatArray
    Phi: FloatArray

    @property
    def gram(self) -> FloatArray:
        """Phi' Q Phi, (m, m)."""
        K = self.Phi.T @ self.Q @ self.Phi
        return np.asarray((K + K.T) / 2.0)

    def extend(self, phi_new: ArrayLike) -> FloatArray:
        """Similarities (n_new, m) of new items to the old ones from their features (n_features, n_new)."""
        new = as_matrix(phi_new, "The features of new items")
        if new.shape[0] != self.Phi.shape[0]:
            raise InvalidInputError(f"New items need {self.Phi.shape[0]} features", f"{new.shape[0]}")
        return np.asarray(new.T @ self.Q @ self.Phi)


def several(kernels: Sequence[GramMatrix | ArrayLike]) -> list[GramMatrix | ArrayLike]:
    """Return the kernels as a list of at least one.

    Raises
    ------
    InvalidInputError
        No list of kernels, or an empty one.
    """
    if isinstance(kernels, str | bytes | GramMatrix) or not isinstance(kernels, Iterable):
        raise InvalidInputError("A list of kernels is needed", type(kernels).__name__, "Write [K_1, K_2]")
    given = list(kernels)
    if not given:
        raise InvalidInputError("At least one kernel is needed", "none")
    return given


def seen_by_weights(weights: ArrayLike | None, beta: ArrayLike, from_labels: bool | None = None) -> Seen:
    """What weights have seen: labels where they or their giver say so, nothing where they are equal, else who knows.

    Parameters
    ----------
    weights : (l,) or None
        As they were given; None = equal ones.
    beta : (l,)
        The same, checked.
    from_labels : bool, optional
        What their giver says.
    """
    if from_labels or seen_of(weights).labels:
        return LABELS
    return PAIR if from_labels is False or float(np.ptp(np.asarray(beta))) <= 1e-12 else BROUGHT


def check_weights(weights: ArrayLike, count: int) -> FloatArray:
    """Return weights that lie on the simplex, summing to 1 exactly.

    Raises
    ------
    InvalidInputError
        Wrong number, negative, not finite, or a sum other than 1.
    """
    beta = as_numbers(weights, "The weights")
    if beta.shape != (count,) or not np.isfinite(beta).all() or (beta < 0.0).any():
        raise InvalidInputError(f"There has to be one weight of at least 0 a kernel ({count})", str(beta))
    if abs(float(beta.sum()) - 1.0) > 1e-9:
        raise InvalidInputError("Weights have to sum to 1", f"{beta.sum():g}")
    return np.asarray(beta / beta.sum())


@overload
def joint_regularize(
    kernels: Sequence[GramMatrix | ArrayLike],
    weights: ArrayLike,
    *,
    nugget: float = 0.1,
    feature_map: None = None,
) -> FloatArray: ...
@overload
def joint_regularize(
    kernels: Sequence[GramMatrix | ArrayLike],
    weights: ArrayLike,
    *,
    nugget: float = 0.1,
    feature_map: ArrayLike,
) -> FeatureJoint: ...
def joint_regularize(
    kernels: Sequence[GramMatrix | ArrayLike],
    weights: ArrayLike,
    *,
    nugget: float = 0.1,
    feature_map: ArrayLike | None = None,
) -> FloatArray | FeatureJoint:
    """(Σ β_i (K_i + ρI)^-1)^-1 on common items (Joint regularization, Theorem 3; Kernel extrapolation, eq. 8).

    Folded pairwise by the parallel sum, which is associative. A weight of 0 is the limit of small weights: a positive
    definite kernel then does not count, a singular one (nugget 0) confines the result to its range.

    Parameters
    ----------
    kernels : sequence of (n, n)
        At least one; positive semidefinite.
    weights : (l,)
        β on the simplex.
    nugget : float
        ρ >= 0.
    feature_map : (n_features, m), optional
        Join the kernels' metrics on these features instead, so that new items can be reached: see `joint_features`.

    Raises
    ------
    InvalidInputError
        Weights off the simplex, or kernels on different items.
    NotPositiveSemidefiniteError
        Naming the kernel.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import joint_regularize
    >>> kernels = [np.diag([1.0, 2.0]), np.diag([3.0, 2.0])]
    >>> joint_regularize(kernels, [0.5, 0.5], nugget=0.0).diagonal().round(6).tolist()
    [1.5, 2.0]
    """
    if feature_map is not None:
        return joint_features(kernels, weights, feature_map, nugget=nugget)
    nugget = check_nugget(nugget)
    given = several(kernels)
    beta = check_weights(weights, len(given))
    matrices = [as_symmetric(K, f"Kernel {i + 1}") for i, K in enumerate(given)]
    if len({K.shape for K in matrices}) > 1:
        raise InvalidInputError(
            "All kernels have to be about the same items", str([K.shape[0] for K in matrices])
        )
    matrices = [
        check_kernel(K, f"Kernel {i + 1}", given=kernel)
        for i, (K, kernel) in enumerate(zip(matrices, given, strict=True))
    ]
    ridge = nugget * np.eye(matrices[0].shape[0])
    joint = parallel_sum_of([K + ridge for K in matrices], beta)
    if not tells(weights, *given):
        return joint
    return marked(joint, seen_of(*given) | ITEMS | seen_by_weights(weights, beta))


def joint_features(
    kernels: Sequence[GramMatrix | ArrayLike],
    weights: ArrayLike,
    feature_map: ArrayLike,
    *,
    nugget: float = 0.1,
    constraint: Constraint = "shear",
) -> FeatureJoint:
    """Approximate each kernel by Lemma 1 on one feature map and join the metrics: Q = (Σ β_i Q_i^-1)^-1.

    Parameters
    ----------
    kernels, weights, nugget
        As in `joint_regularize`.
    feature_map : (n_features, m)
    constraint : {"shear", "free"}
    """
    nugget = check_nugget(nugget)
    given = several(kernels)
    beta, Phi = check_weights(weights, len(given)), as_matrix(feature_map, "The feature map")
    ridge = nugget * np.eye(Phi.shape[1])
    metrics = [approximate(as_symmetric(K) + ridge, Phi, constraint=constraint).Q for K in given]
    return FeatureJoint(parallel_sum_of(metrics, beta), Phi)


def parallel_sum_of(matrices: Sequence[FloatArray], beta: FloatArray) -> FloatArray:
    """(Σ β_i K_i^-1)^-1 of matrices (n, n) that are known to be kernels, folded pairwise, and the limits of zero weights.

    Parameters
    ----------
    matrices : sequence of (n, n)
    beta : (l,)
        On the simplex.
    """
    counted = np.flatnonzero(beta > 0.0).tolist()
    joint, weight = matrices[counted[0]], float(beta[counted[0]])
    for i in counted[1:]:
        if joint.any():  # a joint kernel that has vanished stays 0
            joint = path_of(joint, matrices[i]).parallel(weight, float(beta[i]))
        weight = 1.0
    for i in np.flatnonzero(beta == 0.0).tolist():
        # as its weight goes to 0 a singular kernel still forbids everything outside its range: the short
        if joint.any() and _singular(matrices[i]):
            joint = path_of(matrices[i], joint).kernel(0.0)
    return np.asarray(joint)


def _singular(K: FloatArray) -> bool:
    eigenvalues = np.linalg.eigvalsh(K)
    return bool(eigenvalues[0] <= K.shape[0] * EPS * eigenvalues[-1])
