"""The curve with its band and its pair, and beside it what its norm is made of."""

from __future__ import annotations

from typing import Final

import numpy as np

from kernex_core.studies.lessons import smoothness as core
from pages.learn.smoothness.setting import START, Setting
from pages.learn.stage.marks import Mark, bars, line, points, segments
from pages.learn.stage.picture import Axis, Panel, Picture
from pages.shared.cached import cached
from pages.shared.digits import number
from pages.shared.figures.theme import ABOVE, BELOW

FIT, PAIR = BELOW, ABOVE
EVERY: Final = slice(None, None, 2)


@cached(shared=True)
def drawn(setting: Setting) -> Picture:
    """The points; once the answer is open, the curve, its band and its pair, and what its norm is made of."""
    if not setting.open:
        return Picture((_plane((_items(setting),), "Three points.", place=False),))
    made = setting.made
    readings = [("‖f‖²", number(made.squared_norm, 4))]
    if made.pair is not None and made.ratio is not None:
        climbs = abs(float(np.diff(np.interp(made.pair, core.GRID, made.mean))[0]))
        readings += [
            ("nearest pair", f"{number(made.pair[0])} and {number(made.pair[1])}"),
            ("between them f changes by", number(climbs, 3)), ("at most ‖f‖ d", number(climbs / made.ratio, 3)),
            ("ratio", number(made.ratio, 3)),
        ]  # fmt: skip
    else:
        readings.append(("ratio", "not defined"))
    readings += [("note", note) for note in made.notes]
    plane = _plane(
        (*_curve(made), _bet(setting), *_pair(made), _items(setting)),
        "The cheapest curve through the points, with a band of two standard deviations, and the pair of places between "
        "which it changes most for its norm.",
        place=len(setting.at) < core.MOST,
    )
    return Picture((plane, _beside(setting, made)), tuple(readings))


def _plane(marks: tuple[Mark, ...], alt: str, *, place: bool) -> Panel:
    return Panel(
        "Curve", alt, Axis(0.0, 1.0, "x"), Axis(-0.5, 1.5, "f(x)"), marks, aspect=0.68, weight=1.5, place=place,
        note="drag a point; click for a new one" if place else "",
    )  # fmt: skip


def _items(setting: Setting) -> Mark:
    x, y = zip(*setting.at, strict=True)
    if not setting.open:
        return points(x, y, size=13)
    says = [
        f"Point at {number(a)}, {number(b)}: drag it or use the arrow keys; Delete removes it"
        for a, b in setting.at
    ]
    return points(x, y, size=13, ids=[str(k) for k in range(len(x))], movable=True, says=says)


def _curve(made: core.SmoothCurve) -> tuple[Mark, ...]:
    x, mean, sd = core.GRID[EVERY], made.mean[EVERY], made.sd[EVERY]
    across, band = np.append(x, x[::-1]), np.append(mean + 2.0 * sd, (mean - 2.0 * sd)[::-1])
    return (
        line(across, np.round(band, 3), FIT, width=0.0, closed=True, fill=0.18),
        line(x, np.round(mean, 4), FIT, width=2.5),
    )


def _bet(setting: Setting) -> Mark:
    """What was bet on, beside the curve of the question; nothing beside another."""
    x = core.GRID[EVERY]
    y = np.zeros(0)
    if setting.kernel == "Minimum" and setting.at == START:
        if setting.bet == "smooth":
            y = core.smooth_curve(core.START, core.SmoothChoice("Gaussian")).mean[EVERY]
        elif setting.bet == "steps":
            y = np.append(0.0, core.START.y)[np.searchsorted(core.START.x, x, side="right")]
    return line(x[: y.size], y, "muted", width=1.5, dash="5 4", name="your bet", anchor="end", name_at=98)


def _pair(made: core.SmoothCurve) -> tuple[Mark, ...]:
    x = np.array(made.pair or ())
    y = np.interp(x, core.GRID, made.mean)
    return (
        segments(x[:1], y[:1], x[1:], y[1:], colour=PAIR, width=2.5, dash="3 4"),
        points(x, y, colour=PAIR, size=18, open=True),
    )


def _beside(setting: Setting, made: core.SmoothCurve) -> Panel:
    if setting.kernel == "Minimum":
        x = np.arange(1, len(made.pieces) + 1)
        top = max(2.0, 1.15 * float(made.pieces.max(initial=0.0)))
        ticks = tuple((float(k), str(k)) for k in x)
        return Panel(
            "What each piece costs", "Bars: square of the rise over the run of each straight piece; they add up to ‖f‖².",
            Axis(0.4, max(len(x), 3) + 0.6, "piece, from (0, 0) on", ticks), Axis(0.0, top, "(Δy)² / Δx"),
            (bars(x, made.pieces, wide=0.7, colour=FIT),), aspect=0.72, least=190,
        )  # fmt: skip
    top = 1.1 * float(made.density.max(initial=0.0)) or 1.0
    return Panel(
        "Spectral density", "How much of each frequency the kernel holds.",
        Axis(-60.0, 60.0, "frequency ω"), Axis(0.0, top),
        (line(core.FREQUENCIES[EVERY], made.density[EVERY], FIT, fill=0.18),),
        note="what is rare here is dear", aspect=0.72, least=190,
    )  # fmt: skip
