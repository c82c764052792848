"""All pairs of strings in threads, piece by piece, so that work can be watched and cancelled."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from kernex_core.errors import TooLargeError
from kernex_core.frozen import FloatArray, IntArray
from kernex_core.kernels.base import Progress
from kernex_core.kernels.sequences.alignment import Aligner

PIECE_CELLS = 50_000_000
"""Table cells of one piece of work: a fraction of a second, the time that a cancel has to wait."""
CELL_LIMIT = 10**14
"""Most table cells (letter pairs) of one matrix: about a day on one core."""
_CELLS_A_SECOND = 1e9
_INLINE_CELLS = 5_000_000
_MOST_THREADS = 8
_AHEAD = 4


class Piece(NamedTuple):
    """String i against the strings begin, ..., end − 1."""

    i: int
    begin: int
    end: int
    cells: int


def check_cells(rows: IntArray, columns: IntArray) -> None:
    """Refuse work that would not end in a day.

    Parameters
    ----------
    rows, columns : (n,), (n',) int
        Lengths of the strings.

    Raises
    ------
    TooLargeError
        Naming the cost.
    """
    cells = int(rows.sum()) * int(columns.sum())
    if cells > CELL_LIMIT:
        raise TooLargeError(
            f"All pairs may cost at most {CELL_LIMIT:.0e} comparisons of letters",
            f"{rows.size:,} by {columns.size:,} sequences cost {cells:.1e}, about "
            f"{cells / _CELLS_A_SECOND / 3600:,.0f} hours on one core",
            "Select fewer or shorter sequences",
        )


def pieces(lengths: IntArray, n_rows: int, first_column: int) -> list[Piece]:
    """Cut all pairs into pieces; for n_rows = n the upper triangle, else rows against columns from first_column."""
    n = lengths.size
    before = np.concatenate([[0], np.cumsum(lengths)])
    made: list[Piece] = []
    for i in range(n_rows):
        begin = i if n_rows == n else first_column
        room = PIECE_CELLS // max(int(lengths[i]), 1)
        while begin < n:
            end = int(np.searchsorted(before, before[begin] + room, side="right")) - 1
            end = min(max(end, begin + 1), n)
            made.append(Piece(i, begin, end, int(lengths[i]) * int(before[end] - before[begin])))
            begin = end
    return made


def all_scores(aligner: Aligner, lengths: IntArray, n_rows: int, progress: Progress) -> FloatArray:
    """Scores of the first `n_rows` strings to the others, or (n, n) of all to all if n_rows = n."""
    n = int(lengths.size)
    symmetric = n_rows == n
    first_column = 0 if symmetric else n_rows
    out = np.zeros((n_rows, n - first_column))
    todo = pieces(lengths, n_rows, first_column)
    total, done = max(sum(piece.cells for piece in todo), 1), 0
    for piece, scores in _computed(aligner, todo, total):
        out[piece.i, piece.begin - first_column : piece.end - first_column] = scores
        done += piece.cells
        progress(done / total)
    if symmetric:
        lower = np.tril_indices(n, -1)
        out[lower] = out.T[lower]
    return out


def _computed(aligner: Aligner, todo: list[Piece], cells: int) -> Iterator[tuple[Piece, FloatArray]]:
    if cells < _INLINE_CELLS:
        yield from ((piece, aligner.scores(*piece[:3])) for piece in todo)
        return
    pool = ThreadPoolExecutor(threads())
    waiting: deque[tuple[Piece, Future[FloatArray]]] = deque()
    try:
        # only a few pieces are handed out ahead: an abandoned iterator has little left to wait for
        for piece in todo:
            waiting.append((piece, pool.submit(aligner.scores, *piece[:3])))
            if len(waiting) >= _AHEAD * threads():
                yield _oldest(waiting)
        while waiting:
            yield _oldest(waiting)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _oldest(waiting: deque[tuple[Piece, Future[FloatArray]]]) -> tuple[Piece, FloatArray]:
    piece, future = waiting.popleft()
    return piece, future.result()


def threads() -> int:
    """Threads of one computation: the processors that this process may use, at most 8."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(available, _MOST_THREADS)


def measured_rate(aligner: Aligner, lengths: IntArray, seconds: float = 0.05) -> float:
    """Table cells a second of one thread, measured on rows of a few strings for about `seconds`."""
    aligner.scores(0, 0, 1)  # compiles, where that is still to do
    cells, began = 0, time.perf_counter()
    for i in np.resize(np.arange(lengths.size), 1000).tolist():
        aligner.scores(i, 0, lengths.size)
        cells += int(lengths[i]) * int(lengths.sum())
        if time.perf_counter() - began > seconds:
            break
    return max(cells, 1) / max(time.perf_counter() - began, 1e-9)
