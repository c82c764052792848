"""Lesson: errata. Statements in print, each with a bet and the computation that shows whether it holds."""

from __future__ import annotations

import inspect
import math
import time
from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.base.digits import typeset
from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.studies.lessons.catalogue import Check
from kernex_core.studies.lessons.errata import (
    ERRATA,
    EXTRAPOLATION,
    JOINT,
    LAMS,
    ORTHOGONAL,
    Card,
    Shown,
    Solved,
    bet_check,
    bound_check,
    failing_from,
    solved,
)
from pages.learn.screen import Choice, Screen, Teaching, settings_of
from pages.learn.stage import Axis, Panel, Picture, Told, line, points, segments, text
from pages.server import workspace
from pages.server.cached import cached
from pages.server.digits import number
from pages.server.navigation import LESSONS, lesson_page
from pages.ui.figures.theme import ABOVE, BELOW, FITS

# What the controls of the lesson on errata say, and its pictures: the cards, and a series of walks near its bound.

K11, LEAST, PICTURES_TOLD, MISSED = BELOW, ABOVE, FITS, ABOVE
KEYS: Final = tuple(card.key for card in ERRATA)
NAMES: Final = tuple(f"{k}. {card.title}" for k, card in enumerate(ERRATA, 1))
SERIES: Final = "von_neumann"
"""The card with a control of its own, on which the challenge is."""
ACROSS: Final = 9
WIDE: Final = 560
"""Pixels that leave no place for a second panel beside one."""
TALL: Final = 12.0
COARSE: Final = LAMS[::3]


@dataclass(frozen=True)
class Setting:
    """What the controls say, and what is drawn of it."""

    card: str = parameter(
        SERIES, label="Statement", help="Eighteen statements in print; in the row below, too.", choices=KEYS,
        names=NAMES,
    )  # fmt: skip
    lam: float = parameter(
        0.5, label="Weight of a step", symbol=r"\lambda", help="A walk of n steps counts λⁿ.", low=0.4, high=1.0, step=0.005
    )  # fmt: skip
    told: tuple[tuple[str, bool], ...] = ()
    open: bool = True

    def __post_init__(self) -> None:
        check_parameters(self)


def drawn(setting: Setting) -> Picture:
    """The cards, and for the series what a solver returns at every λ."""
    if setting.card != SERIES or not setting.open:
        return Picture((_cards(setting),))
    made = _at(setting.lam)
    if made is None:
        return Picture(
            (_cards(setting), _series(setting.lam)), (("λ", "just at the bound: there is no inverse"),)
        )
    readings = (
        ("1/ρ", number(failing_from(), 5)), ("k₁₁", number(made.k11, 3)), ("smallest eigenvalue", number(made.smallest, 3)),
        ("Kernex", "takes it" if made.accepted else "refuses it"),
    )  # fmt: skip
    return Picture((_cards(setting), _series(setting.lam)), readings)


