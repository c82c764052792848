"""What is found about edges of unseen genes: cells of one method, source and fold, and their means over folds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.frozen import EqualByContent, FloatArray, ReadOnlyArrays
from kernex_core.learning.copies import Copies
from kernex_core.learning.edges.folds import PairScores
from kernex_core.learning.edges.methods import EdgeMethod
from kernex_core.learning.folds import APART
from kernex_core.parameters import check_parameters, parameter
from kernex_core.studies.networks.edges.sources import GeneData

GRID: Final = np.linspace(0.0, 1.0, 101)
"""Shares of pairs without an edge at which curves are read."""


@dataclass(frozen=True)
class EdgeConfig:
    """How edges are judged."""

    folds: int = parameter(
        5, label="Folds", help="Of nodes: a test node's edges are all hidden.", low=2, high=20, step=1
    )
    seed: int = parameter(0, label="Seed", help="Of the folds.", low=0, high=2**31 - 1, step=1)
    tuned: bool = parameter(
        False, label="Choose parameters inside the folds",
        help="Three folds of what a fold trains on (nodes, or pairs of known ones) choose the parameters of each method, by "
        "AUC; otherwise its usual ones are taken.",
    )  # fmt: skip
    copies: str = parameter(
        "together", label="Copies",
        help="Nodes that a kernel does not tell apart. Together: folds do not split them, because a test node whose copy is "
        "a training node is found, not predicted.",
        choices=("together", APART),
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
    curve_new : (101,) float
        The same of two new genes; NaN where none of their pairs is an edge, or the method does not score them.
    fitted : EdgeMethod
        With the parameters that were used.
    eta : (M,) float
        Weights of the kernels.
    pulls_within : (n,) float
        What each gene changes `within` by.
    """

    source: str
    method: str
    fold: int
    known_new: PairScores
    new_new: PairScores | None
    within: float
    curve: FloatArray
    curve_new: FloatArray
    fitted: EdgeMethod
    eta: FloatArray
    pulls_within: FloatArray


@dataclass(frozen=True, eq=False)
class DegreeBaseline(ReadOnlyArrays):
    """What the number of edges of the known gene alone comes to, per fold: no kernel is needed for it.

    `known_new` (folds,) AUC, `precision` (folds,) average precision, `within` (folds,) AUC within a known gene, and `curve`
    (folds, 101); NaN in a fold without edges. `pulls` (folds, 3, n) is what each gene changes the three by.
    """

    known_new: FloatArray
    precision: FloatArray
    within: FloatArray
    curve: FloatArray
    pulls: FloatArray


@dataclass(frozen=True, eq=False)
class OverFolds(EqualByContent):
    """Mean of one number over folds; scores of different folds are never pooled.

    Attributes
    ----------
    mean : float
        NaN where no fold has a value.
    sd : float
        Standard deviation over folds; NaN of fewer than two.
    folds : int
        That have a value: one without an edge among these pairs has none.
    """

    mean: float
    sd: float
    folds: int

    @classmethod
    def of(cls, values: ArrayLike) -> OverFolds:
        """Mean over the folds that are no NaN."""
        found = np.asarray(values, dtype=np.float64)
        found = found[~np.isnan(found)]
        return cls(
            float(found.mean()) if found.size else float("nan"),
            float(found.std(ddof=1)) if found.size > 1 else float("nan"),
            int(found.size),
        )


@dataclass(frozen=True, eq=False)
class PairSummary(EqualByContent):
    """Pairs of one kind over folds: AUC, average precision, share of edges; pairs in all."""

    auc: OverFolds
    average_precision: OverFolds
    prevalence: OverFolds
    edges: int
    pairs: int

    @classmethod
    def of(cls, scores: Sequence[PairScores | None]) -> PairSummary:
        """Of a fold each; None of a method that does not score such pairs."""
        told = [each for each in scores if each is not None]
        return cls(
            OverFolds.of([each.auc for each in told]),
            OverFolds.of([each.average_precision for each in told]),
            OverFolds.of([each.prevalence for each in told]),
            sum(each.edges for each in told),
            sum(each.pairs for each in told),
        )


@dataclass(frozen=True, eq=False)
class EdgeSummary(ReadOnlyArrays):
    """One method on one source over folds.

    Attributes
    ----------
    known_new, new_new : PairSummary
        Pairs of a known and a new gene, and of two new genes.
    within : OverFolds
        AUC within a known gene.
    curve, curve_new : (101,) float
        Mean over folds of the share of edges found at each share GRID of other pairs, of either kind; NaN before the
        first fold.
    """

    known_new: PairSummary
    new_new: PairSummary
    within: OverFolds
    curve: FloatArray
    curve_new: FloatArray


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
    copies : Copies or None
        Genes that a kernel does not tell apart, and whether folds keep them together.
    """

    config: EdgeConfig
    data: GeneData
    cells: tuple[EdgeCell, ...]
    degree: DegreeBaseline
    without_edges: int
    done: int
    total: int
    seconds: float = field(compare=False)
    copies: Copies | None = None

    def of(self, source: str, method: str) -> tuple[EdgeCell, ...]:
        """Cells of a method on a source, a fold each."""
        return tuple(cell for cell in self.cells if (cell.source, cell.method) == (source, method))

    def summary(self, source: str, method: str) -> EdgeSummary:
        """Means and standard deviations over the folds that are done."""
        cells = self.of(source, method)
        return EdgeSummary(
            PairSummary.of([cell.known_new for cell in cells]),
            PairSummary.of([cell.new_new for cell in cells]),
            OverFolds.of([cell.within for cell in cells]),
            mean_curve([cell.curve for cell in cells]),
            mean_curve([cell.curve_new for cell in cells]),
        )

    def weights(self, source: str) -> FloatArray:
        """(folds, M) weights of the kernels in a source, of the folds that are done."""
        found = {cell.fold: cell.eta for cell in self.cells if cell.source == source}
        return np.array(list(found.values())).reshape(-1, len(self.data.names))


def mean_curve(curves: Iterable[FloatArray]) -> FloatArray:
    """Vertical mean of curves on GRID; those of folds without edges are NaN and left out."""
    found = [curve for curve in curves if not np.isnan(curve).any()]
    return np.asarray(np.mean(found, axis=0)) if found else np.full(GRID.size, np.nan)
