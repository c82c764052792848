"""Weights by alignment: how much a kernel looks like the one that the labels make, and how alike kernels are.

Cristianini, Shawe-Taylor, Elisseeff and Kandola, NIPS 2001; centred, and with weights for all kernels together: Cortes,
Mohri and Rostamizadeh, Algorithms for learning kernels based on centered alignment, JMLR 2012.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import nnls

from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.gram.center import center
from kernex_core.gram.seen import from_labels
from kernex_core.learning.learners.contract import Targets
from kernex_core.learning.mkl.base_kernels import KernelStack
from kernex_core.learning.mkl.problem import Kernels, MklConfig, problem_of
from kernex_core.magnitude import unit_of
from kernex_core.parameters import check_choice
from kernex_core.validation import EPS

WAYS = ("each", "together")


@dataclass(frozen=True, eq=False)
class AlignmentWeights(ReadOnlyArrays):
    """Weights of several kernels by their alignment.

    Attributes
    ----------
    names : tuple of str
    weights : (M,) float
        At least 0, sum 1; equal ones where no kernel is aligned with the labels. It remembers that labels made it.
    with_labels : (M,) float
        ⟨HK_mH, TT'⟩ / (‖HK_mH‖ ‖TT'‖), −1 to 1, for the centred columns T of the targets.
    between : (M, M) float
        The same of every two kernels, 0 to 1.
    """

    names: tuple[str, ...]
    weights: FloatArray
    with_labels: FloatArray
    between: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", from_labels(self.weights))
        super().__post_init__()


def alignment_weights(
    kernels: Kernels, y: ArrayLike, *, way: str = "together", normalize: str = "none", numbers: bool = False
) -> AlignmentWeights:
    """Weigh kernels by their alignment with the labels.

    Parameters
    ----------
    kernels : mapping or sequence of (n, n)
        Positive semidefinite, of the same items.
    y : (n,)
        Classes; or numbers.
    way : {"each", "together"}
        In proportion to each kernel's own alignment; or the weights at which the sum of the kernels is aligned best.
    normalize : {"none", "mean", "cosine", "centred"}
        What is done to every kernel first.
    numbers : bool
        Whether y are numbers to be learned as such.

    Raises
    ------
    InvalidInputError
        Kernels or labels of other items, or one class.
    NotPositiveSemidefiniteError
        Naming the kernel.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import alignment_weights
    >>> x, noise = np.array([2.0, 1.0, -1.0, -2.0]), np.array([1.0, -1.0, 1.0, -1.0])
    >>> made = alignment_weights([np.outer(x, x), np.outer(noise, noise)], ["a", "a", "b", "b"])
    >>> made.weights.round(3).tolist(), made.with_labels.round(3).tolist()
    ([1.0, 0.0], [0.9, 0.0])
    """
    check_choice("The way", way, WAYS)
    problem = problem_of(kernels, y, MklConfig(loss="square" if numbers else "hinge", normalize=normalize))
    return aligned(problem.stack, problem.targets, problem.names, way)


def aligned(stack: KernelStack, targets: Targets, names: tuple[str, ...], way: str) -> AlignmentWeights:
    """The same of kernels that are normalised; see `alignment_weights`."""
    scales = np.array([unit_of(K) for K in stack.values])
    given = stack.values / scales[:, None, None]
    centred = np.array([center(K) for K in given])
    sizes = np.sqrt((centred * centred).sum(axis=(1, 2)))
    flat = sizes <= EPS * stack.n_items * np.abs(given).max(axis=(1, 2))
    units = np.where(flat, 1.0, sizes)
    unit = np.where(flat[:, None, None], 0.0, centred / units[:, None, None])
    T = targets.columns - targets.columns.mean(axis=0)
    size = float(np.linalg.norm(T.T @ T))  # 0 of numbers that are all the same
    with_labels = np.einsum("ik,mij,jk->m", T, unit, T, optimize=True) / (size or 1.0)
    rows = unit.reshape(len(unit), -1)
    between = rows @ rows.T
    if way == "each":
        weights = np.maximum(with_labels, 0.0)
    else:
        values, vectors = np.linalg.eigh(between)
        kept = values > len(values) * EPS * values.max(initial=0.0)
        root = np.sqrt(values[kept])[:, None] * vectors[:, kept].T
        weights = (
            nnls(root, root @ np.linalg.pinv(between) @ with_labels)[0]
            if kept.any()
            else np.zeros(len(values))
        )
        weights = weights / units * (scales.min() / scales)  # for the kernels as they are, not at length 1
    total = float(weights.sum())
    weights = weights / total if total > 0.0 else np.full(len(weights), 1.0 / len(weights))
    return AlignmentWeights(names, weights, with_labels, between)
