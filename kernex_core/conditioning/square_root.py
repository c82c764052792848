"""Square root scheme: φ acts on the matrix square root, whose square is positive semidefinite again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.linalg import eigh

from kernex_core.conditioning.power import ElementMap, SignedPower, check_map
from kernex_core.errors import InvalidInputError
from kernex_core.frozen import BoolArray, FloatArray, IntArray
from kernex_core.gram.matrix import Matrix
from kernex_core.gram.step import CrossBlock, FittedStep, Sees, Step
from kernex_core.gram.unknown import unknown_entries
from kernex_core.parameters import parameter
from kernex_core.validation import check_psd

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
        eigenvalues, vectors = eigh((block + block.T) / 2.0, check_finite=False)
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
