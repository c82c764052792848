"""What is worth knowing about a table of vectors, one note a finding."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kernex_core.frozen import FloatArray
from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import Note

ALMOST_SQUARE = 2
"""Rows more or fewer than columns with which a table may have been meant for a similarity matrix."""
MOST_CLASS_LIKE = 6
"""Of more columns of few whole numbers nobody means one for the class."""


def vector_notes(
    X: FloatArray, ids: Sequence[str], names: Sequence[str], label: int | None, dropped: Sequence[int]
) -> list[Note]:
    """Say what was odd: a shape that may have been meant for a matrix, the label column, text left out, unknown values.

    Parameters
    ----------
    X : (n, d) float
        NaN = unknown.
    ids : sequence of n str
    names : sequence of str
        Of all columns of the table.
    label : int or None
        Position of the label column among them.
    dropped : sequence of int
        Positions of columns of text that are left out.
    """
    notes = []
    if abs(X.shape[0] - X.shape[1]) <= ALMOST_SQUARE and label is None:
        notes.append(
            Note(
                f"{X.shape[0]} rows and {X.shape[1]} columns of numbers.",
                f"They are read as {X.shape[0]} items with {X.shape[1]} measurements each.",
                "A similarity matrix has as many rows as columns: if one was meant, the file is cut off or has a row or a "
                "column too many."
                if X.shape[0] != X.shape[1]
                else "If they are similarities of the items to one another, choose to read them as a matrix.",
            )
        )
    if label is not None:
        notes.append(
            Note(
                f"Column {names[label]!r} holds classes.",
                "It is read as the labels.",
                "Choose another label column.",
                "fine",
            )
        )
    if dropped:
        notes.append(
            Note(
                f"Columns of text: {listed([names[k] for k in dropped])}.",
                "They are left out.",
                "Choose one as the label column or as the id column.",
            )
        )
    missing = np.isnan(X)
    if missing.any():
        rows = [ids[int(k)] for k in np.flatnonzero(missing.any(axis=1))]
        notes.append(
            Note(
                f"{int(missing.sum()):,} of {X.size:,} values are unknown ({100 * missing.mean():.2g} %), in "
                f"{len(rows)} items: {listed(rows)}.",
                "They stay unknown; kernels on vectors say how they treat them.",
                "Fill them before the upload if you know better.",
                "warning",
            )
        )
    return notes


def class_like_notes(names: Sequence[str], labelled: bool) -> list[Note]:
    """Columns of whole numbers that repeat, where there are no labels: one of them may be meant for the class."""
    if labelled or not 0 < len(names) <= MOST_CLASS_LIKE:
        return []
    return [
        Note(
            f"Columns of few whole numbers: {listed(names, MOST_CLASS_LIKE)}.",
            "They are read as measurements.",
            "If one of them holds labels, choose it as the label column, or read the file as labels.",
        )
    ]
