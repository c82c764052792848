"""Pairs of known genes between which no edge is known, most likely ones first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.frozen import IntArray
from kernex_core.learning.edges.hidden import common_neighbours
from kernex_core.learning.edges.methods import EdgeMethod
from kernex_core.studies.networks.edges.choosing import Choice, inner_pair_folds
from kernex_core.studies.networks.edges.missing import trained_on_all
from kernex_core.studies.networks.edges.ranked import RankedPairs, rank
from kernex_core.studies.networks.edges.sources import GeneData


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
