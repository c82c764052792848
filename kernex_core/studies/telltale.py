"""Columns that say the class: a code of the class that was read as a number makes every loss too good."""

from __future__ import annotations

import numpy as np

from kernex_core.inputs.samples import Vectors
from kernex_core.learning.evaluate import Coded

FEW = 0.25
"""Share of the items up to which the number of values makes a column look like a code, not like a measurement."""


def telltale_columns(vectors: Vectors, coded: Coded) -> tuple[str, ...]:
    """Return the names of columns of few values, each of which occurs in one class alone.

    Parameters
    ----------
    vectors : Vectors
        Unknown entries count for nothing; a column that most items lack is no code.
    coded : Coded
        Code −1: no class, not looked at.

    Returns
    -------
    tuple of str
        "column 3" where columns have no names.
    """
    labelled = coded.codes >= 0
    X, codes = vectors.X[labelled], coded.codes[labelled]
    names = vectors.columns or tuple(f"column {j + 1}" for j in range(vectors.X.shape[1]))
    return tuple(name for name, x in zip(names, X.T, strict=True) if _tells(x, codes))


def _tells(x: np.ndarray, codes: np.ndarray) -> bool:
    known = ~np.isnan(x)
    if 2 * int(known.sum()) <= x.size or np.unique(codes[known]).size < 2:
        return False
    values, at = np.unique(x[known], return_inverse=True)
    if values.size > max(2.0, FEW * x.size):
        return False
    # as many pairs of value and class as values: no value stands in two classes
    return bool(np.unique(np.stack([at, codes[known]]), axis=1).shape[1] == values.size)


def telltale_notes(vectors: Vectors, coded: Coded) -> tuple[str, ...]:
    """Return one sentence about such columns, or nothing."""
    found = telltale_columns(vectors, coded)
    if not found:
        return ()
    shown = ", ".join(found[:3]) + (f" and {len(found) - 3:,} more" if len(found) > 3 else "")
    return (
        f"These columns say the class exactly, each of their few values occurs in one class alone: {shown}. If they are "
        "codes of the class and not measurements, every loss below is too good: bring the file without them.",
    )
