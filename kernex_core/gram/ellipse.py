"""The ellipse of a 2 x 2 metric Q: {x : x' Q^-1 x <= 1}, what a metric on two features looks like.

ellipse_of(Q)              its half-axes, area and outline
crossing_points(Q1, Q2)    where the outlines of two of them meet
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.base.validation import EPS, as_symmetric, check_kernel


@dataclass(frozen=True, eq=False)
class Ellipse(ReadOnlyArrays):
    """Ellipse of a metric.

    Attributes
    ----------
    Q : (2, 2) float
    half_axes : (2,) float
        Square roots of the eigenvalues of Q, longest first; 0 where Q is singular: the ellipse is then a line.
    directions : (2, 2) float
        Unit vectors of both axes, one a column.
    """

    Q: FloatArray
    half_axes: FloatArray
    directions: FloatArray

    @property
    def area(self) -> float:
        """π √det Q."""
        return float(np.pi * self.half_axes[0] * self.half_axes[1])

    def outline(self, angles: ArrayLike) -> FloatArray:
        """(n, 2) points Q^(1/2) (cos t, sin t)' for angles t (n,) in radians."""
        t = np.asarray(angles, dtype=np.float64)
        root = self.directions * self.half_axes @ self.directions.T
        return np.asarray(np.column_stack([np.cos(t), np.sin(t)]) @ root)


def ellipse_of(Q: ArrayLike) -> Ellipse:
    """Return the ellipse x' Q^-1 x <= 1, the image of the unit disc under Q^(1/2).

    Parameters
    ----------
    Q : (2, 2)
        Positive semidefinite.

    Raises
    ------
    InvalidInputError
        Any other shape.
    NotPositiveSemidefiniteError
        An indefinite metric has no ellipse.

    Examples
    --------
    >>> from kernex_core.gram.ellipse import ellipse_of
    >>> made = ellipse_of([[4.0, 0.0], [0.0, 0.25]])
    >>> made.half_axes.tolist(), made.outline([0.0]).tolist()
    ([2.0, 0.5], [[2.0, 0.0]])
    """
    metric = _metric(Q)
    eigenvalues, vectors = np.linalg.eigh(metric)
    floor = 2.0 * EPS * float(np.abs(eigenvalues).max())
    half = np.sqrt(np.where(eigenvalues > floor, eigenvalues, 0.0))
    return Ellipse(metric, half[::-1].copy(), vectors[:, ::-1].copy())


def crossing_points(Q1: ArrayLike, Q2: ArrayLike) -> FloatArray:
    """Where the outlines of two ellipses meet: (4, 2) points, (2, 2) where they touch, (0, 2) where one holds the other.

    They solve x'Q1^-1x = 1 and x'(Q1^-1 − Q2^-1)x = 0. With the eigenvalues d1 > 0 > d2 and eigenvectors v1, v2 of the
    difference, x lies along √−d2 v1 ± √d1 v2. None, too, where both are the same.

    Parameters
    ----------
    Q1, Q2 : (2, 2)
        Positive definite.

    Raises
    ------
    InvalidInputError
        Other shapes, or a singular metric.
    NotPositiveSemidefiniteError
        An indefinite metric.

    Examples
    --------
    >>> from kernex_core.gram.ellipse import crossing_points
    >>> crossing_points([[4.0, 0.0], [0.0, 0.25]], [[0.25, 0.0], [0.0, 4.0]]).round(4).tolist()[0]
    [0.4851, 0.4851]
    """
    first, second = (_inverse(_metric(Q)) for Q in (Q1, Q2))
    (low, high), V = np.linalg.eigh(first - second)
    floor = 8.0 * EPS * float(np.abs(first).max() + np.abs(second).max())
    if low > floor or high < -floor or max(-low, high) <= floor:
        return np.zeros((0, 2))
    along, across = np.sqrt(max(-low, 0.0)) * V[:, 1], np.sqrt(max(high, 0.0)) * V[:, 0]
    rays = np.array([along + across, along - across])
    if min(-low, high) <= floor:
        rays = rays[:1]
    points = rays / np.sqrt(np.einsum("ij,jk,ik->i", rays, first, rays))[:, None]
    points = np.vstack([points, -points])
    turned = np.arctan2(points[:, 1], points[:, 0]) % (2.0 * np.pi)
    return np.asarray(points[np.argsort(turned)])


def _metric(Q: ArrayLike) -> FloatArray:
    metric = as_symmetric(Q, "The metric")
    if metric.shape != (2, 2):
        raise InvalidInputError("An ellipse is drawn of a metric on two features", f"{metric.shape[0]}")
    return check_kernel(metric, "The metric")


def _inverse(Q: FloatArray) -> FloatArray:
    eigenvalues, vectors = np.linalg.eigh(Q)
    if eigenvalues[0] <= 2.0 * EPS * eigenvalues[1]:
        raise InvalidInputError(
            "Outlines of two ellipses are compared", "a metric that is singular, whose ellipse is a line"
        )
    return np.asarray((vectors / eigenvalues) @ vectors.T)
