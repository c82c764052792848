"""Best local alignment scores compiled by Numba; alignment.py imports this where pyopal does not serve."""

from __future__ import annotations

import numpy as np

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.jit import jit


@jit
def local_scores(
    numbers: IntArray, starts: IntArray, i: int, begin: int,
    S: FloatArray, opening: float, extending: float, out: FloatArray,
) -> None:  # fmt: skip
    """Fill `out` with the scores of string i to the strings from `begin` on."""
    # M[i,j] = S(x_i, y_j) + max(0, M, X, Y at [i-1,j-1]);  X[i,j] = max(M[i-1,j] - open, X[i-1,j] - extend);
    # Y[i,j] = max(M[i,j-1] - open, X[i,j-1] - open, Y[i,j-1] - extend). M, X, H hold row i - 1 until overwritten.
    s = numbers[starts[i] : starts[i + 1]]
    for target in range(out.size):
        t = numbers[starts[begin + target] : starts[begin + target + 1]]
        M = np.full(t.size, -np.inf)
        X = np.full(t.size, -np.inf)
        H = np.zeros(t.size)  # max(0, M, X, Y)
        best = 0.0
        for a in s:
            row = S[a]
            Y = -np.inf
            diagonal = 0.0
            m_left = x_left = -np.inf
            for j in range(t.size):
                x = max(M[j] - opening, X[j] - extending)
                Y = max(max(m_left, x_left) - opening, Y - extending)
                m = row[t[j]] + diagonal
                diagonal = H[j]
                M[j], X[j] = m, x
                H[j] = max(max(0.0, m), max(x, Y))
                m_left, x_left = m, x
                best = max(best, m)
        out[target] = best
