"""Elementwise maps that shrink large diagonals: signed power, log(1 + |x|) and the scaled signed logarithm."""

from __future__ import annotations

import abc
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernex_core.base import lapack
from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, FloatArray, IntArray
from kernex_core.base.parameters import parameter
from kernex_core.base.validation import check_psd
from kernex_core.conditioning.repairs import FittedRepair, SpectralRepair
from kernex_core.gram.matrix import Matrix, unknown_entries
from kernex_core.gram.spectrum import Decomposition
from kernex_core.gram.step import CrossBlock, FittedStep, PairwiseFit, Sees, Step


class ElementMap(Step):
    """Base of the maps φ that act on every entry alone, odd and with φ(0) = 0; unknown entries stay unknown.

    The result is in general no longer positive semidefinite: a repair goes after it, or the map is used inside the
    empirical kernel map or the square root scheme.
    """

    @abc.abstractmethod
    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedElementMap:
        """See Step."""


def check_map(phi: object) -> None:
    """Refuse what is no map of entries, where a step takes one.

    Raises
    ------
    InvalidInputError
    """
    if not isinstance(phi, ElementMap):
        raise InvalidInputError(
            "φ has to be a map of entries: SignedPower, SignedLog or Log1p", type(phi).__name__
        )


class FittedElementMap(PairwiseFit):
    """A map φ of entries.

    Attributes
    ----------
    phi : callable
        Array to array of the same shape.
    """

    def __init__(self, diag_train: FloatArray, phi: Callable[[FloatArray], FloatArray]) -> None:
        super().__init__(diag_train.copy())
        self.phi = phi

    def entries(self, values: FloatArray, diag_rows: FloatArray, diag_columns: FloatArray) -> FloatArray:
        """See PairwiseFit."""
        return self.phi(values)

    def diagonal(self, diag: FloatArray) -> FloatArray:
        """See PairwiseFit."""
        return self.phi(diag)

    def error_bound(self, K: FloatArray, errors: FloatArray) -> FloatArray:
        """See FittedStep: φ rises, so that its values at both ends of what an entry may be bound the error."""
        middle, low, high = self.phi(K), self.phi(K - errors), self.phi(K + errors)
        return np.nan_to_num(np.maximum(high - middle, middle - low))


@dataclass(frozen=True)
class SignedPower(ElementMap):
    """Elementwise sgn(x) |x|^p (Schoelkopf et al. 2002, section 3); 0 stays 0 for every p."""

    name: ClassVar[str] = "signed power"
    sees: ClassVar[Sees] = Sees("pair")
    p: float = parameter(
        0.5,
        help="Power of every entry; 1 changes nothing.",
        symbol="p",
        low=0.0,
        high=1.0,
        open_low=True,
        step=0.05,
    )

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedElementMap:
        """See Step."""
        return FittedElementMap(np.diag(K_train), self._map)

    def _map(self, x: FloatArray) -> FloatArray:
        if self.p == 1.0:
            return x.copy()
        made = np.abs(x)
        made **= self.p
        np.negative(made, out=made, where=x < 0.0)
        return made


@dataclass(frozen=True)
class Log1p(ElementMap):
    """Elementwise sgn(x) log(1 + |x|); for raw scores, which span orders of magnitude."""

    name: ClassVar[str] = "log(1 + x)"
    sees: ClassVar[Sees] = Sees("pair")

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedElementMap:
        """See Step."""
        return FittedElementMap(np.diag(K_train), _signed_log)


@dataclass(frozen=True)
class SignedLog(ElementMap):
    """Elementwise sgn(x) log(1 + s |x|) with s = scale / mean diagonal of the fitted block.

    Without s the logarithm of small similarities is nearly linear and changes nothing. The fitted step reports s as
    `factor`.
    """

    name: ClassVar[str] = "signed log"
    sees: ClassVar[Sees] = Sees("fitted")
    scale: float = parameter(
        100.0,
        help="The mean self-similarity becomes log(1 + scale): the larger, the more the diagonal shrinks.",
        symbol="s",
        low=0.0,
        high=1e12,
        open_low=True,
        logarithmic=True,
    )

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedSignedLog:
        """See Step.

        Raises
        ------
        InvalidInputError
            If no self-similarity is known, or their mean is not above 0.
        """
        diag = np.diag(K_train)
        known = diag[~np.isnan(diag)]
        mean = float(known.mean()) if known.size else float("nan")
        if not mean > 0.0:
            raise InvalidInputError(
                "A scaled logarithm needs self-similarities with a mean above 0",
                f"{mean:.6g}" if known.size else "none known",
                "Use the power",
            )
        return FittedSignedLog(diag, self.scale / mean)


