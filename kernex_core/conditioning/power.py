"""Elementwise maps that shrink large diagonals: signed power and log(1 + |x|)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.gram.step import Matrix, PairwiseFit, Sees, Step
from kernex_core.parameters import parameter


@dataclass(frozen=True)
class SignedPower(Step):
    """Elementwise sgn(x) |x|^p (Schoelkopf et al. 2002, section 3); 0 stays 0 for every p.

    The result is in general no longer positive semidefinite: a repair goes after it.
    """

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

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> PairwiseFit:
        """See Step."""
        return _Elementwise(np.diag(K_train), self.p)


@dataclass(frozen=True)
class Log1p(Step):
    """Elementwise sgn(x) log(1 + |x|); for raw scores, which span orders of magnitude.

    The result is in general no longer positive semidefinite: a repair goes after it.
    """

    name: ClassVar[str] = "log(1 + x)"
    sees: ClassVar[Sees] = Sees("pair")

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> PairwiseFit:
        """See Step."""
        return _Elementwise(np.diag(K_train), None)


class _Elementwise(PairwiseFit):
    def __init__(self, diag_train: FloatArray, p: float | None) -> None:
        super().__init__(diag_train.copy())
        self.p = p

    def entries(self, values: FloatArray, diag_rows: FloatArray, diag_columns: FloatArray) -> FloatArray:
        return self._map(values)

    def diagonal(self, diag: FloatArray) -> FloatArray:
        return self._map(diag)

    def _map(self, x: FloatArray) -> FloatArray:
        size = np.log1p(np.abs(x)) if self.p is None else np.abs(x) ** self.p
        return np.asarray(np.sign(x) * size)


def signed_power(K: Matrix, p: float) -> Matrix:
    """sgn(x) |x|^p of every entry; see SignedPower.

    Raises
    ------
    InvalidInputError
        Unless 0 < p <= 1.
    """
    return SignedPower(p)(K)