def _cards(setting: Setting) -> Panel:
    told, places = dict(setting.told), np.arange(len(ERRATA))
    colours = [(PICTURES_TOLD if told[key] else MISSED) if key in told else "#7d838c" for key in KEYS]
    return Panel(
        "Statements", "A row of numbered statements: green where you told rightly whether it holds, orange where not.",
        Axis(-0.7, ACROSS - 0.3), Axis(-1.6, 0.6),
        (
            points(
                places % ACROSS, -(places // ACROSS), colour=colours, size=22, labels=[str(k + 1) for k in places],
                inside=True, ids=list(KEYS), says=list(NAMES),
                ring=["ink" if key == setting.card else "" for key in KEYS],
            ),
        ),
        note="green: you told rightly; orange: you did not", aspect=0.17, least=WIDE, bare=True,
    )  # fmt: skip


def _series(lam: float) -> Panel:
    curves, bound, made = _curves(), failing_from(), _at(lam)
    now = np.clip([] if made is None else [made.k11, made.smallest], -TALL, TALL)
    return Panel(
        "What a solver returns", "Over λ the similarity of node 1 to itself and the smallest eigenvalue: both run off to "
        "infinity at the bound, and come back with a negative eigenvalue.", Axis(LAMS[0], LAMS[-1], "λ"), Axis(-TALL, TALL),
        (
            segments([bound, LAMS[0]], [-TALL, 0.0], [bound, LAMS[-1]], [TALL, 0.0], colour="edge", width=1.5),
            line(COARSE, curves[0], K11, name="k₁₁", name_at=10, shift=[0, -8]),
            line(COARSE, curves[1], LEAST),
            text([0.645], [-9.0], ["smallest eigenvalue"], colour=LEAST, anchor="start"),
            points([lam] * len(now), now, colour=[K11, LEAST][: len(now)], size=12),
        ),
        note="path of six nodes; upright line: 1/ρ", aspect=0.32, least=WIDE,
    )  # fmt: skip


@cached(shared=True)
def _curves() -> FloatArray:
    """(2, n) k₁₁ and smallest eigenvalue over λ; NaN where they leave the panel, so that no line joins both ends."""
    made = [_at(lam) for lam in COARSE]
    both = np.array([(np.nan, np.nan) if each is None else (each.k11, each.smallest) for each in made]).T
    return np.where(np.abs(both) > 2.0 * TALL, np.nan, both)


def _at(lam: float) -> Solved | None:
    """What is solved; None where the system is singular."""
    try:
        return solved(lam)
    except InvalidInputError:
        return None


CARDS: Final = {card.key: card for card in ERRATA}
TOLD: Final = "errata.told"
PAPERS: Final = {
    EXTRAPOLATION: "extrapolation",
    JOINT: "joint",
    ORTHOGONAL: "orthogonal",
}
WORKING: Final = {
    "what_is_a_kernel": ("kernels", "Try kernels on your data"),
    "smoothness": ("kernels", "Try kernels on your data"),
    "regularisation": ("evaluate", "Judge a machine on your data"),
    "dynamic_programming": ("strings", "Compare your sequences"),
    "heat_and_walks": ("networks", "Try walks on your network"),
}
TEACHING: Final = Teaching(
    ask=(
        "Which statements would you have caught by trying n = 2 by hand?",
        "A number looks fine: what else would you compute before you trust it?",
        "Three of the eighteen hold. What would it cost to check all of them?",
    ),
    wrong=(
        (
            "It is printed, so it is right.",
            "Nobody has computed it once: most of these errors fall at the first example.",
        ),
        ("k₁₁ is positive, so it is a kernel.", "One entry says nothing of the eigenvalues."),
    ),
    state="bet=-&e_lam=0.7",
)


@dataclass(frozen=True)
class Asked(Choice):
    """Whether a card's statement holds; judged by its computation."""

    card: Card = ERRATA[0]

    def judge(self, bet: str) -> Check | None:
        """Compute; a bet on another card is none."""
        return bet_check(self.card, bet.endswith(".y")) if bet in self.answers else None


def asked(card: Card) -> Asked:
    """Return the question of a card."""
    yes, no = f"{card.key}.y", f"{card.key}.n"
    return Asked(
        f"*{card.title}.* In print ({card.source}):\n\n$\\displaystyle {card.printed}$\n\n{card.symbols} "
        "Is that right as it stands?",
        {yes: "Right as printed", no: "Wrong as printed"}, yes if card.holds else no, {}, card=card,
    )  # fmt: skip


SETTINGS: Final = settings_of("errata", Setting)


def show(screen: Screen) -> None:
    """Draw the lesson."""
    place = screen.picture()
    with place:
        setting = screen.controls(Setting(), only=("card",), of=(300, "stretch"))
    card = CARDS[setting.card]
    bet = screen.ask(asked(card), words=("Kernel",))
    told = workspace.recall(TOLD, dict[str, bool]())
    if bet.answer:
        told = {**told, card.key: bet.answer.endswith(".y") == card.holds}
        workspace.remember(TOLD, told)
    with place:
        setting = _picture(screen, card, Setting(card.key, told=tuple(told.items()), open=bet.open))
    if bet.open:
        if not bet.answer:
            screen.reveal(
                f"{'It holds as printed.' if card.holds else 'It is wrong as printed.'} {card.said}"
            )
        _onwards(screen, card, setting)


def _picture(screen: Screen, card: Card, setting: Setting) -> Setting:
    moves = setting.open and card.key == SERIES
    if moves:
        setting = screen.controls(setting, only=("lam",))
    screen.stage(
        drawn, setting, follows=("lam",) if moves else (), play=("lam",), on=_picked,
        formula="K = (I − [lam|λ]B)^{−1},  [lam|λ] < 1/ρ(B)" if moves else "",
    )  # fmt: skip
    if setting.open:
        _computed(card)
    return setting


def _picked(act: str, told: Told) -> None:
    if act == "picked" and told[0] in CARDS:
        workspace.show_in("e_card", told[0])


def _computed(card: Card) -> None:
    """The numbers of the card, computed in this run."""
    before = time.perf_counter()
    rows = card.compute()
    spent = 1000.0 * (time.perf_counter() - before)
    st.markdown(table(rows))
    if card.right:
        st.markdown(f"What holds: $\\displaystyle {card.right}$")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Run it again", key="errata.run", icon=":material/replay:", help="Computes the numbers anew."
        )
        with st.popover("The computation", icon=":material/code:", type="tertiary"):
            st.code(inspect.getsource(card.compute), language="python")
        st.caption(f"Computed just now, in {max(spent, 1.0):.0f} ms.", width="content")


def table(rows: tuple[Shown, ...]) -> str:
    """Return the numbers of a card as a table in Markdown."""
    lines = [f"| {row.what} | {_number(row.printed)} | {_number(row.right)} |" for row in rows]
    return "\n".join(["| What | As printed | Computed |", "|:--|--:|--:|", *lines])


def _number(value: float) -> str:
    """Five digits: what agrees, agrees in more than three; noise around 0 is 0."""
    if math.isnan(value):
        return "–"
    return typeset(f"{0.0 if abs(value) < 1e-12 else value:.5g}").replace("-", "−")


def _onwards(screen: Screen, card: Card, setting: Setting) -> None:
    if card.source in PAPERS:
        screen.reveal("The data of the paper are not public: this check needs none of them.")
    screen.challenge(
        "On statement 1, find the least λ at which the matrix is no kernel any more.",
        setting,
        lambda: check(setting),
    )
    if card.source in PAPERS:
        screen.carry(PAPERS[card.source], "See the paper's tables, computed anew")
    elif card.lesson in WORKING:
        screen.carry(*WORKING[card.lesson])
    with screen.left:
        for lesson in LESSONS:
            if lesson.key == card.lesson:
                st.page_link(lesson_page(lesson), label=f"More in: {lesson.title}", icon=":material/school:")


def check(setting: Setting) -> Check:
    """Whether λ is the least one that fails."""
    if setting.card != SERIES:
        return Check(False, math.nan, "Open statement 1, and move its λ.")
    return bound_check(setting.lam)
