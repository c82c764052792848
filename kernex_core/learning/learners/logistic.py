"""Kernel logistic regression: probabilities of two classes, by Newton's method in the dual."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.special import expit

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.base.labels import as_labels
from kernex_core.base.parameters import check_parameters, check_range, parameter
from kernex_core.base.validation import EPS, as_matrix, as_symmetric, check_kernel
from kernex_core.gram.matrix import GramMatrix
from kernex_core.learning.learners.contract import (
    LAM_GRID,
    LARGEST_LAM,
    DualFit,
    Kind,
    Learner,
    Solved,
    Targets,
    by_columns,
)

GRADIENT = 1e-8
"""Largest |t − p − 2nλa| of a fit that counts as converged, beside the largest |t − p|: on separable items both vanish."""
_ROUNDED = 1e-4
"""The same where the digits of K a leave no smaller one: K and a are both large, such as λ = 1e-6 beside entries of 10⁴."""
MOST_STEPS, MOST_CUTS = 100, 40
_FAR = 700.0
"""Log-odds beyond which exp leaves the range of numbers."""


@dataclass(frozen=True, eq=False)
class LogisticFit(ReadOnlyArrays):
    """Kernel logistic regression: log-odds f(x) = Σ_i alpha_i k(x, x_i) + intercept of the second class.

    Attributes
    ----------
    alpha : (n,) float
    intercept : float
    lam : float
    classes : tuple of two str
        The probability is that of the second one, the larger label.
    objective : float
        1/n Σ log(1 + exp(−y_i f(x_i))) + λ ‖f‖².
    gradient : float
        Largest |t − p − 2nλ alpha|: 0 at the optimum.
    steps, halvings : int
        Newton's steps, and how often one was cut in half because the objective rose.
    converged : bool
    """

    alpha: FloatArray
    intercept: float
    lam: float
    classes: tuple[str, ...]
    objective: float
    gradient: float
    steps: int
    halvings: int
    converged: bool

    def log_odds(self, K_cross: ArrayLike) -> FloatArray:
        """(n_new,) f from similarities (n_new, n) to the training items."""
        return np.asarray(as_matrix(K_cross, "K_cross") @ self.alpha + self.intercept)

    def probabilities(self, K_cross: ArrayLike) -> FloatArray:
        """(n_new,) probability of the second class, from similarities (n_new, n) to the training items."""
        return np.asarray(expit(self.log_odds(K_cross)))


def kernel_logistic(K: GramMatrix | ArrayLike, y: ArrayLike, lam: float) -> LogisticFit:
    """Minimise 1/n Σ log(1 + exp(−y_i f(x_i))) + λ ‖f‖² with a free intercept, by iteratively reweighted least squares.

    In the dual: a = W^½ (2nλI + W^½KW^½)⁻¹ W^½ (z − b1) with the working response z = f + W⁻¹(t − p), b so that Σ a = 0;
    a step is halved while the objective rises (Zhu and Hastie, JCGS 2005).

    Parameters
    ----------
    K : (n, n)
        Positive semidefinite and known everywhere.
    y : (n,)
        Two classes; the larger label is the second.
    lam : float
        λ > 0.

    Raises
    ------
    InvalidInputError
        Other than two classes (of one class the intercept has no optimum), or λ that is not above 0.
    NotPositiveSemidefiniteError
        Naming the repair.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import kernel_logistic
    >>> x = np.array([-2.0, -1.0, 1.0, 2.0])
    >>> made = kernel_logistic(np.outer(x, x), ["no", "no", "yes", "yes"], lam=0.1)
    >>> made.probabilities(np.outer([-3.0, 0.0, 3.0], x)).round(3).tolist(), made.converged
    ([0.035, 0.5, 0.965], True)
    """
    values = check_kernel(as_symmetric(K))
    check_range("λ", lam, 0.0, LARGEST_LAM, open_low=True)
    labels, given = as_labels(y, values.shape[0]), np.asarray(y)
    # numbers keep their order: 2 comes before 10
    names = np.unique(given) if given.dtype.kind in "iufb" else np.unique(labels)
    if names.size != 2 or (labels == "").any():
        raise InvalidInputError(
            "Logistic regression needs two classes and a label for every item",
            f"{names.size} classes" if names.size != 2 else "items without a label",
            "Leave out items without a label; with several classes learn one against the rest",
        )
    t = np.asarray((given if given.dtype.kind in "iufb" else labels) == names[1], dtype=np.float64)
    a, b, at, steps, halvings = _newton(values, t, float(lam))
    return LogisticFit(
        a, b, float(lam), tuple(map(str, names)), at.objective, at.gradient, steps, halvings, at.converged
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _At(ReadOnlyArrays):
    objective: float
    gradient: float
    f: FloatArray
    residual: float
    rounding: float
    noise: float

    @property
    def converged(self) -> bool:
        return self.gradient <= max(GRADIENT * self.residual, min(self.rounding, _ROUNDED * self.residual))


def _newton(K: FloatArray, t: FloatArray, lam: float) -> tuple[FloatArray, float, _At, int, int]:
    n = t.size
    a, b = np.zeros(n), float(np.log(t.sum() / (n - t.sum())))
    here, halvings, steps = _look(K, t, lam, a, b), 0, 0
    while here.gradient > GRADIENT * here.residual and steps < MOST_STEPS:
        new_a, new_b = _step(K, t, lam, here.f)
        there = _look(K, t, lam, new_a, new_b)
        cuts = 0
        while not _better(there, here) and cuts < MOST_CUTS:
            new_a, new_b, cuts = (a + new_a) / 2.0, (b + new_b) / 2.0, cuts + 1
            there = _look(K, t, lam, new_a, new_b)
        steps, halvings = steps + 1, halvings + cuts
        if not _better(there, here):
            break  # the digits of numbers tell no better point apart
        a, b, here = new_a, new_b, there
    return a, b, here, steps, halvings


def _better(there: _At, here: _At) -> bool:
    """Whether the objective fell or, where its digits do not tell, the gradient did: never where a number is none.

    Beside a large K a a rise of the objective is its rounding long before the optimum: taken for a rise, it ended the steps
    3e-4 from there, on some processors and in some orders of the items.
    """
    fall, noise = here.objective - there.objective, here.noise + there.noise
    return fall > noise or (fall >= -noise and there.gradient < here.gradient)


def _step(K: FloatArray, t: FloatArray, lam: float, f: FloatArray) -> tuple[FloatArray, float]:
    """One step of reweighted least squares, bordered for the intercept."""
    half = np.clip(f, -_FAR, _FAR) / 2.0
    root = 0.5 / np.cosh(half)  # W^½, never 0/0: (t − p) / W^½ is exp(∓f/2)
    pulled = root * f + np.where(t > 0.0, np.exp(-half), -np.exp(half))
    B = root[:, None] * K * root
    B[np.diag_indices_from(B)] += 2.0 * t.size * lam
    solved = cho_solve(_factor(B), np.column_stack([pulled, root]))
    made, ones = root @ solved
    b = float(made / ones)
    return root * (solved[:, 0] - b * solved[:, 1]), b


def _factor(B: FloatArray) -> tuple[FloatArray, Any]:
    """Cholesky's factor; where K is so large that nλ is less than its rounding, of B with as much on its diagonal."""
    try:
        return cho_factor(B, lower=True, check_finite=False)
    except LinAlgError:
        rounding = np.eye(len(B)) * (len(B) * EPS * float(np.diag(B).max()))
        return cho_factor(B + rounding, lower=True, check_finite=False)


