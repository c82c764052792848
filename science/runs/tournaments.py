"""Tournaments where there is nothing to win, and on data that are known: the latter again by scikit-learn alone.

Noise: two kernels of noise, and classes that were given by lot. A winner that is told apart from majority is a false one.
A kernel whose weights were learned from the labels takes part in each, and must not be admitted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold
from sklearn.svm import SVC

from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.parameters import repetition_seed
from kernex_core.completion.hide import Hide
from kernex_core.completion.joint import weighted_sum
from kernex_core.datasets.fetched.graphs import MUTAG
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.samples import Labels
from kernex_core.kernels.graphs.weisfeiler_lehman import WeisfeilerLehman
from kernex_core.learning.folds import C_GRID, CrossValidation
from kernex_core.learning.mkl.learn import mkl
from kernex_core.runtime.progress import last_state
from kernex_core.studies.many_kernels import noise_kernel
from kernex_core.studies.tournament.entrants import TournamentConfig
from kernex_core.studies.tournament.ladder import Ladder
from kernex_core.studies.tournament.tournament import choosing_winner, tournament
from science.data import collection, digits, tim_barrels, yeast
from science.table import Row

TITLE = "Tournaments of noise, in which nobody may win, and of known data, again by scikit-learn alone."
UNIT = 1.0
DATA_SETS, N = 60, 60
VALIDATION = CrossValidation()
TOLD, MISSED = 0.07, 0.08
"""Bounds of the rates, to which two standard errors of the bound at the number of data sets are added."""
POINT = 0.01
KNOWN: tuple[str, ...] = ("TIM barrels", "MUTAG")
LADDERS: tuple[str, ...] = (*KNOWN, "TIM barrels, half known", "digits, half known", "yeast")
"""Sets whose best and best plain entrant are printed beside each other; those of KNOWN are also computed again."""
SMALL: dict[str, Any] = {
    "DATA_SETS": 3, "N": 24, "VALIDATION": CrossValidation(repeats=1), "KNOWN": (), "LADDERS": (),
}  # fmt: skip


class Won(NamedTuple):
    """What came of a tournament of noise."""

    told_apart: bool
    missed: bool
    admitted: bool
    best: float
    chosen: float


def of_noise(validation: CrossValidation, n: int, seed: int) -> Won:
    """Hold one, and let the winner be chosen inside the folds."""
    rng = np.random.default_rng([31, n, seed])
    ids = tuple(f"i{k}" for k in range(n))
    labels = Labels(ids, rng.permutation(np.resize(["a", "b"], n)))
    kernels = {f"noise {k}": noise_kernel(ids, 100 * seed + k) for k in range(2)}
    weights = mkl([K.values for K in kernels.values()], labels.y).weights
    given = {**kernels, "leak": weighted_sum(list(kernels.values()), weights)}
    config = TournamentConfig()
    made = last_state(tournament(config, given, labels, validation))
    assert made.verdict is not None  # it is whole
    found = last_state(choosing_winner(config, given, labels, validation, made))
    best, usual = made.verdict.best, made.verdict.of("majority")
    return Won(
        best is not usual and usual.told_apart, not found.interval.low <= 0.5 <= found.interval.high,
        "leak" not in made.left_out, best.value, found.mean,
    )  # fmt: skip


# Known data.


def half_known(K: GramMatrix) -> GramMatrix:
    """Half of the items hidden, drawn once."""
    at = np.random.default_rng(0).permutation(K.n)[: K.n // 2]
    return K.then(Hide(tuple(sorted(map(int, at))))).renamed(f"{K.name}, half known")


def known_data(name: str) -> tuple[dict[str, GramMatrix], Labels]:
    """Kernels and labels of a set."""
    if name == "MUTAG":
        data = collection(MUTAG)
        (graphs,) = (part for part in data.samples.values() if isinstance(part, GraphSet))
        assert data.labels is not None
        kernels = {
            f"subtrees {h}": GramMatrix(WeisfeilerLehman(iterations=h).gram(graphs.graphs), graphs.ids)
            for h in (1, 5)
        }
        return kernels, data.labels
    if name == "yeast":
        return yeast()
    source, target, labels = digits() if name.startswith("digits") else tim_barrels()
    first, second = ("one view", "another") if name.startswith("digits") else ("residues", "structures")
    target = target.renamed(second)
    return {first: source, second: half_known(target) if name.endswith("half known") else target}, labels


def ladder_of(validation: CrossValidation, name: str) -> Ladder:
    """The tournament on a set."""
    return last_state(tournament(TournamentConfig(), *known_data(name), validation))


def cosines(K: FloatArray) -> FloatArray:
    """What a tournament is about, by NumPy alone: negative eigenvalues cut off, self-similarities 1."""
    values, vectors = np.linalg.eigh((K + K.T) / 2.0)
    if values[0] < -1e-9 * values[-1]:
        K = (vectors * np.maximum(values, 0.0)) @ vectors.T
    size = np.sqrt(np.diag(K))
    return np.asarray(K / np.outer(size, size))


def folds_of(y: IntArray, groups: IntArray | None, k: int, seed: int) -> list[tuple[IntArray, IntArray]]:
    """Those of scikit-learn."""
    if groups is None:
        return list(StratifiedKFold(k, shuffle=True, random_state=seed).split(y, y))
    return list(StratifiedGroupKFold(k, shuffle=True, random_state=seed).split(y, y, groups))


def named_rightly(K: FloatArray, y: IntArray, train: IntArray, test: IntArray, C: float) -> int:
    """Items that one machine a class names rightly."""
    unit = np.diag(K)[train].mean()
    block, cross = K[np.ix_(train, train)] / unit, K[np.ix_(test, train)] / unit
    decided = []
    for c in range(int(y.max()) + 1):
        own = y[train] == c
        if not own.any():
            decided.append(np.full(test.size, -np.inf))
            continue
        decided.append(SVC(C=C, kernel="precomputed").fit(block, own).decision_function(cross))
    return int((np.argmax(decided, axis=0) == y[test]).sum())


def by_scikit_learn(
    K: FloatArray, y: IntArray, groups: IntArray | None, validation: CrossValidation
) -> float:
    """Accuracy with C chosen in five folds of every training fold."""
    right = 0
    for repetition in range(validation.repeats):
        for train, test in folds_of(
            y, groups, validation.folds, repetition_seed(validation.seed, repetition)
        ):
            own = None if groups is None else groups[train]
            inner = folds_of(y[train], own, 5, repetition_seed(validation.seed, 0))
            scores = [sum(named_rightly(K, y, train[a], train[b], C) for a, b in inner) for C in C_GRID]
            right += named_rightly(K, y, train, test, C_GRID[int(np.argmax(scores))])
    return right / (validation.repeats * y.size)


def again(validation: CrossValidation, name: str) -> list[tuple[str, float, float]]:
    """Entrants whose kernel is written in a line, beside what scikit-learn makes of them."""
    kernels, labels = known_data(name)
    made = ladder_of(validation, name)
    sizes = {one: int((labels.y == one).sum()) for one in set(labels.y)}
    order = sorted(sizes, key=lambda one: (-sizes[one], one))
    y = np.array([order.index(one) for one in labels.y])
    groups = None if made.groups is None else np.unique(made.groups, return_inverse=True)[1]
    forms = {one: cosines(K.values) for one, K in kernels.items()}
    matrices = {f"{one} alone": K for one, K in forms.items()}
    matrices |= {
        "sum": np.mean(list(forms.values()), axis=0),
        "product": np.prod(list(forms.values()), axis=0),
    }
    return [
        (f"{name}: {one}", made.rung(one).value, by_scikit_learn(K, y, groups, validation))
        for one, K in matrices.items()
    ]


def rows(map_: Callable[..., Iterable[Any]]) -> Iterator[Row]:
    """Rates, and what scikit-learn finds."""
    found: list[Won] = list(map_(partial(of_noise, VALIDATION, N), range(DATA_SETS)))

    def rate(what: str, wrong: list[bool], bound: float) -> Row:
        allowed = bound + 2.0 * float(np.sqrt(bound * (1.0 - bound) / DATA_SETS)) if bound else 0.0
        return Row(what, float(np.mean(wrong)), 0.0, rounding=allowed)

    yield rate("noise: winner told apart from majority", [one.told_apart for one in found], TOLD)
    yield rate("noise: interval of the choice misses .5", [one.missed for one in found], MISSED)
    yield rate("noise: leak admitted", [one.admitted for one in found], 0.0)
    yield Row("noise: the best reads", float(np.mean([one.best for one in found])), 0.5, held=False)
    chosen = [one.chosen for one in found]
    yield Row(
        "noise: the choice reads", float(np.mean(chosen)), 0.5, se=float(np.std(chosen)) / DATA_SETS**0.5
    )
    for name, made in zip(LADDERS, map_(partial(ladder_of, VALIDATION), LADDERS), strict=True):
        assert made.verdict is not None
        best, usual = made.verdict.best, made.verdict.best_plain
        assert usual is not None
        yield Row(f"{name}: {best.name}, beside {usual.name}", best.value, usual.value, held=False)
    for each in map_(partial(again, VALIDATION), KNOWN):
        for what, ours, theirs in each:
            yield Row(what, ours, theirs, rounding=POINT)
