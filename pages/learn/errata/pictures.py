"""What the controls of the lesson on errata say, and its pictures: the cards, and a series of walks near its bound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.studies.lessons.errata import ERRATA, LAMS, Solved, failing_from, solved
from pages.learn.stage.marks import line, points, segments, text
from pages.learn.stage.picture import Axis, Panel, Picture
from pages.shared.cached import cached
from pages.shared.digits import number
from pages.shared.figures.theme import ABOVE, BELOW, FITS

K11, LEAST, TOLD, MISSED = BELOW, ABOVE, FITS, ABOVE
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
    colours = [(TOLD if told[key] else MISSED) if key in told else "#7d838c" for key in KEYS]
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
