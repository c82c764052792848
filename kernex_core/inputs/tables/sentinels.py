"""Numbers that stand for "unknown" or "overflow": what programs write in place of a missing value."""

from __future__ import annotations

import numpy as np

from kernex_core.frozen import BoolArray, FloatArray
from kernex_core.inputs.samples import Note

LARGEST = 1e300
"""No measurement is as large; 1e308 and the largest double are overflows."""
LIMITS = (-(2.0**31), 2.0**31 - 1, 2.0**32 - 1, -(2.0**63), 2.0**63, 2.0**64)
"""Smallest and largest whole numbers of 32 and 64 bits."""
LARGEST_SINGLE = float(np.finfo(np.float32).max)
"""Largest float of 32 bits, of either sign; printed with six digits."""
NINES = (-999.0, -9999.0, -99999.0, -999999.0)
"""Unknown in the manner of surveys, where everything else is further from it than from 0."""
APART = 10.0


def sentinels(values: FloatArray) -> BoolArray:
    """Mask of the entries that stand for unknown ones.

    Parameters
    ----------
    values : float array
        NaN = unknown, not in the mask.
    """
    low, high = _range(values)
    found: BoolArray = np.zeros(values.shape, dtype=np.bool_)
    if max(-low, high) >= LIMITS[1]:
        size = np.abs(values)
        found = ((size >= LARGEST) & np.isfinite(values)) | np.isin(values, LIMITS)
        found |= np.abs(size - LARGEST_SINGLE) <= 1e-5 * LARGEST_SINGLE
    if low > NINES[0]:
        return found
    for nine in NINES:
        there = values == nine
        others = np.where(there | found, np.nan, values)
        if there.any() and _range(others)[0] > nine / APART and not np.isnan(others).all():
            found |= there
    return found


def without_sentinels(values: FloatArray, noun: str = "Entries") -> tuple[FloatArray, tuple[Note, ...]]:
    """Values in which sentinels are unknown, with a note that says which numbers and how many."""
    found = sentinels(values)
    count = int(found.sum())
    if not count:
        return values, ()
    shown = ", ".join(f"{value:.17g}" for value in np.unique(values[found])[:4])
    note = Note(
        f"{noun} that are {shown}, as programs write where they have no value: {count:,}.",
        "They are unknown.",
        "If they were measured, write them in another unit.",
        "warning",
    )
    return np.where(found, np.nan, values), (note,)


def far_notes(distances: FloatArray) -> tuple[Note, ...]:
    """A note on distances of 999, 9999 and so on, more than ten times all others: perhaps "too far", or unknown."""
    _, high = _range(distances)
    if high not in [-nine for nine in NINES]:
        return ()
    there = distances == high
    _, next_one = _range(np.where(there, np.nan, distances))
    if next_one <= 0.0 or high <= APART * next_one:
        return ()
    return (
        Note(
            f"Distances that are {high:.17g}, while all others are at most {next_one:.6g}: {int(there.sum()):,} entries.",
            "They are read as they stand.",
            "Write NA in their place if they mean unknown or too far.",
            "warning",
        ),
    )


def _range(values: FloatArray) -> tuple[float, float]:
    """Smallest and largest known value; 0 and 0 if none is."""
    known = ~np.isnan(values)
    low = float(values.min(initial=np.inf, where=known))
    high = float(values.max(initial=-np.inf, where=known))
    return (low, high) if low <= high else (0.0, 0.0)
