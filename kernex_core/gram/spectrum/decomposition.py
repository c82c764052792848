"""The eigendecomposition of a symmetric matrix, made once for everything that is read off it.

Diagnosis, repairs and map of a kernel share one: the reduction to tridiagonal form, from which eigenvalues cost next to
nothing, and eigenvectors are made when the first asks for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import eigh_tridiagonal

from kernex_core.frozen import FloatArray, ReadOnlyArrays, owned
from kernex_core.gram.spectrum.tridiagonal import Tridiagonal, tridiagonalising
from kernex_core.magnitude import unit_of
from kernex_core.pieces import Pieces, finished, part

ROWS = 256
"""Rows of a product of two (n, n) matrices that are computed at a time."""
SOLVED, TURNED = 0.3, 1.0
"""Shares of the work on eigenvectors: those of the tridiagonal form, then those of the matrix."""


@dataclass(frozen=True, eq=False)
class Decomposition(ReadOnlyArrays):
    """K = U diag(λ) U' of a symmetric matrix that is known everywhere.

    Attributes
    ----------
    form : Tridiagonal
        Of K / unit.
    unit : float
        A power of 4 as large as the largest entry, see `unit_of`, so that no square leaves the range of numbers.
    """

    form: Tridiagonal
    unit: float

    @property
    def n(self) -> int:
        """Number of eigenvalues."""
        return int(self.form.diagonal.size)

    @cached_property
    def eigenvalues(self) -> FloatArray:
        """(n,) ascending."""
        return owned(self.unit * _values(self.form.diagonal, self.form.beside))

    @cached_property
    def centred_eigenvalues(self) -> FloatArray:
        """(n,) eigenvalues of HKH, H = I − 11'/n, ascending."""
        inside = self.unit * _values(self.form.diagonal[1:], self.form.beside[1:])
        return owned(np.sort(np.append(inside, 0.0)))

    @property
    def vectors(self) -> FloatArray:
        """(n, n) eigenvectors in the columns, in the order of `eigenvalues`."""
        return finished(self.vectors_in_pieces())

    @property
    def has_vectors(self) -> bool:
        """Whether the eigenvectors have been made."""
        return "_vectors" in vars(self)

    def vectors_in_pieces(self) -> Pieces[FloatArray]:
        """`vectors`; those of the tridiagonal form are one piece, a tenth of the whole."""
        if not self.has_vectors:
            yield 0.0
            S = eigh_tridiagonal(self.form.diagonal, self.form.beside, check_finite=False)[1]
            turning = self.form.turning(S.astype(np.float64, copy=False))
            vars(self)["_vectors"] = owned((yield from part(turning, SOLVED, TURNED)))
        made: FloatArray = vars(self)["_vectors"]
        return made

    def leading(self, q: int, *, centred: bool) -> tuple[FloatArray, FloatArray]:
        """Largest q eigenvalues (q,), descending, of K or of HKH, and their unit vectors (n, q)."""
        skip = 1 if centred else 0
        d, e = self.form.diagonal[skip:], self.form.beside[skip:]
        inside = min(q, d.size)
        S = np.zeros((self.n, q))
        values = np.zeros(q)
        if inside:
            span = (d.size - inside, d.size - 1)
            found, made = eigh_tridiagonal(
                d, e, select="i", select_range=span, lapack_driver="stemr", check_finite=False
            )
            values[:inside], S[skip:, :inside] = found[::-1], made[:, ::-1]
        return self.unit * values, finished(self.form.turning(S))

    def pair(self, position: int) -> tuple[float, FloatArray]:
        """Eigenvalue at a position of `eigenvalues`, and its unit vector (n,), in O(n²)."""
        value = float(self.eigenvalues[position])
        if self.has_vectors:
            return value, self.vectors[:, position]
        _, S = eigh_tridiagonal(
            self.form.diagonal, self.form.beside, select="i", select_range=(position, position),
            lapack_driver="stemr", check_finite=False,
        )  # fmt: skip
        return value, finished(self.form.turning(S.astype(np.float64, copy=False)))[:, 0]

    def with_spectrum(self, spectrum: FloatArray) -> Pieces[FloatArray]:
        """U diag(f) U' for other eigenvalues f (n,), exactly symmetric."""
        U = yield from part(self.vectors_in_pieces(), 0.0, 0.6)
        used = np.flatnonzero(spectrum)
        right = U[:, used].T
        made = np.empty((self.n, self.n))
        for at in range(0, self.n, ROWS):
            made[at : at + ROWS] = (U[at : at + ROWS, used] * spectrum[used]) @ right
            yield 0.6 + 0.4 * at / self.n
        return (made + made.T) / 2.0


def decomposing(K: FloatArray) -> Pieces[Decomposition]:
    """Decompose a symmetric (n, n) float matrix without unknown entries, in pieces of a fraction of a second."""
    unit = unit_of(K)
    return Decomposition((yield from tridiagonalising(K / unit)), unit)


def decompose(K: FloatArray) -> Decomposition:
    """`decomposing` to its end."""
    return finished(decomposing(K))


def _values(diagonal: FloatArray, beside: FloatArray) -> FloatArray:
    if diagonal.size == 0:
        return np.zeros(0)
    found = eigh_tridiagonal(diagonal, beside, eigvals_only=True, lapack_driver="sterf", check_finite=False)
    return np.asarray(found, dtype=np.float64)
