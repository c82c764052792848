"""C-support vector machines on precomputed kernels, one-vs-rest over all classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.learning.solvers.problem import OneVsRestProblem
from kernex_core.learning.solvers.small_costs import halvings, solutions_of_small_costs
from kernex_core.learning.solvers.smo import solve_one_vs_rest
from kernex_core.parameters import check_range
from kernex_core.validation import as_matrix, as_symmetric, check_kernel

TOLERANCE = 1e-3
"""Largest violation of the optimality conditions in units of the decision value: the margin, which is at 1, or the
spread of the decision values where C times the kernel is so small that they spread by less."""
FINE_TOLERANCE = 1e-8
"""The same where decision values themselves are shown, with many digits."""
HARD_MARGIN = 1e6
"""From this C on an SVM counts as hard-margin: it should not reach C, and should make no training errors."""


@dataclass(frozen=True, eq=False)
class OneVsRest(ReadOnlyArrays):
    """One C-SVM a class, trained against all other classes: f_c(x) = sum_i beta_ci k(x, x_i) + b_c.

    Attributes
    ----------
    coefficients : (n_classes, n) float
        Signed dual coefficients beta_ci, from -C to C, each row summing to 0.
    bias : (n_classes,) float
        Minus infinity for a class without training items (it is never predicted); 1 for a class that has all.
    iterations : (n_classes,) int
    not_converged : int
        Problems that did not reach the tolerance: see `convergence_note`.
    at_bound : int
        Coefficients that reached C, over all problems.
    C : float
    dual : (k, n) float
        The dual solution of every problem, one of two classes: the coefficients, but not 0 for a function that decides
        the same everywhere. Of no use to decide by; what a bound of the objective needs.
    """

    coefficients: FloatArray
    bias: FloatArray
    iterations: IntArray
    not_converged: int
    at_bound: int
    C: float
    dual: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))

    def decide(self, K_cross: FloatArray) -> FloatArray:
        """Decision values (n_new, n_classes) from similarities (n_new, n) to the training items."""
        return np.asarray(K_cross @ self.coefficients.T + self.bias)

    @property
    def lam(self) -> float:
        """The same regularization written as lambda = 1 / (2 n C)."""
        return 1.0 / (2.0 * int(self.coefficients.shape[1]) * self.C)


def fit_one_vs_rest(
    K: ArrayLike,
    codes: ArrayLike,
    n_classes: int,
    *,
    C: float = 1.0,
    asymmetry: float = 0.0,
    tolerance: float = TOLERANCE,
    start: OneVsRest | None = None,
    checked: bool = False,
) -> OneVsRest:
    """Train one C-SVM a class on a precomputed kernel.

    Minimises 1/2 beta'K beta - sum_i y_i beta_i with sum_i beta_i = 0 and 0 <= y_i beta_i <= C. Two classes are one
    problem, whose mirror image is the other. The lock of the interpreter is released, so folds can run in threads.

    Parameters
    ----------
    K : (n, n) array_like
        Positive semidefinite.
    codes : (n,) array_like of int
        Class of each item, 0 to `n_classes` - 1.
    C : float
        Above 0; from 1e6 on this is a hard margin.
    asymmetry : float
        c of the asymmetric soft margin: K_ii + c n_{y_i} / n on the training diagonal, with the counts of the
        binary problem (Schoelkopf et al. 2002, section 5.4).
    tolerance : float
        Largest violation of the optimality conditions that is accepted, in units of the margin or of the spread of the
        decision values, whichever is less.
    start : OneVsRest, optional
        Solution of a similar problem on the same items (another C or kernel), from which the iteration starts.
    checked : bool
        Skip the checks of symmetry and definiteness, which cost a decomposition.

    Raises
    ------
    InvalidInputError
        Wrong shapes or values, or an asymmetric matrix.
    NotPositiveSemidefiniteError
        An indefinite matrix, which would be fitted silently and wrongly.
    """
    check_range("C", C, 0.0, open_low=True)
    check_range("The asymmetry of the margin", asymmetry, 0.0)
    check_range("The tolerance", tolerance, 0.0, open_low=True)
    values = as_matrix(K, "K") if checked else check_kernel(as_symmetric(K))
    classes = np.array(codes, dtype=np.int64)
    _check_codes(classes, values.shape, n_classes)
    # the compiled loop knows one kind of array only: writable and contiguous
    values = np.require(values, requirements=["C", "W"])
    limit = iteration_limit(classes.size)
    problems = 1 if n_classes == 2 else n_classes
    halved = halvings(values, C, asymmetry)
    beta = _start(start, problems, classes.size, C * 2.0**halved)
    problem = OneVsRestProblem(
        values, classes, problems, C * 2.0**halved, float(asymmetry), float(tolerance), limit
    )
    report = _solved(problem, beta)
    at_bound = int((np.abs(beta) >= problem.C).sum())
    dual = np.ldexp(beta, -halved)
    beta, report = solutions_of_small_costs(beta, report, classes, halved)
    made = _finished(beta, report, classes, n_classes, C, tolerance, at_bound)
    return replace(made, dual=dual)


def convergence_note(not_converged: int) -> tuple[str, ...]:
    """Say what did not converge; nothing where everything did."""
    if not not_converged:
        return ()
    return (
        f"{not_converged:,} two-class problems ended before their optimum: at the limit of iterations, or because C "
        "times the kernel is so small that its decision values are rounding. Choose another C, or normalise the kernel.",
    )


def iteration_limit(n: int) -> int:
    """Steps after which a problem of n items is given up and counted as not converged."""
    return max(100_000, 100 * n)


def warm_up() -> None:
    """Compile the solver, or load it from Numba's cache, so that the first user does not wait for it."""
    fit_one_vs_rest(np.eye(4), [0, 1, 2, 2], 3, checked=True)


