"""Cross-validated accuracy of a kernel, with everything that it rests on."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.digits import few_digits
from kernex_core.errors import InvalidInputError
from kernex_core.frozen import EqualByContent
from kernex_core.gram.matrix import GramMatrix, as_gram
from kernex_core.gram.split import Split
from kernex_core.inputs.samples import Labels
from kernex_core.labels import as_labels
from kernex_core.learning.chance.influence import area_influence
from kernex_core.learning.coded import code_labels, labels_of
from kernex_core.learning.copies import Copies, found_copies
from kernex_core.learning.engine import (
    cost_of_weights,
    cut_inside,
    cut_of,
    over_folds_in_pieces,
    weights_of,
)
from kernex_core.learning.fold_results import JudgingTask, Tested, judgement_of
from kernex_core.learning.folds import CrossValidation, Fold
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.leakage import evaluation_state
from kernex_core.learning.learners.choice import block_of, chosen, goodness
from kernex_core.learning.learners.contract import Learner, Targets, check_learns
from kernex_core.learning.learners.support_vectors import SupportVectors
from kernex_core.learning.machine import UNSCALED
from kernex_core.learning.nested import inner_folds
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.learning.scores import auc_by_class, half_wins_by_class
from kernex_core.validation import check_kernel, check_size, psd_tolerance


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
    *_, last = judge_in_pieces(
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


def judge_in_pieces(
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
    """`judge` in pieces of one fold a thread, so that a page can show progress and stop it.

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
    for piece in over_folds_in_pieces(partial(_tested, task), task.cut, folds):
        results += piece
        complete = _whole_repeats(folds, len(results))
        if piece and complete and (len(results) == len(folds) or not only_last):
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
            f"{few if few_digits(gram.errors, gram.values) else ''}: smallest eigenvalue {values[0]:.3g}.",
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
    wins = half_wins_by_class(truth, decisions)
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
