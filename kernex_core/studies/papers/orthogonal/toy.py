"""The toy that memorises: six patterns, one shared feature, and large coordinates that a hard margin learns by heart.

Source: Schoelkopf et al., "A kernel approach for learning from almost orthogonal patterns", ECML 2002, section 2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.base.frozen import FloatArray, ReadOnlyArrays, read_only
from kernex_core.conditioning.empirical_map import EmpiricalMap
from kernex_core.conditioning.power import SignedPower
from kernex_core.learning.machine import fit_one_vs_rest

_SPIKES = ((0, 3, 9.0), (1, 5, 8.0), (2, 7, 9.0), (3, 2, 9.0), (4, 6, 8.0), (5, 8, 9.0))


def _patterns() -> FloatArray:
    X = np.zeros((6, 10))
    X[:3, 0] = 1.0
    for row, column, size in _SPIKES:
        X[row, column] = size
    return X


TOY_X: FloatArray = read_only(_patterns())
"""(6, 10) patterns: the first coordinate tells the classes apart, the others occur once each."""
TOY_CODES = read_only(np.array([1, 1, 1, 0, 0, 0]))
HARD, TIGHT = 1e7, 1e-9


@dataclass(frozen=True, eq=False)
class ToyLesson(ReadOnlyArrays):
    """What a hard margin makes of the toy.

    Attributes
    ----------
    p : float or None
        None: the linear kernel as it is.
    coefficients : (6,) float
        Signed dual coefficients, in units of the unscaled kernel.
    response : (10,) float
        f(e_j) - f(0) for each unit vector; for the plain kernel this is w.
    bias : float
        f of a pattern that is orthogonal to all six.
    """

    p: float | None
    coefficients: FloatArray
    response: FloatArray
    bias: float

    @property
    def decisions(self) -> FloatArray:
        """(10,) f(e_j)."""
        return self.response + self.bias


def toy_lesson(p: float | None = None, X: FloatArray = TOY_X) -> ToyLesson:
    """Train a hard margin on the toy, on the linear kernel or on its empirical map with |x|^p.

    Parameters
    ----------
    p : float, optional
        Above 0, at most 1; None for the kernel as it is.
    X : (6, 10) float
        Other patterns of the same classes.

    Raises
    ------
    InvalidInputError
        p out of range.
    """
    K, crossed = X @ X.T, np.vstack([X.T, np.zeros(6)])
    if p is not None:
        fitted = EmpiricalMap(SignedPower(p)).fit(K)
        crossed = fitted.apply_cross(crossed, np.ones(11)).values
        K = fitted.apply(K)
    scale = float(np.diag(K).mean())
    machine = fit_one_vs_rest(K / scale, TOY_CODES, 2, C=HARD, tolerance=TIGHT)
    f = machine.decide(crossed / scale)[:, 1]
    return ToyLesson(p, machine.coefficients[1] / scale, f[:10] - f[10], float(f[10]))
