"""Cross-validated prediction of numbers from a kernel."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.gram.matrix import GramMatrix, as_gram
from kernex_core.gram.split import Split
from kernex_core.inputs.samples import Labels
from kernex_core.labels import as_labels
from kernex_core.learning.copies import Copies, found_copies
from kernex_core.learning.engine import Cut, cut_inside, cut_of, over_folds_in_pieces, weights_of
from kernex_core.learning.evaluate import check_judgeable
from kernex_core.learning.folds import LEAVE_ONE_OUT, CrossValidation, Fold, folds_keeping, kept_together
from kernex_core.learning.leakage import State, evaluation_state
from kernex_core.learning.learners.choice import block_of, chosen, grid_end_of
from kernex_core.learning.learners.contract import Learner, Targets, check_learns
from kernex_core.learning.learners.ridge import KernelRidge
from kernex_core.learning.nested import inner_folds
from kernex_core.learning.regression.judgement import NumberJudgement, Predicted, number_scores, spread_out
from kernex_core.learning.regression.targets import numbers_of


@dataclass(frozen=True, eq=False)
class NumberTask(EqualByContent):
    """What the folds of one cross-validated regression share.

    Attributes
    ----------
    y : (n,) float
        NaN = no target.
    config : CrossValidation
        Its C is not looked at: learners have strengths of their own.
    folds : tuple of Fold
    cut : callable
        Blocks of a kernel for (train, test).
    learner : Learner
    groups : (n,) str or None
        Groups and copies that folds keep together.
    copies : Copies
    state : State
    notes : tuple of str
    """

    y: FloatArray
    config: CrossValidation
    folds: tuple[Fold, ...]
    cut: Cut
    learner: Learner
    groups: NDArray[np.str_] | None
    copies: Copies
    state: State
    notes: tuple[str, ...] = ()

    @property
    def codes(self) -> IntArray:
        """(n,) 0 with a target, −1 without one: all in one class, so that folds are drawn at random."""
        return np.where(np.isnan(self.y), -1, 0)


@dataclass(frozen=True, eq=False)
class NumberProgress(EqualByContent):
    """State of a running cross-validation: folds done and in all, and the judgement of whole repetitions."""

    done: int
    total: int
    judgement: NumberJudgement | None
    seconds: float = field(default=0.0, compare=False)


def judge_numbers(
    K: GramMatrix | ArrayLike,
    y: Labels | ArrayLike,
    config: CrossValidation,
    *,
    learner: Learner | None = None,
    groups: ArrayLike | None = None,
    copies: Copies | None = None,
) -> NumberJudgement:
    """Cross-validate the prediction of a number from a precomputed kernel.

    Parameters
    ----------
    K : (n, n)
        Positive semidefinite and known everywhere.
    y : Labels or (n,) float
        Labels that are numbers, "" = none; or numbers, NaN = none. Items without one are in no fold.
    config : CrossValidation
        With `choose_C` the learner's strength (λ, C, neighbours) is chosen inside the folds, by squared error. Its C
        itself is not looked at.
    learner : Learner, optional
        One that learns numbers; kernel ridge by default.
    groups : (n,) str, optional
        From the labels by default; "" = a group of its own.
    copies : Copies, optional
        Of all kernels that are compared, see `judge`.

    Raises
    ------
    InvalidInputError
        Unknown entries, targets that are no numbers or of other items, fewer items than folds, a learner of classes.
    NotPositiveSemidefiniteError
        Naming the repair.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import CrossValidation, judge_numbers
    >>> x = np.arange(12.0) - 5.5
    >>> made = judge_numbers(np.outer(x, x), 3.0 * x + 1.0, CrossValidation(folds=2, repeats=2))
    >>> made.r2.mean > 0.999, made.r2.floor < 0.0
    (True, True)
    """
    *_, last = judge_numbers_in_pieces(K, y, config, learner=learner, groups=groups, copies=copies)
    assert last.judgement is not None  # the last state holds every repetition
    return last.judgement


def judge_numbers_in_pieces(
    K: GramMatrix | ArrayLike,
    y: Labels | ArrayLike,
    config: CrossValidation,
    *,
    learner: Learner | None = None,
    groups: ArrayLike | None = None,
    copies: Copies | None = None,
) -> Iterator[NumberProgress]:
    """`judge_numbers` in pieces, so that a page can show progress and stop it: a state at least every 0.25 s."""
    gram = as_gram(K)
    task = number_task(
        [gram], y, config, learner=learner, groups=groups, named=isinstance(K, GramMatrix), copies=copies
    )
    options: dict[str, object] = {} if groups is None else {"groups": as_labels(groups, gram.n)}
    if copies is not None:
        options["copies"] = copies
    subject = (gram, y if isinstance(y, Labels) else task.y)
    for state in judging_numbers(task):
        made = state.judgement
        yield (
            state
            if made is None
            else replace(state, judgement=replace(made, subject=subject, options=options))
        )


def number_task(
    kernels: Sequence[GramMatrix],
    y: Labels | ArrayLike,
    config: CrossValidation,
    *,
    learner: Learner | None = None,
    groups: ArrayLike | None = None,
    named: bool = True,
    copies: Copies | None = None,
) -> NumberTask:
    """What the folds share; cut of the first of the kernels, which are all looked at.

    Raises
    ------
    InvalidInputError, NotPositiveSemidefiniteError
        As in `judge_numbers`.
    """
    if not isinstance(config, CrossValidation):
        raise InvalidInputError("The protocol has to be a CrossValidation(...)", type(config).__name__)
    learner = KernelRidge() if learner is None else learner
    check_learns(learner, "numbers")
    first = kernels[0]
    values = numbers_of(y, first, named=named)
    notes = tuple(note for each in kernels for note in check_judgeable(each))
    given = y.groups if isinstance(y, Labels) and groups is None else groups
    grouping = None if given is None else as_labels(given, first.n)
    codes = np.where(np.isnan(values), -1, 0)
    known = int((codes == 0).sum())
    if known < max(config.folds, 2):
        raise InvalidInputError(
            f"There have to be at least as many items with a number as folds ({max(config.folds, 2)})",
            str(known),
        )
    if known < values.size:
        notes += (f"{values.size - known:,} of {values.size:,} items have no number: they are in no fold.",)
    if config.folds == LEAVE_ONE_OUT:
        notes += (
            "Ranks are compared inside folds, and leave-one-out has one item in each: no rank correlation.",
        )
    if copies is None:
        equal = y.copies if isinstance(y, Labels) else None
        copies = found_copies([K.values for K in kernels], codes, config, groups=grouping, known=equal)
    together = kept_together(config, grouping, copies.units if copies.kept else None)
    folds = folds_keeping(codes, config, together)
    return NumberTask(
        values,
        config,
        folds,
        cut_of(first, inductive=config.inductive),
        learner,
        together,
        copies,
        evaluation_state(*kernels, inductive=config.inductive),
        notes,
    )


def judging_numbers(task: NumberTask) -> Iterator[NumberProgress]:
    """Judge fold after fold, as the task says."""
    started, folds = time.perf_counter(), task.folds
    results: list[Predicted] = []
    made: NumberJudgement | None = None
    for piece in over_folds_in_pieces(partial(_predicted, task), task.cut, folds):
        results += piece
        done = len(results)
        whole = done if done == len(folds) else sum(fold.repeat < folds[done].repeat for fold in folds[:done])
        if piece and whole:
            made = _judgement(task, folds[:whole], results[:whole], time.perf_counter() - started)
        yield NumberProgress(done, len(folds), made, time.perf_counter() - started)


def _predicted(task: NumberTask, fold: Fold, blocks: Split) -> Predicted:
    targets, learner = Targets(task.y), task.learner
    # a block of a kernel is a kernel; a block whose steps were fitted anew has to be looked at
    checked = not task.config.inductive
    if task.config.choose_C:
        inner = inner_folds(task.codes, fold.train, task.config, task.groups, least_classes=1)
        learner = chosen(learner, cut_inside(blocks, task.cut), targets, inner, checked=checked)
    own = task.y[fold.train]
    fit = learner.fit_in_units if task.config.choose_C else learner.fit
    fitted = fit(block_of(blocks, checked=checked), Targets(own))
    numbers = fitted.decide(blocks.K_cross)[:, 0]
    return Predicted(numbers, float(own.mean()), learner.value, fitted.not_converged, weights_of(blocks))


def _judgement(
    task: NumberTask, folds: Sequence[Fold], results: Sequence[Predicted], seconds: float
) -> NumberJudgement:
    numbers, means, parts = spread_out(task.y.size, folds, results)
    repeats = len(numbers)
    values, counts = np.unique([result.strength for result in results], return_counts=True)
    strengths = tuple(zip(values.tolist(), counts.tolist(), strict=True))
    late = sum(result.not_converged for result in results)
    errors = [
        np.sqrt(((task.y[f.test] - r.numbers) ** 2).mean()) for f, r in zip(folds, results, strict=True)
    ]
    return NumberJudgement(
        *number_scores(task.y, folds, results),
        y=task.y,
        predicted=numbers,
        by_mean=means,
        parts=parts,
        n_folds=len(folds) // repeats,
        n_repeats=repeats,
        strengths=strengths,
        grid_end=grid_end_of(task.learner, strengths) if task.config.choose_C else None,
        config=task.config,
        learner=task.learner,
        mode=task.state.mode,
        brought=task.state.brought,
        fold_rmse=tuple(map(float, errors)),
        not_converged=late,
        notes=task.notes + task.learner.unfinished(late),
        seconds=seconds,
        groups=task.groups,
        copies=task.copies,
        weights=np.array([result.weights for result in results]),
    )
