"""Pairs of known genes between which no edge is known, most likely ones first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.learning.edges.hidden import common_neighbours
from kernex_core.learning.edges.methods import EdgeMethod
from kernex_core.studies.networks.edges.missing import trained_on_all
from kernex_core.studies.networks.edges.sources import GeneData


@dataclass(frozen=True, eq=False)
class UnobservedPairs(ReadOnlyArrays):
    """Pairs without a known edge, by falling score.

    Attributes
    ----------
    ids : tuple of str
    pairs : (k, 2) int
        Positions of the two genes.
    scores : (k,) float
        To be ranked, not probabilities.
    common : (k,) int
        Neighbours that both have: what a pair may be proposed for without any kernel.
    eta : (M,) float
        Weights of the kernels.
    """

    ids: tuple[str, ...]
    pairs: IntArray
    scores: FloatArray
    common: IntArray
    eta: FloatArray

    @property
    def names(self) -> NDArray[np.str_]:
        """(k, 2) ids of the pairs."""
        return np.asarray(self.ids)[self.pairs]


def rank_unobserved(data: GeneData, method: EdgeMethod, source: str = "sum") -> UnobservedPairs:
    """Score all pairs that the network has no edge of, by a method that learned from all that it has.

    Parameters
    ----------
    data : GeneData
    method : EdgeMethod
        One that scores pairs of known genes (`between_known`).
    source : str
        A kernel's name, or "sum", "alignment" or "mkl".

    Raises
    ------
    InvalidInputError
        A method that gives such pairs no score, a source that says nothing, or a network without edges.

    Examples
    --------
    >>> from kernex_core import EDGE_METHODS, gene_data, load_dataset, rank_unobserved
    >>> data = load_dataset("interacting_genes")
    >>> genes = gene_data(data.kernels, data.samples["network"])
    >>> len(rank_unobserved(genes, EDGE_METHODS[0]()).scores)  # 11,175 pairs, 567 of them edges
    10608
    """
    if not method.between_known:
        raise InvalidInputError(
            "Missing edges are ranked by a method that scores two known nodes",
            f"{method.name!r}",
            "Choose another method",
        )
    split = trained_on_all(data)
    weights = split.weights(source)
    side = split.side(weights.eta)
    if side is None:
        raise InvalidInputError(
            "A kernel has to tell the known genes apart", f"{source!r} does not", "Choose another one"
        )
    rows, columns = np.triu_indices(len(data.ids), 1)
    open_ = data.A[rows, columns] == 0.0
    rows, columns = rows[open_], columns[open_]
    scores = method.scores(side, split.network)[rows, columns]
    order = np.argsort(-scores, kind="stable")
    rows, columns = rows[order], columns[order]
    common = common_neighbours(data.A)[rows, columns].astype(np.int64)
    return UnobservedPairs(data.ids, np.stack([rows, columns], axis=1), scores[order], common, weights.eta)
