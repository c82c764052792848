"""What edges are inferred from: each kernel alone, and all of them weighted in several ways, brought to the same genes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError, NotPositiveSemidefiniteError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray, ReadOnlyArrays, first_of
from kernex_core.base.parameters import check_parameters, parameter, parameters
from kernex_core.base.validation import as_symmetric, check_kernel
from kernex_core.conditioning.repairs import repair_step
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import found_in
from kernex_core.gram.seen import LABELS, PAIR, seen_of
from kernex_core.inputs.networks.network import Network
from kernex_core.kernels.networks.network_kernel import NetworkKernel
from kernex_core.learning.chance.tried import GridEnd, grid_end
from kernex_core.learning.copies import Copies, equal_among
from kernex_core.learning.edges.genes import (
    KernelSide,
    NetworkSide,
    PairScores,
    centred,
    check_network,
    gene_folds,
    repaired,
    upper,
    without_pairs,
)
from kernex_core.learning.edges.methods import WEIGHINGS, EdgeMethod, KernelWeights, learned_weights
from kernex_core.learning.folds import APART
from kernex_core.learning.leakage import State, state_of
from kernex_core.learning.scores import auc


@dataclass(frozen=True, eq=False)
class GeneData(ReadOnlyArrays):
    """Kernels and a network on the same genes.

    Attributes
    ----------
    ids, names : tuple of str
        Genes, and kernels.
    kernels : (M, n, n) float
    A : (n, n) float
        1 where there is an edge; nothing on the diagonal.
    dropped : tuple of str
        Genes that a kernel or the network lacks.
    indefinite : tuple of str
        Similarities that are no kernels: the repair is fitted on the training genes of each split.
    repair : str
        See REPAIRS.
    """

    ids: tuple[str, ...]
    names: tuple[str, ...]
    kernels: FloatArray
    A: FloatArray
    dropped: tuple[str, ...] = ()
    indefinite: tuple[str, ...] = ()
    repair: str = "clip"

    @property
    def sources(self) -> tuple[str, ...]:
        """Kernels by name, then the weighings, where there is more than one kernel."""
        return self.names if len(self.names) == 1 else (*self.names, *WEIGHINGS)


def knows_a_network(K: GramMatrix) -> bool:
    """Whether a network went into a kernel, by its recipe: edges that are hidden from the methods would be in it.

    A kernel that was brought as numbers says nothing of that.
    """
    every = ((each.arguments, each.keywords) for each in K.recipe.calls())
    return any(found_in(given, NetworkKernel) for given in every)


def gene_data(kernels: Mapping[str, GramMatrix], network: Network, *, repair: str = "clip") -> GeneData:
    """Bring kernels and a network to the genes that all of them have, in the network's order.

    Parameters
    ----------
    kernels : mapping of str to GramMatrix
    network : Network
    repair : {"clip", "flip", "shift", "square"}
        Of similarities that are no kernels, fitted on training genes alone.

    Raises
    ------
    InvalidInputError
        No kernel, unknown entries (named), fewer than four genes in common, or no such repair.

    Examples
    --------
    >>> from kernex_core import gene_data, load_dataset
    >>> data = load_dataset("interacting_genes")
    >>> gene_data(data.kernels, data.samples["network"]).sources[-3:]
    ('sum', 'alignment', 'mkl')
    """
    if not kernels:
        raise InvalidInputError("Edges are inferred from at least one kernel of the genes", "none")
    common = set(network.ids).intersection(*(K.ids for K in kernels.values()))
    ids = tuple(gene for gene in network.ids if gene in common)
    if len(ids) < 4:
        raise InvalidInputError(
            "The network and all kernels share at least four genes",
            f"{len(ids)}",
            "Check that their ids are written alike",
        )
    everyone = dict.fromkeys([*network.ids, *(gene for K in kernels.values() for gene in K.ids)])
    made, indefinite = [], []
    for name, K in kernels.items():
        values = K.values[np.ix_(_places(K.ids, ids), _places(K.ids, ids))]
        if np.isnan(values).any():
            raise InvalidInputError(
                "Kernels that edges are inferred from know every similarity",
                f"unknown ones in {name!r}",
                "Complete it first, or select the items that it knows",
            )
        values = as_symmetric(values, repr(name))
        try:
            values = check_kernel(values, repr(name))
        except NotPositiveSemidefiniteError:
            indefinite.append(name)
        made.append(values)
    A = (network.take(_places(network.ids, ids)).adjacency.toarray() != 0.0).astype(np.float64)
    dropped = tuple(gene for gene in everyone if gene not in common)
    method = repair_step(repair).method
    return GeneData(ids, tuple(kernels), np.array(made), A, dropped, tuple(indefinite), method)


def gene_copies(data: GeneData, folds: int, *, together: bool = True) -> Copies:
    """Genes that a kernel does not tell apart, which folds over genes keep together; two different ones a fold are left."""
    return equal_among(list(data.kernels), 2 * folds, together=together)


def edge_state(*kernels: GramMatrix) -> State:
    """What was seen of test genes: by nothing that is judged here, but perhaps where a kernel was made.

    Edges are the labels here: a kernel of a network has seen them.

    Examples
    --------
    >>> from kernex_core import load_dataset
    >>> from kernex_core.studies.networks.edges.sources import edge_state
    >>> edge_state(*load_dataset("interacting_genes").kernels.values()).words
    'transductive'
    """
    return state_of(seen_of(*kernels) | (LABELS if any(map(knows_a_network, kernels)) else PAIR))


def _places(ids: tuple[str, ...], wanted: tuple[str, ...]) -> IntArray:
    at = {gene: place for place, gene in enumerate(ids)}
    return np.array([at[gene] for gene in wanted], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class TrainedGenes(ReadOnlyArrays):
    """One split into training and test genes: all that is fitted, is fitted on the former.

    Attributes
    ----------
    data : GeneData
    train, test : int array
    network : NetworkSide
    kernels : tuple of (n, n) or None
        Centred and scaled; None for one whose training genes are all alike.
    """

    data: GeneData
    train: IntArray
    test: IntArray
    network: NetworkSide
    kernels: tuple[FloatArray | None, ...]

    @classmethod
    def of(cls, data: GeneData, train: IntArray, test: IntArray) -> TrainedGenes:
        """Repair what is no kernel, centre all and cut the network.

        Raises
        ------
        InvalidInputError
            No edge among the training genes, or no kernel that tells them apart.
        """
        A = data.A[np.ix_(train, train)]
        check_network(A)
        step = repair_step(data.repair)
        made = tuple(
            centred(repaired(K, train, step) if name in data.indefinite else K, train)
            for name, K in zip(data.names, data.kernels, strict=True)
        )
        if all(K is None for K in made):
            raise InvalidInputError("A kernel has to tell genes apart", "none does")
        return cls(data, train, test, NetworkSide(A), made)

    def weights(self, source: str) -> KernelWeights:
        """Weights of all kernels in a source, 0 for those that say nothing.

        Parameters
        ----------
        source : str
            A kernel's name, or one of WEIGHINGS.
        """
        used = [m for m, K in enumerate(self.kernels) if K is not None]
        eta = np.zeros(len(self.kernels))
        if source in self.data.names:
            eta[self.data.names.index(source)] = 1.0
            return KernelWeights(eta)
        block = np.ix_(self.train, self.train)
        how = next(each for each in WEIGHINGS if each == source)
        found = learned_weights(how, [K[block] for K in self.kernels if K is not None], self.network)
        eta[used] = found.eta
        return KernelWeights(eta, found.objective, found.gap)

    def side(self, eta: FloatArray) -> KernelSide | None:
        """The weighted kernel; None where only kernels that say nothing have weight."""
        parts = [e * K for e, K in zip(eta, self.kernels, strict=True) if e > 0.0 and K is not None]
        return KernelSide(np.asarray(sum(parts)), self.train, self.test) if parts else None


# Parameters of a method, chosen inside a fold: over genes or over pairs of what the fold trains on, and nothing else.

INNER_FOLDS: Final = 3
UNTUNED_ABOVE: Final = 1_000
"""Genes above which parameters are not chosen inside the folds."""


def chosen_inside(tuned: bool, n_genes: int) -> bool:
    """Whether parameters are chosen inside the folds: where that is asked for, and the genes are not too many.

    Examples
    --------
    >>> chosen_inside(True, 150), chosen_inside(True, 1_001), chosen_inside(False, 150)
    (True, False, False)
    """
    return tuned and n_genes <= UNTUNED_ABOVE


@dataclass(frozen=True, eq=False)
class InnerFold(ReadOnlyArrays):
    """A part of what a fold trains on, held out once more.

    Attributes
    ----------
    split : TrainedGenes
        All that is fitted here.
    rated : callable
        What scores of a method come to on the part that is held out; NaN where there is no edge or nothing else.
    """

    split: TrainedGenes
    rated: Callable[[EdgeMethod, FloatArray], float]


def inner_gene_folds(split: TrainedGenes, units: IntArray | None = None) -> tuple[InnerFold, ...]:
    """Three folds over the training genes; one in which no edge is left to learn from is passed over.

    `units` (n,) says which genes are copies, by the place of the first: folds keep these together.

    A setting is rated by the mean of both AUCs: of pairs of a known and a new gene, and of two new ones.
    """
    found = []
    own = None if units is None else first_of(units[split.train].tolist())
    for held in gene_folds(split.train.size, INNER_FOLDS, split.train.size, own):
        test = split.train[held]
        train = np.setdiff1d(split.train, test)
        if split.data.A[np.ix_(train, train)].any():
            inner = TrainedGenes.of(split.data, train, test)
            found.append(InnerFold(inner, _of_genes(inner)))
    return tuple(found)


def inner_pair_folds(split: TrainedGenes, hidden: IntArray) -> tuple[InnerFold, ...]:
    """Three folds over the pairs that are not hidden (k, 2) already; those are neither rated nor edges.

    A setting is rated by the AUC of the pairs that are hidden once more.
    """
    n = len(split.data.ids)
    asked = np.triu(np.ones((n, n), dtype=bool), 1)
    asked[hidden[:, 0], hidden[:, 1]] = asked[hidden[:, 1], hidden[:, 0]] = False
    pairs = np.argwhere(asked)
    order = np.random.default_rng(4000 + n).permutation(len(pairs))
    found = []
    for part in range(INNER_FOLDS):
        held = pairs[np.sort(order[part::INNER_FOLDS])]
        A = without_pairs(split.data.A, held)
        if A.any():
            inner = replace(split, data=replace(split.data, A=A), network=NetworkSide(A))
            found.append(InnerFold(inner, _of_pairs(split.data.A, held)))
    return tuple(found)


def _of_genes(split: TrainedGenes) -> Callable[[EdgeMethod, FloatArray], float]:
    between = split.data.A[np.ix_(split.train, split.test)] > 0.0
    new = upper(split.data.A[np.ix_(split.test, split.test)] > 0.0)

    def rated(method: EdgeMethod, scores: FloatArray) -> float:
        found = [auc(between.ravel(), scores[np.ix_(split.train, split.test)].ravel())]
        if method.between_new:
            found.append(auc(new, upper(scores[np.ix_(split.test, split.test)])))
        return float(np.nanmean(found)) if not np.isnan(found).all() else float("nan")

    return rated


def _of_pairs(A: FloatArray, held: IntArray) -> Callable[[EdgeMethod, FloatArray], float]:
    rows, columns = held.T
    joined = A[rows, columns] > 0.0
    return lambda _, scores: auc(joined, scores[rows, columns])


@dataclass(frozen=True, eq=False)
class Choice(ReadOnlyArrays):
    """Inner folds of one source: what a method is chosen on. Weights are those of each inner fold.

    Attributes
    ----------
    folds : tuple of InnerFold
    sides : tuple of KernelSide or None
        The weighted kernel of each; None where only kernels that say nothing have weight.
    """

    folds: tuple[InnerFold, ...]
    sides: tuple[KernelSide | None, ...]

    @classmethod
    def on(cls, folds: tuple[InnerFold, ...], source: str) -> Choice:
        """Weigh the kernels in each inner fold."""
        return cls(folds, tuple(each.split.side(each.split.weights(source).eta) for each in folds))

    def best(self, kind: type[EdgeMethod]) -> EdgeMethod:
        """The setting that is rated highest in the mean over inner folds; the usual one where none can be rated."""
        if not kind.tried:
            return kind()
        totals: dict[EdgeMethod, list[float]] = {}
        for fold, side in zip(self.folds, self.sides, strict=True):
            if side is not None:
                for made, scores in kind().variants(side, fold.split.network):
                    totals.setdefault(made, []).append(fold.rated(made, scores))
        means = {made: float(np.nanmean(all_)) for made, all_ in totals.items() if not np.isnan(all_).all()}
        return max(means, key=lambda made: means[made]) if means else kind()


def ends_chosen(fitted: Iterable[EdgeMethod]) -> tuple[GridEnd, ...]:
    """Ends of the values that are tried which more than half of the folds took, a parameter each."""
    every = list(fitted)
    found = []
    for name, counts in values_chosen(every).items():
        described = parameters(type(every[0]))[name]
        label = described.label[0].lower() + described.label[1:]
        tried = every[0].tried[name]
        found.append(grid_end(label, counts.items(), tried, low=described.low, high=described.high))
    return tuple(each for each in found if each is not None)


def values_chosen(fitted: Iterable[EdgeMethod]) -> dict[str, dict[float, int]]:
    """How often each value of each parameter that is tried was taken: by its name, then by value, in their order.

    Parameters
    ----------
    fitted : iterable of EdgeMethod
        Of one kind, one a fold.

    Examples
    --------
    >>> from kernex_core.learning.edges.methods import TwoStepRidge
    >>> values_chosen([TwoStepRidge(1.0), TwoStepRidge(10.0), TwoStepRidge(1.0)])
    {'lam': {1.0: 2, 10.0: 1}}
    """
    every = list(fitted)
    names = every[0].tried if every else {}
    return {
        name: dict(sorted(Counter(float(getattr(each, name)) for each in every).items())) for name in names
    }


# What is found about edges of unseen genes: cells of one method, source and fold, and their means over folds.

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
