"""Missing edges among genes that the network knows: every method that scores such pairs, over folds of hidden pairs.

Another question than edges of unseen genes: here all other edges of both genes are known, and common neighbours alone,
without a kernel, do well. They are ranked on the same hidden pairs.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.learning.edges.catalogue import EDGE_METHODS
from kernex_core.learning.edges.folds import PairScores, pair_scores
from kernex_core.learning.edges.genes import NetworkSide, check_network
from kernex_core.learning.edges.hidden import PAIR_BASELINES, pair_folds, without_pairs
from kernex_core.learning.edges.methods import EdgeMethod
from kernex_core.studies.networks.edges.choosing import Choice, chosen_inside, inner_pair_folds
from kernex_core.studies.networks.edges.sources import GeneData, TrainedGenes
from kernex_core.studies.networks.edges.table import PairSummary


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
            made = _of_source(split, source, choice)
            cells = (
                *table.cells,
                *(MissingCell(source, m.name, fold, _ranked(data, S, pairs), eta, m) for m, S, eta in made),
            )
            table = replace(table, cells=cells, done=table.done + 1, seconds=time.perf_counter() - started)
            yield table


def _by_network(data: GeneData, split: TrainedGenes, pairs: IntArray) -> dict[str, PairScores]:
    return {name: _ranked(data, score(split.network.A), pairs) for name, score in PAIR_BASELINES.items()}


def _of_source(
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
