"""Lesson: missing structures, as a rod pressed into an ellipse and an item that is hidden."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.studies.lessons import missing_structures as core
from kernex_core.studies.lessons.catalogue import Check
from pages.learn.missing_structures.pictures import Setting, drawn
from pages.learn.screen.question import Choice
from pages.learn.screen.screen import Screen
from pages.learn.screen.settings import settings_of
from pages.learn.screen.teaching import Teaching

QUESTION: Final = Choice(
    "The ellipse, all x with x'K⁻¹x ≤ 1, stands for a kernel K that is known everywhere. A rod through its centre, in the "
    "direction *u* and of half length √q, is what can be rebuilt of it from one known feature. It may nowhere exceed K: "
    "K − q uu' has to stay a kernel. How far may the rod reach?",
    {"a": "To the shadow of the ellipse, √3 (point a)", "b": "To the ellipse itself, √2 (point b)"},
    right="b",
    because={
        "a": "Whoever says so measures how wide the ellipse is. With q = 3 the rod sticks out of it, and K − q uu' has a "
        "negative eigenvalue. It is what Kernex calls *free*: best in squared distance, without the constraint.",
        "b": "At q = 2 the rod touches the ellipse, and the smallest eigenvalue of K − q uu' is just 0. What is known "
        "allows the section, not the shadow.",
    },
)
TEACHING: Final = Teaching(
    ask=(
        "At which angles are section and shadow the same?",
        "Why does a large nugget move item 3 towards the middle?",
        "Does a certificate that holds say that the completion is true?",
    ),
    wrong=(
        ("√3.", "Width is measured, which is the shadow."),
        (
            "The certificate says how good the guess is.",
            "It says that the computation kept its constraint, and no more.",
        ),
    ),
    state="bet=-&ms_theta=30",
)


SETTINGS: Final = settings_of("missing_structures", Setting)


def show(screen: Screen) -> None:
    """Draw the lesson."""
    bet = screen.ask(QUESTION, words=("Kernel", "Smallest eigenvalue"))
    with screen.picture():
        setting = Setting(open=False)
        if bet.open:
            setting = screen.controls(Setting(bet=bet.answer), only=("look",), of=3)
            setting = screen.controls(setting, only=_follow(setting))
        screen.stage(
            drawn, setting, follows=_follow(setting) if bet.open else (), play=("theta", "rho"),
            formula=_formula(setting) if bet.open else "",
        )  # fmt: skip
    if bet.open:
        screen.reveal(
            "Shear: what is rebuilt is pressed flat under K and touches it along what is known. One step further and the "
            "certificate is broken, in red: K − q uu' is no kernel any more.",
            "A hidden item works the same way: its weights on the known items come from the source, its similarities "
            "follow, and the certificate belongs to the *source*. Stretch it by c = 1.05, and it fails.",
            words=("Shear", "Certificate", "Source"),
        )
        screen.challenge(
            "Turn the rod to 60°. Which is the longest one whose certificate still holds?",
            setting,
            lambda: check(setting),
        )
        screen.carry(
            "complete/complete.py",
            "Try ρ on your data, with a third hidden",
            {"nugget": setting.rho, "hidden": "35 %"},
        )
        screen.carry(
            "complete/complete.py", "Take the three items along", {"nugget": setting.rho}, dataset=three_items,
            help="Opens them on the page Complete, where the third is unknown in the target.",
        )  # fmt: skip


def _follow(setting: Setting) -> tuple[str, str]:
    return ("rho", "c") if setting.look == "item" else ("theta", "q")


def _formula(setting: Setting) -> str:
    if setting.look == "item":
        return "T̂ = W' T W,  W = A^{−1}Φ,  A = K_{known} + [rho|ρ]I;  K' − [c|c] Φ' Q Φ ⪰ 0"
    return "K − [q|q] [theta|u][theta|u]' ⪰ 0  up to  [q|q] = 1 / (u' K^{−1}u);  shadow u' K u"


def check(setting: Setting) -> Check:
    """Whether the rod at the challenge's angle is the longest that fits."""
    if setting.look != "rod" or setting.theta != core.CHALLENGE:
        return Check(
            False, math.nan, f"Look at the rod, above the picture, and turn it to {core.CHALLENGE:g}°."
        )
    return core.check_rod(setting.q)


def three_items() -> DataSet:
    """The lesson's three items, the third of which the target does not know."""
    target = np.full((3, 3), np.nan)
    target[:2, :2] = core.TARGET
    ids = ("item 1", "item 2", "item 3")
    kernels = {"source": GramMatrix(np.array(core.SOURCE), ids), "target": GramMatrix(target, ids)}
    return DataSet(
        "Three items", ids, kernels=kernels, source="source", target="target",
        description="Three items of the lesson on missing structures; the target does not know the third.",
    )  # fmt: skip
