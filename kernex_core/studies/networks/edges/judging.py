"""Edges of genes that the network has never seen: every method on every source, over folds of genes."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from kernex_core.frozen import BoolArray, FloatArray, IntArray
from kernex_core.learning.edges.by_node import pulls_within
from kernex_core.learning.edges.catalogue import EDGE_METHODS
from kernex_core.learning.edges.folds import (
    auc_within,
    gene_folds,
    pair_scores,
    roc_curve,
    upper,
)
from kernex_core.learning.edges.methods import EdgeMethod
from kernex_core.learning.folds import APART
from kernex_core.studies.networks.edges.choosing import Choice, InnerFold, chosen_inside, inner_gene_folds
from kernex_core.studies.networks.edges.sources import GeneData, TrainedGenes, gene_copies
from kernex_core.studies.networks.edges.table import (
    GRID,
    DegreeBaseline,
    EdgeCell,
    EdgeConfig,
    EdgeTable,
)


def judging_edges(
    data: GeneData, config: EdgeConfig, *, done: EdgeTable | None = None
) -> Iterator[EdgeTable]:
    """Judge fold by fold; a state a method on a source.

    Everything is fitted on the training genes of a fold: centring, scale, weights and, if asked for, parameters. Pairs of
    two training genes are never scored. Genes that are copies of one another are in one fold, unless `config.copies` says
    otherwise.

    Parameters
    ----------
    data : GeneData
    config : EdgeConfig
    done : EdgeTable, optional
        A state of the same run to go on from.

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
    started = time.perf_counter() - (0.0 if done is None else done.seconds)
    n = len(data.ids)
    copies = gene_copies(data, config.folds, together=config.copies != APART)
    units = copies.units if copies.kept else None
    tests = gene_folds(n, config.folds, config.seed, units)
    many = len(EDGE_METHODS)
    table = _nothing(data, config, len(tests) * len(data.sources) * many) if done is None else done
    table = replace(table, copies=copies)
    for fold, test in enumerate(tests):
        first = fold * len(data.sources) * many
        if table.done >= first + len(data.sources) * many:
            continue
        split = TrainedGenes.of(data, np.setdiff1d(np.arange(n), test), test)
        if table.done == first:
            table = _with_degree(table, split, fold)
        inner = inner_gene_folds(split, units) if chosen_inside(config.tuned, n) else None
        for at, source in enumerate(data.sources):
            left = EDGE_METHODS[max(table.done - first - at * many, 0) :]
            for cell in _of_source(split, source, fold, left, inner):
                cells = table.cells if cell is None else (*table.cells, cell)
                table = replace(
                    table, cells=cells, done=table.done + 1, seconds=time.perf_counter() - started
                )
                yield table


def _nothing(data: GeneData, config: EdgeConfig, total: int) -> EdgeTable:
    empty = np.full(config.folds, np.nan)
    curves, pulls = (np.full((config.folds, GRID.size), np.nan), np.zeros((config.folds, 3, len(data.ids))))
    degree = DegreeBaseline(empty, empty, empty, curves, pulls)
    return EdgeTable(config, data, (), degree, 0, 0, total, 0.0)


def _of_source(
    split: TrainedGenes,
    source: str,
    fold: int,
    methods: Sequence[type[EdgeMethod]],
    inner: tuple[InnerFold, ...] | None,
) -> Iterator[EdgeCell | None]:
    """Methods on one source; None where no kernel of it tells the training genes apart."""
    if not methods:
        return
    eta = split.weights(source).eta
    side = split.side(eta)
    choice = None if inner is None else Choice.on(inner, source)
    for kind in methods:
        if side is None:
            yield None
            continue
        method = kind() if choice is None else choice.best(kind)
        yield _cell(split, source, fold, method, method.scores(side, split.network), eta)


def _with_degree(table: EdgeTable, split: TrainedGenes, fold: int) -> EdgeTable:
    joined = split.data.A[np.ix_(split.train, split.test)] > 0.0
    degrees = np.repeat(split.network.A.sum(axis=1)[:, None], split.test.size, axis=1)
    ends, n = _ends(split.train, split.test), len(split.data.ids)
    found, made = pair_scores(joined, degrees, ends, n), table.degree
    known, precision, within = (values.copy() for values in (made.known_new, made.precision, made.within))
    known[fold], precision[fold], within[fold] = (
        found.auc,
        found.average_precision,
        auc_within(joined, degrees),
    )
    curve, pulls = made.curve.copy(), made.pulls.copy()
    curve[fold] = _curve(joined, degrees)
    pulls[fold] = [*found.pulls, _pulls_within(split, joined, degrees)]
    empty = table.without_edges + (not joined.any())
    return replace(table, degree=DegreeBaseline(known, precision, within, curve, pulls), without_edges=empty)


def _cell(
    split: TrainedGenes, source: str, fold: int, method: EdgeMethod, scores: FloatArray, eta: FloatArray
) -> EdgeCell:
    between = np.ix_(split.train, split.test)
    joined, found = split.data.A[between] > 0.0, scores[between]
    new, curve_new, n = None, _curve(np.zeros(0, dtype=bool), np.zeros(0)), len(split.data.ids)
    if method.between_new:
        own = np.ix_(split.test, split.test)
        both, values = upper(split.data.A[own] > 0.0), upper(scores[own])
        first, second = (upper(ends) for ends in _ends(split.test, split.test))
        new, curve_new = pair_scores(both, values, (first, second), n), _curve(both, values)
    return EdgeCell(
        source,
        method.name,
        fold,
        pair_scores(joined, found, _ends(split.train, split.test), n),
        new,
        auc_within(joined, found),
        _curve(joined, found),
        curve_new,
        method,
        eta,
        _pulls_within(split, joined, found),
    )


def _ends(rows: IntArray, columns: IntArray) -> tuple[IntArray, IntArray]:
    """Both genes of every pair of a block."""
    shape = rows.size, columns.size
    return np.broadcast_to(rows[:, None], shape), np.broadcast_to(columns, shape)


def _pulls_within(split: TrainedGenes, joined: BoolArray, scores: FloatArray) -> FloatArray:
    """(n,) what each gene changes the mean area within a known gene by."""
    made = np.zeros(len(split.data.ids))
    made[split.train], made[split.test] = pulls_within(joined, scores)
    return made


def _curve(joined: BoolArray, scores: FloatArray) -> FloatArray:
    """NaN where there is no edge."""
    return roc_curve(joined, scores, GRID) if joined.any() else np.full(GRID.size, np.nan)
