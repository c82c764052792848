"""Pictures of ridge regression: coefficients over λ, and what noise makes of a curve."""

from __future__ import annotations

from typing import Final

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.learning.learners.ridge import ridge_coefficients
from kernex_core.studies.lessons.regularisation import (
    GRID,
    LEAST,
    LEAVE_ONE_OUT_GRID,
    MOST,
    NOISE,
    PLACES,
    SINE,
    BestStrength,
    CoefficientPaths,
    X,
    Y,
    best_strength,
    coefficient_paths,
    coefficients_at,
    decomposition,
    many_curves,
    noisy_curve,
)
from pages.learn.regularisation.setting import Setting
from pages.learn.stage.marks import Mark, bars, line, points, segments, text
from pages.learn.stage.picture import Axis, Panel, Picture
from pages.shared.cached import cached
from pages.shared.digits import number, power_of_ten
from pages.shared.figures.theme import ABOVE, BELOW, FITS, MARK

COLOURS: Final = (BELOW, ABOVE, FITS)
NAMES: Final = ("β₁", "β₂", "β₃")
LOG: Final = tuple((float(k), power_of_ten(k)) for k in range(-4, 3))
STRENGTH: Final = Axis(np.log10(LEAST) - 0.3, np.log10(MOST) + 0.3, "λ", LOG)
DRAWN, EVERY = 8, 2
"""Of 200 curves so many are drawn, at every second place."""
ERRORS: Final = Axis(0.0, 0.2, "mean squared error")


@cached(shared=True)
def _paths() -> CoefficientPaths:
    return coefficient_paths()


@cached(shared=True)
def _best() -> BestStrength:
    return best_strength()


def here(lam: float, low: float, high: float) -> Mark:
    """Upright line at λ."""
    at = np.log10(lam)
    return segments([at], [low], [at], [high], colour=MARK, width=1.5)


def least_squares() -> Picture:
    """Before the bet: the coefficients without any penalty."""
    return Picture((_coefficients(coefficients_at(0.0), "Coefficients of least squares", ""),))


def coefficients(setting: Setting) -> Picture:
    """Paths over λ, and the coefficients at one λ."""
    made, ends = _paths(), np.log10([LEAST, MOST])
    x = np.log10(made.path.lam)
    found = ridge_coefficients(X, Y, [setting.lam])
    primal, dual = found.primal[0], X.T @ found.dual[0]
    length = np.linalg.norm(made.path.primal, axis=1)
    panel = Panel(
        "Coefficients over λ", "Three lines over λ: β₁ falls, β₂ rises from −1.5 through 0 to a peak and falls, β₃ falls.",
        STRENGTH, Axis(-2.1, 3.1, ""),
        (
            segments([ends[0] - 0.3], [0.0], [ends[1] + 0.3], [0.0], colour="muted", width=1.0),
            line(x, length, "muted", dash="4 4", name="‖β‖", name_at=30, width=1.5),
            *(line(x, made.path.primal[:, k], COLOURS[k], name=NAMES[k], name_at=12) for k in range(3)),
            points([ends[0] - 0.15] * 3, made.unpenalised, colour=COLOURS, marker="diamond", size=9),
            points([ends[1] + 0.15] * 3, [0.0] * 3, colour=COLOURS, marker="diamond", size=9),
            here(setting.lam, -2.1, 3.1),
            points([np.log10(setting.lam)] * 3, primal, colour=COLOURS, size=9),
        ),
        note="◆ the limits: least squares, and 0", weight=1.6,
    )  # fmt: skip
    readings = (
        ("primal β = (X′X + nλI)⁻¹X′y", _vector(primal)), ("dual X′α, α = (XX′ + nλI)⁻¹y", _vector(dual)),
    )  # fmt: skip
    return Picture((panel, _coefficients(primal, f"At λ = {number(setting.lam)}")), readings)


def _vector(values: FloatArray) -> str:
    return ", ".join(number(float(value), 4) for value in values)


