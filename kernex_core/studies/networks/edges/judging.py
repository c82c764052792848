"""Edges of genes that the network has never seen: every method on every source, over folds of genes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.learning.chance.interval import Passes
from kernex_core.learning.chance.verdict import Verdict, verdict_of
from kernex_core.learning.edges.genes import (
    PAIR_BASELINES,
    NetworkSide,
    PairScores,
    auc_within,
    check_network,
    gene_folds,
    pair_folds,
    pair_scores,
    pulls_within,
    roc_curve,
    upper,
    without_pairs,
)
from kernex_core.learning.edges.methods import EDGE_METHODS, Direct, EdgeMethod, Spectral
from kernex_core.learning.folds import APART
from kernex_core.studies.networks.edges.sources import (
    GRID,
    Choice,
    DegreeBaseline,
    EdgeCell,
    EdgeConfig,
    EdgeTable,
    GeneData,
    InnerFold,
    PairSummary,
    TrainedGenes,
    chosen_inside,
    gene_copies,
    inner_gene_folds,
    inner_pair_folds,
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


# Missing edges among genes that the network knows: every method that scores such pairs, over folds of hidden pairs.
#
# Another question than edges of unseen genes: here all other edges of both genes are known, and common neighbours alone,
# without a kernel, do well. They are ranked on the same hidden pairs.


@dataclass(frozen=True, eq=False)
class MissingCell(ReadOnlyArrays):
    """One method on one source in one fold.

    Attributes
    ----------
    source, method : str
    fold : int
    hidden : PairScores
        How the hidden pairs are ranked.
    eta : (M,) float
        Weights of the kernels, learned without the hidden edges.
    fitted : EdgeMethod
        With the parameters that were used.
    """

    source: str
    method: str
    fold: int
    hidden: PairScores
    eta: FloatArray
    fitted: EdgeMethod


@dataclass(frozen=True, eq=False)
class MissingTable(ReadOnlyArrays):
    """What is done so far.

    Attributes
    ----------
    data : GeneData
    folds, seed : int
    tuned : bool
        Whether parameters were chosen inside the folds.
    cells : tuple of MissingCell
    baselines : tuple of dict of str to PairScores
        PAIR_BASELINES on the hidden pairs of each fold that is done.
    done, total : int
        Sources over folds.
    seconds : float
    """

    data: GeneData
    folds: int
    seed: int
    tuned: bool
    cells: tuple[MissingCell, ...]
    baselines: tuple[dict[str, PairScores], ...]
    done: int
    total: int
    seconds: float = field(compare=False)

    def summary(self, source: str | None, method: str) -> PairSummary:
        """Means and standard deviations over the folds that are done; without a source of one of PAIR_BASELINES."""
        if source is None:
            return PairSummary.of([each[method] for each in self.baselines])
        return PairSummary.of([cell.hidden for cell in self.of(source, method)])

    def of(self, source: str, method: str) -> tuple[MissingCell, ...]:
        """Cells of a method on a source, a fold each."""
        return tuple(cell for cell in self.cells if (cell.source, cell.method) == (source, method))


def trained_on_all(data: GeneData) -> TrainedGenes:
    """All genes known, with the whole network.

    Raises
    ------
    InvalidInputError
        See `TrainedGenes.of`.
    """
    return TrainedGenes.of(data, np.arange(len(data.ids)), np.arange(0))


def trained_without(known: TrainedGenes, pairs: IntArray) -> TrainedGenes:
    """The same genes where pairs (k, 2) are hidden: their entries of the network are read by nothing from here on.

    Raises
    ------
    InvalidInputError
        No edge is left.
    """
    A = without_pairs(known.data.A, pairs)
    check_network(A)
    return replace(known, data=replace(known.data, A=A), network=NetworkSide(A))


def judging_missing(
    data: GeneData, folds: int = 5, seed: int = 0, tuned: bool = False, *, done: MissingTable | None = None
) -> Iterator[MissingTable]:
    """Judge fold by fold; a state a source.

    In each fold a share of all pairs, edges or not, is hidden: it counts as no edge for the weights, the methods and the
    baselines, and is then ranked. Every pair is hidden once. If parameters are chosen, it is in three folds of the pairs
    that are not hidden.

    Parameters
    ----------
    data : GeneData
    folds, seed : int
    tuned : bool
        Choose the parameters of each method inside the folds, up to UNTUNED_ABOVE genes; else its usual ones are taken.
    done : MissingTable, optional
        A state of the same run to go on from.

    Raises
    ------
    InvalidInputError
        See `pair_folds` and `trained_without`.

    Examples
    --------
    >>> from kernex_core import gene_data, judging_missing, load_dataset
    >>> data = load_dataset("interacting_genes")
    >>> first = next(judging_missing(gene_data(data.kernels, data.samples["network"])))
    >>> first.cells[0].source, first.cells[0].method, first.cells[0].hidden.pairs
    ('view 1', 'kcca', 2235)
    """
    started = time.perf_counter() - (0.0 if done is None else done.seconds)
    hidden, known, many = pair_folds(len(data.ids), folds, seed), trained_on_all(data), len(data.sources)
    start = MissingTable(data, folds, seed, tuned, (), (), 0, folds * many, 0.0)
    table = start if done is None else done
    for fold, pairs in enumerate(hidden):
        if table.done >= (fold + 1) * many:
            continue
        split = trained_without(known, pairs)
        if table.done == fold * many:
            table = replace(table, baselines=(*table.baselines, _by_network(data, split, pairs)))
        inner = inner_pair_folds(split, pairs) if chosen_inside(tuned, len(data.ids)) else None
        for source in data.sources[table.done - fold * many :]:
            choice = None if inner is None else Choice.on(inner, source)
            made = _missing_of_source(split, source, choice)
            cells = (
                *table.cells,
                *(MissingCell(source, m.name, fold, _ranked(data, S, pairs), eta, m) for m, S, eta in made),
            )
            table = replace(table, cells=cells, done=table.done + 1, seconds=time.perf_counter() - started)
            yield table


def _by_network(data: GeneData, split: TrainedGenes, pairs: IntArray) -> dict[str, PairScores]:
    return {name: _ranked(data, score(split.network.A), pairs) for name, score in PAIR_BASELINES.items()}


def _missing_of_source(
    split: TrainedGenes, source: str, choice: Choice | None
) -> Iterator[tuple[EdgeMethod, FloatArray, FloatArray]]:
    """Each method with its scores and the weights; none where no kernel of the source tells the genes apart."""
    eta = split.weights(source).eta
    side = split.side(eta)
    if side is None:
        return
    for kind in EDGE_METHODS:
        method = kind() if choice is None else choice.best(kind)
        yield method, method.scores(side, split.network), eta


def _ranked(data: GeneData, scores: FloatArray, pairs: IntArray) -> PairScores:
    """What the network has of the pairs is looked at here alone."""
    rows, columns = pairs.T
    joined = data.A[rows, columns] > 0.0
    return pair_scores(joined, scores[rows, columns], (rows, columns), len(data.ids))


# Which method on which source ranks pairs best, and who is told apart from it: nodes are the units.

DEGREE: Final = "degree"
"""What ranks pairs of a known and a new node without a kernel."""
UNLEARNED: Final = (Direct.name, Spectral.name)
"""Methods that learn nothing from known edges: plain baselines, as is what needs no kernel."""
Measure = Literal["auc", "average_precision", "within"]
Called = Callable[[str, str | None], str]


def edge_verdict(found: EdgeTable, measure: Measure, called: Called, *, new: bool = False) -> Verdict | None:
    """Compare all cells of a table of pairs of a known and a new node, or of two new ones, and degree alone.

    Parameters
    ----------
    found : EdgeTable
    measure : {"auc", "average_precision", "within"}
    called : callable
        Name of a method on a source; of DEGREE on None.
    new : bool
        Two new nodes; degree ranks none of them, and "within" is not defined.

    Returns
    -------
    Verdict or None
        None before all folds are done. A method that has no number in a fold of the others is left out.
    """
    if found.done < found.total or (new and measure == "within"):
        return None
    values: dict[tuple[str, str | None], tuple[int, FloatArray]] = {}
    n = len(found.data.ids)
    for kind in EDGE_METHODS:
        for source in found.data.sources:
            cells = found.of(source, kind.name)
            if measure == "within":
                of = [(cell.within, cell.pulls_within) for cell in cells]
            else:
                of = _of_pairs([cell.new_new if new else cell.known_new for cell in cells], measure)
            values[kind.name, source] = _by_node(of, n)
    if not new:
        degree = found.degree
        numbers = {"auc": degree.known_new, "average_precision": degree.precision, "within": degree.within}[
            measure
        ]
        pulls = degree.pulls[:, ("auc", "average_precision", "within").index(measure)]
        values[DEGREE, None] = _by_node(zip(numbers.tolist(), pulls, strict=True), n)
    copies = found.copies
    together = None if copies is None or not copies.kept else copies.units.astype(np.str_)
    return _verdict(values, called, found.config.folds, together)


def missing_verdict(found: MissingTable, measure: Measure, called: Called) -> Verdict | None:
    """Compare all cells of a table of hidden pairs, and PAIR_BASELINES, which need no kernel; see `edge_verdict`."""
    if found.done < found.total:
        return None
    n = len(found.data.ids)
    values: dict[tuple[str, str | None], tuple[int, FloatArray]] = {
        (kind.name, source): _by_node(
            _of_pairs([cell.hidden for cell in found.of(source, kind.name)], measure), n
        )
        for kind in EDGE_METHODS
        for source in found.data.sources
    }
    for name in PAIR_BASELINES:
        values[name, None] = _by_node(_of_pairs([each[name] for each in found.baselines], measure), n)
    return _verdict(values, called, found.folds)


def _of_pairs(scores: Iterable[PairScores | None], measure: Measure) -> list[tuple[float, FloatArray]]:
    row = ("auc", "average_precision").index(measure)
    return [(float(getattr(each, measure)), each.pulls[row]) for each in scores if each is not None]


def _by_node(folds: Iterable[tuple[float, FloatArray]], n: int) -> tuple[int, FloatArray]:
    """Number of folds that have the measure, and (n,) what each node has of their mean."""
    told = [(value, pulls) for value, pulls in folds if not np.isnan(value)]
    if not told:
        return 0, np.zeros(n)
    mean = float(np.mean([value for value, _ in told]))
    return len(told), np.asarray(mean + n * np.mean([pulls for _, pulls in told], axis=0))


def _verdict(
    values: dict[tuple[str, str | None], tuple[int, FloatArray]],
    called: Called,
    folds: int,
    together: NDArray[np.str_] | None = None,
) -> Verdict | None:
    most = max(count for count, _ in values.values())
    if most == 0:
        return None
    shown = {key: rows for key, (count, rows) in values.items() if count == most}
    return verdict_of(
        {called(*key): rows for key, rows in shown.items()},
        Passes(folds, 1),
        plain=[called(*key) for key in shown if key[1] is None or key[0] in UNLEARNED],
        scale="area",
        groups=together,
    )
