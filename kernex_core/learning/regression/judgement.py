"""How well numbers are predicted, with floors and spreads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.recipe import Recipe, call
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.interval import DRAWS, LEVEL, Interval
from kernex_core.learning.folds import CrossValidation, Fold
from kernex_core.learning.grid_end import GridEnd
from kernex_core.learning.judgement import NAN, Score
from kernex_core.learning.leakage import Mode
from kernex_core.learning.learners.contract import Learner
from kernex_core.learning.regression.rank_correlation import rank_correlation
from kernex_core.learning.regression.rank_interval import rank_interval

ALIKE = 1e-12
"""Share of the sum of squares below which numbers do not spread."""


class Predicted(NamedTuple):
    """What one fold gave: predictions (n_test,), the mean of its training items, and what was chosen."""

    numbers: FloatArray
    mean: float
    strength: float
    not_converged: int
    weights: FloatArray


@dataclass(frozen=True, eq=False)
class NumberJudgement(ReadOnlyArrays):
    """Result of a cross-validated regression.

    Attributes
    ----------
    rmse, r2, spearman : Score
        Root of the mean squared error; 1 − Σ(y − ŷ)² / Σ(y − ȳ)²; rank correlation inside folds of at least three test
        items. Their floor is what predicting the mean of the training items gets (of a rank correlation: 0).
    y : (n,) float
        NaN = no target, in no fold.
    predicted, by_mean : (n_repeats, n) float
        Predictions, and means of the training items that each item was predicted by; NaN = in no fold.
    parts : (n_repeats, n) int
        Fold that each item was predicted in, numbered through all repetitions; −1 = in none.
    n_folds, n_repeats : int
    strengths : tuple of (float, int)
        Each λ, C or number of neighbours that was used, and in how many folds; chosen ones are in units of the mean diagonal
        of the training block.
    grid_end : GridEnd or None
        End of the grid, where more than half of the folds chose it.
    config : CrossValidation
    learner : Learner
    mode : {"inductive", "transductive", "leak"}
    fold_rmse : tuple of float
        Of every fold of every repetition.
    not_converged : int
    notes : tuple of str
    seconds : float
    groups : (n,) str or None
        Groups that were kept together.
    weights : (n_folds_in_all, M) float
        Of several kernels, where they were learned inside the folds.
    subject : (GramMatrix, targets)
    """

    rmse: Score
    r2: Score
    spearman: Score
    y: FloatArray
    predicted: FloatArray
    by_mean: FloatArray
    parts: IntArray
    n_folds: int
    n_repeats: int
    strengths: tuple[tuple[float, int], ...]
    config: CrossValidation
    learner: Learner
    mode: Mode
    fold_rmse: tuple[float, ...]
    not_converged: int
    notes: tuple[str, ...]
    seconds: float = field(default=0.0, compare=False)
    groups: NDArray[np.str_] | None = None
    weights: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))
    subject: tuple[GramMatrix | None, Labels | ArrayLike | None] = (None, None)
    options: Mapping[str, object] = field(default_factory=dict)
    grid_end: GridEnd | None = None

    @property
    def scores(self) -> tuple[Score, ...]:
        """All measures, the first one first."""
        return self.rmse, self.r2, self.spearman

    @property
    def n_items(self) -> int:
        """Items with a target."""
        return int((~np.isnan(self.y)).sum())

    @property
    def remarks(self) -> tuple[str, ...]:
        """What has to be said with the numbers wherever they stand, a sentence each."""
        return () if self.grid_end is None else (self.grid_end.words,)

    def interval(self, measure: Literal["rmse", "r2", "spearman"] = "rmse") -> Interval:
        """Percentile bootstrap over items (or groups), each with its mean squared error over repetitions.

        Of rank correlations: the jackknife, see `rank_interval`.
        """
        if measure == "spearman":
            return self._of_ranks
        if measure == "rmse":
            error, n = self._drawn(self._errors)
            return self._between(np.sqrt(error / n), self.rmse.mean)
        y = self.y[~np.isnan(self.y)]
        y = y - y.mean()  # beside a large mean the sum of squares has no digits left for the spread
        error, n, total, square = self._drawn(self._errors, y, y * y)
        spread = square - total * total / n
        told = spread > ALIKE * square  # of items that are all the same there is no R²
        return self._between(1.0 - error[told] / spread[told], self.r2.mean)

    def interval_of_difference(self, other: NumberJudgement) -> Interval:
        """The same of the root mean squared error less that of another kernel, on the same draws of items."""
        first, n, second = self._drawn(self._errors, other._errors)
        return self._between(np.sqrt(first / n) - np.sqrt(second / n), self.rmse.mean - other.rmse.mean)

    @property
    def _errors(self) -> FloatArray:
        at = ~np.isnan(self.y)
        return np.asarray(((self.predicted[:, at] - self.y[at]) ** 2).mean(axis=0))

    @property
    def _units(self) -> IntArray:
        at = ~np.isnan(self.y)
        if self.groups is None:
            return np.arange(at.sum())
        return np.asarray(np.unique(self.groups[at], return_inverse=True)[1])

    @property
    def _over(self) -> Literal["items", "groups"]:
        return "items" if self.groups is None else "groups"

    def _drawn(self, errors: FloatArray, *others: FloatArray) -> Iterator[FloatArray]:
        """Sums (DRAWS, ) over drawn units: of the errors, of ones, and of other numbers (n_items,)."""
        units = self._units
        count = int(units.max()) + 1
        columns = (errors, np.ones(units.size), *others)
        table = np.column_stack([np.bincount(units, each, count) for each in columns])
        rng = np.random.default_rng(self.config.seed)
        drawn = rng.multinomial(count, np.full(count, 1.0 / count), size=DRAWS).astype(np.float64) @ table
        return iter(drawn.T)

    def _between(self, found: FloatArray, value: float) -> Interval:
        """Quantiles of draws, and the value itself where all of them are lower or higher, as of a constant prediction."""
        low, high = np.quantile(found, [(1.0 - LEVEL) / 2.0, (1.0 + LEVEL) / 2.0]).tolist()
        return Interval(min(low, value), max(high, value), LEVEL, int(self._units.max()) + 1, self._over)

    @cached_property
    def _of_ranks(self) -> Interval:
        at = ~np.isnan(self.y)
        units = None if self.groups is None else self._units
        return rank_interval(self.y[at], self.predicted[:, at], self.parts[:, at], units)

    @cached_property
    def recipe(self) -> Recipe:
        """How to compute this judgement again; written only when somebody asks."""
        kernel, targets = self.subject
        return call(
            "judgement", "judge_numbers", kernel, targets, self.config, learner=self.learner,
            imports=("from kernex_core import judge_numbers",), **self.options,
        )  # fmt: skip


def number_scores(
    y: FloatArray, folds: Sequence[Fold], results: Sequence[Predicted]
) -> tuple[Score, Score, Score]:
    """RMSE, R² and Spearman's rank correlation over the folds of whole repetitions."""
    numbers, means, _ = spread_out(y.size, folds, results)
    at = ~np.isnan(y)
    truth = y[at]
    spread = float(((truth - truth.mean()) ** 2).mean())
    errors, floors = (((made[:, at] - truth) ** 2).mean(axis=1) for made in (numbers, means))
    by_fold = np.array(
        [_mean_square(y, fold, result.numbers) for fold, result in zip(folds, results, strict=True)]
    )
    ranks = np.array(
        [rank_correlation(y[fold.test], result.numbers) for fold, result in zip(folds, results, strict=True)]
    )
    by_repeat = [_mean(ranks[[fold.repeat == r for fold in folds]]) for r in range(len(numbers))]
    return (
        _scored("Root mean squared error", np.sqrt(errors), np.sqrt(by_fold), float(np.sqrt(floors).mean())),
        _scored("R²", 1.0 - errors / spread, (), float((1.0 - floors / spread).mean())),
        _scored("Rank correlation", by_repeat, ranks[~np.isnan(ranks)], 0.0),
    )


