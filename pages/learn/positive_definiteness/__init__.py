"""Lesson 3: similarities must fit together; what fits is an interval, then a body."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.studies.lessons.catalogue import Check
from kernex_core.studies.lessons.positive_definiteness import CHALLENGE, check_largest, three_items
from pages.learn.positive_definiteness import pictures
from pages.learn.positive_definiteness.pictures import STEPS, Setting, written
from pages.learn.screen import Choice, Screen, Teaching, settings_of
from pages.learn.stage import Picture, Told
from pages.server import workspace
from pages.server.cached import cached

# The screen of the lesson on positive definiteness, in four steps.

QUESTION: Final = Choice(
    "A and B have a similarity of 0.9, B and C have 0.9, and each item is similar to itself by 1. "
    "**What may the similarity of A and C be, if all three together are to be a kernel?**",
    {"a": "Anything from −1 to 1", "b": "Anything from 0 to 1", "c": "0.62 to 1", "d": "0.81, and nothing else"},
    right="c",
    because={
        "a": "That takes the three for free numbers. But they are angles between three vectors: who is near B is near "
        "whoever else is near B.",
        "b": "That assumes that only the sign is bound. Two angles of 26° cannot add up to a right angle.",
        "c": "A and C are 26° from B each, so 0° to 52° from each other, whose cosines are 1 and 0.62.",
        "d": "0.81 = 0.9 · 0.9 is where the determinant is largest, and what one takes who knows nothing else. Others "
        "fit, too.",
    },
)  # fmt: skip
TEACHING: Final = Teaching(
    ask=(
        "Which part of the square fits when r₁₂ is 0, and when it is 1?",
        "Two unknown: why is the largest determinant always at 0, 0?",
        "Why does an SVM find two machines on a matrix that is no kernel?",
    ),
    wrong=(
        ("Anything from −1 to 1.", "Three similarities are three free numbers."),
        ("0.81.", "It is the likeliest choice, not the only one."),
    ),
    state="bet=-&pd_r13=0.62",
)
_CONTROLS: Final = {
    "one": ("r12", "r23", "r13"), "two": ("r12", "r23", "r13"), "body": ("r12", "r23", "r13"), "matrix": ("n", "value"),
}  # fmt: skip
_FORMULAS: Final = {
    "one": "([r13|r₁₃] − [r12|r₁₂][r23|r₂₃])^{2} ≤ (1 − [r12|r₁₂]^{2})(1 − [r23|r₂₃]^{2})",
    "two": "[r13|r₁₃]^{2} − 2[r12|r₁₂][r13|r₁₃][r23|r₂₃] + [r23|r₂₃]^{2} ≤ 1 − [r12|r₁₂]^{2}",
    "body": "1 + 2[r12|r₁₂][r23|r₂₃][r13|r₁₃] ≥ [r12|r₁₂]^{2} + [r23|r₂₃]^{2} + [r13|r₁₃]^{2}",
    "matrix": "‖Σ_{i} v_{i} x_{i}‖^{2} = v′K v ≥ 0 for all v",
}
_SAID: Final = {
    "one": (
        "Inside the green interval the determinant is at least 0 and the three fit. Outside, a sum of the items has a "
        "negative squared length: no three vectors have these similarities. A repair makes them fit, at a cost.",
        "The largest determinant lies in the middle, at r₁₂ · r₂₃: what extrapolation through B picks, too.",
    ),
    "two": (
        "With one similarity known, the other two lie in an ellipse. The largest determinant is at 0, 0. Extrapolation has "
        "nothing to go by here: no known item leads to C.",
    ),
    "body": (
        "With none known, what fits is a body, the **elliptope**: swollen, with four corners at which the items are equal "
        "or opposite. At a known r₁₂ it is cut to the ellipse of the step before, at a known r₂₃ too to the interval.",
    ),
    "matrix": (
        "Make it indefinite: the bars show which sum of items has a negative squared length. An SVM on it has no hard "
        "margin if that sum mixes the classes (the dual grows like C²), and may end in several machines, depending on "
        "where it starts. A repair gives it one answer, at a cost: how far it moves the matrix.",
    ),
}  # fmt: skip

_WORDS: Final = {
    "one": ("Determinant", "Smallest eigenvalue", "Indefinite", "Repair"),
    "two": ("Determinant", "Extrapolation"), "body": ("Determinant",),
    "matrix": ("Indefinite", "Eigenvector", "Repair", "Support vector machine"),
}  # fmt: skip


@cached(shared=True)
def drawn(setting: Setting) -> Picture:
    """The picture of a step."""
    if not setting.revealed:
        return pictures.asked()
    draw = {"one": pictures.one, "two": pictures.two, "body": pictures.body, "matrix": pictures.matrix}
    return draw[setting.step](setting)


SETTINGS: Final = settings_of("positive_definiteness", Setting, "K", "at", "y")


def show(screen: Screen) -> None:
    """Draw the lesson."""
    bet = screen.ask(QUESTION, ("Kernel",))
    with screen.picture():
        if not bet.open:
            screen.stage(drawn, Setting(revealed=False))
            return
        step = screen.steps(STEPS)
        setting = _setting(screen, step)
        play = {"one": ("r13",), "two": ("r12",), "body": ("turn", "r12"), "matrix": ()}[step]
        moving = (
            ("value",) if step == "matrix" else (*_CONTROLS[step], *(("turn",) if step == "body" else ()))
        )
        screen.stage(
            drawn,
            setting,
            follows=moving,
            play=play,
            formula=_FORMULAS[step],
            on=partial(_touched, screen, setting),
        )
    screen.reveal(*_SAID[step], words=_WORDS[step])
    _asked(screen, setting)
    _carry(screen, setting)


def _setting(screen: Screen, step: str) -> Setting:
    start = Setting(step=step)
    if step != "matrix":
        chosen = screen.controls(start, only=_CONTROLS[step])
        return screen.controls(chosen, only=("turn",), within=screen.more()) if step == "body" else chosen
    sized = screen.controls(start, only=("n",), of=2)
    clicked = replace(sized, edits=screen.kept("K"), at=screen.kept("at"), signs=screen.kept("y"))
    i, j = clicked.pair
    label = f"Similarity of {pictures.LETTERS[i]} and {pictures.LETTERS[j]}"
    return screen.controls(clicked, only=("value",), changed={"value": {"label": label}})


def _asked(screen: Screen, setting: Setting) -> None:
    r12, r23 = CHALLENGE
    screen.challenge(
        f"r₁₂ = {r12:g}, r₂₃ = {r23:g}".replace("-", "−") + ": find the largest r₁₃ that fits (step *One unknown*).",
        setting, lambda: _check(setting),
    )  # fmt: skip


def _check(setting: Setting) -> Check:
    if (setting.r12, setting.r23) != CHALLENGE or setting.step == "matrix":
        return Check(False, setting.r13, "First set r₁₂ and r₂₃ to the numbers of the challenge.")
    return check_largest(setting.r13)


def _touched(screen: Screen, setting: Setting, act: str, told: Told) -> None:
    """A pair of the matrix, or an item's class, was clicked."""
    if act != "picked" or setting.step != "matrix":
        return
    first, _, rest = str(told[0]).partition("-")
    if first == "item" and rest.isdecimal() and int(rest) < setting.n:
        k, y = int(rest), setting.y
        turned = y[:k] + ("+" if y[k] == "-" else "-") + y[k + 1 :]
        screen.keep("y", turned.replace("+", "p").replace("-", "m"))
    elif first.isdecimal() and (at := replace(setting, at=f"{first}-{rest[:1]}")).pair:
        screen.keep("K", written(setting.K))
        screen.keep("at", at.at)
        workspace.show_in(f"{screen.lesson.address}value", round(float(setting.K[at.pair]), 2))


