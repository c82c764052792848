"""Nearest neighbours of one graph, by the cosine of its row of a kernel: without it large graphs are near to everything."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix


@dataclass(frozen=True, eq=False)
class GraphNeighbours(ReadOnlyArrays):
    """All other graphs by their similarity to one.

    Attributes
    ----------
    item : int
    ids : tuple of n − 1 str
        The others, largest cosine first; ties in the order of the data.
    cosines : (n − 1,) float
        K(G, G') / √(K(G, G) K(G', G')), 0 where one of both is similar to nothing.
    values : (n − 1,) float
        K(G, G').
    """

    item: int
    ids: tuple[str, ...]
    cosines: FloatArray
    values: FloatArray


def nearest_graphs(K: GramMatrix, item: int) -> GraphNeighbours:
    """Rank all other graphs by their cosine with one.

    Parameters
    ----------
    K : GramMatrix
        Fully known, without a negative number on the diagonal.
    item : int
        Position.
    """
    row, selves = K.values[item], np.diagonal(K.values)
    length = np.sqrt(selves * selves[item])
    cosines = np.divide(row, length, out=np.zeros_like(row), where=length > 0.0)
    order = np.argsort(-cosines, kind="stable")
    order = order[order != item]
    return GraphNeighbours(item, tuple(K.ids[k] for k in order.tolist()), cosines[order], row[order])
