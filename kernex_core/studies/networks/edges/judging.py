"""Edges of genes that the network has never seen: every method on every source, over folds of genes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.learning.edges.catalogue import EDGE_METHODS
from kernex_core.learning.edges.folds import (
    PairScores,
    auc_within,
    gene_folds,
    pair_scores,
    roc_curve,
    upper,
)
from kernex_core.learning.edges.methods import EdgeMethod
from kernex_core.learning.scores import auc
from kernex_core.parameters import check_parameters, parameter
from kernex_core.studies.networks.edges.sources import GeneData, TrainedGenes

GRID: Final = np.linspace(0.0, 1.0, 101)
"""Shares of pairs without an edge at which curves are read."""
INNER_FOLDS: Final = 3
UNTUNED_ABOVE: Final = 1_000
"""Genes above which parameters are not chosen inside the folds."""


@dataclass(frozen=True)
class EdgeConfig:
    """How edges are judged."""

    folds: int = parameter(
        5, label="Folds", help="Of genes: a test gene's edges are all hidden.", low=2, high=20, step=1
    )
    seed: int = parameter(0, label="Seed", help="Of the folds.", low=0, high=2**31 - 1, step=1)
    tuned: bool = parameter(
        False, label="Choose parameters inside the folds",
        help="Three folds of the training genes choose the parameters of each method; otherwise its usual ones are taken.",
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclass(frozen=True, eq=False)
class EdgeCell(ReadOnlyArrays):
    """One method on one source in one fold.

    Attributes
    ----------
    source, method : str
    fold : int
    known_new, new_new : PairScores or None
        Pairs of a training and a test gene, and of two test genes; None where the method does not score them.
    within : float
        Mean AUC within a known gene: which of the new genes are joined to it.
    curve : (101,) float
        Share of the edges found among the pairs of a known and a new gene, at the shares GRID of the others.
    fitted : EdgeMethod
        With the parameters that were used.
    eta : (M,) float
        Weights of the kernels.
    """

    source: str
    method: str
    fold: int
    known_new: PairScores
    new_new: PairScores | None
    within: float
    curve: FloatArray
    fitted: EdgeMethod
    eta: FloatArray


@dataclass(frozen=True, eq=False)
class DegreeBaseline(ReadOnlyArrays):
    """What the number of edges of the known gene alone comes to, per fold: no kernel is needed for it.

    `known_new` (folds,) AUC and `precision` (folds,) average precision; NaN in a fold without edges.
    """

    known_new: FloatArray
    precision: FloatArray


@dataclass(frozen=True, eq=False)
class EdgeTable(ReadOnlyArrays):
    """What is done so far.

    Attributes
    ----------
    config : EdgeConfig
    data : GeneData
    cells : tuple of EdgeCell
    degree : DegreeBaseline
    without_edges : int
        Folds whose pairs of known and new genes hold no edge: they count nowhere.
    done, total : int
    seconds : float
    """

    config: EdgeConfig
    data: GeneData
    cells: tuple[EdgeCell, ...]
    degree: DegreeBaseline
    without_edges: int
    done: int
    total: int
    seconds: float = field(compare=False)

    def of(self, source: str, method: str) -> tuple[EdgeCell, ...]:
        """Cells of a method on a source, a fold each."""
        return tuple(cell for cell in self.cells if (cell.source, cell.method) == (source, method))


def judging_edges(data: GeneData, config: EdgeConfig) -> Iterator[EdgeTable]:
    """Judge fold by fold; a state a method on a source.

    Everything is fitted on the training genes of a fold: centring, scale, weights and, if asked for, parameters. Pairs of
    two training genes are never scored.

    Parameters
    ----------
    data : GeneData
    config : EdgeConfig

    Raises
    ------
    InvalidInputError
        See `gene_folds` and `TrainedGenes.of`.

    Examples
    --------
    >>> from kernex_core import EdgeConfig, gene_data, judging_edges, load_dataset
    >>> data = load_dataset("interacting_genes")
    >>> first = next(judging_edges(gene_data(data.kernels, data.samples["network"]), EdgeConfig()))
    >>> first.cells[0].source, first.cells[0].method, first.cells[0].known_new.pairs
    ('view 1', 'kcca', 3600)
    """
    started = time.perf_counter()
    n = len(data.ids)
    tests = gene_folds(n, config.folds, config.seed)
    total = len(tests) * len(data.sources) * len(EDGE_METHODS)
    nothing = np.full(len(tests), np.nan)
    table = EdgeTable(config, data, (), DegreeBaseline(nothing, nothing), 0, 0, total, 0.0)
    for fold, test in enumerate(tests):
        split = TrainedGenes.of(data, np.setdiff1d(np.arange(n), test), test)
        table = _with_degree(table, split, fold)
        for source in data.sources:
            weights = split.weights(source)
            side = split.side(weights.eta)
            for kind in EDGE_METHODS:
                if side is not None:
                    method = kind()
                    if config.tuned and n <= UNTUNED_ABOVE:
                        method = _chosen(split, source, kind)
                    scores = method.scores(side, split.network)
                    table = replace(
                        table, cells=(*table.cells, _cell(split, source, fold, method, scores, weights.eta))
                    )
                table = replace(table, done=table.done + 1, seconds=time.perf_counter() - started)
                yield table


def _with_degree(table: EdgeTable, split: TrainedGenes, fold: int) -> EdgeTable:
    joined = split.data.A[np.ix_(split.train, split.test)] > 0.0
    degrees = split.network.A.sum(axis=1)
    found = pair_scores(joined, np.repeat(degrees[:, None], split.test.size, axis=1))
    known, precision = table.degree.known_new.copy(), table.degree.precision.copy()
    known[fold], precision[fold] = found.auc, found.average_precision
    empty = table.without_edges + (not joined.any())
    return replace(table, degree=DegreeBaseline(known, precision), without_edges=empty)


def _cell(
    split: TrainedGenes, source: str, fold: int, method: EdgeMethod, scores: FloatArray, eta: FloatArray
) -> EdgeCell:
    between = np.ix_(split.train, split.test)
    joined, found = split.data.A[between] > 0.0, scores[between]
    new = None
    if method.between_new:
        own = np.ix_(split.test, split.test)
        new = pair_scores(upper(split.data.A[own] > 0.0), upper(scores[own]))
    curve = roc_curve(joined, found, GRID) if joined.any() else np.full(GRID.size, np.nan)
    return EdgeCell(
        source,
        method.name,
        fold,
        pair_scores(joined, found),
        new,
        auc_within(joined, found),
        curve,
        method,
        eta,
    )


def _chosen(split: TrainedGenes, source: str, kind: type[EdgeMethod]) -> EdgeMethod:
    """The setting with the best mean of both AUCs over inner folds of the training genes; else the usual one."""
    totals: dict[EdgeMethod, list[float]] = {}
    for held in gene_folds(split.train.size, INNER_FOLDS, split.train.size):
        inner = _inner(split, held)
        side = None if inner is None else inner.side(inner.weights(source).eta)
        if inner is None or side is None:
            continue
        for made, scores in kind().variants(side, inner.network):
            totals.setdefault(made, []).append(_both(inner, made, scores))
    means = {made: float(np.nanmean(values)) for made, values in totals.items() if not np.isnan(values).all()}
    return max(means, key=lambda made: means[made]) if means else kind()


def _inner(split: TrainedGenes, held: IntArray) -> TrainedGenes | None:
    test = split.train[held]
    train = np.setdiff1d(split.train, test)
    A = split.data.A[np.ix_(train, train)]
    return TrainedGenes.of(split.data, train, test) if A.any() else None


def _both(split: TrainedGenes, method: EdgeMethod, scores: FloatArray) -> float:
    found = []
    for rows, columns in ((split.train, split.test), (split.test, split.test)):
        if rows is split.train or method.between_new:
            joined, values = split.data.A[np.ix_(rows, columns)] > 0.0, scores[np.ix_(rows, columns)]
            if rows is split.test:
                joined, values = upper(joined), upper(values)
            found.append(auc(joined.ravel(), values.ravel()))
    return float(np.nanmean(found)) if not np.isnan(found).all() else float("nan")
