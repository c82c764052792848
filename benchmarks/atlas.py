"""What the page What if computes of Complete: 11 hidden shares × 9 λ, beside the same cells one by one with scikit-learn.

    python -m benchmarks.atlas

Seconds of processor on one thread. "One by one" is a cell as one would write it: W from A by a solver, the joint kernel by
explicit inverses, a machine of LIBSVM (`SVC(kernel="precomputed")`) a class and fold; of it CELLS cells are timed, spread
over the field, and told for all 99. The atlas also judges what has no λ (six baselines a share and repetition), which the
other does not.
"""

from __future__ import annotations

import time

import numpy as np
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

from kernex_core.base.frozen import FloatArray
from kernex_core.datasets.catalogue import load_dataset
from kernex_core.inputs.dataset import DataSet
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.machine import warm_up
from kernex_core.studies.atlas.completion import completion_atlas
from kernex_core.studies.atlas.field import Field
from kernex_core.studies.completion.study import CompletionConfig

CELLS = 6
EVERY = 1
"""Each how manieth item of the demo."""
REPEATS = 5
SMALL = {"CELLS": 2, "EVERY": 5, "REPEATS": 1}
"""What a test sets them to."""


def world() -> tuple[DataSet, CompletionConfig, CrossValidation]:
    """The demo with its own settings."""
    data = load_dataset("protein_world")
    data = data.select(range(0, data.n, EVERY)) if EVERY > 1 else data
    return (
        data,
        CompletionConfig(nugget=data.defaults.nugget),
        CrossValidation(C=data.defaults.C, repeats=REPEATS),
    )


def filled(
    data: DataSet, config: CompletionConfig, validation: CrossValidation
) -> tuple[Field, float, float]:
    """The field, seconds of processor until its first row is there, and in all."""
    assert data.labels is not None  # the demo has classes
    begun, first, field = time.process_time(), 0.0, None
    kernels = data.kernels["sequence"], data.kernels["structure"]
    for state in completion_atlas(config, *kernels, data.labels, validation):
        if state is not None:
            first = first or time.process_time() - begun
            field = state
    assert field is not None  # there is a row
    return field, first, time.process_time() - begun


def kernel_of(K: FloatArray) -> FloatArray:
    """Negative eigenvalues become 0, then every item has length 1: what the page does before all else."""
    values, vectors = np.linalg.eigh(K)
    K = (vectors * np.maximum(values, 0.0)) @ vectors.T
    length = np.sqrt(np.diag(K))
    return np.asarray(K / length[:, None] / length[None, :])


def one_cell(
    source: FloatArray, target: FloatArray, y: np.ndarray, share: float, lam: float, config: CompletionConfig,
    validation: CrossValidation,
) -> float:  # fmt: skip
    """Accuracy of one cell, with nothing shared."""
    n, classes, right = len(y), np.unique(y), []
    for repetition in range(validation.repeats):
        stream = np.random.SeedSequence([validation.seed, repetition])
        order = np.random.default_rng(stream).permutation(n)
        S = np.sort(order[: n - round(share * n)])
        K, T = (
            source + config.nugget * np.eye(n),
            kernel_of(target[np.ix_(S, S)]) + config.nugget * np.eye(S.size),
        )
        W = np.linalg.solve(K[np.ix_(S, S)], K[S])
        J = np.linalg.inv(lam * np.linalg.inv(K[np.ix_(S, S)]) + (1.0 - lam) * np.linalg.inv(T))
        joint = W.T @ J @ W
        state = int(np.random.SeedSequence([validation.seed, repetition]).generate_state(1)[0])
        for train, test in StratifiedKFold(validation.folds, shuffle=True, random_state=state).split(y, y):
            decided = [
                SVC(C=validation.C, kernel="precomputed").fit(joint[np.ix_(train, train)], y[train] == name)
                .decision_function(joint[np.ix_(test, train)])
                for name in classes
            ]  # fmt: skip
            right += (classes[np.argmax(decided, axis=0)] == y[test]).tolist()
    return float(np.mean(right))


def main() -> None:
    """Print everything."""
    warm_up()
    data, config, validation = world()
    assert data.labels is not None  # the demo has classes
    with threadpool_limits(1):
        field, first, taken = filled(data, config, validation)
        source, target = kernel_of(data.kernels["sequence"].values), data.kernels["structure"].values
        cells = field.values.size
        # where ten items are known, decisions lie near 0, and where a solver stops says on which side: not those shares
        last = field.values.shape[1] * field.down.nearest(0.85)
        at = [divmod(int(k), field.values.shape[1]) for k in np.linspace(0, last, CELLS)]
        begun, gaps = time.process_time(), []
        for row, column in at:
            share, lam = field.down.numbers[row], field.across.numbers[column]
            found = one_cell(source, target, data.labels.y, share, lam, config, validation)
            gaps.append(abs(found - field.values[row, column]))
        alone = (time.process_time() - begun) / CELLS * cells
    equal = "equal" if max(gaps) <= 2.0 / data.n else "NOT EQUAL"
    print(f"{data.n} items, {validation.repeats} x {validation.folds} folds, {cells} cells")
    print(
        f"{CELLS} of them are {equal}: they differ by {np.median(gaps):.4f} in the median, by {max(gaps):.4f} at most"
    )
    print(f"atlas {taken:6.2f} s of processor, its first row after {first:.2f} s")
    print(f"one by one {alone:6.2f} s: {alone / taken:.0f} times as long")


if __name__ == "__main__":
    main()
