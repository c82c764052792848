"""Lesson 7, missing structures: what is known allows a section through the ellipse of a kernel, not its shadow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.base.parameters import check_range
from kernex_core.base.validation import as_symmetric, psd_tolerance
from kernex_core.completion.approximation import approximate
from kernex_core.completion.extrapolate import extrapolate
from kernex_core.gram.ellipse import Ellipse, ellipse_of
from kernex_core.studies.lessons.catalogue import Check

METRIC = ((3.0, 1.0), (1.0, 1.0))
"""K, whose ellipse the rod lies in."""
SOURCE = ((1.0, 0.8, 0.7), (0.8, 1.0, 0.6), (0.7, 0.6, 1.0))
"""Source kernel of three items."""
TARGET = ((1.0, 0.5), (0.5, 1.0))
"""Target kernel of the first two; the third is hidden."""
CHALLENGE = 60.0
"""Angle, in degrees, at which the longest rod is looked for."""
NEAR = 0.01
NORMS = (1.0, 2.0, float("inf"))


@dataclass(frozen=True, eq=False)
class Rod(ReadOnlyArrays):
    """A rod of half length √q along u, beside the ellipse of K.

    Attributes
    ----------
    u : (2,) float
    q : float
    eigenvalue : float
        λ_min(K − q uu'): below 0 where the rod leaves the ellipse.
    holds : bool
        Whether it is at least 0 up to rounding: the certificate.
    shear, free : float
        Longest q inside the ellipse, 1 / (u'K^-1 u), and the shadow of the ellipse on u, u'Ku.
    free_eigenvalue : float
        λ_min(K − free uu').
    notes : tuple of str
        What the core says of the rod under the shear constraint.
    """

    u: FloatArray
    q: float
    eigenvalue: float
    holds: bool
    shear: float
    free: float
    free_eigenvalue: float
    notes: tuple[str, ...]


def rod(theta: float, q: float, K: ArrayLike = METRIC) -> Rod:
    """Lay a rod into the ellipse x'K^-1x <= 1.

    Parameters
    ----------
    theta : float
        Its angle in degrees, 0 to 180.
    q : float
        Its squared half length, at least 0.
    K : (2, 2)
        Positive semidefinite; of a singular K no rod fits that leaves its range.

    Raises
    ------
    InvalidInputError
        An angle or length outside its range.
    NotPositiveSemidefiniteError
        An indefinite K.

    Examples
    --------
    >>> from kernex_core.studies.lessons.missing_structures import rod
    >>> made = rod(0.0, 2.5)
    >>> round(made.shear, 6), round(made.free, 6), made.holds, round(made.eigenvalue, 3)
    (2.0, 3.0, False, -0.281)
    """
    check_range("The angle", theta, 0.0, 180.0)
    check_range("The squared half length q", q, 0.0)
    metric, u = as_symmetric(K, "The metric"), direction(theta)
    inside, shadow = (approximate(metric, u[None, :], constraint=each) for each in ("shear", "free"))
    eigenvalue = _smallest(metric - q * np.outer(u, u))
    holds = eigenvalue >= -psd_tolerance(2, max(q, float(np.abs(metric).max())))
    return Rod(
        u,
        q,
        eigenvalue,
        holds,
        float(inside.Q[0, 0]),
        float(shadow.Q[0, 0]),
        shadow.shear_eigenvalue,
        inside.notes,
    )


def direction(theta: float) -> FloatArray:
    """(2,) unit vector at an angle in degrees."""
    t = np.deg2rad(theta)
    return np.array([np.cos(t), np.sin(t)])


def best_without_constraint(theta: float, K: ArrayLike = METRIC) -> FloatArray:
    """(3,) q that brings q uu' nearest to K in the Schatten norms 1, 2 and ∞ where nothing keeps it below K.

    Three answers: without the shear constraint it depends on the norm what is best. Convex in q, so a search on a line.

    Examples
    --------
    >>> from kernex_core.studies.lessons.missing_structures import best_without_constraint
    >>> best_without_constraint(0.0).round(4).tolist()
    [2.0, 3.0, 4.0]
    """
    metric, u = as_symmetric(K, "The metric"), direction(theta)
    most = 4.0 * float(np.trace(metric))

    def residual(q: float, p: float) -> float:
        return float(np.linalg.norm(np.linalg.eigvalsh(metric - q * np.outer(u, u)), p))

    found = [
        scipy.optimize.minimize_scalar(
            residual, bounds=(0.0, most), args=(p,), method="bounded", options={"xatol": 1e-9}
        )
        for p in NORMS
    ]
    return np.array([float(each.x) for each in found])


def ellipse_of_metric() -> Ellipse:
    """Ellipse of METRIC, which the rod lies in."""
    return ellipse_of(METRIC)


def check_rod(q: float) -> Check:
    """Whether q is the longest rod at the angle of the challenge whose certificate holds."""
    made = rod(CHALLENGE, q)
    if abs(q - made.shear) <= NEAR:
        return Check(True, q, f"Right: at {made.shear:.3f} the smallest eigenvalue of K − quu' reaches 0.")
    if not made.holds:
        return Check(
            False,
            q,
            f"The smallest eigenvalue of K − quu' is {made.eigenvalue:.3f}: the rod leaves the ellipse.",
        )
    return Check(
        False,
        q,
        f"It fits, and {made.eigenvalue:.3f} of the smallest eigenvalue is left: a longer one fits, too.",
    )


@dataclass(frozen=True, eq=False)
class HiddenItem(ReadOnlyArrays):
    """The target of the hidden item 3, carried over from the source.

    Attributes
    ----------
    weights : (2,) float
        Weights of items 1 and 2 in item 3.
    row : (3,) float
        T̂ of item 3 to items 1, 2, 3.
    unexplained : float
        Share of item 3's own similarity in the source that items 1 and 2 do not explain, 0 to 1.
    ellipse : Ellipse
        Pairs (T13, T23) that fit to T12 where T33 = 1: the ellipse of lesson 3.
    source, rebuilt : (3, 3) float
        K', the source with its nugget, and c Φ'QΦ, what items 1 and 2 rebuild of it, stretched.
    scale : float
        c, by which it was stretched.
    eigenvalue : float
        λ_min(K' − c Φ'QΦ), of the source.
    holds : bool
        Whether that is at least 0 up to rounding: the certificate.
    """

    weights: FloatArray
    row: FloatArray
    unexplained: float
    ellipse: Ellipse
    source: FloatArray
    rebuilt: FloatArray
    scale: float
    eigenvalue: float
    holds: bool


def hidden_item(nugget: float, scale: float = 1.0, source: ArrayLike = SOURCE) -> HiddenItem:
    """Extrapolate the target to the hidden item 3, and stretch what was rebuilt of the source by a factor.

    Parameters
    ----------
    nugget : float
        ρ, at least 0.
    scale : float
        c >= 0: 1 is what the core computes, above 1 the shear constraint is broken.
    source : (3, 3)
        Positive semidefinite.

    Raises
    ------
    InvalidInputError
        No nugget where the source of items 1 and 2 is singular, or a value outside its range.

    Examples
    --------
    >>> from kernex_core.studies.lessons.missing_structures import hidden_item
    >>> made = hidden_item(0.1)
    >>> made.row.round(4).tolist(), round(made.unexplained, 3), made.holds, hidden_item(0.1, 1.05).holds
    ([0.5965, 0.4298, 0.3789], 0.581, True, False)
    """
    check_range("The factor c", scale, 0.0)
    made = extrapolate(source, TARGET, np.array([True, True, False]), nugget=nugget)
    ridged = made.source + nugget * np.eye(3)
    rebuilt = scale * (made.W.T @ made.A @ made.W)
    eigenvalue = _smallest(ridged - rebuilt)
    return HiddenItem(
        weights=made.W[:, 2],
        row=made.T_hat[2],
        unexplained=float(made.unexplained[2]),
        ellipse=ellipse_of(TARGET),
        source=ridged,
        rebuilt=rebuilt,
        scale=scale,
        eigenvalue=eigenvalue,
        holds=eigenvalue >= -1.1 * max(1.0, scale) * made.delta,
    )


def _smallest(K: FloatArray) -> float:
    return float(np.linalg.eigvalsh((K + K.T) / 2.0)[0])
