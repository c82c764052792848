"""Lesson: joint regularization, as two ellipses and the one that both allow."""

from __future__ import annotations

import math
from typing import Final

from kernex_core.studies.lessons import joint_ellipses as bounds
from kernex_core.studies.lessons.catalogue import Check
from pages.learn.joint_ellipses.pictures import Setting, drawn
from pages.learn.screen.question import Choice
from pages.learn.screen.screen import Screen
from pages.learn.screen.settings import settings_of
from pages.learn.screen.teaching import Teaching

QUESTION: Final = Choice(
    "Two kernels on two features, each drawn as an ellipse: long where it lets a function be large. Both ellipses have the "
    "area π. Halfway between them, at λ = ½, what area has the ellipse of their *joint* kernel?",
    {"a": "π, like both", "b": "Less than π", "c": "More: 2.1 π"},
    right="b",
    because={
        "a": "Whoever says so thinks that a mean lies between what it is made of. Here the *prices* are averaged, which are "
        "inverses.",
        "b": "The joint kernel is large only where both are. At λ = ½ its area is 0.471 π.",
        "c": "That is the *sum* of both kernels, dashed: it is large wherever one of them is.",
    },
)
TEACHING: Final = Teaching(
    ask=(
        "Which points lie on every joint ellipse, whatever λ is?",
        "If bound 1 is four times as loose as bound 2, is λ = ¼ or ⅕?",
        "When would you rather add two kernels than join them?",
    ),
    wrong=(
        ("π.", "A mean lies between: true of the prices, and an area is no price."),
        ("2.1 π.", "It is the sum that is meant."),
        (
            "λ = c₂ / (c₁ + c₂).",
            "That bounds weigh the kernels. Their multipliers do, and these come out of the fit.",
        ),
    ),
    state="bet=-&je_phi=60",
)


SETTINGS: Final = settings_of("joint_ellipses", Setting)


def show(screen: Screen) -> None:
    """Draw the lesson."""
    bet = screen.ask(QUESTION, words=("Kernel", "Joint kernel"))
    with screen.picture():
        setting = Setting(open=False)
        if bet.open:
            setting = screen.controls(Setting(bet=bet.answer), only=("way",), of=3)
            setting = screen.controls(setting, only=_follow(setting))
        screen.stage(
            drawn,
            setting,
            follows=_follow(setting) if bet.open else (),
            play=("lam", "phi", "c2"),
            formula=_formula(setting),
        )
    if bet.open:
        screen.reveal(
            "A kernel is a price list: w costs w'Q⁻¹w. Joining averages the *prices*, so a direction is cheap only if it is "
            "cheap for both. Every joint ellipse passes through the points at which the two cross.",
            "A fit with one bound a kernel has a λ of its own: what its bounds cost, as shares of the whole.",
            words=("Multiplier",),
        )
        screen.challenge(
            "Let two bounds set λ. With c₁ = 1, for which c₂ does the fit imply λ = 0.25?",
            setting,
            lambda: check(setting),
        )
        lam = bounds.bounded(setting.c1, setting.c2).lam if setting.way == "bounds" else setting.lam
        carried = {} if math.isnan(lam) else {"combine_lam": round(lam, 2)}
        screen.carry("combine/combine.py", "Try λ on your kernels", carried)


def _follow(setting: Setting) -> tuple[str, str]:
    return ("c1", "c2") if setting.way == "bounds" else ("lam", "phi")


def _formula(setting: Setting) -> str:
    if setting.way == "bounds":
        return "min ½ |w − t|^{2},  ½ w'Q_{1}^{−1}w ≤ [c1|c₁],  ½ w'Q_{2}^{−1}w ≤ [c2|c₂]"
    return "Q = ([lam|λ] Q_{1}^{−1} + (1 − [lam|λ]) [phi|Q₂]^{−1})^{−1}"


def check(setting: Setting) -> Check:
    """Whether the bounds imply the λ of the challenge."""
    if setting.way != "bounds" or setting.c1 != 1.0:
        return Check(False, math.nan, "Let the two bounds set λ, above the picture, with c₁ = 1.")
    return bounds.check_bound(setting.c2)
