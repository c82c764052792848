"""The last stretch of every network format: from listed edges to a Network, with the rules and a note on each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from kernex_core.errors import InvalidInputError, TooLargeError
from kernex_core.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.inputs.names import listed
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.networks.network_notes import structure_notes
from kernex_core.inputs.networks.options import EDGE_LIMIT, NetworkOptions
from kernex_core.inputs.samples import Labels, Note, Vectors
from kernex_core.inputs.upload import Upload


@dataclass(frozen=True, eq=False)
class Edges(EqualByContent):
    """Edges as a file lists them.

    Attributes
    ----------
    ids : sequence of str
        Of all nodes.
    source, target : (m,) int
        Positions in `ids`.
    weights : (m,) float or None
        None: every edge counts 1.
    directed : bool
        The file says that edges have a direction.
    notes : tuple of Note
        What was found while it was read.
    """

    ids: Sequence[str]
    source: IntArray
    target: IntArray
    weights: FloatArray | None = None
    directed: bool = False
    notes: tuple[Note, ...] = field(default=())


def check_network_size(n: int, m: int, limit: int, filename: str) -> None:
    """Refuse more nodes or edges than are read, before room for them is taken.

    Raises
    ------
    TooLargeError
    """
    if n > limit or m > EDGE_LIMIT:
        raise TooLargeError(
            f"At most {limit:,} nodes and {EDGE_LIMIT:,} edges are read",
            f"{n:,} nodes and {m:,} edges in {filename}",
            "Bring the part of the network that the question is about",
        )


def network_of(
    edges: Edges,
    upload: Upload,
    options: NetworkOptions,
    *,
    labels: Labels | None = None,
    attributes: Vectors | None = None,
) -> Network:
    """Make an undirected network of listed edges.

    Self loops and weights of 0 are dropped; edges that join the same nodes, in either direction, become one.

    Raises
    ------
    InvalidInputError
        No edge, blank ids, or weights that are unknown or infinite (the nodes are named).
    TooLargeError
        More nodes or edges than the limits.
    """
    ids = tuple(edges.ids)
    check_network_size(len(ids), edges.source.size, options.limit, upload.filename)
    if len(ids) < 2:
        raise InvalidInputError("A network needs at least two nodes", f"{len(ids)} in {upload.filename}")
    source, target, weights, notes = _kept(edges, ids, upload.filename, options)
    lower, higher = np.minimum(source, target), np.maximum(source, target)
    pair, weights, repeated = _merged(lower * len(ids) + higher, weights, options.repeated)
    i, j = pair // len(ids), pair % len(ids)
    if repeated:
        how = {"max": "largest weight", "sum": "sum", "mean": "mean"}[options.repeated]
        notes.append(
            Note(
                f"Edges that join the same two nodes again, in either direction: {repeated:,}.",
                f"They are one edge; the {how} counts.",
                "Choose the largest weight, the sum or the mean.",
                "fine",
            )
        )
    half = sparse.coo_array((weights, (i, j)), shape=(len(ids), len(ids)))
    B = sparse.csr_array(half + half.T)
    notes += structure_notes(B, ids)
    return Network(ids, B, labels, attributes, (*edges.notes, *notes), upload.recipe(options))


def _kept(
    edges: Edges, ids: Sequence[str], filename: str, options: NetworkOptions
) -> tuple[IntArray, IntArray, FloatArray, list[Note]]:
    """Edges that count, and notes on those that do not."""
    source, target = edges.source, edges.target
    weights = np.ones(source.size) if edges.weights is None else edges.weights
    _check_weights(edges, weights, filename)
    notes = []
    if edges.directed:
        notes.append(
            Note(
                "The edges of this file have a direction.",
                "Kernels on nodes know none: a → b and b → a are one edge.",
                "Choose what counts where both are listed.",
                "warning",
            )
        )
    loops = source == target
    if loops.any():
        names = listed([ids[int(k)] for k in np.unique(source[loops])])
        notes.append(
            Note(f"Edges from a node to itself: {int(loops.sum()):,} ({names}).", "They are dropped.")
        )
    zero = ~loops & (weights == 0.0)
    if zero.any():
        notes.append(Note(f"Edges of weight 0: {int(zero.sum()):,}.", "They are no edges.", "", "fine"))
    kept = ~loops & ~zero
    if options.negative == "drop":
        below = kept & (weights < 0.0)
        if below.any():
            notes.append(Note(f"Edges with a negative weight: {int(below.sum()):,}.", "They are dropped."))
        kept &= ~below
    elif options.negative == "absolute":
        if (weights < 0.0).any():
            notes.append(
                Note(f"Edges with a negative weight: {int((weights < 0.0).sum()):,}.", "Their size counts.")
            )
        weights = np.abs(weights)
    if not kept.any():
        raise InvalidInputError("A network needs at least one edge between two nodes", f"none in {filename}")
    return source[kept], target[kept], weights[kept], notes


def _check_weights(edges: Edges, weights: FloatArray, filename: str) -> None:
    bad = np.flatnonzero(~np.isfinite(weights))
    if bad.size:
        k = int(bad[0])
        a, b = edges.ids[int(edges.source[k])], edges.ids[int(edges.target[k])]
        raise InvalidInputError(
            "Weights of edges have to be known and finite",
            f"{weights[k]} between {a!r} and {b!r} ({bad.size:,} such edges) in {filename}",
            "Write the weight, or leave the edge out",
        )


def _merged(pair: IntArray, weights: FloatArray, how: str) -> tuple[IntArray, FloatArray, int]:
    """Each pair once, with its weight; and how many lines repeated one."""
    order = np.argsort(pair, kind="stable")
    pair, weights = pair[order], weights[order]
    first = np.flatnonzero(np.r_[True, pair[1:] != pair[:-1]])
    made = np.maximum.reduceat(weights, first) if how == "max" else np.add.reduceat(weights, first)
    if how == "mean":
        made = made / np.diff(np.r_[first, pair.size])
    return pair[first], np.asarray(made), int(pair.size - first.size)


def edges_of_matrix(values: FloatArray, ids: Sequence[str], notes: Sequence[Note] = ()) -> Edges:
    """Edges of an adjacency matrix (n, n); an unknown entry is no edge, and said.

    Where both triangles say the same, one of them is read.
    """
    unknown = int(np.isnan(values).sum())
    found = list(notes)
    if unknown:
        found.append(Note(f"Unknown entries: {unknown:,}.", "They are no edges.", "", "warning"))
    B = np.nan_to_num(values, nan=0.0, posinf=np.inf, neginf=-np.inf)
    symmetric = bool((B == B.T).all())
    i, j = np.nonzero(np.triu(B)) if symmetric else np.nonzero(B)
    return Edges(ids, i, j, B[i, j], not symmetric, tuple(found))
