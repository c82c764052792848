"""Edges of chosen genes, most likely ones first."""

from __future__ import annotations

import difflib
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.learning.edges.genes import common_neighbours
from kernex_core.learning.edges.methods import EdgeMethod
from kernex_core.studies.networks.edges.judging import trained_on_all
from kernex_core.studies.networks.edges.sources import (
    INNER_FOLDS,
    Choice,
    GeneData,
    TrainedGenes,
    gene_copies,
    inner_gene_folds,
    inner_pair_folds,
)

# Pairs of genes by falling score: what predicted edges and missing ones have in common.


@dataclass(frozen=True, eq=False)
class RankedPairs(ReadOnlyArrays):
    """Pairs of genes, by falling score.

    Attributes
    ----------
    ids : tuple of str
    pairs : (k, 2) int
        Positions of the two genes.
    scores : (k,) float
        To be ranked, not probabilities.
    eta : (M,) float
        Weights of the kernels.
    """

    ids: tuple[str, ...]
    pairs: IntArray
    scores: FloatArray
    eta: FloatArray

    @property
    def names(self) -> NDArray[np.str_]:
        """(k, 2) ids of the pairs."""
        return np.asarray(self.ids)[self.pairs]


def rank(split: TrainedGenes, method: EdgeMethod, source: str, asked: BoolArray) -> RankedPairs:
    """Score pairs by what a method has learned, and sort those that are asked for and have a score.

    Parameters
    ----------
    split : TrainedGenes
    method : EdgeMethod
    source : str
        A kernel's name, or "sum", "alignment" or "mkl".
    asked : (n, n) bool
        Read above its diagonal.

    Raises
    ------
    InvalidInputError
        A source that says nothing.
    """
    eta = split.weights(source).eta
    side = split.side(eta)
    if side is None:
        raise InvalidInputError(
            "A kernel has to tell the known genes apart", f"{source!r} does not", "Choose another one"
        )
    S = method.scores(side, split.network)
    pairs = np.argwhere(np.triu(asked & ~np.isnan(S), 1))
    scores = S[pairs[:, 0], pairs[:, 1]]
    order = np.argsort(-scores, kind="stable")
    return RankedPairs(split.data.ids, pairs[order], scores[order], eta)


@dataclass(frozen=True, eq=False)
class PredictedEdges(RankedPairs):
    """Pairs with at least one new gene, by falling score.

    Attributes
    ----------
    both_new : (k,) bool
    in_network : (k,) bool
        The network that was brought has this edge; it was hidden here. No edge there means that none is known.
    trained : int
        Genes whose edges were learned from.
    """

    both_new: BoolArray
    in_network: BoolArray
    trained: int


def predict_edges(
    data: GeneData, new: Collection[str], method: EdgeMethod, source: str = "sum"
) -> PredictedEdges:
    """Score all pairs of new genes with the others and with each other; the edges of new genes are not looked at.

    Parameters
    ----------
    data : GeneData
    new : collection of str
        Ids of genes whose edges are asked for.
    method : EdgeMethod
    source : str
        A kernel's name, or "sum", "alignment" or "mkl".

    Raises
    ------
    InvalidInputError
        Genes that are not there, none or nearly all of them, or a source that says nothing.

    Examples
    --------
    >>> from kernex_core import EDGE_METHODS, gene_data, load_dataset, predict_edges
    >>> data = load_dataset("interacting_genes")
    >>> genes = gene_data(data.kernels, data.samples["network"])
    >>> found = predict_edges(genes, ["gene001"], EDGE_METHODS[0](), "mkl")
    >>> found.trained, len(found.scores)
    (149, 149)
    """
    chosen = _is_new(data, new)
    split = TrainedGenes.of(data, np.flatnonzero(~chosen), np.flatnonzero(chosen))
    made = rank(split, method, source, chosen[:, None] | chosen)
    rows, columns = made.pairs.T
    both_new, in_network = chosen[rows] & chosen[columns], data.A[rows, columns] > 0.0
    return PredictedEdges(made.ids, made.pairs, made.scores, made.eta, both_new, in_network, split.train.size)


