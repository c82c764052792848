"""Graphs as arrays of whole numbers for compiled loops: labels by one shared dictionary, neighbours row by row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernex_core.frozen import IntArray, ReadOnlyArrays
from kernex_core.gram.graph import Graph


@dataclass(frozen=True, eq=False)
class CodedGraphs(ReadOnlyArrays):
    """Graphs in compressed rows; N vertices and M edges in all.

    Attributes
    ----------
    starts : (n + 1,) int array
        First vertex of each graph among all; vertices are numbered through all graphs.
    rows : (N + 1,) int array
        First neighbour of each vertex.
    neighbours : (2 M,) int array
        Vertices, increasing within a row.
    labels : (N,) int array
        From 0 to n_labels - 1, equal where the labels are; all 0 where they are not used.
    edge_labels : (2 M,) int array
        Of the edge to each neighbour, likewise.
    label_names, edge_label_names : tuple of str
        By code; () where they are not used.
    graphs : (n,) tuple of Graph
        What was coded.
    """

    starts: IntArray
    rows: IntArray
    neighbours: IntArray
    labels: IntArray
    edge_labels: IntArray
    label_names: tuple[str, ...] = ()
    edge_label_names: tuple[str, ...] = ()
    graphs: tuple[Graph, ...] = ()

    @property
    def n(self) -> int:
        """Number of graphs."""
        return self.starts.size - 1

    @property
    def sizes(self) -> IntArray:
        """(n,) vertices of each graph and its edges in both directions, added up."""
        vertices = np.diff(self.starts)
        return np.asarray(vertices + np.diff(self.rows[self.starts]), np.int64)

    @property
    def n_labels(self) -> int:
        """Number of different labels of vertices, 1 where they are not used."""
        return max(1, len(self.label_names))

    @property
    def n_edge_labels(self) -> int:
        """Number of different labels of edges, 1 where they are not used."""
        return max(1, len(self.edge_label_names))


def coded(graphs: Sequence[Graph], *, node_labels: bool = True, edge_labels: bool = True) -> CodedGraphs:
    """Code graphs that are compared with each other; samples and others of a cross block go in together.

    Parameters
    ----------
    graphs : sequence of Graph
    node_labels, edge_labels : bool
        False: labels are not told apart. A graph without labels has the label "" everywhere.
    """
    starts = np.concatenate([[0], np.cumsum([graph.n_nodes for graph in graphs], dtype=np.int64)])
    sizes = [graph.n_edges for graph in graphs]
    ends = np.concatenate(
        [np.empty((0, 2), np.int64), *(g.edges + s for g, s in zip(graphs, starts[:-1], strict=True))]
    )
    names, codes = _codes([g.node_labels for g in graphs], [g.n_nodes for g in graphs], node_labels)
    kinds, of_edges = _codes([g.edge_labels for g in graphs], sizes, edge_labels)
    tails, heads = np.concatenate([ends, ends[:, ::-1]]).T
    order = np.lexsort((heads, tails))
    rows = np.concatenate([[0], np.cumsum(np.bincount(tails, minlength=int(starts[-1])))]).astype(np.int64)
    return CodedGraphs(
        starts,
        rows,
        heads[order],
        codes,
        np.concatenate([of_edges, of_edges])[order],
        names,
        kinds,
        tuple(graphs),
    )


def _codes(
    parts: Sequence[NDArray[np.str_] | None], sizes: Sequence[int], used: bool
) -> tuple[tuple[str, ...], IntArray]:
    if not used or all(part is None for part in parts):
        return (), np.zeros(sum(sizes), np.int64)
    whole = np.concatenate(
        [np.full(size, "") if part is None else part for part, size in zip(parts, sizes, strict=True)]
    )
    names, codes = np.unique(whole, return_inverse=True)
    return tuple(names.tolist()), codes.astype(np.int64)
