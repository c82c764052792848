"""Heatmaps of similarity matrices: small on the wire, unknown entries hatched, classes along two edges.

    from pages.shared.figures.codes import common_scale
    from pages.shared.figures.heatmap import heatmap
    from pages.shared.figures.picture import Items
    from pages.shared.figures.theme import class_order
    scale, order = common_scale([truth, known]), class_order(classes, unknown=hidden)
    picture = heatmap(known, Items(ids, classes, order), name="Known", scale=scale)
    st.plotly_chart(picture.figure, width="stretch", theme="streamlit", alt=picture.alt, config=chart_config("spectrum"))

Up to 576 items every cell is one byte; above, cells are means of blocks and `picture.note` says of which size
(show it beside the title). Exact numbers are, with `exact=True`, on hover.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, FloatArray
from kernex_core.inputs.names import counted
from pages.shared.figures import strips
from pages.shared.figures.codes import (
    CODES,
    HeatmapScale,
    block_means,
    block_size,
    common_scale,
    encode,
    known_values,
)
from pages.shared.figures.picture import BARE_AXIS, Items, Picture, PlotMargin, Spec, draw
from pages.shared.figures.theme import class_codes, class_styles, escaped, percent, ranked_classes

# exact values on hover cost two or four bytes a cell; above these sides the picture would pass 0.5 MB
_LARGEST_SHORT_SIDE, _LARGEST_FLOAT_SIDE = 420, 296
_LARGEST_THOUSANDTHS = 32.767
_MARGIN = PlotMargin(left=strips.STRIP + strips.STRIP_GAP + 1, right=1, top=8, bottom=38)


@dataclass(frozen=True, eq=False)
class _Shown:
    """What is drawn: the matrix in display order, perhaps as block means, and the names of its rows."""

    values: FloatArray
    names: Sequence[str]
    block: int
    n_items: int
    unknown_share: float

    @property
    def unknown(self) -> BoolArray:
        return np.isnan(self.values)


def heatmap(
    values: ArrayLike,
    items: Items,
    *,
    name: str = "the matrix",
    scale: HeatmapScale | None = None,
    exact: bool = False,
    diagonal: bool = False,
    height: int = 222,
) -> Picture:
    """Square heatmap of a symmetric matrix, origin top left, colour bar below.

    Parameters
    ----------
    values : array, shape (n, n)
        NaN = unknown.
    items : Items
        Ids on hover, classes as coloured strips along the top and the left, display order.
    name : str
        In the sentence that says what is shown.
    scale : HeatmapScale, optional
        Default: `common_scale` of this matrix. `error_scale` is blue below 0, orange above, transparent at 0.
    exact : bool
        Values on hover where size allows: for one large heatmap, not for five small ones.
    diagonal : bool
        Blocks on the diagonal are means of self-similarities alone, which others would water down.

    Raises
    ------
    InvalidInputError
        If the items do not fit the matrix.
    """
    matrix = known_values(values)
    _check(matrix, items)
    if scale is None:
        scale = common_scale([matrix])
    shown = _arranged(matrix, items, diagonal)
    figure = draw(
        [_trace(shown, scale, exact)], height, _MARGIN, _layout(matrix, items, shown, scale, height)
    )
    note = f"means of {shown.block} × {shown.block} items" if shown.block > 1 else ""
    note += "; on the diagonal, of self-similarities" if note and diagonal else ""
    return Picture(figure, _sentence(name, shown, items, scale), note)


def _layout(matrix: FloatArray, items: Items, shown: _Shown, scale: HeatmapScale, height: int) -> Spec:
    pixels = _MARGIN.plot_height(height)
    bar, ticks = strips.colour_bar(scale.ticks(matrix), scale.diverging, pixels)
    images, shapes = [bar], []
    if items.classes is not None:
        colours = [style.colour for style in class_styles(items.classes)]
        images += strips.class_strips(class_codes(items.classes)[items.positions], colours, pixels)
    if shown.unknown.any():
        if scale.diverging:
            images.append(strips.hatch_image(shown.unknown))
        else:
            shapes.append(strips.hatch(pixels))
    return {**_square_axes(), "images": images, "annotations": ticks, "shapes": shapes, "separators": ".."}


def _check(matrix: FloatArray, items: Items) -> None:
    n = len(items.ids)
    if matrix.shape != (n, n):
        raise InvalidInputError(
            f"A heatmap of {counted(n, 'item')} needs a square matrix with a row an item",
            " × ".join(map(str, matrix.shape)),
            "For a block that is not square use the zoom",
        )


def _means_of_known(entries: FloatArray, block: int) -> FloatArray:
    known = np.isfinite(entries)
    starts = np.arange(0, entries.size, block)
    total = np.add.reduceat(np.where(known, entries, 0.0), starts)
    weight = np.add.reduceat(known.astype(np.float64), starts)
    return np.where(weight > 0.0, total / np.maximum(weight, 1.0), np.nan)


def _arranged(matrix: FloatArray, items: Items, diagonal: bool) -> _Shown:
    ids, order = items.ids, items.positions
    block = block_size(len(order))
    if block == 1:
        values = matrix[order][:, order]
        share = float(np.isnan(values).mean())
        return _Shown(values, [ids[k] for k in order], 1, len(order), share)
    values = block_means(matrix, block, order)
    if diagonal:
        np.fill_diagonal(values, _means_of_known(np.diag(matrix)[order], block))
    names = [
        f"{ids[order[a]]} … {ids[order[min(a + block, len(order)) - 1]]}" for a in range(0, len(order), block)
    ]
    share = float(np.isnan(matrix).sum() / matrix.size)
    return _Shown(values, names, block, len(order), share)


def _trace(shown: _Shown, scale: HeatmapScale, exact: bool) -> Spec:
    pair = "%{y}<br>%{x}"
    if shown.block > 1:
        pair += f"<br>mean of {shown.block} × {shown.block} items"
    names = [escaped(name) for name in shown.names]
    common: Spec = {"type": "heatmap", "x": names, "y": names, "showscale": False, "hoverongaps": True}
    if exact and _fits_thousandths(shown, scale):
        return (
            common
            | _thousandths(shown.values, scale)
            | {"hovertemplate": pair + "<br>%{z:05,d}<extra></extra>"}
        )
    if exact and len(shown.names) <= _LARGEST_FLOAT_SIDE:
        hover: Spec = {
            "hovertemplate": pair + "<br>%{z:.4~g}<extra></extra>",
            "hovertemplatefallback": "unknown",
        }
        return common | _floats(shown.values, scale) | hover
    return common | {
        "z": encode(shown.values, scale),
        "zmin": 0,
        "zmax": CODES,
        "colorscale": strips.colour_scale(scale.diverging, 1 / CODES, scale.last_code / CODES),
        "hovertemplate": pair + "<extra></extra>",
    }


def _fits_thousandths(shown: _Shown, scale: HeatmapScale) -> bool:
    values = shown.values
    return (
        not scale.diverging
        and len(shown.names) <= _LARGEST_SHORT_SIDE
        and scale.low >= 0
        and scale.high - scale.low >= 0.1
        and not shown.unknown.any()
        and float(values.min()) >= 0
        and float(values.max()) <= _LARGEST_THOUSANDTHS
    )


def _thousandths(values: FloatArray, scale: HeatmapScale) -> Spec:
    """Two bytes a cell: plotly groups the digits of 726 as "0.726", given "." as separator of thousands."""
    return {
        "z": np.rint(1000 * values).astype(np.int16),
        "zmin": 1000 * scale.low,
        "zmax": 1000 * scale.high,
        "colorscale": strips.colour_scale(False, 0.0, 1.0)[2:],
    }


def _floats(values: FloatArray, scale: HeatmapScale) -> Spec:
    """Four bytes a cell, NaN where unknown: for signs, large numbers and incomplete matrices."""
    return {
        "z": values.astype(np.float32),
        "zmin": scale.low,
        "zmax": scale.high,
        "colorscale": strips.colour_scale(scale.diverging, 0.0, 1.0)[2:],
    }


def _square_axes() -> Spec:
    common: Spec = {**BARE_AXIS, "type": "category", "constrain": "domain", "fixedrange": True}
    return {
        "xaxis": {**common, "scaleanchor": "y", "constraintoward": "left"},
        "yaxis": {**common, "autorange": "reversed", "constraintoward": "top"},
    }


def _sentence(name: str, shown: _Shown, items: Items, scale: HeatmapScale) -> str:
    parts = [f"Heatmap of {name}: {counted(shown.n_items, 'item')}"]
    if items.classes is not None:
        parts.append(f"with strips for {counted(len(ranked_classes(items.classes)), 'class')}")
    low, high = scale.text(scale.low), scale.text(scale.high)
    parts.append(
        f"colours from {low} to {high}" + (", blue below 0 and orange above" if scale.diverging else "")
    )
    if shown.block > 1:
        parts.append(f"each cell the mean of {shown.block} × {shown.block} items")
    if shown.unknown_share > 0:
        parts.append(f"{percent(shown.unknown_share)} of the entries unknown and hatched")
    return ", ".join(parts) + "."