def choose_for_new(
    data: GeneData, new: Collection[str], kind: type[EdgeMethod], source: str = "sum"
) -> EdgeMethod:
    """A method with the parameters that three inner folds of the known genes choose, as inside the folds of the table.

    Parameters
    ----------
    data : GeneData
    new : collection of str
        Ids of genes whose edges are asked for; theirs are not looked at.
    kind : type of EdgeMethod
    source : str
        A kernel's name, or "sum", "alignment" or "mkl".

    Raises
    ------
    InvalidInputError
        See `predict_edges`.

    Examples
    --------
    >>> from kernex_core import gene_data, load_dataset
    >>> from kernex_core.learning.edges.methods import TwoStepRidge
    >>> data = load_dataset("unlike_partners")
    >>> choose_for_new(gene_data(data.kernels, data.samples["network"]), ["gene001"], TwoStepRidge, "mkl")
    TwoStepRidge(lam=10.0)
    """
    chosen = _is_new(data, new)
    split = TrainedGenes.of(data, np.flatnonzero(~chosen), np.flatnonzero(chosen))
    copies = gene_copies(data, INNER_FOLDS)
    inner = inner_gene_folds(split, copies.units if copies.kept else None)
    return Choice.on(inner, source).best(kind)


def _is_new(data: GeneData, new: Collection[str]) -> BoolArray:
    unknown = sorted(set(new).difference(data.ids))
    chosen = np.array([gene in set(new) for gene in data.ids])
    if unknown or not chosen.any() or (~chosen).sum() < 3:
        near = difflib.get_close_matches(unknown[0], data.ids, 1, 0.7) if unknown else []
        raise InvalidInputError(
            "Edges are predicted for genes of the data, from at least three others",
            f"no gene {unknown[0]!r}" if unknown else f"{int(chosen.sum())} of {chosen.size} genes",
            f"Perhaps {near[0]!r} is meant" if near else "",
        )
    return chosen


# Pairs of known genes between which no edge is known, most likely ones first.


@dataclass(frozen=True, eq=False)
class UnobservedPairs(RankedPairs):
    """Pairs without a known edge, by falling score.

    Attributes
    ----------
    common : (k,) int
        Neighbours that both have: what a pair may be proposed for without any kernel.
    """

    common: IntArray


def rank_unobserved(data: GeneData, method: EdgeMethod, source: str = "sum") -> UnobservedPairs:
    """Score all pairs that the network has no edge of, by a method that learned from all that it has.

    Local models score a pair by machines that left it out, with a fifth of the others of either gene.

    Parameters
    ----------
    data : GeneData
    method : EdgeMethod
    source : str
        A kernel's name, or "sum", "alignment" or "mkl".

    Raises
    ------
    InvalidInputError
        A source that says nothing, or a network without edges.

    Examples
    --------
    >>> from kernex_core import EDGE_METHODS, gene_data, load_dataset, rank_unobserved
    >>> data = load_dataset("interacting_genes")
    >>> genes = gene_data(data.kernels, data.samples["network"])
    >>> len(rank_unobserved(genes, EDGE_METHODS[0]()).scores)  # 11,175 pairs, 567 of them edges
    10608
    """
    made = rank(trained_on_all(data), method, source, data.A == 0.0)
    common = common_neighbours(data.A)[made.pairs[:, 0], made.pairs[:, 1]].astype(np.int64)
    return UnobservedPairs(made.ids, made.pairs, made.scores, made.eta, common)


def choose_for_known(data: GeneData, kind: type[EdgeMethod], source: str = "sum") -> EdgeMethod:
    """A method with the parameters that three folds of all pairs choose, as inside the folds of hidden pairs.

    Parameters
    ----------
    data : GeneData
    kind : type of EdgeMethod
    source : str
        A kernel's name, or "sum", "alignment" or "mkl".

    Raises
    ------
    InvalidInputError
        See `rank_unobserved`.

    Examples
    --------
    >>> from kernex_core import gene_data, load_dataset
    >>> from kernex_core.learning.edges.methods import TwoStepRidge
    >>> data = load_dataset("unlike_partners")
    >>> choose_for_known(gene_data(data.kernels, data.samples["network"]), TwoStepRidge, "mkl")
    TwoStepRidge(lam=1.0)
    """
    none = np.zeros((0, 2), dtype=np.int64)
    return Choice.on(inner_pair_folds(trained_on_all(data), none), source).best(kind)
