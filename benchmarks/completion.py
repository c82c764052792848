"""Speed of the page Complete and of its papers: medians, ratios and limits, in one run.

python -m benchmarks.completion
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from threadpoolctl import threadpool_limits

from kernex_core.completion.joint import joint_path
from kernex_core.datasets.catalogue import load_dataset
from kernex_core.gram.matrix import GramMatrix
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.completion.share_sweep import joint_curve, sweeping
from kernex_core.studies.completion.study import CompletionConfig, prepare, prepare_source, view
from kernex_core.studies.papers.extrapolation.tables import measuring

LAMS = np.linspace(0.02, 0.98, 50)
SIZES, LARGE = (206, 1000), 1000
DIGITS_ITEMS = 24
"""Items of the matrices that are compared with 60-digit arithmetic."""
SHARES, GRID = (0.1, 0.25, 0.5), (0.1, 0.25, 0.5, 0.75, 0.9)
MOST_REPEATS = 15
SMALL = {
    "LAMS": LAMS[:2], "SIZES": (20,), "LARGE": 40, "DIGITS_ITEMS": 4, "SHARES": (0.25,), "GRID": (0.5,), "MOST_REPEATS": 1,
}  # fmt: skip
"""What a test sets them to."""


def seconds(work: Callable[[], object], repeats: int = 7) -> float:
    """Median of several runs."""
    found = []
    for _ in range(min(repeats, MOST_REPEATS)):
        started = time.perf_counter()
        work()
        found.append(time.perf_counter() - started)
    return statistics.median(found)


def kernel(n: int, rng: np.random.Generator) -> np.ndarray:
    X = rng.normal(size=(n, 40))
    K = X @ X.T + 5.0 * np.eye(n)
    d = np.sqrt(np.diag(K))
    return K / np.outer(d, d)


def by_inverses(A: np.ndarray, T: np.ndarray) -> None:
    for lam in LAMS:
        np.linalg.inv(lam * np.linalg.inv(A) + (1.0 - lam) * np.linalg.inv(T))


def by_path(A: np.ndarray, T: np.ndarray) -> None:
    path = joint_path(A, T, nugget=0.0)
    for lam in LAMS:
        path.kernel(float(lam))


def path_against_inverses(rng: np.random.Generator) -> None:
    for n in SIZES:
        A, T = kernel(n, rng), kernel(n, rng)
        repeats = 5 if n < 500 else 1
        slow, fast = seconds(partial(by_inverses, A, T), repeats), seconds(partial(by_path, A, T), repeats)
        goal = " (goal: at least 10)" if n == 206 else ""
        print(
            f"lambda path, {len(LAMS)} values, n = {n}: {slow / fast:.1f} x explicit inverses{goal}; {1e3 * fast:.0f} ms"
        )


def error_at_condition(rng: np.random.Generator) -> None:
    """Largest relative error at condition 1e12 against 60-digit arithmetic."""
    import mpmath  # type: ignore[import-untyped]

    n = DIGITS_ITEMS
    U, V = (np.linalg.qr(rng.normal(size=(n, n)))[0] for _ in range(2))
    A, T = (B @ np.diag(np.logspace(0, -12, n)) @ B.T for B in (U, V))
    A, T = (A + A.T) / 2, (T + T.T) / 2
    worst = 0.0
    with mpmath.workdps(60):
        a, t = mpmath.matrix(A.tolist()), mpmath.matrix(T.tolist())
        path = joint_path(A, T, nugget=0.0)
        for lam in (0.1, 0.5, 0.9):
            exact = (a**-1 * mpmath.mpf(lam) + t**-1 * (1 - mpmath.mpf(lam))) ** -1
            J = np.array([[float(exact[i, j]) for j in range(n)] for i in range(n)])
            worst = max(worst, float(abs(path.kernel(lam) - J).max() / abs(J).max()))
    print(f"lambda path at condition 1e12: largest relative error {worst:.1e} (limit: 1e-8)")


def page_moves(rng: np.random.Generator) -> None:
    world = load_dataset("protein_world")
    source, target, labels = world.kernels["sequence"], world.kernels["structure"], world.labels
    assert labels is not None
    config, validation = CompletionConfig(), CrossValidation(C=1.5)
    ready = prepare_source(config, source)
    made = prepare(config, ready, target)
    sweep = [*sweeping(config, ready, target, labels, validation, shares=(0.25,))][-1].sweep
    alone = seconds(lambda: view(made, 0.37), 15)
    with_cv = seconds(lambda: (view(made, 0.37), joint_curve(sweep, 0.37)), 15)
    print(f"move of lambda, n = 206: {1e3 * alone:.1f} ms (goal 50)")
    print(f"the same with 5 x two-fold x 9 classes: {1e3 * with_cv:.1f} ms (goal 250)")
    hide = seconds(lambda: prepare(config, ready, target), 5)
    print(f"move of the hidden share, n = 206: {1e3 * hide:.0f} ms")
    big = [GramMatrix(kernel(LARGE, rng)) for _ in range(2)]
    ready = prepare_source(config, big[0])
    made = prepare(config, ready, big[1])
    print(f"move of lambda, n = {LARGE}: {1e3 * seconds(lambda: view(made, 0.37), 5):.0f} ms (goal 500)")


def table_grid() -> None:
    world = load_dataset("protein_world")
    assert world.labels is not None
    started = time.perf_counter()
    states = measuring(
        CompletionConfig(), world.kernels["sequence"], world.kernels["structure"], world.labels,
        CrossValidation(C=1.5), shares=SHARES, lams=GRID,
    )  # fmt: skip
    last = [*states][-1]
    print(
        f"Tables 1 and 2, {last.total} runs of 206 proteins: {time.perf_counter() - started:.1f} s (goal 10)"
    )


def main() -> None:
    with threadpool_limits(1):
        rng = np.random.default_rng(0)
        path_against_inverses(rng)
        error_at_condition(rng)
        page_moves(rng)
        table_grid()


if __name__ == "__main__":
    main()
