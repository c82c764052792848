"""The picture of a lesson on its page.

    follows = (Thumb("tau", "haw_tau", stops, "τ", play=True),)
    stage("heat", heat_picture, setting, follows=follows, formula="k = e^{−[tau|τ]L}")

`draw(setting)` returns a Picture and is cached for all visitors. For each control in `follows` the browser gets the pictures
at all its stops, when somebody comes near it, and shows them while the thumb moves; the server answers once it is let go.
What a visitor does in the picture is told to `on`: ("picked", id), ("placed", x, y), ("moved", id, x, y), ("removed", id).
"""

from __future__ import annotations

import base64
import dataclasses
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict, TypeVar

import numpy as np
import streamlit as st
from numpy.typing import ArrayLike

from kernex_core.base.digests import digest
from kernex_core.base.frozen import FloatArray
from pages.server import workspace
from pages.server.digits import number
from pages.ui.figures.theme import CIVIDIS, DIVERGING

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


# What a panel of a lesson is made of: lines, bars, points, words, cells, fields. Drawn by marks.js.

Mark = Mapping[str, object]
TOP: Final = 250
"""Code of the highest value of a field."""


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


def field(values: ArrayLike, *, limit: float | None = None, low: float = 0.0, opacity: float = 1.0) -> Mark:
    """Return values (rows, columns), the top row first, as colours over the whole panel.

    With `limit` the colours diverge about 0 and end at ±limit; without, they run from `low` to the highest value.
    """
    found = np.asarray(values, dtype=np.float64)
    high = limit if limit is not None else float(found.max())
    bottom = -high if limit is not None else low
    share = np.clip((found - bottom) / ((high - bottom) or 1.0), 0.0, 1.0)
    codes = np.rint(share * TOP).astype(np.uint8)
    return {
        "kind": "field", "rows": found.shape[0], "columns": found.shape[1], "opacity": opacity,
        "codes": base64.b64encode(codes.tobytes()).decode("ascii"),
        "colours": _diverging() if limit is not None else _sequential(),
    }  # fmt: skip


def rounded(values: ArrayLike) -> list[float | None]:
    """Return numbers with six digits, None for NaN: what a screen can show."""
    flat = np.asarray(values, dtype=np.float64).ravel()
    return [None if math.isnan(value) else float(f"{value:.6g}") for value in flat]


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


# What a lesson draws: panels of marks in units of their axes, and the numbers under them. Pure; drawn by stage.js.
#
#     Picture((Panel("Similarity to node 1", "Bars: the similarity of …", X, Y, (bars(…), points(…))),), readings)
#
# Colours are "ink", "muted", "edge" and "ground", which follow the theme, or any of CSS. Lists that differ from one
# stop of a slider to the next travel as frames; what is the same does not.


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


# Formulas whose symbols are bound to controls, in a line of text.
#
#     parts("k = e^{−[tau|τ]L}")
#
# `[name|text]` is a symbol bound to the control of that name, `^{…}` and `_{…}` stand above and below. Single letters are
# italic, as in print; words of several letters (det, log) are not.

_TOKENS: Final = re.compile(
    r"\[(?P<name>[A-Za-z_0-9.]+)\|(?P<text>[^\]]+)\]|(?P<open>[\^_]\{)|(?P<close>\})"
    r"|(?P<letters>[^\W\d_]+)|(?P<other>[^\[\^_}]|\^|_)"
)


class Part(TypedDict):
    """A piece of a formula: its text, how it stands ("", "sup" or "sub", after "i" where italic), and its control."""

    text: str
    style: str
    symbol: str


def parts(formula: str) -> list[Part]:
    """Return the pieces of a formula.

    Raises
    ------
    ValueError
        A brace that does not close, or closes nothing.
    """
    found: list[Part] = []
    level: list[str] = []
    raised = formula.replace("′", "'")  # the font's own prime is a slash where it is not set above the line
    for token in _TOKENS.finditer(raised):
        if token["open"]:
            level.append("sup" if token["open"][0] == "^" else "sub")
        elif token["close"]:
            if not level:
                raise ValueError(f"a brace closes nothing in {formula!r}")
            level.pop()
        else:
            found.append(_part(token, level[-1] if level else ""))
    if level:
        raise ValueError(f"a brace does not close in {formula!r}")
    return found


def _part(token: re.Match[str], place: str) -> Part:
    if token["name"]:
        return {"text": token["text"], "style": place, "symbol": token["name"]}
    said = token["letters"] or token["other"]
    italic = bool(token["letters"]) and len(said) == 1
    return {"text": said, "style": f"i {place}".strip() if italic else place, "symbol": ""}


S = TypeVar("S", bound="DataclassInstance")
Told = tuple[str | float, ...]
HERE: Final = Path(__file__).parent
ACTS: Final = ("picked", "placed", "moved", "removed")


