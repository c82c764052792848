"""Empirical kernel map: items described by φ of their similarities to a basis; positive semidefinite for every φ."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, FloatArray, IntArray
from kernex_core.base.parameters import parameter
from kernex_core.base.validation import (
    EPS,
    as_square,
    check_digits_kept,
    check_symmetric,
    largest_size,
    power_of_ten,
)
from kernex_core.conditioning.power import ElementMap, FittedElementMap, SignedPower, check_map
from kernex_core.gram.matrix import GramMatrix, Matrix, as_positions, unknown_entries
from kernex_core.gram.step import CrossBlock, FittedStep, Sees, Step


@dataclass(frozen=True)
class EmpiricalMap(Step):
    """G = E E' with E = φ(K[:, B]) (Schoelkopf et al. 2002, section 3).

    Fitted on all items the basis B holds test items too (their similarities, never their labels): transductive.
    Fitted inside a fold B is the training items, and a test item is φ(k(x, x_B)): inductive, without a look at the
    similarities among test items. The published tables fit the former, the paper's text names the latter.

    K scaled by c scales G by c^(2p): divide by the mean diagonal before a fixed C.

    Parameters
    ----------
    phi : ElementMap
        SignedPower(p), SignedLog(scale) or Log1p(); the identity is SignedPower(1.0).
    basis : tuple of int, optional
        Positions in the whole data set; of those only the items that the step is fitted on count. None: all of them.
    """

    name: ClassVar[str] = "empirical map"
    sees: ClassVar[Sees] = Sees("fitted")
    phi: ElementMap = parameter(SignedPower(0.5), help="Map of every similarity.", hidden=True)
    basis: tuple[int, ...] | None = parameter(
        None, help="Items that the others are described by.", hidden=True, optional=True
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_map(self.phi)

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedEmpiricalMap:
        """See Step.

        Raises
        ------
        InvalidInputError
            If no item of the basis is known, or φ cannot be fitted.
        """
        known = unknown_entries(K_train).known
        columns = known.copy()
        if self.basis is not None:
            at = np.arange(K_train.shape[0]) if items is None else np.asarray(items)
            columns &= np.isin(at, self.basis)
        if not columns.any():
            raise InvalidInputError("The basis needs at least one item with known similarities", "none")
        # a copy of a large matrix costs as much as φ itself
        block = K_train if known.all() else K_train[np.ix_(known, known)]
        similarities = block if columns[known].all() else block[:, columns[known]]
        return FittedEmpiricalMap(self.phi.fit(block), similarities, known, columns)

    def take(self, items: IntArray) -> EmpiricalMap:
        """See Step: the basis follows its items.

        Raises
        ------
        InvalidInputError
            If the selection holds no item of the basis.
        """
        if self.basis is None:
            return self
        kept = tuple(place for place, item in enumerate(np.asarray(items).tolist()) if item in self.basis)
        if not kept:
            raise InvalidInputError("The selection has to hold an item of the basis", "none")
        return replace(self, basis=kept)


class FittedEmpiricalMap(FittedStep):
    """The map with its basis.

    Attributes
    ----------
    phi : FittedElementMap
    known : (n,) bool
        Fitted items whose similarities are known; everything about the others stays unknown.
    columns : (n,) bool
        The basis.
    features : (n_known, n_basis) float
        E of the known items.
    """

    def __init__(
        self, phi: FittedElementMap, similarities: FloatArray, known: BoolArray, columns: BoolArray
    ) -> None:
        self.phi, self.known, self.columns = phi, known, columns
        self.features = phi.phi(similarities)

    def apply(self, K: FloatArray) -> FloatArray:
        """See FittedStep.

        Raises
        ------
        InvalidInputError
            Similarities so large, or so small, that their sums of squares leave the range of numbers.
        """
        exponent = 2.0 * power_of_ten(largest_size(self.features))
        check_digits_kept(
            exponent, "The empirical map", "Divide the similarities by their mean diagonal first"
        )
        with np.errstate(over="ignore", invalid="ignore"):
            G = self.features @ self.features.T
        # no entry is above the largest of the diagonal
        if not np.isfinite(np.diag(G)).all():
            largest = float(np.abs(self.features).max())
            raise InvalidInputError(
                "The empirical map needs sums of squares that fit a floating-point number",
                f"entries up to {largest:.3g} after φ",
                "Divide the similarities by their mean diagonal first",
            )
        if self.known.all():
            return np.asarray(G)
        out = np.full_like(K, np.nan)
        out[np.ix_(self.known, self.known)] = G
        return out

    def apply_cross(
        self, K_cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None
    ) -> CrossBlock:
        """See FittedStep; a new item with an unknown similarity to the basis is unknown."""
        rows = self.features_of(K_cross[:, self.columns])
        out = np.full_like(K_cross, np.nan)
        out[:, self.known] = rows @ self.features.T
        return CrossBlock(out, np.einsum("ij,ij->i", rows, rows))

    def features_of(self, similarities: FloatArray) -> FloatArray:
        """Features (n_new, n_basis) of items by their similarities to the basis."""
        return self.phi.phi(similarities)


@dataclass(frozen=True)
class StandardisedMap(EmpiricalMap):
    """G = Z Z', Z = (E − mean) / sd of every column of E = φ(K[:, B]), over the items that it is fitted on.

    For comparison with the plain map (Schoelkopf et al. 2002, section 3): every similarity to a basis item counts alike,
    whatever its size. A column that is the same for all items becomes 0. K scaled by c leaves G as it is.
    """

    name: ClassVar[str] = "standardised map"

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedStandardisedMap:
        """See EmpiricalMap."""
        return FittedStandardisedMap(super().fit(K_train, items=items))


class FittedStandardisedMap(FittedEmpiricalMap):
    """The map with its basis, and mean and standard deviation of every feature."""

    def __init__(self, plain: FittedEmpiricalMap) -> None:
        self.phi, self.known, self.columns = plain.phi, plain.known, plain.columns
        # over the largest first, so that squares of tiny or huge features neither vanish nor overflow
        largest = np.abs(plain.features).max(axis=0)
        self.unit = np.where(largest > 0.0, largest, 1.0)
        E = plain.features / self.unit
        self.mean, sd = E.mean(axis=0), E.std(axis=0)
        self.sd = np.where(sd > EPS * np.sqrt(E.shape[0]), sd, np.inf)
        self.features = (E - self.mean) / self.sd

    def features_of(self, similarities: FloatArray) -> FloatArray:
        """See FittedEmpiricalMap; with mean and standard deviation of the fitted items."""
        return np.asarray((super().features_of(similarities) / self.unit - self.mean) / self.sd)


def empirical_map(
    K: Matrix, p: float = 0.5, basis: ArrayLike | None = None, phi: ElementMap | None = None
) -> Matrix:
    """E E' with E = sgn(K[:, B]) |K[:, B]|^p; see EmpiricalMap.

    Parameters
    ----------
    K : (n, n)
        Symmetric, definite or not; NaN = unknown.
    p : float
        Above 0, at most 1.
    basis : (n,) bool or (b,) int, optional
        Mask or positions of the items that all are described by; all of them by default (transductive).
    phi : ElementMap, optional
        In place of the power.

    Raises
    ------
    InvalidInputError
        K not symmetric, p out of range, or a basis that is empty or out of range.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import empirical_map
    >>> empirical_map(np.array([[4.0, 1.0], [1.0, 9.0]]), p=0.5).tolist()
    [[5.0, 5.0], [5.0, 10.0]]
    """
    phi = SignedPower(p) if phi is None else phi
    given = K
    if not isinstance(K, GramMatrix):
        given = as_square(K, allow_nan=True)
        check_symmetric(given)
    if basis is None:
        return EmpiricalMap(phi)(given)
    positions = tuple(
        as_positions(basis, given.shape[0] if isinstance(given, np.ndarray) else given.n).tolist()
    )
    return EmpiricalMap(phi, positions)(given)
