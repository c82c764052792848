"""Order of items for a picture of a matrix: by class or by similarity, unknown items last."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kernex_core.frozen import BoolArray, FloatArray, IntArray
from kernex_core.gram.dendrogram import dendrogram


def order_by_class(y: NDArray[np.str_], known: BoolArray | None = None) -> IntArray:
    """Largest class first (ties by name), unlabelled items last; inside a class unknown items last, then as given.

    Parameters
    ----------
    y : (n,) str
        "" = unlabelled.
    known : (n,) bool, optional
    """
    names, inverse, counts = np.unique(y, return_inverse=True, return_counts=True)
    ranked = sorted(range(names.size), key=lambda c: (names[c] == "", -counts[c], names[c]))
    rank = np.empty(names.size, dtype=np.int64)
    rank[ranked] = np.arange(names.size)
    unknown = np.zeros(y.size, dtype=np.bool_) if known is None else ~known
    return np.lexsort((np.arange(y.size), unknown, rank[inverse])).astype(np.int64)


def order_by_similarity(K: FloatArray, known: BoolArray | None = None) -> IntArray:
    """Leaves of an average-linkage tree on the distances sqrt(k_ii + k_jj − 2 k_ij); unknown items last.

    Below 500 items the leaves are turned so that neighbours are as similar as they can be.
    """
    return dendrogram(K, known).order
