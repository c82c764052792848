"""Locally linear embedding as a kernel, which new points extend: section 4.3 of "Kernel extrapolation"."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh, svd, svdvals
from scipy.sparse import csr_array

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, ReadOnlyArrays, owned
from kernex_core.base.parameters import check_choice, check_range
from kernex_core.base.validation import MOST_ITEMS, as_matrix, check_item_count, check_size, unit_of
from kernex_core.completion.neighbour_weights import (
    REGULARISATION,
    AffineWeights,
    VectorCloud,
    check_neighbours,
    closed_parts,
    gaps,
    new_weights,
    smooth_modes,
    weighing,
)
from kernex_core.gram.seen import ITEMS, marked
from kernex_core.gram.spectrum import decompose
from kernex_core.runtime.progress import Steps, finished, part


def lle_notes(weights: AffineWeights, columns: int | None = None) -> tuple[str, ...]:
    """What a reader has to know about a map of these weights.

    Parameters
    ----------
    weights : AffineWeights
        Of items on one another.
    columns : int, optional
        Columns of the items; None for a kernel.
    """
    notes: tuple[str, ...] = ()
    n, k = weights.near.shape
    parts = closed_parts(weights.sparse)
    if parts > 1:
        notes += (
            f"The neighbour graph has {parts} groups that lean on nobody outside: the first {parts - 1} "
            f"{'coordinate tells' if parts == 2 else 'coordinates tell'} the groups apart and nothing within them. "
            "Take more neighbours.",
        )
    same = int(((weights.apart == 0.0) & (weights.near < np.arange(n)[:, None])).any(axis=1).sum())
    if same:
        notes += (f"{same} of {n} items repeat another one exactly.",)
    if columns is not None and k > columns:
        notes += (
            f"There are more neighbours ({k}) than columns ({columns}): many weights reconstruct an item equally well, "
            "and the regularisation chooses the even ones.",
        )
    return notes


Form = Literal["identity", "paper", "bengio"]
FORMS: tuple[Form, ...] = ("identity", "paper", "bengio")
TRUNCATION = 0.1
"""Singular values of W below this share of the largest are left out of its inverse."""


@dataclass(frozen=True, eq=False)
class LleKernel(ReadOnlyArrays):
    """The kernel whose leading eigenvectors are the locally linear embedding.

    Attributes
    ----------
    X : (n, d) float
    n_neighbors : int
    reg : float
    W : (n, n) float
        Row i holds the weights that put x_i together from its neighbours; they sum to 1.
    a : float
        Largest eigenvalue of N = (I − W)'(I − W).
    gram : (n, n) float
        K = H (aI − N) H with H = I − 11'/n.
    eigenvalues : (n − 1,) float
        Of K, descending, without the one of the constant vector.
    eigenvectors : (n, n − 1) float
        Orthonormal; the largest entry of each is positive.
    notes : tuple of str
        What a reader has to know about this result.
    """

    X: FloatArray
    n_neighbors: int
    reg: float
    W: FloatArray
    a: float
    gram: FloatArray
    eigenvalues: FloatArray
    eigenvectors: FloatArray
    notes: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """Number of items."""
        return int(self.X.shape[0])

    @cached_property
    def _factors(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        U, singular, Vt = svd(self.W, check_finite=False)
        return U, singular, Vt

    @property
    def condition(self) -> float:
        """cond(W), largest over smallest singular value; the paper's form divides by W. Infinite where W is singular."""
        singular = self._factors[1]
        return float(singular[0] / singular[-1]) if singular[-1] > 0.0 else np.inf

    def embed(self, n_components: int = 2) -> FloatArray:
        """(n, q) coordinates F of the items, F'F = I: eigenvectors of the largest eigenvalues of K.

        Raises
        ------
        InvalidInputError
            More than n − 1 components.
        """
        return self.eigenvectors[:, : self._components(n_components)]

    def weights(self, X_new: ArrayLike) -> FloatArray:
        """(n_new, n) affine weights φ(x) of new points on their nearest items.

        Raises
        ------
        InvalidInputError
            Another number of columns than X, or unknown entries.
        """
        rows = check_size(as_matrix(X_new, "X_new"), "X_new")
        if rows.shape[1] != self.X.shape[1]:
            raise InvalidInputError(
                f"New points need the columns of the items ({self.X.shape[1]})", f"{rows.shape[1]} columns"
            )
        return new_weights(self.X, rows, self.n_neighbors, self.reg)

    def embed_new(
        self,
        X_new: ArrayLike,
        n_components: int = 2,
        *,
        form: Form = "identity",
        truncation: float = TRUNCATION,
    ) -> FloatArray:
        """(n_new, q) coordinates of new points, k(x, ·) projected on the eigenvectors v_c with eigenvalues λ_c.

        - identity: Φ = I on the items, Q = K, so k(x, ·) = φ(x)'K and the coordinate is φ(x)'K v_c / λ_c = φ(x)'v_c:
          what scikit-learn's LocallyLinearEmbedding.transform gives.
        - paper: Φ = W', Q = W⁻¹ K W⁻ᵀ, so the coordinate is φ(x)'W⁻¹ v_c. W is badly conditioned; its singular values
          below `truncation` times the largest are left out.
        - bengio: k(x, x_i) = (a − 1) φ_i(x) and k(x, x) = 0, projected with α = v_c / λ_c: the coordinate is
          φ(x)'v_c (a − 1) / λ_c, nearer to the origin than the items.

        Parameters
        ----------
        X_new : (n_new, d)
        n_components : int
            1 to n − 1.
        form : {"identity", "paper", "bengio"}
        truncation : float
            0 to below 1; for the paper's form alone. 0 leaves out only what is zero up to rounding.

        Raises
        ------
        InvalidInputError
            Unknown entries, other columns than X, or a parameter out of range.

        Notes
        -----
        Vishwanathan, Borgwardt, Guttman, Smola, Kernel extrapolation, 2006, section 4.3; Bengio et al., Out-of-sample
        extensions for LLE, Isomap, MDS, eigenmaps, and spectral clustering, NIPS 2003, section 3.
        """
        check_choice("The form", form, FORMS)
        q, phi = self._components(n_components), self.weights(X_new)
        directions = self.eigenvectors[:, :q]
        if form == "paper":
            return np.asarray(phi @ self._through_inverse(directions, truncation))
        if form == "bengio":
            return np.asarray(phi @ directions * shrunk(self.a, self.eigenvalues[:q]))
        return np.asarray(phi @ directions)

    def _through_inverse(self, directions: FloatArray, truncation: float) -> FloatArray:
        share = check_range("The truncation", truncation, 0.0, 1.0, open_high=True)
        U, singular, Vt = self._factors
        kept = singular > max(share, self.n * np.finfo(np.float64).eps) * singular[0]
        return np.asarray(Vt[kept].T @ (U[:, kept].T @ directions / singular[kept, None]))

    def _components(self, n_components: int) -> int:
        if isinstance(n_components, bool) or not isinstance(n_components, int | np.integer):
            raise InvalidInputError("The number of components has to be a whole number", repr(n_components))
        if not 1 <= n_components < self.n:
            raise InvalidInputError(
                f"The number of components has to lie in 1 to {self.n - 1}", str(n_components)
            )
        return int(n_components)


