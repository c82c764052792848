"""Cards on slides about machines that learn."""

from __future__ import annotations

from typing import Final

import numpy as np

from kernex_core.kernels.vectors.distance import Gaussian
from kernex_core.learning.learners.ridge import kernel_ridge
from kernex_core.learning.svm import FINE_TOLERANCE, fit_one_vs_rest
from kernex_core.studies.lessons.combining_sources import X as SOURCES
from kernex_core.studies.lessons.combining_sources import Y as TARGETS
from kernex_core.studies.lessons.errata.card import SLIDES, Card, Shown

COST: Final = 10.0
PLACES: Final = ((0.0,), (0.5,), (1.0,))
VALUES: Final = (1.0, 0.0, 1.0)
SMALL: Final = 1e-3


def _dual() -> tuple[Shown, ...]:
    """Two items of two classes: β = (−a, a), 0 <= a <= C, and the dual 2a − a²(1 − k)."""
    K, y = Gaussian(sigma=1.0).gram([[-1.0], [1.0]]), np.array([-1.0, 1.0])
    fitted = fit_one_vs_rest(K, [0, 1], 2, C=COST, tolerance=FINE_TOLERANCE)
    beta = fitted.coefficients[1]
    # concave in a: the least value stands at an end of the box
    ends = [(a, 2.0 * a - a * a * (1.0 - float(K[0, 1]))) for a in (0.0, COST)]
    a, least = min(ends, key=lambda end: end[1])
    margins = y * fitted.decide(K)[:, 1]
    primal = 0.5 * float(beta @ K @ beta) + COST * float(np.maximum(0.0, 1.0 - margins).sum())
    largest = float(y @ beta - 0.5 * beta @ K @ beta)
    return (
        Shown("value of the dual, which equals the primal one", least, largest),
        Shown("the primal value", primal, primal),
        Shown("y f(x) of either item", a * (1.0 - float(K[0, 1])), float(margins[1])),
    )


def _targets() -> tuple[Shown, ...]:
    K, x, y = Gaussian(sigma=0.3).gram(PLACES), np.array(PLACES)[:, 0], np.array(VALUES)
    fits = [kernel_ridge(K, target, SMALL).alpha @ K for target in (x, y)]
    errors = [float(np.mean((f - y) ** 2)) for f in fits]
    return (
        Shown("mean squared error, y = (1, 0, 1) at 0, .5, 1", errors[0], errors[1]),
        Shown("f(0), where y is 1", float(fits[0][0]), float(fits[1][0])),
    )


def _dual_ridge() -> tuple[Shown, ...]:
    n, p, lam = *SOURCES.shape, 0.2
    primal = np.linalg.solve(SOURCES.T @ SOURCES + n * lam * np.eye(p), SOURCES.T @ TARGETS)
    dual = SOURCES.T @ kernel_ridge(SOURCES @ SOURCES.T, TARGETS, lam).alpha
    names = ("first", "second", "third")
    return tuple(
        Shown(f"{name} coefficient, from the kernel and from the features", float(a), float(b))
        for name, a, b in zip(names, dual, primal, strict=True)
    )


CARDS: Final = (
    Card("dual", "Dual of the support vector machine", SLIDES,
         r"\min_{\beta}\ \textstyle\sum_i y_i\beta_i-\tfrac12\beta^\top K\beta",
         r"\max_{\beta}\ \textstyle\sum_i y_i\beta_i-\tfrac12\beta^\top K\beta",
         "The dual is concave. Its least value lies at an end of the box and is no machine; its largest is the primal's "
         "value.", _dual, "what_is_a_kernel",
         "K holds the similarities of all items, y their classes; each yᵢβᵢ lies between 0 and C."),
    Card("targets", "What ridge regression fits", SLIDES, r"\min_f\ \tfrac1n\sum_i(f(x_i)-x_i)^2+\lambda\|f\|^2",
         r"\min_f\ \tfrac1n\sum_i(f(x_i)-y_i)^2+\lambda\|f\|^2", "One letter: as printed, f learns to say x again.",
         _targets, "regularisation",
         "Items are x with labels y; λ is the price of a large norm."),
    Card("dual_ridge", "Ridge by kernel and by features", SLIDES,
         r"X^\top(XX^\top+n\lambda I)^{-1}y=(X^\top X+n\lambda I)^{-1}X^\top y", "",
         "Both sides agree to the last digit: so a kernel is enough.", _dual_ridge, "regularisation",
         "X has an item a row and a feature a column, y the labels; λ is the penalty."),
)  # fmt: skip
