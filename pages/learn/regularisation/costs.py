"""Pictures of losses, of what they make of the same data, and of the hard margin."""

from __future__ import annotations

from typing import Final

import numpy as np

from kernex_core.learning.learners.losses import MARGIN_LOSSES, RESIDUAL_LOSSES, Loss
from kernex_core.studies.lessons.regularisation import (
    LINE,
    MARGINS,
    NUMBERS,
    SIDES,
    SlopeOf,
    hard_margin,
    levels,
    slopes,
)
from pages.learn.regularisation.setting import LOSSES, Setting
from pages.learn.stage.marks import Mark, bars, line, points, segments, text
from pages.learn.stage.picture import Axis, Panel, Picture
from pages.shared.cached import cached
from pages.shared.digits import number, power_of_ten
from pages.shared.figures.theme import ABOVE, BELOW, FITS, MARK

SHADES: Final = (BELOW, ABOVE, FITS, "#8b78ad", "#97805f")
RANGES: Final = {"margin": (-1.5, 3.0), "residual": (-3.5, 3.5)}
_SHORT: Final = {"Squared hinge": "Hinge²"}
COSTS: Final = np.geomspace(0.01, 100.0, 81)


@cached(shared=True)
def _slopes() -> tuple[SlopeOf, ...]:
    return slopes()


def losses(setting: Setting) -> Picture:
    """The losses of one kind, and the solution that each gives on the same data."""
    loss = LOSSES[setting.loss]
    if loss.of == "margin":
        found = {each.loss.name: each for each in _slopes()}[loss.name]
        readings = (("slope w", number(found.slope)), ("without the far item", number(found.without_far)))
        return Picture((_curves(loss, MARGIN_LOSSES, MARGINS * found.slope), _margins(loss)), readings)
    low, high = next((low, high) for each, low, high in levels() if each == loss)
    level = number(low) if high - low < 1e-6 else f"all of {number(low)} to {number(high)}"
    return Picture((_curves(loss, RESIDUAL_LOSSES, NUMBERS - low), _levels(loss)), (("level", level),))


def _curves(chosen: Loss, all_of: tuple[Loss, ...], at: np.ndarray) -> Panel:
    low, high = RANGES[chosen.of]
    x = np.linspace(low, high, 181)
    inside = at[(at >= low) & (at <= high)]
    marks: list[Mark] = [
        line(x, each.value(x), SHADES[k], width=4.0 if each == chosen else 1.5)
        for k, each in enumerate(all_of)
    ]
    k = all_of.index(chosen)
    seen = inside[chosen.value(inside) <= 4.0]
    corner, anchor = (2.6, "end") if chosen.of == "margin" else (0.0, "middle")
    names = [each.name for each in all_of]
    marks += [
        points(seen, chosen.value(seen), colour=SHADES[k], size=9),
        text(
            [corner] * len(names),
            3.75 - 0.28 * np.arange(len(names)),
            names,
            colour=SHADES[: len(names)],
            anchor=anchor,
        ),
    ]
    title = "margin y f(x)" if chosen.of == "margin" else "residual y − f(x)"
    return Panel(
        "What an error costs", f"The {len(all_of)} losses of a {chosen.of}; thick: {chosen.name}.",
        Axis(low, high, title), Axis(0.0, 4.0, "loss"), tuple(marks), note="points: the items",
    )  # fmt: skip


def _margins(chosen: Loss) -> Panel:
    found = _slopes()
    at = np.arange(len(found), dtype=float)
    shades = list(SHADES[: len(found)])
    both = np.array([[each.slope, each.without_far] for each in found])
    above = np.where(
        np.abs(both[:, 1] - both[:, 0]) < 0.1, 0.09, 0.02
    )  # numbers of bars of one height do not meet
    ticks = tuple((float(k), _SHORT.get(each.loss.name, each.loss.name)) for k, each in enumerate(found))
    return Panel(
        "Slopes that they choose", "Two bars a loss: the slope with margins 0.5, 1, 1.5, 2, −1 and 8, and without 8.",
        Axis(-0.6, len(found) - 0.4, "", ticks),
        Axis(0.0, 1.15, "slope w"),
        (
            bars(at - 0.19, both[:, 0], wide=0.34, colour=shades),
            bars(at + 0.19, both[:, 1], wide=0.34, colour=shades, opacity=0.4),
            text(at - 0.19, both[:, 0] + 0.02, [number(v) for v in both[:, 0]]),
            text(at + 0.19, both[:, 1] + above, [number(v) for v in both[:, 1]], colour="muted"),
        ),
        note="pale: without the item at 8",
    )  # fmt: skip


