"""Several kernels of the same items made one, as a chain of steps: a weighted sum, or a pointwise product."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.gram.combine import LearnedSum, Product, WeightedSum
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.recipe import Later
from kernex_core.joint.regularize import check_weights, joint_regularize, several


def weighted_sum(
    kernels: Sequence[GramMatrix], weights: ArrayLike | None = None, *, from_labels: bool = False
) -> GramMatrix:
    """Σ β_m K_m, as a chain of steps that remembers every kernel.

    Parameters
    ----------
    kernels : sequence of GramMatrix
        At least one; of the same items in the same order.
    weights : (M,), optional
        β on the simplex; equal ones by default.
    from_labels : bool
        Whether the weights were made from labels of these items: accuracies of the sum are then a leak, and say so.

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
    made, so_far = used[0]
    for K, b in used[1:]:
        so_far += b
        made = made.then((LearnedSum if from_labels else WeightedSum)(K, min(b / so_far, 1.0)))
    if from_labels and len(used) == 1 < len(given):
        # one kernel chosen by the labels: another of weight 0 adds nothing, and carries the mark
        made = made.then(LearnedSum(next(K for K, b in zip(given, beta, strict=True) if b == 0.0), 0.0))
    return made


def joint_kernel(
    kernels: Sequence[GramMatrix],
    weights: Sequence[float],
    nugget: float = 0.1,
    name: str = "joint",
    *,
    from_labels: bool = False,
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
    from_labels : bool
        Whether the weights were made from labels of these items: accuracies are then a leak, and say so.

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
    beta = tuple(map(float, weights))
    origin = Later(
        "joint_kernel", (tuple(given), beta, nugget, name),
        imports=("from kernex_core.joint.combined import joint_kernel",),
    )  # fmt: skip
    values = joint_regularize(given, beta, nugget=nugget)
    K = GramMatrix(values, given[0].ids, name, origin, set_by_items=True)
    # a weight of 0 adds nothing, and carries the mark
    return K.then(LearnedSum(given[0], 0.0)) if from_labels else K


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
