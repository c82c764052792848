"""Another learner on the leading kernel principal components of the training items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from kernex_core.base import lapack
from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.base.validation import EPS
from kernex_core.gram.normalize import Center
from kernex_core.gram.step import FittedStep
from kernex_core.learning.learners.contract import Fitted, Kind, Learner, Targets, check_learns
from kernex_core.learning.learners.ridge import KernelRidge


@dataclass(frozen=True)
class OnComponents(Learner):
    """Kernel PCA of the training items, then a learner on the linear kernel of the coordinates."""

    title: ClassVar[str] = "On principal components"
    summary: ClassVar[str] = "kernel PCA of the training items, then another learner"
    source: ClassVar[str] = "Schoelkopf, Smola and Mueller, Neural Computation 1998"
    learns: ClassVar[tuple[Kind, ...]] = ("classes", "numbers")
    number: int = parameter(
        15, label="Components", symbol="q", low=1, high=500, step=1,
        help="Leading components of the centred training block that the learner sees.",
    )  # fmt: skip
    learner: Learner = parameter(KernelRidge(), help="What learns on the components.", hidden=True)

    def __post_init__(self) -> None:
        check_parameters(self)
        check_learns(self.learner, self.learner.learns[0])

    @property
    def candidates(self) -> tuple[Self, ...]:
        """Those of the learner, on the same components."""
        return tuple(type(self)(self.number, each) for each in self.learner.candidates)

    @property
    def value(self) -> float:
        """That of the learner."""
        return self.learner.value

    @property
    def letter(self) -> str:
        """That of the learner."""
        return self.learner.letter

    def fit(self, K: FloatArray, targets: Targets) -> OnCoordinates:
        """See Learner."""
        check_learns(self.learner, targets.kind)
        axes = _axes(K, self.number)
        return OnCoordinates(axes, self.learner.fit(axes.train @ axes.train.T, targets))

    def fit_in_units(self, K: FloatArray, targets: Targets) -> OnCoordinates:
        """See Learner; the unit is that of the coordinates, which the learner sees."""
        check_learns(self.learner, targets.kind)
        axes = _axes(K, self.number)
        return OnCoordinates(axes, self.learner.fit_in_units(axes.train @ axes.train.T, targets))

    def fits(self, K: FloatArray, targets: Targets) -> tuple[OnCoordinates, ...]:
        """See Learner; one decomposition for all."""
        check_learns(self.learner, targets.kind)
        axes = _axes(K, self.number)
        made = self.learner.fits(axes.train @ axes.train.T, targets)
        return tuple(OnCoordinates(axes, each) for each in made)

    def probabilities(self, decisions: FloatArray) -> FloatArray | None:
        """Those of the learner."""
        return self.learner.probabilities(decisions)

    def unfinished(self, count: int) -> tuple[str, ...]:
        """Those of the learner."""
        return self.learner.unfinished(count)


@dataclass(frozen=True, eq=False)
class _Axes(ReadOnlyArrays):
    """Coordinates of training items (n, q), and what takes a centred similarity to coordinates."""

    centring: FittedStep
    train: FloatArray
    turn: FloatArray


def _axes(K: FloatArray, number: int) -> _Axes:
    centring = Center().fit(K)
    values, vectors = lapack.eigh(centring.apply(K))
    values, vectors = values[::-1][:number], vectors[:, ::-1][:, :number]
    kept = values > len(K) * EPS * float(np.abs(values).max(initial=0.0))
    roots = np.sqrt(values[kept])
    return _Axes(centring, vectors[:, kept] * roots, vectors[:, kept] / roots)


@dataclass(frozen=True, eq=False)
class OnCoordinates(ReadOnlyArrays):
    """A learner that was fitted on coordinates of the training items."""

    axes: _Axes
    fitted: Fitted

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
        crossed = self.axes.centring.apply_cross(K_cross, np.zeros(len(K_cross))).values
        return self.fitted.decide((crossed @ self.axes.turn) @ self.axes.train.T)
