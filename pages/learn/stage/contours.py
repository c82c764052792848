"""Lines on which a field of values has one level, by marching squares."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kernex_core.base.frozen import FloatArray

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