def _coefficients(values: FloatArray, title: str, note: str = "pale: λ = 0") -> Panel:
    at, free = np.arange(3), coefficients_at(0.0)
    return Panel(
        title, f"Bars of three coefficients: {_vector(values)}.",
        Axis(-0.6, 2.6, "", tuple((float(k), NAMES[k]) for k in range(3))), Axis(-2.1, 3.1, ""),
        (
            bars(at, free, wide=0.7, colour=COLOURS, opacity=0.22),
            bars(at, values, wide=0.5, colour=COLOURS),
            segments([-0.6], [0.0], [2.6], [0.0], colour="muted", width=1.0),
            text(at, np.where(values < 0.0, values - 0.28, values + 0.1), [number(float(v)) for v in values]),
        ),
        note=note, least=220,
    )  # fmt: skip


def curve(setting: Setting) -> Picture:
    """The fit of one draw among others, and bias and variance over λ."""
    made, many = noisy_curve(setting.lam, setting.seed), many_curves(setting.lam, DRAWN)
    best = _best()
    readings = (
        ("bias²", number(many.squared_bias)), ("variance", number(many.variance)),
        ("error", number(many.squared_bias + many.variance)), ("effective parameters tr S", number(many.effective)),
        ("leave-one-out chooses λ =", number(made.chosen)), ("best λ", number(best.lam)),
    )  # fmt: skip
    return Picture(
        (_fits(setting, made.y, made.fit, many.fits, many.mean, many.sd), _errors(setting)), readings
    )


def _fits(
    setting: Setting, y: FloatArray, fit: FloatArray, fits: FloatArray, mean: FloatArray, sd: FloatArray
) -> Panel:
    x = GRID[::EVERY]
    band = np.concatenate([(mean - sd)[::EVERY], (mean + sd)[::-EVERY]]).round(3)
    others = np.column_stack([fits[:, ::EVERY], np.full(len(fits), np.nan)]).round(3)
    return Panel(
        "One draw of the noise",
        f"Twenty points around a sine, the curve fitted to them, and {DRAWN} fitted to other noise.",
        Axis(0.0, 1.0, "x"), Axis(-1.8, 1.8, ""),
        (
            line(np.tile([*x, np.nan], len(fits)), others, "muted", width=0.7),
            line(np.concatenate([x, x[::-1]]), band, COLOURS[2], closed=True, fill=0.22, width=0.0),
            line(x, SINE[::EVERY].round(3), "ink", dash="5 4", width=1.5),
            line(x, mean[::EVERY].round(3), COLOURS[2], width=2.0),
            line(x, fit[::EVERY].round(3), COLOURS[1], width=2.5),
            points(PLACES, y.round(3), colour=COLOURS[0], size=7),
        ),
        note="dashes: truth; orange: this fit; green: mean ± s.d.",
    )  # fmt: skip


def _errors(setting: Setting) -> Panel:
    lams = np.geomspace(LEAST, MOST, 61)
    exact, x, best = decomposition(lams), np.log10(lams), _best()
    made = noisy_curve(setting.lam, setting.seed)
    left_out = np.where(made.left_out - NOISE**2 > 0.0, made.left_out - NOISE**2, np.nan)
    marked = np.log10([made.chosen, best.lam])
    return Panel(
        "Bias and variance, exact",
        "Bias² rises with λ, variance falls; their sum is least in between. Dots: what leave-one-out chooses, and the best.",
        STRENGTH, ERRORS,
        (
            line(x, exact.squared_bias, COLOURS[0], name="bias²", name_at=33, shift=[-8, 0], anchor="end"),
            line(x, exact.variance, COLOURS[2], name="variance", name_at=40, shift=[0, -8]),
            line(x, exact.error, "ink", width=2.5),
            line(np.log10(LEAVE_ONE_OUT_GRID), left_out, COLOURS[1], dash="4 3", width=1.5),
            segments(marked, [0.0, 0.0], marked, [0.2, 0.2], colour=[COLOURS[1], "muted"], dash="2 4", width=1.5),
            here(setting.lam, 0.0, 0.2),
        ),
        note="black: sum; orange: leave-one-out, less noise",
    )  # fmt: skip
