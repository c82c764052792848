"""What three similarities may be together: an ellipse where one is known, a body, the elliptope, where none is."""

from __future__ import annotations

import numpy as np

from kernex_core.frozen import FloatArray
from kernex_core.gram.ellipse import Ellipse, ellipse_of
from kernex_core.parameters import check_range

SHARE_OF_CUBE = float(np.pi**2 / 16.0)
"""Volume of the body over that of the cube of all similarities from −1 to 1."""


def two_unknown(r12: float) -> Ellipse:
    """Pairs (r13, r23) that fit to a known r12: x² − 2 r12 xy + y² <= 1 − r12², the ellipse of the metric (1 r12; r12 1).

    Raises
    ------
    InvalidInputError
        r12 outside −1 to 1.

    Examples
    --------
    >>> from kernex_core.studies.lessons.positive_definiteness.elliptope import two_unknown
    >>> two_unknown(0.9).half_axes.round(3).tolist()
    [1.378, 0.316]
    """
    check_range("The similarity r12", r12, -1.0, 1.0)
    return ellipse_of([[1.0, r12], [r12, 1.0]])


def share_of_square(r12: float) -> float:
    """Area of that ellipse over that of the square of all pairs from −1 to 1: π √(1 − r12²) / 4."""
    return two_unknown(r12).area / 4.0


def elliptope(n: int = 49) -> FloatArray:
    """(3, n, n) points (r12, r13, r23) of the surface on which the determinant is 0, 1 + 2xyz = x² + y² + z².

    Three angles of which one is the sum of the other two: (cos a, cos b, cos(a + b)), a from 0 to π, b from −π to π.

    Examples
    --------
    >>> from kernex_core.studies.lessons.positive_definiteness.elliptope import elliptope
    >>> x, y, z = elliptope(9)
    >>> bool(abs(1 + 2 * x * y * z - x**2 - y**2 - z**2).max() < 1e-15)
    True
    """
    a, b = np.meshgrid(np.linspace(0.0, np.pi, n), np.linspace(-np.pi, np.pi, n), indexing="ij")
    return np.stack([np.cos(a), np.cos(b), np.cos(a + b)])
