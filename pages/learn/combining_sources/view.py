"""Question, reveal and challenge of the lesson on combining sources."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.studies.lessons import combining_sources as core
from kernex_core.studies.lessons.catalogue import Check
from pages.learn.combining_sources.picture import Setting, asked, drawn, paths
from pages.learn.screen.question import Choice
from pages.learn.screen.screen import Screen
from pages.learn.screen.settings import settings_of
from pages.learn.screen.teaching import Teaching

LETTERS: Final = "abc"
BETS: Final = ("Little, but not 0", "Exactly 0", "What a sum without weights gives it")
QUESTION: Final = Choice(
    "Three sources explain y. A fourth one is **noise**. The four are added, each with a weight, and the weights are "
    "learned together with the machine. What does the noise get?",
    dict(zip(LETTERS, BETS, strict=True)),
    right=LETTERS[core.RIGHT],
    because={letter: core.bet_check(k).said for k, letter in enumerate(LETTERS)},
)
TEACHING: Final = Teaching(
    ask=(
        "Which source loses its weight first as λ grows, and which one last?",
        "Write x₃ in other units: why does its weight change, though it says the same?",
        "Which sources does the graph lasso take, and why does x₂ stay with its neighbours?",
    ),
    wrong=(
        (
            "The noise gets a small weight.",
            "It takes learning for shrinking: ridge shrinks, a lasso cuts off.",
        ),
        ("Other units change nothing.", "They change how dear a source is: normalise every kernel first."),
    ),
    state="bet=-&cs_lam=0.5",
)
FORMULA: Final = "min |y − Xβ|²/n + [lam|λ] (Σ |β_{j}|)² , η_{j} = |β_{j}| / Σ |β|"
ITEMS: Final = tuple(f"item {k + 1}" for k in range(core.Y.size))


SETTINGS: Final = settings_of("combining_sources", Setting)


def show(screen: Screen) -> None:
    """Draw the lesson."""
    bet = screen.ask(QUESTION, ("Kernel",))
    with screen.picture():
        if not bet.open:
            screen.stage(lambda _: asked(), Setting(), formula="K = Σ η_{j} K_{j}")
            return
        setting = screen.controls(Setting(bet=bet.answer), only=("sources",), of=(190, "stretch", "stretch"))
        more = ("lam",) if setting.sources == "path" else ("lam", "scale")
        setting = screen.controls(setting, only=more)
        screen.stage(drawn, setting, follows=("lam",), play=("lam",), formula=FORMULA)
    words = ("Graph lasso",) if setting.sources == "path" else ("Kernel ridge", "Multiple kernel learning")
    screen.reveal(_seen(setting), words=words)
    screen.challenge("Find the least λ that drops x₂.", setting, partial(judged, setting))
    screen.carry("combine/many/many.py", "Learn weights of your kernels")
    screen.carry(
        "combine/combine.py", "Take these sources to Combine", None, kernels,
        "Opens the working page with a kernel of each source.",
    )  # fmt: skip


def _seen(setting: Setting) -> str:
    if setting.sources == "path":
        return (
            "Four sources on a path, one kernel an edge: an edge that is taken takes both its ends, so what is chosen hangs "
            "together more often than what a lasso chooses one by one."
        )
    odd = paths(setting.sources == "noise", setting.scale)[setting.at].said
    return (
        "To add kernels is to put the sources side by side in one table: ridge regression, which shrinks every coefficient "
        "and drops none. To learn the weights stretches each source by √η: a lasso, which drops what explains too little. "
        f"A source in larger units comes cheaper, so normalise first. {odd}"
    ).strip()


def judged(setting: Setting) -> Check:
    """Whether λ is the least one that drops x₂, of the sources that are shown."""
    if setting.sources == "path":
        return Check(
            False, setting.lam, "This is asked of sources that are chosen one by one, not on a path."
        )
    return core.drop_check(setting.given, setting.lam)


def kernels() -> DataSet:
    """A kernel of each source, and the sign of y as classes."""
    given = core.sources(noise=True)
    made = {
        name: GramMatrix(np.outer(x, x), ITEMS, name) for name, x in zip(given.names, given.X.T, strict=True)
    }
    labels = Labels(ITEMS, np.where(core.Y > 0.0, "y above 0", "y below 0"))
    return DataSet(
        "sources of the lesson",
        ITEMS,
        labels,
        kernels=made,
        description="The four sources of the lesson Combining sources.",
    )
