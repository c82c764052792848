"""How exactly numbers are given, found out from the numbers themselves; and powers of ten as a book prints them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Protocol, runtime_checkable

import numpy as np

from kernex_core.base.frozen import BoolArray, FloatArray

# How exactly numbers are given, found out from the numbers themselves: floats of 32 bits, so many decimals, or so many
# significant digits.

SINGLE = 2.0**-24
"""Half a unit in the last place of a float of 32 bits, relative to it."""
MOST_DIGITS = 12
"""Decimals, and significant digits, from which on numbers count as given with all digits."""
COARSE = 1e-4
"""Half a unit of the last digit, relative to the largest entry, above which digits are few: what is concluded is said."""
ENOUGH = 20
"""Different numbers from which few digits speak for rounding; fewer (0, 0.5 and 1) may be exact."""
_SAMPLE = 500
_SMALLEST = float(np.finfo(np.float64).tiny) * 10.0**MOST_DIGITS
"""Below this a number, or a unit of its last digits, is subnormal and has lost digits: it says nothing, like a 0."""


def half_units(values: FloatArray) -> FloatArray:
    """Half a unit of the last digit in which each number is given; 0 where numbers are whole, or have all digits of float64.

    Numbers of one count of decimals (`%.6f`) have one unit; those of one count of significant digits (`%.4g`) have each
    their own, by their size. Where numbers can be read both ways each has the larger one. A number that is 0, or so
    near to it that floats lose digits, has none in the second reading.

    Parameters
    ----------
    values : float array
        NaN = unknown.

    Returns
    -------
    float array
        Of no dimension where all numbers have the same, else of the shape of the values; 0 for an unknown one.
    """
    known = values[~np.isnan(values)]
    known = np.where(np.abs(known) < _SMALLEST, 0.0, known)
    largest = float(np.abs(known).max(initial=0.0))
    if largest == 0.0 or not np.isfinite(largest):
        return np.zeros(())
    # a sample speaks against most candidates without a look at all the others
    few = known[:: max(1, known.size // _SAMPLE)]
    decimals = _fewest(lambda x, d: _has_decimals(x, d) if d else _whole(x, largest), few, known, 0)
    figures = _fewest(_has_figures, few, known, 1)
    if decimals == 0 and (figures is None or _few(known[np.abs(known) >= 10.0**figures])):
        return np.zeros(())
    if decimals is None and figures is None:
        single = _single(few) and _single(known)
        return np.asarray(SINGLE * largest if single else 0.0)
    units = np.asarray(0.5 * 10.0**-decimals if decimals else 0.0)
    if figures is not None and 0.5 * _unit(np.asarray(largest), figures) > units:
        units = np.maximum(units, 0.5 * _unit(values, figures))
    return np.zeros(()) if _rough(units, largest) and _few(known) else units


def spectral_bound(errors: FloatArray, n: int) -> float:
    """How far an eigenvalue of a symmetric (n, n) matrix moves at most where its entries are off by up to `errors`.

    The spectral norm of the change, which by Weyl bounds that, is at most the largest row sum of `errors`; n times the
    error where all are the same.

    Parameters
    ----------
    errors : (n, n) float, or of no dimension
    n : int
    """
    return float(n * errors) if errors.ndim == 0 else float(errors.sum(axis=1).max(initial=0.0))


@runtime_checkable
class GivenInDigits(Protocol):
    """What knows the digits of its numbers: a GramMatrix, or the blocks of one."""

    @property
    def digits(self) -> float:
        """Size up to which a negative eigenvalue comes of them alone."""


def digits_tolerance(K: FloatArray, given: object = None) -> float:
    """Size up to which a negative eigenvalue of `K` (n, n) is the rounding of its entries as they are given.

    The largest row sum of half a unit of each entry's last digit, 2^-24 of the largest for floats of 32 bits, 0 for whole
    numbers and for those with all digits; see `half_units`. What made `K` and knows better (`given`) is asked instead.
    """
    if isinstance(given, GivenInDigits):
        return float(given.digits)
    return spectral_bound(half_units(K), K.shape[0])


def few_digits(errors: FloatArray, values: FloatArray) -> bool:
    """Whether entries are off by so much (COARSE of the largest) that a conclusion from them has to be said."""
    return _rough(errors, float(np.nanmax(np.abs(values), initial=0.0)))


def _rough(errors: FloatArray, largest: float) -> bool:
    return float(errors.max(initial=0.0)) > COARSE * largest


def _few(numbers: FloatArray) -> bool:
    return np.unique(numbers[: 100 * _SAMPLE]).size < ENOUGH


def _fewest(
    fits: Callable[[FloatArray, int], bool], few: FloatArray, known: FloatArray, start: int
) -> int | None:
    """Fewest digits that all numbers fit; None where they have all."""
    return next((d for d in range(start, MOST_DIGITS + 1) if fits(few, d) and fits(known, d)), None)


def _whole(values: FloatArray, largest: float) -> bool:
    return largest < 2.0**53 and bool((values == np.rint(values)).all())


def _whole_counts(counts: FloatArray) -> bool:
    # a decimal that was read is off by half a unit in the last place of its size
    slack = 4.0 * np.finfo(np.float64).eps * np.abs(counts)
    with np.errstate(invalid="ignore"):  # no count of units is infinite
        fits: BoolArray = np.abs(counts - np.rint(counts)) <= slack
    return bool(fits.all())


def _has_decimals(values: FloatArray, decimals: int) -> bool:
    with np.errstate(over="ignore"):
        return _whole_counts(values / 10.0**-decimals)


def _has_figures(values: FloatArray, figures: int) -> bool:
    sizes = values[values != 0.0]
    return _whole_counts(sizes / _unit(sizes, figures))


def _unit(values: FloatArray, figures: int) -> FloatArray:
    """Unit of the last of so many significant digits of each number; 0 for 0, for what is nearly subnormal, and for NaN."""
    size = np.abs(values)
    known = size >= _SMALLEST
    place = np.floor(np.log10(size, out=np.zeros_like(size), where=known))
    return np.asarray(np.where(known, 10.0 ** (place - (figures - 1)), 0.0))


def _single(values: FloatArray) -> bool:
    with np.errstate(over="ignore"):
        return bool((values.astype(np.float32) == values).all())


# Powers of ten as a book prints them, within texts in which Python has written them its way.

_RAISED: Final = str.maketrans("0123456789-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻")
_PRINTED: Final = re.compile(r"(?<![\w.])([-−]?)(\d(?:\.\d+)?)e([-+−]?)(\d{1,3})\b")


def typeset(text: str) -> str:
    """Write powers of ten within a text as they are printed in a book: 1.05e-05 becomes 1.05 × 10⁻⁵, 1e6 becomes 10⁶."""
    return _PRINTED.sub(_power, text)


def _power(found: re.Match[str]) -> str:
    sign, mantissa, direction, exponent = found.groups()
    before = "" if float(mantissa) == 1.0 else f"{mantissa}\u00a0×\u00a0"
    power = power_of_ten(int(exponent) * (-1 if direction in ("-", "−") else 1))
    return f"{'−' if sign else ''}{before}{power}"


def power_of_ten(exponent: int) -> str:
    """10 to a whole power."""
    return "10" + str(exponent).translate(_RAISED)
