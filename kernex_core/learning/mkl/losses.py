"""Multiple kernel learning with the hinge loss: the objective of support vector machines as a function of the weights.

J(d) = max over a of Σ a_i − ½ Σ_m d_m q_m(a), q_m = (y a)'K_m(y a), over 0 <= a_i <= C and y'a = 0, is convex in the
weights d on the simplex, with gradient −q/2 (Rakotomamonjy et al. 2008). For any such a the least over all weights is at
least Σ a_i − ½ max_m q_m, and J(d) is at most the primal value of the function that a gives: their difference is the gap.
Several classes are one problem each against the rest, with the same weights for all: their objectives are added.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.linalg import LinAlgError
from numpy.typing import ArrayLike

from kernex_core.base import lapack
from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.base.parameters import check_range
from kernex_core.base.validation import as_numbers
from kernex_core.gram.seen import from_labels
from kernex_core.learning.learners.contract import Targets, as_targets
from kernex_core.learning.machine import OneVsRest, fit_one_vs_rest
from kernex_core.learning.mkl.base_kernels import BaseKernels
from kernex_core.learning.mkl.minimise import GAP, MOST_STEPS, At, minimise

SVM_TOLERANCE = 1e-6
"""Of every support vector machine; at the usual 1e-3 the gap would stop falling at 2e-3."""

UNSOLVED = 1e-3
"""By how much a dual solution is better when it is stretched, relative to it, where a machine did not reach its optimum."""


class HingeObjective:
    """The objective; every machine starts from the solution of the one before.

    Parameters
    ----------
    kernels : BaseKernels
    targets : Targets
        Classes.
    C : float
    tolerance : float
        Of the support vector machines.
    """

    def __init__(
        self, kernels: BaseKernels, targets: Targets, C: float, tolerance: float = SVM_TOLERANCE
    ) -> None:
        self.kernels, self.targets, self.C, self.tolerance = kernels, targets, C, tolerance
        self.signs = targets.columns.T
        self.bias = np.zeros(len(self.signs))
        self._fit: OneVsRest | None = None

    def look(self, weights: FloatArray) -> At:
        """J, its gradient −q/2 summed over the problems, and the relative gap; the dual is (k, n), y a of each problem."""
        K = self.kernels.weighted(weights)
        fit = fit_one_vs_rest(
            K, self.targets.values, self.targets.n_classes, C=self.C, tolerance=self.tolerance, start=self._fit,
            checked=True,
        )  # fmt: skip
        self._fit = fit
        # of a function that is constant under these weights the coefficients are 0, but not the dual that bounds J
        dual = np.array(fit.dual)
        q, total, primal, without_errors = np.zeros(self.kernels.n_kernels), 0.0, 0.0, 0.0
        for c, y in enumerate(self.signs):
            if np.abs(y.sum()) == y.size:
                continue  # no two sides, nothing to pay
            if not dual[c].any():
                dual[c] = _of_no_kernel(y, self.C)
            own = np.maximum(self.kernels.quadratic(dual[c]), 0.0)  # below it by rounding alone
            stretch = _stretch(float(weights @ own), dual[c], self.C)
            if abs(stretch - 1.0) > UNSOLVED:
                dual[c], own = stretch * dual[c], stretch * stretch * own
            norm, f = float(weights @ own), K @ dual[c]
            self.bias[c] = best_bias(y, f)
            q += own
            total += float(np.abs(dual[c]).sum())
            margins = y * (f + self.bias[c])
            plain = norm / 2.0 + self.C * float(np.maximum(0.0, 1.0 - margins).sum())
            primal += plain
            # where C is out of reach, what is missing at the margin by rounding would cost more than all else
            hard = norm / 2.0 / float(margins.min()) ** 2 if float(margins.min()) > 0.0 else np.inf
            without_errors += min(plain, hard)
        bound = total - float(q.max()) / 2.0
        if bound <= 0.0 < total:
            bound = total**2 / 2.0 / float(q.max())  # of the dual shrunk until it bounds best
        gap = _relative(primal, bound)
        if gap > GAP:
            gap = _relative(without_errors, bound)
        return At(total - float(weights @ q) / 2.0, -q / 2.0, gap, dual)


def best_bias(y: FloatArray, f: FloatArray) -> float:
    """The b at which Σ max(0, 1 − y_i (f_i + b)) is least; the middle where several are, as of the machines.

    Its slope grows by 1 at every y_i − f_i, from −n₊ on the left.
    """
    left = int((y > 0.0).sum()) - 1
    return float(np.sort(y - f)[left : left + 2].mean())


def _stretch(norm: float, dual: FloatArray, C: float) -> float:
    """The t at which t Σ|a| − ½ t² a'Ka is largest, t a staying within C: 1 of a solution, and never below 0 there."""
    most = C / float(np.abs(dual).max())
    total = float(np.abs(dual).sum())
    return min(total / norm, most) if norm * most > total else most


def _relative(primal: float, bound: float) -> float:
    return min(max(primal - bound, 0.0) / primal, 1.0) if primal > 0.0 else 0.0


def _of_no_kernel(y: FloatArray, C: float) -> FloatArray:
    """The solution where no kernel says anything: the smaller side at C, the larger one in even parts."""
    sizes = [(y < 0.0).sum(), (y > 0.0).sum()]
    least = float(min(sizes))
    return np.asarray(np.where(y > 0.0, C * least / sizes[1], -C * least / sizes[0]))


# Multiple kernel learning with the square loss: weights of M kernels, with the gap that shows how good they are.
#
# min over weights d on the simplex of J(d) = λ y'(K_d + nλI)⁻¹ y, K_d = Σ d_m K_m, which is
# min over f of 1/n Σ (y_i − f(x_i))² + λ (Σ_m ‖f_m‖)², f = Σ f_m (Bach, Lanckriet and Jordan, ICML 2004).


