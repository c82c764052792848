"""Multiple kernel learning with the hinge loss: the objective of support vector machines as a function of the weights.

J(d) = max over a of Σ a_i − ½ Σ_m d_m q_m(a), q_m = (y a)'K_m(y a), over 0 <= a_i <= C and y'a = 0, is convex in the
weights d on the simplex, with gradient −q/2 (Rakotomamonjy et al. 2008). For any such a the least over all weights is at
least Σ a_i − ½ max_m q_m, and J(d) is at most the primal value of the function that a gives: their difference is the gap.
Several classes are one problem each against the rest, with the same weights for all: their objectives are added.
"""

from __future__ import annotations

import numpy as np

from kernex_core.frozen import FloatArray
from kernex_core.learning.learners.contract import Targets
from kernex_core.learning.mkl.base_kernels import BaseKernels
from kernex_core.learning.mkl.minimise import GAP
from kernex_core.learning.mkl.simplex import At
from kernex_core.learning.svm import OneVsRest, fit_one_vs_rest

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
