"""Trees laid along edges by any set of pairs of neighbours: a similarity that is no kernel, as slides of Vert print it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.gram.graph import Graph
from kernex_core.kernels.graphs.tree_pattern import TreePattern

HEIGHT, LAM = 3, 0.1
SHAPES = ((2, 10), (4, 6))
"""Children of the root of each tree, and leaves of each child; labels by level."""


@dataclass(frozen=True, eq=False)
class Trees(ReadOnlyArrays):
    """Both trees, and what three rules make of them.

    A ratio K(a,b)² / (K(a,a) K(b,b)) above 1 is a cosine above 1, which no features have.

    Attributes
    ----------
    K : (2, 2) float
        Any set of pairs of neighbours; sums over all pairs of vertices.
    ratio, of_roots : float
        Of K; and of the roots alone, from which trees grow to children only.
    matchings : float
        Of the kernel on tree patterns, where no neighbour is taken twice.
    """

    K: FloatArray
    ratio: float
    of_roots: float
    matchings: float


def trees() -> Trees:
    """Compare the two trees.

    Examples
    --------
    >>> made = trees()
    >>> round(made.ratio, 2), round(made.of_roots, 2), made.matchings < 1
    (38.37, 41.06, True)
    """
    both = tuple(tree(*shape) for shape in SHAPES)
    K = np.array([[_any_set(a, b, down=False).sum() for b in both] for a in both])
    of_roots = np.array([[_any_set(a, b, down=True)[0, 0] for b in both] for a in both])
    matchings = TreePattern(height=HEIGHT, lam=LAM).gram(both)
    return Trees(K, _ratio(K), _ratio(of_roots), _ratio(matchings))


def tree(children: int, leaves: int) -> Graph:
    """A root, so many children, and so many leaves of each."""
    ends = [(0, 1 + c) for c in range(children)]
    ends += [(1 + c, 1 + children + c * leaves + leaf) for c in range(children) for leaf in range(leaves)]
    return Graph(len(ends) + 1, ends, ["root", *["child"] * children, *["leaf"] * (children * leaves)])


def _any_set(a: Graph, b: Graph, *, down: bool) -> FloatArray:
    """(n, m) k_h(u, v) = [l(u) = l(v)] Π (1 + λ k_(h−1)(u', v')) over all pairs of neighbours, or of children alone.

    The product is that of a sum over all sets of pairs, the empty one included.
    """
    A, B = (np.triu(each.adjacency.toarray()) if down else each.adjacency.toarray() for each in (a, b))
    same = np.equal.outer(np.asarray(a.node_labels), np.asarray(b.node_labels)).astype(np.float64)
    k: FloatArray = same
    for _ in range(HEIGHT - 1):
        k = np.asarray(same * np.exp(A @ np.log1p(LAM * k) @ B.T))
    return k


def _ratio(K: FloatArray) -> float:
    return float(K[0, 1] ** 2 / (K[0, 0] * K[1, 1]))