def _check_codes(codes: IntArray, shape: Sequence[int], n_classes: int) -> None:
    if codes.ndim != 1 or tuple(shape) != (codes.size, codes.size) or codes.size == 0:
        raise InvalidInputError(
            "K has to have one row and one column a label", f"{tuple(shape)} and {codes.shape}"
        )
    if codes.min() < 0 or codes.max() >= n_classes:
        raise InvalidInputError(
            f"Class codes have to lie in 0 to {n_classes - 1}", f"{codes.min()} to {codes.max()}"
        )


def _start(start: OneVsRest | None, problems: int, n: int, C: float) -> FloatArray:
    """Feasible coefficients: those of `start`, shrunk as a whole where they would leave the box."""
    if start is None:
        return np.zeros((problems, n))
    given = start.coefficients[-problems:] if problems == 1 else start.coefficients
    if given.shape != (problems, n):
        raise InvalidInputError(f"A start has to have shape {(problems, n)}", str(given.shape))
    return np.array(given * min(1.0, C / start.C), order="C")


def _solved(problem: OneVsRestProblem, beta: FloatArray) -> FloatArray:
    p, report = problem, np.full((problem.problems, 4), [0.0, 0.0, 0.0, np.inf])
    first = 1 if p.problems == 1 else 0
    solve_one_vs_rest(
        p.K, p.codes, first, p.problems, p.C, p.asymmetry, p.tolerance, p.max_iter, beta, report
    )
    return report


def _finished(
    beta: FloatArray,
    report: FloatArray,
    codes: IntArray,
    n_classes: int,
    C: float,
    tolerance: float,
    at_bound: int,
) -> OneVsRest:
    bias = report[:, 0]
    not_converged = int((report[:, 2] >= tolerance).sum())
    if n_classes == 2 and beta.shape[0] == 1:
        beta, bias, report = np.vstack([-beta, beta]), np.array([-bias[0], bias[0]]), report[[0, 0]]
    counts = np.bincount(codes, minlength=n_classes)
    bias = np.where(counts == 0, -np.inf, np.where(counts == codes.size, 1.0, bias))
    beta[(counts == 0) | (counts == codes.size)] = 0.0
    return OneVsRest(beta, bias, report[:, 1].astype(np.int64), not_converged, at_bound, float(C))
