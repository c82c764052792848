"""Plain ways to fill a partly known kernel, shown beside every completion."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.validation import as_known, as_symmetric, check_kernel, psd_tolerance
from kernex_core.completion.extrapolate import Extrapolation
from kernex_core.gram.spectrum import decompose


def zero_fill(T_known: ArrayLike, known: ArrayLike, m: int) -> FloatArray:
    """Unknown similarities become 0, unknown self-similarities the mean known one. Positive semidefinite if T is.

    Parameters
    ----------
    T_known : (s, s)
    known : (m,) bool or (s,) int
    m : int

    Returns
    -------
    (m, m) float
    """
    T, S = as_symmetric(T_known, "T"), as_known(known, m)
    return _filled(T, S, m, 0.0)


def mean_fill(T_known: ArrayLike, known: ArrayLike, m: int) -> FloatArray:
    """Unknown similarities become the mean known one off the diagonal, self-similarities the mean known one.

    The result can be indefinite; it is clipped then, so that it can enter a learner. The u unknown items are alike, so that
    one vector, 1/√u on all of them, stands for them: vectors on them that sum to 0 have the eigenvalue d − mean >= 0.
    """
    T, S = as_symmetric(T_known, "T"), as_known(known, m)
    s, u = S.size, m - S.size
    mean = float((T.sum() - np.trace(T)) / (s * (s - 1))) if s > 1 else 0.0
    d = float(np.diag(T).mean())
    if u < 2 or d < mean:
        return _clipped(_filled(T, S, m, mean))
    alike = np.full((s + 1, s + 1), mean * np.sqrt(u))
    alike[:s, :s], alike[s, s] = T, d - mean + u * mean
    clipped = _clipped(alike)
    if clipped is alike:
        return _filled(T, S, m, mean)
    filled = np.full((m, m), (clipped[s, s] - (d - mean)) / u)
    filled[np.diag_indices(m)] += d - mean
    filled[S, :] = clipped[:s, s, None] / np.sqrt(u)
    filled[:, S] = filled[S, :].T
    filled[np.ix_(S, S)] = clipped[:s, :s]
    return filled


def nystroem(extrapolation: Extrapolation, K_source: ArrayLike) -> FloatArray:
    """The source itself, rebuilt from its rows of the known items: Phi' A^-1 Phi (Williams and Seeger 2001)."""
    source, others = as_symmetric(K_source, "The source kernel", shared=True), extrapolation.unknown
    K = source.copy()  # which it gives back in the rows of the known items
    K[extrapolation.known, extrapolation.known] += extrapolation.nugget
    inside = source[np.ix_(others, extrapolation.known)] @ extrapolation.weights
    K[np.ix_(others, others)] = (inside + inside.T) / 2.0
    return K


def _clipped(K: FloatArray) -> FloatArray:
    """`K` without its negative eigenvalues; `K` itself where they are rounding.

    One row beside a kernel adds at most one of them (Cauchy's interlacing): their vectors alone are made, a tenth of the
    time that all take.
    """
    found = decompose(K)
    values = found.eigenvalues
    below = np.flatnonzero(values < -psd_tolerance(len(K), float(np.abs(values).max())))
    if not below.size:
        return K
    vectors = np.column_stack([found.pair(int(place))[1] for place in below])
    made = K - (vectors * values[below]) @ vectors.T
    return np.asarray((made + made.T) / 2.0)


def _filled(T: FloatArray, S: IntArray, m: int, value: float) -> FloatArray:
    filled = np.full((m, m), value)
    np.fill_diagonal(filled, float(np.diag(T).mean()))
    filled[np.ix_(S, S)] = T
    return filled


# Which values an unknown entry of a kernel may take: the others leave an interval, often a short one.
#
# completions(K, 0, 2)       lowest and highest k(0, 2) with which K stays positive semidefinite


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
