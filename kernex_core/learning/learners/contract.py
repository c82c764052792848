"""What every learner on a precomputed kernel offers: fit targets, and decide new items from their similarities."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import EqualByContent, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.learning.learners.cost import mean_diagonal
from kernex_core.validation import as_numbers

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