def _text(*names: str) -> str:
    """Files beside this one; lines around them tell them from a path."""
    return "\n" + "\n".join((HERE / name).read_text("utf-8") for name in names) + "\n"


_stage = st.components.v2.component("kernex_stage", css=_text("stage.css"), js=_text("stage.js", "marks.js"))


Drags = Callable[[S, str], Sequence[Mapping[float, S]]]
"""Setting, and id of an item -> along x and along y, where the item may stop while it is dragged, and the setting then."""


@dataclass(frozen=True)
class Thumb:
    """A slider whose thumb the picture follows: the field of the setting, the widget's key, its stops, and its name.

    A select slider counts its stops (`indexed`), a slider says its value. `play` adds a button that runs through them.
    """

    name: str
    key: str
    stops: tuple[float, ...]
    label: str
    play: bool = False
    indexed: bool = False


def stage(
    key: str,
    draw: Callable[[S], Picture],
    setting: S,
    *,
    follows: Sequence[Thumb] = (),
    formula: str = "",
    address: str = "",
    on: Callable[[str, Told], None] | None = None,
    drags: Drags[S] | None = None,
) -> Picture:
    """Draw the picture of a setting and return it; `address` stands before the names of controls in their keys.

    With `drags` the picture follows an item while it is dragged, as it does a thumb.
    """
    picture = draw(setting)
    sent = picture.sent()
    near: str = workspace.recall(f"{key}.near", "")
    data = {
        "picture": sent,
        "follows": [_follow(thumb, draw, setting, picture, thumb.key == near) for thumb in follows],
        "drags": drags and _drags(drags, draw, setting, picture, workspace.recall(f"{key}.held", "")),
        "formula": [
            {**part, "symbol": part["symbol"] and f"{address}{part['symbol']}"} for part in parts(formula)
        ],
    }
    acts = {f"on_{act}_change": partial(_act, key, act, on) for act in ACTS}
    _stage(
        key=key,
        data={**data, "digest": digest(*(str(part) for part in data.values()))[:16]},
        on_wanted_change=partial(_wanted, key),
        on_held_change=partial(_held, key),
        on_played_change=partial(_played, key, tuple(follows)),
        height="content",
        **acts,  # type: ignore[arg-type]
    )
    return picture


def _follow(
    thumb: Thumb, draw: Callable[[S], Picture], setting: S, base: Picture, wanted: bool
) -> dict[str, object]:
    frames = None
    if wanted:
        frames = [
            draw(dataclasses.replace(setting, **{thumb.name: stop})).frame(base) for stop in thumb.stops
        ]
    return {
        "name": thumb.key, "label": thumb.label, "stops": list(thumb.stops), "frames": frames,
        "play": thumb.play, "indexed": thumb.indexed,
    }  # fmt: skip


def _drags(
    drags: Drags[S], draw: Callable[[S], Picture], setting: S, base: Picture, item: str
) -> dict[str, object]:
    ways = drags(setting, item) if item else ()
    frames = [[draw(there).frame(base) for there in way.values()] for way in ways]
    return {"item": item, "stops": [list(way) for way in ways], "frames": frames}


def _held(key: str) -> None:
    name = workspace.told(key, "held")
    if isinstance(name, str):
        workspace.remember(f"{key}.held", name)


def _wanted(key: str) -> None:
    name = workspace.told(key, "wanted")
    if isinstance(name, str):
        workspace.remember(f"{key}.near", name)


def _played(key: str, follows: tuple[Thumb, ...]) -> None:
    """A play ended, or was stopped: the control takes the stop that is shown."""
    told = workspace.told(key, "played")
    if not (isinstance(told, list) and len(told) == 2 and isinstance(told[1], int)):
        return
    for thumb in follows:
        if thumb.key == told[0] and 0 <= told[1] < len(thumb.stops):
            workspace.show_in(thumb.key, thumb.stops[told[1]])


def _act(key: str, act: str, on: Callable[[str, Told], None] | None) -> None:
    told = workspace.told(key, act)
    if on is None or not isinstance(told, list) or len(told) < 2:
        return
    if all(isinstance(part, str | int | float) for part in told):
        on(act, tuple(told[1:]))


# Points in space, seen from the side: what a lesson draws of three axes.


@dataclass(frozen=True)
class Sight:
    """From where: `turn` degrees around the third axis, `tilt` degrees above the plane of the first two."""

    turn: float
    tilt: float = 20.0

    def project(self, points: ArrayLike) -> FloatArray:
        """Return where points (3, ...) are seen, (2, ...), without perspective."""
        x, y, z = np.asarray(points, dtype=np.float64)
        a, b = np.deg2rad(self.turn), np.deg2rad(self.tilt)
        across, away = x * np.cos(a) - y * np.sin(a), x * np.sin(a) + y * np.cos(a)
        return np.stack([across, z * np.cos(b) + away * np.sin(b)])


