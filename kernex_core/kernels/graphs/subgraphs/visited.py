"""Kinds of connected subgraphs, graph by graph: all are visited, or some are drawn where there are too many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.graph import Graph
from kernex_core.kernels.counts import tallied
from kernex_core.kernels.graphs.coded import CodedGraphs
from kernex_core.kernels.graphs.graph_kernel import Graphs
from kernex_core.kernels.graphs.subgraphs.search import connected, descended
from kernex_core.kernels.graphs.subgraphs.shapes import LABEL_BITS, bits, canonical
from kernex_core.pieces import Pieces

MOST_SUBGRAPHS = 1_000_000
"""Connected subgraphs of one graph up to which each is visited (some hundredths of a second); more are sampled."""
DESCENTS = 200_000
"""Subgraphs that are drawn from a graph with more."""
_PIECE = 300_000


@dataclass(frozen=True, eq=False)
class Entries(ReadOnlyArrays):
    """How often a graph holds a kind of subgraph; (owner, kind) may come more than once and add up.

    Attributes
    ----------
    owner : (E,) int array
        Graph.
    kind : (E,) int array
        See `shapes`.
    count : (E,) float array
    """

    owner: IntArray
    kind: IntArray
    count: FloatArray


@dataclass(frozen=True, eq=False)
class Visited(ReadOnlyArrays):
    """What was counted.

    Attributes
    ----------
    entries : Entries
        Kinds up to isomorphism.
    errors : (number of sampled graphs,) float array
        Standard error of the vector of counts, relative to its length.
    """

    entries: Entries
    errors: FloatArray


def visiting(graphs: Graphs, made: CodedGraphs, k: int, seed: int) -> Pieces[Visited]:
    """Count the kinds of connected subgraphs of k vertices.

    Parameters
    ----------
    graphs, made
        The graphs, and as numbers.
    """
    codes = np.empty(MOST_SUBGRAPHS, np.int64)
    whole, waiting = [Entries(codes[:0], codes[:0], np.empty(0))], list[Entries]()
    errors: list[float] = []
    done = 0
    for i, graph in enumerate(graphs):
        first, last = int(made.starts[i]), int(made.starts[i + 1])
        number = connected(made.rows, made.neighbours, made.labels, first, last, k, codes)
        if number >= 0:
            kinds, times = tallied(codes[:number], _limit(made, k))
            counts = times.astype(np.float64)
        else:
            kinds, counts, error = _drawn(graph, made, i, k, seed)
            errors.append(error)
        waiting.append(Entries(np.full(kinds.size, i), kinds, counts))
        done += number if number >= 0 else MOST_SUBGRAPHS
        if done >= _PIECE or i + 1 == len(graphs):
            whole.append(_isomorphic(_joined(waiting), k))
            waiting, done = [], 0
            yield (i + 1) / len(graphs)
    return Visited(_joined(whole), np.array(errors))


def _joined(parts: list[Entries]) -> Entries:
    return Entries(
        np.concatenate([part.owner for part in parts]),
        np.concatenate([part.kind for part in parts]),
        np.concatenate([part.count for part in parts]),
    )


def _isomorphic(entries: Entries, k: int) -> Entries:
    """Give kinds that differ in the order of their vertices the same number."""
    kinds, place = np.unique(entries.kind, return_inverse=True)
    return Entries(entries.owner, canonical(kinds, k)[place], entries.count)


def _limit(made: CodedGraphs, k: int) -> int:
    """Codes are below."""
    return 1 << (bits(k) if made.n_labels == 1 else bits(k) + LABEL_BITS * k)


def _drawn(graph: Graph, made: CodedGraphs, i: int, k: int, seed: int) -> tuple[IntArray, FloatArray, float]:
    """Kinds, estimated counts, and their relative standard error."""
    rng = np.random.default_rng([seed, int(graph.digest[:12], 16)])
    codes, weights = np.zeros(DESCENTS, np.int64), np.zeros(DESCENTS)
    first, last = int(made.starts[i]), int(made.starts[i + 1])
    descended(
        made.rows, made.neighbours, made.labels, first, last, k, rng.random((DESCENTS, k)), codes, weights
    )
    codes, weights = codes[weights > 0.0], weights[weights > 0.0]
    kinds, place = np.unique(codes, return_inverse=True)
    kinds, of = np.unique(canonical(kinds, k), return_inverse=True)
    place = of[place]
    means = np.bincount(place, weights) / DESCENTS
    squares = np.bincount(place, weights**2) / DESCENTS
    variance = float((squares - means**2).sum()) / DESCENTS
    return kinds, means, float(np.sqrt(max(variance, 0.0) / (means**2).sum()))
