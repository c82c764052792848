"""Parquet and Feather files as tables of text, read by pyarrow after a look at how much they say is in them."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Final

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.validation import SAMPLE_LIMIT, check_item_count
from kernex_core.inputs.tables.dialect import Dialect
from kernex_core.inputs.tables.table import Row, Table
from kernex_core.inputs.upload import EXPANSION_LIMIT, Upload, check_expansion

if TYPE_CHECKING:
    import pyarrow as pa

MOST_CELLS: Final = 4_000_000
"""Rows times columns: each becomes a text."""
MOST_TEXT: Final = 100_000_000
"""Letters of all of them: one that a file holds once may stand in a million rows."""
PARQUET, FEATHER = "a Parquet file", "an Arrow file"
_BEFORE_MESSAGES: Final = 8
"""Bytes in front of what a Feather file has of a stream."""
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
    except pa.ArrowMemoryError:
        raise _too_large("more bytes than there is room for", upload.filename) from None
    except (pa.ArrowException, OSError, ValueError, KeyError, UnicodeError, struct.error) as error:
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

    said = parquet.read_metadata(pa.BufferReader(upload.data))
    _check(said.num_rows, said.num_columns, upload.filename)
    groups = range(said.num_row_groups)
    _check(sum(said.row_group(k).num_rows for k in groups), said.num_columns, upload.filename)
    check_expansion(
        sum(max(said.row_group(k).total_byte_size, 0) for k in groups),
        len(upload.data),
        upload.filename,
        EXPANSION_LIMIT,
    )
    # a text that a file holds once for many rows stays one
    texts = [
        c.path for c in map(said.schema.column, range(said.num_columns)) if c.physical_type == "BYTE_ARRAY"
    ]
    file = parquet.ParquetFile(pa.BufferReader(upload.data), read_dictionary=texts)
    return file.read(use_threads=False)


def _feather(upload: Upload) -> pa.Table:
    import pyarrow as pa

    source = pa.py_buffer(upload.data).slice(_BEFORE_MESSAGES)
    with pa.ipc.open_stream(source) as stream:
        rows = size = 0
        for message in pa.ipc.MessageReader.open_stream(source):
            more, unpacked = _said(
                message.type, memoryview(message.metadata), memoryview(message.body or b"")
            )
            rows, size = rows + more, size + unpacked
        _check(rows, len(stream.schema), upload.filename)
        check_expansion(size, len(upload.data), upload.filename, EXPANSION_LIMIT)
        return stream.read_all()


def _said(kind: str, head: memoryview, body: memoryview) -> tuple[int, int]:
    """Rows of a message, and bytes that it unpacks to: each packed piece begins with how many they are.

    The head is a table of FlatBuffers, in which places are told from each other: what Arrow calls RecordBatch has its rows,
    its pieces and how they are packed as fields 0, 2 and 3.
    """

    def field(table: int, number: int) -> int:
        layout = table - int(struct.unpack_from("<i", head, table)[0])
        (size,) = struct.unpack_from("<H", head, layout)
        place = struct.unpack_from("<H", head, layout + 4 + 2 * number)[0] if 4 + 2 * number < size else 0
        return table + place if place else 0

    def followed(place: int) -> int:
        return place + int(struct.unpack_from("<I", head, place)[0])

    if kind not in ("record batch", "dictionary"):
        return 0, 0
    batch, rows = followed(field(followed(0), 2)), 0
    if kind == "dictionary":
        batch = followed(field(batch, 1))
    elif place := field(batch, 0):
        (rows,) = struct.unpack_from("<q", head, place)
    if not field(batch, 3):
        return rows, len(body)
    pieces = followed(field(batch, 2))
    size = 0
    for k in range(struct.unpack_from("<I", head, pieces)[0]):
        at, length = struct.unpack_from("<qq", head, pieces + 4 + 16 * k)
        size += max(length, struct.unpack_from("<q", body, at)[0]) if length else 0
    return rows, size


def _check(rows: int, columns: int, filename: str) -> None:
    if rows < 0 or rows * max(columns, 1) > MOST_CELLS:
        raise _too_large(f"{rows:,} rows of {columns:,} columns", filename)
    if columns == 1:  # one item a line, pairs they cannot be
        check_item_count(rows, SAMPLE_LIMIT)


def _too_large(found: str, filename: str) -> TooLargeError:
    return TooLargeError(
        f"Parquet and Feather files are read up to {MOST_CELLS:,} values and {MOST_TEXT / 1e6:,.0f} MB of text",
        f"{found} in {filename}",
        _REMEDY,
    )


def _columns(found: pa.Table, filename: str) -> tuple[list[str], list[list[str]]]:
    """Names and texts of all columns, those of an index first."""
    index = [
        name
        for name in (found.schema.pandas_metadata or {}).get("index_columns", [])
        if isinstance(name, str)
    ]
    columns = sorted(
        zip(found.column_names, found.columns, strict=True), key=lambda each: each[0] not in index
    )
    size = sum(_letters(column) for _, column in columns)
    if size > MOST_TEXT:
        raise _too_large(f"{size / 1e6:,.0f} MB of text", filename)
    names = ["" if name in index and name.startswith("__index_level_") else name for name, _ in columns]
    return names, [_texts(column, name, filename) for name, column in columns]


def _letters(column: Any) -> int:
    """Bytes of the texts of a column, each as often as it stands there."""
    import pyarrow as pa
    from pyarrow import compute

    total = 0
    for chunk in column.chunks:
        coded = pa.types.is_dictionary(chunk.type)
        texts = chunk.dictionary if coded else chunk
        if pa.types.is_string(texts.type) or pa.types.is_large_string(texts.type):
            lengths = compute.binary_length(texts)
            total += compute.sum(lengths.take(chunk.indices) if coded else lengths).as_py() or 0
    return total


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
