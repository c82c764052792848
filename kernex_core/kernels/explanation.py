"""What one similarity is made of: parts that sum to it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import BoolArray, EqualByContent, FloatArray, IntArray, ReadOnlyArrays

# Parts that two graphs share, other than walks: paths, subtrees, small subgraphs, and roots of trees.


@dataclass(frozen=True, eq=False)
class SharedPath(EqualByContent):
    """Pairs of vertices with the same labels, as far from each other in one graph as in the other, or nearly.

    Attributes
    ----------
    ends : tuple of two str
        Labels of the vertices; "" where they do not count.
    hops_s, hops_t : int
        Edges of the shortest path between them in each graph; they differ only where the kernel lets them.
    count_s, count_t : int
        Pairs of vertices, whichever comes first.
    path_s, path_t : tuple of int
        One shortest path in each graph, as its vertices.
    contribution : float
        2 count_s count_t, 4 if both labels are the same (both orders of both pairs), times c − |hops_s − hops_t|.
    """

    ends: tuple[str, str]
    hops_s: int
    hops_t: int
    count_s: int
    count_t: int
    path_s: tuple[int, ...]
    path_t: tuple[int, ...]
    contribution: float


@dataclass(frozen=True, eq=False)
class SharedSubtree(EqualByContent):
    """A label of Weisfeiler-Lehman: vertices from which both graphs look alike for some edges.

    Attributes
    ----------
    tree : str
        The label written out, "C(C,O(C,H))": the neighbours of each vertex in brackets, the vertex it was reached from
        among them; "[=]" before a neighbour is the label of the edge to it. Cut off at LONGEST letters.
    height : int
        Iteration: edges that it reaches.
    roots_s, roots_t : tuple of int
        Vertices of each graph that have it; their counts are the lengths.
    contribution : float
        Count in s times count in t.
    """

    tree: str
    height: int
    roots_s: tuple[int, ...]
    roots_t: tuple[int, ...]
    contribution: float


@dataclass(frozen=True, eq=False)
class SharedGraphlet(EqualByContent):
    """A small connected subgraph of both graphs.

    Attributes
    ----------
    name : str
        In words: "triangle of 3"; by its number of edges where it has no name.
    edges : tuple of pairs of int
        Of its vertices 0 to k − 1.
    labels : tuple of str
        Of its vertices; "" where they do not count.
    count_s, count_t : float
        Sets of vertices in each graph; not whole where they are estimated.
    vertices_s, vertices_t : tuple of int
        One such set in each graph, vertex by vertex.
    contribution : float
        count_s times count_t.
    """

    name: str
    edges: tuple[tuple[int, int], ...]
    labels: tuple[str, ...]
    count_s: float
    count_t: float
    vertices_s: tuple[int, ...]
    vertices_t: tuple[int, ...]
    contribution: float


@dataclass(frozen=True, eq=False)
class SharedRoots(EqualByContent):
    """A vertex of each graph, and what trees with these roots contribute.

    Attributes
    ----------
    label : str
        Of both; "" where labels do not count.
    vertex_s, vertex_t : int
    height : int
        Levels of vertices of the trees.
    contribution : float
        k_h(u, v).
    """

    label: str
    vertex_s: int
    vertex_t: int
    height: int
    contribution: float


PartOfGraphs = SharedPath | SharedSubtree | SharedGraphlet | SharedRoots


@dataclass(frozen=True, eq=False)
class SharedKmer(EqualByContent):
    """A k-mer of each string that together contribute: the same one, or for mismatch kernels a similar one.

    To the Fisher kernel of a Markov chain a step is a k-mer of two letters; it may be in one string, or in none.

    Attributes
    ----------
    kmer_s, kmer_t : str
    mismatches : int
        Positions at which they differ.
    positions_s, positions_t : tuple of int
        Where they start, from 0; their counts are the lengths.
    common_features : int
        Features that both k-mers have: 1 for the spectrum kernel.
    contribution : float
        count in s times count in t times common features; of a step the product of its scores, weighed, of either sign.
    """

    kmer_s: str
    kmer_t: str
    mismatches: int
    positions_s: tuple[int, ...]
    positions_t: tuple[int, ...]
    common_features: int
    contribution: float


@dataclass(frozen=True, eq=False)
class SharedSubsequence(EqualByContent):
    """A subsequence of both strings.

    Attributes
    ----------
    word : str
    weight_s, weight_t : float
        Σ λ^span over its occurrences in each string.
    occurrences_s, occurrences_t : int
        Number of its occurrences.
    positions_s, positions_t : tuple of int
        Letters of its tightest occurrence, from 0.
    contribution : float
        weight_s times weight_t.
    """

    word: str
    weight_s: float
    weight_t: float
    occurrences_s: int
    occurrences_t: int
    positions_s: tuple[int, ...]
    positions_t: tuple[int, ...]
    contribution: float

    @property
    def gaps_s(self) -> int:
        """Letters left out within the tightest occurrence in s."""
        return self.positions_s[-1] - self.positions_s[0] + 1 - len(self.positions_s)

    @property
    def gaps_t(self) -> int:
        """Letters left out within the tightest occurrence in t."""
        return self.positions_t[-1] - self.positions_t[0] + 1 - len(self.positions_t)


@dataclass(frozen=True, eq=False)
class AlignedColumn(EqualByContent):
    """One column of an alignment.

    Attributes
    ----------
    position_s, position_t : int or None
        Positions of the letters in the strings as given, from 0; None opposite a gap.
    letter_s, letter_t : str
        "-" for a gap.
    contribution : float
        Score of the pair, or minus the cost of this letter of the gap.
    probability : float or None
        Share of the sum over all alignments that comes from those with this pair; None for gaps, and for
        Smith-Waterman.
    """

    position_s: int | None
    position_t: int | None
    letter_s: str
    letter_t: str
    contribution: float
    probability: float | None = None


@dataclass(frozen=True, eq=False)
class AlignmentEnd(EqualByContent):
    """All alignments whose last pair is one pair of letters.

    Attributes
    ----------
    position_s, position_t : int
    letter_s, letter_t : str
    contribution : float
        M[i,j]: the sum of exp(β score) over them.
    probability : float
        Share of the sum over all alignments that comes from those with this pair, last or not.
    """

    position_s: int
    position_t: int
    letter_s: str
    letter_t: str
    contribution: float
    probability: float


@dataclass(frozen=True, eq=False)
class SharedWalk(EqualByContent):
    """Labels along a walk that both graphs have, read from one end or the other.

    Attributes
    ----------
    vertices, edges : tuple of str
        Labels of its vertices, and of the edges between them; "" where they do not count.
    count_s, count_t : int
        Walks of each graph that read so from the first label to the last one.
    ways : int
        2 where it reads otherwise backwards, which as many walks do; else 1.
    walk_s, walk_t : tuple of int
        One such walk in each graph, as its vertices.
    contribution : float
        Of walks of n edges ways times count in s times count in t, of the geometric kernel that times β^n; of random
        walks the chance that both read so.
    """

    vertices: tuple[str, ...]
    edges: tuple[str, ...]
    count_s: int
    count_t: int
    ways: int
    walk_s: tuple[int, ...]
    walk_t: tuple[int, ...]
    contribution: float

    @property
    def n_edges(self) -> int:
        """Edges of the walk."""
        return len(self.edges)


Part = SharedKmer | SharedSubsequence | AlignedColumn | AlignmentEnd | SharedWalk | PartOfGraphs


@dataclass(frozen=True, eq=False)
class LengthSum(EqualByContent):
    """What the k-mers of one length contribute to a sum of spectrum kernels.

    Attributes
    ----------
    k : int
    weight : float
        w_k.
    shared : int
        Distinct k-mers of this length that both strings have.
    contribution : float
        w_k Σ_u count in s times count in t.
    """

    k: int
    weight: float
    shared: int
    contribution: float


@dataclass(frozen=True, eq=False)
class Explanation(EqualByContent):
    """Parts of one similarity.

    Attributes
    ----------
    total : float
        The similarity K(s, t), without normalisation, as the kernel computes it.
    parts : tuple
        The largest parts, largest first; alignments in the order of their columns.
    rest : float
        What all other parts contribute together. It is added up from them and not from `total`, so that
        sum of `parts` + `rest` = `total` is a check of both, up to rounding.
    rest_meaning : str
        What the rest is, as a phrase.
    n_parts : int or None
        How many parts there are in all; None where they were not counted.
    apart : str
        How the sum of the parts and `total` are computed, each without the other, as a phrase.
    symbol : str
        What `total` is: K, or what the kernel returns in its place.
    alignment : tuple of AlignedColumn
        The best local alignment, for kernels on alignments.
    expected_pairs : float or None
        Mean number of aligned pairs over all alignments, weighted as in the sum (local alignment kernel).
    by_length : tuple of LengthSum
        Of a sum of spectrum kernels: what each length contributes; together they are the similarity.
    """

    total: float
    parts: tuple[Part, ...]
    rest: float
    rest_meaning: str
    n_parts: int | None = None
    apart: str = ""
    symbol: str = "K"
    alignment: tuple[AlignedColumn, ...] = ()
    expected_pairs: float | None = None
    by_length: tuple[LengthSum, ...] = ()

    @property
    def sum_of_parts(self) -> float:
        """Parts and rest added up."""
        return math.fsum([*(part.contribution for part in self.parts), self.rest])

    @property
    def discrepancy(self) -> float:
        """|sum of parts − total| relative to the larger of both: rounding, if all is right."""
        made = self.sum_of_parts
        return abs(made - self.total) / (max(abs(made), abs(self.total)) or 1.0)


# Tables of dynamic programming as data: what each cell holds, and which cells flow into it.

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
