"""Which values an unknown entry of a kernel may take: the others leave an interval, often a short one.

completions(K, 0, 2)       lowest and highest k(0, 2) with which K stays positive semidefinite
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.validation import as_symmetric, check_kernel


def completions(K: ArrayLike, i: int, j: int) -> tuple[float, float]:
    """Return the ends of the interval of k(i, j) with which a kernel stays one, whatever stands there now.

    With the other items R: K[i, R] K[R, R]^+ K[R, j] ± sqrt(s_i s_j), where s_x = k(x, x) − K[x, R] K[R, R]^+ K[R, x] is
    what R does not explain of x (Schur complement; Grone, Johnson, Sá and Wolkowicz 1984).

    Parameters
    ----------
    K : (n, n)
        A similarity of which only the pair i, j is unknown.
    i, j : int
        Two items.

    Raises
    ------
    InvalidInputError
        The same item twice, an unknown entry elsewhere, or entries that no value of this one makes a kernel.
    """
    if i == j:
        raise InvalidInputError("Two different items", f"item {i} twice")
    matrix = np.array(K, dtype=np.float64)
    matrix[i, j] = matrix[j, i] = 0.0
    matrix = as_symmetric(matrix, "The kernel")
    rest = [k for k in range(matrix.shape[0]) if k not in (i, j)]
    for alone in (i, j):
        check_kernel(np.delete(np.delete(matrix, alone, 0), alone, 1), "The kernel without one of the pair")
    W = np.linalg.pinv(matrix[np.ix_(rest, rest)], hermitian=True)
    middle = float(matrix[i, rest] @ W @ matrix[rest, j])
    left = [matrix[x, x] - float(matrix[x, rest] @ W @ matrix[rest, x]) for x in (i, j)]
    half = math.sqrt(max(left[0], 0.0) * max(left[1], 0.0))
    return middle - half, middle + half
