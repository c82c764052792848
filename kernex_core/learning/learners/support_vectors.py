"""Support vector machines for classes: with a cost of training errors, and with a hard margin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kernex_core.frozen import FloatArray
from kernex_core.learning.learners.contract import Kind, Learner, Targets
from kernex_core.learning.learners.cost import SMOOTHEST_FIRST
from kernex_core.learning.svm import HARD_MARGIN, OneVsRest, convergence_note, fit_one_vs_rest
from kernex_core.parameters import check_parameters, parameter

_HARD_TOLERANCE = 1e-4
"""A tenth of the usual one: a hard margin stops late or stops wrong."""


@dataclass(frozen=True)
class SupportVectors(Learner):
    """C-SVM, one class against the rest: min ½ ‖f‖² + C Σ max(0, 1 − y_i (f(x_i) + b))."""

    title: ClassVar[str] = "Support vector machine"
    summary: ClassVar[str] = "the widest margin, training errors at cost C"
    source: ClassVar[str] = "Cortes and Vapnik, Support-vector networks, Machine Learning 1995"
    learns: ClassVar[tuple[Kind, ...]] = ("classes",)
    strength: ClassVar[str] = "C"
    grid: ClassVar[tuple[float, ...]] = SMOOTHEST_FIRST
    C: float = parameter(
        10.0, label="Cost", symbol="C", low=1e-4, high=1e7, logarithmic=True,
        help="Cost of training errors; λ = 1/(2nC). Taken as it is; chosen inside the folds in units of the kernel's mean "
        "diagonal.",
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_parameters(self)

    def fit(self, K: FloatArray, targets: Targets) -> OneVsRest:
        """See Learner."""
        return fit_one_vs_rest(K, targets.values, targets.n_classes, C=self.C, checked=True)

    def each_fitted(self, K: FloatArray, targets: Targets) -> tuple[OneVsRest, ...]:
        """See Learner; each is started from the solution of the C before."""
        made: list[OneVsRest] = []
        for C in self.grid:
            start = made[-1] if made else None
            made.append(fit_one_vs_rest(K, targets.values, targets.n_classes, C=C, start=start, checked=True))
        return tuple(made)

    def unfinished(self, count: int) -> tuple[str, ...]:
        """See Learner."""
        return convergence_note(count)


@dataclass(frozen=True)
class HardMargin(Learner):
    """Support vector machine without training errors: C = 10⁶ in units of the mean self-similarity."""

    title: ClassVar[str] = "Hard margin"
    summary: ClassVar[str] = "the widest margin without training errors"
    source: ClassVar[str] = "Boser, Guyon and Vapnik, COLT 1992"
    learns: ClassVar[tuple[Kind, ...]] = ("classes",)

    def fit(self, K: FloatArray, targets: Targets) -> OneVsRest:
        """See Learner."""
        unit = float(K.diagonal().mean())
        C = HARD_MARGIN / unit if unit > 0.0 else HARD_MARGIN
        return fit_one_vs_rest(
            K, targets.values, targets.n_classes, C=C, tolerance=_HARD_TOLERANCE, checked=True
        )

    def unfinished(self, count: int) -> tuple[str, ...]:
        """See Learner."""
        return convergence_note(count)
