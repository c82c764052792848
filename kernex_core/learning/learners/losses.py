"""Losses, what they cost and how they pull, and where a sum of them is least on a line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import check_range
from kernex_core.base.validation import as_numbers

Slopes = Callable[[FloatArray], tuple[FloatArray, FloatArray]]
_FURTHEST = 1e9
"""The search begins with −1e9 to 1e9."""


@dataclass(frozen=True)
class Loss:
    """A convex loss of one number.

    Attributes
    ----------
    name : str
    of : str
        "margin" (y f(x), large is good) or "residual" (y − f(x)).
    value : callable
        (m,) -> (m,).
    slopes : callable
        (m,) -> slopes to the left and to the right; they differ at a kink.
    """

    name: str
    of: str
    value: Callable[[FloatArray], FloatArray]
    slopes: Slopes


def _smooth(slope: Callable[[FloatArray], FloatArray]) -> Slopes:
    return lambda z: (slope(z), slope(z))


def epsilon_insensitive(epsilon: float) -> Loss:
    """max(0, |r| − ε): residuals up to ε cost nothing; at ε = 0 the absolute loss.

    Examples
    --------
    >>> epsilon_insensitive(1.0).value(np.array([-3.0, 0.5])).tolist()
    [2.0, 0.0]
    """
    check_range("ε", epsilon, 0.0)

    def slopes(r: FloatArray) -> tuple[FloatArray, FloatArray]:
        left = np.where(r > epsilon, 1.0, np.where(r <= -epsilon, -1.0, 0.0))
        return left, np.where(r >= epsilon, 1.0, np.where(r < -epsilon, -1.0, 0.0))

    name = f"ε-insensitive, ε = {epsilon:g}" if epsilon else "Absolute"
    return Loss(name, "residual", lambda r: np.maximum(np.abs(r) - epsilon, 0.0), slopes)


def huber(delta: float) -> Loss:
    """½ r² up to δ, then δ (|r| − δ/2): a square that outliers cannot exploit.

    Examples
    --------
    >>> huber(1.0).value(np.array([0.5, -3.0])).tolist()
    [0.125, 2.5]
    """
    check_range("δ", delta, 0.0, open_low=True)

    def value(r: FloatArray) -> FloatArray:
        return np.where(np.abs(r) <= delta, r**2 / 2.0, delta * (np.abs(r) - delta / 2.0))

    return Loss(f"Huber, δ = {delta:g}", "residual", value, _smooth(lambda r: np.clip(r, -delta, delta)))


MARGIN_LOSSES = (
    Loss("Square", "margin", lambda z: (1.0 - z) ** 2, _smooth(lambda z: -2.0 * (1.0 - z))),
    Loss(
        "Hinge", "margin", lambda z: np.maximum(1.0 - z, 0.0),
        lambda z: (np.where(z <= 1.0, -1.0, 0.0), np.where(z < 1.0, -1.0, 0.0)),
    ),
    Loss(
        "Squared hinge", "margin", lambda z: np.maximum(1.0 - z, 0.0) ** 2,
        _smooth(lambda z: -2.0 * np.maximum(1.0 - z, 0.0)),
    ),
    Loss("Logistic", "margin", lambda z: np.logaddexp(0.0, -z), _smooth(lambda z: -expit(-z))),
)  # fmt: skip
RESIDUAL_LOSSES = (
    Loss("Square", "residual", lambda r: r**2, _smooth(lambda r: 2.0 * r)),
    epsilon_insensitive(0.0),
    epsilon_insensitive(1.0),
    huber(1.0),
    huber(2.0),
)


def least_on_a_line(loss: Loss, a: ArrayLike, b: ArrayLike = 0.0, *, lam: float = 0.0) -> tuple[float, float]:
    """Return where 1/m Σ loss(a_i w + b_i) + λw² is least: both ends of the interval, which are equal where one w is best.

    By bisection of the slopes to the left and to the right, which rise with w because the sum is convex.

    Parameters
    ----------
    loss : Loss
    a, b : (m,) float
        Margins a_i w: a = m_i, b = 0. Residuals y_i − w: a = −1, b = y_i.
    lam : float
        λ, at least 0.

    Raises
    ------
    InvalidInputError
        λ below 0, or a loss of margins without λ, which on separable items may fall for ever.

    Examples
    --------
    >>> tuple(round(end, 6) for end in least_on_a_line(epsilon_insensitive(1.0), -1.0, [0.0, 1.0, 2.0, 4.0, 14.0]))
    (2.0, 3.0)
    """
    check_range("λ", lam, 0.0)
    if loss.of == "margin" and lam == 0.0:
        raise InvalidInputError(
            "Without λ nothing may be least: on separable items the logistic loss falls for ever",
            "λ = 0",
            "Take a λ above 0",
        )
    slope, shift = np.broadcast_arrays(as_numbers(a, "a"), as_numbers(b, "b"))

    def sides(w: float) -> tuple[float, float]:
        left, right = loss.slopes(slope * w + shift)
        rising = slope > 0.0
        first, second = np.where(rising, left, right), np.where(rising, right, left)
        return float((slope * first).mean()) + 2.0 * lam * w, float((slope * second).mean()) + 2.0 * lam * w

    return _turn(lambda w: sides(w)[1] >= 0.0), _turn(lambda w: sides(w)[0] > 0.0)


def _turn(reached: Callable[[float], bool]) -> float:
    """Where a condition that holds to the right of a place begins to hold."""
    low, high = -_FURTHEST, _FURTHEST
    for _ in range(100):
        middle = (low + high) / 2.0
        low, high = (low, middle) if reached(middle) else (middle, high)
    return (low + high) / 2.0 + 0.0
