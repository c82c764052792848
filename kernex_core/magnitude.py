"""Scale in, compute, scale out: sums of squares of numbers of any size, and what becomes too small to be told from 0.

Everything is divided by a power of 4 first. It and its square root are exact, so that nothing is rounded that would not
be rounded at any other scale: a result differs by that power alone, to the last digit.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray
from kernex_core.symmetry import largest_size

SMALLEST = float(np.finfo(np.float64).tiny)
"""2.2e-308: numbers below it lose digits, which are those of the largest number of a matrix down to here."""
LARGEST_POWER = 308.0
"""Of ten, that numbers reach."""


def unit_of(*values: FloatArray) -> float:
    """Power of 4 that the largest known entry of all of them is 1 to 4 times; 1 where all of them are 0 or unknown.

    Examples
    --------
    >>> import numpy as np
    >>> unit_of(np.array([[3.0, -70.0]])), unit_of(np.zeros(2))
    (64.0, 1.0)
    """
    largest = max((largest_size(each) for each in values), default=0.0)
    if not 0.0 < largest < np.inf:
        return 1.0
    exponent = math.frexp(largest)[1] - 1
    # 4^-511 is the smallest that divides without rounding: below it numbers have lost digits already
    return math.ldexp(1.0, max(exponent - exponent % 2, -1022))


def length(values: NDArray[np.floating]) -> float:
    """Euclidean (Frobenius) norm of numbers of any size, 0 only where all of them are 0.

    Examples
    --------
    >>> length([3e-200, 4e-200])
    5e-200
    """
    given = np.asarray(values, dtype=np.float64)
    unit = unit_of(given)
    return unit * float(np.linalg.norm(given / unit))


def units_of_columns(X: FloatArray) -> FloatArray:
    """(d,) `unit_of` every column of X (n, d), each by itself."""
    largest = np.fmax.reduce(np.abs(X), axis=0, initial=0.0)
    exponent = np.frexp(np.where(largest < np.inf, largest, 0.0))[1] - 1
    units = np.ldexp(1.0, np.maximum(exponent - exponent % 2, -1022))
    return np.asarray(np.where(largest > 0.0, units, 1.0))


def power_of_ten(size: float) -> float:
    """log10 of a size, minus infinity for 0."""
    return math.log10(size) if size > 0.0 else -math.inf


def check_digits_kept(exponent: float, name: str, remedy: str) -> None:
    """Refuse what is so small that its digits are lost: it would be 0, or another number, in silence.

    Parameters
    ----------
    exponent : float
        Power of ten of the largest number that is made, see `power_of_ten`: that can be below the range of numbers. Exact
        zeros alone (minus infinity) lose nothing.
    name : str
        What is made, as messages begin.
    remedy : str

    Raises
    ------
    InvalidInputError
    """
    if -math.inf < exponent < math.log10(SMALLEST):
        raise InvalidInputError(
            f"{name} has to fit the range of numbers (from {SMALLEST:.1e}, to have all its digits)",
            f"numbers up to about 1e{exponent:+.0f}",
            remedy,
        )
