"""The eigendecomposition of a symmetric matrix, made once for everything that is read off it.

Diagnosis, repairs and map of a kernel share one: the reduction to tridiagonal form, from which eigenvalues cost next to
nothing, and eigenvectors are made when the first asks for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import eigh_tridiagonal

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, ReadOnlyArrays, owned
from kernex_core.base.validation import EPS, as_symmetric, psd_tolerance, unit_of
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.tridiagonal import Tridiagonal, tridiagonalising
from kernex_core.runtime.progress import Steps, finished, part

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
        return finished(self.vectors_in_steps())

    @property
    def has_vectors(self) -> bool:
        """Whether the eigenvectors have been made."""
        return "_vectors" in vars(self)

    def vectors_in_steps(self) -> Steps[FloatArray]:
        """`vectors`; those of the tridiagonal form are one step, a tenth of the whole."""
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

    def with_spectrum(self, spectrum: FloatArray) -> Steps[FloatArray]:
        """U diag(f) U' for other eigenvalues f (n,), exactly symmetric."""
        U = yield from part(self.vectors_in_steps(), 0.0, 0.6)
        used = np.flatnonzero(spectrum)
        right = U[:, used].T
        made = np.empty((self.n, self.n))
        for at in range(0, self.n, ROWS):
            made[at : at + ROWS] = (U[at : at + ROWS, used] * spectrum[used]) @ right
            yield 0.6 + 0.4 * at / self.n
        return (made + made.T) / 2.0


def decomposing(K: FloatArray) -> Steps[Decomposition]:
    """Decompose a symmetric (n, n) float matrix without unknown entries, in steps of a fraction of a second."""
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


# One eigenvector of a similarity, read as a contrast: which items it sets against which.

LEAST = 1e-6
"""Entries of a unit vector up to this size may be rounding: their items stand on no side."""


@dataclass(frozen=True, eq=False)
class Eigenvector(ReadOnlyArrays):
    """A unit vector v with K v = λ v.

    Attributes
    ----------
    rank : int
        1 for the largest eigenvalue.
    eigenvalue : float
        λ = v' K v.
    entries : (n,) float
        v, its largest entry in size positive: an eigenvector has no sign of its own.
    within, across : float
        Σ |v_i v_j| K_ij over pairs whose entries have the same sign, and opposite signs; λ = within − across. A kernel
        has within ≥ across for every vector: below 0, items are more similar across the two sides than within them.
    alone : bool
        Whether no other eigenvalue is the same up to rounding. Otherwise the vector is one of many in their common
        space, and its entries say nothing.
    """

    rank: int
    eigenvalue: float
    entries: FloatArray
    within: float
    across: float
    alone: bool

    @property
    def carried_by(self) -> int:
        """Items that carry half of the squared length: as few as possible."""
        shares = np.sort(self.entries**2)[::-1].cumsum()
        return int(np.searchsorted(shares, 0.5 * shares[-1])) + 1

    def side(self, positive: bool, most: int) -> tuple[int, ...]:
        """Positions of at most so many items with the largest entries of one sign, the largest first."""
        signed = self.entries if positive else -self.entries
        order = np.argsort(-signed, kind="stable")[:most]
        return tuple(int(k) for k in order if signed[k] > LEAST)


def eigenvector(made: Decomposition, K: FloatArray, rank: int) -> Eigenvector:
    """Read one eigenvector off a decomposition that is there, in O(n²).

    Parameters
    ----------
    made : Decomposition
        Of K.
    K : (n, n) float
        Known everywhere.
    rank : int
        From 1, the largest eigenvalue, to n.

    Raises
    ------
    InvalidInputError
        Another rank, or another number of items.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core.gram.spectrum import decompose
    >>> from kernex_core.gram.spectrum import eigenvector
    >>> K = np.array([[1.0, 2.0], [2.0, 1.0]])
    >>> found = eigenvector(decompose(K), K, 2)
    >>> round(found.eigenvalue, 6), round(found.within, 6), round(found.across, 6)
    (-1.0, 1.0, 2.0)
    """
    if not 1 <= rank <= made.n:
        raise InvalidInputError(f"A rank from 1 to {made.n:,}", f"{rank}")
    if K.shape != (made.n, made.n):
        raise InvalidInputError(f"The matrix of {made.n:,} items that was decomposed", f"{K.shape}")
    value, v = made.pair(made.n - rank)
    if v[np.abs(v).argmax()] < 0.0:
        v = -v
    size = np.abs(v)
    total = float(size @ (K @ size))
    others = np.delete(made.eigenvalues, made.n - rank)
    slack = psd_tolerance(made.n, float(np.abs(made.eigenvalues).max()))
    alone = not others.size or float(np.abs(others - value).min()) > slack
    return Eigenvector(rank, value, owned(v), (total + value) / 2.0, (total - value) / 2.0, alone)


# Kernel principal components: the flat map of items that keeps most of a kernel's variance.


@dataclass(frozen=True, eq=False)
class PrincipalComponents(ReadOnlyArrays):
    """Coordinates of items on the leading kernel principal components.

    Attributes
    ----------
    coordinates : (n, q) float
        Column c has squared length eigenvalue c; a component without positive eigenvalue is zero.
    share : (q,) float
        Eigenvalue over the sum of absolute eigenvalues, 0 to 1.
    """

    coordinates: FloatArray
    share: FloatArray


def kernel_pca(
    K: GramMatrix | FloatArray,
    n_components: int = 2,
    *,
    centred: bool = True,
    decomposition: Decomposition | None = None,
) -> PrincipalComponents:
    """Kernel PCA, K̃ = V diag(μ) V', coordinates V_q diag(μ_q)^{1/2} (Schoelkopf, Smola, Müller 1998, eq. 20).

    Parameters
    ----------
    K : (n, n)
        Without unknown entries. It may be indefinite: the map then shows the positive part only.
    n_components : int
        1 to n.
    centred : bool
        Move the origin to the mean of the items first.
    decomposition : Decomposition, optional
        Of K, where somebody has it; that of the centred matrix follows from it.

    Raises
    ------
    InvalidInputError
        Unknown entries, or more components than items. Signs are fixed: the largest entry of each is positive.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import kernel_pca
    >>> X = np.array([[0.0], [1.0], [5.0]])
    >>> abs(kernel_pca(X @ X.T, 1).coordinates).round(6).ravel().tolist()
    [2.0, 1.0, 3.0]
    """
    made = decompose(as_symmetric(K)) if decomposition is None else decomposition
    n = made.n
    if not 1 <= n_components <= n:
        raise InvalidInputError(f"The number of components has to lie in 1 to {n}", str(n_components))
    mass = float(np.abs(made.centred_eigenvalues if centred else made.eigenvalues).sum())
    leading, directions = made.leading(n_components, centred=centred)
    # what rounding leaves of a zero eigenvalue is no direction; centring takes away what was larger
    rounding = n * EPS * max(mass, float(np.abs(made.eigenvalues).max()))
    leading = np.where(leading > rounding, leading, 0.0)
    largest = np.take_along_axis(directions, np.abs(directions).argmax(axis=0)[None, :], axis=0)
    directions = directions * np.where(largest < 0.0, -1.0, 1.0)
    share = leading / mass if mass > 0.0 else np.zeros(n_components)
    return PrincipalComponents(directions * np.sqrt(leading), share)
