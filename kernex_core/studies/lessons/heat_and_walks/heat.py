"""Similarity that spreads from one node of a small graph (Kondor and Lafferty 2002), the bet on it, and the challenge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.optimize import brentq

from kernex_core.errors import InvalidInputError, TooLargeError
from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.gram.graph import Graph
from kernex_core.kernels.networks.diffusion import Diffusion, Laplacian
from kernex_core.kernels.networks.spectrum import NetworkSpectrum, decompose_network
from kernex_core.parameters import check_range
from kernex_core.studies.lessons.check import Check

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

        return float(brentq(lead, TIMES[at - 1], TIMES[at], xtol=1e-10))

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
