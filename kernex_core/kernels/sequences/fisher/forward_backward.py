"""Forward and backward over a profile HMM, compiled by Numba where it is installed; only those who sum over paths load this.

States: N and C emit what flanks the profile, B and E are silent; M_k, I_k and D_k match, insert and delete at place k.
All probabilities of letters are divided by the background's, so that N, I and C emit 1. Row i of a table holds the states
after i letters, divided by the largest of them; what is divided by is kept, and the backward pass divides by it, too.
"""

from __future__ import annotations

import numpy as np

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.jit import jit


@jit
def forward(
    x: IntArray, odds: FloatArray, begin: FloatArray, steps: FloatArray, loop: float,
    rows: FloatArray, flanks: FloatArray, divisors: FloatArray,
) -> float:  # fmt: skip
    """Fill the tables and return the logarithm of P(x) over that of the background, whose letters loop as the flanks do.

    Parameters
    ----------
    x : (L,) int
    odds : (K, q) float
    begin : (2,) float
        From B to M_1 and to D_1.
    steps : (K - 1, 7) float
        From place k: MM, MI, MD, IM, II, DM, DD.
    loop : float
        Of both flanks.
    rows : (L + 1, 3, K) float
        M, I and D; filled.
    flanks : (L + 1, 2) float
        N and C; filled.
    divisors : (L + 1,) float
        Filled.
    """
    last = odds.shape[0] - 1
    total = 0.0
    for i in range(x.size + 1):
        M, I, D = rows[i, 0], rows[i, 1], rows[i, 2]  # noqa: E741
        M[:] = 0.0
        I[:] = 0.0
        flanks[i, 0] = 1.0
        flanks[i, 1] = 0.0
        if i:
            before = rows[i - 1]
            a = x[i - 1]
            flanks[i, 0] = loop * flanks[i - 1, 0]
            flanks[i, 1] = loop * flanks[i - 1, 1]
            M[0] = odds[0, a] * begin[0] * (1.0 - loop) * flanks[i - 1, 0]
            for k in range(last):
                t = steps[k]
                m, ins, d = before[0, k], before[1, k], before[2, k]
                M[k + 1] = odds[k + 1, a] * (t[0] * m + t[3] * ins + t[5] * d)
                I[k] = t[1] * m + t[4] * ins
        D[0] = begin[1] * (1.0 - loop) * flanks[i, 0]
        for k in range(last):
            D[k + 1] = steps[k, 2] * M[k] + steps[k, 6] * D[k]
        flanks[i, 1] += M[last] + D[last]
        largest = max(flanks[i, 0], flanks[i, 1])
        for k in range(last + 1):
            largest = max(largest, max(M[k], max(I[k], D[k])))
        divisors[i] = largest
        rows[i] /= largest
        flanks[i] /= largest
        total += np.log(largest)
    if x.size:
        total -= x.size * np.log(loop)
    whole: float = total + np.log(flanks[x.size, 1] * (1.0 - loop))
    return whole


@jit
def expect(
    x: IntArray, odds: FloatArray, begin: FloatArray, steps: FloatArray, loop: float,
    rows: FloatArray, flanks: FloatArray, divisors: FloatArray,
    emitted: FloatArray, taken: FloatArray, begun: FloatArray,
) -> None:  # fmt: skip
    """Add the expected numbers of a string, after `forward`: letters of M_k, and transitions.

    Parameters
    ----------
    x, odds, begin, steps, loop, rows, flanks, divisors
        As `forward` took and filled them.
    emitted : (K, q) float
    taken : (K - 1, 7) float
    begun : (2,) float
    """
    L = x.size
    last = odds.shape[0] - 1
    M, I, D = np.zeros(last + 1), np.zeros(last + 1), np.zeros(last + 1)  # noqa: E741
    C = 1.0 - loop
    whole = flanks[L, 1] * C
    for i in range(L, -1, -1):
        # M, I, C are still those of row i + 1; `following` is what M emits there
        following = np.zeros(last + 1)
        if i < L:
            a = x[i]
            following[:] = odds[:, a] * M / divisors[i + 1]
            C = loop * C / divisors[i + 1]
            begun[0] += flanks[i, 0] * (1.0 - loop) * begin[0] * following[0] / whole
        inserted = I / divisors[i + 1] if i < L else I
        M, I, D = np.zeros(last + 1), np.zeros(last + 1), np.zeros(last + 1)  # noqa: E741
        M[last] = C
        D[last] = C
        here = rows[i]
        for k in range(last - 1, -1, -1):
            t = steps[k]
            matched, ins, deleted = following[k + 1], inserted[k], D[k + 1]
            M[k] = t[0] * matched + t[1] * ins + t[2] * deleted
            I[k] = t[3] * matched + t[4] * ins
            D[k] = t[5] * matched + t[6] * deleted
            taken[k, 0] += here[0, k] * t[0] * matched / whole
            taken[k, 1] += here[0, k] * t[1] * ins / whole
            taken[k, 2] += here[0, k] * t[2] * deleted / whole
            taken[k, 3] += here[1, k] * t[3] * matched / whole
            taken[k, 4] += here[1, k] * t[4] * ins / whole
            taken[k, 5] += here[2, k] * t[5] * matched / whole
            taken[k, 6] += here[2, k] * t[6] * deleted / whole
        begun[1] += here[2, 0] * D[0] / whole
        if i:
            emitted[:, x[i - 1]] += here[0] * M / whole