def _levels(chosen: Loss) -> Panel:
    found = levels()
    rows = np.arange(len(found), dtype=float)[::-1]
    low, high = (np.array([each[k] for each in found]) for k in (1, 2))
    names = [loss.name for loss, _, _ in found]
    return Panel(
        "Levels that they choose", "Five numbers on a line, and the level that every loss chooses for them.",
        Axis(-0.5, 14.5, "0, 1, 2, 4 and 14"), Axis(-0.6, len(found) + 0.4, "", ()),
        (
            segments(NUMBERS, [-0.6] * 5, NUMBERS, [len(found) + 0.4] * 5, colour="edge", width=1.0),
            points(NUMBERS, [len(found)] * 5, colour="ink", size=9),
            segments(low, rows, high, rows, colour=SHADES, width=6.0),
            points(low, rows, colour=SHADES, size=11, ring=["ink" if each[0] == chosen else "" for each in found]),
            points(high, rows, colour=SHADES, size=11),
            text(high + 0.5, rows, names, colour=SHADES, anchor="start", middle=True),
        ),
        note="a bar: all of it is best",
    )  # fmt: skip


def margin(setting: Setting) -> Picture:
    """Four points on a line: f at one C, and its slope over C."""
    curve, here = hard_margin(COSTS), hard_margin(np.array([setting.C]))
    w, b = float(here.w[0]), float(here.b[0])
    f, y = w * LINE + b, np.where(SIDES > 0, 1.0, -1.0)
    shades = [SHADES[0] if side < 0 else SHADES[1] for side in y]
    short = np.where(y * f < 1.0, y, f)
    ends = np.array([-4.0, 3.0])
    first = Panel(
        "Four points on a line", "A straight line f over x, four points on it, and how far some fall short of ±1.",
        Axis(-4.0, 3.0, "x"), Axis(-2.6, 2.6, "f(x)"),
        (
            segments([-4.0] * 3, [-1.0, 0.0, 1.0], [3.0] * 3, [-1.0, 0.0, 1.0], colour=["muted", "ink", "muted"], dash="4 4",
                     width=1.0),
            line(ends, w * ends + b, "ink", width=2.0),
            segments(LINE, f, LINE, short, colour=MARK, width=3.0),
            points(LINE, f, colour=shades, marker=["circle" if side < 0 else "diamond" for side in y], size=12),
        ),
        note="pink: short of the margin, ξ",
    )  # fmt: skip
    at, edge = np.log10(setting.C), np.log10(here.from_C)
    second = Panel(
        "Slope over C", "The slope rises with C and stays at 1 from C = 0.5 on.",
        Axis(-2.0, 2.0, "C", tuple((float(k), power_of_ten(k)) for k in range(-2, 3))), Axis(0.0, 1.15, "w"),
        (
            line(np.log10(COSTS), curve.w, SHADES[2], width=2.5),
            segments([edge], [0.0], [edge], [1.15], colour="muted", dash="2 4", width=1.5),
            segments([at], [0.0], [at], [1.15], colour=MARK, width=1.5),
            points([at], [w], colour=SHADES[2], size=10),
        ),
        note=f"dots: C = {number(here.from_C)}, from where no stem is cut",
    )  # fmt: skip
    readings = (
        ("w", number(w)), ("b", number(b)), ("margin 1/w", number(1.0 / w)),
        ("short of it, Σξ", number(float(np.abs(short - f).sum()), 3)),
        ("λ = 1/(2nC)", number(1.0 / (2.0 * LINE.size * setting.C))),
    )  # fmt: skip
    return Picture((first, second), readings)