def shrunk(a: float, eigenvalues: FloatArray) -> FloatArray:
    """(a − 1) / λ_c, by which a coordinate of Bengio's form is nearer to the origin; 0 where K has no such direction."""
    there = eigenvalues > np.finfo(np.float64).eps * a
    return np.where(there, (a - 1.0) / np.where(there, eigenvalues, 1.0), 0.0)


def lle_kernel(X: ArrayLike, n_neighbors: int = 5, *, reg: float = REGULARISATION) -> LleKernel:
    """The kernel of locally linear embedding, K = H (aI − N) H (Kernel extrapolation, section 4.3).

    Parameters
    ----------
    X : (n, d)
        One item a row, known everywhere. Columns count as they are: standardise them first if their units differ.
    n_neighbors : int
        1 to n − 1, the item itself excluded.
    reg : float
        Above 0, relative to the trace of the local Gram matrix.

    Raises
    ------
    InvalidInputError
        Unknown entries, fewer than two items, or a parameter out of range.
    TooLargeError
        More than MOST_ITEMS items.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import lle_kernel
    >>> line = np.arange(12.0)[:, None] * [[1.0, 2.0]]
    >>> places = lle_kernel(line, 2).embed(1).ravel()
    >>> bool(np.all(np.diff(places) > 0) or np.all(np.diff(places) < 0))
    True
    """
    rows = check_size(as_matrix(X), "X")
    n = rows.shape[0]
    if n < 2:
        raise InvalidInputError("An embedding needs at least two items", str(n))
    check_item_count(n, MOST_ITEMS)
    k = check_neighbours(n_neighbors, n)
    items = np.arange(n)
    weights = finished(weighing(VectorCloud(rows / unit_of(rows), n), items, items, k, reg))
    return kernel_of_weights(weights.dense, rows, k, reg, lle_notes(weights, rows.shape[1]))


