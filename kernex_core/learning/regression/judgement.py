"""How well numbers are predicted, with floors and spreads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays, Rows
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import Call, call
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import FEWEST_NUMBERS, Labels
from kernex_core.learning.chance.interval import Interval, Passes, interval_of, judged_times
from kernex_core.learning.chance.tried import GridEnd
from kernex_core.learning.copies import Copies
from kernex_core.learning.folds import CrossValidation, Fold
from kernex_core.learning.judgement import NAN, Score, judged_rows
from kernex_core.learning.leakage import Mode, State
from kernex_core.learning.learners.contract import LARGEST_TARGET, Learner, as_targets

# Spearman's rank correlation inside folds, and what each item has of it.

FEWEST = 3
_ROWS = 256
"""Items that are left out at a time, so that long folds need no square array."""


def mean_ranks(values: FloatArray) -> FloatArray:
    """(n,) rank of each number from 1, the lowest, on; equal ones have their mean rank."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((counts.cumsum() - (counts - 1) / 2.0)[place])


def rank_correlation(y: FloatArray, predicted: FloatArray) -> float:
    """Spearman's correlation, ties with their mean rank; NaN for fewer than three items or constant numbers."""
    if y.size < FEWEST:
        return NAN
    a, b = (mean_ranks(values) - (y.size + 1) / 2.0 for values in (y, predicted))
    size = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / size if size > 0.0 else NAN


def without_each(y: FloatArray, predicted: FloatArray) -> FloatArray:
    """(n,) the same without each item: whoever stood above it is one rank lower, whoever tied with it half a rank."""
    n = y.size
    found = np.full(n, NAN)
    if n <= FEWEST:
        return found
    ranks = [(values, mean_ranks(values)) for values in (y, predicted)]
    for start in range(0, n, _ROWS):
        at = np.arange(start, min(start + _ROWS, n))
        a, b = (_ranks_without(values, whole, at) for values, whole in ranks)
        size = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
        np.divide((a * b).sum(axis=1), size, out=found[at[0] : at[-1] + 1], where=size > 0.0)
    return found


def _ranks_without(values: FloatArray, ranks: FloatArray, at: IntArray) -> FloatArray:
    """(len(at), n) centred ranks of the others when one is left out, 0 in its own place."""
    left = values[at, None]
    new = ranks - (values > left) - 0.5 * (values == left) - values.size / 2.0
    new[np.arange(at.size), at] = 0.0
    return np.asarray(new)


def ranks_by_item(
    y: FloatArray, predicted: FloatArray, parts: IntArray, units: IntArray | None
) -> FloatArray:
    """(n,) mean over folds of the rank correlation inside a fold, plus n times the influence of each item.

    The influence is that of the jackknife (Efron 1982), (u − 1)(θ̄ − θ_(i)) / u with θ_(i) the mean without unit i; that of a
    group is shared by its items. Drawing items anew would not do: an item that is drawn twice agrees with itself.

    Parameters
    ----------
    y, predicted : (n,) float
    parts : (n,) int
        Fold that each item is in.
    units : (n,) int, optional
        Numbers of the groups of items that belong together; a group is in one fold.

    Returns
    -------
    (n,) float
        NaN where no fold has a rank correlation.
    """
    of_unit = np.arange(y.size) if units is None else units
    count = int(of_unit.max()) + 1
    whole, without = _without_each_unit(y, predicted, parts, of_unit, count)
    pulls = (count - 1) / count * (without.mean() - without)
    return np.asarray(whole + y.size * (pulls / np.bincount(of_unit, minlength=count))[of_unit])


def _without_each_unit(
    y: FloatArray, numbers: FloatArray, parts: IntArray, units: IntArray, count: int
) -> tuple[float, FloatArray]:
    """Mean over the folds of one repetition, and (count,) the same without each unit."""
    folds = [np.flatnonzero(parts == part) for part in np.unique(parts)]
    ranks = np.array([rank_correlation(y[at], numbers[at]) for at in folds])
    known = ~np.isnan(ranks)
    if not known.any():
        return NAN, np.full(count, NAN)
    total, number = float(ranks[known].sum()), int(known.sum())
    without = np.full(count, total / number)
    for at, rho in zip(folds, ranks, strict=True):
        left, new = _without_units(y[at], numbers[at], units[at])
        sums = total - np.nan_to_num(rho) + np.nan_to_num(new)
        many = number - (not np.isnan(rho)) + ~np.isnan(new)
        without[left] = np.divide(sums, many, out=without[left], where=many > 0)
    return total / number, without


def _without_units(y: FloatArray, numbers: FloatArray, units: IntArray) -> tuple[IntArray, FloatArray]:
    """Units of a fold, and its rank correlation without each."""
    present, first = np.unique(units, return_index=True)
    if present.size == units.size:
        return present, without_each(y, numbers)[first]
    return present, np.array([rank_correlation(y[units != u], numbers[units != u]) for u in present])


ALIKE = 1e-12
"""Share of their size below which numbers do not spread."""
Measure = Literal["rmse", "r2", "spearman"]
MEASURES: tuple[Measure, ...] = ("rmse", "r2", "spearman")


