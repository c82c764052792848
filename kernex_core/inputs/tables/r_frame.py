"""Data frames of R as tables of text; and vectors of R as tables, where a file holds nothing but those."""

from __future__ import annotations

from kernex_core.base.errors import InvalidInputError
from kernex_core.inputs.r_objects import RFrame, RObjects, is_r, plain_number, r_objects
from kernex_core.inputs.tables.dialect import Dialect
from kernex_core.inputs.tables.table import Row, Table
from kernex_core.inputs.upload import Upload


def frame_names(upload: Upload) -> tuple[str, ...]:
    """Names of what `r_table` may read, the one that is read by default first; () where a file holds matrices alone.

    Raises
    ------
    InvalidInputError, TooLargeError
        See `r_objects`.
    """
    if not is_r(upload):
        return ()
    found = r_objects(upload)
    if found.frames:
        return tuple(found.frames)
    if any(len(array.shape) > 1 for array in found.matrices.values()):
        return ()
    return (*found.texts, *(name for name, array in found.arrays.items() if array.values.size > 1))


def r_table(upload: Upload, name: str = "") -> Table:
    """Rows of a data frame, with the names of its columns above them, and names of rows in front.

    A vector is a column, called label, with its names in front.

    Raises
    ------
    InvalidInputError
        No such data frame, none at all, or a column of neither numbers nor texts.
    """
    names = frame_names(upload)
    found = r_objects(upload)
    if not names or (name and name not in names):
        raise InvalidInputError(
            f"{upload.filename} has to hold the data frame that is asked for"
            if name
            else "A table of R is a data frame, or a vector with names",
            f"{repr(name) + '; it holds ' if name else ''}{found.shown} in {upload.filename}",
            "Choose one of its data frames"
            if found.frames
            else "In R: saveRDS(as.data.frame(NAME), 'NAME.rds')",
        )
    chosen = name or names[0]
    table: Table = upload.remembered(f"data frame {chosen}", lambda: _table(found, chosen, upload.filename))
    return table


def _table(found: RObjects, name: str, filename: str) -> Table:
    frame = found.frames.get(name) or _of_vector(found, name)
    if frame.odd:
        title, what = next(iter(frame.odd.items()))
        raise InvalidInputError(
            "Columns of numbers or of text are read",
            f"{title!r}, which is {what}, in {filename}",
            "Leave that column out",
        )
    if not frame.n_rows or not frame.columns:
        raise InvalidInputError("A table needs rows", f"none in {filename}", "Choose another file")
    titles = [*([""] if frame.rows else []), *frame.columns]
    columns = [*([frame.rows] if frame.rows else []), *frame.columns.values()]
    rows = [Row(k, list(fields)) for k, fields in enumerate(zip(*columns, strict=True), 2)]
    return Table(filename, (), Dialect(","), given=(Row(1, titles), *rows), titled=True)


def _of_vector(found: RObjects, name: str) -> RFrame:
    if name in found.texts:
        texts, names = found.texts[name].texts, found.texts[name].names
    else:
        array = found.arrays[name]
        texts, names = tuple(map(plain_number, array.values.ravel().tolist())), array.axes[0]
    return RFrame(len(texts), (), {**({"id": names} if names else {}), "label": texts}, {})
