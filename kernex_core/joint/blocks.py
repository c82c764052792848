"""Several kernels made one inside a fold: a weighted sum, a product, or the joint kernel fitted on the training block."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import pinvh

from kernex_core.errors import InvalidInputError
from kernex_core.extrapolation.hyperparameters import check_nugget
from kernex_core.frozen import FloatArray
from kernex_core.gram.split import Split
from kernex_core.joint.regularize import check_weights, parallel_sum_of
from kernex_core.parameters import check_choice


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
    >>> from kernex_core.joint.blocks import combined_blocks
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
