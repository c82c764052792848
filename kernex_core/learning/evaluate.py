"""Cross-validated accuracy of a kernel, with everything that it rests on."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import split_inductively, split_transductively
from kernex_core.inputs.samples import Labels
from kernex_core.labels import as_labels
from kernex_core.learning.assembly import Tested, judgement_of
from kernex_core.learning.folds import CrossValidation, Fold, make_folds
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.leakage import evaluation_mode
from kernex_core.learning.nested import chosen_C, fit_grid, right_by_C
from kernex_core.learning.scores import auc_by_class
from kernex_core.learning.svm import fit_one_vs_rest
from kernex_core.validation import as_symmetric, check_kernel, check_size, psd_tolerance

THREADS = 2
PIECE = 0.25
"""Seconds after which a running cross-validation says that it is still there."""


@dataclass(frozen=True, eq=False)
class Coded(EqualByContent):
    """Labels as numbers: `codes` (n,) int, −1 = unlabelled; `classes` largest first."""

    codes: IntArray
    classes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class _Task(EqualByContent):
    """What the folds of one cross-validation share."""

    gram: GramMatrix
    coded: Coded
    config: CrossValidation
    groups: NDArray[np.str_] | None
    allow_indefinite: bool

    @property
    def checked(self) -> bool:
        """A block of a kernel is a kernel; a block whose steps were fitted anew has to be looked at."""
        return self.allow_indefinite or not self.config.inductive


@dataclass(frozen=True, eq=False)
class JudgingProgress(EqualByContent):
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
    labels = as_labels(y)
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
    allow_indefinite: bool = False,
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
        From the labels by default; "" = a group of its own.
    allow_indefinite : bool
        Judge a matrix that is no kernel all the same, with a note that tells its negative eigenvalues.

    Raises
    ------
    InvalidInputError
        Unknown entries, labels of another length or about other ids, fewer than two classes.
    NotPositiveSemidefiniteError
        Naming the repair; a support vector machine would fit an indefinite matrix silently and wrongly.
    """
    states = judging(K, y, config, groups=groups, allow_indefinite=allow_indefinite)
    made = [state.judgement for state in states][-1]
    assert made is not None  # the last state holds every repetition
    return made


def judging(
    K: GramMatrix | ArrayLike,
    y: Labels | ArrayLike,
    config: CrossValidation,
    *,
    groups: ArrayLike | None = None,
    allow_indefinite: bool = False,
) -> Iterator[JudgingProgress]:
    """`judge` in pieces of one fold a thread, so that a page can show progress and stop it.

    A state comes at least every 0.25 s, also when no further fold is done.
    """
    if not isinstance(config, CrossValidation):
        raise InvalidInputError("The protocol has to be a CrossValidation(...)", type(config).__name__)
    started = time.perf_counter()
    gram = K if isinstance(K, GramMatrix) else GramMatrix(as_symmetric(K, allow_nan=True))
    labels = labels_of(y, gram, named=isinstance(K, GramMatrix))
    given = y.groups if isinstance(y, Labels) and groups is None else groups
    grouping = None if given is None else as_labels(given, gram.n)
    coded = code_labels(labels)
    notes = check_judgeable(gram, allow_indefinite=allow_indefinite)
    folds = make_folds(coded.codes, config, groups=grouping)
    base = Judgement.empty(
        coded.classes, coded.codes, config, evaluation_mode(gram, inductive=config.inductive)
    )
    with_recipe = isinstance(y, Labels) and y.recipe is not None
    options: dict[str, Any] = {"allow_indefinite": True} if allow_indefinite else {}
    if config.grouped and grouping is not None and not (with_recipe and groups is None):
        options["groups"] = grouping
    base = replace(
        base, subject=(gram, y if with_recipe else labels), options=options, notes=base.notes + notes
    )
    task = _Task(gram, coded, config, grouping, allow_indefinite)
    results: list[Tested] = []
    made: Judgement | None = None
    with ThreadPoolExecutor(THREADS) as pool:
        for done in range(0, len(folds), THREADS):
            running = [pool.submit(_one_fold, task, fold) for fold in folds[done : done + THREADS]]
            while wait(running, timeout=PIECE).not_done:
                yield JudgingProgress(len(results), len(folds), time.perf_counter() - started, made)
            results += [future.result() for future in running]
            complete = _whole_repeats(folds, len(results))
            if complete:
                made = judgement_of(base, folds[:complete], results[:complete], time.perf_counter() - started)
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


def labels_of(y: Labels | ArrayLike, gram: GramMatrix, *, named: bool) -> NDArray[np.str_]:
    """Labels as an array (n,), refused if they are about other items than the kernel."""
    labels = as_labels(y.y if isinstance(y, Labels) else y, gram.n)
    if named and isinstance(y, Labels) and y.ids != gram.ids:
        at = next(i for i, (a, b) in enumerate(zip(y.ids, gram.ids, strict=True)) if a != b)
        raise InvalidInputError(
            "Labels and kernel have to be about the same items in the same order",
            f"label of {y.ids[at]!r}, similarities of {gram.ids[at]!r} at position {at + 1}",
            "Align them by their ids: align(...)",
        )
    return labels


def check_judgeable(gram: GramMatrix, *, allow_indefinite: bool = False) -> tuple[str, ...]:
    """Refuse what no support vector machine is defined on; notes on what was let through."""
    if np.isnan(gram.values).any():
        raise InvalidInputError(
            "A kernel has to be known everywhere to be judged",
            f"{gram.unknown.unknown_pairs:,} unknown pairs",
            "Complete it first, on the page Complete",
        )
    check_size(gram.values, f"The kernel {gram.name!r}")
    if not allow_indefinite:
        check_kernel(gram.values)
        return ()
    values = np.linalg.eigvalsh(gram.values)
    size = np.abs(values)
    if values[0] >= -psd_tolerance(values.size, float(size.max())):
        return ()
    share = 100.0 * float(size[values < 0.0].sum() / size.sum())
    return (
        f"This matrix is no kernel: smallest eigenvalue {values[0]:.3g}, {share:.2g} % of the absolute eigenvalues are "
        "negative. The support vector machine stops at a point that need not be its optimum.",
    )


def _one_fold(task: _Task, fold: Fold) -> Tested:
    split = partial(split_inductively if task.config.inductive else split_transductively, task.gram)
    blocks, codes, c = split(fold.train, fold.test), task.coded.codes, len(task.coded.classes)
    right: dict[float, int] = {}
    if task.config.choose_C:
        C = chosen_C(split, codes, fold.train, task.config, task.groups, checked=task.checked)
        fits = fit_grid(blocks, codes[fold.train], c, checked=task.checked)
        right = right_by_C(fits, blocks, np.arange(c), codes[fold.test])
        fitted = fits.get(C)
    else:
        C, fitted = task.config.C, None
    if fitted is None:
        fitted = fit_one_vs_rest(blocks.K_train, codes[fold.train], c, C=C, checked=task.checked)
    decisions = fitted.decide(blocks.K_cross)
    return Tested(
        decisions, auc_by_class(codes[fold.test], decisions), C, right, fitted.not_converged, fitted.at_bound
    )
