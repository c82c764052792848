"""Tables of dynamic programming as data: what each cell holds, and which cells flow into it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from kernex_core.errors import InvalidInputError, TooLargeError
from kernex_core.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays

Cell = tuple[int, int, int]
"""Table, row and column, each from 0."""
Arc = tuple[Cell, Cell, float]
"""A cell, one that flows into it, and the factor on the way."""
Joined = Literal["sum", "max"]
CELL_LIMIT = 20_000
"""Most cells of all tables: they are filled one by one, to be looked at."""


@dataclass(frozen=True, eq=False)
class WorkedTables(ReadOnlyArrays):
    """Tables of one shape with everything that flows into each cell.

    A cell holds its start plus the sum of factor times source over the arcs into it ("sum"), or the largest of its start
    and of factor plus source ("max"). Sources stand before their cell, row by row, in each place table by table.

    Attributes
    ----------
    names : tuple of str
        Of the k tables.
    joined : "sum" or "max"
    start : (k, n, m) float
        What a cell holds by itself: 0 or, for "max", −inf where there is nothing.
    arcs : (a, 6) int
        Cell, then source; table, row and column each. In the order in which cells are filled.
    factors : (a,) float
    values : (k, n, m) float
    total : float
        The similarity that is read off the tables.
    """

    names: tuple[str, ...]
    joined: Joined
    start: FloatArray
    arcs: IntArray
    factors: FloatArray
    values: FloatArray
    total: float

    def into(self, cell: Cell) -> tuple[tuple[Cell, float], ...]:
        """Sources of a cell with their factors."""
        return self._into.get(cell, ())

    def counts(self) -> FloatArray:
        """(k, n, m) routes that end in each cell: ways from a start along arcs."""
        return _filled(self._started.astype(np.float64), self.arcs, np.ones(self.factors.size), "sum")

    def routes(self, cell: Cell) -> Iterator[tuple[tuple[Cell, ...], float]]:
        """Each way from a start into a cell, as its cells, and its product (of "max": sum) of start and factors.

        Over all routes these products add up to the cell of a "sum", and their largest is that of a "max".
        """
        if self._started[cell]:
            yield (cell,), float(self.start[cell])
        for source, factor in self.into(cell):
            for way, worth in self.routes(source):
                yield (*way, cell), worth * factor if self.joined == "sum" else worth + factor

    def best(self, cell: Cell) -> tuple[Cell, ...]:
        """The way into a cell of "max" that makes it what it is, from its start on; () where there is none."""
        way = []
        while np.isfinite(self.values[cell]):
            way.append(cell)
            into = [(float(self.values[source]) + factor, source) for source, factor in self.into(cell)]
            largest, source = max(into, default=(-math.inf, cell))
            if self.start[cell] >= largest:
                break
            cell = source
        return tuple(reversed(way))

    @cached_property
    def _started(self) -> BoolArray:
        return np.asarray(self.start != 0.0 if self.joined == "sum" else np.isfinite(self.start))

    @cached_property
    def _into(self) -> dict[Cell, tuple[tuple[Cell, float], ...]]:
        found: dict[Cell, tuple[tuple[Cell, float], ...]] = {}
        for arc, factor in zip(self.arcs, self.factors, strict=True):
            cell = _cell(arc[:3])
            found[cell] = (*found.get(cell, ()), (_cell(arc[3:]), float(factor)))
        return found


def work_out(
    names: Sequence[str], start: FloatArray, arcs: Sequence[Arc], joined: Joined = "sum"
) -> WorkedTables:
    """Fill tables whose cells flow into one another; the total is left to the caller, and NaN.

    Parameters
    ----------
    names : sequence of str
        Of the tables.
    start : (k, n, m) float
    arcs : sequence of (cell, source, factor)
        In any order.
    joined : "sum" or "max"

    Raises
    ------
    TooLargeError
        More than CELL_LIMIT cells.
    InvalidInputError
        Sums beyond the range of float64.

    Examples
    --------
    >>> made = work_out(["a"], [[[1.0, 0.0, 0.0]]], [((0, 0, 1), (0, 0, 0), 2.0), ((0, 0, 2), (0, 0, 1), 3.0)])
    >>> made.values.tolist(), made.into((0, 0, 2))
    ([[[1.0, 2.0, 6.0]]], (((0, 0, 1), 3.0),))
    """
    given = np.array(start, dtype=np.float64)
    if given.size > CELL_LIMIT:
        raise TooLargeError(
            f"Tables of up to {CELL_LIMIT:,} cells are filled to be looked at",
            f"{given.size:,}",
            "Choose shorter strings or a smaller degree",
        )
    # cells are filled row by row, in each place table by table
    in_order = sorted(arcs, key=lambda arc: (arc[0][1:], arc[0][0]))
    at = np.array([(*cell, *source) for cell, source, _ in in_order], np.int64).reshape(-1, 6)
    factors = np.array([factor for _, _, factor in in_order], np.float64)
    values = _filled(given, at, factors, joined)
    if joined == "sum" and not np.isfinite(values).all():
        raise InvalidInputError(
            "Each cell of a table has to fit a floating-point number",
            "a sum beyond 1e308",
            "Choose shorter strings or smaller weights",
        )
    return WorkedTables(tuple(names), joined, given, at, factors, values, math.nan)


def _filled(start: FloatArray, arcs: IntArray, factors: FloatArray, joined: Joined) -> FloatArray:
    values = start.copy()
    with np.errstate(over="ignore"):
        for arc, factor in zip(arcs, factors, strict=True):
            cell, source = _cell(arc[:3]), _cell(arc[3:])
            if joined == "sum":
                values[cell] += factor * values[source]
            else:
                values[cell] = max(values[cell], factor + values[source])
    return values


def _cell(at: IntArray) -> Cell:
    table, row, column = (int(x) for x in at)
    return table, row, column
