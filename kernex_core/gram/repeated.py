"""Rows that are the same within rounding: items that occur twice, whatever was done to their numbers since."""

from __future__ import annotations

import numpy as np

from kernex_core.frozen import FloatArray, IntArray
from kernex_core.validation import EPS


def repeated_items(K: FloatArray) -> IntArray:
    """(n,) position of the first item with the same similarities, its own where there is none before it.

    Similarities are the same where they differ by at most 10 n ε of the largest of their row, what a decomposition
    leaves: items that are the same before a normalisation or a repair are so after it, at every scale.

    Parameters
    ----------
    K : (n, n)
        NaN = unknown; what is unknown has to be so for both.
    """
    size = _largest(K, 1)
    relative = K / np.where(size > 0.0, size, 1.0)[:, None]
    return _first_of_equal(relative, size, 10.0 * K.shape[0] * EPS)


def repeated_rows(X: FloatArray) -> IntArray:
    """(n,) position of the first row with the same values up to 16 ε of the largest of each column, as above."""
    size = _largest(X, 0)
    return _first_of_equal(X / np.where(size > 0.0, size, 1.0), np.ones(X.shape[0]), 16.0 * EPS)


def _largest(values: FloatArray, axis: int) -> FloatArray:
    return np.asarray(np.fmax.reduce(np.abs(values), axis=axis, initial=0.0))


def _first_of_equal(rows: FloatArray, size: FloatArray, tolerance: float) -> IntArray:
    """Equal rows (n, m) of entries up to 1 lie side by side on a random line: few have to be compared in full."""
    known = ~np.isnan(rows)
    # any line will do: the result does not depend on it
    line, pattern = np.random.default_rng(0).normal(size=(2, rows.shape[1]))
    at = np.where(known, rows, 0.0) @ line + known @ pattern
    reach = (tolerance + rows.shape[1] * EPS) * float(np.abs(line).sum() + np.abs(pattern).sum())
    group, open_groups = np.arange(rows.shape[0]), list[int]()
    for item in np.argsort(at, kind="stable").tolist():
        open_groups = [other for other in open_groups if at[item] - at[other] <= 2.0 * reach]
        for other in open_groups:
            if (
                abs(size[item] - size[other]) <= tolerance * max(size[item], size[other])
                and np.array_equal(known[item], known[other])
                and not (np.abs(rows[item] - rows[other]) > tolerance).any()
            ):
                group[item] = other
                break
        else:
            open_groups.append(item)
    _, first, place = np.unique(group, return_index=True, return_inverse=True)
    return np.asarray(first[place], dtype=np.int64)
