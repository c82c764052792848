"""Listed edges of many graphs made what a GraphSet holds: each edge once, no loops, none from graph to graph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import IntArray, ReadOnlyArrays
from kernex_core.inputs.names import counted, listed
from kernex_core.inputs.samples import Note

Names = Callable[[int], str]


@dataclass(frozen=True, eq=False)
class ListedEdges(ReadOnlyArrays):
    """Edges as files list them; N vertices of n graphs, graph after graph.

    Attributes
    ----------
    ends : (M, 2) int array
        Vertices, counted from 0 through all graphs.
    sizes : (n,) int array
        Vertices of each graph.
    labels : (M,) str array or None
    where, vertex, graph : callable
        What the k-th listed edge, a vertex and a graph are called in a sentence.
    both_ways : bool
        The format lists an edge in both directions.
    """

    ends: IntArray
    sizes: IntArray
    where: Names
    vertex: Names
    graph: Names
    labels: NDArray[np.str_] | None = None
    both_ways: bool = False


@dataclass(frozen=True, eq=False)
class MergedEdges(ReadOnlyArrays):
    """Edges as a GraphSet holds them, with notes on what became of the others."""

    edges: IntArray
    n_edges: IntArray
    labels: NDArray[np.str_] | None
    notes: tuple[Note, ...]


def merge(given: ListedEdges) -> MergedEdges:
    """Make each edge one, whichever way and however often it is listed.

    Raises
    ------
    InvalidInputError
        An edge between two graphs, or one with two labels; both are named.
    """
    n_vertices = int(given.sizes.sum())
    graph_of = np.repeat(np.arange(given.sizes.size), given.sizes)
    u, v = given.ends.T
    _check_within(given, graph_of)
    loops, notes = np.flatnonzero(u == v), []
    if loops.size:
        named = [f"{given.vertex(int(u[k]))}, {given.where(int(k))}" for k in loops[:3]]
        more = f" and {loops.size - 3:,} more" if loops.size > 3 else ""
        notes.append(
            Note(
                f"Edges from a vertex to itself: {loops.size:,} ({'; '.join(named)}{more}).",
                "They are dropped.",
            )
        )
    kept = np.flatnonzero(u != v)
    pair = np.minimum(u, v)[kept] * n_vertices + np.maximum(u, v)[kept]
    order = kept[np.argsort(pair, kind="stable")]
    pair = np.sort(pair)
    start = np.r_[True, pair[1:] != pair[:-1]] if pair.size else np.empty(0, np.bool_)
    of, first = np.cumsum(start) - 1, order[start]
    if given.labels is not None:
        _check_labels(given, order, first[of])
    notes += _times(given, u[order] < v[order], of, first)
    ends = np.sort(given.ends[first], axis=1)
    starts = np.cumsum(given.sizes) - given.sizes
    at = graph_of[ends[:, 0]]
    return MergedEdges(
        ends - starts[at][:, None],
        np.bincount(at, minlength=given.sizes.size).astype(np.int64),
        None if given.labels is None else given.labels[first],
        tuple(notes),
    )


def _check_within(given: ListedEdges, graph_of: IntArray) -> None:
    u, v = given.ends.T
    across = np.flatnonzero(graph_of[u] != graph_of[v])
    if across.size:
        k = int(across[0])
        both = " and ".join(
            f"{given.vertex(int(end))} of {given.graph(int(graph_of[end]))}" for end in (u[k], v[k])
        )
        raise InvalidInputError(
            "An edge joins vertices of one graph",
            f"one between {both}, {given.where(k)} ({across.size:,} such in all)",
            "Correct the edge, or the graph that a vertex belongs to",
        )


def _check_labels(given: ListedEdges, order: IntArray, first: IntArray) -> None:
    assert given.labels is not None
    other = np.flatnonzero(given.labels[order] != given.labels[first])
    if other.size:
        one, two = int(first[other[0]]), int(order[other[0]])
        ends = " and ".join(given.vertex(int(end)) for end in given.ends[two])
        raise InvalidInputError(
            "An edge has one label, whichever way it is listed",
            f"{str(given.labels[one])!r} ({given.where(one)}) and {str(given.labels[two])!r} ({given.where(two)}) "
            f"between {ends} ({other.size:,} such in all)",
            "Write one label, or leave the labels of edges out",
        )


def _times(given: ListedEdges, forward: NDArray[np.bool_], of: IntArray, first: IntArray) -> list[Note]:
    """Notes on how often edges are listed."""
    n = first.size
    there, back = np.bincount(of[forward], minlength=n), np.bincount(of[~forward], minlength=n)
    once = np.flatnonzero((there == 0) | (back == 0))
    again = int((np.maximum(there - 1, 0) + np.maximum(back - 1, 0)).sum())
    notes = []
    if given.both_ways and 0 < once.size == n:
        notes.append(Note("Every edge is listed in one direction.", "It joins both ways.", "", "fine"))
    elif given.both_ways and once.size:
        named = listed([given.where(int(first[k])) for k in once[:4]])
        notes.append(
            Note(
                f"Edges listed in one direction, where the others are in both: {once.size:,} of {n:,} ({named}).",
                "They join both ways like the others.",
                "Look whether lines are missing.",
                "warning",
            )
        )
    if again:
        notes.append(Note(f"Repetitions of edges: {counted(again, 'line')}.", "Each edge counts once."))
    return notes
