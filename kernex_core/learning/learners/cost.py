"""Two ways to write how smooth a function has to be, λ = 1 / (2 n C), and the unit of a kernel in which it is chosen."""

from __future__ import annotations

import numpy as np

from kernex_core.frozen import FloatArray
from kernex_core.learning.folds import C_GRID
from kernex_core.parameters import check_range

SMOOTHEST_FIRST = tuple(sorted(C_GRID))
LARGEST_LAM = 1e100
"""Beyond it nλ may leave the range of numbers."""
LAM_GRID = (10.0, 1.0, 0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
"""λ that are chosen from inside folds, times the mean diagonal of the training block."""


def lam_of(C: float, n: int) -> float:
    """λ = 1 / (2 n C) of a cost C and n training items.

    Raises
    ------
    InvalidInputError
        C or n that is not above 0.

    Examples
    --------
    >>> lam_of(10.0, 50)
    0.001
    """
    return 1.0 / (2.0 * _count(n) * check_range("C", C, 1 / LARGEST_LAM, LARGEST_LAM))


def cost_of(lam: float, n: int) -> float:
    """C = 1 / (2 n λ) of a regularization λ and n training items.

    Raises
    ------
    InvalidInputError
        λ or n that is not above 0.

    Examples
    --------
    >>> cost_of(0.001, 50)
    10.0
    """
    return 1.0 / (2.0 * _count(n) * check_range("λ", lam, 1 / LARGEST_LAM, LARGEST_LAM))


def mean_diagonal(K: FloatArray) -> float:
    """Mean diagonal of a training block (n, n); 1 where it is not above 0, as of a kernel that says nothing.

    C over it and λ times it mean the same for K and for 1e-4 K.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core.learning.learners.cost import mean_diagonal
    >>> mean_diagonal(np.diag([1.0, 3.0])), mean_diagonal(np.zeros((2, 2)))
    (2.0, 1.0)
    """
    own = K.diagonal()
    largest = float(np.abs(own).max(initial=0.0))
    if not 0.0 < largest < np.inf:
        return 1.0
    # over the largest first: the sum of large ones may leave the range of numbers
    mean = largest * float((own / largest).mean())
    return mean if mean > 0.0 else 1.0


def _count(n: int) -> float:
    return check_range("The number of training items", n, 1, 1e12)