def edges_of_box(low: ArrayLike, high: ArrayLike) -> FloatArray:
    """Return both ends of the 12 edges of a box, (12, 2, 3)."""
    ends = np.array([low, high], dtype=np.float64)
    found = []
    for axis in range(3):
        for others in product((0, 1), repeat=2):
            corner = np.insert(np.array(others), axis, 0)
            other = np.insert(np.array(others), axis, 1)
            found.append([ends[corner, range(3)], ends[other, range(3)]])
    return np.array(found)


def plane_in_box(w: FloatArray, level: float, low: ArrayLike, high: ArrayLike) -> FloatArray:
    """Return the corners (m, 3), in order, of the part of the plane w'z = level inside a box; none where it misses it."""
    ends = edges_of_box(low, high)
    at = ends @ w - level
    cut = (at[:, 0] < 0.0) != (at[:, 1] < 0.0)
    if not cut.any():
        return np.empty((0, 3))
    share = at[cut, 0] / (at[cut, 0] - at[cut, 1])
    corners = ends[cut, 0] + share[:, None] * (ends[cut, 1] - ends[cut, 0])
    around = corners - corners.mean(axis=0)
    first = around[0] / (np.linalg.norm(around[0]) or 1.0)
    second = np.cross(w / (np.linalg.norm(w) or 1.0), first)
    return np.asarray(corners[np.argsort(np.arctan2(around @ second, around @ first))])


# Lines on which a field of values has one level, by marching squares.

Links = dict[int, list[int]]


def contour(values: FloatArray, x: FloatArray, y: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
    """Return x and y of the lines, NaN between two of them; closed ones end where they begin.

    Parameters
    ----------
    values : (rows, columns) float
        A row has one y, a column one x.
    x, y : (columns,), (rows,) float
    level : float
    """
    F = np.asarray(values, dtype=np.float64) - level
    above = F >= 0.0
    links = _links(F, above)
    sides = np.array([side for line in _lines(links) for side in (*line, -1)], dtype=np.int64)
    if not sides.size:
        return np.empty(0), np.empty(0)
    columns = F.shape[1]
    upright, start = np.divmod(sides, F.size)
    r, c = np.divmod(start, columns)
    gap = sides < 0
    r, c, upright = (np.where(gap, 0, each) for each in (r, c, upright))
    r1, c1 = np.minimum(r + upright, F.shape[0] - 1), np.minimum(c + 1 - upright, columns - 1)
    first, second = F[r, c], F[r1, c1]
    share = first / np.where(first == second, 1.0, first - second)
    found = x[c] + share * (x[c1] - x[c]), y[r] + share * (y[r1] - y[r])
    return np.where(gap, np.nan, found[0]), np.where(gap, np.nan, found[1])


def _links(F: FloatArray, above: np.ndarray) -> Links:
    """Sides of cells that a line crosses, each with the sides it leads to; a side to the right has the number of its start,
    one upwards that number plus the number of values.
    """
    columns = F.shape[1]
    corners = above[:-1, :-1].astype(int) + above[:-1, 1:] + above[1:, :-1] + above[1:, 1:]
    links: Links = {}
    for r, c in np.argwhere((corners > 0) & (corners < 4)).tolist():
        at = r * columns + c
        low, high, left, right = at, at + columns, F.size + at, F.size + at + 1
        crossed = [
            side
            for side, (a, b) in {
                low: ((r, c), (r, c + 1)), right: ((r, c + 1), (r + 1, c + 1)),
                high: ((r + 1, c), (r + 1, c + 1)), left: ((r, c), (r + 1, c)),
            }.items()
            if above[a] != above[b]
        ]  # fmt: skip
        if len(crossed) == 4:  # a saddle: its middle says which corners belong together
            middle = F[r : r + 2, c : c + 2].mean() >= 0.0
            crossed = [low, right, high, left] if middle == above[r, c] else [low, left, high, right]
        for one, other in zip(crossed[::2], crossed[1::2], strict=True):
            links.setdefault(one, []).append(other)
            links.setdefault(other, []).append(one)
    return links


def _lines(links: Links) -> Iterator[list[int]]:
    """Walk along the links: from the ends at the border first, then around what is closed."""
    left = {side: list(others) for side, others in links.items()}
    for start in sorted(links, key=lambda side: len(links[side])):
        if not left[start]:
            continue
        line = [start]
        while left[line[-1]]:
            here = line[-1]
            there = left[here].pop()
            left[there].remove(here)
            line.append(there)
        yield line
