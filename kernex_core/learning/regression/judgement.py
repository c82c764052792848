"""How well numbers are predicted, with floors and spreads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import Call, call
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.grid_end import GridEnd
from kernex_core.learning.chance.interval import Interval, Passes, interval_of
from kernex_core.learning.copies import Copies
from kernex_core.learning.folds import CrossValidation, Fold
from kernex_core.learning.judgement import NAN, Score
from kernex_core.learning.leakage import Mode, State
from kernex_core.learning.learners.contract import Learner
from kernex_core.learning.regression.rank_correlation import rank_correlation, ranks_by_item

ALIKE = 1e-12
"""Share of their size below which numbers do not spread."""
Measure = Literal["rmse", "r2", "spearman"]
MEASURES: tuple[Measure, ...] = ("rmse", "r2", "spearman")


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
    copies : Copies or None
        Items that are copies of one another, and whether folds kept them together.
    config : CrossValidation
    learner : Learner
    mode : {"inductive", "transductive", "leak", "as brought"}
        What was seen of tested items, see `state`.
    brought : bool
        It rests on numbers from outside, besides what the mode says.
    fold_rmse : tuple of float
        Of every fold of every repetition.
    not_converged : int
    notes : tuple of str
    seconds : float
    groups : (n,) str or None
        Groups and copies that were kept together.
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
    brought: bool = False
    seconds: float = field(default=0.0, compare=False)
    groups: NDArray[np.str_] | None = None
    weights: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))
    subject: tuple[GramMatrix | None, Labels | ArrayLike | None] = (None, None)
    options: Mapping[str, object] = field(default_factory=dict)
    grid_end: GridEnd | None = None
    copies: Copies | None = None

    @property
    def state(self) -> State:
        """What was seen of tested items, with the words and the sentence for it."""
        return State(self.mode, self.brought)

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
        copies = () if self.copies is None else self.copies.remarks
        return copies if self.grid_end is None else (*copies, self.grid_end.words)

    @property
    def passes(self) -> Passes:
        """In how many folds, and how often, the items were predicted."""
        return Passes(max(self.n_folds, 1), max(self.n_repeats, 1))

    @property
    def units(self) -> NDArray[np.str_] | None:
        """(n_items,) groups of the items that have a number; None where each is its own."""
        return None if self.groups is None else self.groups[~np.isnan(self.y)]

    def by_item(self, measure: Measure = "rmse") -> FloatArray:
        """(n_repeats, n_items) what each item has of a measure in each repetition: that of the repetition plus n times the
        item's influence. NaN in a repetition that does not have it.

        Parameters
        ----------
        measure : {"rmse", "r2", "spearman"}
        """
        at = ~np.isnan(self.y)
        y, predicted = self.y[at], self.predicted[:, at]
        if measure == "spearman":
            units = None if self.units is None else np.unique(self.units, return_inverse=True)[1]
            passes = zip(predicted, self.parts[:, at], strict=True)
            return np.array([ranks_by_item(y, row, parts, units) for row, parts in passes])
        squares = (predicted - y) ** 2
        mean = squares.mean(axis=1, keepdims=True)
        if measure == "rmse":
            root = np.sqrt(mean)
            half = np.divide(squares - mean, 2.0 * root, out=np.zeros_like(squares), where=root > 0.0)
            return np.asarray(root + half)
        off = (y - y.mean()) ** 2
        spread = float(off.mean())
        if spread <= ALIKE**2 * float((y * y).mean()):  # of items that are all the same there is no R²
            return np.full(squares.shape, NAN)
        unexplained = mean / spread
        return np.asarray(1.0 - unexplained - (squares - unexplained * off) / spread)

    def interval(self, measure: Measure = "rmse") -> Interval:
        """Interval for other data sets of this size, see `interval_of`.

        Of R² it is that of the share that is left unexplained, 1 − R², on the scale of its logarithm.

        Parameters
        ----------
        measure : {"rmse", "r2", "spearman"}
        """
        return self._intervals[measure]

    @cached_property
    def _intervals(self) -> dict[Measure, Interval]:
        values = {measure: self.by_item(measure) for measure in MEASURES}
        rank = interval_of(values["spearman"], self.passes, scale="correlation", groups=self.units)
        least, least_left = self._of_normal_errors
        left = interval_of(
            1.0 - values["r2"], self.passes, scale="error", groups=self.units, least=least_left
        )
        error = interval_of(values["rmse"], self.passes, scale="error", groups=self.units, least=least)
        if self.rmse.mean == 0.0:  # its scale is that of the numbers
            at = ~np.isnan(self.y)
            error = replace(error, high=float(np.std(self.y[at])) * float(np.sqrt(left.high)))
        return {
            "rmse": error,
            "r2": replace(left, low=1.0 - left.high, high=1.0 - left.low),
            "spearman": rank,
        }

    @property
    def _of_normal_errors(self) -> tuple[float, float]:
        """Variances of the root mean squared error and of 1 − R² in one pass where errors and numbers are normal.

        RMSE² / 2n and 4 (1 − R²)² (1 − ρ²) / n, ρ being the correlation of errors with numbers; for 1 / n see `_few`.
        """
        at = ~np.isnan(self.y)
        y, errors = self.y[at], self.predicted[:, at] - self.y[at]
        few = float(np.mean([_few(row, self.units) for row in errors]))
        least = 0.5 * few * self.rmse.mean**2
        off, apart = y - y.mean(), errors - errors.mean(axis=1, keepdims=True)
        spread, size = float(off @ off), (apart**2).sum(axis=1)
        if spread <= ALIKE**2 * float(y @ y):
            return least, 0.0
        shared = np.divide((apart @ off) ** 2, size * spread, out=np.ones_like(size), where=size > 0.0)
        return least, 4.0 * few * (1.0 - self.r2.mean) ** 2 * max(1.0 - float(shared.mean()), 0.0)

    @cached_property
    def recipe(self) -> Call:
        """How to compute this judgement again; written only when somebody asks."""
        kernel, targets = self.subject
        return call(
            "judgement", "judge_numbers", kernel, targets, self.config, learner=self.learner, **self.options,
        )  # fmt: skip


def _few(errors: FloatArray, units: NDArray[np.str_] | None) -> float:
    """1 / n; in groups Σ_g (m + m (m − 1) r²) / n², m items a group whose errors correlate by r."""
    n = errors.size
    if units is None:
        return 1.0 / n
    group = np.unique(units, return_inverse=True)[1]
    sizes = np.bincount(group)
    pairs, whole = float((sizes * (sizes - 1.0)).sum()), float(errors @ errors)
    if pairs == 0.0 or whole == 0.0:
        return 1.0 / n
    alike = (float((np.bincount(group, errors) ** 2).sum()) - whole) / pairs / (whole / n)
    return (n + pairs * min(alike**2, 1.0)) / n**2


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