def _look(K: FloatArray, t: FloatArray, lam: float, a: FloatArray, b: float) -> _At:
    Ka = K @ a
    f = Ka + b
    loss = float(np.logaddexp(0.0, np.where(t > 0.0, -f, f)).mean())
    # t − p with all its digits: 1 − expit(f) has none left where f is large
    residuals = np.where(t > 0.0, expit(-f), -expit(f))
    gradient, residual = (float(np.abs(r).max()) for r in (residuals - 2.0 * t.size * lam * a, residuals))
    # of K a, a sum of n products: at most n times this, and mostly √n times
    digits = EPS * float(np.abs(K).max(initial=0.0)) * float(np.abs(a).sum())
    # what p (1 − p), at most 1/4 and |t − p|, makes of it
    rounding = min(0.25, residual) * t.size * digits
    # the mean loss turns with t − p, and λ aᵀKa with λa, which is half of it at the optimum
    moved = float(np.abs(residuals).mean()) + lam * float(np.abs(a).sum())
    objective = loss + lam * float(a @ Ka)
    noise = moved * np.sqrt(t.size) * digits + 4.0 * EPS * abs(objective)
    return _At(objective, gradient, f, residual, rounding, float(noise))


@dataclass(frozen=True)
class KernelLogistic(Learner):
    """Kernel logistic regression, one class against the rest; decision values are log-odds."""

    title: ClassVar[str] = "Kernel logistic regression"
    summary: ClassVar[str] = "probabilities of classes, by Newton's method"
    source: ClassVar[str] = "Zhu and Hastie, Kernel logistic regression, JCGS 2005"
    learns: ClassVar[tuple[Kind, ...]] = ("classes",)
    strength: ClassVar[str] = "lam"
    grid: ClassVar[tuple[float, ...]] = LAM_GRID
    lam: float = parameter(
        1e-3, label="Smoothness", symbol=r"\lambda", low=1e-12, high=1e6, logarithmic=True,
        help="Weight of ‖f‖² against the mean logistic loss; C = 1/(2nλ). In units of the kernel; chosen "
        "inside the folds in units of its mean diagonal.",
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_parameters(self)

    def fit(self, K: FloatArray, targets: Targets) -> DualFit:
        """See Learner."""

        def solve(T: FloatArray) -> Solved:
            made = [_newton(K, (column > 0.0).astype(np.float64), self.lam) for column in T.T]
            late = sum(not each[2].converged for each in made)
            return Solved(
                np.column_stack([each[0] for each in made]), np.array([each[1] for each in made]), late
            )

        return by_columns(targets, solve)

    def probabilities(self, decisions: FloatArray) -> FloatArray:
        """See Learner."""
        return np.asarray(expit(decisions))
