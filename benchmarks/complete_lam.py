"""A move of λ on the page Complete, in the study alone: judged three times, as the page once did, and once.

    python -m benchmarks.complete_lam

Milliseconds of processor (in brackets: of the clock), medians over several λ, one BLAS thread as in the app. "Before"
decomposes the joint kernel, and judges it for the chart, for the numbers and for the table of baselines, and the other
joint kernel apart; "now" all read one `Answer`, for which both are judged from one product, that of the matrix which is
shown, and nothing is decomposed. At n = 206 the chart has six hidden shares, each of which is judged; above 500 items it
has one. What a move costs on the page is measured by `benchmarks/moves.py`.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from scipy.linalg import eigvalsh
from threadpoolctl import threadpool_limits

from kernex_core.datasets.catalogue import load_dataset
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.machine import warm_up
from kernex_core.runtime.executors import thread_count
from kernex_core.studies.completion.candidates import (
    Answer,
    joint_accuracy,
    of_all,
    other_joint,
    shown_accuracy,
)
from kernex_core.studies.completion.share_sweep import Sweep, joint_curve, sweep_size, sweeping
from kernex_core.studies.completion.study import Completion, CompletionConfig, prepare, prepare_source, view

LAMS = (0.11, 0.23, 0.37, 0.52, 0.68, 0.81, 0.93)
"""No two alike, so that no answer is there already."""
ITEMS = 1_000


def milliseconds(*works: Callable[[float], object]) -> list[tuple[float, float]]:
    """Median milliseconds of processor and of clock that one move of λ takes, of each work, by turns."""
    taken: list[list[tuple[float, float]]] = [[] for _ in works]
    for lam in LAMS:
        for work, found in zip(works, taken, strict=True):
            begun = time.process_time(), time.perf_counter()
            work(lam)
            found.append((1e3 * (time.process_time() - begun[0]), 1e3 * (time.perf_counter() - begun[1])))
    return [
        (statistics.median(cpu for cpu, _ in found), statistics.median(wall for _, wall in found))
        for found in taken
    ]


def proteins() -> DataSet:
    """The demo of 206 proteins."""
    return load_dataset("protein_world")


def thousand() -> DataSet:
    """ITEMS items of nine classes and two noisy kernels of them."""
    rng = np.random.default_rng(0)
    codes = np.arange(ITEMS) % 9
    kernels = {}
    for name in ("sequence", "structure"):
        X = rng.normal(size=(ITEMS, 30)) + 1.5 * np.eye(30)[codes]
        kernels[name] = GramMatrix(X @ X.T, name=name)
    ids = kernels["sequence"].ids
    return DataSet("thousand", ids, Labels(ids, np.array([f"c{c}" for c in codes])), kernels=kernels)


DATA = (proteins, thousand)
SMALL = {"LAMS": (0.11, 0.37), "ITEMS": 54, "DATA": (thousand,)}
"""What a test sets them to."""


def prepared(data: DataSet) -> tuple[Completion, list[Sweep]]:
    """What is there before λ moves: decompositions, and the sweep of every share on the chart."""
    config, validation = CompletionConfig(), CrossValidation()
    source, target = data.kernels["sequence"], data.kernels["structure"]
    assert data.labels is not None  # both data sets have classes
    ready = prepare_source(config, source)
    others = [s for s in sweep_size(len(data.ids), validation)[0] if s != config.share]
    shares: Sequence[float | None] = [config.share, *(others if len(data.ids) <= 500 else [])]
    sweeps = [
        [*sweeping(replace(config, share=share), ready, target, data.labels, validation, shares=(share,))][
            -1
        ].sweep
        for share in shares
    ]
    return prepare(config, ready, target), sweeps


def study(data: DataSet) -> None:
    """Print both, through the study alone."""
    made, sweeps = prepared(data)

    def before(lam: float) -> object:
        shown = view(made, lam)
        eigvalsh(shown.K, check_finite=False)
        chart = [joint_curve(sweep, lam) for sweep in sweeps]
        return (
            shown,
            chart,
            joint_curve(sweeps[0], lam),
            joint_curve(sweeps[0], lam),
            other_joint(sweeps[0], lam),
        )

    def now(lam: float) -> Answer:
        shown = view(made, lam)
        here = shown_accuracy(sweeps[0], lam, shown.K)
        return Answer(
            shown, of_all([here, joint_accuracy(sweeps[1:], lam)] if sweeps[1:] else [here], here.other)
        )

    now(0.5)
    (then, then_wall), (once, once_wall) = milliseconds(before, now)
    told = f"before {then:6.1f} ({then_wall:6.1f}), now {once:6.1f} ({once_wall:6.1f}), {then / once:.2f} times as fast"
    print(f"n = {made.m:5,}, {len(sweeps)} shares, the study: {told}")


def main() -> None:
    """Print everything."""
    warm_up()
    print(f"{thread_count()} threads")
    with threadpool_limits(1):
        for data in DATA:
            study(data())


if __name__ == "__main__":
    main()
