"""Tables of text out of files that hold columns: Parquet and Feather, arrays, data frames of R."""

from __future__ import annotations

import io
import struct
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from kernex_core.base.errors import InvalidInputError, KernexError, TooLargeError
from kernex_core.base.validation import SAMPLE_LIMIT, check_item_count
from kernex_core.inputs.arrays import (
    MAGIC,
    Header,
    header_of,
    headers_of,
    is_matlab,
    is_numpy,
    matlab_of,
    text_values,
    texts_of,
)
from kernex_core.inputs.names import MASK
from kernex_core.inputs.r_objects import RFrame, RObjects, is_r, plain_number, r_objects
from kernex_core.inputs.tables.dialect import NUMBER, Dialect
from kernex_core.inputs.tables.table import Row, Table
from kernex_core.inputs.upload import EXPANSION_LIMIT, Upload, check_expansion, open_zip

if TYPE_CHECKING:
    import pyarrow as pa


# Parquet and Feather files as tables of text, read by pyarrow after a look at how much they say is in them.

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


# Columns of arrays (.npy, .npz, .mat) as a table of text: ids, classes or numbers of items, with no matrix beside them.

ITEMS = ("ids", "id", "names", "name", "items", "labels_ids")
LABEL = "label"
"""What the column of a file of one array is called."""
YES_OR_NO = frozenset({"0", "1", "False", "True"})
"""What a list holds that says which items there are."""


def is_array_file(upload: Upload) -> bool:
    """Whether an upload is a NumPy or a MATLAB file, by its content."""
    return is_matlab(upload.data) or is_numpy(upload)


def holds_columns(upload: Upload) -> bool:
    """Whether all there is are columns of as many entries."""
    if not is_array_file(upload):
        return False
    try:
        return bool(_columns_of_arrays(upload))
    except KernexError:
        return False


def array_table(upload: Upload) -> Table:
    """Return the columns, ids first, below their names.

    Raises
    ------
    InvalidInputError
        Something else than columns is in the file, or they differ in length.
    """
    columns = _columns_of_arrays(upload)
    if not columns:
        raise InvalidInputError(
            "Labels are one array, or several of as many entries",
            f"other arrays in {upload.filename}",
            "Save the labels as y, and ids beside them as ids",
        )
    names = sorted(columns, key=lambda name: name.lower() not in ITEMS)
    rows = zip(*(columns[name] for name in names), strict=True)
    given = (Row(1, names), *(Row(k, list(fields)) for k, fields in enumerate(rows, 2)))
    return Table(upload.filename, (), Dialect(","), given=given, titled=True)


def are_classes(upload: Upload) -> bool:
    """Whether the only column holds words or few values, as classes do."""
    if not holds_columns(upload):
        return False
    columns = list(_columns_of_arrays(upload).values())
    if len(columns) != 1:
        return False
    words = not all(map(NUMBER.match, columns[0]))
    return words or len(set(columns[0])) <= max(2, len(columns[0]) // 2)


def _columns_of_arrays(upload: Upload) -> Mapping[str, Sequence[str]]:
    found: Mapping[str, Sequence[str]] = upload.remembered("array columns", lambda: _opened_arrays(upload))
    return found


def _opened_arrays(upload: Upload) -> Mapping[str, Sequence[str]]:
    if is_matlab(upload.data):
        found = matlab_of(upload)
        if found.sparse or not all(_is_column(array.shape) for array in found.arrays.values()):
            return {}
        return _alike(
            {name: text_values(array, name, upload.filename) for name, array in found.arrays.items()}
        )
    if upload.data.startswith(MAGIC):
        header = header_of(io.BytesIO(upload.data), upload.filename)
        if not _is_column(header.shape) or not _readable(header):
            return {}
        if len(upload.data) < header.offset + header.count * header.dtype.itemsize:
            raise InvalidInputError(
                f"{upload.filename} has to be a whole file", "an array that ends early", "Save it again"
            )
        array = np.frombuffer(upload.data, header.dtype, header.count, header.offset)
        return _alike({upload.stem: text_values(array, LABEL, upload.filename)}, LABEL)
    with open_zip(upload.data, upload.filename) as archive:
        headers = headers_of(archive, upload.filename, any_shape=True)
        if not all(_is_column(header.shape) and _readable(header) for header in headers.values()):
            return {}
        return _alike({key: texts_of(archive, key, header, upload) for key, header in headers.items()})


def _alike(columns: Mapping[str, Sequence[str]], title: str = "") -> Mapping[str, Sequence[str]]:
    """The columns if they have as many entries, a single one under a title of its own."""
    if len(columns) == 1 and all(map(MASK.fullmatch, columns)) and YES_OR_NO.issuperset(*columns.values()):
        return {}  # which items a kernel has, and no class
    if len({len(column) for column in columns.values()}) != 1:
        return {}
    return dict(zip([title], columns.values(), strict=True)) if title else columns


def _is_column(shape: tuple[int, ...]) -> bool:
    return len([size for size in shape if size != 1]) == 1 and 2 <= max(shape) <= SAMPLE_LIMIT


def _readable(header: Header) -> bool:
    return header.dtype.kind in "USbiuf" and header.dtype.itemsize > 0


# Data frames of R as tables of text; and vectors of R as tables, where a file holds nothing but those.


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
