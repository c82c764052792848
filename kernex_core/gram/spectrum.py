"""The eigendecomposition of a symmetric matrix, made once for everything that is read off it.

Diagnosis, repairs and map of a kernel share one: the reduction to tridiagonal form, from which eigenvalues cost next to
nothing, and eigenvectors are made when the first asks for them.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import eigh_tridiagonal

from kernex_core.base import lapack
from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, ReadOnlyArrays, owned
from kernex_core.base.validation import EPS, as_symmetric, is_plainly_kernel, psd_tolerance, unit_of
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
            turning = self.form.turning(lapack.vectors_of(self.form.diagonal, self.form.beside))
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


def largest_eigenvalue(K: FloatArray) -> float:
    """The largest eigenvalue of a kernel (n, n); of many items by Lanczos, a tenth of the time that all take."""
    if len(K) < ALONE:
        return float(lapack.eigvalsh(K)[-1])
    from scipy.sparse.linalg import ArpackError, eigsh

    start = 1.0 + np.random.default_rng(0).uniform(size=len(K))
    with suppress(ArpackError):
        return float(eigsh(K, 1, which="LA", v0=start, return_eigenvectors=False)[0])
    return float(lapack.eigvalsh(K)[-1])


def _values(diagonal: FloatArray, beside: FloatArray) -> FloatArray:
    if diagonal.size == 0:
        return np.zeros(0)
    return lapack.eigenvalues_of(diagonal, beside)


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
    return finished(pca_in_steps(K, n_components, centred=centred, decomposition=decomposition))


def pca_in_steps(
    K: GramMatrix | FloatArray,
    n_components: int = 2,
    *,
    centred: bool = True,
    decomposition: Decomposition | None = None,
    any_size: bool = False,
) -> Steps[PrincipalComponents]:
    """`kernel_pca` in steps: leading components alone where that is enough, from all of them elsewhere.

    With `any_size` entries may be beyond those whose squares can be computed.
    """
    values = as_symmetric(K, any_size=any_size) if decomposition is None else None
    n = len(values) if values is not None else 0 if decomposition is None else decomposition.n
    if not 1 <= n_components <= n:
        raise InvalidInputError(f"The number of components has to lie in 1 to {n}", str(n_components))
    if values is not None:
        yield 0.0
        alone = _leading_alone(values, n_components, centred=centred)
        if alone is not None:
            return _components(*alone)
        decomposition = yield from decomposing(values)
    assert decomposition is not None  # one of both was given or is made
    made = decomposition
    mass = float(np.abs(made.centred_eigenvalues if centred else made.eigenvalues).sum())
    leading, directions = made.leading(n_components, centred=centred)
    # what rounding leaves of a zero eigenvalue is no direction; centring takes away what was larger
    rounding = n * EPS * max(mass, float(np.abs(made.eigenvalues).max()))
    return _components(np.where(leading > rounding, leading, 0.0), directions, mass)


def _components(leading: FloatArray, directions: FloatArray, mass: float) -> PrincipalComponents:
    """Components of eigenvalues (q,) and unit vectors (n, q); `mass` is the sum of all absolute eigenvalues."""
    largest = np.take_along_axis(directions, np.abs(directions).argmax(axis=0)[None, :], axis=0)
    directions = directions * np.where(largest < 0.0, -1.0, 1.0)
    share = leading / mass if mass > 0.0 else np.zeros(leading.size)
    return PrincipalComponents(directions * np.sqrt(leading), share)


ALONE = 601
"""Items from which a few leading components are looked for alone: up to 600 LAPACK takes no longer for all of them."""
FEW = 32
"""One component in so many items is few."""
APART, PRECISE = 1e-4, 1e-11
"""Distance of neighbouring eigenvalues, of the largest, from which vectors are told; and their error that is left."""
MORE, STEPS, LOOKS = 5, 15, 3
"""Columns of a block beyond the components, blocks after which all eigenvalues are the faster way, and blocks a look."""


def _leading_alone(K: FloatArray, q: int, *, centred: bool) -> tuple[FloatArray, FloatArray, float] | None:
    """The q largest eigenvalues of a kernel, descending, their vectors, and the sum of all; None where they need the others.

    They do where K is no kernel, whose negative eigenvalues count in the sum; where two of them lie side by side, so
    that their vectors are told by little; and where there are so many that all of them take no longer.
    """
    n, unit = len(K), unit_of(K)
    if n < max(ALONE, FEW * q):
        return None
    C = K / unit
    if not is_plainly_kernel(C):
        return None
    largest = n * EPS * float(np.trace(C))
    if centred:
        means = C.mean(axis=0)
        C -= means
        C -= (means - means.mean())[:, None]
    mass = float(np.trace(C))
    made = _krylov(C, q, n * EPS * mass)
    if made is None:
        return None
    found, vectors, rank = made
    # beyond the rank of the kernel components are zero; what may be rounding of what centring took away needs a closer look
    if rank == 0 or found[rank - 1] <= largest:
        return None
    # without those that were found none may be left above the middle of the last two
    rest = -C + (vectors[:, :rank] * found[:rank]) @ vectors[:, :rank].T
    rest[np.diag_indices(n)] += 0.5 * (found[rank - 1] + found[rank])
    if not lapack.is_definite(rest.T):
        return None
    found[rank:] = 0.0
    return unit * found[:q], vectors[:, :q], unit * mass


def _krylov(C: FloatArray, q: int, rounding: float) -> tuple[FloatArray, FloatArray, int] | None:
    """Eigenvalues (q + 1,), descending, their vectors, and how many of the first q are above rounding; None if not told.

    By Rayleigh and Ritz in the span of X, CX, C²X, ... for a block X (Golub and Van Loan 2013, section 10.3.6), which is the
    same every time. The error of a vector is at most its residual over the distance to the next eigenvalue.
    """
    n, width = len(C), q + MORE
    block = np.linalg.qr(np.random.default_rng(0).normal(size=(n, width)))[0]
    basis, images = np.empty((2, n, STEPS * width))
    for at in range(0, STEPS * width, width):
        size = at + width
        basis[:, at:size] = block
        images[:, at:size] = C @ block
        B, CB = basis[:, :size], images[:, :size]
        if size % (LOOKS * width) == 0:
            T = B.T @ CB
            found, S = np.linalg.eigh((T + T.T) / 2.0)
            found, S = found[: -q - 2 : -1], S[:, : -q - 2 : -1]
            rank = min(q, int((found > rounding).sum()))
            gaps = found[:rank] - found[1 : rank + 1]
            apart = np.minimum(gaps, np.append(np.inf, gaps)[:rank])
            vectors = B @ S
            residual = np.linalg.norm(CB @ S[:, :rank] - vectors[:, :rank] * found[:rank], axis=0)
            if (residual <= PRECISE * apart).all():
                return (found, vectors, rank) if (gaps > APART * found[0]).all() else None
            blocks = size // width
            if blocks > LOOKS and (residual > PRECISE ** (0.5 * blocks / STEPS) * apart).any():
                return None  # at this pace they will not be found
        block = images[:, at:size]
        for _ in range(2):  # the second time what rounding has left of the first
            block = np.linalg.qr(block - B @ (B.T @ block))[0]
    return None
