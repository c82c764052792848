"""Cross-validated accuracy of a kernel, with everything that it rests on."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.digits import few_digits
from kernex_core.errors import InvalidInputError
from kernex_core.frozen import EqualByContent
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import Split
from kernex_core.inputs.samples import Labels
from kernex_core.labels import as_labels
from kernex_core.learning.chance.influence import area_influence
from kernex_core.learning.coded import code_labels, labels_of
from kernex_core.learning.engine import Cut, cut_of, over_folds_in_pieces
from kernex_core.learning.fold_results import Tested, judgement_of
from kernex_core.learning.folds import CrossValidation, Fold, make_folds, units_of
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.leakage import evaluation_mode
from kernex_core.learning.machine import UNSCALED, Machine
from kernex_core.learning.nested import chosen_C, fit_grid, right_by_C
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.learning.scores import auc_by_class
from kernex_core.validation import as_symmetric, check_kernel, check_size, psd_tolerance


@dataclass(frozen=True, eq=False)
class _Task(EqualByContent):
    """What the folds of one cross-validation share."""

    how: Judging
    cut: Cut
    machine: Machine
    groups: NDArray[np.str_] | None


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

    Examples
    --------
    >>> x, y = np.arange(12) - 5.5, ["a"] * 6 + ["b"] * 6
    >>> round(judge(np.outer(x, x), y, CrossValidation(folds=2, repeats=3)).multi_class.mean, 3)
    0.972
    """
    *_, last = judge_in_pieces(K, y, config, groups=groups, allow_indefinite=allow_indefinite, only_last=True)
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
) -> Iterator[JudgingProgress]:
    """`judge` in pieces of one fold a thread, so that a page can show progress and stop it.

    A state comes at least every 0.25 s, also when no further fold is done. With `only_last` the last one alone has a
    judgement: putting one together after every repetition takes as long as a few folds.
    """
    if not isinstance(config, CrossValidation):
        raise InvalidInputError("The protocol has to be a CrossValidation(...)", type(config).__name__)
    started = time.perf_counter()
    gram = K if isinstance(K, GramMatrix) else GramMatrix(as_symmetric(K, allow_nan=True))
    task, base = _prepared(gram, y, config, groups, allow_indefinite, named=isinstance(K, GramMatrix))
    folds = task.how.folds
    results: list[Tested] = []
    made: Judgement | None = None
    for piece in over_folds_in_pieces(partial(_tested, task), task.cut, folds):
        results += piece
        complete = _whole_repeats(folds, len(results))
        if piece and complete and (len(results) == len(folds) or not only_last):
            made = judgement_of(base, folds[:complete], results[:complete], time.perf_counter() - started)
        yield JudgingProgress(len(results), len(folds), time.perf_counter() - started, made)


def _prepared(
    gram: GramMatrix,
    y: Labels | ArrayLike,
    config: CrossValidation,
    groups: ArrayLike | None,
    allow_indefinite: bool,
    *,
    named: bool,
) -> tuple[_Task, Judgement]:
    """What every fold needs, and the judgement before the first."""
    labels = labels_of(y, gram, named=named)
    given = y.groups if isinstance(y, Labels) and groups is None else groups
    grouping = None if given is None else as_labels(given, gram.n)
    coded = code_labels(labels)
    notes = check_judgeable(gram, allow_indefinite=allow_indefinite)
    protocol = Protocol(config, UNSCALED)
    how = Judging(protocol, coded, make_folds(coded.codes, config, groups=grouping))
    # a block of a kernel is a kernel; a block whose steps were fitted anew has to be looked at
    machine = protocol.machine(checked=allow_indefinite or not config.inductive)
    base = Judgement.empty(
        coded.classes, coded.codes, config, evaluation_mode(gram, inductive=config.inductive)
    )
    recorded = y if isinstance(y, Labels) and y.recipe is not None else None
    options: dict[str, object] = {"allow_indefinite": True} if allow_indefinite else {}
    if config.grouped and grouping is not None and (recorded is None or groups is not None):
        options["groups"] = grouping
    subject = (gram, labels if recorded is None else recorded)
    together = units_of(grouping) if config.grouped and grouping is not None else None
    base = replace(base, subject=subject, options=options, notes=base.notes + notes, groups=together)
    return _Task(how, cut_of(gram, inductive=config.inductive), machine, grouping), base


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


def _tested(task: _Task, fold: Fold, blocks: Split) -> Tested:
    coded, config, machine = task.how.coded, task.how.protocol.validation, task.machine
    codes, c = coded.codes, len(coded.classes)
    right: dict[float, int] = {}
    fitted = None
    if config.choose_C:
        C = chosen_C(task.cut, codes, fold.train, config, task.groups, checked=machine.checked)
        machine = replace(machine, C=C)
        fits = fit_grid(blocks, codes[fold.train], c, checked=machine.checked)
        right = right_by_C(fits, blocks, np.arange(c), codes[fold.test])
        # where training items cannot be divided C is the fixed one, which the grid need not have
        fitted = fits.get(C)
    if fitted is None:
        fitted = machine.train(blocks, codes[fold.train], c).machine
    decisions = fitted.decide(blocks.K_cross)
    areas = auc_by_class(codes[fold.test], decisions)
    pulls = area_influence(codes[fold.test], decisions)
    return Tested(decisions, areas, machine.C, right, fitted.not_converged, fitted.at_bound, pulls)
