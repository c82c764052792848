"""Heatmaps of similarity matrices: small on the wire, unknown entries hatched, classes along two edges.

    from pages.ui.figures.heatmap import common_scale
    from pages.ui.figures.heatmap import heatmap
    from pages.ui.figures.chart import Items
    from pages.ui.figures.theme import class_order
    scale, order = common_scale([truth, known]), class_order(classes, unknown=hidden)
    picture = heatmap(known, Items(ids, classes, order), name="Known", scale=scale)
    st.plotly_chart(picture.figure, width="stretch", theme="streamlit", alt=picture.alt, config=chart_config("spectrum"))

Up to 576 items every cell is one byte; above, cells are means of blocks and `picture.note` says of which size
(show it beside the title). Exact numbers are, with `exact=True`, on hover.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, FloatArray, IntArray
from kernex_core.inputs.names import counted
from pages.server.digits import number, percent
from pages.ui.figures import bars as strips
from pages.ui.figures.chart import BARE_AXIS, Items, Picture, PlotMargin, Spec, draw, indexed_png
from pages.ui.figures.theme import (
    CIVIDIS,
    DIVERGING,
    HATCH_RGBA,
    class_codes,
    class_styles,
    escaped,
    ranked_classes,
    rgb,
)

# From matrices to small codes: the scale, one byte a cell, and block means for large matrices.
#
# from pages.ui.figures.heatmap import common_scale
# scale = common_scale([view.truth, view.known, view.extrapolated])      # comparable panels share it

CODES = 250
LARGEST_SIDE = 576
_BLOCK_SIDE = 512
_PERCENTILES = (2.0, 98.5)
_ROUNDING = 1e-13
_SAMPLE = 200_000
_CHUNK = 1 << 20


@dataclass(frozen=True)
class HeatmapScale:
    """Values of the first and the last colour; `decimals` is how many digits the colour bar prints.

    A diverging scale is centred at 0, where it is transparent: blue below, orange above.
    """

    low: float
    high: float
    decimals: int = 2
    diverging: bool = False

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise InvalidInputError(
                "A colour scale goes from a number to a larger one", f"{self.low} to {self.high}"
            )
        if self.diverging and abs(self.low + self.high) > 1e-9 * self.high:
            raise InvalidInputError(
                "A diverging scale is centred at 0", f"{number(self.low)} to {number(self.high)}"
            )

    @property
    def middle(self) -> float:
        return 0.5 * (self.low + self.high)

    @property
    def last_code(self) -> int:
        """The code of the largest value; a diverging scale has one fewer, so that 0 has a code of its own."""
        return CODES - 1 if self.diverging else CODES

    def text(self, value: float) -> str:
        """A value of the scale as the colour bar prints it."""
        return "0" if abs(value) < 1e-9 * (self.high - self.low) else number(value, self.decimals)

    def ticks(self, values: FloatArray) -> tuple[str, str, str]:
        """Texts of the colour bar; "≤" and "≥" where `values` (NaN = unknown) go beyond the scale."""
        slack = 1e-9 * (self.high - self.low)
        # neither takes notice of what is unknown
        below = float(np.fmin.reduce(values, axis=None, initial=np.inf)) < self.low - slack
        above = float(np.fmax.reduce(values, axis=None, initial=-np.inf)) > self.high + slack
        low, middle, high = (self.text(v) for v in (self.low, self.middle, self.high))
        return f"{'≤ ' if below else ''}{low}", middle, f"{'≥ ' if above else ''}{high}"


def common_scale(matrices: Sequence[ArrayLike]) -> HeatmapScale:
    """One scale for comparable matrices: their 2nd to 98.5th percentile off the diagonal, in round numbers.

    NaN counts as unknown. The ends are multiples of a round step and so is the middle, which the colour bar
    prints too. Matrices of more than 200,000 entries are sampled evenly. Where they are
    rounding beside the diagonal, the scale ends there.
    """
    entries = _off_diagonal_entries(matrices)
    if entries.size == 0:
        return HeatmapScale(0.0, 1.0)
    low, high = (float(v) for v in np.percentile(entries, _PERCENTILES))
    if high - low <= 1e-9 * max(abs(low), abs(high)):
        low, high = min(0.0, low), max(0.0, high)
    top = max((_top_of_diagonal(np.asarray(m, dtype=np.float64)) for m in matrices), default=0.0)
    if max(abs(low), abs(high)) <= _ROUNDING * top:  # what is left of an identity is noise
        low, high = 0.0, top
    return _rounded(low, high) if high > low else HeatmapScale(0.0, 1.0)


def error_scale(matrices: Sequence[ArrayLike]) -> HeatmapScale:
    """A diverging scale, centred at 0 that reaches the 98.5th percentile of the absolute values off the diagonal."""
    entries = np.abs(_off_diagonal_entries(matrices))
    reach = float(np.percentile(entries, _PERCENTILES[1])) if entries.size else 0.0
    reach = reach or float(entries.max(initial=0.0)) or 1.0
    step = _step(reach)
    top = step * max(math.ceil(reach / step - 1e-9), 1)
    return HeatmapScale(-top, top, _decimals(step, top), diverging=True)


def known_values(values: ArrayLike) -> FloatArray:
    """The matrix with NaN wherever an entry is unknown, that is, not finite."""
    matrix = np.asarray(values, dtype=np.float64)
    if matrix.ndim != 2 or matrix.size == 0:
        raise InvalidInputError("A heatmap shows a matrix with at least one entry", f"shape {matrix.shape}")
    missing = np.isinf(matrix)
    return np.where(missing, np.nan, matrix) if missing.any() else matrix


def encode(values: FloatArray, scale: HeatmapScale) -> NDArray[np.uint8]:
    """Codes 1 to 250 for known values, clipped to the scale; 0 for NaN.

    The largest codes stay unused: 255 is "/" in base64, which the page escapes to six bytes.
    """
    steps = scale.last_code - 1
    share = (np.nan_to_num(values, nan=scale.low) - scale.low) * (steps / (scale.high - scale.low))
    codes = (np.clip(share, 0, steps) + 1.5).astype(np.uint8)
    codes[np.isnan(values)] = 0
    return codes


def block_size(n: int) -> int:
    """Items a side of a block: 1 up to 576 items, above that as many as leave at most 512 blocks."""
    return 1 if n <= LARGEST_SIDE else math.ceil(n / _BLOCK_SIDE)


def block_means(values: FloatArray, size: int, order: IntArray | None = None) -> FloatArray:
    """Mean over the known entries of every block of `size` x `size` items, NaN where a block has none.

    Rows and columns are first put into `order`, piece by piece: no second matrix of full size is made.
    """
    n = values.shape[0]
    order = np.arange(n) if order is None else order
    starts = np.arange(0, len(order), size)
    means = np.empty((len(starts), len(starts)))
    rows_at_once = max(_CHUNK // (n * size), 1)
    for first in range(0, len(starts), rows_at_once):
        blocks = starts[first : first + rows_at_once]
        piece = values[order[blocks[0] : blocks[-1] + size]][:, order]
        known = np.isfinite(piece)
        total = _block_sums(np.where(known, piece, 0.0), size)
        weight = _block_sums(known.astype(np.float64), size)
        means[first : first + rows_at_once] = np.where(weight > 0, total / np.maximum(weight, 1.0), np.nan)
    return means


def _block_sums(piece: FloatArray, size: int) -> FloatArray:
    rows = np.add.reduceat(piece, np.arange(0, piece.shape[0], size), axis=0)
    return np.add.reduceat(rows, np.arange(0, piece.shape[1], size), axis=1)


def _off_diagonal_entries(matrices: Sequence[ArrayLike]) -> FloatArray:
    kept = [_entries(np.asarray(m, dtype=np.float64)) for m in matrices]
    return np.concatenate(kept) if kept else np.empty(0)


def _entries(matrix: FloatArray) -> FloatArray:
    stride = max(matrix.size // _SAMPLE, 1)
    side = matrix.shape[1]
    # a stride that shares a factor with the row length would look at some columns only
    while stride > 1 and math.gcd(stride, side) > 1:
        stride += 1
    at = np.arange(0, matrix.size, stride)
    entries = matrix.reshape(-1)[at]
    usable = np.isfinite(entries)
    if matrix.shape[0] == side > 1:
        usable &= at % (side + 1) != 0
    return entries[usable]


def _top_of_diagonal(matrix: FloatArray) -> float:
    """Largest size on the diagonal of a square matrix; 0 where there is none."""
    diagonal = np.abs(np.diagonal(matrix)) if matrix.shape[0] == matrix.shape[1] else np.empty(0)
    return float(diagonal[np.isfinite(diagonal)].max(initial=0.0))


def _step(span: float) -> float:
    power = 10.0 ** math.floor(math.log10(span / 10))
    return max((m * power for m in (1, 2, 5) if m * power <= span / 10 * (1 + 1e-9)), default=power)


def _rounded(low: float, high: float) -> HeatmapScale:
    step = _step(high - low)
    first = round(low / step)
    halves = max(round((high / step - first) / 2), 1)
    ends = (first * step, (first + halves) * step, (first + 2 * halves) * step)
    return HeatmapScale(ends[0], ends[2], _decimals(step, *ends))


def _decimals(step: float, *values: float) -> int:
    """Fewest decimals that print all values, multiples of `step`, as they are."""
    slack = 1e-3 * step
    return next((d for d in range(12) if all(abs(round(v, d) - v) <= slack for v in values)), 12)


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


# Small pictures of matrices for the Start page: a PNG with a palette, no plotly, nothing to load.
#
# from pages.ui.figures.heatmap import thumbnail
# st.image(thumbnail(demo.matrix, order=demo.order), width="stretch")

_HATCHED = CODES + 1


def thumbnail(
    values: ArrayLike,
    *,
    order: Sequence[int] | IntArray | None = None,
    scale: HeatmapScale | None = None,
    size: int = 480,
) -> bytes:
    """PNG of a square matrix, `size` pixels a side: twice the 240 it is shown at, for sharp screens.

    Unknown entries are transparent with hatch lines, as in the heatmaps; larger matrices become block means.
    """
    matrix = known_values(values)
    if matrix.shape[0] != matrix.shape[1]:
        raise InvalidInputError("A thumbnail shows a square matrix", " × ".join(map(str, matrix.shape)))
    positions = np.arange(len(matrix)) if order is None else np.asarray(order, dtype=np.int64)
    if scale is None:
        scale = common_scale([matrix])
    cells = _at_most(matrix, positions, size)
    pixels = _enlarged(_coarse(encode(cells, scale)), size)
    pitch = max(size // 32, 4)
    lines = np.add.outer(np.arange(size), np.arange(size)) % pitch < max(size // 240, 1)
    pixels[(pixels == 0) & lines] = _HATCHED
    return indexed_png(pixels, _palette(scale))


def _at_most(matrix: FloatArray, positions: IntArray, side: int) -> FloatArray:
    block = -(-len(positions) // side)
    if block == 1:
        return matrix[np.ix_(positions, positions)]
    return block_means(matrix, block, positions)


def _coarse(codes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Every ninth code: 28 colours look the same at this size and halve the file; 125 keeps its place."""
    steps = (codes.astype(np.int16) - 125 + 4) // 9
    return np.where(codes == 0, 0, np.clip(125 + 9 * steps, 1, CODES)).astype(np.uint8)


def _enlarged(codes: NDArray[np.uint8], size: int) -> NDArray[np.uint8]:
    nearest = (np.arange(size) * len(codes)) // size
    return codes[np.ix_(nearest, nearest)]


def _palette(scale: HeatmapScale) -> NDArray[np.uint8]:
    """Red, green, blue and alpha of the codes 0 to 250, and of the hatch."""
    share = (np.arange(CODES + 1) - 1) / (scale.last_code - 1)
    if scale.diverging:
        places = np.array([place for place, _ in DIVERGING])
        colours = np.array([(*colour[:3], 255 * colour[3]) for _, colour in DIVERGING])
    else:
        places = np.linspace(0, 1, len(CIVIDIS))
        colours = np.array([(*rgb(colour), 255) for colour in CIVIDIS])
    palette = np.stack([np.interp(share, places, column) for column in colours.T], axis=1)
    palette[0] = 0
    return np.vstack([palette, HATCH_RGBA]).round().astype(np.uint8)
