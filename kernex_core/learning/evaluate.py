"""Cross-validated accuracy of a kernel, with everything that it rests on."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.base.digits import few_digits
from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.base.labels import as_labels
from kernex_core.base.validation import check_kernel, check_size, psd_tolerance
from kernex_core.gram.matrix import GramMatrix, as_gram
from kernex_core.gram.split import Split
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.paired import area_influence, influence_over_folds
from kernex_core.learning.copies import Copies, found_copies
from kernex_core.learning.folds import CrossValidation, Fold, inner_folds
from kernex_core.learning.judgement import NAN, Judgement, Score
from kernex_core.learning.leakage import evaluation_state
from kernex_core.learning.learners.contract import (
    Learner,
    Targets,
    block_of,
    check_learns,
    chosen,
    goodness,
    grid_end_of,
)
from kernex_core.learning.learners.support_vectors import SupportVectors
from kernex_core.learning.machine import (
    HARD_MARGIN,
    UNSCALED,
    Cut,
    code_labels,
    cost_of_weights,
    cut_inside,
    cut_of,
    labels_of,
    over_folds_in_steps,
    weights_of,
)
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.learning.scores import (
    auc_by_class,
    balanced_accuracy,
    confusion_counts,
    decided_rightly,
    mann_whitney_2u_by_class,
    matthews,
    one_vs_rest_by_class,
)

# From the decisions of all folds to one judgement.


@dataclass(frozen=True, eq=False)
class JudgingTask(EqualByContent):
    """What the folds of one cross-validation share.

    Attributes
    ----------
    how : Judging
    cut : callable
        Blocks of a kernel for (train, test).
    learner : Learner
    groups : (n,) str or None
        What folds keep together.
    checked : bool
        Training blocks are known to be kernels and are not looked at again.
    """

    how: Judging
    cut: Cut
    learner: Learner
    groups: NDArray[np.str_] | None
    checked: bool = True


class Tested(NamedTuple):
    """What one fold gave.

    Attributes
    ----------
    decisions : (n_test, n_classes) float
    areas : (n_classes,) float
        Under the ROC curve of each class, NaN where it has none.
    C : float
        Or another strength of the learner: λ, neighbours.
    right : dict of float to int
        With it chosen inside: items named rightly by each value of the grid.
    not_converged, at_bound : int
    """

    decisions: FloatArray
    areas: FloatArray
    C: float
    right: dict[float, int]
    not_converged: int
    at_bound: int
    area_pulls: FloatArray
    """(n_classes, n_test) influence of each item on each area."""
    weights: FloatArray
    """(M,) weights of several kernels that were made inside the fold; none of a single one."""
    weight_cost: float = NAN
    """C of learned weights that was chosen inside the fold."""


def judgement_of(
    base: Judgement, folds: Sequence[Fold], results: Sequence[Tested], seconds: float, learner: Learner
) -> Judgement:
    """Put the folds of whole repetitions together."""
    c, codes, repeats = len(base.classes), base.codes, folds[-1].repeat + 1
    decisions = np.full((repeats, codes.size, c), NAN)
    for fold, result in zip(folds, results, strict=True):
        decisions[fold.repeat, fold.test] = result.decisions
    probabilities = learner.probabilities(decisions)
    at = codes >= 0
    truth, predicted = codes[at], decisions[:, at].argmax(axis=2)
    confusions = [confusion_counts(truth, row, c) for row in predicted]
    yes_or_no = np.array([decided_rightly(truth, values[at]) for values in decisions])
    by_class = yes_or_no.mean(axis=1)
    areas = np.array([result.areas for result in results])
    fold_right = [
        (
            float((result.decisions.argmax(axis=1) == codes[fold.test]).mean()),
            float(one_vs_rest_by_class(codes[fold.test], result.decisions).mean()),
        )
        for fold, result in zip(folds, results, strict=True)
    ]
    whole = np.sum(confusions, axis=0)
    correct = np.zeros((repeats, codes.size), dtype=np.bool_)
    correct[:, at] = predicted == truth[None, :]
    decided = np.zeros(correct.shape)
    decided[:, at] = yes_or_no.mean(axis=2)
    named = np.full(correct.shape, -1, dtype=np.int64)
    named[:, at] = predicted
    answered = np.zeros((*correct.shape, c), dtype=np.bool_)
    answered[:, at] = yes_or_no
    votes = np.full(codes.size, -1, dtype=np.int64)
    votes[at] = (predicted[:, :, None] == np.arange(c)).sum(axis=0).argmax(axis=1)
    not_converged = sum(result.not_converged for result in results)
    recall = np.diag(whole) / np.maximum(whole.sum(axis=1), 1)
    costs = _counted(result.C for result in results)
    return replace(
        base,
        multi_class=_scored(
            base.multi_class, (predicted == truth).mean(axis=1), [r[0] for r in fold_right], recall
        ),
        one_vs_rest=_scored(
            base.one_vs_rest, by_class.mean(axis=1), [r[1] for r in fold_right], by_class.mean(axis=0)
        ),
        balanced=_scored(base.balanced, [balanced_accuracy(m) for m in confusions], (), recall),
        matthews=_scored(base.matthews, [matthews(m) for m in confusions], (), ()),
        auc=_scored(
            base.auc,
            _area_by_repeat(areas, folds),
            np.nanmean(areas, axis=1) if _any(areas) else (),
            (),
        ),
        class_accuracy=by_class.mean(axis=0),
        class_recall=recall,
        confusion=whole,
        correct=correct,
        decided=decided,
        named=named,
        answered=answered,
        areas=np.array(_area_by_repeat(areas, folds)),
        area_pulls=_area_pulls(areas, folds, results, codes),
        area_freedom=_area_freedom(areas, folds, base.groups),
        predicted=votes,
        n_folds=len(folds) // repeats,
        n_repeats=repeats,
        costs=costs,
        grid_end=grid_end_of(learner, costs) if base.config.choose_C else None,
        fold_accuracy=tuple(right for right, _ in fold_right),
        undefined_auc=int(np.isnan(areas).sum()),
        not_converged=not_converged,
        grid=_grid(results, base.n_items * repeats),
        notes=base.notes + _hard_margin(results) + learner.unfinished(not_converged),
        seconds=seconds,
        weights=np.array([result.weights for result in results]),
        weight_costs=_counted(v.weight_cost for v in results if not np.isnan(v.weight_cost)),
        probabilities=np.zeros((0, 0, 0)) if probabilities is None else probabilities,
    )


def _any(table: FloatArray) -> bool:
    return bool((~np.isnan(table)).any(axis=1).all())


def _area_by_repeat(table: FloatArray, folds: Sequence[Fold]) -> list[float]:
    """Mean area of each repetition over the class-fold pairs that have one."""
    repeat = np.array([fold.repeat for fold in folds])
    found = []
    for r in np.unique(repeat):
        values = table[repeat == r]
        defined = values[~np.isnan(values)]
        found.append(float(defined.mean()) if defined.size else NAN)
    return found


def _area_pulls(
    table: FloatArray, folds: Sequence[Fold], results: Sequence[Tested], codes: IntArray
) -> FloatArray:
    """(n_repeats, n) influence on the mean of the defined areas of each repetition."""
    pulls = np.zeros((folds[-1].repeat + 1, codes.size))
    for r in range(len(pulls)):
        at = [i for i, fold in enumerate(folds) if fold.repeat == r]
        tests = [folds[i].test for i in at]
        own = influence_over_folds(
            table[at], [results[i].area_pulls for i in at], [codes[test] for test in tests]
        )
        for test, values in zip(tests, own, strict=True):
            pulls[r, test] = values
    return pulls


def _area_freedom(table: FloatArray, folds: Sequence[Fold], groups: NDArray[np.str_] | None) -> float:
    """Items (groups) in folds that have an area, less these folds; mean over repetitions."""
    there = [(fold, ~np.isnan(row).all()) for fold, row in zip(folds, table, strict=True)]
    units = sum(
        (fold.test.size if groups is None else np.unique(groups[fold.test]).size) - 1
        for fold, has in there
        if has
    )
    return units / (folds[-1].repeat + 1)


Values = Sequence[float] | FloatArray


def _scored(base: Score, repeats: Values, folds: Values, classes: Values) -> Score:
    return replace(
        base,
        mean=float(np.mean(repeats)),
        sd_repeats=_sd(repeats),
        sd_folds=_sd(folds),
        sd_classes=_sd(classes),
    )


def _sd(values: Values) -> float:
    return float(np.std(np.asarray(values, dtype=np.float64), ddof=1)) if len(values) > 1 else NAN


def _counted(values: Iterable[float]) -> tuple[tuple[float, int], ...]:
    """Different values, from the smallest on, and how many folds have each."""
    found, counts = np.unique(list(values), return_counts=True)
    return tuple(zip(found.tolist(), counts.tolist(), strict=True))


def _grid(results: Sequence[Tested], decisions: int) -> tuple[tuple[float, float], ...]:
    return tuple((C, sum(result.right[C] for result in results) / decisions) for C in results[0].right)


def _hard_margin(results: Sequence[Tested]) -> tuple[str, ...]:
    at_bound, C = sum(result.at_bound for result in results), results[0].C
    if C < HARD_MARGIN or not at_bound:  # what is chosen inside the folds is always less
        return ()
    cost = "the largest cost" if np.isnan(C) else f"C = {C:g}"
    return (
        f"The margin is not hard: {at_bound:,} coefficients reached {cost}, so some training items cannot be separated.",
    )


@dataclass(frozen=True, eq=False)
class JudgingProgress(EqualByContent):
    """State of a running cross-validation: folds done and in all, seconds, and the judgement of whole repetitions."""

    done: int
    total: int
    seconds: float = field(compare=False)
    judgement: Judgement | None


def judge(
    K: GramMatrix | ArrayLike,
    y: Labels | ArrayLike,
    config: CrossValidation,
    *,
    groups: ArrayLike | None = None,
    allow_indefinite: bool = False,
    learner: Learner | None = None,
    copies: Copies | None = None,
) -> Judgement:
    """Cross-validate a learner on a precomputed kernel: one C-SVM a class, or another of LEARNERS.

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
    learner : Learner, optional
        With `config.choose_C` its strength (C, λ, neighbours) is chosen inside the folds. By default the C-SVM, with the
        C of the config.
    copies : Copies, optional
        Of all kernels that are compared: `copies_of(kernels, y, config)`. By default those of this kernel, so that kernels
        with different ones have different folds.

    Raises
    ------
    InvalidInputError
        Unknown entries, labels of another length or about other ids, fewer than two classes, a learner of numbers.
    NotPositiveSemidefiniteError
        Naming the repair; a support vector machine would fit an indefinite matrix silently and wrongly.

    Examples
    --------
    >>> x, y = np.arange(12) - 5.5, ["a"] * 6 + ["b"] * 6
    >>> round(judge(np.outer(x, x), y, CrossValidation(folds=2, repeats=3)).multi_class.mean, 3)
    0.972
    """
    *_, last = judge_in_steps(
        K,
        y,
        config,
        groups=groups,
        allow_indefinite=allow_indefinite,
        only_last=True,
        learner=learner,
        copies=copies,
    )
    assert last.judgement is not None  # the last state holds every repetition
    return last.judgement


def judge_in_steps(
    K: GramMatrix | ArrayLike,
    y: Labels | ArrayLike,
    config: CrossValidation,
    *,
    groups: ArrayLike | None = None,
    allow_indefinite: bool = False,
    only_last: bool = False,
    learner: Learner | None = None,
    copies: Copies | None = None,
) -> Iterator[JudgingProgress]:
    """`judge` in steps of one fold a thread, so that a page can show progress and stop it.

    A state comes at least every 0.25 s, also when no further fold is done. With `only_last` the last one alone has a
    judgement: putting one together after every repetition takes as long as a few folds.
    """
    if not isinstance(config, CrossValidation):
        raise InvalidInputError("The protocol has to be a CrossValidation(...)", type(config).__name__)
    gram = as_gram(K)
    options: dict[str, object] = {"allow_indefinite": True} if allow_indefinite else {}
    task, base = judging_task(
        gram,
        y,
        config,
        groups=groups,
        learner=learner,
        named=isinstance(K, GramMatrix),
        options=options,
        copies=copies,
    )
    yield from judging(task, base, only_last=only_last)


def judging(task: JudgingTask, base: Judgement, *, only_last: bool = False) -> Iterator[JudgingProgress]:
    """Judge fold after fold; `base` is the judgement before the first."""
    started, folds = time.perf_counter(), task.how.folds
    results: list[Tested] = []
    made: Judgement | None = None
    for batch in over_folds_in_steps(partial(_tested, task), task.cut, folds):
        results += batch
        complete = _whole_repeats(folds, len(results))
        if batch and complete and (len(results) == len(folds) or not only_last):
            made = judgement_of(
                base, folds[:complete], results[:complete], time.perf_counter() - started, task.learner
            )
        yield JudgingProgress(len(results), len(folds), time.perf_counter() - started, made)


def judging_task(
    gram: GramMatrix,
    y: Labels | ArrayLike,
    config: CrossValidation,
    *,
    groups: ArrayLike | None = None,
    learner: Learner | None = None,
    named: bool = True,
    options: Mapping[str, object] = MappingProxyType({}),
    copies: Copies | None = None,
) -> tuple[JudgingTask, Judgement]:
    """What every fold needs, and the judgement before the first; see `judge`."""
    allow_indefinite = "allow_indefinite" in options
    labels = labels_of(y, gram, named=named)
    given = y.groups if isinstance(y, Labels) and groups is None else groups
    grouping = None if given is None else as_labels(given, gram.n)
    coded = code_labels(labels)
    notes = check_judgeable(gram, allow_indefinite=allow_indefinite)
    protocol = Protocol(config, UNSCALED)
    known = y.copies if isinstance(y, Labels) else None
    alone = found_copies([gram.values], coded.codes, config, groups=grouping)
    if copies is None:
        copies = alone if known is None else found_copies(
            [gram.values], coded.codes, config, groups=grouping, known=known
        )  # fmt: skip
        if copies is not alone and isinstance(y, Labels):
            copies = replace(copies, subject=((gram,), y, config))
    how = Judging.keeping(protocol, coded, grouping, copies)
    # a block of a kernel is a kernel; a block whose steps were fitted anew has to be looked at
    checked = allow_indefinite or not config.inductive
    options = {**options} if learner is None else {**options, "learner": learner}
    learner = SupportVectors(config.C) if learner is None else learner
    check_learns(learner, "classes")
    state = evaluation_state(gram, inductive=config.inductive)
    base = Judgement.empty(coded.classes, coded.codes, config, state)
    recorded = y if isinstance(y, Labels) and y.recipe is not None else None
    if config.grouped and grouping is not None and (recorded is None or groups is not None):
        options = {**options, "groups": grouping}
    subject = (gram, labels if recorded is None else recorded)
    if not np.array_equal(alone.units, copies.units) or alone.kept != copies.kept:
        # what judge(K, y, config) does not find again by itself
        options = {**options, "copies": copies}
    base = replace(
        base, subject=subject, options=options, notes=base.notes + notes, groups=how.groups, copies=copies
    )
    return JudgingTask(how, cut_of(gram, inductive=config.inductive), learner, how.groups, checked), base


def _whole_repeats(folds: Sequence[Fold], done: int) -> int:
    """Folds that belong to repetitions of which every fold is done."""
    return done if done == len(folds) else sum(1 for fold in folds[:done] if fold.repeat < folds[done].repeat)


def check_judgeable(gram: GramMatrix, *, allow_indefinite: bool = False) -> tuple[str, ...]:
    """Refuse what no support vector machine is defined on; notes on what was let through."""
    if np.isnan(gram.values).any():
        raise InvalidInputError(
            "A kernel has to be known everywhere to be judged",
            f"{gram.unknown.unknown_pairs:,} unknown pairs",
            "Complete it first, on the page Complete",
        )
    check_size(gram.values, f"The kernel {gram.name!r}")
    if not allow_indefinite and check_kernel(gram.values, given=gram) is gram.values:
        return ()
    values = np.linalg.eigvalsh(gram.values)
    size = np.abs(values)
    if values[0] >= -psd_tolerance(values.size, float(size.max())):
        return ()
    if values[0] >= -gram.digits:
        few = ", which are few: a similarity that is no kernel by less cannot be told from one"
        return (
            "This matrix is positive semidefinite within the digits of its numbers"
            f"{few if few_digits(gram.error_bound, gram.values) else ''}: smallest eigenvalue {values[0]:.3g}.",
        )
    share = 100.0 * float(size[values < 0.0].sum() / size.sum())
    return (
        f"This matrix is no kernel: smallest eigenvalue {values[0]:.3g}, {share:.2g} % of the absolute eigenvalues are "
        "negative. The support vector machine stops at a point that need not be its optimum.",
    )


def _tested(task: JudgingTask, fold: Fold, blocks: Split) -> Tested:
    coded, config, learner = task.how.coded, task.how.protocol.validation, task.learner
    targets, c = Targets(coded.codes, len(coded.classes)), len(coded.classes)
    own, truth = Targets(coded.codes[fold.train], c), coded.codes[fold.test]
    right: dict[float, int] = {}
    fitted = None
    K, fit = block_of(blocks, checked=task.checked), learner.fit
    if config.choose_C and len(learner.candidates) > 1:
        inner = inner_folds(coded.codes, fold.train, config, task.groups)
        learner = chosen(learner, cut_inside(blocks, task.cut), targets, inner, checked=task.checked)
        fits = {each.value: fit for each, fit in zip(learner.candidates, learner.fits(K, own), strict=True)}
        right = {v: int(goodness(fit, blocks.K_cross, truth, np.arange(c))) for v, fit in fits.items()}
        # where training items cannot be divided it is the fixed one, which the grid need not have
        fitted, fit = fits.get(learner.value), learner.fit_in_units
    if fitted is None:
        fitted = fit(K, own)
    decisions = fitted.decide(blocks.K_cross)
    wins = mann_whitney_2u_by_class(truth, decisions)
    areas, pulls = auc_by_class(truth, decisions, wins), area_influence(truth, decisions, wins)
    return Tested(
        decisions,
        areas,
        learner.value,
        right,
        fitted.not_converged,
        fitted.at_bound,
        pulls,
        weights_of(blocks),
        cost_of_weights(blocks),
    )