def spread_out(
    n: int, folds: Sequence[Fold], results: Sequence[Predicted]
) -> tuple[FloatArray, FloatArray, IntArray]:
    """(n_repeats, n) predictions, training means (NaN: in no fold) and numbers of folds (−1: in none)."""
    numbers = np.full((folds[-1].repeat + 1, n), NAN)
    means, parts = numbers.copy(), np.full(numbers.shape, -1)
    for k, (fold, result) in enumerate(zip(folds, results, strict=True)):
        numbers[fold.repeat, fold.test], means[fold.repeat, fold.test] = result.numbers, result.mean
        parts[fold.repeat, fold.test] = k
    return numbers, means, parts


def _mean_square(y: FloatArray, fold: Fold, numbers: FloatArray) -> float:
    return float(((y[fold.test] - numbers) ** 2).mean())


def _mean(values: FloatArray) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if defined.size else NAN


def _scored(title: str, repeats: ArrayLike, folds: ArrayLike, floor: float) -> Score:
    values, parts = np.asarray(repeats, dtype=np.float64), np.asarray(folds, dtype=np.float64)
    sds = [float(each.std(ddof=1)) if each.size > 1 else NAN for each in (values, parts)]
    return Score(title, float(values.mean()), sds[0], sds[1], floor=floor)
