"""Lesson 8, joint regularization: the ellipses, and a fit under two bounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigvalsh

from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.base.parameters import check_range
from kernex_core.base.validation import as_numbers
from kernex_core.completion.joint import joint_path
from kernex_core.gram.ellipse import Ellipse, crossing_points, ellipse_of
from kernex_core.studies.lessons.catalogue import Check
from kernex_core.studies.papers.joint.theorem import constrained_fit

# Lesson 8, joint regularization: the ellipse of a joint metric is large only where both ellipses are.

FIRST = ((4.0, 0.0), (0.0, 0.25))
"""Q1; Q2 is the same, turned."""


def turned(degrees: float) -> FloatArray:
    """(2, 2) Q2: Q1 turned by an angle, 0 to 90 degrees.

    Raises
    ------
    InvalidInputError
        An angle outside that range.
    """
    check_range("The angle", degrees, 0.0, 90.0)
    cos, sin = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    R = np.array([[cos, -sin], [sin, cos]])
    Q = R @ np.array(FIRST) @ R.T
    return np.asarray((Q + Q.T) / 2.0)


@dataclass(frozen=True, eq=False)
class JointEllipses(ReadOnlyArrays):
    """Two metrics, their joint metric and their weighted sum, as ellipses.

    Attributes
    ----------
    first, second : Ellipse
        Of Q1 and Q2.
    joint : Ellipse
        Of (λ Q1^-1 + (1 − λ) Q2^-1)^-1.
    added : Ellipse
        Of λ Q1 + (1 − λ) Q2.
    crossing : (4, 2) or (0, 2) float
        Points at which the outlines of the first two meet, and so every joint one; none where they are the same.
    lam : float
    """

    first: Ellipse
    second: Ellipse
    joint: Ellipse
    added: Ellipse
    crossing: FloatArray
    lam: float


def joint_ellipses(lam: float, degrees: float = 90.0) -> JointEllipses:
    """Ellipses at a weight λ of Q1^-1, with Q2 turned by an angle.

    Parameters
    ----------
    lam : float
        0 to 1.
    degrees : float
        0 to 90.

    Raises
    ------
    InvalidInputError
        A value outside its range.

    Examples
    --------
    >>> from math import pi
    >>> from kernex_core.studies.lessons.joint_ellipses import joint_ellipses
    >>> made = joint_ellipses(0.5)
    >>> round(made.joint.area / pi, 3), round(made.added.area / pi, 3), made.crossing[0].round(4).tolist()
    (0.471, 2.125, [0.4851, 0.4851])
    """
    first, second = np.array(FIRST), turned(degrees)
    joint = joint_path(first, second, nugget=0.0).kernel(lam)
    return JointEllipses(
        ellipse_of(first),
        ellipse_of(second),
        ellipse_of(joint),
        ellipse_of(lam * first + (1.0 - lam) * second),
        crossing_points(first, second),
        lam,
    )


def joint_outlines(lams: ArrayLike, degrees: float = 90.0, n: int = 73) -> FloatArray:
    """(k, n, 2) outlines of the joint ellipse at weights λ (k,), closed: what is drawn while λ moves.

    Examples
    --------
    >>> from kernex_core.studies.lessons.joint_ellipses import joint_outlines
    >>> joint_outlines([0.0, 1.0], n=5)[:, 0].round(6).tolist()
    [[0.5, 0.0], [2.0, 0.0]]
    """
    path, t = joint_path(np.array(FIRST), turned(degrees), nugget=0.0), np.linspace(0.0, 2.0 * np.pi, n)
    return np.stack([ellipse_of(path.kernel(float(lam))).outline(t) for lam in as_numbers(lams, "λ")])


def joint_areas(lams: ArrayLike, degrees: float = 90.0) -> FloatArray:
    """(2, k) areas over π at weights λ (k,): of the joint ellipse, and of the weighted sum.

    Examples
    --------
    >>> from kernex_core.studies.lessons.joint_ellipses import joint_areas
    >>> joint_areas([0.0, 0.25, 0.5]).round(3).tolist()
    [[1.0, 0.524, 0.471], [1.0, 1.907, 2.125]]
    """
    first, second = np.array(FIRST), turned(degrees)
    path, weights = joint_path(first, second, nugget=0.0), as_numbers(lams, "λ")
    made = np.array(
        [(path.kernel(lam), lam * first + (1.0 - lam) * second) for lam in map(float, weights)]
    ).reshape(-1, 2, 2, 2)
    return np.asarray(np.sqrt(np.maximum(np.linalg.det(made), 0.0)).T)


# Lesson 8, the bounds: a fit under one constraint a metric, and the weight λ that its multipliers imply.

TARGET = (2.0, 2.0)
"""What the fit under both constraints should come near to."""
BOUNDS = (0.05, 20.0)
"""Range of c1 and c2."""
CHALLENGE = 0.25
"""λ that the challenge asks for, at c1 = 1."""
NEAR = 0.005


@dataclass(frozen=True, eq=False)
class Bounded(ReadOnlyArrays):
    """The point nearest to TARGET under both constraints, and the weights that they imply.

    Attributes
    ----------
    w : (2,) float
        Minimises |w − (2, 2)|²/2 under w'Q_i^-1 w / 2 <= c_i.
    beta : (2,) float
        Multipliers; 0 where a constraint does not bind.
    lam : float
        β1 / (β1 + β2); NaN where none binds or both metrics are the same: see `said`.
    bounds : (2,) float
        c1 and c2.
    said : str
        What binds, as a sentence.
    """

    w: FloatArray
    beta: FloatArray
    lam: float
    bounds: FloatArray
    said: str

    @property
    def defined(self) -> bool:
        """Whether there is a λ."""
        return not np.isnan(self.lam)


def bounded(c1: float, c2: float, degrees: float = 90.0) -> Bounded:
    """Solve under both constraints (Joint regularization, Theorem 4).

    Parameters
    ----------
    c1, c2 : float
        .05 to 20.
    degrees : float
        Angle of Q2, 0 to 90.

    Raises
    ------
    InvalidInputError
        A value outside its range.

    Examples
    --------
    >>> from kernex_core.studies.lessons.joint_ellipses import bounded
    >>> made = bounded(1.0, 0.25)
    >>> made.beta.round(3).tolist(), round(made.lam, 3), bounded(20.0, 20.0).defined
    ([0.377, 1.356], 0.217, False)
    """
    for name, c in (("c1", c1), ("c2", c2)):
        check_range(f"The bound {name}", c, *BOUNDS)
    made = constrained_fit([np.array(FIRST), turned(degrees)], np.array(TARGET), [c1, c2])
    if degrees == 0.0:
        said = (
            "Both metrics are the same: only the sum of the multipliers is determined, by the smaller bound."
        )
        return Bounded(made.f, made.beta, float("nan"), made.bounds, said)
    return Bounded(made.f, made.beta, float(made.weights[0]), made.bounds, _what_binds(made.beta))


def implied(bounds: ArrayLike) -> FloatArray:
    """(k, k) weights λ that every pair of bounds implies, c2 by row and c1 by column; NaN where none binds.

    Examples
    --------
    >>> from kernex_core.studies.lessons.joint_ellipses import implied
    >>> implied([0.25, 1.0, 20.0]).round(3).tolist()
    [[0.5, 0.217, 0.0], [0.783, 0.5, 0.0], [1.0, 1.0, nan]]
    """
    c = as_numbers(bounds, "c")
    made = np.full((c.size, c.size), np.nan)
    for row, column in zip(*np.tril_indices(c.size), strict=True):
        made[row, column] = bounded(float(c[column]), float(c[row])).lam
        made[column, row] = 1.0 - made[row, column]  # Q2 is Q1 with its axes exchanged, and so is the target
    return made


def slack_from() -> float:
    """The bound from which on a constraint allows the target itself: half of t'Q^-1 t, the same for both metrics.

    Examples
    --------
    >>> from kernex_core.studies.lessons.joint_ellipses import slack_from
    >>> slack_from()
    8.5
    """
    target = np.array(TARGET)
    return float(target @ np.linalg.solve(np.array(FIRST), target)) / 2.0


def check_bound(c2: float) -> Check:
    """Whether c2, with c1 = 1, implies the λ of the challenge."""
    made = bounded(1.0, c2)
    if abs(made.lam - CHALLENGE) <= NEAR:
        return Check(True, made.lam, f"Right: λ = {made.lam:.3f}.")
    return Check(
        False,
        made.lam,
        f"With c2 = {c2:g} the multipliers are {made.beta[0]:.3f} and {made.beta[1]:.3f}, so λ = {made.lam:.3f}: the "
        "bounds do not weigh the kernels by a formula of their own, the fit under them does.",
    )


def joint_term_on_boundary(lam: float, c: float, degrees: float = 90.0) -> FloatArray:
    """(2,) least and largest w'Q^-1 w for w on the boundary of {w'Q_i^-1 w / 2 <= c for both}.

    Lemma 6 of "Joint regularization" reads as if this were one value, so that the joint constraint could stand for both.
    With w'Q1^-1w and w'Q2^-1w in the ratio μ, a generalised eigenvalue, it is 2c at a crossing point and less between.

    Examples
    --------
    >>> from kernex_core.studies.lessons.joint_ellipses import joint_term_on_boundary
    >>> joint_term_on_boundary(0.5, 1.0).round(4).tolist()
    [1.0625, 2.0]
    """
    check_range("The weight λ", lam, 0.0, 1.0)
    check_range("The bound c", c, 0.0, open_low=True)
    low, high = eigvalsh(np.array(FIRST), turned(degrees))
    # on the arc of Q1 the second term is at least low of the first; on the other arc the first 1/high of the second
    least = min(lam + (1.0 - lam) * min(low, 1.0), (1.0 - lam) + lam * min(1.0 / high, 1.0))
    return np.array([2.0 * c * least, 2.0 * c])


def _what_binds(beta: FloatArray) -> str:
    binding = beta > 0.0
    if binding.all():
        return "Both constraints bind: λ lies between 0 and 1."
    if not binding.any():
        return "No constraint binds: the target itself fits, both multipliers are 0, and λ is not defined."
    return f"Only constraint {1 if binding[0] else 2} binds: the other has the multiplier 0."
