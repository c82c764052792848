"""The C-SVM dual by LIBSVM, where Numba is not installed."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernex_core.frozen import FloatArray
from kernex_core.learning.solvers.problem import OneVsRestProblem
from kernex_core.learning.solvers.small_costs import CONSTANT
from kernex_core.validation import EPS


def solve_by_libsvm(problem: OneVsRestProblem, beta: FloatArray) -> FloatArray:
    """What `smo.solve_one_vs_rest` does, with the same report; it always starts from zero."""
    from sklearn.svm import SVC  # 1.5 s to import

    class Quiet(SVC):  # type: ignore[misc]
        """Does not warn: what did not converge is counted below, and filters of warnings belong to all threads."""

        def _warn_from_fit_status(self) -> None:
            pass

    codes, problems, tolerance = problem.codes, problem.problems, problem.tolerance
    report = np.full((problems, 4), [0.0, 0.0, 0.0, np.inf])
    for row in range(problems):
        y = np.where(codes == (1 if problems == 1 else row), 1, -1)
        if abs(int(y.sum())) == y.size:
            continue
        members = np.where(y > 0, (y > 0).sum(), (y < 0).sum())
        ridged = problem.K + np.diag(problem.asymmetry * members / y.size)
        used, accepted = np.inf, tolerance
        while accepted < used:
            # the unit of the tolerance is known after a fit only
            used = accepted if used == np.inf else accepted / 2.0
            machine: Any = Quiet(kernel="precomputed", C=problem.C, tol=used, max_iter=problem.max_iter)
            machine.fit(ridged, y)
            beta[row] = 0.0
            beta[row, machine.support_] = machine.dual_coef_[0]
            unit, accepted = _unit(ridged, beta[row], tolerance)
        scale = unit if unit > 0.0 else 1.0
        late = machine.fit_status_ and unit > 0.0
        gap = np.inf if late else 0.0 if accepted <= tolerance * scale else accepted / scale
        report[row] = machine.intercept_[0], machine.n_iter_[0], gap, unit
    return report


def _unit(K: FloatArray, beta: FloatArray, tolerance: float) -> tuple[float, float]:
    """Unit of the gap and the gap that is accepted, as `smo` has them."""
    diagonal, size = np.diag(K), float(np.abs(beta).sum())
    values = K @ beta
    rounding = 8.0 * EPS * (1.0 + size * float(np.abs(diagonal).max()))
    spread, other = float(np.ptp(values)), float(np.ptp(values - diagonal * beta))
    used = np.flatnonzero(beta)
    widest = float((diagonal[used, None] + diagonal - 2.0 * K[used]).max(initial=0.0))
    if spread <= max(CONSTANT * min(1.0, size * widest), rounding):
        return 0.0, max(tolerance, rounding)
    unit = min(1.0, spread, other if other > rounding else 1.0)
    return unit, max(tolerance * unit, rounding)
