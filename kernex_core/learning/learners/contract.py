"""What every learner on a precomputed kernel offers: fit targets, and decide new items from their similarities."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_range, parameters
from kernex_core.base.validation import as_numbers
from kernex_core.gram.split import Split
from kernex_core.learning.chance.tried import GridEnd, grid_end
from kernex_core.learning.folds import C_GRID, Fold
from kernex_core.learning.machine import Cut

# Two ways to write how smooth a function has to be, λ = 1 / (2 n C), and the unit of a kernel in which it is chosen.

SMOOTHEST_FIRST = tuple(sorted(C_GRID))
LARGEST_LAM = 1e100
"""Beyond it nλ may leave the range of numbers."""
LAM_GRID = (10.0, 1.0, 0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
"""λ that are chosen from inside folds, times the mean diagonal of the training block."""


def lam_of(C: float, n: int) -> float:
    """λ = 1 / (2 n C) of a cost C and n training items.

    Raises
    ------
    InvalidInputError
        C or n that is not above 0.

    Examples
    --------
    >>> lam_of(10.0, 50)
    0.001
    """
    return 1.0 / (2.0 * _count(n) * check_range("C", C, 1 / LARGEST_LAM, LARGEST_LAM))


def cost_of(lam: float, n: int) -> float:
    """C = 1 / (2 n λ) of a regularization λ and n training items.

    Raises
    ------
    InvalidInputError
        λ or n that is not above 0.

    Examples
    --------
    >>> cost_of(0.001, 50)
    10.0
    """
    return 1.0 / (2.0 * _count(n) * check_range("λ", lam, 1 / LARGEST_LAM, LARGEST_LAM))


def mean_diagonal(K: FloatArray) -> float:
    """Mean diagonal of a training block (n, n); 1 where it is not above 0, as of a kernel that says nothing.

    C over it and λ times it mean the same for K and for 1e-4 K.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core.learning.learners.contract import mean_diagonal
    >>> mean_diagonal(np.diag([1.0, 3.0])), mean_diagonal(np.zeros((2, 2)))
    (2.0, 1.0)
    """
    own = K.diagonal()
    largest = float(np.abs(own).max(initial=0.0))
    if not 0.0 < largest < np.inf:
        return 1.0
    # over the largest first: the sum of large ones may leave the range of numbers
    mean = largest * float((own / largest).mean())
    return mean if mean > 0.0 else 1.0


def _count(n: int) -> float:
    return check_range("The number of training items", n, 1, 1e12)


Kind = Literal["classes", "numbers"]
"""What is learned: which class an item is of, or a number of it."""
LARGEST_TARGET = 1e100
"""In size: errors are squared, and added."""


def as_targets(y: ArrayLike, n: int, *, allow_nan: bool = False) -> FloatArray:
    """Return numbers (n,) that can be learned; NaN, where it is allowed, is none.

    Raises
    ------
    InvalidInputError
        Another number of items, a number that is not finite, one beyond LARGEST_TARGET, or none that is
        above 1 / LARGEST_TARGET in size though some are not 0.
    """
    values = as_numbers(y, "y")
    unknown = np.isnan(values) if allow_nan else np.zeros(values.shape, dtype=np.bool_)
    if values.shape != (n,) or not np.isfinite(values[~unknown]).all():
        raise InvalidInputError(
            f"There has to be one finite number an item ({n}){', or NaN for none' if allow_nan else ''}",
            f"an array of shape {values.shape}" if values.shape != (n,) else "one that is not finite",
        )
    if (largest := float(np.abs(values[~unknown]).max(initial=0.0))) > LARGEST_TARGET:
        raise InvalidInputError(
            f"Numbers that are learned may be up to {LARGEST_TARGET:g} in size, so that their squares can be added",
            f"{largest:.3g}",
            "Divide them by a common number, or take their logarithms",
        )
    if 0.0 < largest * LARGEST_TARGET < 1.0:
        raise InvalidInputError(
            f"Numbers that are learned have to differ from 0 by {1.0 / LARGEST_TARGET:g} or more, so that their squares do",
            f"numbers of at most {largest:.3g} in size",
            "Multiply them by a common number",
        )
    return values


@dataclass(frozen=True, eq=False)
class Targets(ReadOnlyArrays):
    """What is known of the training items: their classes, or a number of each.

    Attributes
    ----------
    values : (n,) int or float
        Codes 0 to n_classes − 1, or finite numbers.
    n_classes : int
        0 = numbers.
    """

    values: IntArray | FloatArray
    n_classes: int = 0

    @property
    def kind(self) -> Kind:
        """What is learned."""
        return "classes" if self.n_classes else "numbers"

    @property
    def columns(self) -> FloatArray:
        """(n, k) one column a problem: the numbers, or 1 for items of the class and −1 for all others.

        Two classes are one problem, that of the second, whose mirror image is the other.
        """
        if not self.n_classes:
            return np.asarray(self.values, dtype=np.float64)[:, None]
        wanted = np.arange(1, 2) if self.n_classes == 2 else np.arange(self.n_classes)
        return np.where(self.values[:, None] == wanted, 1.0, -1.0)


class Fitted(Protocol):
    """A learner that has seen its training items."""

    @property
    def not_converged(self) -> int:
        """Problems that ended before their optimum."""

    @property
    def at_bound(self) -> int:
        """Coefficients at the cost C, of learners that have one."""

    def decide(self, K_cross: FloatArray) -> FloatArray:
        """(n_new, n_classes) decision values, above 0 = yes, or (n_new, 1) predicted numbers."""


@dataclass(frozen=True, eq=False)
class DualFit(ReadOnlyArrays):
    """Functions that are sums over training items: f_c(x) = Σ_i a_ci k(x, x_i) + b_c.

    Attributes
    ----------
    coefficients : (k, n) float
    bias : (k,) float
        Minus infinity for a class without training items; 1 for a class that has all.
    not_converged, at_bound : int
        See Fitted.
    """

    coefficients: FloatArray
    bias: FloatArray
    not_converged: int = 0
    at_bound: int = 0

    def decide(self, K_cross: FloatArray) -> FloatArray:
        """See Fitted."""
        return np.asarray(K_cross @ self.coefficients.T + self.bias)


@dataclass(frozen=True, eq=False)
class InUnits(EqualByContent):
    """A learner that was fitted to a training block over its mean diagonal, and decides by similarities as they are.

    Attributes
    ----------
    fitted : Fitted
    unit : float
    """

    fitted: Fitted
    unit: float

    @property
    def not_converged(self) -> int:
        """See Fitted."""
        return self.fitted.not_converged

    @property
    def at_bound(self) -> int:
        """See Fitted."""
        return self.fitted.at_bound

    def decide(self, K_cross: FloatArray) -> FloatArray:
        """See Fitted."""
        return self.fitted.decide(K_cross / self.unit)


class Solved(NamedTuple):
    """Coefficients (n, k) and intercepts (k,) of columns of targets, and how many were not solved to the end."""

    coefficients: FloatArray
    bias: FloatArray
    not_converged: int = 0
    at_bound: int = 0


@dataclass(frozen=True)
class Learner(ABC):
    """A learner and its parameters; knows nothing of data until `fit`.

    Class attributes
    ----------------
    title, summary, source : str
    learns : tuple of {"classes", "numbers"}
    strength : str
        Name of the parameter that is chosen inside folds where that is asked, "" = none.
    grid : tuple of float
        Its values, the smoothest function first: of equally good ones the first is taken.
    scaled : bool
        Whether what a value of the strength means depends on the scale of the kernel. Values that are chosen are then in
        units of the mean diagonal of the training block: that of K and of 1e-4 K is the same choice.
    """

    title: ClassVar[str]
    summary: ClassVar[str]
    source: ClassVar[str]
    learns: ClassVar[tuple[Kind, ...]]
    strength: ClassVar[str] = ""
    grid: ClassVar[tuple[float, ...]] = ()
    scaled: ClassVar[bool] = True

    @abstractmethod
    def fit(self, K: FloatArray, targets: Targets) -> Fitted:
        """Learn from the training block.

        Parameters
        ----------
        K : (n, n) float
            Positive semidefinite; the caller's word.
        targets : Targets
            Of a kind that the learner learns.
        """

    @property
    def candidates(self) -> tuple[Self, ...]:
        """The same learner with every value of the grid; itself alone where nothing is chosen."""
        return tuple(self.at(value) for value in self.grid) if self.strength else (self,)

    @property
    def value(self) -> float:
        """Value of the parameter that may be chosen; NaN where there is none."""
        return float(getattr(self, self.strength)) if self.strength else float("nan")

    @property
    def letter(self) -> str:
        """What the parameter that may be chosen is called in a sentence; "" where there is none."""
        return "λ" if self.strength == "lam" else self.strength

    def at(self, value: float) -> Self:
        """The same learner with another value of the parameter that may be chosen."""
        return replace(self, **{self.strength: value})

    def unit(self, K: FloatArray) -> float:
        """What a training block is divided by before a strength is chosen for it; 1 where its scale does not matter."""
        return mean_diagonal(K) if self.scaled and self.strength else 1.0

    def fit_in_units(self, K: FloatArray, targets: Targets) -> Fitted:
        """Learn with the strength in units of the mean diagonal of the training block, as it is chosen inside folds."""
        unit = self.unit(K)
        return InUnits(self.fit(K / unit, targets), unit)

    def fits(self, K: FloatArray, targets: Targets) -> tuple[Fitted, ...]:
        """One fit a candidate, with its strength in units of the mean diagonal of the training block."""
        unit = self.unit(K)
        return tuple(InUnits(each, unit) for each in self.each_fitted(K / unit, targets))

    def each_fitted(self, K: FloatArray, targets: Targets) -> tuple[Fitted, ...]:
        """One fit a candidate to a block that is in its units; a learner that can share work among them does."""
        return tuple(each.fit(K, targets) for each in self.candidates)

    def probabilities(self, decisions: FloatArray) -> FloatArray | None:
        """Probabilities of "is it class c?" from decision values; None where they are no log-odds."""
        return None

    def half_widths(self, fitted: Fitted, K_cross: FloatArray, diag: FloatArray) -> FloatArray | None:
        """Half of the intervals (n_new,) that hold 9 of 10 new numbers; None of learners that say none.

        Parameters
        ----------
        fitted : Fitted
            What `fit` made.
        K_cross : (n_new, n) float
        diag : (n_new,) float
            Similarity of each new item to itself.
        """
        return None

    def unfinished(self, count: int) -> tuple[str, ...]:
        """Say what did not converge; nothing where everything did."""
        if not count:
            return ()
        return (
            f"{count:,} problems of {self.title} ended before their optimum. Choose a smoother function, or normalise "
            "the kernel.",
        )


def check_learns(learner: Learner, kind: Kind) -> None:
    """Refuse a learner for what it does not learn.

    Raises
    ------
    InvalidInputError
    """
    if not isinstance(learner, Learner):
        raise InvalidInputError("The learner has to be one of LEARNERS, such as KernelRidge()", repr(learner))
    if kind not in learner.learns:
        raise InvalidInputError(
            f"{learner.title} learns {' and '.join(learner.learns)}",
            f"targets that are {kind}",
            "Choose another learner",
        )


def by_columns(targets: Targets, solve: Callable[[FloatArray], Solved]) -> DualFit:
    """Solve every column of the targets that has items of both signs; the others need no solution.

    Parameters
    ----------
    targets : Targets
    solve : callable
        Columns (n, k) -> Solved.
    """
    T = targets.columns
    if not targets.n_classes:
        made = solve(T)
        return DualFit(made.coefficients.T, made.bias, made.not_converged, made.at_bound)
    both = (T.min(axis=0) < 0.0) & (T.max(axis=0) > 0.0)
    coefficients = np.zeros(T.T.shape)
    bias = np.where(T.max(axis=0) < 0.0, -np.inf, 1.0)
    made = solve(T[:, both]) if both.any() else Solved(np.zeros((len(T), 0)), np.zeros(0))
    coefficients[both], bias[both] = made.coefficients.T, made.bias
    if targets.n_classes == 2:
        # a class that has all items leaves none to the other
        other = -bias if both.any() else np.where(np.isneginf(bias), 1.0, -np.inf)
        coefficients, bias = np.vstack([-coefficients, coefficients]), np.concatenate([other, bias])
    return DualFit(coefficients, bias, made.not_converged, made.at_bound)


# A learner's strength chosen inside the training fold: C, λ or the number of neighbours (nested cross-validation).


def block_of(blocks: Split, *, checked: bool) -> FloatArray:
    """The training block; looked at first unless it is known to be a kernel."""
    return blocks.K_train if checked else blocks.checked().K_train


def chosen(learner: Learner, cut: Cut, targets: Targets, folds: Sequence[Fold], *, checked: bool) -> Learner:
    """The candidate with the most rightly named items, or the least squared error, in folds of the training items.

    Parameters
    ----------
    learner : Learner
        Taken itself where there are no folds.
    cut : callable
        Fits what has to be fitted on the inner training items.
    targets : Targets
        Of all items; only those of the folds are looked at.
    folds : sequence of Fold
        Inside the training items.
    checked : bool
        Blocks are known to be kernels.

    Returns
    -------
    Learner
        Of equally good ones the smoothest, see `Learner.grid`. Its strength is in units of the training block, also where
        nothing was chosen: `fit_in_units` learns by it.
    """
    candidates = learner.candidates
    if not folds or len(candidates) < 2:
        return learner
    return candidates[int(goodness_inside(learner, cut, targets, folds, checked=checked).argmax())]


def goodness_inside(
    learner: Learner,
    cut: Cut,
    targets: Targets,
    folds: Sequence[Fold],
    *,
    checked: bool,
    several: bool = True,
) -> FloatArray:
    """(n_candidates,) items that each candidate names rightly, or −Σ error², in folds of the training items; see `chosen`.

    With `several` off of the learner alone, with its strength as it is.
    """
    scores = np.zeros(len(learner.candidates) if several else 1)
    for fold in folds:
        blocks = cut(fold.train, fold.test)
        own, found = _inside(targets, fold.train)
        K = block_of(blocks, checked=checked)
        fits = learner.fits(K, own) if several else (learner.fit(K, own),)
        scores += [
            goodness(fit, blocks.K_cross, targets.values[fold.test], found if targets.n_classes else None)
            for fit in fits
        ]
    return scores


def goodness(
    fit: Fitted, K_cross: FloatArray, truth: IntArray | FloatArray, classes: IntArray | None
) -> float:
    """Number of items that are named rightly (`classes` are the codes of the decision columns), or −Σ error²."""
    decided = fit.decide(K_cross)
    if classes is None:
        return -float(((decided[:, 0] - truth) ** 2).sum())
    return float((classes[decided.argmax(axis=1)] == truth).sum())


def _inside(targets: Targets, items: IntArray) -> tuple[Targets, IntArray]:
    """Targets of some items, classes numbered anew, and what the new numbers stand for."""
    values = targets.values[items]
    if not targets.n_classes:
        return Targets(values), np.zeros(0, dtype=np.int64)
    found, present = np.unique(values, return_inverse=True)
    return Targets(present.astype(np.int64), found.size), found.astype(np.int64)


def grid_end_of(learner: Learner, used: Iterable[tuple[float, int]]) -> GridEnd | None:
    """The end of the grid of a learner's strength, where more than half of the folds chose it."""
    candidates = learner.candidates
    if len(candidates) < 2:
        return None
    last = candidates[0]
    while not last.strength and isinstance(inner := getattr(last, "learner", None), Learner):
        last = inner
    described = parameters(type(last))[last.strength]
    return grid_end(
        learner.letter, used, [each.value for each in candidates], low=described.low, high=described.high
    )
