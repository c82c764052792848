"""What losses make of the same data: one slope for six margins, one level for five numbers, and the hard margin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.frozen import EqualByContent, FloatArray, ReadOnlyArrays, owned
from kernex_core.learning.learners.losses import MARGIN_LOSSES, RESIDUAL_LOSSES, Loss, least_on_a_line
from kernex_core.learning.svm import FINE_TOLERANCE, HARD_MARGIN, fit_one_vs_rest

MARGINS = owned(np.array([0.5, 1.0, 1.5, 2.0, -1.0, 8.0]))
"""y_i x_i of six items; the last is far on the right side."""
RIDGE = 0.05
NUMBERS = owned(np.array([0.0, 1.0, 2.0, 4.0, 14.0]))
LINE, SIDES = owned(np.array([-3.0, -1.0, 1.0, 2.0])), owned(np.array([0, 0, 1, 1]))


@dataclass(frozen=True, eq=False)
class SlopeOf(EqualByContent):
    """The slope that a loss of margins chooses, with all six items and without the one that is too right.

    Attributes
    ----------
    loss : Loss
    slope, without_far : float
    """

    loss: Loss
    slope: float
    without_far: float


def slopes() -> tuple[SlopeOf, ...]:
    """Minimise 1/m Σ φ(m_i w) + .05 w² for each loss of margins.

    Examples
    --------
    >>> [(each.loss.name, round(each.slope, 3), round(each.without_far, 3)) for each in slopes()][:2]
    [('Square', 0.165, 0.457), ('Hinge', 0.833, 1.0)]
    """
    return tuple(
        SlopeOf(loss, *(least_on_a_line(loss, m, lam=RIDGE)[0] for m in (MARGINS, MARGINS[:-1])))
        for loss in MARGIN_LOSSES
    )


def levels() -> tuple[tuple[Loss, float, float], ...]:
    """The numbers t that minimise Σ loss(y_i − t): both ends, which differ where the loss does not tell them apart.

    Examples
    --------
    >>> [(loss.name, round(low, 3), round(high, 3)) for loss, low, high in levels()][:2]
    [('Square', 4.2, 4.2), ('Absolute', 2.0, 2.0)]
    """
    return tuple((loss, *least_on_a_line(loss, -1.0, NUMBERS)) for loss in RESIDUAL_LOSSES)


@dataclass(frozen=True, eq=False)
class HardMargin(ReadOnlyArrays):
    """f(x) = w x + b of a support vector machine on four points of a line, over C.

    Attributes
    ----------
    C, w, b : (m,) float
    from_C : float
        Least C at which no stem is cut: from here on the margin is hard.
    lam : float
        The same as λ = 1 / (2nC).
    """

    C: FloatArray
    w: FloatArray
    b: FloatArray
    from_C: float
    lam: float


def hard_margin(costs: FloatArray) -> HardMargin:
    """Train at each C.

    Examples
    --------
    >>> made = hard_margin(np.array([0.1, 0.5, 100.0]))
    >>> made.w.round(4).tolist(), round(made.from_C, 4)
    ([0.4, 1.0, 1.0], 0.5)
    """
    K = np.outer(LINE, LINE)
    fits = [fit_one_vs_rest(K, SIDES, 2, C=float(C), tolerance=FINE_TOLERANCE) for C in (*costs, HARD_MARGIN)]
    w = np.array([float(each.coefficients[1] @ LINE) for each in fits])
    b = np.array([float(each.bias[1]) for each in fits])
    largest = float(np.abs(fits[-1].coefficients[1]).max())
    return HardMargin(np.asarray(costs), w[:-1], b[:-1], largest, 1.0 / (2.0 * LINE.size * largest))
