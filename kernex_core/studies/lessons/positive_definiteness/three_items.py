"""Three items with similarities r12, r23, r13: what fits, what does not, and what a repair costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.conditioning.catalogue import REPAIRS, repair_psd
from kernex_core.extrapolation.approximation import approximate
from kernex_core.extrapolation.completions import completions
from kernex_core.extrapolation.hyperparameters import check_nugget
from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.gram.diagnostics import diagnose
from kernex_core.parameters import check_range
from kernex_core.studies.lessons.check import Check
from kernex_core.validation import psd_tolerance

CHALLENGE = (0.6, -0.5)
"""r12 and r23 of the challenge: find the largest r13."""
NEAR = 0.005
"""How near the answer of the challenge has to be."""


@dataclass(frozen=True, eq=False)
class ThreeItems(ReadOnlyArrays):
    """Three items and the third of their similarities, which the other two bound.

    Attributes
    ----------
    K : (3, 3) float
    low, high : float
        Interval of r13 with which K is a kernel, whatever r13 is now.
    middle, largest_det : float
        Where in it the determinant is largest, r12 r23, and how large: what a choice without further knowledge takes.
    det : float
        Of K; below 0 outside the interval.
    eigenvalues : (3,) float
        Ascending.
    pattern : (3,) float
        Eigenvector of the smallest, its first entry that is not 0 above 0.
    negative_mass : float
        Σ|λ < 0| / Σ|λ|, 0 to 1.
    through : float
        r13 that extrapolation through item 2 gives, r12 r23 / (1 + ρ).
    """

    K: FloatArray
    low: float
    high: float
    middle: float
    largest_det: float
    det: float
    eigenvalues: FloatArray
    pattern: FloatArray
    negative_mass: float
    through: float

    @property
    def fits(self) -> bool:
        """Whether K is a kernel, up to rounding."""
        size = float(np.abs(self.eigenvalues).max())
        return float(self.eigenvalues[0]) >= -psd_tolerance(self.eigenvalues.size, size)


def three_items(r12: float, r23: float, r13: float, *, nugget: float = 0.0) -> ThreeItems:
    """Everything that the lesson shows about three similarities.

    Parameters
    ----------
    r12, r23, r13 : float
        −1 to 1; an item is similar to itself by 1.
    nugget : float
        ρ >= 0 of the extrapolation.

    Raises
    ------
    InvalidInputError
        A similarity outside −1 to 1.

    Examples
    --------
    >>> from kernex_core.studies.lessons.positive_definiteness.three_items import three_items
    >>> made = three_items(0.9, 0.9, 0.1)
    >>> made.fits, round(made.low, 6), round(made.high, 6), round(made.middle, 6)
    (False, 0.62, 1.0, 0.81)
    """
    K = correlations(r12, r23, r13)
    low, high = completions(K, 0, 2)
    middle = (low + high) / 2.0
    eigenvalues, pattern = smallest_pattern(K)
    return ThreeItems(
        K=K,
        low=low,
        high=high,
        middle=middle,
        largest_det=float(determinant(r12, r23, middle)),
        det=float(determinant(r12, r23, r13)),
        eigenvalues=eigenvalues,
        pattern=pattern,
        negative_mass=diagnose(K).negative_mass,
        through=_through_item_2(correlations(r12, r23, middle), nugget),
    )


def correlations(r12: float, r23: float, r13: float) -> FloatArray:
    """(3, 3) matrix with 1 on its diagonal.

    Raises
    ------
    InvalidInputError
        A similarity outside −1 to 1.
    """
    for name, r in (("r12", r12), ("r23", r23), ("r13", r13)):
        check_range(f"The similarity {name}", r, -1.0, 1.0)
    return np.array([[1.0, r12, r13], [r12, 1.0, r23], [r13, r23, 1.0]])


def determinant(r12: ArrayLike, r23: ArrayLike, r13: ArrayLike) -> FloatArray:
    """1 + 2 r12 r23 r13 − r12² − r23² − r13², of any shapes that fit: at least 0 where three similarities fit together.

    Examples
    --------
    >>> from kernex_core.studies.lessons.positive_definiteness.three_items import determinant
    >>> determinant(0.6, -0.5, [-0.3, 1.0]).round(6).tolist()
    [0.48, -1.21]
    """
    x, y, z = (np.asarray(each, dtype=np.float64) for each in (r12, r23, r13))
    return np.asarray((1.0 - x**2) * (1.0 - y**2) - (z - x * y) ** 2)


def smallest_pattern(K: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Eigenvalues (n,), ascending, and eigenvector (n,) of the smallest, its first entry that is not 0 above 0."""
    eigenvalues, vectors = np.linalg.eigh(K)
    pattern = vectors[:, 0]
    first = int(np.argmax(np.abs(pattern) > 1e-9))
    return eigenvalues, pattern * float(np.sign(pattern[first]))


@dataclass(frozen=True, eq=False)
class Repaired(ReadOnlyArrays):
    """One repair of a similarity matrix.

    Attributes
    ----------
    method : str
    K : (n, n) float
        After the repair.
    distance : float
        Frobenius norm of the change: what the repair costs.
    """

    method: str
    K: FloatArray
    distance: float


def repairs_of(K: FloatArray) -> tuple[Repaired, ...]:
    """Every repair of the core on K (n, n), in the core's order.

    Examples
    --------
    >>> from kernex_core.studies.lessons.positive_definiteness.three_items import correlations, repairs_of
    >>> [(each.method, round(each.distance, 4)) for each in repairs_of(correlations(0.9, 0.9, 0.1))]
    [('clip', 0.2238), ('flip', 0.4475), ('shift', 0.3876), ('square', 3.0896)]
    """
    made = [repair_psd(K, repair.method) for repair in REPAIRS]
    return tuple(Repaired(each.method, np.asarray(each.gram), each.distance) for each in made)


def check_largest(r13: float) -> Check:
    """Whether r13 is the largest similarity that fits to the two of the challenge."""
    made = three_items(*CHALLENGE, r13)
    if abs(r13 - made.high) <= NEAR:
        return Check(True, r13, f"Right: from {made.high:.4f} on the determinant is below 0.")
    if not made.fits:
        return Check(
            False,
            r13,
            f"With {r13:.3f} the determinant is {made.det:.3f}: below 0, so these three do not fit together.",
        )
    return Check(
        False,
        r13,
        f"{r13:.3f} fits, with a determinant of {made.det:.3f} still above 0: a larger one fits, too.",
    )


def _through_item_2(K: FloatArray, nugget: float) -> float:
    """r13 of the best approximation of K + ρI that knows item 2 alone; it does not depend on the r13 of K."""
    ridged = K + check_nugget(nugget) * np.eye(3)
    return float(approximate(ridged, ridged[1:2]).K_Q[0, 2])
