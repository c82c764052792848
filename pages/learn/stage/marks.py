"""What a panel of a lesson is made of: lines, bars, points, words, cells, fields. Drawn by marks.js."""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from pages.shared.figures.theme import CIVIDIS, DIVERGING

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
