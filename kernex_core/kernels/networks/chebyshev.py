"""Chosen columns of a kernel on a large network: a Chebyshev expansion whose error is bounded.

Source: Druskin and Knizhnerman 1989; Trefethen, Approximation Theory and Approximation Practice, 2013, chapters 3 and 8.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import ive

from kernex_core.errors import InvalidInputError, TooLargeError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.adjacency import degrees

DEGREE_LIMIT = 20_000
"""Largest degree of an expansion; one product with the network each."""


@dataclass(frozen=True, eq=False)
class Series(ReadOnlyArrays):
    """f = Σ_j c_j T_j(M), cut after degree m.

    Attributes
    ----------
    M : (n, n) sparse
        The network, scaled so that all eigenvalues lie in [−1, 1].
    coefficients : (m + 1,) float
        c_0 to c_m.
    bound : float
        Σ_{j > m} |c_j|: no entry of the kernel is further away than this, rounding (about m ε Σ |c_j|) apart.
    """

    M: sparse.csr_array
    coefficients: FloatArray
    bound: float

    def columns(self, nodes: IntArray) -> FloatArray:
        """(n, k) columns of f at chosen nodes, by the three-term recurrence T_{j+1} = 2 M T_j − T_{j−1}."""
        before = np.zeros((self.M.shape[0], nodes.size))
        before[nodes, np.arange(nodes.size)] = 1.0
        made: FloatArray = np.asarray(self.coefficients[0] * before)
        if self.coefficients.size == 1:
            return made
        now: FloatArray = self.M @ before
        made += self.coefficients[1] * now
        for c in self.coefficients[2:]:
            before, now = now, 2.0 * (self.M @ now) - before
            made += c * now
        return made


def exponential_series(M: sparse.csr_array, a: float, scale: float, tolerance: float) -> Series:
    """Expansion of scale · e^(−a) exp(a M): c_0 = e^(−a) I_0(a), c_j = 2 e^(−a) I_j(a), times scale.

    Parameters
    ----------
    a : float
        ≥ 0.
    tolerance : float
        Of the whole, in units of scale.
    """
    most = int(np.ceil(40.0 + 12.0 * np.sqrt(a) + min(a, 60.0)))
    _check_degree(most)
    c: FloatArray = np.asarray(2.0 * ive(np.arange(most + 1), a), dtype=np.float64)
    c[0] /= 2.0
    # I_{j+1} / I_j falls with j and is at most this from the last one on (Amos 1974, eq. 11)
    ratio = a / (most + 0.5 + float(np.hypot(a, most + 0.5)))
    return _cut(M, c, scale, tolerance, beyond=float(c[-1]) * ratio / (1.0 - ratio))


def resolvent_series(M: sparse.csr_array, a: float, scale: float, tolerance: float) -> Series:
    """Expansion of scale · (a I − M)^(−1), a > 1: c_j = 2 r^j / √(a² − 1), half of it for j = 0, with r = a − √(a² − 1).

    Parameters
    ----------
    tolerance : float
        Of the whole, in units of scale / (a − 1), the largest value.
    """
    root = float(np.sqrt((a - 1.0) * (a + 1.0)))
    r = 1.0 / (a + root)
    wanted = tolerance * root * (1.0 - r) / (2.0 * (a - 1.0))
    most = max(2, int(np.ceil(np.log(wanted) / np.log(r))) if wanted < 1.0 else 2)
    _check_degree(most)
    c: FloatArray = np.asarray(2.0 / root * r ** np.arange(most + 1), dtype=np.float64)
    c[0] /= 2.0
    tail = 2.0 / root * r ** (most + 1) / (1.0 - r)
    return Series(M, scale * c, scale * tail)


def laplacian_series_operator(B: sparse.csr_array, laplacian: str) -> tuple[sparse.csr_array, float]:
    """M = I − L / s with eigenvalues in [−1, 1], and s: 1 for the normalised Laplacian, the largest degree otherwise."""
    d = degrees(B)
    if laplacian == "normalized":
        root = sparse.diags_array(1.0 / np.sqrt(np.where(d > 0.0, d, np.inf)))
        return sparse.csr_array(root @ B @ root + sparse.diags_array((d == 0.0).astype(np.float64))), 1.0
    s = float(d.max(initial=0.0)) or 1.0
    return sparse.csr_array(B / s + sparse.diags_array(1.0 - d / s)), s


def spectral_radius(B: sparse.csr_array) -> float:
    """ρ(B), the largest size of an eigenvalue; of a large network by Lanczos iteration from a seeded start.

    Raises
    ------
    InvalidInputError
        The iteration does not settle.
    """
    from scipy.sparse.linalg import ArpackError, eigsh

    n = B.shape[0]
    if n < 200:
        return float(np.abs(np.linalg.eigvalsh(B.toarray())).max())
    if not B.nnz:
        return 0.0
    start: NDArray[np.float64] = np.random.default_rng(0).uniform(0.5, 1.5, n)
    try:
        found = eigsh(B, k=1, which="LM", v0=start, return_eigenvectors=False, tol=0.0)
    except ArpackError as error:
        raise InvalidInputError(
            "The largest eigenvalue of the network has to be found", str(error), "Choose diffusion instead"
        ) from None
    return float(np.abs(found).max())


def _cut(M: sparse.csr_array, c: FloatArray, scale: float, tolerance: float, beyond: float) -> Series:
    """The first coefficients, the others' sum being below the tolerance; `beyond` bounds all that were not computed."""
    tails = np.append(np.cumsum(c[::-1])[::-1][1:], 0.0) + beyond
    m = int(np.argmax(tails <= tolerance)) if (tails <= tolerance).any() else c.size - 1
    return Series(M, scale * c[: m + 1], scale * float(tails[m]))


def _check_degree(degree: int) -> None:
    if degree > DEGREE_LIMIT:
        raise TooLargeError(
            f"An expansion takes at most {DEGREE_LIMIT:,} products with the network",
            f"{degree:,} for this parameter",
            "Choose a smaller τ, a larger c, or a λ further below its bound",
        )