def _carry(screen: Screen, setting: Setting) -> None:
    screen.carry(
        "data", "Open this matrix as data", dataset=lambda: _dataset(_matrix(setting), setting),
        help="Opens the matrix as a data set: look at it on the page Kernels, and repair it there.",
    )  # fmt: skip
    if setting.step == "one":
        screen.carry(
            "complete", "Complete it with r₁₃ unknown", dataset=lambda: _unknown(setting),
            help="Opens the three similarities with that of A and C unknown, and beside them those that fit best.",
        )  # fmt: skip


def _matrix(setting: Setting) -> FloatArray:
    return setting.K if setting.step == "matrix" else pictures.made_of(setting).K


def _dataset(K: FloatArray, setting: Setting) -> DataSet:
    ids = tuple(pictures.LETTERS[: len(K)])
    name = "similarities"
    return DataSet(
        "Similarities of the lesson", ids, kernels={name: GramMatrix(K, ids, name)},
        description=f"{len(K)} items and their similarities, from the lesson Positive definiteness ({STEPS[setting.step]}).",
    )  # fmt: skip


def _unknown(setting: Setting) -> DataSet:
    made = pictures.made_of(setting)
    K, whole = made.K.copy(), three_items(setting.r12, setting.r23, made.middle).K
    K[0, 2] = K[2, 0] = np.nan
    ids = tuple("ABC")
    return DataSet(
        "Three items, one unknown", ids,
        kernels={"known": GramMatrix(K, ids, "known"), "largest determinant": GramMatrix(whole, ids, "largest determinant")},
        description="Three similarities of the lesson Positive definiteness, that of A and C unknown.",
        source="largest determinant", target="known",
    )  # fmt: skip