class Predicted(NamedTuple):
    """What one fold gave: predictions (n_test,), the mean of its training items, what was chosen, and half of intervals."""

    numbers: FloatArray
    mean: float
    strength: float
    not_converged: int
    weights: FloatArray
    half: FloatArray | None = None


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
    half : (n_repeats, n) float
        Half of the interval of each prediction that is to hold 9 of 10 numbers; of no items where the learner says none.
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
    half: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))
    subject: tuple[GramMatrix | None, Labels | ArrayLike | None] = (None, None)
    options: Mapping[str, object] = field(default_factory=dict)
    grid_end: GridEnd | None = None
    copies: Copies | None = None

    def shown_rows(self) -> Rows:
        """See ReadOnlyArrays: the measures with spread and floor, and what they rest on."""
        return judged_rows(self.scores, self.rests_on, self.state)

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
    def rests_on(self) -> str:
        """What the numbers rest on: "296 items, each judged 5 times"."""
        return judged_times(self.n_items, self.n_repeats)

    @property
    def coverage(self) -> float:
        """Share of the numbers that lie within their intervals, over all repetitions; NaN where there are none."""
        if not self.half.size:
            return NAN
        at = ~np.isnan(self.y)
        return float(np.mean(np.abs(self.predicted - self.y)[:, at] <= self.half[:, at]))

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
    numbers = by_repetition(n, folds, [result.numbers for result in results])
    means = by_repetition(n, folds, [result.mean for result in results])
    parts = by_repetition(n, folds, range(len(folds)), -1)
    return numbers, means, parts.astype(np.int64)


def by_repetition(
    n: int, folds: Sequence[Fold], values: Sequence[FloatArray | float], nothing: float = NAN
) -> FloatArray:
    """(n_repeats, n) what each fold has of its test items, and `nothing` of items that are in none."""
    found = np.full((folds[-1].repeat + 1, n), nothing, dtype=np.float64)
    for fold, value in zip(folds, values, strict=True):
        found[fold.repeat, fold.test] = value
    return found


def _mean_square(y: FloatArray, fold: Fold, numbers: FloatArray) -> float:
    return float(((y[fold.test] - numbers) ** 2).mean())


def _mean(values: FloatArray) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if defined.size else NAN


def _scored(title: str, repeats: ArrayLike, folds: ArrayLike, floor: float) -> Score:
    values, parts = np.asarray(repeats, dtype=np.float64), np.asarray(folds, dtype=np.float64)
    sds = [float(each.std(ddof=1)) if each.size > 1 else NAN for each in (values, parts)]
    return Score(title, float(values.mean()), sds[0], sds[1], floor=floor)


def are_numbers(labels: Labels) -> bool:
    """Whether every label is a finite number, of at least three different ones: it may be learned as one.

    Examples
    --------
    >>> are_numbers(Labels(("a", "b", "c", "d"), ["1.5", "2", "", "-3e2"]))
    True
    """
    try:
        values = _parsed(labels)
    except InvalidInputError:
        return False
    return np.unique(values[~np.isnan(values)]).size >= FEWEST_NUMBERS


def kinds_counted(labels: Labels) -> str:
    """How many labels there are, as pages say it: "9 classes", or of a measurement "52 different numbers".

    Examples
    --------
    >>> kinds_counted(Labels(("a", "b", "c", "d"), ["x", "y", "y", ""]))
    '2 classes'
    """
    count = len(labels.classes)
    return f"{count:,} different numbers" if labels.measured else counted(count, "class")


def numbers_of(y: Labels | ArrayLike, gram: GramMatrix, *, named: bool = True) -> FloatArray:
    """(n,) numbers, NaN = none, refused if they are about other items than the kernel.

    Raises
    ------
    InvalidInputError
        Labels that are no numbers, infinities, another number of items or other ids.
    """
    if named and isinstance(y, Labels) and y.ids != gram.ids:
        raise InvalidInputError(
            "Targets and kernel have to be about the same items in the same order",
            "other ids",
            "Align them by their ids: align(...)",
        )
    values = as_targets(_parsed(y) if isinstance(y, Labels) else y, gram.n, allow_nan=True)
    known = values[~np.isnan(values)]
    if known.size < 2 or np.ptp(known) * LARGEST_TARGET < 1.0:
        raise InvalidInputError(
            "Numbers can be learned where at least two of them differ",
            "none that do" if np.unique(known).size < 2 else f"differences of at most {np.ptp(known):.3g}",
            "" if np.unique(known).size < 2 else "Multiply them by a common number",
        )
    return values


def _parsed(labels: Labels) -> FloatArray:
    values = np.full(len(labels.ids), np.nan)
    for i in np.flatnonzero(labels.labelled):
        try:
            values[i] = float(labels.y[i])
        except ValueError:
            values[i] = np.inf
        if not np.isfinite(values[i]):
            raise InvalidInputError(
                "Every label has to be a number to be learned as one",
                f"{str(labels.y[i])!r} of {labels.ids[i]!r}",
            )
    return values
