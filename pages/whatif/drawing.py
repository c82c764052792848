"""The map of a study, and the curves through a cell of it.

    from pages.whatif.drawing import map_picture
    picture = map_picture(field, at=(3, 4))

A cell is as bright as it is good; a line runs around those that are not told apart from the best of what they are
compared with, a star marks the best, a frame the setting that is looked at. What does not depend on the parameter of the
columns stands beside them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.base.frozen import BoolArray, FloatArray
from kernex_core.studies.atlas.axes import NOTHING, Axis
from kernex_core.studies.atlas.field import Field
from pages.server import workspace
from pages.server.colour_scheme import ground
from pages.server.digits import number
from pages.ui import shown as registry
from pages.ui.figures.bars import colour_bar, colour_scale
from pages.ui.figures.chart import (
    Across,
    Picture,
    PlotMargin,
    Spec,
    Values,
    annotation,
    axis,
    chart_config,
    draw,
    inked,
)
from pages.ui.figures.curve import Level, Line, curve
from pages.ui.figures.theme import (
    GROUND,
    HATCH,
    HATCH_WIDTH,
    INK,
    MARK,
    ROLES,
    SERIES,
    TICK_SIZE,
    escaped,
    shortened,
)
from pages.ui.panels.item_map import places as positions
from pages.ui.projector import enlarged

LONGEST: Final = 12
"""Characters of a name at the lower edge."""
LETTER: Final = 6.4
"""Pixels of a letter at an axis."""
BAR_SHARE: Final = 0.3
"""Of the width, for the key of the colours."""


def map_picture(field: Field, at: tuple[int, int], *, height: int = 400) -> Picture:
    """The map of a field, with a frame at a cell.

    Parameters
    ----------
    field : Field
        As far as it is filled.
    at : (int, int)
        Row and column.
    """
    shown = _with_beside(field)
    known = shown[np.isfinite(shown)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    high = high if high > low else low + 0.01
    rows, columns = shown.shape
    ticks = [field.down.tick(k) for k in range(rows)]
    left = 40.0 + LETTER * max(map(len, ticks))
    margin = PlotMargin(left=int(left), right=8, top=30, bottom=66)
    bar, _ = colour_bar(("", "", ""), False, margin.plot_height(height))
    top = 1.0 + 16.0 / margin.plot_height(height)
    # of a loss the smallest is brightest
    sign, (first, last) = (-1.0, (high, low)) if field.smaller else (1.0, (low, high))
    ends = f"{_percent(first)} to {_percent(last)} %" if known.size else ""
    layout: Spec = {
        "xaxis": _axis(_names(field), "", columns, False),
        "yaxis": _axis(ticks, field.down.title, rows, True),
        "images": [{**bar, "x": 0, "y": top, "sizex": BAR_SHARE}] if known.size else [],
        "annotations": [
            annotation(
                ends, x=BAR_SHARE, y=1, xanchor="left", yanchor="bottom", xshift=8, yshift=6,
                font={"size": TICK_SIZE, "color": INK},
            ),
            # below the cells alone: the names of what stands beside take their room
            annotation(
                field.across.title, x=(field.values.shape[1] - 1) / 2.0, y=0, xref="x", xanchor="center", yanchor="top",
                yshift=-42,
            ),
        ],
        "shapes": [*_hatched(field), *_around(field.as_good), _frame(at)],
    }  # fmt: skip
    heat: Spec = {
        "type": "heatmap", "z": 100.0 * sign * shown, "zmin": 100.0 * sign * first, "zmax": 100.0 * sign * last,
        "showscale": False, "xgap": 1, "ygap": 1,
        "colorscale": colour_scale(False, 0.0, 1.0)[2:], "hoverinfo": "skip",
    }  # fmt: skip
    data = [heat, _cells(field, shown), *_best(field, at[0])]
    return Picture(draw(data, height, margin, layout), _sentence(field, at, low, high))


def _with_beside(field: Field) -> FloatArray:
    """Cells, a gap, and what stands beside."""
    if not field.beside:
        return field.values
    return np.column_stack([field.values, np.full(len(field.rows), np.nan), field.values_beside])


def _names(field: Field) -> list[str]:
    cells = [field.across.tick(k) for k in range(len(field.across.values))]
    return [*cells, *(["", *(shortened(name, LONGEST) for name in field.beside)] if field.beside else [])]


def _axis(names: Sequence[str], title: str, count: int, reversed_: bool) -> Spec:
    ends = [-0.5, count - 0.5]
    made = axis(
        title, tickvals=list(range(count)), ticktext=[escaped(name) for name in names], showgrid=False,
        range=ends[::-1] if reversed_ else ends, tickangle=0 if reversed_ else -35,
    )  # fmt: skip
    return made if names != [""] else {**made, "showticklabels": False}


def _cells(field: Field, shown: FloatArray) -> Spec:
    """A point in every cell, which nobody sees: what is said on hover, and what a click hits."""
    said = [_hover(field, row, column) for row in range(len(field.rows)) for column in range(shown.shape[1])]
    places = [(row, column) for row in range(shown.shape[0]) for column in range(shown.shape[1])]
    return {
        "type": "scatter", "mode": "markers", "x": [column for _, column in places], "y": [row for row, _ in places],
        "customdata": list(range(len(places))), "hovertext": said, "hovertemplate": "%{hovertext}<extra></extra>",
        "marker": {"symbol": "square", "size": 26, "opacity": 0, "color": INK},
        "unselected": {"marker": {"opacity": 0}},
    }  # fmt: skip


def _hover(field: Field, row: int, column: int) -> str:
    count = len(field.across.values)
    at = [field.down.words(row)] if field.down is not NOTHING else []
    if column == count and field.beside:
        return "<br>".join(at) or " "
    if column < count:
        at.append(field.across.words(column))
        value, interval = field.values[row, column], field.interval(row, column)
        found = field.candidate(row, column)
    else:
        name = field.beside[column - count - 1]
        at.append(name)
        value, interval = field.values_beside[row, column - count - 1], field.interval_beside(row, name)
        found = None
    if interval is None or np.isnan(value):
        return "<br>".join([escaped(", ".join(at)), "not judged"])
    ends = f"{_percent(value)} % [{_percent(interval.low)}, {_percent(interval.high)}]"
    beside = (
        ""
        if found is None
        else "told apart from the best"
        if found.told_apart
        else "not told apart from the best"
    )
    if found is not None and found.against_best is None:
        beside = "best"
    return "<br>".join(part for part in (escaped(", ".join(at)), ends, beside) if part)


def _around(inside: BoolArray) -> list[Spec]:
    """A line around cells, on a wider one of the ground so that it is seen on dark and bright."""
    padded = np.pad(inside, 1)
    lines = []
    for row, column in np.argwhere(inside):
        x, y = float(column), float(row)
        if not padded[row, column + 1]:
            lines.append((x - 0.5, y - 0.5, x + 0.5, y - 0.5))
        if not padded[row + 2, column + 1]:
            lines.append((x - 0.5, y + 0.5, x + 0.5, y + 0.5))
        if not padded[row + 1, column]:
            lines.append((x - 0.5, y - 0.5, x - 0.5, y + 0.5))
        if not padded[row + 1, column + 2]:
            lines.append((x + 0.5, y - 0.5, x + 0.5, y + 0.5))
    if not lines:
        return []
    path = "".join(f"M{a:g},{b:g}L{c:g},{d:g}" for a, b, c, d in lines)
    drawn: Spec = {"type": "path", "path": path, "xref": "x", "yref": "y", "layer": "above"}
    return [
        {**drawn, "line": {"color": GROUND, "width": 4.5}},
        {**drawn, "line": {"color": SERIES.colour, "width": 2}},
    ]


def _hatched(field: Field) -> list[Spec]:
    """Lines below the cells that are not judged yet, or cannot be."""
    parts = [
        f"M{column - 0.5:g},{row + shift:g}L{column + 0.5:g},{row + shift - 0.5:g}"
        for row, column in np.argwhere(np.isnan(field.values))
        for shift in (0.0, 0.5)
    ]
    if not parts:
        return []
    return [
        {
            "type": "path", "path": "".join(parts), "xref": "x", "yref": "y", "layer": "below",
            "line": {"color": HATCH, "width": HATCH_WIDTH},
        }
    ]  # fmt: skip


def _frame(at: tuple[int, int]) -> Spec:
    row, column = at
    return {
        "type": "rect", "x0": column - 0.5, "x1": column + 0.5, "y0": row - 0.5, "y1": row + 0.5, "xref": "x", "yref": "y",
        "layer": "above", "line": {"color": MARK, "width": 3},
    }  # fmt: skip


def _best(field: Field, row: int) -> list[Spec]:
    """A star on the best of what is compared with a row, which may stand beside the cells."""
    verdict = field.verdict(row)
    if verdict is None:
        return []
    name, count = verdict.best.name, field.values.shape[1]
    # what is the same in several rows has its star in the one that is looked at
    rows = sorted(field.compared_with(row), key=lambda k: k != row)
    found = {(k, j): field.candidate(k, j) for k in rows for j in range(count)} | {
        (k, count + 1 + j): field.candidate_beside(k, other)
        for k in rows
        for j, other in enumerate(field.beside)
    }
    y, x = next(at for at, each in found.items() if each is not None and each.name == name)
    return [
        {
            "type": "scatter", "mode": "markers", "x": [x], "y": [y], "hoverinfo": "skip",
            "marker": {"symbol": "star", "size": 12, "color": GROUND, "opacity": 1, "line": {"width": 1, "color": INK}},
            "unselected": {"marker": {"opacity": 1}},
        }
    ]  # fmt: skip


def _percent(share: float) -> str:
    return number(100.0 * share, 1)


def _sentence(field: Field, at: tuple[int, int], low: float, high: float) -> str:
    down = f" and {field.down.label}" if field.down is not NOTHING else ""
    said = (
        f"Map of {field.measure} along {field.across.label}{down}, from {_percent(low)} to {_percent(high)} %"
    )
    good = int(field.as_good.sum())
    told = f"; {good} of {field.values.size} cells are best or not told apart from the best" if good else ""
    here = ", ".join(part for part in (field.down.words(at[0]), field.across.words(at[1])) if part)
    return f"{said}{told}. The frame is at {here}."


def across_picture(field: Field, at: tuple[int, int], roles: Mapping[str, str], *, height: int) -> Picture:
    """The row of a cell: the measure along the parameter of the columns, with the best plain baseline and the floor."""
    row = field.rows[at[0]]
    levels = []
    if row is not None:
        plain = [(field.values_beside[at[0], field.beside.index(name)], name) for name in row.plain]
        if plain:
            value, name = min(plain) if field.smaller else max(plain)
            levels.append(Level(shortened(name, LONGEST), 100.0 * float(value), _role(roles.get(name, ""))))
        levels.append(Level("floor", 100.0 * row.floor, "floor"))
    name = "joint" if "joint" in roles.values() else field.measure
    line = _line(name, field.values[at[0]], [field.interval(at[0], k) for k in range(field.values.shape[1])])
    return curve(
        [line], _across(field.across, at[1]), Values(unit="%", bounds=(0, 100)), levels=levels, height=height
    )


def down_picture(field: Field, at: tuple[int, int], roles: Mapping[str, str], *, height: int) -> Picture:
    """The column of a cell: the measure along the parameter of the rows, with every plain baseline."""
    column = field.values[:, at[1]]
    plain = {name for row in field.rows if row is not None for name in row.plain}
    lines = [
        Line(
            shortened(name, LONGEST),
            np.arange(len(field.rows)),
            100.0 * field.values_beside[:, k],
            _role(roles.get(name, "")),
        )
        for k, name in enumerate(field.beside)
        if name in plain
    ]
    name = "joint" if "joint" in roles.values() else field.measure
    lines.append(_line(name, column, [field.interval(k, at[1]) for k in range(len(field.rows))]))
    return curve(lines, _across(field.down, at[0]), Values(unit="%", bounds=(0, 100)), height=height)


def _line(name: str, values: FloatArray, intervals: Sequence[object]) -> Line:
    reach = np.array(
        [
            (np.nan, np.nan) if each is None else (value - each.low, each.high - value)  # type: ignore[attr-defined]
            for value, each in zip(values.tolist(), intervals, strict=True)
        ]
    ).T
    role = "joint" if name == "joint" else SERIES
    return Line(name, np.arange(values.size), 100.0 * values, role, error=100.0 * reach, markers=True)


def _role(role: str) -> str:
    return role if role in ROLES else "floor"


def _across(along: Axis, at: int) -> Across:
    count = len(along.values)
    texts = [shortened(along.tick(k), max(ROOM // count, 8)) for k in range(count)]
    every = -(-sum(len(each) + 1 for each in texts) // ROOM)  # those that stand clear of each other
    return Across(
        along.title, guide=float(at), ticks=list(range(0, count, every)), texts=texts[::every],
        range=(-0.3, count - 0.7),
    )  # fmt: skip


ROOM: Final = 42
"""Letters along the axis of a curve."""
MOST_ITEMS: Final = 12


def most_changing(shares: FloatArray, first: Sequence[int] = ()) -> list[int]:
    """Rows of items to show: those that were chosen, then those whose share changes most along the columns.

    Parameters
    ----------
    shares : (n_items, n_across) float
        `Field.changes`.
    first : sequence of int
    """
    spread = np.ptp(np.nan_to_num(shares), axis=1)
    changing = [int(k) for k in np.argsort(-spread, kind="stable") if spread[k] > 0.0]
    return list(dict.fromkeys([*first, *changing]))[:MOST_ITEMS]


def items_picture(field: Field, at: tuple[int, int], names: Sequence[str], shares: FloatArray) -> Picture:
    """In which share of the repetitions items are named rightly, along the columns of the map.

    Parameters
    ----------
    field : Field
    at : (int, int)
        Row and column that are looked at.
    names : sequence of str
        Of the items that are shown.
    shares : (k, n_across) float
        Of these.
    """
    ticks = [shortened(name, 18) for name in names]
    margin = PlotMargin(left=int(20.0 + LETTER * max(map(len, ticks))), right=8, top=8, bottom=46)
    columns = shares.shape[1]
    heat: Spec = {
        "type": "heatmap", "z": 100.0 * shares, "zmin": 0.0, "zmax": 100.0, "showscale": False, "xgap": 1, "ygap": 1,
        "colorscale": colour_scale(False, 0.0, 1.0)[2:],
        "hovertemplate": "%{z:.0f} % right<extra></extra>",
    }  # fmt: skip
    layout: Spec = {
        "xaxis": {
            **_axis([field.across.tick(k) for k in range(columns)], field.across.title, columns, False),
            "tickangle": 0,
        },
        "yaxis": _axis(ticks, "", len(ticks), True),
        "shapes": [
            {**_frame((0, at[1])), "y1": len(ticks) - 0.5},
        ],
    }
    height = margin.top + margin.bottom + 18 * len(ticks)
    low, high = (_percent(float(end)) for end in (np.nanmin(shares), np.nanmax(shares)))
    said = f"Items by settings: in which share of the repetitions each is named rightly, {low} to {high} %"
    return Picture(
        draw([heat], height, margin, layout), f"{said}. The frame is at {field.across.words(at[1])}."
    )


# The map on the page: a click on a cell goes there.


def draw_map(picture: Picture, key: str, field: Field, keys: tuple[str, str]) -> None:
    """Draw it; a click sets the sliders of these keys to the row and the column of the cell."""
    registry.show(key, lambda: picture)
    turn: int = workspace.recall(f"{key}.turn", 0)
    columns = _with_beside(field).shape[1]
    # what the sliders say, in their order; of one row there is none
    stops = tuple(
        (name, tuple(along.tick(k) for k in range(len(along.values))))
        for name, along in zip(keys, (field.down, field.across), strict=True)
    )
    st.plotly_chart(
        enlarged(inked(picture.figure, ground())), width="stretch", theme="streamlit", key=f"{key}.{turn}",
        alt=f"{picture.alt} A click chooses a cell; so do both sliders.", selection_mode="points",
        config=chart_config(registry.file_named("map")), on_select=partial(_clicked, key, turn, columns, stops),
    )  # fmt: skip


def _clicked(key: str, turn: int, columns: int, stops: tuple[tuple[str, tuple[str, ...]], ...]) -> None:
    at = positions(workspace.told(f"{key}.{turn}", "selection"), len(stops[0][1]) * columns)
    if not at:
        return
    for (name, ticks), place in zip(stops, divmod(at[0], columns), strict=True):
        if name and place < len(ticks):  # beside the cells there is no column
            workspace.show_in(name, ticks[place])
    workspace.remember(f"{key}.turn", turn + 1)
