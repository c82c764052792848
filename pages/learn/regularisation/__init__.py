"""Lesson 2: λ trades variance for bias, and does not shrink every coefficient."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from kernex_core.base.parameters import parameters
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.learners.ridge import KernelRidge
from kernex_core.studies.lessons.regularisation import (
    BETS,
    check_bet,
    check_challenge,
    coefficient_paths,
    left_out_choices,
)
from pages.learn.regularisation import pictures
from pages.learn.regularisation.pictures import STEPS, Setting
from pages.learn.screen import Choice, Screen, Teaching, settings_of
from pages.learn.stage import Picture
from pages.server import workspace
from pages.server.cached import cached
from pages.server.digits import number
from pages.ui.widget import stops

# The screen of the lesson on regularisation, in four steps.

QUESTION: Final = Choice(
    "Least squares finds β₂ = −1.5. Now ridge regression adds a penalty: minimise the mean squared error plus λ‖β‖². "
    "**What does β₂ do as λ grows without end?**",
    {
        "rises": "It rises to 0, and stays below it on the way",
        "crosses": "It crosses 0, peaks, and falls back to 0",
        "proportion": "It shrinks in proportion with the others",
    },
    right=next(bet for bet in BETS if check_bet(bet).right),
    because=BETS,
)
TEACHING: Final = Teaching(
    ask=(
        "What do all coefficients do as λ goes to 0, and as it grows without end?",
        "Leave-one-out does not know the sine. How near does it come to the best λ, from noise to noise?",
        "Which loss is spoilt by an item that is too right?",
    ),
    wrong=(
        ("β₂ rises to 0 from below.", "Every coefficient has to shrink; but only the length of β has to."),
        (
            "The best λ is where bias² and variance are equal.",
            "Where the sum is least their slopes cancel, not they.",
        ),
        (
            "A hard margin needs an infinite C.",
            "From C = 0.5 on no weight is cut here, and nothing moves any more.",
        ),
    ),
    state="bet=-&r_lam=0.82",
)
_CONTROLS: Final = {"paths": ("lam",), "curve": ("lam", "seed"), "losses": ("loss",), "hard": ("C",)}
_FORMULAS: Final = {
    "paths": "β = (X′X + n[lam|λ]I)^{−1} X′y = X′(XX′ + n[lam|λ]I)^{−1} y",
    "curve": "S = K(K + n[lam|λ]I)^{−1},   bias^{2} = mean (Sf − f)^{2},   variance = s^{2} tr(SS′) / n",
    "losses": "minimise mean [loss|ℓ] + λ‖f‖^{2}",
    "hard": "minimise ½ w^{2} + [C|C] Σ ξ_{i},   y_{i} f(x_{i}) ≥ 1 − ξ_{i}",
}

_WORDS: Final = {
    "paths": ("Kernel ridge",), "curve": ("Bias and variance", "Held out"), "losses": ("Loss", "Margin"),
    "hard": ("Support vector machine", "Margin"),
}  # fmt: skip


@cached(shared=True)
def _choices() -> np.ndarray:
    return left_out_choices()


@cached(shared=True)
def drawn(setting: Setting) -> Picture:
    """The picture of a step."""
    if not setting.revealed:
        return pictures.least_squares()
    draw = {
        "paths": pictures.coefficients,
        "curve": pictures.curve,
        "losses": pictures.losses,
        "hard": pictures.margin,
    }
    return draw[setting.step](setting)


SETTINGS: Final = settings_of("regularisation", Setting)


def show(screen: Screen) -> None:
    """Draw the lesson."""
    bet = screen.ask(QUESTION, words=("Kernel ridge",))
    with screen.picture():
        if not bet.open:
            screen.stage(drawn, Setting(revealed=False))
            return
        step = screen.steps(STEPS)
        setting = screen.controls(replace(Setting(), step=step), only=_CONTROLS[step])
        moving = tuple(name for name in _CONTROLS[step] if name in ("lam", "C"))
        screen.stage(drawn, setting, follows=moving, play=moving, formula=_FORMULAS[step])
    screen.reveal(*_said(setting), words=_WORDS[step])
    screen.challenge(
        "Find the λ at which β₂ is 0 (step *Coefficients*).", setting, lambda: check_challenge(setting.lam)
    )
    _carry(screen, setting)


def _said(setting: Setting) -> tuple[str, ...]:
    if setting.step == "paths":
        made = coefficient_paths()
        return (
            f"x₁ and x₂ are nearly the same (correlation {number(made.correlation)}): least squares plays one against the "
            f"other, λ makes them share. β₂ is highest, {number(made.peak)}, at λ = {number(made.peaks_at)}; only ‖β‖ has "
            "to shrink. As λ goes to 0 the coefficients are those of least squares, as it grows without end they go to 0.",
            "Both formulas, over 3 columns and over 8 items, agree to the last digit shown.",
        )  # fmt: skip
    if setting.step == "curve":
        low, high = np.quantile(_choices(), [0.1, 0.9])
        return (
            "A small λ follows the noise (variance), a large one misses the sine (bias). Both are exact, over all noise "
            "that could be drawn. Leave-one-out sees one draw and not the sine: it picks "
            f"{number(float(low))} to {number(float(high))} in 8 of 10 draws. Move *Noise*.",
        )  # fmt: skip
    if setting.step == "losses":
        return (
            "An item with a margin of 8 is right beyond doubt. The square loss punishes it for that, and gives two thirds "
            "of the slope away; the others a sixth at most. Among five numbers the square follows the one far out; the "
            "ε-insensitive loss is content with a whole interval.",
        )  # fmt: skip
    return (
        "A larger C allows higher weights, up to what separates the points without an error. That is reached at C = 0.5; "
        "from there on C changes nothing: the hard margin is no far limit here.",
    )  # fmt: skip


def _carry(screen: Screen, setting: Setting) -> None:
    if setting.step == "hard":
        C = _nearest(setting.C, *stops(parameters(CrossValidation)["C"], 10.0))
        if name := workspace.current_name():
            screen.carry("evaluate", f"Try C = {number(C)} on your data", {f"evaluate.{name}.C": C})
        else:
            screen.carry("evaluate", "Judge kernels of yours")
        return
    lam = _nearest(setting.lam, *stops(parameters(KernelRidge)["lam"], 1e-3))
    learner = {f"{kind}_learner": KernelRidge.title for kind in ("classes", "numbers")}
    screen.carry(
        "evaluate",
        f"Try λ = {number(lam)} on your data",
        {**learner, "kernelridge_lam": lam},
    )


def _nearest(value: float, places: tuple[float, ...], _counted: bool) -> float:
    """The stop of the working page's slider that is nearest on its scale."""
    return min(places, key=lambda place: abs(np.log(place / value)))