def kernel_of_weights(
    W: FloatArray,
    X: FloatArray,
    n_neighbors: int,
    reg: float = REGULARISATION,
    notes: tuple[str, ...] = (),
) -> LleKernel:
    """The kernel of given weights; see `lle_kernel`."""
    n = W.shape[0]
    gap = np.eye(n) - W
    gap -= gap.mean(axis=1, keepdims=True)  # rows sum to 0 but for rounding: N H = N
    N = gap.T @ gap
    N = (N + N.T) / 2.0
    # the constant vector is an eigenvector of N with 0; lifted above all others it does not mix with embeddings
    top = float(np.linalg.norm(N)) or 1.0
    mu, vectors = eigh(N + 2.0 * top / n, check_finite=False)
    mu, vectors = np.maximum(mu[:-1], 0.0), vectors[:, :-1]
    a = float(mu[-1])
    K = -N - a / n
    K[np.diag_indices(n)] += a
    largest = np.take_along_axis(vectors, np.abs(vectors).argmax(axis=0)[None, :], axis=0)
    vectors = vectors * np.where(largest < 0.0, -1.0, 1.0)
    return LleKernel(X, n_neighbors, reg, W, a, marked(owned((K + K.T) / 2.0), ITEMS), a - mu, vectors, notes)


# Locally linear embedding as a map alone: a few coordinates, and what places new points in it.
#
# `LleKernel` holds the whole kernel with every eigenvector; a map of thousands of items needs three or
# five of them, and those of the smoothest quantities on its neighbour graph (`lle_modes`).

_SQUARED = 1e-10
"""Smallest squared singular value, of the largest, that the eigenvalues of W'W still tell."""


@dataclass(frozen=True, eq=False)
class LleMap(ReadOnlyArrays):
    """Coordinates of n items, and what carries them to new ones.

    Attributes
    ----------
    coordinates : (n, q) float
        Eigenvectors v_c of the largest eigenvalues of K = H (aI − N) H; orthonormal, the largest entry of each positive.
    eigenvalues : (q,) float
        λ_c of K, descending.
    a : float
        Largest eigenvalue of N = (I − W)'(I − W).
    through : (n, q) float or None
        W⁻¹ v_c, singular values of W below TRUNCATION times the largest left out; None where it was not asked for.
    condition : float
        cond(W), largest over smallest singular value; infinite where W is singular, NaN where it was not asked for.
    """

    coordinates: FloatArray
    eigenvalues: FloatArray
    a: float
    through: FloatArray | None
    condition: float

    def place(self, weights: AffineWeights) -> dict[str, FloatArray]:
        """Coordinates (m, q) of new points by each form of `LleKernel.embed_new`, by its name."""
        made = {"identity": weights.of(self.coordinates)}
        if self.through is not None:
            made["paper"] = weights.of(self.through)
        return made | {"bengio": made["identity"] * shrunk(self.a, self.eigenvalues)}


def lle_mapping(weights: AffineWeights, n_components: int, *, paper: bool = False) -> Steps[LleMap]:
    """The map of given weights of n items on one another, in steps.

    Parameters
    ----------
    weights : AffineWeights
        Of n points on n items: these points.
    n_components : int
        1 to n − 1.
    paper : bool
        Whether the paper's form of placing is made ready, which takes all singular values of W.
    """
    W = weights.sparse
    mu, vectors, a = yield from part(smooth_modes(W, n_components), 0.0, 0.9)
    signs = np.take_along_axis(vectors, np.abs(vectors).argmax(axis=0)[None, :], axis=0)
    vectors = vectors * np.where(signs < 0.0, -1.0, 1.0)
    yield 0.9
    through, condition = _through_inverse(W, vectors) if paper else (None, float("nan"))
    return LleMap(vectors, a - mu, a, through, condition)


def lle_gram(weights: AffineWeights) -> FloatArray:
    """(n, n) the kernel K = H (aI − N) H of given weights of n items on one another; see `locally_linear.LleKernel`."""
    N = np.asarray(gaps(weights.sparse).todense())
    N = (N + N.T) / 2.0
    a = max(float(-decompose(-N).centred_eigenvalues[0]), 0.0)
    K = -N - a / weights.n
    K[np.diag_indices(weights.n)] += a
    return np.asarray(K)


def _through_inverse(W: csr_array, directions: FloatArray) -> tuple[FloatArray, float]:
    """W⁻¹ directions without small singular values, and cond(W), from the eigenvalues of W'W: half the work of W's own."""
    squares, V = eigh((W.T @ W).todense(), check_finite=False, driver="evd")
    kept = squares > TRUNCATION**2 * squares[-1]
    through = V[:, kept] @ ((V[:, kept].T @ (W.T @ directions)) / squares[kept, None])
    if squares[0] > _SQUARED * squares[-1]:
        return np.asarray(through), float(np.sqrt(squares[-1] / squares[0]))
    singular = svdvals(W.todense(), check_finite=False)
    return np.asarray(through), float(singular[0] / singular[-1]) if singular[-1] > 0.0 else np.inf
