"""Cross-validated prediction of numbers from a kernel."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.labels import as_labels
from kernex_core.gram.matrix import GramMatrix, as_gram
from kernex_core.gram.split import Split
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.interval import Interval
from kernex_core.learning.chance.paired import DIFFERENT, Paired, holm, paired
from kernex_core.learning.chance.verdict import Verdict, verdict_of
from kernex_core.learning.copies import Copies, check_same_units, found_copies
from kernex_core.learning.evaluate import check_judgeable
from kernex_core.learning.folds import (
    LEAVE_ONE_OUT,
    CrossValidation,
    Fold,
    folds_keeping,
    inner_folds,
    kept_together,
)
from kernex_core.learning.leakage import State, evaluation_state
from kernex_core.learning.learners.contract import (
    Learner,
    Targets,
    block_of,
    check_learns,
    chosen,
    grid_end_of,
)
from kernex_core.learning.learners.ridge import KernelRidge
from kernex_core.learning.machine import Cut, cut_inside, cut_of, over_folds_in_steps, weights_of
from kernex_core.learning.predict import chosen_on_all
from kernex_core.learning.regression.judgement import (
    NumberJudgement,
    Predicted,
    by_repetition,
    number_scores,
    numbers_of,
    spread_out,
)


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
    *_, last = judge_numbers_in_steps(K, y, config, learner=learner, groups=groups, copies=copies)
    assert last.judgement is not None  # the last state holds every repetition
    return last.judgement


def judge_numbers_in_steps(
    K: GramMatrix | ArrayLike,
    y: Labels | ArrayLike,
    config: CrossValidation,
    *,
    learner: Learner | None = None,
    groups: ArrayLike | None = None,
    copies: Copies | None = None,
) -> Iterator[NumberProgress]:
    """`judge_numbers` in steps, so that a page can show progress and stop it: a state at least every 0.25 s."""
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
    for batch in over_folds_in_steps(partial(_predicted, task), task.cut, folds):
        results += batch
        done = len(results)
        whole = done if done == len(folds) else sum(fold.repeat < folds[done].repeat for fold in folds[:done])
        if batch and whole:
            made = number_judgement(task, folds[:whole], results[:whole], time.perf_counter() - started)
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
    half = learner.half_widths(fitted, blocks.K_cross, blocks.diag_test)
    return Predicted(
        numbers, float(own.mean()), learner.value, fitted.not_converged, weights_of(blocks), half
    )


def number_judgement(
    task: NumberTask, folds: Sequence[Fold], results: Sequence[Predicted], seconds: float
) -> NumberJudgement:
    """Put the folds of whole repetitions together."""
    numbers, means, parts = spread_out(task.y.size, folds, results)
    repeats = len(numbers)
    used = np.array([result.strength for result in results])
    values, counts = np.unique(used[~np.isnan(used)], return_counts=True)  # a learner without one says NaN
    strengths = tuple(zip(values.tolist(), counts.tolist(), strict=True))
    late = sum(result.not_converged for result in results)
    halves = [result.half for result in results if result.half is not None]
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
        grid_end=grid_end_of(task.learner, strengths) if task.config.choose_C and strengths else None,
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
        half=by_repetition(task.y.size, folds, halves) if halves else np.zeros((0, 0)),
    )


# Does one kernel predict numbers better than another? Paired, on the same folds.


@dataclass(frozen=True, eq=False)
class NumberPair(EqualByContent):
    """Two kernels on the same folds.

    Attributes
    ----------
    first, second : str
    paired : Paired
        Of the root mean squared error: below 0 the first is better. Of this pair alone.
    p : float
        Corrected for the number of pairs (Holm 1979).
    """

    first: str
    second: str
    paired: Paired
    p: float

    @property
    def difference(self) -> float:
        """Root mean squared error of the first less that of the second, mean over repetitions."""
        return self.paired.difference

    @property
    def interval(self) -> Interval:
        """Of that difference, for other data sets of this size."""
        return self.paired.interval

    @property
    def told_apart(self) -> bool:
        """Whether p is below .05 after correction."""
        return self.p < DIFFERENT


def compare_numbers(
    judgements: Mapping[str, NumberJudgement], reference: str | None = None
) -> tuple[NumberPair, ...]:
    """Compare every two of several kernels that predicted numbers, or every other one with a reference.

    Parameters
    ----------
    judgements : dict of str to NumberJudgement
        On the same items and folds.
    reference : str, optional
        One that was fixed before anything was judged: if it is chosen because it is the best, p is too small.

    Raises
    ------
    InvalidInputError
        Fewer than two, not all on the same items and folds, or the reference is not among them.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import CrossValidation, compare_numbers, judge_numbers
    >>> x, protocol = np.arange(12.0) - 5.5, CrossValidation(folds=2, repeats=2)
    >>> kernels = {"linear": np.outer(x, x), "none": np.eye(12)}
    >>> (pair,) = compare_numbers({name: judge_numbers(K, 3.0 * x, protocol) for name, K in kernels.items()})
    >>> pair.difference < 0.0, pair.interval.high < 0.0
    (True, True)
    """
    if len(judgements) < 2:
        raise InvalidInputError("A comparison needs at least two kernels", str(len(judgements)))
    if reference is not None and reference not in judgements:
        raise InvalidInputError("The reference has to be one of the judged kernels", repr(reference))
    others = [name for name in judgements if name != reference]
    names = list(combinations(judgements, 2)) if reference is None else [(name, reference) for name in others]
    found = [_pair(judgements[a], judgements[b]) for a, b in names]
    corrected = holm([one.p for one in found])
    return tuple(NumberPair(a, b, one, p) for (a, b), one, p in zip(names, found, corrected, strict=True))


def number_verdict(judgements: Mapping[str, NumberJudgement]) -> Verdict:
    """Which of several kernels predicts numbers with the smallest root mean squared error, and who is told apart from it.

    Parameters
    ----------
    judgements : dict of str to NumberJudgement
        All that are on the picture, on the same items and folds.

    Raises
    ------
    InvalidInputError
        None, or not all on the same items and folds.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import CrossValidation, judge_numbers
    >>> from kernex_core.learning.regression.evaluate import number_verdict
    >>> x, protocol = np.arange(12.0) - 5.5, CrossValidation(folds=2, repeats=2)
    >>> kernels = {"none": np.eye(12), "linear": np.outer(x, x)}
    >>> made = number_verdict({name: judge_numbers(K, 3.0 * x, protocol) for name, K in kernels.items()})
    >>> made.best.name, [each.name for each in made.worse]
    ('linear', ['none'])
    """
    if not judgements:
        raise InvalidInputError("A verdict needs at least one kernel", "none")
    first = next(iter(judgements.values()))
    for other in judgements.values():
        _check_same(first, other)
    values = {name: made.by_item("rmse") for name, made in judgements.items()}
    made = verdict_of(values, first.passes, groups=first.units, scale="error", smaller=True)
    return Verdict(
        tuple(replace(each, interval=judgements[each.name].interval()) for each in made.candidates)
    )


def _check_same(a: NumberJudgement, b: NumberJudgement) -> None:
    same = a.config == b.config and np.array_equal(a.y, b.y, equal_nan=True)
    if not same or a.n_repeats != b.n_repeats:
        raise InvalidInputError(
            "Two kernels can only be compared on the same items and folds", "different protocols or numbers"
        )
    check_same_units(a.groups, b.groups)


def _pair(a: NumberJudgement, b: NumberJudgement) -> Paired:
    _check_same(a, b)
    return paired(a.by_item("rmse"), b.by_item("rmse"), a.passes, groups=a.units)


@dataclass(frozen=True, eq=False)
class PredictedNumbers(ReadOnlyArrays):
    """Predicted numbers of items without one.

    Attributes
    ----------
    items : (k,) int
        Their positions in the kernel.
    ids : tuple of str
    numbers : (k,) float
    trained : int
        Items with a number, which all were learned from.
    learner : Learner
        With the strength that was chosen, if one was: in units of the mean diagonal of the items that were learned from.
    notes : tuple of str
    """

    items: IntArray
    ids: tuple[str, ...]
    numbers: FloatArray
    trained: int
    learner: Learner
    notes: tuple[str, ...] = ()


def predict_numbers(
    K: GramMatrix,
    y: Labels | ArrayLike,
    *,
    learner: Learner | None = None,
    choose: CrossValidation | None = None,
) -> PredictedNumbers:
    """Learn from the items that have a number, and predict those that have none.

    Parameters
    ----------
    K : (n, n)
        Positive semidefinite and known everywhere.
    y : Labels or (n,) float
        "" or NaN = none.
    learner : Learner, optional
        One that learns numbers; kernel ridge by default.
    choose : CrossValidation, optional
        With its `choose_C` the strength is chosen in folds of the items that have a number, as inside the folds of
        `judge_numbers`; its seed and groups are kept to.

    Raises
    ------
    InvalidInputError
        Unknown entries, every item has a number, a learner of classes.
    NotPositiveSemidefiniteError
        Naming the repair.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import GramMatrix, KernelRidge, predict_numbers
    >>> x = np.array([-2.0, -1.0, 1.0, 2.0, 3.0])
    >>> K = GramMatrix(np.outer(x, x), ids=("a", "b", "c", "d", "new"))
    >>> made = predict_numbers(K, [-3.0, -1.0, 3.0, 5.0, np.nan], learner=KernelRidge(1e-8))
    >>> made.ids, made.numbers.round(4).tolist()
    (('new',), [7.0])
    """
    learner = KernelRidge() if learner is None else learner
    check_learns(learner, "numbers")
    values = numbers_of(y, K)
    new, train = np.flatnonzero(np.isnan(values)), np.flatnonzero(~np.isnan(values))
    if new.size == 0:
        raise InvalidInputError("Prediction is for items without a number", "every item has one")
    check_judgeable(K)
    if choose is not None:
        learner = chosen_on_all(K, y if isinstance(y, Labels) else None, Targets(values), learner, choose)
    fit = learner.fit if choose is None or not choose.choose_C else learner.fit_in_units
    fitted = fit(K.values[np.ix_(train, train)], Targets(values[train]))
    numbers = fitted.decide(K.values[np.ix_(new, train)])[:, 0]
    return PredictedNumbers(
        new, tuple(K.ids[i] for i in new), numbers, train.size, learner, learner.unfinished(fitted.not_converged)
    )  # fmt: skip
