"""Joint regularization of any number of kernels: (Σ β_i K_i^-1)^-1."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from types import MappingProxyType
from typing import overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import pinvh

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.base.parameters import check_choice
from kernex_core.base.validation import EPS, as_matrix, as_numbers, as_symmetric, check_kernel
from kernex_core.completion.approximation import Constraint, approximate
from kernex_core.completion.extrapolate import check_nugget
from kernex_core.gram.combine import BroughtSum, JointPath, LearnedSum, Product, WeightedSum, path_of
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call
from kernex_core.gram.seen import BROUGHT, ITEMS, LABELS, PAIR, Seen, marked, seen_of, tells
from kernex_core.gram.split import Split


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


# Several kernels of the same items made one, as a chain of steps: a weighted sum, or a pointwise product.

_SUMS = {PAIR: WeightedSum, LABELS: LearnedSum, BROUGHT: BroughtSum}


def weighted_sum(
    kernels: Sequence[GramMatrix], weights: ArrayLike | None = None, *, from_labels: bool | None = None
) -> GramMatrix:
    """Σ β_m K_m, as a chain of steps that remembers every kernel, and what its weights have seen.

    Parameters
    ----------
    kernels : sequence of GramMatrix
        At least one; of the same items in the same order.
    weights : (M,), optional
        β on the simplex; equal ones by default. Those of `mkl`, `alignment_weights` and `judge_many` know that they
        were learned from labels: accuracies of the sum are then a leak, and say so.
    from_labels : bool, optional
        Of other weights that are not equal nobody knows what they saw, and accuracies say that too, unless it is said
        here: True of weights that labels made, False of weights that somebody chose without them.

    Raises
    ------
    InvalidInputError
        Weights off the simplex, or kernels of other items.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import GramMatrix, weighted_sum
    >>> kernels = [GramMatrix(size * np.eye(2)) for size in (1.0, 2.0, 4.0)]
    >>> weighted_sum(kernels, [0.5, 0.25, 0.25]).values.tolist()
    [[2.0, 0.0], [0.0, 2.0]]
    """
    given = _same_items(kernels)
    beta = check_weights([1.0 / len(given)] * len(given) if weights is None else weights, len(given)).tolist()
    used = [(K, b) for K, b in zip(given, beta, strict=True) if b > 0.0]
    seen = seen_by_weights(weights, beta, from_labels)
    made, so_far = used[0]
    for K, b in used[1:]:
        so_far += b
        made = made.then(_SUMS[seen](K, min(b / so_far, 1.0)))
    if seen != PAIR and len(used) == 1 < len(given):
        # one kernel that was chosen: another of weight 0 adds nothing, and carries the mark
        made = made.then(_SUMS[seen](next(K for K, b in zip(given, beta, strict=True) if b == 0.0), 0.0))
    return made


def joint_kernel(
    kernels: Sequence[GramMatrix],
    weights: ArrayLike,
    nugget: float = 0.1,
    name: str = "joint",
    from_labels: bool | None = None,
) -> GramMatrix:
    """(Σ β_m (K_m + ρI)⁻¹)⁻¹, which remembers every kernel; see `joint_regularize`.

    Built on all items: accuracies of it are transductive.

    Parameters
    ----------
    kernels : sequence of GramMatrix
        At least one; of the same items in the same order.
    weights : (M,)
        β on the simplex.
    nugget : float
        ρ >= 0.
    name : str
    from_labels : bool, optional
        See `weighted_sum`.

    Raises
    ------
    InvalidInputError
        Weights off the simplex, or kernels of other items.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core.completion.joint import joint_kernel
    >>> kernels = [GramMatrix(np.diag([1.0, 2.0])), GramMatrix(np.diag([3.0, 2.0]))]
    >>> joint_kernel(kernels, (0.5, 0.5), 0.0).values.diagonal().round(6).tolist()
    [1.5, 2.0]
    """
    given = _same_items(kernels)
    beta = tuple(check_weights(weights, len(given)).tolist())
    weighed = seen_by_weights(weights, beta, from_labels)
    said = () if weighed == BROUGHT else (weighed == LABELS,)
    origin = call(name, "regularized_kernel", tuple(given), beta, nugget, name, *said)
    values = joint_regularize(given, beta, nugget=nugget)
    seen = seen_of(*given) | ITEMS | weighed
    return GramMatrix(values, given[0].ids, name, origin, seen)


def pointwise_product(kernels: Sequence[GramMatrix]) -> GramMatrix:
    """Π_m K_m, entry by entry, as a chain of steps that remembers every kernel.

    Parameters
    ----------
    kernels : sequence of GramMatrix
        At least one; of the same items in the same order.

    Raises
    ------
    InvalidInputError
        Kernels of other items.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import GramMatrix, pointwise_product
    >>> pointwise_product([GramMatrix(size * np.eye(2)) for size in (1.0, 2.0, 4.0)]).values.tolist()
    [[8.0, 0.0], [0.0, 8.0]]
    """
    given = _same_items(kernels)
    return reduce(lambda made, K: made.then(Product(K)), given)


def _same_items(kernels: Sequence[GramMatrix]) -> list[GramMatrix]:
    given = several(kernels)
    made = [K for K in given if isinstance(K, GramMatrix)]
    if len(made) < len(given) or len({K.ids for K in made}) > 1:
        raise InvalidInputError(
            "Kernels that are combined have to be GramMatrix(...) about the same items in the same order",
            f"{len(given)} kernels that are not",
            "Align them by their ids: align(...)",
        )
    return made


# The joint kernel of two kernels for every weight λ, from one decomposition (Kernel extrapolation, section 3).


def joint_path(A: GramMatrix | ArrayLike, T: GramMatrix | ArrayLike, *, nugget: float = 0.1) -> JointPath:
    """Decompose two kernels on the same items once, for every λ.

    λ weights the inverse of the first (source), 1 − λ that of the second (target).

    Parameters
    ----------
    A, T : (n, n)
        Positive semidefinite; cosine-normalised by convention.
    nugget : float
        ρ >= 0 added to both diagonals.

    Raises
    ------
    InvalidInputError
        Shapes that differ, unknown entries, or two zero kernels.
    NotPositiveSemidefiniteError
        Naming the repair.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import joint_path
    >>> path = joint_path(np.diag([1.0, 2.0]), np.diag([3.0, 2.0]), nugget=0.0)
    >>> [path.kernel(lam).round(6).diagonal().tolist() for lam in (0.0, 0.5, 1.0)]
    [[3.0, 2.0], [1.5, 2.0], [1.0, 2.0]]
    """
    nugget = check_nugget(nugget)
    first, second = as_symmetric(A, "The first kernel"), as_symmetric(T, "The second kernel")
    if first.shape != second.shape:
        raise InvalidInputError(
            "Both kernels have to be about the same items", f"{first.shape[0]} and {second.shape[0]} items"
        )
    # the nugget would hide what is indefinite
    first = check_kernel(first, "The first kernel", given=A)
    second = check_kernel(second, "The second kernel", given=T)
    for own in (first, second):  # both were made here
        own[np.diag_indices_from(own)] += nugget
    return path_of(first, second)


# Several kernels made one inside a fold: a weighted sum, a product, or the joint kernel fitted on the training block.


def combined_blocks(parts: Sequence[Split], weights: ArrayLike, *, kind: str, nugget: float = 0.1) -> Split:
    """Make one kernel of several, from their blocks of the same training and test items alone.

    Sum and product are made entry by entry, so that a fold cannot see more than the entry. The joint kernel of the
    training items is (Σ β_m (K_m + ρI)⁻¹)⁻¹; test items reach it through the weighted mean K₊ = Σ β_m K_m, as in Kernel
    extrapolation 5.3: w(x) = (K₊ + ρI)⁻¹ k₊(x), k(x, ·) = w(x)' J, k(x, x) = w(x)' J w(x).

    Parameters
    ----------
    parts : sequence of Split
        At least one; positive semidefinite.
    weights : (M,)
        β on the simplex; a product has none.
    kind : {"weighted sum", "joint", "product"}
    nugget : float
        ρ >= 0 of the joint kernel.

    Raises
    ------
    InvalidInputError
        No blocks, another kind, or weights off the simplex.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core.gram.split import cut_blocks
    >>> from kernex_core.completion.joint import combined_blocks
    >>> train, test = np.array([0, 1]), np.array([2])
    >>> parts = [cut_blocks(size * np.ones((3, 3)), train, test) for size in (1.0, 3.0)]
    >>> combined_blocks(parts, (0.5, 0.5), kind="product").K_cross.tolist()
    [[3.0, 3.0]]
    """
    check_choice("A combination", kind, tuple(KINDS))
    if not parts:
        raise InvalidInputError("At least one kernel is needed", "none")
    combine = KINDS[kind]
    return combine(parts, check_weights(weights, len(parts)), check_nugget(nugget))


def _summed(parts: Sequence[Split], beta: FloatArray, nugget: float) -> Split:
    def of(name: str) -> FloatArray:
        made: FloatArray = np.zeros_like(getattr(parts[0], name))
        for weight, part in zip(beta, parts, strict=True):
            if weight > 0.0:
                made += weight * getattr(part, name)
        return made

    return Split(of("K_train"), of("K_cross"), of("diag_test"))


def _multiplied(parts: Sequence[Split], beta: FloatArray, nugget: float) -> Split:
    def of(name: str) -> FloatArray:
        return np.asarray(reduce(np.multiply, [getattr(part, name) for part in parts]))

    return Split(of("K_train"), of("K_cross"), of("diag_test"))


def _joined(parts: Sequence[Split], beta: FloatArray, nugget: float) -> Split:
    ridge = nugget * np.eye(len(parts[0].K_train))
    J = parallel_sum_of([part.K_train + ridge for part in parts], beta)
    mean = _summed(parts, beta, nugget)
    W = mean.K_cross @ pinvh(mean.K_train + ridge)
    K_cross = W @ J
    return Split(J, K_cross, np.asarray((K_cross * W).sum(axis=1)))


KINDS: Mapping[str, Callable[[Sequence[Split], FloatArray, float], Split]] = MappingProxyType(
    {"weighted sum": _summed, "joint": _joined, "product": _multiplied}
)
"""Ways to make one kernel of several, by name."""
