"""without_columns: vectors less some of their columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import owned
from kernex_core.gram.provenance import call
from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import Note, Vectors
from kernex_core.inputs.tables.columns import find_column


def without_columns(vectors: Vectors, columns: Sequence[str | int]) -> Vectors:
    """Leave columns out, with a note that names them; items, labels and everything else stay.

    Parameters
    ----------
    vectors : Vectors
        (n, d).
    columns : sequence of str or int
        Names, or numbers from 1 where a column has no name or shares it with another.

    Returns
    -------
    Vectors
        With a recipe of its own, if there was one.

    Raises
    ------
    InvalidInputError
        Not vectors, no such column, or no column left.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import Vectors, without_columns
    >>> vectors = Vectors(("a", "b"), np.array([[1.0, 7.0], [2.0, 9.0]]), columns=("age", "code"))
    >>> without_columns(vectors, ["code"]).X.tolist()
    [[1.0], [2.0]]
    """
    if not isinstance(vectors, Vectors):
        raise InvalidInputError("Columns are left out of Vectors", type(vectors).__name__)
    given = _checked(columns)
    d = vectors.X.shape[1]
    names = vectors.columns or ("",) * d
    gone = sorted({_position(asked, names) for asked in given})
    if not gone:
        return vectors
    stay = np.setdiff1d(np.arange(d), gone)
    if not stay.size:
        raise InvalidInputError(
            "At least one column has to stay", f"all {d:,} columns to be left out", "Keep one of them"
        )
    note = Note(
        f"Columns that were left out: {listed([names[j] or f'column {j + 1}' for j in gone], 8)}.",
        f"{stay.size:,} stay.",
        "To have them back, bring the file again.",
        "fine",
    )
    recipe = call("samples", "without_columns", vectors, given) if vectors.recipe else None
    return replace(
        vectors,
        X=owned(vectors.X[:, stay]),
        columns=tuple(vectors.columns[j] for j in stay) if vectors.columns else (),
        notes=(*vectors.notes, note),
        recipe=recipe,
    )


def column_keys(vectors: Vectors, positions: Sequence[int]) -> tuple[str | int, ...]:
    """What `without_columns` takes for the columns at these positions (from 0): names where they are clear."""
    names = vectors.columns or ("",) * vectors.X.shape[1]
    clear = Counter(names)
    return tuple(
        names[j] if names[j] and names[j] == names[j].strip() and clear[names[j]] == 1 else int(j) + 1
        for j in positions
    )


def _checked(columns: object) -> tuple[str | int, ...]:
    asked = tuple(columns) if isinstance(columns, list | tuple) else None
    if asked is None or not all(
        isinstance(each, str | int | np.integer) and not isinstance(each, bool) for each in asked
    ):
        raise InvalidInputError(
            "Columns to leave out have to be a list of names or of numbers from 1", repr(columns)[:60]
        )
    return asked


def _position(asked: str | int, names: Sequence[str]) -> int:
    if isinstance(asked, str):
        return find_column(asked, names, "A column to leave out", "these vectors")
    if not 1 <= asked <= len(names):
        raise InvalidInputError(f"Numbers of columns have to lie in 1 to {len(names)}", str(asked)[:20])
    return int(asked) - 1
