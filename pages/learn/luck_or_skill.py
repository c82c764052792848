"""Lesson: luck looks like skill until new items come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.conditioning.columns_by_labels import columns_by_labels
from kernex_core.inputs.dataset import DataSet
from kernex_core.learning.folds import LEAVE_ONE_OUT
from kernex_core.runtime.progress import finished
from kernex_core.studies.lessons.catalogue import Check
from kernex_core.studies.lessons.luck_or_skill import (
    ASKED_COUNT,
    CHOSEN,
    COSTS,
    IDS,
    ITEMS,
    KERNELS,
    LABELS,
    STATES,
    WORLDS,
    JudgedNoise,
    LeakRow,
    NoiseAnswer,
    Winner,
    guess_check,
    identity_right,
    judging_noise,
    leak_check,
    leak_rows,
    never_right_check,
    noise_columns,
    noise_features,
    noise_kernel,
    unequal_floor,
    winner_again,
)
from pages.learn.screen import Bet, Guess, Screen, Teaching, settings_of
from pages.learn.stage import Axis, Mark, Panel, Picture, Told, bars, points, segments, text
from pages.server import workspace
from pages.server.cached import cached
from pages.server.digits import number, percent
from pages.ui.figures.theme import ABOVE, BELOW, FITS

# What the core has judged: kept for all visitors, and judged ahead so that a control never waits for it.

FIVE: Final = 5
C_OF_FIVE: Final = 1.0
STOPS: Final = {
    "many": tuple((FIVE, state, C_OF_FIVE) for state in range(STATES)),
    "each": tuple((LEAVE_ONE_OUT, 0, C) for C in COSTS),
}
"""Folds, their seed and C of everything that the sliders of a picture lead to."""


@cached(shared=True)
def judged(folds: int, state: int, C: float) -> JudgedNoise:
    """All kernels of noise on the same folds."""
    return finished(judging_noise(folds, state, C))


@cached(shared=True)
def winner(seed: int, state: int) -> Winner:
    """The best kernel, judged again."""
    return winner_again(seed, C_OF_FIVE, state)


@cached(shared=True)
def rows(world: int) -> tuple[LeakRow, ...]:
    """The four ways to make a kernel of columns of noise."""
    return leak_rows(world)


@cached(shared=True)
def identity(folds: int, C: float) -> int:
    """How many items are right where no two are alike."""
    return identity_right(folds, C)


def winners(found: JudgedNoise) -> tuple[Winner, ...]:
    """All kernels that are the best of the first m for some m, judged again; those of folds that have a seed."""
    if found.folds == LEAVE_ONE_OUT:
        return ()
    records = np.flatnonzero(found.right > np.concatenate([[-1], np.maximum.accumulate(found.right)[:-1]]))
    return tuple(winner(int(seed), found.state) for seed in records)


def ahead(look: str) -> None:
    """Judge what the sliders of a picture lead to, with progress, once for all visitors; a click is answered in between."""
    if look == "leak":
        for world in range(WORLDS):
            rows(world)
    missing = [stop for stop in STOPS.get(look, ()) if judged.peek(*stop) is None]
    if not missing:
        return
    bar = st.progress(0.0, "The other positions of the slider are being judged, once for everybody …")
    for k, stop in enumerate(missing):
        winners(judged(*stop))
        bar.progress((k + 1) / len(missing))
    bar.empty()


# How many of 40 items kernels of noise name rightly; the winner judged again; a left-out item; a leak.

PLANTS: Final = (
    "all columns", "all columns, centred", "20 columns, chosen on all items", "20 columns, chosen inside each fold",
)  # fmt: skip
SHORT: Final = ("all", "centred", "chosen on all", "chosen inside")
BLUE, GREEN, ORANGE, BET = BELOW, FITS, ABOVE, "#7a3e9d"
PALE: Final = "55"
HALF: Final = ITEMS / 2.0


@dataclass(frozen=True)
class Setting:
    """What the controls say; the guess (percent, 0 = none)."""

    look: str = parameter(
        "many", label="Look at", help="Three ways in which accuracy misleads on few items.",
        choices=("many", "each", "leak"), names=("The best of many", "Each item left out in turn", "Labels seen too early"),
    )  # fmt: skip
    count: int = parameter(
        ASKED_COUNT, label="Kernels of noise", symbol="m", help="The best of so many.", low=1, high=KERNELS
    )
    state: int = parameter(0, label="Seed of the folds", help="Draws the five folds.", low=0, high=STATES - 1)
    C: float = parameter(
        1.0, label="Cost of errors", symbol="C", help="The smaller, the less a single item may pull.", low=COSTS[0],
        high=COSTS[-1], stops=COSTS,
    )  # fmt: skip
    plant: str = parameter(
        "0", label="The kernel is made of", help="Of 1,000 columns of noise: all, or 20 that fit the labels.",
        choices=("0", "1", "2", "3"), names=PLANTS,
    )  # fmt: skip
    world: int = parameter(0, label="Seed of the columns", help="Draws the noise.", low=0, high=WORLDS - 1)
    guess: float = 0.0

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def judged(self) -> JudgedNoise:
        """All kernels under this setting."""
        return (
            judged(LEAVE_ONE_OUT, 0, self.C) if self.look == "each" else judged(FIVE, self.state, C_OF_FIVE)
        )

    @property
    def row(self) -> LeakRow:
        """The kernel of columns that is made."""
        return rows(self.world)[int(self.plant)]


def asked(setting: Setting) -> Picture:
    """Before the bet: forty items, and nothing that tells their classes apart."""
    del setting
    x, y = noise_features(0)[:, :2].T
    colour = [BLUE, ORANGE] * (ITEMS // 2)
    marker = ["circle", "diamond"] * (ITEMS // 2)
    panel = Panel(
        "Forty items in two classes", "Points of two colours, mixed without any order", Axis(-3.0, 3.0, ticks=()),
        Axis(-3.0, 3.0, ticks=()), (points(x, y, colour=colour, marker=marker, size=13),),
        note="every number about them is noise", aspect=0.6,
    )  # fmt: skip
    return Picture((panel,))


def drawn(setting: Setting) -> Picture:
    """Draw what the control says."""
    return {"many": _many, "each": _each, "leak": _leak}[setting.look](setting)


def _many(setting: Setting) -> Picture:
    found = setting.judged.first(setting.count)
    again = winner(found.best_seed, setting.state)
    told = (
        ("kernels", f"{setting.count:,}"), ("best", f"{found.best} of {ITEMS}, {percent(found.best_share)}"),
        ("mean", percent(found.mean, 1)), ("best of so many coins", percent(found.coins, 1)),
    )  # fmt: skip
    drawn_best = ("best of so many out of these 200, on average", percent(found.drawn, 1))
    readings = (*told, drawn_best) if setting.count <= MOST_DRAWN else told
    return Picture((_histogram(found, setting.guess), _again(again.same, again.other, again.new)), readings)


MOST_DRAWN: Final = 50
"""Of 200 kernels: the best of more of them is nearly always the same one, and says little of other kernels."""


def _histogram(found: NoiseAnswer, guess: float = 0.0) -> Panel:
    """Kernels by their number of right items; the floor, the best, and the guess."""
    x, counts = np.arange(ITEMS + 1), np.array(found.histogram)
    high = 1.22 * max(float(counts.max()), 3.0)
    marks: list[Mark] = [
        bars(x, counts, wide=0.85, colour=[ORANGE if k == found.best else BLUE for k in x]),
        segments([HALF], [0.0], [HALF], [high], colour="ink", dash="5 4"),
        text([found.best], [float(counts[found.best])], ["best"], colour=ORANGE, up=5, bold=True),
    ]
    if guess:
        at = guess / 100.0 * ITEMS
        marks.append(
            points([at], [0.84 * high], colour=BET, marker="triangle-down", size=12, labels=["your guess"])
        )
    ticks = tuple((ITEMS * share, percent(share)) for share in (0.0, 0.25, 0.5, 0.75, 1.0))
    return Panel(
        "Kernels of noise by accuracy", "Bars: how many kernels of noise name so many of the 40 items rightly.",
        Axis(-0.6, ITEMS + 0.6, "right, of 40 items", ticks), Axis(0.0, high, "kernels"), tuple(marks),
        note="dashed: the floor", aspect=0.72, weight=1.3, least=270,
    )  # fmt: skip


def _again(same: float, other: float, new: float) -> Panel:
    """The best kernel judged three times."""
    x, shares = np.arange(3), np.array([same, other, new])
    return Panel(
        "The winner again", "Bars: accuracy of the best kernel on its own folds, on other folds, and on new items.",
        Axis(-0.6, 2.6, "", ((0.0, "same folds"), (1.0, "20 others"), (2.0, "new items"))),
        Axis(0.0, 1.0, "accuracy", tuple((v / 4, percent(v / 4)) for v in range(5))),
        (
            bars(x, shares, wide=0.6, colour=[ORANGE, ORANGE, GREEN]),
            text(x, shares, [percent(v, 1) for v in shares], up=5),
            segments([-0.6], [0.5], [2.6], [0.5], colour="ink", dash="5 4"),
        ),
        aspect=0.9, least=230,
    )  # fmt: skip


def _each(setting: Setting) -> Picture:
    found = setting.judged.first(ASKED_COUNT)
    left = ITEMS // 2
    rest = Panel(
        "What is left to learn from", "Bars: after one item of class a is left out, 19 of its class and 20 of the other.",
        Axis(-0.6, 1.6, "class", ((0.0, "a, one left out"), (1.0, "b"))), Axis(0.0, left * 1.2, "items"),
        (
            bars(np.arange(2), [left - 1, left], wide=0.6, colour=[BLUE, GREEN]),
            text(np.arange(2), [left - 1, left], [str(left - 1), str(left)], up=5),
        ),
        aspect=0.9, least=200,
    )  # fmt: skip
    total = sum(found.right)
    readings = (
        ("C", number(setting.C)), ("right", f"{total:,} of {ITEMS * ASKED_COUNT:,}"), ("mean", percent(found.mean, 1)),
        ("identity, left out", f"{identity(LEAVE_ONE_OUT, setting.C)} of {ITEMS}"),
        ("identity, 5 folds", f"{identity(FIVE, setting.C)} of {ITEMS}"),
    )  # fmt: skip
    return Picture((_histogram(found), rest), readings)


def _leak(setting: Setting) -> Picture:
    found, chosen = rows(setting.world), int(setting.plant)
    x, right = np.arange(4), np.array([row.right for row in found])
    panel = Panel(
        "Columns of noise", "Bars: how many of 40 items each kernel names rightly on five folds.",
        Axis(-0.6, 3.6, "how the columns are taken", tuple(zip(x.astype(float).tolist(), SHORT, strict=True))),
        Axis(0.0, 47.0, "right, of 40 items", tuple((10.0 * k, str(10 * k)) for k in range(5))),
        (
            bars(x, right, wide=0.6, colour=[ORANGE if k == chosen else f"{BLUE}{PALE}" for k in x], ids=list("0123"),
                 says=[f"{name}: {row.right} of {ITEMS}" for name, row in zip(PLANTS, found, strict=True)]),
            text(x, right, [f"{r}" for r in right], up=5),
            segments([-0.6], [HALF], [3.6], [HALF], colour="ink", dash="5 4"),
        ),
        note="dashed: the floor; a click chooses", aspect=0.5,
    )  # fmt: skip
    row = setting.row
    return Picture(
        (panel,), (("made of", PLANTS[chosen]), ("right", f"{row.right} of {ITEMS}"), ("tag", row.mode))
    )


# Question, reveal and challenges of the lesson on luck and skill.

NAME: Final = "noise of the lesson"


def because(guess: float) -> Check:
    """What a guess of the best accuracy, in percent, is told."""
    return guess_check(judged(FIVE, 0, C_OF_FIVE), guess / 100.0)


QUESTION: Final = Guess(
    f"Forty items, half of class a and half of b. {ASKED_COUNT} kernels are made of **pure noise** and judged by five "
    "folds: each is right about every second time. How many percent does the **best** of them reach?",
    40.0, 100.0, 1.0, 70.0, because, "%", start=50.0,
)  # fmt: skip
TEACHING: Final = Teaching(
    ask=(
        "The winner does as well on twenty other divisions into folds. Why does that not clear it?",
        "Leave one item out, and noise is right less than half of the time. Which class is the left-out item of?",
        "Twenty columns of noise reach 40 of 40. Where has the choice of columns looked?",
    ),
    wrong=(
        ("50 to 55\u00a0%.", "It takes the best of many for one of them."),
        (
            "Other folds show that the winner is luck.",
            "They divide the same items, which are what it was lucky with.",
        ),
        (
            "Cross-validation below 50\u00a0% is an error.",
            "Leaving an item out makes its class the smaller one.",
        ),
    ),
    state="bet=-",
)


@dataclass(frozen=True)
class Look:
    """One of the pictures: its controls, those that it follows, its formula, its challenge, and words to explain."""

    controls: tuple[str, ...]
    follows: tuple[str, ...]
    formula: str
    challenge: str
    words: tuple[str, ...]


NEVER: Final = "Under *Each item left out in turn*, find a C at which no kernel names a single item rightly."
LOOKS: Final[Mapping[str, Look]] = {
    "many": Look(("count", "state"), ("count", "state"), "coins: E max = Σ_{k<n} (1 − F(k)^{[count|m]}) / n", NEVER,
                 ("Folds", "Floor")),
    "each": Look(("C",), ("C",), "f(x) = Σ α_{i} y_{i} k(x_{i}, x) + b , 0 ≤ α_{i} ≤ [C|C]", NEVER, ("Floor", "Held out")),
    "leak": Look(
        ("plant", "world"), ("world",), "[plant|columns] → kernel → folds",
        "Plant a leak: choose the kernel whose tag says that a step has looked at labels of test items.",
        ("Leak", "Transductive"),
    ),
}  # fmt: skip


SETTINGS: Final = settings_of("luck_or_skill", Setting)


def show(screen: Screen) -> None:
    """Draw the lesson."""
    bet = screen.ask(QUESTION, ("Kernel", "Folds"))
    with screen.picture():
        setting = _picture(screen, bet)
    if bet.open:
        screen.reveal(_seen(setting), words=LOOKS[setting.look].words)
        screen.challenge(LOOKS[setting.look].challenge, setting, partial(_judged, setting))
        _carry(screen, setting)
    with screen.picture():
        ahead(setting.look)


def _picture(screen: Screen, bet: Bet) -> Setting:
    if not bet.open:
        screen.stage(asked, Setting(), formula="accuracy = right / n")
        return Setting()
    start = Setting(guess=float(bet.answer) if bet.answer else 0.0)
    setting = screen.controls(start, only=("look",), of=(200, "stretch", "stretch"))
    look = LOOKS[setting.look]
    setting = screen.controls(setting, only=look.controls)
    screen.stage(
        drawn,
        setting,
        follows=look.follows,
        play=look.follows[:1],
        formula=look.formula,
        on=partial(_click, screen),
    )
    return setting


def _click(screen: Screen, act: str, told: Told) -> None:
    """A click on a bar makes its kernel."""
    if act == "picked":
        workspace.show_in(f"{screen.lesson.address}plant", str(told[0]))


def _seen(setting: Setting) -> str:
    if setting.look == "many":
        return (
            "Each kernel is right by chance, and the best is chosen for its luck. **Other folds of the same items do not "
            "expose it; new items do.** As many coins reach less: the decisions of one machine depend on each other, which "
            "spreads accuracies."
        )
    if setting.look == "each":
        return (
            "The item that is left out belongs to the smaller class of the rest. At a small C every new item is given to "
            "the larger class, so every answer is wrong. The floor is the larger class: "
            f"{percent(unequal_floor())} where classes have 30 and 10 items."
        )
    return (
        "Of 1,000 columns of noise, some fit the labels by luck. If they are chosen on all items, the labels of the test "
        "items have taken part. The tag is not guessed from the accuracy: it says which steps saw labels. "
        f"{setting.row.said}"
    )


def _judged(setting: Setting) -> Check:
    if setting.look == "leak":
        return leak_check(setting.row)
    return never_right_check(setting.judged)


def _carry(screen: Screen, setting: Setting) -> None:
    folds = LEAVE_ONE_OUT if setting.look == "each" else FIVE
    asked_for = {"folds": folds, "repeats": 1, "C": setting.C if setting.look == "each" else C_OF_FIVE}
    for label, name, made in (
        ("Judge your kernels so", workspace.current_name(), None),
        ("Judge this noise on Evaluate", NAME, partial(noise, setting)),
    ):
        settings = {f"evaluate.{name}.{field}": value for field, value in asked_for.items()} if name else {}
        screen.carry("evaluate", label, settings, made, f"Opens Evaluate with C and {_words(folds)}.")


def _words(folds: int) -> str:
    return f"{folds} folds" if folds else "each item left out in turn"


def noise(setting: Setting) -> DataSet:
    """The items with the winner among the kernels, and the kernel of columns that were chosen by labels."""
    found = judged(FIVE, setting.state, C_OF_FIVE).first(setting.count)
    best = noise_kernel(found.best_seed)
    planted = columns_by_labels(noise_columns(setting.world), LABELS, CHOSEN)
    return DataSet(
        NAME, IDS, LABELS, kernels={f"noise {found.best_seed}": best, "columns chosen by labels": planted},
        description="Forty items and kernels of pure noise, of the lesson Luck or skill.",
    )  # fmt: skip
