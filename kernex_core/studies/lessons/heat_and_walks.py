"""Lesson 9: τ decides how far similarity travels, and walks are not paths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import scipy

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays, owned
from kernex_core.base.parameters import check_range
from kernex_core.gram.graph import Graph
from kernex_core.gram.normalize import cosine_normalize
from kernex_core.kernels.explanation import SharedWalk
from kernex_core.kernels.graphs.all_walks import GeometricWalk
from kernex_core.kernels.graphs.shared_walks import ProductGraph, product_graph, walk_totals
from kernex_core.kernels.graphs.tree_pattern import TreePattern
from kernex_core.kernels.graphs.walks import WalkOfOrder
from kernex_core.kernels.networks.diffusion import Diffusion, Laplacian
from kernex_core.kernels.networks.spectrum import NetworkSpectrum, decompose_network
from kernex_core.studies.lessons.catalogue import Check

# Similarity that spreads from one node of a small graph (Kondor and Lafferty 2002), the bet on it, and the challenge.

PATH = Graph(6, [(k, k + 1) for k in range(5)])
BARBELL = Graph(6, [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)])
MOST_NODES = 12
TIMES = (
    *(round(0.02 * k, 2) for k in range(200)),
    *(round(4.0 + 0.1 * k, 1) for k in range(60)),
    *(float(k) for k in range(10, 101)),
)
"""What the slider of τ offers: fine where most happens."""
BET_TIME = 10.0
"""τ at which the bet is made."""
MARGIN = 0.02
"""Largest distance of τ from the right one that counts as right."""


@dataclass(frozen=True, eq=False)
class Heat(ReadOnlyArrays):
    """Row of the diffusion kernel of one node, as τ grows.

    Attributes
    ----------
    source : int
        From 0.
    rows : (len(TIMES), n) float
        k(source, ·) at each of TIMES.
    limit : (n,) float
        What it tends to: of the normalised Laplacian √(d_i d_j) / Σ d over the source's component, of the plain one
        1 / m over its m nodes.
    overtaken : float or None
        Least τ at which another node is as similar to the source as the source itself; None: no τ up to the last of TIMES.
    overtaker : int or None
        That node.
    """

    source: int
    rows: FloatArray
    limit: FloatArray
    overtaken: float | None
    overtaker: int | None


def small_graph(n_nodes: int, edges: Sequence[tuple[int, int]]) -> Graph:
    """A graph that a student draws.

    Raises
    ------
    TooLargeError
        More than MOST_NODES nodes.
    InvalidInputError
        No node, an edge to a node that there is not, or from a node to itself.

    Examples
    --------
    >>> small_graph(3, [(0, 1), (2, 1)]).n_edges
    2
    """
    if n_nodes > MOST_NODES:
        raise TooLargeError(
            f"A graph of this lesson has up to {MOST_NODES} nodes", f"{n_nodes}", "Leave some out"
        )
    if n_nodes < 1:
        raise InvalidInputError("A graph needs a node to start from", "none", "Add a node")
    return Graph(n_nodes, list(edges))


def heat(graph: Graph, laplacian: Laplacian = "normalized", source: int = 0) -> Heat:
    """Follow the similarity of one node to all.

    A node without an edge keeps 1 and gives nothing; nothing reaches another component.

    Parameters
    ----------
    graph : Graph
        Of at most MOST_NODES nodes.
    laplacian : {"normalized", "unnormalized"}
    source : int
        Node from 0.

    Raises
    ------
    InvalidInputError
        A source that the graph has not.

    Examples
    --------
    >>> made = heat(PATH)
    >>> round(made.overtaken, 3), made.overtaker, made.rows[TIMES.index(10.0)].round(3).tolist()
    (2.058, 1, [0.13, 0.175, 0.154, 0.128, 0.108, 0.071])
    """
    check_range("The node at which heat starts", source, 0, graph.n_nodes - 1)
    spectrum = decompose_network(graph.adjacency, laplacian)
    rows = np.array([_row(spectrum, laplacian, tau, source) for tau in TIMES])
    limit = spectrum.kernel(lambda x: (x == 0.0).astype(np.float64))[source]
    overtaken, overtaker = _overtaken(spectrum, laplacian, rows, source)
    return Heat(source, rows, limit, overtaken, overtaker)


def row(graph: Graph, tau: float, laplacian: Laplacian = "normalized", source: int = 0) -> FloatArray:
    """(n,) similarities of one node at any τ.

    Raises
    ------
    InvalidInputError
        τ below 0.
    """
    return _row(decompose_network(graph.adjacency, laplacian), laplacian, tau, source)


def _row(spectrum: NetworkSpectrum, laplacian: Laplacian, tau: float, source: int) -> FloatArray:
    return np.asarray(Diffusion(tau=tau, laplacian=laplacian).on(spectrum)[source])


def _overtaken(
    spectrum: NetworkSpectrum, laplacian: Laplacian, rows: FloatArray, source: int
) -> tuple[float | None, int | None]:
    """The first of TIMES with another node ahead brackets the moment at which that happened."""
    ahead = rows - rows[:, [source]]
    ahead[:, source] = -np.inf
    first = np.flatnonzero((ahead > 1e-12).any(axis=1))
    if not first.size or first[0] == 0:
        return None, None
    at = int(first[0])

    def moment(node: int) -> float:
        def lead(tau: float) -> float:
            k = _row(spectrum, laplacian, tau, source)
            return float(k[node] - k[source])

        return float(scipy.optimize.brentq(lead, TIMES[at - 1], TIMES[at], xtol=1e-10))

    moments = {int(node): moment(int(node)) for node in np.flatnonzero(ahead[at] > 1e-12)}
    overtaker = min(moments, key=lambda node: (moments[node], node))
    return moments[overtaker], overtaker


@cache
def right_bet() -> int:
    """Node of the path, from 0, that is most similar to its first one at BET_TIME with the normalised Laplacian."""
    return int(row(PATH, BET_TIME).argmax())


@cache
def right_time() -> float:
    """τ at which node 2 of the path overtakes node 1.

    Examples
    --------
    >>> round(right_time(), 3)
    2.058
    """
    return heat(PATH).overtaken or np.nan


def check(tau: float) -> Check:
    """Whether node 2 of the path overtakes node 1 at this τ.

    Raises
    ------
    InvalidInputError
        τ below 0.
    """
    k = row(PATH, tau)
    gap, said = float(k[1] - k[0]), f"At τ = {tau:g} node 1 has {k[0]:.4f} and node 2 {k[1]:.4f}"
    if abs(tau - right_time()) <= MARGIN + 1e-12:
        return Check(
            True, gap, f"{said}: equal up to a step of the slider, at τ = {right_time():.3f} exactly."
        )
    behind = "node 2 is still behind" if gap < 0.0 else "node 2 overtook earlier"
    return Check(False, gap, f"{said}: {behind}.")


# Trees laid along edges by any set of pairs of neighbours: a similarity that is no kernel, as slides of Vert print it.

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


# Walks against paths on a small graph, and the walks that two graphs share, counted on their product.

FIRST = Graph(4, [(0, 1), (1, 2), (2, 3)], ["A", "B", "B", "A"])
SECOND = Graph(4, [(0, 1), (0, 2), (1, 2), (2, 3)], ["A", "B", "B", "A"])
LONGEST = 5
"""Edges of the longest walks that are counted."""


@dataclass(frozen=True, eq=False)
class Ways(ReadOnlyArrays):
    """Ways through one graph, by their number of edges 0 to LONGEST; each direction counts.

    Attributes
    ----------
    walks : (LONGEST + 1,) float
        1'Aⁿ1: they may come back to where they were.
    paths : (LONGEST + 1,) int
        Those that visit no node twice.
    """

    walks: FloatArray
    paths: IntArray


@dataclass(frozen=True, eq=False)
class Matched(ReadOnlyArrays):
    """Walks of FIRST and SECOND with the same labels all along.

    Attributes
    ----------
    n : int
        Edges of the walks.
    product : ProductGraph
    totals : (LONGEST + 1,) float
        Walks of the product by their number of edges.
    words : tuple of SharedWalk
        Label sequences of n edges that both have, with how often each has them.
    pairs : float
        All pairs of walks of n edges, one of each graph, whatever their labels.
    value, cosine : float
        Of the kernel that counts walks of n edges.
    bound : float
        What β of the geometric kernel has to stay below on these two graphs.
    """

    n: int
    product: ProductGraph
    totals: FloatArray
    words: tuple[SharedWalk, ...]
    pairs: float
    value: float
    cosine: float
    bound: float


def ways(graph: Graph) -> Ways:
    """Count walks and paths.

    Parameters
    ----------
    graph : Graph
        Of few nodes: paths are counted over all sets of nodes.

    Examples
    --------
    >>> made = ways(Graph(3, [(0, 1), (1, 2)]))
    >>> made.walks.tolist(), made.paths.tolist()
    ([3.0, 4.0, 6.0, 8.0, 12.0, 16.0], [3, 4, 2, 0, 0, 0])
    """
    return Ways(walk_totals(graph, LONGEST), _paths(graph))


def _paths(graph: Graph) -> IntArray:
    """Paths by the set of their nodes, which 2^n numbers name, and by their last node."""
    n = graph.n_nodes
    A, sets = graph.adjacency.toarray().astype(np.int64), np.arange(2**n)
    ending = np.zeros((2**n, n), np.int64)
    ending[1 << np.arange(n), np.arange(n)] = 1
    totals = [n]
    for _ in range(LONGEST):
        reached = ending @ A
        ending = np.zeros_like(ending)
        for v in range(n):
            without = sets[(sets >> v) & 1 == 0]
            ending[without | (1 << v), v] = reached[without, v]
        totals.append(int(ending.sum()))
    return owned(np.array(totals))


def matched(n: int) -> Matched:
    """Walks of n edges that both graphs have.

    Raises
    ------
    InvalidInputError
        n out of 0 to LONGEST.

    Examples
    --------
    >>> made = matched(2)
    >>> made.value, made.pairs, made.totals.tolist()
    (36.0, 180.0, [8.0, 16.0, 36.0, 76.0, 168.0, 360.0])
    """
    n = int(check_range("The number of edges of a walk", n, 0, LONGEST))
    kernel, both = WalkOfOrder(n=n), (FIRST, SECOND)
    K = kernel.gram(both)
    product = product_graph(*both)
    words = kernel.explain(*both, top=100).parts
    return Matched(
        n,
        product,
        walk_totals(product.graph, LONGEST),
        tuple(word for word in words if isinstance(word, SharedWalk)),
        float(walk_totals(FIRST, n)[n] * walk_totals(SECOND, n)[n]),
        float(K[0, 1]),
        float(np.asarray(cosine_normalize(K))[0, 1]),
        GeometricWalk().bound_on(both),
    )
