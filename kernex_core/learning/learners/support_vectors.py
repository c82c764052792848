"""Support vector machines for classes: with a cost of training errors, and with a hard margin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.learning.learners.contract import SMOOTHEST_FIRST, DualFit, Kind, Learner, Targets
from kernex_core.learning.machine import (
    HARD_MARGIN,
    OneVsRest,
    convergence_note,
    fit_one_vs_rest,
    iteration_limit,
)

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


# ε-support vector regression: errors up to ε cost nothing.

_TOLERANCE = 1e-5
"""Violation of the optimality conditions, in standard deviations of the targets."""


@dataclass(frozen=True)
class SupportVectorRegression(Learner):
    """ε-SVR on standardised targets: min ½ ‖f‖² + C Σ max(0, |y_i − f(x_i) − b| − ε)."""

    title: ClassVar[str] = "Support vector regression"
    summary: ClassVar[str] = "errors up to ε cost nothing, larger ones in proportion"
    source: ClassVar[str] = "Drucker, Burges, Kaufman, Smola and Vapnik, NIPS 1996"
    learns: ClassVar[tuple[Kind, ...]] = ("numbers",)
    strength: ClassVar[str] = "C"
    grid: ClassVar[tuple[float, ...]] = SMOOTHEST_FIRST
    C: float = parameter(
        10.0, label="Cost", symbol="C", low=1e-4, high=1e7, logarithmic=True,
        help="Cost of errors beyond ε, on targets of variance 1; λ = 1/(2nC). Taken as it is; chosen inside the folds in "
        "units of the kernel's mean diagonal.",
    )  # fmt: skip
    epsilon: float = parameter(
        0.1, label="Tube", symbol=r"\varepsilon", low=0.0, high=10.0, step=0.01,
        help="Errors up to so many standard deviations of the training targets cost nothing.",
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_parameters(self)

    def fit(self, K: FloatArray, targets: Targets) -> DualFit:
        """See Learner."""
        y = targets.columns[:, 0]
        mean, spread = float(y.mean()), float(y.std())
        if spread == 0.0:  # nothing to learn but the mean
            return DualFit(np.zeros((1, y.size)), np.array([mean]))
        made = epsilon_svr(K, (y - mean) / spread, C=self.C, epsilon=self.epsilon)
        return DualFit(
            spread * made.coefficients, mean + spread * made.bias, made.not_converged, made.at_bound
        )


def epsilon_svr(
    K: FloatArray, y: FloatArray, *, C: float, epsilon: float, tolerance: float = _TOLERANCE
) -> DualFit:
    """LIBSVM's ε-SVR on a precomputed kernel; coefficients −C to C that sum to 0.

    Maximises y'a − ε Σ|a_i| − ½ a'Ka over Σ a_i = 0, |a_i| <= C.
    """
    from sklearn.svm import SVR  # 1.5 s to import

    class Quiet(SVR):  # type: ignore[misc]
        """Does not warn: what did not converge is counted, and filters of warnings belong to all threads."""

        def _warn_from_fit_status(self) -> None:
            pass

    machine = Quiet(
        kernel="precomputed", C=C, epsilon=epsilon, tol=tolerance, max_iter=iteration_limit(y.size)
    )
    try:
        machine.fit(K, y)
    except ValueError as error:  # entries of such different sizes that the coefficients are no numbers
        raise InvalidInputError(
            "The kernel has to be such that its machine has finite coefficients",
            str(error).split(".")[0],
            "Cosine-normalise the kernel, or choose a smaller C",
        ) from None
    a = np.zeros((1, y.size))
    a[0, machine.support_] = machine.dual_coef_[0]
    bias = np.asarray(machine.intercept_, dtype=np.float64)
    return DualFit(a, bias, int(machine.fit_status_), int((np.abs(a) >= C).sum()))
