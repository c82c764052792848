"""The eigendecomposition of a network, made once for every kernel of its nodes and every value of their parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import ive

from kernex_core.base import lapack
from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays, owned
from kernex_core.base.parameters import check_choice
from kernex_core.base.validation import EPS
from kernex_core.gram.graph import Links, as_adjacency, components, degrees, names_of
from kernex_core.gram.spectrum import decomposing
from kernex_core.runtime.progress import Steps, finished, part

Operator = Literal["normalized", "unnormalized", "adjacency"]
"""What is decomposed: the normalised Laplacian, the Laplacian, or the weights themselves."""
Weights = Callable[[FloatArray], FloatArray]
"""What a kernel makes of eigenvalues; never negative."""
NODE_LIMIT = 3_000
"""Nodes up to which a network is decomposed (some seconds); above it chosen columns are expanded."""
_IN_STEPS = 1_500
"""Nodes of a component from which its decomposition is done in steps that can be stopped. They take twice as long, and
below it all is done within a second."""


@dataclass(frozen=True, eq=False)
class Block(ReadOnlyArrays):
    """One connected component of at least two nodes.

    Attributes
    ----------
    nodes : (m,) int
        Positions, rising.
    eigenvalues : (m,) float
        Ascending; that of a Laplacian begins with an exact 0.
    vectors : (m, m) float
        In the columns.
    """

    nodes: IntArray
    eigenvalues: FloatArray
    vectors: FloatArray


@dataclass(frozen=True, eq=False)
class NetworkSpectrum(ReadOnlyArrays):
    """U diag(x) U' of a network, component by component; a kernel is U diag(f(x)) U'.

    Nodes of different components therefore have a similarity of exactly 0.

    Attributes
    ----------
    operator : {"normalized", "unnormalized", "adjacency"}
    n : int
        Nodes.
    blocks : tuple of Block
        Components with edges.
    isolated : (k,) int
        Nodes without an edge, whose eigenvalue is 0.
    """

    operator: Operator
    n: int
    blocks: tuple[Block, ...]
    isolated: IntArray

    @cached_property
    def eigenvalues(self) -> FloatArray:
        """(n,) ascending."""
        found = [np.zeros(self.isolated.size), *(block.eigenvalues for block in self.blocks)]
        return owned(np.sort(np.concatenate(found)))

    @property
    def radius(self) -> float:
        """Largest size of an eigenvalue."""
        return float(np.abs(self.eigenvalues).max(initial=0.0))

    @property
    def whole(self) -> tuple[FloatArray, FloatArray]:
        """Eigenvalues (n,), those of isolated nodes first, and eigenvectors (n, n), a column each."""
        U, at = np.zeros((self.n, self.n)), self.isolated.size
        U[self.isolated, np.arange(at)] = 1.0
        for block in self.blocks:
            U[block.nodes, at : at + block.nodes.size] = block.vectors
            at += block.nodes.size
        return np.concatenate([np.zeros(self.isolated.size), *(b.eigenvalues for b in self.blocks)]), U

    def kernel(self, weights: Weights) -> FloatArray:
        """(n, n) U diag(f(x)) U' for f ≥ 0: one scaled product a component, exactly symmetric."""
        if len(self.blocks) == 1 and not self.isolated.size:
            return self._product(self.blocks[0], weights)
        K = np.zeros((self.n, self.n))
        K[self.isolated, self.isolated] = weights(np.zeros(1))[0]
        for block in self.blocks:
            K[np.ix_(block.nodes, block.nodes)] = self._product(block, weights)
        return K

    @staticmethod
    def _product(block: Block, weights: Weights) -> FloatArray:
        f = weights(block.eigenvalues)
        # what is left out changes the kernel by less than an eighth of its rounding (in spectral norm)
        used = np.flatnonzero(f > f.max() * EPS / 8.0)
        scaled = block.vectors if used.size == f.size else block.vectors[:, used]
        half = scaled * np.sqrt(f[used])
        # NumPy knows a product with one's own transpose: one triangle is computed (BLAS syrk) and copied to the other
        return np.asarray(half @ half.T)


def decompose_network(adjacency: Links, operator: Operator = "normalized") -> NetworkSpectrum:
    """Decompose a network once, for every kernel of its nodes; see `decomposing_network`.

    Examples
    --------
    >>> from kernex_core import Diffusion, decompose_network, load_dataset
    >>> network = load_dataset("karate_club").samples["network"]
    >>> spectrum = decompose_network(network, "normalized")
    >>> [Diffusion(tau=tau).gram(spectrum)[0, 1].round(3).item() for tau in (0.5, 1.0, 2.0)]
    [0.048, 0.079, 0.108]
    """
    return finished(decomposing_network(adjacency, operator))


