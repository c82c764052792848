"""Lesson: the norm is the price of bending, and the kernel sets it."""

from __future__ import annotations

from typing import Final

import numpy as np
import streamlit as st

from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Vectors
from kernex_core.studies.lessons import smoothness as core
from kernex_core.studies.lessons.smoothness import BETS, check_bet, check_challenge
from pages.learn.screen.question import Choice
from pages.learn.screen.screen import Screen
from pages.learn.screen.settings import settings_of
from pages.learn.screen.teaching import Teaching
from pages.learn.smoothness.picture import drawn
from pages.learn.smoothness.setting import START, Points, Setting, along, parsed, stopped
from pages.learn.stage.component import Told
from pages.shared import workspace
from pages.shared.panels.build import NEW

QUESTION: Final = Choice(
    "A curve f is to run through the three points. The kernel k(x, x′) = min(x, x′) says what a curve costs: it begins at "
    "f(0) = 0, and pays the square of its slope, added up over all x: ∫ f′(x)² dx. How does the **cheapest** curve look?",
    {
        "smooth": "A smooth curve without corners",
        "pieces": "Straight from (0, 0) from point to point, then flat",
        "steps": "Steps: flat, and a jump at each point",
    },
    right=next(bet for bet in BETS if check_bet(bet).right),
    because=BETS,
)
TEACHING: Final = Teaching(
    ask=(
        "Between the points the band is widest halfway: why is it 0 at a point, and at x = 0?",
        "Which kernel lets a curve wiggle fast, and where do you see that in its spectral density?",
        "Two kernels give the norms 3.18 and 1.09. Is the second curve smoother?",
    ),
    wrong=(
        (
            "A smooth curve.",
            "A norm always counts bends. This one counts slopes: a corner costs nothing extra.",
        ),
        (
            "Norms of two kernels compare.",
            "Each kernel has a price list of its own: Gaussian 1.09 is not less than min 3.18.",
        ),
    ),
    state="bet=-&s_kernel=Gaussian&s_sigma=0.1",
)
CONTROL: Final = {"Gaussian": "sigma", "Laplace": "gamma", "Sinc": "omega"}
KERNELS: Final = {
    "Minimum": "min(x, x'),   ‖f‖^{2} = y^{T} K^{−1} y = ∫ f'(x)^{2} dx",
    "Gaussian": "e^{−(x − x')²/2[sigma|σ]²},   ‖f‖^{2} = y^{T} K^{−1} y",
    "Laplace": "e^{−[gamma|γ]|x − x'|},   ‖f‖^{2} = y^{T} K^{−1} y",
    "Sinc": "sin [omega|Ω](x − x') / π(x − x'),   ‖f‖^{2} = y^{T} K^{−1} y",
}


SETTINGS: Final = settings_of("smoothness", Setting, "points")


def show(screen: Screen) -> None:
    """Draw the lesson."""
    bet = screen.ask(QUESTION, words=("Kernel", "Norm"))
    setting = Setting(open=False)
    with screen.picture():
        if bet.open:
            kept = parsed(screen.kept("points"))
            setting = screen.controls(Setting(bet=bet.answer, at=kept), only=("kernel",))
        follows = (CONTROL[setting.kernel],) if bet.open and setting.kernel in CONTROL else ()
        if follows:
            setting = screen.controls(setting, only=follows)
        formula = f"k = {KERNELS[setting.kernel]}" if bet.open else ""
        screen.stage(
            drawn, setting, follows=follows, play=follows, formula=formula, drags=along if bet.open else None,
            on=lambda act, told: _act(screen, setting, act, told),
        )  # fmt: skip
        if setting.at != START:
            st.button(
                "The first points", key="smoothness.first", type="tertiary", icon=":material/replay:",
                on_click=screen.keep, args=("points", ""), help="Brings the three points of the question back.",
            )  # fmt: skip
    if bet.open:
        _explain(screen, setting)


def _explain(screen: Screen, setting: Setting) -> None:
    screen.reveal(
        "The *norm* ‖f‖ is the price of a curve, and the kernel sets the prices: another kernel, another cheapest curve. "
        "Norms of two kernels do not compare.",
        "Band: were f drawn at random with covariance k, about 95\u00a0% of the curves through the points would lie in it "
        "at each x.",
        "A cheap curve cannot be steep: |f(x) − f(x′)| ≤ ‖f‖ d(x, x′), with d(x, x′)² = k(x, x) − 2k(x, x′) + k(x′, x′). "
        "Orange: the pair that comes nearest to it.",
        words=("Norm", "Spectral density"),
    )
    screen.challenge(
        "With the minimum kernel, drag the points so that the ratio is 0.999 or more.", setting,
        lambda: check_challenge(setting.made, setting),
    )  # fmt: skip
    _carry(screen, setting)


def _carry(screen: Screen, setting: Setting) -> None:
    here = workspace.current()
    given = (
        None
        if here is None
        else next((n for n, part in here.samples.items() if isinstance(part, Vectors)), None)
    )
    name, data = (given, here.name) if here is not None and given else ("points", "Points of a lesson")
    kernel = setting.similarity
    settings: dict[str, object] = {
        "kernel": NEW, f"build.samples.{data}": name, "build.kind.vectors": type(kernel),
        **{f"build.{type(kernel).__name__}.{name}.{field}": value for field, value in vars(kernel).items()},
    }  # fmt: skip
    screen.carry(
        "kernels/kernels.py", "Try the kernel on your vectors", settings,
        dataset=None if given else lambda: _data(data, setting.at),
        help="Builds this kernel on the vectors that are open; where none are, on the points of this lesson.",
    )  # fmt: skip


def _data(name: str, at: Points) -> DataSet:
    ids = tuple(str(k + 1) for k in range(len(at)))
    x = np.array([[a] for a, _ in at])
    return DataSet(name, ids, samples={"points": Vectors(ids, x, ("x",))})


def _act(screen: Screen, setting: Setting, act: str, told: Told) -> None:
    """A point was moved, added or taken out."""
    at = list(setting.at)
    if act == "placed" and len(at) < core.MOST:
        at.append(stopped(*told[-2:]))
    elif act in ("moved", "removed") and str(told[0]).isdecimal() and int(told[0]) < len(at):
        place = int(told[0])
        if act == "moved":
            at[place] = stopped(*told[-2:])
        elif len(at) > 1:
            del at[place]
    screen.keep("points", "_".join(f"{x:g},{y:g}" for x, y in at))
