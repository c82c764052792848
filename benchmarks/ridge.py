"""Kernel ridge regression: a path of 100 λ with exact leave-one-out at n = 1,000, beside refitting.

Refitting means what there is without the identities: for every λ and every item left out a system of n − 1 equations; a few
are timed and the rest is reckoned. Beside it stands what a careful person would do without the eigendecomposition: one
factorisation and inverse for every λ.
"""

import time

import numpy as np
import threadpoolctl
from scipy.linalg import cho_factor, cho_solve

from kernex_core import kernel_ridge

N, LAMS, TIMED = 1_000, np.geomspace(1e-6, 1.0, 100), 5
GOAL = 50
"""Times longer that refitting has to take."""
SMALL = {"N": 60, "TIMED": 2}
"""What a test sets them to."""


def seconds(work):
    started = time.process_time()
    made = work()
    return time.process_time() - started, made


def refit(K, y, lam, item):
    others = np.delete(np.arange(N), item)
    block = K[np.ix_(others, others)] + N * lam * np.eye(N - 1)
    a = cho_solve(cho_factor(block, lower=True, overwrite_a=True, check_finite=False), y[others])
    return y[item] - K[item, others] @ a


def by_inverse(K, y, lam):
    inverse = np.linalg.inv(K + N * lam * np.eye(N))
    return (inverse @ y) / np.diag(inverse)


def main():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, 5))
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 10.0)
    y = np.sin(X[:, 0]) + 0.3 * rng.normal(size=N)
    kernel_ridge(K[:50, :50], y[:50], LAMS)
    path, made = seconds(lambda: kernel_ridge(K, y, LAMS))
    one, residuals = seconds(lambda: [refit(K, y, LAMS[50], item) for item in range(TIMED)])
    inverses, table = seconds(lambda: [by_inverse(K, y, lam) for lam in LAMS[::10]])
    refits = one / TIMED * N * LAMS.size
    print(f"n = {N:,}, {LAMS.size} λ, leave-one-out of every item; seconds of one processor")
    print(f"  path from one decomposition        {path:10.2f}")
    print(f"  an inverse for every λ (reckoned)  {inverses * 10:10.2f}   {inverses * 10 / path:10,.0f} times")
    reached = "reached" if refits / path >= GOAL else "MISSED"
    print(
        f"  refits (reckoned from {TIMED})           {refits:10.0f}   {refits / path:10,.0f} times (goal {GOAL}: {reached})"
    )
    print(
        f"  largest difference from refits     {np.abs(made.loo_residuals[50, :TIMED] - residuals).max():10.1e}"
    )
    print(f"  largest difference from inverses   {np.abs(made.loo_residuals[::10] - table).max():10.1e}")


if __name__ == "__main__":
    with threadpoolctl.threadpool_limits(1):
        main()