class FittedSignedLog(FittedElementMap):
    """A scaled logarithm that knows its factor s.

    Attributes
    ----------
    factor : float
    """

    def __init__(self, diag_train: FloatArray, factor: float) -> None:
        super().__init__(diag_train, lambda x: _signed_log(x, factor))
        self.factor = factor


def _signed_log(x: FloatArray, factor: float = 1.0) -> FloatArray:
    return np.asarray(np.sign(x) * np.log1p(factor * np.abs(x)))


def signed_power(K: Matrix, p: float) -> Matrix:
    """sgn(x) |x|^p of every entry; see SignedPower.

    Raises
    ------
    InvalidInputError
        Unless 0 < p <= 1.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import signed_power
    >>> signed_power(np.array([[9.0, -4.0], [-4.0, 1.0]]), p=0.5).tolist()
    [[3.0, -2.0], [-2.0, 1.0]]
    """
    return SignedPower(p)(K)


def signed_log(K: Matrix, scale: float | None = 100.0) -> Matrix:
    """sgn(x) log(1 + s|x|) of every entry, s = scale / mean diagonal; None is the paper's s = 1.

    Parameters
    ----------
    K : (n, n)
        NaN = unknown.
    scale : float, optional
        Above 0.

    Raises
    ------
    InvalidInputError
        A scale that is not above 0, or a mean diagonal that is not.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import signed_log
    >>> signed_log(np.array([[1.0, -3.0], [-3.0, 1.0]]), scale=None).round(3).tolist()
    [[0.693, -1.386], [-1.386, 0.693]]
    """
    return Log1p()(K) if scale is None else SignedLog(scale)(K)


# Functional calculus: φ acts on the eigenvalues of a kernel instead of on its entries.

ROUNDING = 1e-12
"""Eigenvalues below this share of the largest count as 0: a small power would make a direction out of them."""


