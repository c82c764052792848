"""How exactly numbers are given: floats of 32 bits, or so many decimals, found out from the numbers themselves."""

from __future__ import annotations

import numpy as np

from kernex_core.frozen import FloatArray

SINGLE = 2.0**-24
"""Half a unit in the last place of a float of 32 bits, relative to it."""
MOST_DECIMALS = 12
COARSE = 1e-4
"""Half a unit of the last digit, relative to the largest entry, above which numbers count as exact."""
_SAMPLE = 500


def half_unit(values: FloatArray) -> float:
    """Half a unit of the last digit in which all numbers are given; 0 where they are whole, or have all digits of float64.

    An eigenvalue of a symmetric (n, n) matrix moves by at most n times that when its entries are rounded so (Weyl).

    Parameters
    ----------
    values : float array
        NaN = unknown.
    """
    known = values[~np.isnan(values)]
    largest = float(np.abs(known).max(initial=0.0))
    if largest == 0.0 or not np.isfinite(largest):
        return 0.0
    few = known[:: max(1, known.size // _SAMPLE)]
    # a sample speaks against most candidates without a look at all the others
    if _whole(few, largest) and _whole(known, largest):
        return 0.0
    for decimals in range(1, MOST_DECIMALS + 1):
        unit = 10.0**-decimals
        if _multiples(few, unit) and _multiples(known, unit):
            return unit / 2.0 if unit / 2.0 <= COARSE * largest else 0.0
    return SINGLE * largest if _single(few) and _single(known) else 0.0


def _whole(values: FloatArray, largest: float) -> bool:
    return largest < 2.0**53 and bool((values == np.rint(values)).all())


def _multiples(values: FloatArray, unit: float) -> bool:
    counts = values / unit
    # a decimal that was read is off by half a unit in the last place of its size
    return bool((np.abs(counts - np.rint(counts)) <= 4.0 * np.finfo(np.float64).eps * np.abs(counts)).all())


def _single(values: FloatArray) -> bool:
    with np.errstate(over="ignore"):
        return bool((values.astype(np.float32) == values).all())
