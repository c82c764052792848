"""Order of items for a picture of a matrix: by class or by similarity, unknown items last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
from scipy.spatial.distance import squareform

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays

# Dendrogram of the items of a kernel: agglomerative clustering of its distances, and the groups below a cut.

Linkage: TypeAlias = Literal["average", "complete", "single"]
LINKAGES: Final[tuple[Linkage, ...]] = get_args(Linkage)
TURNED: Final = 500
"""Below this number of items leaves are turned so that neighbours are as similar as they can be."""


@dataclass(frozen=True, eq=False)
class Dendrogram(ReadOnlyArrays):
    """Merges of items, nearest first.

    Attributes
    ----------
    order : (n,) int
        Leaves from left to right, then the items that are in no merge because their similarities are unknown.
    merges : (m - 1, 2) int
        The two nodes of every merge of m known items: an item below n, the k-th merge as n + k.
    heights : (m - 1,) float
        Distance of the two nodes, never falling.
    linkage : {"average", "complete", "single"}
    kernel : str
        Name of the kernel whose distances these are.
    """

    order: IntArray
    merges: IntArray
    heights: FloatArray
    linkage: Linkage
    kernel: str = ""

    @property
    def top(self) -> float:
        """Height of the last merge; 0 where nothing is merged."""
        return float(self.heights[-1]) if self.heights.size else 0.0

    def groups(self, height: float) -> IntArray:
        """Group of every item when the tree is cut at a height.

        Returns
        -------
        (n,) int
            1 = the largest (ties: from left to right); 0 for items in no merge.
        """
        n, m = len(self.order), len(self.heights) + 1
        parent = np.arange(n + len(self.heights))
        for k in np.flatnonzero(self.heights <= height).tolist():
            parent[self.merges[k]] = n + k
        # a merge stands after its parts: from the last one back, every node's root is known
        for node in range(len(parent) - 1, -1, -1):
            parent[node] = parent[parent[node]]
        leaves = self.order[:m] if self.heights.size else self.order[:0]
        made = np.zeros(n, dtype=np.int64)
        made[leaves] = ranked_by_size(parent[leaves])
        return made


def ranked_by_size(groups: IntArray) -> IntArray:
    """(n,) number of each item's group: 1 = the largest, ties by the first item."""
    _, first, which, sizes = np.unique(groups, return_index=True, return_inverse=True, return_counts=True)
    rank = np.empty(sizes.size, dtype=np.int64)
    rank[np.lexsort((first, -sizes))] = np.arange(1, sizes.size + 1)
    return np.asarray(rank[which])


def kernel_distances(K: FloatArray) -> FloatArray:
    """Return the distances sqrt(k_ii + k_jj − 2 k_ij) of items in feature space.

    Unknown similarities count as 0; what an indefinite matrix has below 0 under the root counts as 0.

    Parameters
    ----------
    K : (n, n) float
        With a known diagonal.

    Returns
    -------
    (n, n) float
    """
    diag = np.diag(K)
    squared = np.maximum(diag[:, None] + diag[None, :] - 2.0 * np.nan_to_num(K), 0.0)
    np.fill_diagonal(squared, 0.0)
    return np.asarray(np.sqrt(squared))


def dendrogram(
    K: FloatArray, known: BoolArray | None = None, *, method: Linkage = "average", kernel: str = ""
) -> Dendrogram:
    """Cluster the items of a kernel by its distances in feature space.

    Parameters
    ----------
    K : (n, n) float
        Similarities; NaN = unknown.
    known : (n,) bool, optional
        Items that are clustered, as far as their self-similarity is known; default: all.
    method : {"average", "complete", "single"}
        Distance of two groups: mean, largest or smallest distance of their items.
    kernel : str
        Its name.

    Raises
    ------
    InvalidInputError
        Another method.
    """
    if method not in LINKAGES:
        raise InvalidInputError(f"A linkage is one of {', '.join(LINKAGES)}", repr(method))
    n = K.shape[0]
    mask = np.ones(n, dtype=np.bool_) if known is None else known.copy()
    mask &= ~np.isnan(np.diag(K))
    items, rest = np.flatnonzero(mask), np.flatnonzero(~mask)
    if items.size < 2:
        return Dendrogram(
            np.concatenate([items, rest]).astype(np.int64), np.zeros((0, 2), np.int64), np.zeros(0), method, kernel
        )  # fmt: skip
    condensed = squareform(kernel_distances(K[np.ix_(items, items)]), checks=False)
    tree = linkage(condensed, method)
    if 2 < items.size < TURNED:
        tree = optimal_leaf_ordering(tree, condensed)
    # scipy numbers the merges from the number of leaves on
    nodes = np.concatenate([items, n + np.arange(items.size - 1)])
    merges = nodes[tree[:, :2].astype(np.int64)]
    order = np.concatenate([items[leaves_list(tree)], rest]).astype(np.int64)
    return Dendrogram(order, merges, tree[:, 2].copy(), method, kernel)


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
