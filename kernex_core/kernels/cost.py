"""What a kernel will cost: its operations are counted, and each kind of operation has a pace.

Nothing is timed: a moment's measurement is at the mercy of what else the machine does, of compilation, and of costs that
are paid once, and a small sample of a large job multiplies all three. Paces are those of `benchmarks/large.py`, on one core
of 2020 or so; on yours they are right within a factor of three or so, and progress tells the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kernex_core.jit import compiled

Operations = Mapping[str, float]
"""Number of operations by kind, one of SECONDS."""

SECONDS: Final[Mapping[str, float]] = {
    "entry": 2e-9,
    "sparse entry": 8e-9,
    "window": 6e-8,
    "held k-mer": 3e-9,
    "shared k-mer": 3e-9,
    "dense product": 3e-11,
    "subsequence cell": 7e-10,
    "local alignment cell": 1.3e-9,
    "alignment cell": 3.3e-10,
    "walk step": 7e-10,
    "number": 5e-11,
    "shared part": 3e-9,
    "relabelled neighbour": 2.5e-8,
    "path step": 5e-9,
    "subgraph": 3e-8,
    "tree step": 8e-10,
}
"""Seconds of one core for one operation: an entry of the matrix, and of a sparse product; a window that is read; a k-mer
that a string holds, or that two strings share; a product of two counts in a dense table; a cell of a table of letters by
letters; one column of one pair of vectors in a product of matrices; a part that two graphs share, a neighbour that is taken
into a label, a vertex or an edge on the way to all others, a subgraph that is visited, a set of neighbours of a pair of
vertices, and a step of a walk along an edge of the product of two graphs."""
WITHOUT_NUMBA: Final[Mapping[str, float]] = {
    "subsequence cell": 5e-7,
    "local alignment cell": 1.2e-6,
    "walk step": 1e-7,
    "path step": 3e-7,
    "subgraph": 3e-6,
    "tree step": 1e-7,
}
"""The same where loops run in plain Python."""


def seconds(operations: Operations) -> float:
    """Seconds of one core."""
    paces = SECONDS if compiled() else {**SECONDS, **WITHOUT_NUMBA}
    return sum(paces[kind] * number for kind, number in operations.items())