@dataclass(frozen=True)
class SpectralMap(SpectralRepair):
    """φ(K) = U diag(φ(λ)) U' of K = U diag(λ) U' (Schoelkopf et al. 2002, section 3; φ = √ is the matrix root).

    It shares eigenvectors and their order with K, and is positive semidefinite again, because φ is 0 at 0 and does
    not fall. The scale of SignedLog is over the mean diagonal, as for entries.

    Parameters
    ----------
    phi : ElementMap
    """

    name: ClassVar[str] = "spectral map"
    method: ClassVar[str] = "spectral map"
    formula: ClassVar[str] = r"\sum_i \varphi(\lambda_i)\, u_i u_i^\top"
    summary: ClassVar[str] = "keeps the eigenvectors, maps the eigenvalues"
    changes_kernels: ClassVar[bool] = True
    phi: ElementMap = parameter(SignedPower(0.5), help="Map of every eigenvalue.", hidden=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_map(self.phi)

    def fitted(self, known: BoolArray, decomposition: Decomposition) -> FittedRepair:
        """See SpectralRepair.

        Raises
        ------
        NotPositiveSemidefiniteError
            A materially negative eigenvalue; the message names the repair.
        """
        check_psd(decomposition.eigenvalues)
        return super().fitted(known, decomposition)

    def spectrum(self, eigenvalues: FloatArray) -> FloatArray:
        """See SpectralRepair."""
        floor = ROUNDING * float(np.abs(eigenvalues).max())
        kept = np.where(eigenvalues < floor, 0.0, eigenvalues)
        # Σ λ is the trace, so that a matrix with the eigenvalues on its diagonal has the mean diagonal of K
        return self.phi.fit(np.diag(eigenvalues)).phi(kept)


def spectral_map(K: Matrix, p: float = 0.5, *, phi: ElementMap | None = None) -> Matrix:
    """U diag(λ^p) U'; see SpectralMap.

    Parameters
    ----------
    K : (n, n)
        Positive semidefinite; NaN = unknown.
    p : float
        Above 0, at most 1.
    phi : ElementMap, optional
        In place of the power.

    Raises
    ------
    InvalidInputError
        p out of range.
    NotPositiveSemidefiniteError
        A similarity that is no kernel.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import spectral_map
    >>> spectral_map(np.diag([4.0, 9.0]), p=0.5).diagonal().round(6).tolist()
    [2.0, 3.0]
    """
    return SpectralMap(SignedPower(p) if phi is None else phi)(K)


# Square root scheme: φ acts on the matrix square root, whose square is positive semidefinite again.

ZERO = 1e-12
"""Eigenvalues below this share of the largest count as 0."""


@dataclass(frozen=True)
class SquareRootMap(Step):
    """G = φ(A)² with A = √K, the symmetric root (Schoelkopf et al. 2002, section 3); φ = identity gives K.

    It rests on the eigenvectors of all items: transductive only.

    Parameters
    ----------
    phi : ElementMap
    """

    name: ClassVar[str] = "square root map"
    sees: ClassVar[Sees] = Sees("fitted")
    phi: ElementMap = parameter(SignedPower(0.5), help="Map of every entry of the root.", hidden=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_map(self.phi)

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedSquareRoot:
        """See Step.

        Raises
        ------
        InvalidInputError
            If no item is known.
        NotPositiveSemidefiniteError
            A materially negative eigenvalue; the message names the repair.
        """
        known = unknown_entries(K_train).known
        if not known.any():
            raise InvalidInputError("A square root needs at least one item with known similarities", "none")
        block = K_train[np.ix_(known, known)]
        eigenvalues, vectors = lapack.eigh((block + block.T) / 2.0)
        floor = ZERO * float(np.abs(eigenvalues).max())
        # what is within the floor is rounding; anything further below zero is refused
        check_psd(np.where(np.abs(eigenvalues) <= floor, 0.0, eigenvalues))
        roots = np.sqrt(np.where(eigenvalues < floor, 0.0, eigenvalues))
        A = (vectors * roots) @ vectors.T
        A = (A + A.T) / 2.0
        root = self.phi.fit(A).phi(A)
        return FittedSquareRoot(known, root @ root.T)


class FittedSquareRoot(FittedStep):
    """The finished matrix of the items that it was fitted on; there is no way to others.

    Attributes
    ----------
    known : (n,) bool
    values : (n_known, n_known) float
    """

    def __init__(self, known: BoolArray, values: FloatArray) -> None:
        self.known, self.values = known, values

    def apply(self, K: FloatArray) -> FloatArray:
        """See FittedStep."""
        if self.known.all():
            return self.values
        out = np.full_like(K, np.nan)
        out[np.ix_(self.known, self.known)] = self.values
        return out

    def apply_cross(
        self, K_cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None
    ) -> CrossBlock:
        """Refuse: the scheme says nothing about items outside the fitted block.

        Raises
        ------
        InvalidInputError
            Always.
        """
        raise InvalidInputError(
            "The square root scheme needs all items at once",
            "items outside the ones that it was fitted on",
            "Judge it transductively, or use the empirical kernel map, which takes new items",
        )


def square_root_map(K: Matrix, p: float = 0.5, *, phi: ElementMap | None = None) -> Matrix:
    """φ(√K)² with φ = sgn(x) |x|^p; see SquareRootMap.

    Parameters
    ----------
    K : (n, n)
        Positive semidefinite; NaN = unknown.
    p : float
        Above 0, at most 1.
    phi : ElementMap, optional
        In place of the power.

    Raises
    ------
    InvalidInputError
        p out of range.
    NotPositiveSemidefiniteError
        A similarity that is no kernel.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import square_root_map
    >>> square_root_map(np.diag([4.0, 9.0]), p=0.5).diagonal().round(6).tolist()
    [2.0, 3.0]
    """
    return SquareRootMap(SignedPower(p) if phi is None else phi)(K)
