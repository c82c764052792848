"""Several kernels judged together: everything that is learned of them is learned inside the fold.

A fold cuts every kernel, normalises it by its training block, weighs the blocks by the labels of training items, and hands
their sum to a learner. Inner folds, which choose the learner's strength, do the same on their own training items.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import Call, call
from kernex_core.gram.seen import from_labels
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.tried import GridEnd, grid_end
from kernex_core.learning.copies import Copies, copies_of
from kernex_core.learning.evaluate import JudgingProgress, check_judgeable, judging, judging_task
from kernex_core.learning.folds import CrossValidation, Fold, inner_folds
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.leakage import evaluation_state
from kernex_core.learning.learners.contract import Learner, Targets
from kernex_core.learning.mkl.learn import named_kernels
from kernex_core.learning.mkl.weightings import WEIGHT_COSTS, Deciding, Together, check_together, cut_together
from kernex_core.learning.protocol import Judging
from kernex_core.learning.regression.evaluate import NumberProgress, judging_numbers, number_task
from kernex_core.learning.regression.judgement import NumberJudgement

USED = 1e-3
"""Weight from which on a kernel counts as used: less is what the gap leaves undecided."""


@dataclass(frozen=True, eq=False)
class WeightsOfFolds(ReadOnlyArrays):
    """Weights that were made inside the folds, and how much they vary.

    Attributes
    ----------
    names : tuple of str
    by_fold : (n_folds_in_all, M) float
    mean, sd : (M,) float
        Over folds; NaN of one.
    used : (M,) float
        Share of folds in which the weight is above `USED`.
    costs : tuple of (float, int)
        Each C of learned weights that was chosen inside the folds, and in how many; () where none was. In units of the mean
        diagonal of the kernels.
    """

    names: tuple[str, ...]
    by_fold: FloatArray
    mean: FloatArray
    sd: FloatArray
    used: FloatArray
    costs: tuple[tuple[float, int], ...] = ()

    @property
    def grid_end(self) -> GridEnd | None:
        """End of the grid of that C, where more than half of the folds chose it."""
        return grid_end("C of learned weights", self.costs, WEIGHT_COSTS) if self.costs else None


@dataclass(frozen=True, eq=False)
class ManyJudgement(EqualByContent):
    """Several kernels, judged as one.

    Attributes
    ----------
    judgement : Judgement or NumberJudgement
    weights : WeightsOfFolds
    together : Together
    subject : (tuple of GramMatrix, targets)
    given : Copies or None
        Those that were handed in.
    """

    judgement: Judgement | NumberJudgement
    weights: WeightsOfFolds
    together: Together
    subject: tuple[tuple[GramMatrix, ...], Labels | NDArray[np.generic]]
    given: Copies | None = None

    @cached_property
    def recipe(self) -> Call:
        """How to compute this judgement again; written only when somebody asks."""
        copies = {} if self.given is None else {"copies": self.given}
        return call(
            "judgement", "judge_many", *self.subject, self.judgement.config, self.together, **copies,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class ManyProgress(EqualByContent):
    """State of a running judgement: folds done and in all, and the judgement of whole repetitions."""

    done: int
    total: int
    made: ManyJudgement | None
    seconds: float = field(default=0.0, compare=False)


def judge_many(
    kernels: Mapping[str, GramMatrix] | Sequence[GramMatrix],
    y: Labels | ArrayLike,
    config: CrossValidation,
    together: Together,
    *,
    copies: Copies | None = None,
) -> ManyJudgement:
    """Cross-validate what several kernels make together; weights and joint kernels are made inside every fold.

    Parameters
    ----------
    kernels : mapping or sequence of GramMatrix
        Of the same items in the same order; positive semidefinite, known everywhere.
    y : Labels or (n,)
        Classes, "" = none; with `together.numbers` numbers.
    config : CrossValidation
        With `inductive` every kernel's steps are fitted inside the fold, too.
    together : Together
    copies : Copies, optional
        Of all kernels that are compared, see `judge`; by default of those that are judged together here.

    Raises
    ------
    InvalidInputError
        Kernels of other items, and whatever `judge` and `judge_numbers` refuse.
    NotPositiveSemidefiniteError
        Naming the repair.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import CrossValidation, EqualWeights, GramMatrix, Together, judge_many
    >>> x = np.arange(12.0) - 5.5
    >>> kernels = {"plain": GramMatrix(np.outer(x, x)), "squared": GramMatrix(np.outer(x, x) ** 2)}
    >>> made = judge_many(kernels, ["a"] * 6 + ["b"] * 6, CrossValidation(folds=2), Together(EqualWeights()))
    >>> made.judgement.multi_class.mean > 0.8, made.weights.mean.tolist()
    (True, [0.5, 0.5])
    """
    *_, last = judge_many_in_steps(kernels, y, config, together, copies=copies)
    assert last.made is not None  # the last state holds every repetition
    return last.made


def judge_many_in_steps(
    kernels: Mapping[str, GramMatrix] | Sequence[GramMatrix],
    y: Labels | ArrayLike,
    config: CrossValidation,
    together: Together,
    *,
    copies: Copies | None = None,
) -> Iterator[ManyProgress]:
    """`judge_many` in steps, so that a page can show progress and stop it: a state at least every 0.25 s."""
    check_together(together)
    named = _named(kernels)
    subject = tuple(named.values()), y if isinstance(y, Labels) else np.asarray(y)
    for state in _running(subject[0], y, config, together, copies):
        judged, made = state.judgement, None
        if judged is not None:
            made = ManyJudgement(judged, _of_folds(tuple(named), judged, together), together, subject, copies)
        yield ManyProgress(state.done, state.total, made, state.seconds)


def _running(
    kernels: tuple[GramMatrix, ...],
    y: Labels | ArrayLike,
    config: CrossValidation,
    together: Together,
    copies: Copies | None,
) -> Iterator[JudgingProgress] | Iterator[NumberProgress]:
    if together.numbers:
        task = number_task(kernels, y, config, learner=together.learner, copies=copies)
        inner = partial(_inner, np.where(np.isnan(task.y), -1, 0), config, task.groups, 1)
        deciding = Deciding(Targets(task.y), task.learner, config.choose_C, inner, not config.inductive)
        return judging_numbers(
            replace(task, cut=cut_together(kernels, together, deciding, inductive=config.inductive))
        )
    copies = copies_of(kernels, y, config) if copies is None else copies
    how, base = judging_task(kernels[0], y, config, learner=together.learner, copies=copies)
    for K in kernels[1:]:
        check_judgeable(K)
    deciding = deciding_classes(how.how, how.learner, how.groups)
    state = evaluation_state(*kernels, inductive=config.inductive)
    return judging(
        replace(how, cut=cut_together(kernels, together, deciding, inductive=config.inductive)),
        replace(base, mode=state.mode, brought=state.brought, subject=(None, None), options={}),
    )


def deciding_classes(how: Judging, learner: Learner, groups: NDArray[np.str_] | None) -> Deciding:
    """What folds of classes decide by."""
    config, coded = how.protocol.validation, how.coded
    inner = partial(_inner, coded.codes, config, groups, 2)
    targets = Targets(coded.codes, len(coded.classes))
    return Deciding(targets, learner, config.choose_C, inner, not config.inductive)


def _inner(
    codes: IntArray, config: CrossValidation, groups: NDArray[np.str_] | None, least: int, train: IntArray
) -> Sequence[Fold]:
    return inner_folds(codes, train, config, groups, least_classes=least)


def _of_folds(
    names: tuple[str, ...], judged: Judgement | NumberJudgement, together: Together
) -> WeightsOfFolds:
    # what a fold learned has not seen its own test items, but those of the others
    by_fold = from_labels(judged.weights) if together.weighting.sees_labels else judged.weights
    costs = judged.weight_costs if isinstance(judged, Judgement) else ()
    sd = by_fold.std(axis=0, ddof=1) if len(by_fold) > 1 else np.full(len(names), np.nan)
    return WeightsOfFolds(names, by_fold, by_fold.mean(axis=0), sd, (by_fold > USED).mean(axis=0), costs)


def _named(kernels: Mapping[str, GramMatrix] | Sequence[GramMatrix]) -> dict[str, GramMatrix]:
    made: dict[str, GramMatrix] = {}
    for name, K in named_kernels(kernels).items():
        if not isinstance(K, GramMatrix):
            raise InvalidInputError(
                "Kernels that are judged together have to be GramMatrix(...)", type(K).__name__
            )
        made[name] = K.renamed(name)
    ids = {K.ids for K in made.values()}
    if len(ids) > 1:
        raise InvalidInputError(
            "Kernels that are judged together have to be about the same items in the same order",
            "different ids",
            "Align them by their ids: align(...)",
        )
    return made