def decomposing_network(adjacency: Links, operator: Operator = "normalized") -> Steps[NetworkSpectrum]:
    """Decompose a network, component by component, in steps of a fraction of a second.

    Parameters
    ----------
    adjacency : Network, or (n, n)
        Dense or sparse, symmetric; see `as_adjacency`.
    operator : {"normalized", "unnormalized", "adjacency"}
        Of the kernels to come: `kernel.operator`.

    Raises
    ------
    InvalidInputError
        No adjacency matrix, or negative weights under a Laplacian (the edge is named).
    TooLargeError
        More than NODE_LIMIT nodes.
    """
    check_choice("The matrix that is decomposed", operator, get_args(Operator))
    B = as_adjacency(adjacency)
    if operator != "adjacency":
        check_edge_weights(B, names_of(adjacency))
    n = B.shape[0]
    check_decomposable(n)
    number = components(B)
    sizes = np.bincount(number)
    order = np.argsort(number, kind="stable")
    parts = [nodes for nodes in np.split(order, np.cumsum(sizes)[:-1]) if nodes.size > 1]
    work, done, blocks = sum(float(nodes.size) ** 3 for nodes in parts) or 1.0, 0.0, []
    for nodes in parts:
        matrix = dense_operator(sparse.csr_array(B[nodes][:, nodes]), operator)
        share = nodes.size**3 / work
        blocks.append((yield from part(_decomposed(nodes, matrix, operator), done, done + share)))
        done += share
    return NetworkSpectrum(operator, n, tuple(blocks), np.flatnonzero(sizes[number] == 1))


def check_decomposable(n: int) -> None:
    """Refuse more than NODE_LIMIT nodes.

    Raises
    ------
    TooLargeError
    """
    if n > NODE_LIMIT:
        raise TooLargeError(
            f"The whole kernel of a network is computed up to {NODE_LIMIT:,} nodes",
            f"{n:,} nodes",
            "Choose nodes: their columns need no whole matrix (chosen_columns); or select a part of the network",
        )


def check_edge_weights(B: sparse.csr_array, ids: Sequence[str] | None = None) -> None:
    """Refuse negative weights, under which a Laplacian is not positive semidefinite.

    Raises
    ------
    InvalidInputError
        Naming the edge with the most negative weight.
    """
    if B.data.min(initial=0.0) >= 0.0:
        return
    entries = B.tocoo()
    at = int(entries.data.argmin())
    a, b = (int(part[at]) for part in entries.coords)
    names = [f"node {k + 1}" if ids is None else repr(ids[k]) for k in (a, b)]
    negative = int((B.data < 0.0).sum()) // 2
    raise InvalidInputError(
        "A Laplacian needs weights of at least 0",
        f"{B.data.min():g} between {names[0]} and {names[1]} (of such edges: {negative:,})",
        "Read the network again with another choice for negative weights: their size counts (negative='absolute'), or they "
        "are no edges ('drop'); or choose the exponential or von Neumann kernel",
    )


def dense_operator(B: sparse.csr_array, operator: Operator) -> FloatArray:
    """(n, n) matrix whose eigenvalues count: B, D − B, or I − D^(−1/2) B D^(−1/2) (isolated nodes: 0 on the diagonal)."""
    made: FloatArray = B.toarray()
    if operator == "adjacency":
        return made
    d = degrees(B)
    if operator == "unnormalized":
        return np.asarray(np.diag(d) - made)
    root = np.sqrt(np.where(d > 0.0, d, np.inf))
    return np.asarray(np.diag((d > 0.0).astype(np.float64)) - made / root[:, None] / root[None, :])


def _decomposed(nodes: IntArray, matrix: FloatArray, operator: Operator) -> Steps[Block]:
    if nodes.size < _IN_STEPS:
        values, vectors = lapack.eigh(matrix)
        yield 1.0
    else:
        made = yield from part(decomposing(matrix), 0.0, 0.5)
        vectors = yield from part(made.vectors_in_steps(), 0.5, 1.0)
        values = made.eigenvalues
    if operator != "adjacency":
        # of a connected component exactly one eigenvalue is 0, and none is negative
        values = np.maximum(values, 0.0)
        values[0] = 0.0
    if operator == "normalized":
        values = np.minimum(values, 2.0)
    return Block(nodes, values, vectors)


# Chosen columns of a kernel on a large network: a Chebyshev expansion whose error is bounded.
#
# Source: Druskin and Knizhnerman 1989; Trefethen, Approximation Theory and Approximation Practice, 2013, chapters 3 and
# 8.

DEGREE_LIMIT = 20_000
"""Largest degree of an expansion; one product with the network each."""