@dataclass(frozen=True, eq=False)
class MklSolution(ReadOnlyArrays):
    """Weights of several kernels and the function that goes with them.

    Attributes
    ----------
    weights : (M,) float
        On the simplex; exactly 0 for kernels that are not used. Of equal kernels only the summed weight is unique.
        It remembers that labels made it.
    dual : (n,) float
        a = (K_d + nλI)⁻¹ y; the function is f(x) = Σ_m d_m Σ_i a_i k_m(x, x_i).
    lam : float
        λ.
    objective : float
        J(d).
    gap : float
        (J − its lower bound) / J, from the dual a: λ (max_m q_m − Σ d_m q_m) / J with q_m = a'K_m a.
    converged : bool
        The gap is at most the one that was asked for.
    steps, evaluations : int
        Of the projected gradient, and how many systems were solved.
    path : (steps + 1, 2) float
        Objective and gap after every step.
    """

    weights: FloatArray
    dual: FloatArray
    lam: float
    objective: float
    gap: float
    converged: bool
    steps: int
    evaluations: int
    path: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", from_labels(self.weights))
        super().__post_init__()


def square_loss_mkl(
    kernels: BaseKernels,
    y: ArrayLike,
    lam: float,
    *,
    start: ArrayLike | None = None,
    tolerance: float = GAP,
    most_steps: int = MOST_STEPS,
) -> MklSolution:
    """Learn weights of kernels for targets y with the square loss, without an intercept.

    Parameters
    ----------
    kernels : BaseKernels
        Of n items; centre features (or kernels) and y where a constant should be free. Normalise kernels first: a
        larger kernel gets weight for its size alone.
    y : (n,)
    lam : float
        λ > 0. The LASSO is the case of one kernel a feature: scikit-learn's alpha is λ ‖β‖₁.
    start : (M,), optional
        Weights to start from, such as those of a larger λ; equal ones by default.
    tolerance : float
        Relative duality gap.
    most_steps : int
        After which it ends without having converged, and says so.

    Raises
    ------
    InvalidInputError
        y of another length, λ that is not above 0, or a start of another length.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core.learning.mkl.base_kernels import KernelStack
    >>> x = np.array([2.0, 1.0, -1.0, -2.0])
    >>> noise = np.array([1.0, -1.0, -1.0, 1.0])
    >>> made = square_loss_mkl(KernelStack([np.outer(x, x), np.outer(noise, noise)]), x, lam=0.1)
    >>> made.weights.round(6).tolist(), made.gap < 1e-3
    ([1.0, 0.0], True)
    """
    targets = as_targets(y, kernels.n_items)
    check_range("λ", lam, 0.0, open_low=True)
    check_range("The tolerance", tolerance, 0.0)
    count = kernels.n_kernels
    begin = np.full(count, 1.0 / count) if start is None else as_numbers(start, "The start")
    if begin.shape != (count,):
        raise InvalidInputError(f"A start has one weight a kernel ({count})", f"shape {begin.shape}")
    made = minimise(
        SquareObjective(kernels, targets, lam).look, begin, tolerance=tolerance, most_steps=most_steps
    )
    last = made.last
    return MklSolution(
        last.weights, last.at.dual, lam, last.at.value, last.at.gap, made.converged, made.steps, last.evaluations,
        made.path,
    )  # fmt: skip


def square_loss_path(
    kernels: BaseKernels, y: ArrayLike, lams: Sequence[float], *, tolerance: float = GAP
) -> Iterator[MklSolution]:
    """Solutions for several λ in the order given, each from the weights of the one before: give large λ first.

    Parameters
    ----------
    kernels, y, tolerance : see `square_loss_mkl`
    lams : sequence of float
        Above 0.

    Examples
    --------
    >>> from kernex_core.learning.mkl.base_kernels import FeatureGroups
    >>> kernels = FeatureGroups([[2.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [-2.0, 1.0]], [[1, 0], [0, 1]])
    >>> [int((made.weights > 0.0).sum()) for made in square_loss_path(kernels, [2.0, 1.5, -0.5, -2.0], (10.0, 0.01))]
    [1, 2]
    """
    start: FloatArray | None = None
    for lam in lams:
        made = square_loss_mkl(kernels, y, lam, start=start, tolerance=tolerance)
        # a weight of 0 has a gradient all the same, so nothing is lost by starting there
        start = np.asarray(made.weights)
        yield made


@dataclass(frozen=True, eq=False)
class SquareObjective(ReadOnlyArrays):
    """J for targets y (n,), or the sum of J over the columns of y (n, k), with the same weights for all.

    Attributes
    ----------
    kernels : BaseKernels
    y : (n,) or (n, k) float
    lam : float
    """

    kernels: BaseKernels
    y: FloatArray
    lam: float

    def look(self, weights: FloatArray) -> At:
        """J, its gradient −λ q, and the gap from the dual a = (K_d + nλI)⁻¹ y."""
        K = self.kernels.weighted(weights)
        K[np.diag_indices_from(K)] += len(self.y) * self.lam
        try:
            a = lapack.solve(K, self.y)
        except LinAlgError as error:
            raise InvalidInputError(
                "The kernels have to be positive semidefinite, and λ no smaller than their rounding",
                str(error),
                "Repair them on the page Kernels, or choose a larger λ",
            ) from None
        q = (
            self.kernels.quadratic(a)
            if a.ndim == 1
            else np.sum([self.kernels.quadratic(c) for c in a.T], axis=0)
        )
        J = self.lam * float(np.vdot(self.y, a))
        gap = self.lam * max(float(q.max() - weights @ q), 0.0)
        return At(J, -self.lam * q, gap / J if J > 0.0 else 0.0, a)
