"""Question, controls, reveal and challenge of the lesson."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import streamlit as st

from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Sequences
from kernex_core.kernels.sequences.local_alignment import LocalAlignment
from kernex_core.kernels.sequences.smith_waterman import SmithWaterman
from kernex_core.kernels.sequences.subsequence import Subsequence
from kernex_core.studies.lessons import dynamic_programming as words
from pages.learn.dynamic_programming.picture import drawn
from pages.learn.dynamic_programming.setting import ALL, BEST, STEPS, SUBSETS, TYPED, WORDS, Setting, read
from pages.learn.screen.question import Choice
from pages.learn.screen.screen import Screen
from pages.learn.screen.settings import settings_of
from pages.learn.screen.teaching import Teaching
from pages.learn.stage.component import Told
from pages.shared import workspace

QUESTION: Final = Choice(
    "A kernel of words counts the words of two letters that both have, in order, also with gaps. A shared word weighs λ for "
    "each letter of the stretch that it covers in the first, times λ for each in the second. *cat* and *car* share only "
    "*ca*. With λ = ¼, what is K(cat, car)?",
    {"a": "1/16", "b": "1/256", "c": "1"},
    right="abc"[words.right_bet()],
    because={
        "a": "That is λ², of one of the two words. The stretch counts in both: λ² λ².",
        "b": "The stretch is two letters long in both words: λ² λ² = 1/256.",
        "c": "That counts shared words without their price. Each letter of the stretch costs λ, in both words.",
    },
)
TEACHING: Final = Teaching(
    ask=(
        "How many words of two letters have two strings of eight letters to compare, and how many cells has the table?",
        "Why does K″ need a table of its own?",
        "The lecture notes print 1 just above the diagonal of the lattice. Which sum shows that it has to be 0?",
        "Why may X not follow Y in the tables of alignments?",
    ),
    wrong=(
        ("1/16.", "λ² of one word only."),
        ("A gap costs nothing.", "The stretch counts, with the letters that are skipped in it."),
        (
            "The best alignment is what the kernel computes.",
            "It adds up all of them; only as β grows does the best one win.",
        ),
    ),
    state="bet=-&dp_typed=cat cart",
)
FORMULAS: Final = {
    WORDS: "K″_{i,j} = [decay|λ] K″_{i,j−1} + λ² (equal letters),   K'_{i,j} = λ K'_{i−1,j} + K″_{i,j},   "
    "K = Σ λ² K'_{i−1,j−1} (equal letters)",
    SUBSETS: "K_{[s|s]}^{r} = z_{r} K_{s−1}^{r−1} + K_{s}^{r−1},   z_{r} = x_{r} y_{r},   0 for s > r",
    ALL: "M_{i,j} = e^{[beta|β]S} (1 + M + X + Y)_{i−1,j−1},   K = 1 + Σ M",
    BEST: "M_{i,j} = S + max(0, M, X, Y)_{i−1,j−1}",
}
CONTROLS: Final = {
    WORDS: ("typed", "decay", "filled"), SUBSETS: ("s", "route", "edge"), ALL: ("proteins", "beta", "filled"),
    BEST: ("proteins", "filled"),
}  # fmt: skip
SAID: Final = {
    WORDS: "Row by row each cell takes in its neighbours, times λ: **K'** carries words of one letter onwards, K adds up "
    "what ends with a pair of equal letters. K″ has a table of its own, or each cell would have to look at its whole row.",
    SUBSETS: "x = (1, 2, 3), y = (2, 1, 1), so z = (2, 2, 3). Each route from the top left to Kₛ in the last column is a "
    "subset: down multiplies, right skips. Row s is the *ANOVA kernel* of s coordinates, all rows together are the "
    "*all-subsets kernel*. *Printed*: the lecture notes set 1 just below the diagonal (orange); then the "
    "last column sums to 53, but all subsets together are (1 + 2)(1 + 2)(1 + 3) = 36.",
    ALL: "An *alignment* pairs letters of two proteins; S scores a pair, and a gap costs 2, and 1 for each further letter. "
    "M ends with a pair, X and Y with a letter left out. Were X to follow Y as well as Y X, gaps on both sides would count "
    "twice.",
    BEST: "The same tables with max for the sum: the green way is the best alignment (Smith and Waterman), and log K / β of "
    "all alignments comes down to its score as β grows.",
}

EXPLAINED: Final = {WORDS: ("Decay",), SUBSETS: ("ANOVA kernel",), ALL: ("Kernel",), BEST: ("Kernel",)}


SETTINGS: Final = settings_of("dynamic_programming", Setting)


def show(screen: Screen) -> None:
    """Draw the lesson."""
    bet = screen.ask(QUESTION, words=("Kernel", "Decay"))
    with screen.picture():
        if not bet.open:
            screen.stage(drawn, Setting(open=False))
            return
        step = screen.steps(STEPS)
        names = CONTROLS[step]
        setting = screen.controls(Setting(step=step, bet=bet.answer), only=names)
        if step in TYPED and (instead := read(step, getattr(setting, TYPED[step]))[1]):
            st.caption(f":orange[:material/warning:] {instead}")
        follows = tuple(name for name in names if name not in ("typed", "proteins", "edge"))
        screen.stage(
            drawn, setting, follows=follows, play=[name for name in follows if name in ("filled", "route")],
            formula=FORMULAS[step], on=_lit,
        )  # fmt: skip
    screen.reveal(
        "A table adds up exponentially many features, without listing them.",
        SAID[step],
        words=EXPLAINED[step],
    )
    screen.challenge(
        "Under *Words*: at which λ are *car* and *cta* equally near to *cat*?",
        replace(setting, filled=1.0, route=1), lambda: words.check(setting.decay),
    )  # fmt: skip
    _carry(screen, setting)


def _lit(act: str, told: Told) -> None:
    """A route was clicked."""
    if act == "picked" and str(told[-1]) in ("1", "2", "3"):
        workspace.show_in("dp_route", int(told[-1]))


def _carry(screen: Screen, setting: Setting) -> None:
    kernel: type[object] = {ALL: LocalAlignment, BEST: SmithWaterman}.get(setting.step, Subsequence)
    own = {"length": words.LENGTH, "decay": setting.decay} if kernel is Subsequence else {}
    settings = {
        "build.kind.sequences": kernel,
        **{f"build.Subsequence.words.{name}": value for name, value in own.items()},
    }
    screen.carry(
        "kernels/strings/strings.py", "Compare them on Sequences", settings,
        dataset=lambda: _data(setting), help="Opens the two words as a data set, with the kernel of this picture.",
    )  # fmt: skip


def _data(setting: Setting) -> DataSet:
    proteins = setting.step in (ALL, BEST)
    ids = ("first", "second")
    strings = Sequences(ids, setting.pair, "protein" if proteins else "text")
    return DataSet("Two words", ids, samples={"words": strings})
