"""Cross-validated accuracy of a kernel, with everything that it rests on."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.step import Split, split_inductively, split_transductively
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import C_GRID, CrossValidation, Fold, make_folds
from kernex_core.learning.judgement import Judgement, assemble
from kernex_core.learning.leakage import evaluation_mode
from kernex_core.learning.svm import check_kernel, fit_one_vs_rest
from kernex_core.validation import as_symmetric

THREADS = 2


@dataclass(frozen=True)
class Coded:
    """Labels as numbers: `codes` (n,) int, −1 = unlabelled; `classes` largest first."""

    codes: IntArray
    classes: tuple[str, ...]


@dataclass(frozen=True)
class JudgingProgress:
    """State of a running cross-validation: folds done and in all, seconds, and the judgement of whole repetitions."""

    done: int
    total: int
    seconds: float
    judgement: Judgement | None


def code_labels(y: ArrayLike) -> Coded:
    """Number the classes, largest first (ties by name).

    Raises
    ------
    InvalidInputError
        Fewer than two classes.
    """
    labels = np.asarray(y, dtype=np.str_)
    names, counts = np.unique(labels[labels != ""], return_counts=True)
    if names.size < 2:
        what = f"only class {str(names[0])!r}" if names.size else "no labels"
        raise InvalidInputError(
            "Accuracy needs items of at least two classes",
            what,
            "Bring labels, or select items of more classes",
        )
    order = sorted(range(names.size), key=lambda c: (-counts[c], names[c]))
    rank = {str(names[c]): place for place, c in enumerate(order)}
    codes = np.array([rank.get(str(label), -1) for label in labels], dtype=np.int64)
    return Coded(codes, tuple(str(names[c]) for c in order))


def judge(
    K: GramMatrix | ArrayLike,
    y: Labels | ArrayLike,
    config: CrossValidation,
    *,
    groups: ArrayLike | None = None,
) -> Judgement:
    """Cross-validate one C-SVM a class on a precomputed kernel.

    Parameters
    ----------
    K : (n, n)
        Positive semidefinite and known everywhere. With `config.inductive` a GramMatrix's steps are fitted anew on
        every training fold.
    y : Labels or (n,) str
        "" = unlabelled; such items are in no fold.
    config : CrossValidation
    groups : (n,) str, optional
        From the labels by default.

    Raises
    ------
    InvalidInputError
        Unknown entries, labels of another length, fewer than two classes.
    NotPositiveSemidefiniteError
        Naming the repair; a support vector machine would fit an indefinite matrix silently and wrongly.
    """
    made = [state.judgement for state in judging(K, y, config, groups=groups)][-1]
    assert made is not None  # the last state holds every repetition
    return made


def judging(
    K: GramMatrix | ArrayLike,
    y: Labels | ArrayLike,
    config: CrossValidation,
    *,
    groups: ArrayLike | None = None,
) -> Iterator[JudgingProgress]:
    """`judge` in pieces of one fold a thread, so that a page can show progress and stop it."""
    started = time.perf_counter()
    labels = y.y if isinstance(y, Labels) else np.asarray(y, dtype=np.str_)
    grouping = y.groups if isinstance(y, Labels) and groups is None else groups
    gram = K if isinstance(K, GramMatrix) else GramMatrix(as_symmetric(K, allow_nan=True))
    _check(gram, labels)
    coded = code_labels(labels)
    folds = make_folds(
        coded.codes,
        config,
        groups=None if grouping is None else np.asarray(grouping, dtype=np.str_),
    )
    base = Judgement.empty(
        coded.classes, coded.codes, config, evaluation_mode(gram, inductive=config.inductive)
    )
    base = replace(base, subject=(gram, y if isinstance(y, Labels) and y.recipe else labels))
    results: list[tuple[FloatArray, float, int]] = []
    made: Judgement | None = None
    with ThreadPoolExecutor(THREADS) as pool:
        for done in range(0, len(folds), THREADS):
            batch = folds[done : done + THREADS]
            results += pool.map(lambda fold: _one_fold(gram, coded, fold, config), batch)
            complete = _whole_repeats(folds, len(results))
            if complete:
                made = assemble(base, folds[:complete], results[:complete], time.perf_counter() - started)
            yield JudgingProgress(len(results), len(folds), time.perf_counter() - started, made)


def cross_decisions(K: FloatArray, coded: Coded, folds: Sequence[Fold], C: float) -> list[FloatArray]:
    """Decision values (n_test, n_classes) of every fold of a checked kernel, for studies that judge many kernels."""

    def one(fold: Fold) -> FloatArray:
        fitted = fit_one_vs_rest(
            K[np.ix_(fold.train, fold.train)], coded.codes[fold.train], len(coded.classes), C=C, checked=True
        )
        return fitted.decide(K[np.ix_(fold.test, fold.train)])

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(one, folds))


def _whole_repeats(folds: Sequence[Fold], done: int) -> int:
    """Folds that belong to repetitions of which every fold is done."""
    return done if done == len(folds) else sum(1 for fold in folds[:done] if fold.repeat < folds[done].repeat)


def _check(gram: GramMatrix, labels: NDArray[np.str_]) -> None:
    if labels.shape != (gram.n,):
        raise InvalidInputError(f"There has to be one label an item ({gram.n})", str(labels.size))
    if np.isnan(gram.values).any():
        raise InvalidInputError(
            "A kernel has to be known everywhere to be judged",
            f"{gram.unknown.unknown_pairs:,} unknown pairs",
            "Complete it first, on the page Complete",
        )
    check_kernel(gram.values)


def _one_fold(
    gram: GramMatrix, coded: Coded, fold: Fold, config: CrossValidation
) -> tuple[FloatArray, float, int]:
    split = (split_inductively if config.inductive else split_transductively)(gram, fold.train, fold.test)
    codes = coded.codes[fold.train]
    C = _chosen_C(split, codes, config) if config.choose_C else config.C
    # a block of a kernel is a kernel; a block that was fitted anew has to be looked at
    fitted = fit_one_vs_rest(split.K_train, codes, len(coded.classes), C=C, checked=not config.inductive)
    return fitted.decide(split.K_cross), C, fitted.not_converged


def _chosen_C(split: Split, codes: IntArray, config: CrossValidation) -> float:
    """Cost with the best multi-class accuracy in folds of the training items; of several the smallest."""
    present, inner = np.unique(codes, return_inverse=True)
    if present.size < 2:
        return config.C
    k = 5 if np.bincount(inner).max() >= 5 else 2
    folds = make_folds(inner.astype(np.int64), replace(config, folds=k, repeats=1, grouped=False))
    best, most = config.C, -1
    for C in C_GRID:
        correct = 0
        for part in folds:
            fitted = fit_one_vs_rest(
                split.K_train[np.ix_(part.train, part.train)],
                inner[part.train],
                present.size,
                C=C,
                checked=True,
            )
            decided = fitted.decide(split.K_train[np.ix_(part.test, part.train)]).argmax(axis=1)
            correct += int((decided == inner[part.test]).sum())
        if correct > most:
            best, most = C, correct
    return best
