"""Parquet and Feather files as tables of text, read by pyarrow after a look at how much they say is in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.inputs.tables.dialect import Dialect
from kernex_core.inputs.tables.table import Row, Table
from kernex_core.inputs.upload import EXPANSION_LIMIT, Upload, check_expansion

if TYPE_CHECKING:
    import pyarrow as pa

MOST_CELLS: Final = 4_000_000
"""Rows times columns: each becomes a text."""
PARQUET, FEATHER = "a Parquet file", "an Arrow file"
_REMEDY: Final = "Save it as .npy (numbers) or as CSV"


def is_columnar(upload: Upload) -> bool:
    """Whether an upload is a Parquet or a Feather file, by its first bytes."""
    return upload.really_is in (PARQUET, FEATHER)


def columnar_table(upload: Upload) -> Table:
    """Rows of a Parquet or Feather file: the names of its columns, and below them what they hold.

    Columns that pandas has written as an index come first.

    Raises
    ------
    InvalidInputError
        Damaged, or a column of lists, bytes or other things that are neither numbers nor text.
    TooLargeError
        More cells, or more bytes, than are read, by what the file says before anything of it is unpacked.
    """
    table: Table = upload.remembered("columnar", lambda: _opened(upload))
    return table


def _opened(upload: Upload) -> Table:
    import pyarrow as pa  # slow to import

    try:
        found = _parquet(upload) if upload.really_is == PARQUET else _feather(upload)
        found.validate(full=True)  # offsets that lie would be followed
        names, columns = _columns(found, upload.filename)
        rows = [Row(k, list(fields)) for k, fields in enumerate(zip(*columns, strict=True), 2)]
    except (pa.ArrowException, OSError, ValueError, KeyError, UnicodeError) as error:
        raise InvalidInputError(
            f"{upload.filename} has to be {upload.really_is}",
            f"a damaged one ({str(error).strip()[:120]})",
            "Save it again",
        ) from None
    if not rows or not names:
        raise InvalidInputError("A table needs rows", f"none in {upload.filename}", "Choose another file")
    return Table(upload.filename, (), Dialect(","), given=(Row(1, names), *rows), titled=True)


def _parquet(upload: Upload) -> pa.Table:
    import pyarrow as pa
    from pyarrow import parquet

    file = parquet.ParquetFile(pa.BufferReader(upload.data))
    said = file.metadata
    _check(said.num_rows, said.num_columns, upload.filename)
    groups = range(said.num_row_groups)
    _check(sum(said.row_group(k).num_rows for k in groups), said.num_columns, upload.filename)
    check_expansion(
        sum(max(said.row_group(k).total_byte_size, 0) for k in groups),
        len(upload.data),
        upload.filename,
        EXPANSION_LIMIT,
    )
    return file.read(use_threads=False)


def _feather(upload: Upload) -> pa.Table:
    import pyarrow as pa

    with pa.ipc.open_file(pa.BufferReader(upload.data)) as file:
        batches, rows = [], 0
        for k in range(file.num_record_batches):
            batch = file.get_batch(k)
            rows += batch.num_rows
            _check(rows, batch.num_columns, upload.filename)
            batches.append(batch)
        return pa.Table.from_batches(batches, file.schema)


def _check(rows: int, columns: int, filename: str) -> None:
    if rows < 0 or rows * max(columns, 1) > MOST_CELLS:
        raise TooLargeError(
            f"Parquet and Feather files are read up to {MOST_CELLS:,} values",
            f"{rows:,} rows of {columns:,} columns in {filename}",
            _REMEDY,
        )


def _columns(found: pa.Table, filename: str) -> tuple[list[str], list[list[str]]]:
    """Names and texts of all columns, those of an index first."""
    index = [
        name
        for name in (found.schema.pandas_metadata or {}).get("index_columns", [])
        if isinstance(name, str)
    ]
    order = [
        *(n for n in found.column_names if n in index),
        *(n for n in found.column_names if n not in index),
    ]
    names = ["" if name in index and name.startswith("__index_level_") else name for name in order]
    return names, [_texts(found.column(found.column_names.index(name)), name, filename) for name in order]


def _texts(column: Any, name: str, filename: str) -> list[str]:
    import pyarrow as pa

    kind = column.type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    number = (
        pa.types.is_integer(kind)
        or pa.types.is_floating(kind)
        or pa.types.is_boolean(kind)
        or pa.types.is_null(kind)
    )
    if not number and not pa.types.is_string(kind) and not pa.types.is_large_string(kind):
        raise InvalidInputError(
            "Columns of numbers or of text are read",
            f"{name!r} of type {kind} in {filename}",
            "Leave that column out",
        )
    return ["" if value is None else _text(value) for value in column.to_pylist()]


def _text(value: object) -> str:
    """As a workbook writes it: whole numbers without ".0"."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)
