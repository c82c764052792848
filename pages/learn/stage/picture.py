"""What a lesson draws: panels of marks in units of their axes, and the numbers under them. Pure; drawn by stage.js.

    Picture((Panel("Similarity to node 1", "Bars: the similarity of …", X, Y, (bars(…), points(…))),), readings)

Colours are "ink", "muted", "edge" and "ground", which follow the theme, or any of CSS. Lists that differ from one stop of a
slider to the next travel as frames; what is the same does not.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from pages.shared.digits import number
from pages.shared.figures.theme import CIVIDIS, DIVERGING

Mark = Mapping[str, object]
TOP: Final = 250
"""Code of the highest value of a field."""


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


def line(
    x: ArrayLike,
    y: ArrayLike,
    colour: str = "ink",
    *,
    width: float = 2.0,
    dash: str = "",
    closed: bool = False,
    fill: float = 0.0,
    name: str = "",
    **more: object,
) -> Mark:
    """A line through points, NaN = gap; closed and filled it is an area. `name` stands at its end, or at `name_at`."""
    return {
        "kind": "line", "x": rounded(x), "y": rounded(y), "colour": colour, "width": width, "dash": dash,
        "closed": closed, "fill": fill, "name": name, **more,
    }  # fmt: skip


def segments(
    x: ArrayLike,
    y: ArrayLike,
    x1: ArrayLike,
    y1: ArrayLike,
    *,
    colour: str | Sequence[str] = "ink",
    width: float | Sequence[float] = 2.0,
    dash: str = "",
) -> Mark:
    """Straight pieces, from (x, y) to (x1, y1): stems, edges."""
    return {
        "kind": "segments", "x": rounded(x), "y": rounded(y), "x1": rounded(x1), "y1": rounded(y1), "colour": colour,
        "width": width, "dash": dash,
    }  # fmt: skip


def _at(x: ArrayLike, y: ArrayLike) -> Mark:
    return {"x": rounded(x), "y": rounded(y)}


def bars(
    x: ArrayLike,
    y: ArrayLike,
    *,
    wide: float = 0.8,
    colour: str | Sequence[str] = "ink",
    opacity: float = 1.0,
    **more: object,
) -> Mark:
    """Upright bars from 0, or from `base`, to y; with `ids` they can be clicked, and are read out as `says`."""
    return {"kind": "bars", **_at(x, y), "wide": wide, "colour": colour, "opacity": opacity, **more}


def points(
    x: ArrayLike,
    y: ArrayLike,
    *,
    colour: str | Sequence[str] = "ink",
    marker: str | Sequence[str] = "circle",
    size: float | Sequence[float] = 10.0,
    **more: object,
) -> Mark:
    """Items; `ids` make them clickable, `movable` draggable; `labels`, `inside`, `open`, `ring`, `says` as in stage.js."""
    return {"kind": "points", **_at(x, y), "colour": colour, "marker": marker, "size": size, **more}


def text(
    x: ArrayLike,
    y: ArrayLike,
    words: Sequence[str],
    *,
    colour: str | Sequence[str] = "ink",
    anchor: str = "middle",
    **more: object,
) -> Mark:
    """Words at points."""
    return {"kind": "text", **_at(x, y), "text": list(words), "colour": colour, "anchor": anchor, **more}


def cells(
    x: ArrayLike,
    y: ArrayLike,
    words: Sequence[str],
    *,
    colour: str | Sequence[str] = "edge",
    ink: str | Sequence[str] = "ink",
    **more: object,
) -> Mark:
    """Cells of a table, one unit of each axis wide, with their numbers; `ring`, `opacity`, `ids`, `says` as in stage.js."""
    return {"kind": "cells", **_at(x, y), "text": list(words), "colour": colour, "ink": ink, **more}


def field(values: ArrayLike, *, limit: float | None = None, low: float = 0.0) -> Mark:
    """Return values (rows, columns), the top row first, as colours over the whole panel.

    With `limit` the colours diverge about 0 and end at ±limit; without, they run from `low` to the highest value.
    """
    found = np.asarray(values, dtype=np.float64)
    high = limit if limit is not None else float(found.max())
    bottom = -high if limit is not None else low
    share = np.clip((found - bottom) / ((high - bottom) or 1.0), 0.0, 1.0)
    codes = np.rint(share * TOP).astype(np.uint8)
    return {
        "kind": "field", "rows": found.shape[0], "columns": found.shape[1],
        "codes": base64.b64encode(codes.tobytes()).decode("ascii"),
        "colours": _diverging() if limit is not None else _sequential(),
    }  # fmt: skip


def rounded(values: ArrayLike) -> list[float | None]:
    """Return numbers with six digits, None for NaN: what a screen can show."""
    flat = np.asarray(values, dtype=np.float64).ravel()
    return [None if math.isnan(value) else float(f"{value:.6g}") for value in flat]


def round_ticks(low: float, high: float, most: int = 5) -> tuple[tuple[float, str], ...]:
    """Return at most `most` + 1 round values of a range, with their texts."""
    rough = (high - low) / most
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * size for size in (1.0, 2.0, 2.5, 5.0, 10.0) if unit * size >= rough * (1.0 - 1e-9))
    places = [k * step for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]
    return tuple((round(place, 12), number(round(place, 12))) for place in places)


@cache
def _diverging() -> list[list[int]]:
    stops, colours = zip(*DIVERGING, strict=True)
    scaled = np.array([(r, g, b, 255.0 * a) for r, g, b, a in colours])
    at = np.linspace(0.0, 1.0, TOP + 1)
    return [[round(float(np.interp(v, stops, channel))) for channel in scaled.T] for v in at]


@cache
def _sequential() -> list[list[int]]:
    ends = np.array([[int(colour[k : k + 2], 16) for k in (1, 3, 5)] + [255] for colour in CIVIDIS])
    at = np.linspace(0.0, len(CIVIDIS) - 1.0, TOP + 1)
    return [[round(float(np.interp(v, np.arange(len(CIVIDIS)), channel))) for channel in ends.T] for v in at]
