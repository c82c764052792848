"""Labels as everything below the inputs sees them: one text an item, "" where there is none."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.base.errors import InvalidInputError


def as_labels(y: ArrayLike, n: int | None = None) -> NDArray[np.str_]:
    """Return labels as text, one an item; "" = unlabelled.

    Parameters
    ----------
    y : (n,)
        Text, whole or other numbers, or truth values.
    n : int, optional
        How many there have to be.

    Raises
    ------
    InvalidInputError
        No list of labels, another number of them, or something that is no label (bytes, dates, NaN, None).
    """
    try:
        given = np.asarray(y)
    except ValueError as error:
        raise InvalidInputError("Labels have to be a list of texts or numbers", str(error)) from None
    if given.ndim != 1 or (n is not None and given.size != n):
        wanted = "one label an item" + ("" if n is None else f" ({n})")
        raise InvalidInputError(f"There has to be {wanted}", f"an array of shape {given.shape}")
    if given.dtype.kind == "U":  # nothing but texts
        return given
    odd = [label for label in given.tolist() if not isinstance(label, str | int | float) or label != label]
    if odd:
        raise InvalidInputError(
            "Labels have to be texts or numbers", f"{odd[0]!r}", 'Write "" for an item without a label'
        )
    return np.asarray(given, dtype=np.str_)
