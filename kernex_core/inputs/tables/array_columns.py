"""Columns of arrays (.npy, .npz, .mat) as a table of text: ids, classes or numbers of items, with no matrix beside them."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

import numpy as np

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.base.validation import SAMPLE_LIMIT
from kernex_core.inputs.matlab_arrays import is_matlab, matlab_of
from kernex_core.inputs.names import MASK
from kernex_core.inputs.numpy_arrays import (
    MAGIC,
    Header,
    header_of,
    headers_of,
    is_numpy,
    text_values,
    texts_of,
)
from kernex_core.inputs.tables.dialect import NUMBER, Dialect
from kernex_core.inputs.tables.table import Row, Table
from kernex_core.inputs.upload import Upload, open_zip

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
        return bool(_columns(upload))
    except KernexError:
        return False


def array_table(upload: Upload) -> Table:
    """Return the columns, ids first, below their names.

    Raises
    ------
    InvalidInputError
        Something else than columns is in the file, or they differ in length.
    """
    columns = _columns(upload)
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
    columns = list(_columns(upload).values())
    if len(columns) != 1:
        return False
    words = not all(map(NUMBER.match, columns[0]))
    return words or len(set(columns[0])) <= max(2, len(columns[0]) // 2)


def _columns(upload: Upload) -> Mapping[str, Sequence[str]]:
    found: Mapping[str, Sequence[str]] = upload.remembered("array columns", lambda: _opened(upload))
    return found


def _opened(upload: Upload) -> Mapping[str, Sequence[str]]:
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
