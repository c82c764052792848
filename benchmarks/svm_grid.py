"""Support vector machines of the grid of Tables 1 and 2, and one cross-validation, against scikit-learn.

    python -m benchmarks.svm_grid

1,350 fits: 2 folds x 9 classes x 5 repetitions x 5 values of lambda x 3 missing fractions, at n = 206. Both sides run
in this process on the same blocks, one after the other, with one BLAS thread; ratios are of medians.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

import numpy as np
import threadpoolctl

from kernex_core.gram.matrix import GramMatrix
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation, make_folds
from kernex_core.learning.machine import OneVsRest, fit_one_vs_rest, warm_up

T = TypeVar("T")
SIZES = (58, 38, 30, 22, 16, 13, 11, 10, 8)
C = 10.0
MOST_REPEATS = 9
SMALL = {"SIZES": (8, 7, 6), "MOST_REPEATS": 1}
"""What a test sets them to."""


def kernels() -> tuple[list[np.ndarray], np.ndarray]:
    """Fifteen kernels on 206 items in nine classes, a path from one to another as lambda moves."""
    rng = np.random.default_rng(0)
    codes = np.repeat(np.arange(len(SIZES)), SIZES)
    made = []
    for noise in (1.0, 1.2, 1.4):
        X = rng.normal(size=(len(SIZES), 20))[codes] + noise * rng.normal(size=(codes.size, 20))
        Z = X + 0.5 * rng.normal(size=X.shape)
        one, two = (gaussian(values) for values in (X, Z))
        made += [lam * two + (1.0 - lam) * one for lam in (0.1, 0.25, 0.5, 0.75, 0.9)]
    return made, codes


def gaussian(X: np.ndarray) -> np.ndarray:
    squared = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    return np.exp(-squared / np.median(squared)) + 0.1 * np.eye(X.shape[0])


def blocks(
    made: list[np.ndarray], codes: np.ndarray
) -> list[list[tuple[np.ndarray, np.ndarray, np.ndarray]]]:
    """Per fold: (K_train, K_cross, training codes) of each kernel, so that neighbours can start from each other."""
    folds = make_folds(codes, CrossValidation(folds=2, repeats=5))
    return [
        [(K[np.ix_(f.train, f.train)], K[np.ix_(f.test, f.train)], codes[f.train]) for K in made]
        for f in folds
    ]


def ours(grid: list, *, warm: bool, threads: int) -> list[np.ndarray]:
    def one(fold: list) -> list[np.ndarray]:
        start: OneVsRest | None = None
        found = []
        for K_train, K_cross, y in fold:
            fitted = fit_one_vs_rest(K_train, y, len(SIZES), C=C, checked=True, start=start)
            start = fitted if warm else None
            found.append(fitted.decide(K_cross))
        return found

    if threads == 1:
        return [decisions for fold in grid for decisions in one(fold)]
    with ThreadPoolExecutor(threads) as pool:
        return [decisions for found in pool.map(one, grid) for decisions in found]


def theirs(grid: list, *, validated: bool) -> list[np.ndarray]:
    from sklearn import config_context
    from sklearn.svm import SVC

    found = []
    with config_context(assume_finite=not validated, skip_parameter_validation=not validated):
        for fold in grid:
            for K_train, K_cross, y in fold:
                columns = [
                    SVC(kernel="precomputed", C=C).fit(K_train, y == c).decision_function(K_cross)
                    for c in range(len(SIZES))
                ]
                found.append(np.column_stack(columns))
    return found


def timed(call: Callable[[], T], times: int) -> tuple[float, T]:
    seconds = []
    for _ in range(min(times, MOST_REPEATS)):
        started = time.perf_counter()
        found = call()
        seconds.append(time.perf_counter() - started)
    return statistics.median(seconds), found


def main() -> None:
    warm_up()
    made, codes = kernels()
    grid = blocks(made, codes)
    fits = len(grid) * len(made) * len(SIZES)
    reference, expected = timed(lambda: theirs(grid, validated=True), 3)
    lean, _ = timed(lambda: theirs(grid, validated=False), 3)
    print(
        f"{fits:,} fits at n = {codes.size}, scikit-learn in turn: 1.0 x "
        f"(without its validation {reference / lean:.1f} x)"
    )
    for title, warm, threads in (
        ("cold, one thread", False, 1),
        ("warm, one thread", True, 1),
        ("warm, two threads", True, 2),
    ):
        seconds, found = timed(partial(ours, grid, warm=warm, threads=threads), 7)
        gap = max(float(np.abs(a - b).max()) for a, b in zip(found, expected, strict=True))
        agree = np.mean([(a.argmax(1) == b.argmax(1)).mean() for a, b in zip(found, expected, strict=True)])
        target = "  (target 20)" if threads == 2 else ""
        print(
            f"Kernex {title}: {reference / seconds:.1f} x{target}; decisions within {gap:.1e}, argmax equal {agree:.2%}"
        )
    y, gram = np.array([f"class {c}" for c in codes]), GramMatrix(made[0])
    seconds = timed(lambda: judge(gram, y, CrossValidation()), 9)[0]
    print(f"a judgement, 5 x two-fold x 9 classes with all scores: {1e3 * seconds:.0f} ms (target 100)")


if __name__ == "__main__":
    with threadpoolctl.threadpool_limits(limits=1, user_api="blas"):
        main()
