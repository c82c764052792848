"""Several kernels of the same items made one, as a chain of steps: a weighted sum, or a pointwise product."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.gram.combine import BroughtSum, LearnedSum, Product, WeightedSum
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call
from kernex_core.gram.seen import BROUGHT, ITEMS, LABELS, PAIR, seen_of
from kernex_core.joint.regularize import check_weights, joint_regularize, seen_by_weights, several

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
    >>> from kernex_core.joint.combined import joint_kernel
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
