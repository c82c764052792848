"""Speed of the page Large diagonals: one p beside its matrix product, a sweep of p, Table 1.

python -m benchmarks.diagonals
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from threadpoolctl import threadpool_limits

from kernex_core.conditioning.empirical_map import EmpiricalMap
from kernex_core.conditioning.power import SignedPower
from kernex_core.datasets.markov_strings import markov_strings
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.kernels.sequences.subsequence import Subsequence
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.diagonal_sweep import sweeping
from kernex_core.studies.diagonals import DiagonalConfig, describe, shrink
from kernex_core.studies.orthogonal_patterns import OrthogonalConfig, measuring_table_1


def seconds(work: Callable[[], object], repeats: int = 7) -> float:
    """Median of several runs."""
    found = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        found.append(time.perf_counter() - started)
    return statistics.median(found)


def moves_of_p(rng: np.random.Generator) -> None:
    """Empirical map of all points; its product is E E', which BLAS computes as half of a general one."""
    for n in (200, 1000, 2000):
        X = rng.normal(size=(n, 50))
        K = GramMatrix(X @ X.T)
        labels = Labels(K.ids, ["a", "b"] * (n // 2))
        before = describe(K, labels)
        product = seconds(partial(lambda E: E @ E.T, K.values))
        step = seconds(partial(K.then, EmpiricalMap(SignedPower(0.3))))
        page = seconds(partial(shrink, DiagonalConfig(p=0.3), K, labels, before=before), 3)
        print(
            f"one p, n = {n}: map {1e3 * step:.1f} ms, {step / product:.1f} x its product (goal below 2 at n = 2000); "
            f"with spectrum and numbers {1e3 * page:.0f} ms"
        )


def sweep() -> None:
    data = markov_strings(4)
    assert data.labels is not None  # simulated data have labels
    K = Subsequence(3, 0.25).similarities(data.samples["strings"])
    validation = CrossValidation(folds=2, repeats=20, C=1e6)
    spent = seconds(lambda: list(sweeping(DiagonalConfig(), K, data.labels, validation)), 1)
    print(f"ten p and the kernel as it is, three classifiers, 50 strings, 40 folds: {spent:.1f} s")


def table_1() -> None:
    spent = seconds(lambda: list(measuring_table_1(OrthogonalConfig(trials=20))), 1)
    print(f"Table 1, 11 rows, four columns, 20 trials: {spent:.1f} s (goal 10)")


def main() -> None:
    with threadpool_limits(1):
        moves_of_p(np.random.default_rng(0))
        sweep()
        table_1()


if __name__ == "__main__":
    main()
