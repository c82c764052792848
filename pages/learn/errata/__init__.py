"""Lesson: errata. Statements in print, each with a bet and the computation that shows whether it holds."""

from __future__ import annotations

import inspect
import math
import time
from dataclasses import dataclass
from typing import Final

import streamlit as st

from kernex_core.studies.lessons.catalogue import Check
from kernex_core.studies.lessons.errata import (
    ERRATA,
    EXTRAPOLATION,
    JOINT,
    ORTHOGONAL,
    Card,
    Shown,
    bet_check,
    bound_check,
)
from pages.learn.errata.pictures import SERIES, Setting, drawn
from pages.learn.screen.question import Choice
from pages.learn.screen.screen import Screen
from pages.learn.screen.settings import settings_of
from pages.learn.screen.teaching import Teaching
from pages.learn.stage.component import Told
from pages.shared import workspace
from pages.shared.digits import typeset
from pages.shared.lessons import LESSONS
from pages.shared.navigation import lesson_page

CARDS: Final = {card.key: card for card in ERRATA}
TOLD: Final = "errata.told"
PAPERS: Final = {
    EXTRAPOLATION: "papers/extrapolation/extrapolation.py",
    JOINT: "papers/joint/joint.py",
    ORTHOGONAL: "papers/orthogonal/orthogonal.py",
}
WORKING: Final = {
    "what_is_a_kernel": ("kernels/kernels.py", "Try kernels on your data"),
    "smoothness": ("kernels/kernels.py", "Try kernels on your data"),
    "regularisation": ("evaluate/evaluate.py", "Judge a machine on your data"),
    "dynamic_programming": ("kernels/strings/strings.py", "Compare your sequences"),
    "heat_and_walks": ("networks/networks.py", "Try walks on your network"),
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
