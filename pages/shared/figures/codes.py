"""From matrices to small codes: the scale, one byte a cell, and block means for large matrices.

from pages.shared.figures.codes import common_scale
scale = common_scale([view.truth, view.known, view.extrapolated])      # comparable panels share it
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray
from pages.shared.figures.theme import number

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
        known = values[np.isfinite(values)]
        slack = 1e-9 * (self.high - self.low)
        below = known.size > 0 and float(known.min()) < self.low - slack
        above = known.size > 0 and float(known.max()) > self.high + slack
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
