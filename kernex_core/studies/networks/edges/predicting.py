"""Edges of chosen genes, most likely ones first."""

from __future__ import annotations

import difflib
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import BoolArray
from kernex_core.learning.edges.methods import EdgeMethod
from kernex_core.studies.networks.edges.choosing import INNER_FOLDS, Choice, inner_gene_folds
from kernex_core.studies.networks.edges.ranked import RankedPairs, rank
from kernex_core.studies.networks.edges.sources import GeneData, TrainedGenes, gene_copies


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
