"""GraphKernel: what all kernels between graphs share."""

from __future__ import annotations

import abc
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_range
from kernex_core.base.validation import LARGEST_ENTRY, check_item_count
from kernex_core.gram.graph import Graph
from kernex_core.kernels.base import AbstractKernel, Operations, Progress, SampleObject, no_progress
from kernex_core.kernels.counts import common, products
from kernex_core.kernels.explanation import Explanation, PartOfGraphs
from kernex_core.runtime.progress import Steps, finished

GRAPH_LIMIT = 5_000
"""Largest number of graphs that are compared with each other."""

Graphs = Sequence[Graph]


@dataclass(frozen=True)
class GraphKernel(AbstractKernel[Graphs]):
    """Base of kernels between graphs: samples are Graph objects, with or without labels.

    A graph without vertices has similarity 0 with everything, also after normalisation; `remarks` reports it.
    """

    data_kind: ClassVar[str] = "graphs"

    def check(self, samples: Graphs, ids: Sequence[str] | None = None) -> None:
        """See AbstractKernel."""
        if not len(samples):
            raise InvalidInputError("At least one graph is needed", "none")
        check_item_count(len(samples), GRAPH_LIMIT)
        for k, sample in enumerate(samples):
            if not isinstance(sample, Graph):
                raise InvalidInputError(
                    "Graphs are compared", f"{type(sample).__name__} at place {k + 1}", "Use Graph(...)"
                )

    def remarks(self, samples: Graphs) -> tuple[str, ...]:
        """See AbstractKernel: graphs without vertices or edges, and labels that there are not."""
        said = []
        empty = sum(graph.n_nodes == 0 for graph in samples)
        if empty:
            said.append(f"Graphs without vertices: {empty:,}. Each has similarity 0 with everything.")
        bare = sum(graph.n_nodes > 0 and graph.n_edges == 0 for graph in samples)
        if bare:
            said.append(f"Graphs without edges: {bare:,}.")
        if getattr(self, "vertex_labels", True) and all(graph.node_labels is None for graph in samples):
            said.append("Vertices have no labels: all count as equal.")
        return tuple(said)

    def remarks_on(self, data: SampleObject[Graphs]) -> tuple[str, ...]:
        """See AbstractKernel: a parameter that is set by the graphs is set by `remarks`, once."""
        return self.remarks(data.values)

    def explain(self, s: Graph, t: Graph, top: int = 20) -> Explanation:
        """See AbstractKernel."""
        self.check((s, t))
        check_range("The number of parts", top, 1)
        kernel = self.resolved((s, t))
        return kernel._explained(s, t, int(top), float(kernel.cross((s,), (t,))[0, 0]))

    def _explained(self, s: Graph, t: Graph, top: int, total: float) -> Explanation:
        """Return the parts of `total`, the similarity of two graphs that are fit to be compared."""
        return super().explain(s, t, top)


def in_range(K: FloatArray, title: str, remedy: str) -> FloatArray:
    """Return similarities unless one is too large to compute with.

    Raises
    ------
    InvalidInputError
        Naming the largest.
    """
    if np.isfinite(K).all() and K.max(initial=0.0) <= LARGEST_ENTRY:
        return K
    i, j = np.unravel_index(int(np.argmax(np.where(np.isfinite(K), K, np.inf))), K.shape)
    raise InvalidInputError(
        f"Similarities may be up to {LARGEST_ENTRY:g}",
        f"{K[i, j]:.3g} between graphs {i + 1} and {j + 1} ({title.lower()})",
        remedy,
    )


COUNTED = 0.8
"""Share of the progress after which the parts are counted."""
SAMPLED_VERTICES, FEW = 5_000, 32
"""Vertices up to which parts are counted on all graphs to tell the cost (some hundredths of a second), and the fewest
graphs."""


@dataclass(frozen=True)
class CountKernel(GraphKernel):
    """Base of kernels with a feature a kind of part: what is counted in one graph does not depend on the others.

    Graphs that are compared are counted together, so that one dictionary of parts serves all of them.
    """

    @abc.abstractmethod
    def counting(self, graphs: Graphs) -> Steps[sparse.csr_array]:
        """Count in steps; the result has a row a graph and a column a part: (n, n_parts) of float."""

    @abc.abstractmethod
    def counted(self, graphs: Graphs) -> Operations:
        """Number of operations of `counting`, by kind."""

    def operations(self, samples: Graphs) -> Operations:
        """See AbstractKernel."""
        some = _spread(samples)
        f = len(samples) / max(len(some), 1)
        counts = finished(self.counting(some))
        dense = common(counts)
        held = np.bincount(counts.indices, minlength=dense.size)[~dense].astype(np.float64)
        pairs = float(len(samples)) ** 2
        return {
            **self.counted(samples),
            "entry": pairs,
            "sparse entry": pairs,
            "dense product": pairs * float(dense.sum()),
            # a part is multiplied for every pair of graphs that hold it
            "shared part": float((held * held).sum()) * f * f,
        }

    def gram(self, samples: Graphs, *, progress: Progress = no_progress) -> FloatArray:
        """Similarities (n, n) among graphs."""
        self.check(samples)
        return self._multiplied(tuple(samples), len(samples), progress)

    def cross(self, samples: Graphs, others: Graphs, *, progress: Progress = no_progress) -> FloatArray:
        """Similarities (n, n') of graphs to others."""
        self.check(samples)
        self.check(others)
        return self._multiplied((*samples, *others), len(samples), progress)

    def _multiplied(self, graphs: Graphs, n_rows: int, progress: Progress) -> FloatArray:
        steps = self.counting(graphs)
        while True:
            try:
                progress(COUNTED * next(steps))
            except StopIteration as end:
                counts: sparse.csr_array = end.value
                break
        return products(counts, n_rows, lambda share: progress(COUNTED + (1.0 - COUNTED) * share))


def _spread(graphs: Sequence[Graph]) -> Graphs:
    """Graphs spread over all, with about SAMPLED_VERTICES vertices and at least FEW graphs."""
    total = sum(graph.n_nodes for graph in graphs)
    count = min(len(graphs), max(FEW, len(graphs) * SAMPLED_VERTICES // max(total, 1)))
    return [graphs[i] for i in np.linspace(0, len(graphs) - 1, count).astype(np.int64).tolist()]


# Graphs as arrays of whole numbers for compiled loops: labels by one shared dictionary, neighbours row by row.


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

    def bare(self) -> CodedGraphs:
        """The same without the graphs themselves, whose arrays are all that loops take."""
        return replace(self, graphs=())

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


def explained(
    contributions: FloatArray,
    part: Callable[[int], PartOfGraphs],
    top: int,
    total: float,
    apart: str,
    rest: str,
) -> Explanation:
    """Write out the largest parts.

    Parameters
    ----------
    contributions : (n_parts,) float
        None is below 0; those of 0 are no parts.
    part : function
        Writes out the part of that number.
    apart, rest : str
        See Explanation.
    """
    order = np.argsort(-contributions, kind="stable")[: int((contributions > 0.0).sum())]
    return Explanation(
        total,
        tuple(part(k) for k in order[:top].tolist()),
        math.fsum(contributions[order[top:]].tolist()),
        rest,
        order.size,
        apart,
    )
