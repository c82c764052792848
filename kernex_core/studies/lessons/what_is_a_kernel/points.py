"""Points in the plane for the lesson on kernels: two rings, two moons, XOR, and the visitor's own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.validation import as_numbers

FEWEST, MOST = 2, 60
"""Points of one's own."""
WINDOW = 2.4
"""The plane is drawn, and may be clicked into, from -2.4 to 2.4 both ways."""


@dataclass(frozen=True, eq=False)
class PlanePoints(ReadOnlyArrays):
    """Points of two classes.

    Attributes
    ----------
    X : (n, 2) float
    y : (n,) float
        -1 or 1.
    """

    X: FloatArray
    y: FloatArray

    @property
    def n(self) -> int:
        """Number of points."""
        return int(self.y.size)


def plane_points(X: ArrayLike, y: ArrayLike) -> PlanePoints:
    """Check points that somebody set.

    Parameters
    ----------
    X : (n, 2) float
        2 to 60 points inside the window.
    y : (n,) float
        -1 or 1, both at least once.

    Raises
    ------
    InvalidInputError
        Anything else.

    Examples
    --------
    >>> plane_points([[0.0, 1.0], [1.0, 0.0]], [-1, 1]).n
    2
    """
    points, signs = as_numbers(X, "X"), as_numbers(y, "y")
    if points.ndim != 2 or points.shape[1] != 2 or signs.shape != points.shape[:1]:
        raise InvalidInputError(
            "There have to be two coordinates and one class a point", f"{points.shape} and {signs.shape}"
        )
    if not FEWEST <= signs.size <= MOST:
        raise InvalidInputError(f"There have to be {FEWEST} to {MOST} points", f"{signs.size}")
    if not (np.abs(points) <= WINDOW).all():
        raise InvalidInputError(
            f"Coordinates have to lie in {-WINDOW} to {WINDOW}", "a point outside the picture"
        )
    if not np.isin(signs, (-1.0, 1.0)).all():
        raise InvalidInputError("A class has to be -1 or 1", "another number")
    if abs(signs.sum()) == signs.size:
        raise InvalidInputError(
            "There have to be points of both classes", "one class", "Set a point of the other class"
        )
    return PlanePoints(points, signs)


def _rings() -> PlanePoints:
    """Radii are spread by multiples of the golden ratio, so that nothing lies on a circle, and nothing is random."""
    k = np.arange(12)
    radii = .5 + .3 * (k * .618034 % 1.0), 1.3 + .4 * ((k * .618034 + .3) % 1.0)  # fmt: skip
    angles = np.deg2rad(30.0 * k), np.deg2rad(30.0 * (k + 0.5))
    X = [np.stack([r * np.cos(a), r * np.sin(a)], axis=1) for r, a in zip(radii, angles, strict=True)]
    return PlanePoints(np.round(np.vstack(X), 2) + 0.0, np.repeat([-1.0, 1.0], 12))


_MOONS = (
    (.88, 0), (.99, .29), (.79, .5), (.71, .82), (.41, .9), (.13, .89), (-.15, 1.04), (-.4, .87), (-.73, .84),
    (-.85, .55), (-.88, .26), (-1.07, 0), (0, .4), (.13, .15), (.11, -.17), (.37, -.33), (.54, -.62), (.85, -.61),
    (1.13, -.52), (1.45, -.58), (1.65, -.35), (1.75, -.08), (2, .11), (1.95, .4),
)  # fmt: skip
_CORNER = ((0.8, 0.8), (1.0, 0.9), (0.7, 1.0))
RINGS = _rings()
MOONS = PlanePoints(np.array(_MOONS), np.repeat([1.0, -1.0], 12))
XOR = PlanePoints(
    np.vstack([np.array(_CORNER) * turn for turn in ((1, 1), (-1, -1), (1, -1), (-1, 1))]),
    np.repeat([1.0, -1.0], 6),
)
PLANE_SETS = {"Rings": RINGS, "Moons": MOONS, "XOR": XOR}
