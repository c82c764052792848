"""The screen of the lesson on kernels."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.studies.lessons.catalogue import Check
from kernex_core.studies.lessons.what_is_a_kernel import (
    RINGS,
    Deletions,
    PlaneChoice,
    PlanePoints,
    check_bet,
    check_challenge,
    deletions,
)
from pages.learn.screen.question import Click
from pages.learn.screen.screen import Screen
from pages.learn.screen.settings import settings_of
from pages.learn.screen.teaching import Teaching
from pages.learn.stage.component import Told
from pages.learn.what_is_a_kernel import setting as settings
from pages.learn.what_is_a_kernel.picture import drawn, trained
from pages.learn.what_is_a_kernel.setting import OWN, Setting
from pages.shared.cached import cached
from pages.shared.digits import number
from pages.shared.panels.build import NEW

NONE: Final = "none"
SAMPLES: Final = "points"


@cached(shared=True)
def _deletions() -> Deletions:
    return deletions(RINGS, PlaneChoice())


@cached(shared=True)
def _at_fixed_lam() -> Deletions:
    return deletions(RINGS, PlaneChoice(C=1.0), keep_lam=True)


def _because(bet: str) -> Check:
    return check_bet(_deletions(), None if bet == NONE else int(bet))


QUESTION: Final = Click(
    "A machine has drawn a boundary between 12 inner and 12 outer points. Click a point that could be deleted, and the "
    "machine trained anew, **without moving the boundary at all**. Or is there no such point?",
    {str(k): f"Point {k + 1}, {'inner' if k < 12 else 'outer'}" for k in range(24)},
    _because,
    {NONE: "No such point: each of them counts"},
)
TEACHING: Final = Teaching(
    ask=(
        "How few points can carry a boundary between the rings?",
        "Why does everything move a little if λ is kept fixed instead of C?",
    ),
    wrong=(
        ("No such point.", "Every datum counts in least squares; here only points with a stem do."),
        (
            "A point far from the boundary, always.",
            "A far point of a narrow Gaussian carries a stem, too: drag σ to 0.2.",
        ),
    ),
    state="bet=-&wiak_kernel=Polynomial",
)
_SHAPES: Final = {"Gaussian": ("sigma",), "Linear": (), "Polynomial": ("degree",)}
_SUM: Final = "f(x) = Σ_{i} α_{i} y_{i} k(x_{i}, x) + b,   0 ≤ α_{i} ≤ [C|C]"
_FORMULAS: Final = {
    "Gaussian": "k(x, x′) = exp(−‖x − x′‖² / 2[sigma|σ]^{2})",
    "Linear": "k(x, x′) = x · x′",
    "Polynomial": "k(x, x′) = (x · x′ + c)^{[degree|d]}",
}


SETTINGS: Final = settings_of("what_is_a_kernel", Setting, "own", "left")


def show(screen: Screen) -> None:
    """Draw the lesson."""
    bet = screen.ask(QUESTION, words=("Support vector machine",))
    with screen.picture():
        if not bet.open:
            screen.stage(drawn, Setting(), on=lambda act, told: _bet(screen, act, told))
            return
        chosen, place = _controls(screen)
        setting = replace(
            chosen, revealed=True, own=settings.read(screen.kept("own")), left=settings.places(screen.kept("left")),
            bet=int(bet.answer) if bet.answer.isdecimal() and chosen.points == "Rings" else None,
        )  # fmt: skip
        with place:
            screen.stage(
                drawn, setting, follows=(*_SHAPES[setting.kernel], "C", "turn"), play=("turn",),
                formula=f"{_SUM},   {_FORMULAS[setting.kernel]}",
                on=partial(_touched, screen, setting),
            )  # fmt: skip
    _after(screen, setting)


def _controls(screen: Screen) -> tuple[Setting, DeltaGenerator]:
    """Controls in sight, those in the popover below the picture, and where the picture is drawn, between them."""
    first = screen.controls(Setting(), only=("kernel",), of=("content", "stretch", "stretch"))
    chosen = screen.controls(first, only=(*_SHAPES[first.kernel], "C"))
    more = ("points", "next_class", "keep", "turn", *(("constant",) if chosen.kernel == "Polynomial" else ()))
    place = st.container()
    return screen.controls(chosen, only=more, within=screen.more()), place


def _after(screen: Screen, setting: Setting) -> None:
    fixed = _at_fixed_lam().moves[0]
    notes = () if (found := trained(setting)) is None else found[1].notes
    screen.reveal(
        "The boundary is a weighted sum of similarities to the points: the **representer theorem**. Those with a stem, as "
        "high as their weight α, are the **support vectors**. " + _moves(_deletions()),
        f"That is so while C and σ stay. While λ = 1/(2nC) stays (under *More*), a missing point changes C: at C = 1 "
        f"without point 1 f moves by {number(fixed or 0.0)}. A σ that is the median distance would move, too.",
        *notes,
        words=("Kernel", "Representer theorem", "Support vector", "Margin"),
    )  # fmt: skip
    screen.challenge(
        "Separate the points without an error, with at most 5 support vectors.",
        setting,
        lambda: _challenge(setting),
    )
    data = _dataset(setting)
    screen.carry(
        "kernels/kernels.py", "These points on the page Kernels", _built(setting, data.name), lambda: data,
        help="Opens them as a data set, from which Kernels builds this kernel and others.",
    )  # fmt: skip


def _moves(made: Deletions) -> str:
    least = number(made.least_of_support or 0.0)
    if made.others_stay:
        moved = f"With one, f moves, in the question by {least} at least."
        return f"Click points without a stem: they go, and nothing moves. {moved}"
    return "Not every point without a stem goes without a trace."


def _challenge(setting: Setting) -> Check:
    found = trained(setting)
    if found is None:
        return Check(False, 0.0, "There have to be points of both classes.")
    if len(setting.kept) < len(setting.placed):
        return Check(False, 0.0, "All points count: take back those that are left out, by a click.")
    return check_challenge(found[1])


def _bet(screen: Screen, act: str, told: Told) -> None:
    if act == "picked" and str(told[-1]) in QUESTION.items:
        screen.take(str(told[-1]))


def _touched(screen: Screen, setting: Setting, act: str, told: Told) -> None:
    """A point was clicked, set, dragged or deleted."""
    own = setting.own
    if act == "placed" and setting.points == OWN:
        screen.keep(
            "own", settings.written(settings.placed(own, float(told[0]), float(told[1]), setting.next_class))
        )
        return
    place = int(told[0]) if str(told[0]).isdecimal() else -1
    if not 0 <= place < len(setting.placed):
        return
    if act == "picked":
        screen.keep("left", settings.toggled(setting.left, place))
    elif act == "moved" and setting.points == OWN:
        screen.keep("own", settings.written(settings.moved(own, place, float(told[1]), float(told[2]))))
    elif act == "removed" and setting.points == OWN:
        screen.keep("own", settings.written(own[:place] + own[place + 1 :]))
        screen.keep("left", "")


def _built(setting: Setting, data: str) -> dict[str, object]:
    """What the page Kernels is to say to build this kernel of the points."""
    kernel = setting.similarity
    return {
        "kernel": NEW, f"build.samples.{data}": SAMPLES, "build.kind.vectors": type(kernel),
        **{f"build.{type(kernel).__name__}.{SAMPLES}.{field}": value for field, value in vars(kernel).items()},
    }  # fmt: skip


def _dataset(setting: Setting) -> DataSet:
    plane: PlanePoints = setting.plane or RINGS
    ids = tuple(f"point {k + 1}" for k in range(plane.n))
    vectors = Vectors(ids=ids, X=plane.X, columns=("x1", "x2"))
    labels = Labels(ids, np.where(plane.y < 0.0, "blue", "orange"))
    return DataSet(
        f"{setting.points} of the lesson" if setting.points != OWN else "My points", ids, labels, {SAMPLES: vectors},
        description="Points in the plane, from the lesson What a kernel is.",
    )  # fmt: skip
