"""Householder's reduction of a symmetric matrix to tridiagonal form, in steps of a fraction of a second.

LAPACK does the same in one call, which can neither be shown nor stopped: matrices for which that is up to a second are left
to it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg.blas import dsymv, dsyr2, dsyr2k

from kernex_core.base import lapack
from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.runtime.progress import Steps

SMALL = 2_500
"""Rows up to which LAPACK reduces the matrix, in one piece of a second: two thirds of what columns take one by one."""
PANEL = 32
"""Columns that are reduced before the rest of the matrix follows."""
WIDE = 128
"""Reflections that are multiplied at a time: thinner blocks wait for memory."""
TILE = 256
"""Columns that they are applied to at a time."""


@dataclass(frozen=True, eq=False)
class Reflectors(ReadOnlyArrays):
    """Product I − V T V' of Householder reflections, which leaves the first `start` coordinates alone.

    Attributes
    ----------
    start : int
    V : (n − start, w) float
    T : (w, w) float
        Upper triangular (Schreiber and Van Loan 1989).
    """

    start: int
    V: FloatArray
    T: FloatArray


@dataclass(frozen=True, eq=False)
class Tridiagonal(ReadOnlyArrays):
    """K = Q S Q' with S tridiagonal; the first column of Q is ±1/√n everywhere.

    So S without its first row and column is the tridiagonal form of K on the vectors that sum to 0, which is the centred
    matrix HKH but for its eigenvalue 0 of the constant vector: one reduction tells the eigenvalues of both.

    Attributes
    ----------
    diagonal, beside : (n,) and (n − 1,) float
        Of S.
    reflectors : tuple of Reflectors
        Q is their product, in order.
    """

    diagonal: FloatArray
    beside: FloatArray
    reflectors: tuple[Reflectors, ...]

    def turning(self, X: FloatArray) -> Steps[FloatArray]:
        """Q X in steps, for X (n, q)."""
        made = np.empty_like(X)
        for at in range(0, X.shape[1], TILE):
            tile = np.ascontiguousarray(X[:, at : at + TILE])
            for block in reversed(self.reflectors):
                inside = tile[block.start :]
                inside -= block.V @ (block.T @ (block.V.T @ inside))
                yield at / X.shape[1]
            made[:, at : at + TILE] = tile
        return made


def tridiagonalising(K: FloatArray) -> Steps[Tridiagonal]:
    """Reduce a symmetric matrix (n, n) (Golub and Van Loan 2013, section 8.3.1, in blocks as LAPACK's dsytrd)."""
    n = K.shape[0]
    first = _constant_first(n)
    A = _reflected(K, first)
    if n <= SMALL:
        return _at_once(A, first)
    d, e = np.empty(n), np.zeros(n - 1)
    panels: list[tuple[int, FloatArray, FloatArray]] = []
    for k in range(0, n - 1, PANEL):
        # columns of a panel are reduced one by one against A − VW' − WV', which is made of A once the panel is full
        V, W, tau = _panel_arrays(A.shape[0])
        for i in range(tau.size):
            d[k + i], e[k + i], tau[i] = _reduce_column(A, V, W, i)
            if i % 8 == 7:
                yield _share(n, k + i)
        panels.append((k, V, tau))
        A = dsyr2k(-1.0, V, W, beta=1.0, c=A, lower=1, overwrite_c=1)
        A = np.array(A[tau.size :, tau.size :], order="F")
        yield _share(n, k + tau.size)
    d[n - 1] = A[0, 0]
    return Tridiagonal(d, e, (first, *_joined(panels)))


def _at_once(A: FloatArray, first: Reflectors) -> Tridiagonal:
    """The same by LAPACK, which leaves its reflections below the diagonal."""
    n = A.shape[0]
    if n == 1:
        return Tridiagonal(A[0], np.zeros(0), (first,))
    reduced, d, e, tau = lapack.reduced(A)
    panels = [(k, _below(reduced, k), tau[k : k + PANEL]) for k in range(0, n - 1, PANEL)]
    return Tridiagonal(d, e, (first, *_joined(panels)))


def _below(reduced: FloatArray, k: int) -> FloatArray:
    """Reflections of the panel from column k on: 1 beside the diagonal, which LAPACK leaves out, and 0 above."""
    V = np.array(reduced[k:, k : min(k + PANEL, len(reduced) - 1)])
    width = V.shape[1]
    V[: width + 1] = np.tril(V[: width + 1], -2) + np.eye(len(V[: width + 1]), width, -1)
    return V


def _share(n: int, k: int) -> float:
    return 1.0 - ((n - k) / n) ** 3


def _constant_first(n: int) -> Reflectors:
    """The reflection that takes the first unit vector to −1/√n everywhere."""
    u = np.full((n, 1), 1.0 / np.sqrt(n))
    u[0, 0] += 1.0
    return Reflectors(0, u, np.array([[2.0 / float(u[:, 0] @ u[:, 0])]]))


def _reflected(K: FloatArray, first: Reflectors) -> FloatArray:
    """Lower triangle of H K H, a change of rank two."""
    u, t = first.V[:, 0], float(first.T[0, 0])
    w = t * (K @ u)
    w -= (0.5 * t * float(w @ u)) * u
    return np.asarray(dsyr2(-1.0, u, w, lower=1, a=np.array(K, order="F"), overwrite_a=1))


def _panel_arrays(m: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    width = min(PANEL, m - 1)
    return np.zeros((m, width), order="F"), np.zeros((m, width), order="F"), np.zeros(width)


def _reduce_column(A: FloatArray, V: FloatArray, W: FloatArray, i: int) -> tuple[float, float, float]:
    """Column i of a panel: its diagonal entry, the entry beside it, and the factor of its reflection."""
    column = A[i:, i] - V[i:, :i] @ W[i, :i] - W[i:, :i] @ V[i, :i]
    x = column[1:]
    norm = float(np.linalg.norm(x[1:]))
    V[i + 1, i] = 1.0
    if norm == 0.0:
        return float(column[0]), float(x[0]), 0.0
    # Householder: x becomes (beside, 0, ..., 0), with the sign that cancels nothing
    beside = -float(np.copysign(np.hypot(x[0], norm), x[0]))
    V[i + 2 :, i] = x[1:] / (x[0] - beside)
    tau = (beside - float(x[0])) / beside
    v = V[:, i]
    # w with A − v w' − w v' = H A H, for the A that the columns before have left
    w = dsymv(1.0, A, v, lower=1)
    w -= V[:, :i] @ (W[:, :i].T @ v) + W[:, :i] @ (V[:, :i].T @ v)
    w[: i + 1] = 0.0
    w *= tau
    w -= (0.5 * tau * float(w @ v)) * v
    W[:, i] = w
    return float(column[0]), beside, tau


def _joined(panels: list[tuple[int, FloatArray, FloatArray]]) -> list[Reflectors]:
    """Reflections of several panels as one product, WIDE of them at a time."""
    each = WIDE // PANEL
    return [_product(panels[at : at + each]) for at in range(0, len(panels), each)]


def _product(panels: list[tuple[int, FloatArray, FloatArray]]) -> Reflectors:
    start = panels[0][0]
    tau = np.concatenate([factors for _, _, factors in panels])
    V = np.zeros((panels[0][1].shape[0], tau.size))
    at = 0
    for k, block, factors in panels:
        V[k - start :, at : at + factors.size] = block
        at += factors.size
    G, T = V.T @ V, np.diag(tau)
    for i in range(1, tau.size):
        T[:i, i] = -tau[i] * (T[:i, :i] @ G[:i, i])
    return Reflectors(start, V, T)
