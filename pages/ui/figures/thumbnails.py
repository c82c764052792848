"""Small pictures of matrices for the Start page: a PNG with a palette, no plotly, nothing to load.

from pages.ui.figures.thumbnails import thumbnail
st.image(thumbnail(demo.matrix, order=demo.order), width="stretch")
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray
from pages.ui.figures.chart import indexed_png
from pages.ui.figures.heatmap import CODES, HeatmapScale, block_means, common_scale, encode, known_values
from pages.ui.figures.theme import CIVIDIS, DIVERGING, HATCH_RGBA, rgb

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
