"""How many of 40 items kernels of noise name rightly; the winner judged again; a left-out item; a leak."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.learning.folds import LEAVE_ONE_OUT
from kernex_core.studies.lessons.luck_or_skill import (
    ASKED_COUNT,
    COSTS,
    ITEMS,
    KERNELS,
    STATES,
    WORLDS,
    JudgedNoise,
    LeakRow,
    NoiseAnswer,
    noise_features,
)
from pages.learn.luck_or_skill.judged import C_OF_FIVE, FIVE, identity, judged, rows, winner
from pages.learn.stage.marks import Mark, bars, points, segments, text
from pages.learn.stage.picture import Axis, Panel, Picture
from pages.shared.digits import number, percent
from pages.shared.figures.theme import ABOVE, BELOW, FITS

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
