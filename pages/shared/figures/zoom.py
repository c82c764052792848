"""The exact numbers of a rectangular block, printed in its cells while there is room.

    from pages.shared.figures.zoom import zoom
    picture = zoom(view.joint, rows=order[:10], cols=order[:10], ids=ids, name="joint kernel", scale=scale)

The heatmap shows codes; this shows values: float64, four significant digits in cells, ten on hover.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray
from kernex_core.inputs.names import counted
from pages.shared.figures import strips
from pages.shared.figures.codes import HeatmapScale, common_scale, known_values
from pages.shared.figures.picture import BARE_AXIS, Margin, Picture, Spec, axis, draw
from pages.shared.figures.theme import escaped, number

LARGEST_CELLS = 32_000
_PRINTED_COLUMNS, _NAMED = 12, 40
_CELL = 34
_CHARACTER_WIDTH = 6.2


def zoom(
    values: ArrayLike,
    rows: Iterable[int],
    cols: Iterable[int],
    *,
    ids: Sequence[str],
    column_ids: Sequence[str] | None = None,
    name: str = "the matrix",
    scale: HeatmapScale | None = None,
) -> Picture:
    """Heatmap of `values[rows][:, cols]` with exact numbers.

    Parameters
    ----------
    values : array, shape (n, m); NaN = unknown.
    rows, cols : positions
    ids, column_ids : names of all n rows and all m columns (default: the same as the rows)
    scale : default: that of the block alone

    Raises
    ------
    InvalidInputError
        If the block is empty, reaches outside the matrix, or has more than 32,000 cells.
    """
    matrix = known_values(values)
    row_at, col_at = _distinct(rows), _distinct(cols)
    _check(row_at, col_at, matrix.shape)
    block = matrix[np.ix_(row_at, col_at)]
    if scale is None:
        scale = common_scale([block])
    across = ids if column_ids is None else column_ids
    y_names, x_names = [escaped(ids[k]) for k in row_at], [escaped(across[k]) for k in col_at]
    margin = _margin(y_names, x_names)
    height = int(min(max(_CELL * len(row_at), 60), 520)) + margin.top + margin.bottom
    pixels = margin.plot_height(height)
    bar, ticks = strips.colour_bar(scale.ticks(block), scale.diverging, pixels)
    gaps = [strips.hatch(pixels)] if np.isnan(block).any() and not scale.diverging else []
    layout: Spec = {**_axes(y_names, x_names), "images": [bar], "annotations": ticks, "shapes": gaps}
    figure = draw([_trace(block, y_names, x_names, scale)], height, margin, layout)
    return Picture(figure, _sentence(name, block, y_names, x_names))


def _distinct(positions: Iterable[int]) -> IntArray:
    """Positions in the order given, each once: axes are keyed by name."""
    return np.array(list(dict.fromkeys(int(at) for at in positions)), dtype=np.int64)


def _check(rows: IntArray, cols: IntArray, shape: tuple[int, ...]) -> None:
    if rows.size == 0 or cols.size == 0:
        raise InvalidInputError("A zoom shows at least one row and one column", f"{rows.size} × {cols.size}")
    for at, size, what in ((rows, shape[0], "row"), (cols, shape[1], "column")):
        if at.min() < 0 or at.max() >= size:
            raise InvalidInputError(f"Positions of {what}s from 0 to {size - 1}", f"{at.min()} to {at.max()}")
    if rows.size * cols.size > LARGEST_CELLS:
        raise InvalidInputError(
            f"A zoom shows at most {LARGEST_CELLS:,} exact values",
            f"{rows.size} × {cols.size}",
            "Choose fewer items",
        )


def _trace(block: FloatArray, y_names: list[str], x_names: list[str], scale: HeatmapScale) -> Spec:
    gap = 1 if max(block.shape) <= _NAMED else 0
    trace: Spec = {
        "type": "heatmap",
        "z": block,
        "x": x_names,
        "y": y_names,
        "zmin": scale.low,
        "zmax": scale.high,
        "colorscale": strips.colour_scale(scale.diverging, 0.0, 1.0)[2:],
        "showscale": False,
        "xgap": gap,
        "ygap": gap,
        "hoverongaps": True,
        "hovertemplate": "%{y}<br>%{x}<br>%{z:.10~g}<extra></extra>",
        "hovertemplatefallback": "unknown",
    }
    if block.shape[1] <= _PRINTED_COLUMNS and block.shape[0] <= 2 * _PRINTED_COLUMNS:
        texts = [["" if np.isnan(v) else number(float(v), _decimals(block)) for v in row] for row in block]
        trace |= {"text": texts, "texttemplate": "%{text}", "textfont": {"size": 11}}
    return trace


def _decimals(block: FloatArray) -> int | None:
    largest = float(np.nanmax(np.abs(block), initial=0.0))
    return 3 if 0.1 <= largest < 10 else None


def _margin(y_names: list[str], x_names: list[str]) -> Margin:
    left = max(map(len, y_names)) * _CHARACTER_WIDTH + 10 if len(y_names) <= _NAMED else 1
    top = max(map(len, x_names)) * _CHARACTER_WIDTH + 10 if len(x_names) <= _NAMED else 8
    return Margin(int(min(left, 160)), 1, int(min(top, 130)), 38)


def _axes(y_names: list[str], x_names: list[str]) -> Spec:
    return {
        "xaxis": _named(x_names) | {"side": "top", "tickangle": -90},
        "yaxis": _named(y_names) | {"autorange": "reversed"},
    }


def _named(names: list[str]) -> Spec:
    if len(names) > _NAMED:
        return {**BARE_AXIS, "type": "category", "fixedrange": True}
    return axis(showgrid=False, ticks="", type="category", dtick=1)


def _sentence(name: str, block: FloatArray, y_names: list[str], x_names: list[str]) -> str:
    known = block[np.isfinite(block)]
    size = f"{counted(len(y_names), 'row')} and {counted(len(x_names), 'column')}"
    if known.size == 0:
        return f"A block of {name} with {size}, all of it unknown."
    spread = f"exact values from {number(float(known.min()))} to {number(float(known.max()))}"
    missing = "" if known.size == block.size else f", {block.size - known.size} unknown"
    return f"A block of {name} with {size}: {spread}{missing}."
