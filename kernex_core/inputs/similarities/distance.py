"""Distances become similarities: the guess, and the conversions as steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.parameters import parameter
from kernex_core.gram.normalize import Center
from kernex_core.gram.step import CrossBlock, FittedStep, PairwiseFit, Sees, Step

NEAR, FAR = 1e-150, 1e150
"""Between these the square of a distance keeps its digits."""
NEAREST = 1.0 / float(np.finfo(np.float64).max)
"""The smallest distance that 1/d is a number of."""


def guess_distance(values: FloatArray) -> bool:
    """Whether a square matrix looks like distances: nothing but zeros on the diagonal, positive elsewhere.

    Parameters
    ----------
    values : (n, n) float
        NaN = unknown.
    """
    diagonal = np.diag(values)
    known = diagonal[~np.isnan(diagonal)]
    # what most similarities have is seen without a look at each
    if known.size == 0 or (np.abs(known) > 1e-9 * np.fmax.reduce(values, axis=None)).any():
        return False
    others = off_diagonal(values)
    if others.size == 0:
        return False
    return bool((np.abs(known) <= 1e-9 * others.max()).all() and (others >= 0.0).all() and others.max() > 0.0)


MOST_LOOKED_AT: Final = 100
"""Pairs at distance 0 that are looked at."""
APART: Final = 0.1
"""Share of the largest distance by which items at distance 0 may differ in their distances to another one: rounding."""


def zero_apart(values: FloatArray) -> tuple[int, int] | None:
    """Two items at distance 0 whose distances to a third differ, as no distances do, or None."""
    for i, j in np.argwhere(np.triu(values == 0.0, 1))[:MOST_LOOKED_AT].tolist():
        gap = np.abs(values[i] - values[j])
        if np.fmax.reduce(gap) > APART * np.fmax.reduce(values, axis=None):
            return i, j
    return None


def off_diagonal(values: FloatArray) -> FloatArray:
    """Known entries above the diagonal, as a vector."""
    entries = values[~np.tri(values.shape[0], dtype=np.bool_)]
    return np.asarray(entries[~np.isnan(entries)])


def _check_squares(D: FloatArray) -> None:
    """Refuse distances whose squares would be infinite, or all but 0: what is computed of them says nothing."""
    known = off_diagonal(D)
    if known.size and known.max() > 0.0 and not NEAR < known.max() < FAR:
        raise InvalidInputError(
            f"Distances that are squared have to be between {NEAR:.0e} and {FAR:.0e}",
            f"{known.max():.3g} as the largest",
            "Divide all of them by one number before, or choose max − d or 1/d, which square nothing",
        )


def median_gamma(D: FloatArray) -> float:
    """Default width, γ = 1 / median of d² over pairs i < j; 1 where that median is 0 or unknown.

    Raises
    ------
    InvalidInputError
        Distances whose squares are no numbers any more.
    """
    _check_squares(D)
    squares = off_diagonal(D) ** 2
    median = float(np.median(squares)) if squares.size else 0.0
    return 1.0 / median if median > 0.0 else 1.0


@dataclass(frozen=True)
class GaussianOfDistance(Step):
    """Gaussian of distances, exp(−γ d_ij²).

    Positive semidefinite for Euclidean distances. γ defaults to 1 / median d² of the items that it is fitted on.

    Raises
    ------
    InvalidInputError
        No γ, and distances whose squares are no numbers any more.
    """

    gamma: float | None = parameter(
        None,
        help="Width.",
        symbol=r"\gamma",
        low=0.0,
        open_low=True,
        optional=True,
        auto="1 / median of d²",
        logarithmic=True,
    )

    name: ClassVar[str] = "Gaussian of distance"

    @property
    def sees(self) -> Sees:  # type: ignore[override]
        """A width that is given is the same for every pair."""
        return Sees("fitted" if self.gamma is None else "pair")

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedStep:
        """See Step."""
        gamma = median_gamma(K_train) if self.gamma is None else self.gamma

        def gaussian(d: FloatArray) -> FloatArray:
            with np.errstate(over="ignore"):  # beyond all numbers is as far as can be: 0
                return np.asarray(np.exp(-gamma * d**2))

        return _Mapped(K_train, gaussian)


@dataclass(frozen=True)
class ReversedDistance(Step):
    """Reversed distances, c − d_ij, with c = 1, any number, or the largest distance of the fitted items."""

    top: float | None = parameter(
        None, help="What distances are taken from.", symbol="c", optional=True, auto="the largest distance"
    )

    name: ClassVar[str] = "reversed distance"

    @property
    def sees(self) -> Sees:  # type: ignore[override]
        """What is given to take distances from is the same for every pair."""
        return Sees("fitted" if self.top is None else "pair")

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedStep:
        """See Step."""
        top = float(np.nanmax(K_train)) if self.top is None else self.top
        return _Mapped(K_train, lambda d: top - d)


@dataclass(frozen=True)
class InverseDistance(Step):
    """Inverse distances, 1 / d_ij between items; each item's similarity to itself is the largest among all pairs.

    Raises
    ------
    InvalidInputError
        Two different items at distance 0, or nearly so.
    """

    name: ClassVar[str] = "inverse distance"
    sees: ClassVar[Sees] = Sees("fitted")

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedStep:
        """See Step."""
        apart = ~np.eye(K_train.shape[0], dtype=np.bool_)
        if (K_train[apart] == 0.0).any():
            i, j = (int(k) for k in np.argwhere((K_train == 0.0) & apart)[0])
            raise InvalidInputError(
                "1/d needs different items to be apart",
                f"distance 0 between items {i + 1} and {j + 1}",
                "Choose another conversion, or remove the duplicate",
            )
        others = off_diagonal(K_train)
        if others.size and others.min() < NEAREST:
            raise InvalidInputError(
                f"1/d needs distances of at least {NEAREST:.2g}",
                f"{others.min():.3g}",
                "Multiply all of them by one number before",
            )
        return _Inverse(1.0 / float(others.min()) if others.size else 1.0)


@dataclass(frozen=True)
class CentredSquares(Step):
    """Double centring of squared distances, −½ H D² H with H = I − 11'/n (classical scaling; Torgerson 1952).

    Euclidean distances give the Gram matrix of centred coordinates. New items are centred by the fitted ones.

    Raises
    ------
    InvalidInputError
        Unknown distances, or some whose squares are no numbers any more.
    """

    name: ClassVar[str] = "double centring"
    sees: ClassVar[Sees] = Sees("fitted")

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedStep:
        """See Step."""
        if np.isnan(K_train).any():
            raise InvalidInputError(
                "Double centring needs every distance",
                f"{int(np.isnan(K_train).sum())} unknown entries",
                "Choose exp(−γ d²), 1 − d, max − d or 1/d, which keep unknown entries unknown",
            )
        _check_squares(K_train)
        return _Centred(Center().fit(-0.5 * K_train**2))


CONVERSIONS: Mapping[str, tuple[str, Callable[[float | None], Step]]] = {
    "gaussian": ("exp(−γ d²)", GaussianOfDistance),
    "one_minus": ("1 − d", lambda _: ReversedDistance(top=1.0)),
    "max_minus": ("max − d", lambda _: ReversedDistance()),
    "inverse": ("1/d", lambda _: InverseDistance()),
    "centring": ("−½ H D² H", lambda _: CentredSquares()),
}
"""Choices of the option `conversion`: formula, and the step made from γ."""


class _Mapped(PairwiseFit):
    """An entry by entry function of the distances."""

    def __init__(self, K_train: FloatArray, function: Callable[[FloatArray], FloatArray]) -> None:
        super().__init__(np.diag(K_train).copy())
        self.function = function

    def entries(self, values: FloatArray, diag_rows: FloatArray, diag_columns: FloatArray) -> FloatArray:
        return self.function(values)

    def diagonal(self, diag: FloatArray) -> FloatArray:
        return self.function(diag)

    def error_bound(self, K: FloatArray, errors: FloatArray) -> FloatArray:
        # the maps fall, over distances that are not below 0
        middle, near, far = map(self.function, (K, np.maximum(K - errors, 0.0), K + errors))
        return np.nan_to_num(np.maximum(near - middle, middle - far))


class _Inverse(FittedStep):
    def __init__(self, own: float) -> None:
        self.own = own

    def apply(self, K: FloatArray) -> FloatArray:
        inverse = K.copy()
        np.fill_diagonal(inverse, 1.0)
        inverse = 1.0 / inverse
        np.fill_diagonal(inverse, np.where(np.isnan(np.diag(K)), np.nan, self.own))
        return inverse

    def apply_cross(
        self, K_cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None
    ) -> CrossBlock:
        # a new item on top of a fitted one is as alike to it as an item is to itself
        inverse = np.where(K_cross == 0.0, self.own, 1.0 / np.where(K_cross == 0.0, 1.0, K_cross))
        return CrossBlock(inverse, np.where(np.isnan(diag), np.nan, self.own))


class _Centred(FittedStep):
    def __init__(self, center: FittedStep) -> None:
        self.center = center

    def apply(self, K: FloatArray) -> FloatArray:
        return self.center.apply(-0.5 * K**2)

    def error_bound(self, K: FloatArray, errors: FloatArray) -> FloatArray:
        return self.center.error_bound(K, np.asarray(np.abs(K) * errors + 0.5 * errors**2))

    def apply_cross(
        self, K_cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None
    ) -> CrossBlock:
        return self.center.apply_cross(-0.5 * K_cross**2, -0.5 * diag**2, items=items)
