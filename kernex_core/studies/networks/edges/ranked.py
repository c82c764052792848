"""Pairs of genes by falling score: what predicted edges and missing ones have in common."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.learning.edges.methods import EdgeMethod
from kernex_core.studies.networks.edges.sources import TrainedGenes


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
