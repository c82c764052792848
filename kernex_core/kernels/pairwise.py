"""All pairs of strings or graphs, in blocks that are spread: with progress and cancel."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial

import numpy as np

from kernex_core.base.errors import TooLargeError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.kernels.base import Progress, seconds
from kernex_core.runtime.executors import spread_in_steps, worker_count

Work = Callable[[IntArray, IntArray], FloatArray]
"""(pairs (P, 2), meter) -> values (P,), by a description that can be pickled. `meter` is [stop, cells done]: the work ends
soon after its first entry is set, and counts in the second one."""

BLOCK = 4_000_000
"""Table cells of one block: some ten milliseconds."""
CELL_LIMIT = 2e12
"""Largest number of table cells that is worked through: hours on two cores."""


def cell_count(rows: IntArray, columns: IntArray | None) -> float:
    """Table cells of all pairs of strings with these lengths; `columns` None: each unordered pair of the rows once."""
    total = float(rows.sum())
    if columns is None:
        return (total * total + float((rows.astype(np.float64) ** 2).sum())) / 2.0
    return total * float(columns.sum())


def blocks(rows: IntArray, columns: IntArray | None, size: float = BLOCK) -> Iterator[IntArray]:
    """Pairs (P, 2) in blocks of about `size` table cells; `columns` None: pairs i <= j of the rows."""
    waiting: list[IntArray] = []
    filled = 0.0
    others = rows if columns is None else columns
    for i, length in enumerate(rows):
        first = i if columns is None else 0
        # an empty string still costs its turn
        cells = np.cumsum(np.maximum(length * others[first:], 64))
        borders = np.flatnonzero(np.diff((cells / size).astype(np.int64))) + 1
        for part in np.split(np.arange(first, others.size), borders):
            waiting.append(np.column_stack([np.full(part.size, i, dtype=np.int64), part]))
            filled += float(np.maximum(length * others[part], 64).sum())
            if filled >= size:
                yield np.concatenate(waiting)
                waiting, filled = [], 0.0
    if waiting:
        yield np.concatenate(waiting)


def all_pairs(
    work: Work, rows: IntArray, columns: IntArray | None, progress: Progress, block: float = BLOCK
) -> FloatArray:
    """Values (n, n') of all pairs in blocks of that many table cells; `columns` None: symmetric, each pair once.

    `progress` is called in the calling thread with the share of cells that is done, at least four times a second.
    Whatever it raises stops the work and is raised on.
    """
    shape = (rows.size, rows.size if columns is None else columns.size)
    K = np.zeros(shape)
    total = max(cell_count(rows, columns), 1.0)
    done = 0.0
    begun: deque[tuple[IntArray, IntArray]] = deque()

    def units() -> Iterator[tuple[IntArray, IntArray]]:
        for pairs in blocks(rows, columns, block):
            begun.append((pairs, np.zeros(2, dtype=np.int64)))
            yield begun[-1]

    try:
        with closing(spread_in_steps(partial(_block, work), units())) as batches:
            for batch in batches:
                for values, cells in batch:
                    pairs, _ = begun.popleft()
                    K[pairs[:, 0], pairs[:, 1]] = values
                    done += cells
                # of blocks on their way the cells that threads of this process have done
                progress(min(1.0, (done + sum(float(meter[1]) for _, meter in begun)) / total))
    finally:
        for _, meter in begun:
            meter[0] = 1
    progress(1.0)
    return np.triu(K) + np.triu(K, 1).T if columns is None else K


def _block(work: Work, unit: tuple[IntArray, IntArray]) -> tuple[FloatArray, float]:
    """Values of some pairs, and how many cells they took."""
    pairs, meter = unit
    values = work(pairs, meter)
    return values, float(meter[1])


def shared(cells: float) -> float:
    """Cells that the busiest thread or process fills; a few blocks keep fewer of them busy."""
    return cells / min(worker_count(), max(1.0, cells / BLOCK))


def refuse_if_too_much(kind: str, cells: float, limit: float = CELL_LIMIT) -> None:
    """Refuse more cells of a kind (`cost.SECONDS`) than the limit, with the time that they would take.

    Raises
    ------
    TooLargeError
    """
    if cells > limit:
        raise TooLargeError(
            f"At most {limit:.0e} table cells (sum over pairs of length × length) are worked through",
            f"{cells:.1e} cells, about {seconds({kind: shared(cells)}) / 3600.0:,.0f} hours",
            "Select fewer or shorter sequences, or a kernel on k-mers, whose cost grows with the length only",
        )