@dataclass(frozen=True, eq=False)
class Series(ReadOnlyArrays):
    """f = Σ_j c_j T_j(M), cut after degree m.

    Attributes
    ----------
    M : (n, n) sparse
        The network, scaled so that all eigenvalues lie in [−1, 1].
    coefficients : (m + 1,) float
        c_0 to c_m.
    bound : float
        Σ_{j > m} |c_j|: no entry of the kernel is further away than this, rounding (about m ε Σ |c_j|) apart.
    """

    M: sparse.csr_array
    coefficients: FloatArray
    bound: float

    def columns(self, nodes: IntArray) -> FloatArray:
        """(n, k) columns of f at chosen nodes, by the three-term recurrence T_{j+1} = 2 M T_j − T_{j−1}."""
        before = np.zeros((self.M.shape[0], nodes.size))
        before[nodes, np.arange(nodes.size)] = 1.0
        made: FloatArray = np.asarray(self.coefficients[0] * before)
        if self.coefficients.size == 1:
            return made
        now: FloatArray = self.M @ before
        made += self.coefficients[1] * now
        for c in self.coefficients[2:]:
            before, now = now, 2.0 * (self.M @ now) - before
            made += c * now
        return made


def exponential_series(M: sparse.csr_array, a: float, scale: float, tolerance: float) -> Series:
    """Expansion of scale · e^(−a) exp(a M): c_0 = e^(−a) I_0(a), c_j = 2 e^(−a) I_j(a), times scale.

    Parameters
    ----------
    a : float
        ≥ 0.
    tolerance : float
        Of the whole, in units of scale.
    """
    most = int(np.ceil(40.0 + 12.0 * np.sqrt(a) + min(a, 60.0)))
    _check_degree(most)
    c: FloatArray = np.asarray(2.0 * ive(np.arange(most + 1), a), dtype=np.float64)
    c[0] /= 2.0
    # I_{j+1} / I_j falls with j and is at most this from the last one on (Amos 1974, eq. 11)
    ratio = a / (most + 0.5 + float(np.hypot(a, most + 0.5)))
    return _cut(M, c, scale, tolerance, beyond=float(c[-1]) * ratio / (1.0 - ratio))


def resolvent_series(M: sparse.csr_array, a: float, scale: float, tolerance: float) -> Series:
    """Expansion of scale · (a I − M)^(−1), a > 1: c_j = 2 r^j / √(a² − 1), half of it for j = 0, with r = a − √(a² − 1).

    Parameters
    ----------
    tolerance : float
        Of the whole, in units of scale / (a − 1), the largest value.
    """
    root = float(np.sqrt((a - 1.0) * (a + 1.0)))
    r = 1.0 / (a + root)
    wanted = tolerance * root * (1.0 - r) / (2.0 * (a - 1.0))
    most = max(2, int(np.ceil(np.log(wanted) / np.log(r))) if wanted < 1.0 else 2)
    _check_degree(most)
    c: FloatArray = np.asarray(2.0 / root * r ** np.arange(most + 1), dtype=np.float64)
    c[0] /= 2.0
    tail = 2.0 / root * r ** (most + 1) / (1.0 - r)
    return Series(M, scale * c, scale * tail)


def laplacian_series_operator(B: sparse.csr_array, laplacian: str) -> tuple[sparse.csr_array, float]:
    """M = I − L / s with eigenvalues in [−1, 1], and s: 1 for the normalised Laplacian, the largest degree otherwise."""
    d = degrees(B)
    if laplacian == "normalized":
        root = sparse.diags_array(1.0 / np.sqrt(np.where(d > 0.0, d, np.inf)))
        return sparse.csr_array(root @ B @ root + sparse.diags_array((d == 0.0).astype(np.float64))), 1.0
    s = float(d.max(initial=0.0)) or 1.0
    return sparse.csr_array(B / s + sparse.diags_array(1.0 - d / s)), s


def spectral_radius(B: sparse.csr_array) -> float:
    """ρ(B), the largest size of an eigenvalue; of a large network by Lanczos iteration from a seeded start.

    Raises
    ------
    InvalidInputError
        The iteration does not settle.
    """
    from scipy.sparse.linalg import ArpackError, eigsh

    n = B.shape[0]
    if n < 200:
        return float(np.abs(np.linalg.eigvalsh(B.toarray())).max())
    if not B.nnz:
        return 0.0
    start: NDArray[np.float64] = np.random.default_rng(0).uniform(0.5, 1.5, n)
    try:
        found = eigsh(B, k=1, which="LM", v0=start, return_eigenvectors=False, tol=0.0)
    except ArpackError as error:
        raise InvalidInputError(
            "The largest eigenvalue of the network has to be found", str(error), "Choose diffusion instead"
        ) from None
    return float(np.abs(found).max())


def _cut(M: sparse.csr_array, c: FloatArray, scale: float, tolerance: float, beyond: float) -> Series:
    """The first coefficients, the others' sum being below the tolerance; `beyond` bounds all that were not computed."""
    tails = np.append(np.cumsum(c[::-1])[::-1][1:], 0.0) + beyond
    m = int(np.argmax(tails <= tolerance)) if (tails <= tolerance).any() else c.size - 1
    return Series(M, scale * c[: m + 1], scale * float(tails[m]))


def _check_degree(degree: int) -> None:
    if degree > DEGREE_LIMIT:
        raise TooLargeError(
            f"An expansion takes at most {DEGREE_LIMIT:,} products with the network",
            f"{degree:,} for this parameter",
            "Choose a smaller τ, a larger c, or a λ further below its bound",
        )
