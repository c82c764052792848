"""Pictures along sequences: a signed value at every letter, and what two sequences have in common.

    from pages.shared.figures.along import Shared, marks_along, weights_along
    picture = weights_along(evidence.along, string, hover=texts)
    picture = marks_along(("d1abc", "d2xyz"), (57, 60), [Shared("TATA", (3,), (7, 30), 4, ((3, 7), (3, 30)))])

Positions are counted from 0 in arguments and from 1 in pictures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.inputs.names import counted
from pages.shared.figures.labels import annotation
from pages.shared.figures.picture import BARE_AXIS, Picture, PlotMargin, Spec, axis, draw
from pages.shared.figures.theme import CLASS_COLOURS, DIVERGING, GUIDE, INK, escaped, number, rgba

ROW = 80
"""Letters in one row: each has twelve pixels then."""
MOST_LETTERS = 400
"""Above so many, letters are not drawn one by one."""
MOST_BARS = 600
_ROW_HEIGHT, _LETTERS_HEIGHT = 78, 44
_LONGEST_NAME = 14


@dataclass(frozen=True)
class Shared:
    """One thing that two sequences share: where it starts in each, its width in letters, and what belongs together."""

    name: str
    first: Sequence[int]
    second: Sequence[int]
    width: int = 1
    links: Sequence[tuple[int, int]] = ()


def weights_along(
    values: ArrayLike,
    letters: str,
    *,
    hover: Sequence[str] | None = None,
    start: int = 0,
    y_title: str = "contribution",
    alt: str = "",
) -> Picture:
    """One bar a letter, up or down from 0, in rows with the letters below; of long sequences means of blocks.

    Parameters
    ----------
    values : (n,) array
    letters : str of length n
    hover : n texts, optional
        What is said about each letter besides its position and value.
    start : int
        Position of the first letter in its sequence.

    Raises
    ------
    InvalidInputError
        Not one finite value a letter, or none at all.
    """
    array = np.asarray(values, dtype=np.float64).ravel()
    if len(array) != len(letters) or not array.size or not np.isfinite(array).all():
        raise InvalidInputError(
            f"One finite value for each of {len(letters)} letters", f"{array.size} values"
        )
    low, high = int(array.argmin()), int(array.argmax())
    sentence = alt or (
        f"Bars along {counted(array.size, 'letter')}: from {number(float(array[low]))} at {start + low + 1} "
        f"to {number(float(array[high]))} at {start + high + 1}."
    )
    if array.size > MOST_LETTERS:
        return _blocks(array, start, y_title, sentence)
    return _rows(array, letters, hover or [""] * array.size, start, y_title, sentence)


def _rows(
    values: FloatArray, letters: str, hover: Sequence[str], start: int, y_title: str, sentence: str
) -> Picture:
    rows = math.ceil(values.size / ROW)
    each = math.ceil(values.size / rows)
    share = 1.0 / (rows * (_ROW_HEIGHT + _LETTERS_HEIGHT) - _LETTERS_HEIGHT)
    reach = 1.08 * (float(np.abs(values).max()) or 1.0)
    data: list[Spec] = []
    layout: Spec = {"bargap": 0.15}
    for row in range(rows):
        part = slice(row * each, min((row + 1) * each, values.size))
        at = np.arange(part.start, part.stop) + start + 1
        name = "" if row == 0 else str(row + 1)
        top = 1.0 - row * (_ROW_HEIGHT + _LETTERS_HEIGHT) * share
        texts = [
            f"<b>{escaped(letter)}</b> at {place}{'<br>' + escaped(more) if more else ''}"
            for letter, place, more in zip(letters[part], at.tolist(), hover[part], strict=True)
        ]
        data.append(_bars(at, values[part], reach) | {
            "xaxis": f"x{name}", "yaxis": f"y{name}", "hovertext": texts,
            "hovertemplate": "%{hovertext}<br>%{y:+.4~g}<extra></extra>",
        })  # fmt: skip
        ticks = [
            f"{escaped(letter)}<br>{place}" if place % 10 == 0 or place == start + 1 else escaped(letter)
            for letter, place in zip(letters[part], at.tolist(), strict=True)
        ]
        first = float(part.start + start) + 0.5
        layout[f"xaxis{name}"] = axis(
            range=[first, first + each], tickvals=at, ticktext=ticks, tickangle=0, showgrid=False,
            ticks="", anchor=f"y{name}",
        )  # fmt: skip
        layout[f"yaxis{name}"] = axis(
            y_title if row == (rows - 1) // 2 else "", range=_span(values), nticks=5,
            anchor=f"x{name}", domain=[max(top - _ROW_HEIGHT * share, 0.0), top],
        ) | {"zeroline": True}  # fmt: skip
    margin = PlotMargin(left=60, right=8, top=6, bottom=_LETTERS_HEIGHT - 4)
    height = rows * (_ROW_HEIGHT + _LETTERS_HEIGHT) - _LETTERS_HEIGHT + margin.top + margin.bottom
    return Picture(draw(data, height, margin, layout), sentence)


def _blocks(values: FloatArray, start: int, y_title: str, sentence: str) -> Picture:
    width = math.ceil(values.size / MOST_BARS)
    edges = np.arange(0, values.size, width)
    sizes = np.diff([*edges, values.size])
    means = np.add.reduceat(values, edges) / sizes
    reach = 1.08 * (float(np.abs(means).max()) or 1.0)
    middles = edges + start + (sizes + 1) / 2.0
    ends = np.stack([edges + start + 1, edges + start + sizes], axis=1)
    what = (
        "Letter %{customdata[0]:d}"
        if width == 1
        else "Letters %{customdata[0]:d} to %{customdata[1]:d}, mean"
    )
    trace: Spec = _bars(middles, means, reach) | {
        "width": width, "customdata": ends, "hovertemplate": what + ": %{y:+.4~g}<extra></extra>"
    }  # fmt: skip
    layout: Spec = {
        "bargap": 0,
        "xaxis": axis(
            "position", range=[start + 0.5, start + values.size + 0.5], showgrid=False, tickformat=",d"
        ),
        "yaxis": axis(y_title, range=_span(means), nticks=5) | {"zeroline": True},
    }
    note = f"each bar is the mean of {width} letters" if width > 1 else ""
    return Picture(draw([trace], 190, PlotMargin(left=60, right=8, top=6, bottom=44), layout), sentence, note)


def _span(values: FloatArray) -> list[float]:
    """Range of an axis that holds 0 and all values."""
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    pad = 0.06 * (high - low) or 1.0
    return [low - pad, high + pad]


def _bars(x: FloatArray | IntArray, y: FloatArray, reach: float) -> Spec:
    scale = [(share, rgba(colour)) for share, colour in DIVERGING]
    colour: Spec = {"color": y, "colorscale": scale, "cmin": -reach, "cmax": reach, "line": {"width": 0}}
    return {"type": "bar", "x": x, "y": y, "marker": colour}


def marks_along(
    names: tuple[str, str],
    lengths: tuple[int, int],
    shared: Sequence[Shared],
    *,
    height: int = 190,
    alt: str = "",
) -> Picture:
    """Two sequences as lines, and on both the places of what they share, the first of `shared` on top.

    The first ten have colours and are named below the picture; links join what belongs together.
    """
    data = [_track(names[k], lengths[k], 1.0 - k) for k in (0, 1)]
    for rank in reversed(range(len(shared))):
        data += _marks(shared[rank], CLASS_COLOURS[rank] if rank < len(CLASS_COLOURS) else INK, names)
    longest = max(*lengths, 1)
    key = "  ".join(
        f'<span style="color:{CLASS_COLOURS[rank]}">━</span> {escaped(_short(each.name))}'
        for rank, each in enumerate(shared[: len(CLASS_COLOURS)])
    )
    if len(shared) > len(CLASS_COLOURS):
        key += f'  <span style="color:{INK}">━</span> others'
    layout: Spec = {
        "xaxis": axis("position", range=[0.5, longest + 0.5], showgrid=False, nticks=10, tickformat=",d"),
        "yaxis": {**BARE_AXIS, "range": [-0.4, 1.3], "fixedrange": True},
        "annotations": [
            *(
                annotation(escaped(_short(names[k], 24)), x=0, y=1.0 - k, yref="y", xanchor="left",
                           yanchor="bottom" if k == 0 else "top", yshift=9 if k == 0 else -9)
                for k in (0, 1)
            ),
            annotation(key, x=0, y=0, yshift=-44, xanchor="left", yanchor="top"),
        ],
    }  # fmt: skip
    sentence = f"{escaped(names[0])} and {escaped(names[1])} as lines, with the places of {counted(len(shared), 'part')}."
    return Picture(draw(data, height, PlotMargin(8, 8, 4, 68), layout), alt or sentence)


def _track(name: str, length: int, level: float) -> Spec:
    return {
        "type": "scatter", "mode": "lines", "x": [0.5, length + 0.5], "y": [level, level], "hoverinfo": "skip",
        "line": {"color": GUIDE.colour, "width": 1}, "name": escaped(name),
    }  # fmt: skip


def _marks(each: Shared, colour: str, names: tuple[str, str]) -> list[Spec]:
    x: list[float | None] = []
    y: list[float | None] = []
    texts: list[str | None] = []
    for k, places in enumerate((each.first, each.second)):
        for at in places:
            x += [at + 0.5, at + 0.5 + each.width, None]
            y += [1.0 - k, 1.0 - k, None]
            texts += [f"{escaped(each.name)} at {at + 1} of {escaped(names[k])}"] * 2 + [None]
    middle = each.width / 2.0 + 0.5
    link_x = [v for a, b in each.links for v in (a + middle, b + middle, None)]
    links: Spec = {
        "type": "scatter", "mode": "lines", "x": link_x, "y": [0.94, 0.06, None] * len(each.links),
        "line": {"color": colour, "width": 0.8}, "opacity": 0.55, "hoverinfo": "skip",
    }  # fmt: skip
    marks: Spec = {
        "type": "scatter", "mode": "lines+markers", "x": x, "y": y, "line": {"color": colour, "width": 7},
        "marker": {"symbol": "line-ns", "size": 11, "line": {"color": colour, "width": 1.5}},
        "hovertext": texts, "hovertemplate": "%{hovertext}<extra></extra>",
    }  # fmt: skip
    return [links, marks]


def _short(name: str, most: int = _LONGEST_NAME) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"
