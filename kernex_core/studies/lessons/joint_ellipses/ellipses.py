"""Lesson 8, joint regularization: the ellipse of a joint metric is large only where both ellipses are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.gram.ellipse import Ellipse, crossing_points, ellipse_of
from kernex_core.joint.path import joint_path
from kernex_core.parameters import check_range
from kernex_core.validation import as_numbers

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
    >>> from kernex_core.studies.lessons.joint_ellipses.ellipses import joint_ellipses
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
    >>> from kernex_core.studies.lessons.joint_ellipses.ellipses import joint_outlines
    >>> joint_outlines([0.0, 1.0], n=5)[:, 0].round(6).tolist()
    [[0.5, 0.0], [2.0, 0.0]]
    """
    path, t = joint_path(np.array(FIRST), turned(degrees), nugget=0.0), np.linspace(0.0, 2.0 * np.pi, n)
    return np.stack([ellipse_of(path.kernel(float(lam))).outline(t) for lam in as_numbers(lams, "λ")])


def joint_areas(lams: ArrayLike, degrees: float = 90.0) -> FloatArray:
    """(2, k) areas over π at weights λ (k,): of the joint ellipse, and of the weighted sum.

    Examples
    --------
    >>> from kernex_core.studies.lessons.joint_ellipses.ellipses import joint_areas
    >>> joint_areas([0.0, 0.25, 0.5]).round(3).tolist()
    [[1.0, 0.524, 0.471], [1.0, 1.907, 2.125]]
    """
    first, second = np.array(FIRST), turned(degrees)
    path, weights = joint_path(first, second, nugget=0.0), as_numbers(lams, "λ")
    made = np.array(
        [(path.kernel(lam), lam * first + (1.0 - lam) * second) for lam in map(float, weights)]
    ).reshape(-1, 2, 2, 2)
    return np.asarray(np.sqrt(np.maximum(np.linalg.det(made), 0.0)).T)
