"""New items of a kernel that is known as a matrix alone: their similarities to the items that are there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kernex_core.errors import InvalidInputError, TooLargeError
from kernex_core.frozen import FloatArray, ReadOnlyArrays, owned
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.positions import check_ids
from kernex_core.inputs.names import counted, distinct, listed
from kernex_core.inputs.new_sequences import NEW_LIMIT
from kernex_core.inputs.samples import Note
from kernex_core.inputs.tables.table import Table, table_of
from kernex_core.inputs.upload import Upload, open_upload
from kernex_core.validation import LARGEST_ENTRY

SELF = ("self", "k(x,x)", "k(x, x)", "self-similarity")
"""What the column of each new item's similarity to itself may be called."""
_EVEN = 1e-9


@dataclass(frozen=True, eq=False)
class NewRows(ReadOnlyArrays):
    """Similarities of m new items.

    Attributes
    ----------
    ids : tuple of str
    cross : (m, n) float
        To the n items, in their order.
    own : (m,) float
        Of each to itself.
    notes : tuple of Note
    """

    ids: tuple[str, ...]
    cross: FloatArray
    own: FloatArray
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        check_ids(self.ids, self.cross.shape[0])
        super().__post_init__()


def read_new_rows(data: bytes | Upload, filename: str, gram: GramMatrix) -> NewRows:
    """Read a table with one row a new item and one column an item, named by its id, in any order.

    A first column with text names the new items. A column called "self" holds k(x, x); without it every new item counts
    as similar to itself as the items are, where these are all alike.

    Raises
    ------
    InvalidInputError
        Items without a column, unknown or infinite entries, no self-similarities where they differ, ids that repeat.
    TooLargeError
        More than NEW_LIMIT rows.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import GramMatrix
    >>> K = GramMatrix(np.array([[1.0, 0.5], [0.5, 1.0]]), ids=("a", "b"), name="K")
    >>> new = read_new_rows(b"id,b,a,self\\nc,0.2,0.1,1\\n", "new.csv", K)
    >>> new.ids, new.cross.tolist(), new.own.tolist()
    (('c',), [[0.1, 0.2]], [1.0])
    """
    return new_rows_of(data, filename, gram.ids, np.diag(gram.values))


def new_rows_of(data: bytes | Upload, filename: str, items: tuple[str, ...], diagonal: FloatArray) -> NewRows:
    """Read new rows for a kernel of which ids and self-similarities are enough; see `read_new_rows`.

    Raises
    ------
    InvalidInputError, TooLargeError
    """
    table = table_of(open_upload(data, filename))
    header, lines = table.head[0].fields, table.n_rows - 1
    if lines < 1:
        raise InvalidInputError(
            "New items need a line with the ids of the items, and one line each below it",
            f"{filename}, one line",
        )
    check_new(lines, filename)
    corner = 1 if len(table.head[1].fields) == len(header) + 1 else 0
    names = [*[""] * corner, *(field.strip() for field in header)]
    columns, own_column, id_column, notes = _columns(names, items, filename)
    ids, values = _values(table, names, [*columns, *([] if own_column is None else [own_column])], id_column)
    cross, own = values[:, : len(items)], _own(values, diagonal, own_column is not None)
    return NewRows(new_ids(ids, items), owned(np.ascontiguousarray(cross)), owned(own), notes)


def _columns(
    names: Sequence[str], ids: Sequence[str], filename: str
) -> tuple[list[int], int | None, int | None, tuple[Note, ...]]:
    """Columns of the items, of self-similarities, and of ids; what else there is."""
    at = {name: k for k, name in enumerate(names)}
    check_named_once(names, ids, filename)
    missing = [name for name in ids if name not in at]
    others = [k for k, name in enumerate(names) if name not in set(ids)]
    if missing:
        found = listed([names[k] or "a blank one" for k in others]) if others else "no others"
        raise InvalidInputError(
            f"A column for each of {counted(len(ids), 'item')} is needed, named by its id in the first line",
            f"none for {len(missing):,} of them ({listed(missing)}) in {filename}; columns that are no item: {found}",
            "Give similarities of the new items to all items, rows are new ones",
        )
    own = next((k for k in others if names[k].lower() in SELF), None)
    item = next((k for k in others if k != own), None)
    left = [names[k] for k in others if k not in (own, item) and names[k]]
    notes = (Note(f"Columns that are no item: {listed(left)}.", "They are left out."),) if left else ()
    return [at[name] for name in ids], own, item, notes


def _values(
    table: Table, names: Sequence[str], columns: Sequence[int], id_column: int | None
) -> tuple[list[str], FloatArray]:
    titles = [names[k] for k in columns]
    ids: list[str] = []
    made = []
    rows = table.rows()
    next(rows)
    for row in rows:
        if len(row.fields) != len(names):
            raise InvalidInputError(
                "Every row has to have as many entries",
                f"{len(row.fields)} in line {row.line} of {table.name}, {len(names)} in the first",
            )
        ids.append(f"new {len(ids) + 1}" if id_column is None else row.fields[id_column].strip())
        made.append(table.numbers(row, [row.fields[k] for k in columns], titles.__getitem__, 0))
    values = np.array(made)
    odd = ~np.isfinite(values) | (np.abs(values) > LARGEST_ENTRY)
    if odd.any():
        i, j = (int(k) for k in np.argwhere(odd)[0])
        raise InvalidInputError(
            "Similarities of new items have to be known and finite",
            f"{values[i, j]:g} for {ids[i]!r} and {titles[j]!r} ({int(odd.sum()):,} such entries) in {table.name}",
        )
    return ids, values


def _own(values: FloatArray, diagonal: FloatArray, given: bool) -> FloatArray:
    if given:
        return values[:, -1].copy()
    low, high = float(diagonal.min()), float(diagonal.max())
    if high - low > _EVEN * max(abs(low), abs(high)):
        raise InvalidInputError(
            "A column 'self' is needed, with the similarity of each new item to itself",
            f"none, and those of the items go from {low:.4g} to {high:.4g}",
        )
    return np.full(values.shape[0], high)


def check_new(n: int, filename: str) -> None:
    """Refuse more new items than NEW_LIMIT.

    Raises
    ------
    TooLargeError
    """
    if n > NEW_LIMIT:
        raise TooLargeError(
            f"At most {NEW_LIMIT:,} new items are placed at a time",
            f"{n:,} in {filename}",
            "Bring a part of them",
        )


def check_named_once(names: Sequence[str], wanted: Sequence[str], filename: str) -> None:
    """Refuse a column that is needed and there twice.

    Raises
    ------
    InvalidInputError
    """
    often = Counter(names)
    twice = [name for name in dict.fromkeys(wanted) if often[name] > 1]
    if twice:
        raise InvalidInputError(
            "Each column has to be named once",
            f"{listed(twice)} more than once in {filename}",
            "Rename one of them",
        )


def new_ids(ids: Sequence[str], taken: Sequence[str]) -> tuple[str, ...]:
    """Ids of new items: those that the items have already, and blank ones, get a name of their own."""
    known = set(taken)
    named = [name or f"new {k}" for k, name in enumerate(ids, 1)]
    return distinct([f"{name} (new)" if name in known else name for name in named])[0]
