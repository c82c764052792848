"""New vectors that are brought to be placed among those that are there: the same columns, by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import owned
from kernex_core.inputs.formats.vectors import VectorOptions, read
from kernex_core.inputs.names import counted, listed
from kernex_core.inputs.new_rows import check_named_once, check_new, new_ids
from kernex_core.inputs.samples import Note, Vectors
from kernex_core.inputs.tables.table import table_of
from kernex_core.inputs.upload import Upload, open_upload


def read_new_vectors(data: bytes | Upload, filename: str, vectors: Vectors) -> Vectors:
    """Read a table with one row a new item and the columns of `vectors`, in any order; others are left out.

    Rows with unknown values are left out, and a note names them. Ids that the items have already get " (new)".

    Raises
    ------
    InvalidInputError
        Columns that are missing, by name; a table without a header of another width; no row that is known.
    TooLargeError
        More than NEW_LIMIT rows.

    Examples
    --------
    >>> from kernex_core import read_samples
    >>> known = read_samples(b"id,x,y\\na,1,2\\nb,3,4\\n", "known.csv", "vectors")
    >>> new = read_new_vectors(b"id,y,x\\nc,6,5\\na,8,7\\n", "new.csv", known)
    >>> new.ids, new.X.tolist()
    (('c', 'a (new)'), [[5.0, 6.0], [7.0, 8.0]])
    """
    file = open_upload(data, filename)
    found = read(file, VectorOptions(), fewest=1)
    check_new(found.n, filename)
    at, notes = _matched(found, vectors, table_of(file).head[0].fields, filename)
    X = found.X[:, at]
    unknown = np.isnan(X).any(axis=1)
    if unknown.all():
        raise InvalidInputError(
            "New items need values that are known",
            f"an unknown one in each of {counted(found.n, 'row')} of {filename}",
        )
    if unknown.any():
        names = [found.ids[k] for k in np.flatnonzero(unknown)]
        notes += (
            Note(
                f"New items with unknown values: {len(names):,} ({listed(names)}).",
                "They are left out.",
                "",
                "warning",
            ),
        )
    kept = np.flatnonzero(~unknown)
    ids = new_ids(found.ids, vectors.ids)
    labels = None if found.labels is None else replace(found.labels, ids=ids, recipe=None).take(kept)
    return Vectors(
        tuple(ids[k] for k in kept), owned(np.ascontiguousarray(X[kept])), vectors.columns, labels, notes
    )


def _matched(
    found: Vectors, vectors: Vectors, header: Sequence[str], filename: str
) -> tuple[list[int], tuple[Note, ...]]:
    """Which column of the file is which, by name; by position where neither table has names."""
    place = {name.strip(): k for k, name in enumerate(found.columns)}
    wanted = [name.strip() for name in vectors.columns]
    nameless = found.columns == tuple(f"column {k + 1}" for k in range(len(found.columns)))
    if len(set(wanted)) < len(wanted) and list(found.columns) == list(vectors.columns):
        return list(range(len(wanted))), ()
    if nameless and len(found.columns) == len(wanted) and set(wanted) != set(place):
        return list(range(len(wanted))), (
            Note(
                "The new items have no names of columns.",
                "They are taken in the order of the items' columns.",
            ),
        )
    missing = [name for name in wanted if name not in place]
    others = [name for name in place if name and name not in set(wanted)]
    check_named_once([name.strip() for name in found.columns], wanted, filename)
    if missing:
        text = [name for name in missing if name in {field.strip() for field in header}]
        if text:
            raise InvalidInputError(
                "The columns of the items have to hold numbers",
                f"text, or a part as id or label, in {listed(text)}",
            )
        raise InvalidInputError(
            f"The {counted(len(wanted), 'column')} of the items are needed, by the same names",
            f"no {listed(missing)} in {filename}; it has {listed(list(place))}",
            "Name the columns of the new items as those of the items are named",
        )
    notes = (
        (Note(f"Columns that the items do not have: {listed(others)}.", "They are left out."),)
        if others
        else ()
    )
    return [place[name] for name in wanted], notes
