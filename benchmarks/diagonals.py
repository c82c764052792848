"""Large diagonals: one p of the empirical map beside the matrix product that it rests on; Table 1 over twenty trials.

    python -m benchmarks.diagonals

Goals: one p under 20 ms at n = 200 and under 1 s at n = 2000, there in less than twice the time of the product alone;
Table 1 (eleven rows, both bases, all classifiers) over 20 trials in under 10 s. One BLAS thread, as in the app; medians.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np
import threadpoolctl

from kernex_core.conditioning.empirical_map import empirical_map
from kernex_core.learning.machine import warm_up
from kernex_core.studies.papers.orthogonal.tables import OrthogonalConfig, measuring_table_1

SIZES = ((200, 50), (1000, 7), (2000, 5))
"""Items, and how often one p is timed."""
TRIALS = (1, 20)
SMALL = {"SIZES": ((20, 1),), "TRIALS": (1,)}
"""What a test sets them to."""


def median_seconds(run: Callable[[], object], times: int) -> float:
    """Median time of a call, after one that does not count."""
    run()
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        run()
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)


def one_power(n: int, p: float, times: int) -> None:
    """Print one p at n items beside E E' alone."""
    X = np.random.default_rng(0).normal(size=(n, 50))
    K = X @ X.T
    E = np.sign(K) * np.abs(K) ** p
    product = median_seconds(lambda: E @ E.T, times)
    whole = median_seconds(lambda: empirical_map(K, p), times)
    print(
        f"n = {n:5,}, p = {p:g}: {1e3 * whole:8.1f} ms, product alone {1e3 * product:8.1f} ms, ratio {whole / product:.2f}"
    )


def table_1(trials: int) -> None:
    """Print the time of Table 1."""
    started = time.perf_counter()
    made = list(measuring_table_1(OrthogonalConfig(trials=trials)))[-1]
    print(f"Table 1, {made.done} trials: {time.perf_counter() - started:.2f} s")


def main() -> None:
    """Run all."""
    warm_up()
    with threadpoolctl.threadpool_limits(1):
        for n, times in SIZES:
            for p in (0.1, 0.5, 1.0):
                one_power(n, p, times)
        for trials in TRIALS:
            table_1(trials)


if __name__ == "__main__":
    main()
