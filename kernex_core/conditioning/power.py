"""Elementwise maps that shrink large diagonals: signed power, log(1 + |x|) and the scaled signed logarithm."""

from __future__ import annotations

import abc
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray
from kernex_core.gram.matrix import Matrix
from kernex_core.gram.step import PairwiseFit, Sees, Step
from kernex_core.parameters import parameter


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

    def errors(self, K: FloatArray, errors: FloatArray) -> FloatArray:
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
        return x.copy() if self.p == 1.0 else np.asarray(np.sign(x) * np.abs(x) ** self.p)


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
