"""What a lesson draws: panels of marks in units of their axes, and the numbers under them. Pure; drawn by stage.js.

    Picture((Panel("Similarity to node 1", "Bars: the similarity of …", X, Y, (bars(…), points(…))),), readings)

Colours are "ink", "muted", "edge" and "ground", which follow the theme, or any of CSS. Lists that differ from one stop of a
slider to the next travel as frames; what is the same does not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pages.learn.stage.marks import Mark
from pages.shared.digits import number


@dataclass(frozen=True)
class Axis:
    """Range and title of an axis; ticks as (value, text), or where they are none, at round values."""

    low: float
    high: float
    title: str = ""
    ticks: tuple[tuple[float, str], ...] | None = None

    def sent(self) -> dict[str, object]:
        """Return what the browser draws."""
        ticks = round_ticks(self.low, self.high) if self.ticks is None else self.ticks
        return {
            "low": self.low,
            "high": self.high,
            "title": self.title,
            "ticks": [list(tick) for tick in ticks],
        }


@dataclass(frozen=True)
class Panel:
    """One drawing.

    Attributes
    ----------
    title, note : str
    alt : str
        The sentence that says what it shows.
    x, y : Axis
    marks : tuple of Mark
        Drawn in this order; every frame has the same kinds in the same order.
    aspect : float
        Height over width of the plane.
    weight, least : float, int
        Share of the row, and the pixels below which the panels wrap.
    bare : bool
        Without frame, ticks and titles.
    place : bool
        Clicks on the plane are told.
    """

    title: str
    alt: str
    x: Axis
    y: Axis
    marks: tuple[Mark, ...]
    note: str = ""
    aspect: float = 0.62
    weight: float = 1.0
    least: int = 280
    bare: bool = False
    place: bool = False
    stretch: bool = True
    """Where the screen is low: a plane that may be flatter than its aspect; not one whose circles are to stay round."""

    def sent(self) -> dict[str, object]:
        """Return what the browser draws, without the marks."""
        return {
            "title": self.title, "note": self.note, "alt": self.alt, "x": self.x.sent(), "y": self.y.sent(),
            "aspect": self.aspect, "weight": self.weight, "least": self.least, "bare": self.bare, "place": self.place,
            "stretch": self.stretch,
        }  # fmt: skip


@dataclass(frozen=True)
class Picture:
    """Panels side by side, and the numbers under them as (what it is, how much)."""

    panels: tuple[Panel, ...]
    readings: tuple[tuple[str, str], ...] = ()

    def sent(self) -> dict[str, object]:
        """Return what the browser draws."""
        panels = [{**panel.sent(), "marks": [dict(mark) for mark in panel.marks]} for panel in self.panels]
        return {"panels": panels, "readings": [list(reading) for reading in self.readings]}

    def frame(self, base: Picture) -> dict[str, object]:
        """Return what differs from another picture of the same panels and kinds of marks."""
        found: dict[str, object] = {}
        if self.readings != base.readings:
            found["readings"] = [list(reading) for reading in self.readings]
        for k, (panel, other) in enumerate(zip(self.panels, base.panels, strict=True)):
            if panel.sent() != other.sent():
                found[str(k)] = panel.sent()
            for m, (mark, before) in enumerate(zip(panel.marks, other.marks, strict=True)):
                if more := {name: value for name, value in mark.items() if before.get(name) != value}:
                    found[f"{k}/{m}"] = more
        return found


def round_ticks(low: float, high: float, most: int = 5) -> tuple[tuple[float, str], ...]:
    """Return at most `most` + 1 round values of a range, with their texts."""
    rough = (high - low) / most
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * size for size in (1.0, 2.0, 2.5, 5.0, 10.0) if unit * size >= rough * (1.0 - 1e-9))
    places = [k * step for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]
    return tuple((round(place, 12), number(round(place, 12))) for place in places)
