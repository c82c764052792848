"""Several kernels judged together: everything that is learned of them is learned inside the fold.

A fold cuts every kernel, normalises it by its training block, weighs the blocks by the labels of training items, and hands
their sum to a learner. Inner folds, which choose the learner's strength, do the same on their own training items.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import EqualByContent, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.recipe import Recipe, call
from kernex_core.gram.split import Split
from kernex_core.inputs.samples import Labels
from kernex_core.learning.engine import Cut, WeighedSplit, cut_of
from kernex_core.learning.evaluate import JudgingProgress, check_judgeable, judging, judging_task
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.leakage import evaluation_mode, worst_mode
from kernex_core.learning.learners.contract import Learner, Targets
from kernex_core.learning.mkl.base_kernels import KernelStack
from kernex_core.learning.mkl.normalise import normalised
from kernex_core.learning.mkl.problem import named_kernels
from kernex_core.learning.mkl.weightings import Weighting, check_weighting
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
    """

    names: tuple[str, ...]
    by_fold: FloatArray
    mean: FloatArray
    sd: FloatArray
    used: FloatArray


@dataclass(frozen=True, eq=False)
class Together(EqualByContent):
    """How several kernels become one inside a fold.

    Attributes
    ----------
    weighting : Weighting
    normalize : {"none", "mean", "cosine", "centred"}
        By the training block of every fold.
    learner : Learner, optional
        The C-SVM of the config, or kernel ridge for numbers, by default. `choose_C` chooses its strength inside the folds;
        the C of learned weights is that of the weighting.
    numbers : bool
        Whether numbers are learned.
    """

    weighting: Weighting
    normalize: str = "mean"
    learner: Learner | None = None
    numbers: bool = False


@dataclass(frozen=True, eq=False)
class ManyJudgement(EqualByContent):
    """Several kernels, judged as one.

    Attributes
    ----------
    judgement : Judgement or NumberJudgement
    weights : WeightsOfFolds
    together : Together
    subject : (tuple of GramMatrix, targets)
    """

    judgement: Judgement | NumberJudgement
    weights: WeightsOfFolds
    together: Together
    subject: tuple[tuple[GramMatrix, ...], Labels | NDArray[np.generic]]

    @cached_property
    def recipe(self) -> Recipe:
        """How to compute this judgement again; written only when somebody asks."""
        return call(
            "judgement", "judge_many", *self.subject, self.judgement.config, self.together,
            imports=("from kernex_core import judge_many",),
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
) -> ManyJudgement:
    """Cross-validate a weighted sum of kernels whose weights are made inside every fold.

    Parameters
    ----------
    kernels : mapping or sequence of GramMatrix
        Of the same items in the same order; positive semidefinite, known everywhere.
    y : Labels or (n,)
        Classes, "" = none; with `together.numbers` numbers.
    config : CrossValidation
        With `inductive` every kernel's steps are fitted inside the fold, too.
    together : Together

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
    *_, last = judge_many_in_pieces(kernels, y, config, together)
    assert last.made is not None  # the last state holds every repetition
    return last.made


def judge_many_in_pieces(
    kernels: Mapping[str, GramMatrix] | Sequence[GramMatrix],
    y: Labels | ArrayLike,
    config: CrossValidation,
    together: Together,
) -> Iterator[ManyProgress]:
    """`judge_many` in pieces, so that a page can show progress and stop it: a state at least every 0.25 s."""
    check_weighting(together.weighting)
    named = _named(kernels)
    subject = tuple(named.values()), y if isinstance(y, Labels) else np.asarray(y)
    for state in _running(subject[0], y, config, together):
        judged, made = state.judgement, None
        if judged is not None:
            made = ManyJudgement(judged, _of_folds(tuple(named), judged.weights), together, subject)
        yield ManyProgress(state.done, state.total, made, state.seconds)


def _running(
    kernels: tuple[GramMatrix, ...], y: Labels | ArrayLike, config: CrossValidation, together: Together
) -> Iterator[JudgingProgress] | Iterator[NumberProgress]:
    if together.numbers:
        task = number_task(kernels, y, config, learner=together.learner)
        targets = Targets(task.y)
        return judging_numbers(replace(task, cut=_cut(kernels, targets, config, together)))
    how, base = judging_task(kernels[0], y, config, learner=together.learner)
    for K in kernels[1:]:
        check_judgeable(K)
    coded = how.how.coded
    targets = Targets(coded.codes, len(coded.classes))
    modes = {evaluation_mode(K, inductive=config.inductive) for K in kernels}
    return judging(
        replace(how, cut=_cut(kernels, targets, config, together)),
        replace(base, mode=worst_mode(modes), subject=(None, None), options={}),
    )


def _cut(kernels: Sequence[GramMatrix], targets: Targets, config: CrossValidation, together: Together) -> Cut:
    """Cut every kernel, and weigh the blocks by what is known of the training items."""
    cuts = [cut_of(K, inductive=config.inductive) for K in kernels]

    def cut(train: IntArray, test: IntArray) -> Split:
        parts = [normalised(each(train, test), together.normalize)[0] for each in cuts]
        own = replace(targets, values=targets.values[train])
        weights = together.weighting.weigh(
            KernelStack(np.array([part.K_train for part in parts])), own
        ).weights
        K_train, K_cross = (
            _summed([getattr(part, name) for part in parts], weights) for name in ("K_train", "K_cross")
        )
        diag = _summed([part.diag_test for part in parts], weights)
        return WeighedSplit(K_train, K_cross, diag, weights=weights)

    return cut


def _summed(parts: Sequence[FloatArray], weights: FloatArray) -> FloatArray:
    made = np.zeros_like(parts[0])
    for weight, part in zip(weights, parts, strict=True):
        if weight > 0.0:
            made += weight * part
    return made


def _of_folds(names: tuple[str, ...], by_fold: FloatArray) -> WeightsOfFolds:
    sd = by_fold.std(axis=0, ddof=1) if len(by_fold) > 1 else np.full(len(names), np.nan)
    return WeightsOfFolds(names, by_fold, by_fold.mean(axis=0), sd, (by_fold > USED).mean(axis=0))


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
