"""Vectors in arrays: NumPy (.npy, .npz), MATLAB and R, also sparse ones, one row an item."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.base.frozen import EqualByContent, FloatArray
from kernex_core.base.parameters import parameter
from kernex_core.base.validation import check_item_count
from kernex_core.gram.provenance import Call, part
from kernex_core.inputs.arrays import (
    MAGIC,
    Header,
    header_of,
    headers_of,
    is_matlab,
    is_numpy,
    is_sparse,
    matlab_of,
    member_of,
    sparse_of,
    texts_of,
)
from kernex_core.inputs.format import Format, Suggestion
from kernex_core.inputs.formats import numpy_file
from kernex_core.inputs.formats.vectors import check_size
from kernex_core.inputs.names import CLASSES, MASK, NEW_ROWS, distinct, listed
from kernex_core.inputs.r_objects import ENDINGS, RObjects, RSparse, is_r, labels_beside, r_objects
from kernex_core.inputs.samples import Labels, Note, SparseVectors, Vectors
from kernex_core.inputs.sparse_vectors import SparseOptions, vectors_of, written_vectors
from kernex_core.inputs.tables.class_column import as_label
from kernex_core.inputs.tables.columnar import are_classes
from kernex_core.inputs.upload import Upload, open_zip

_VALUES = ("x", "data", "features", "vectors", "x_train", "embeddings", "fingerprints")
_IDS = ("ids", "names", "items", "index", "rows")
_LABELS = (*CLASSES, "y_train")
_COLUMNS = ("columns", "feature_names", "features", "genes")


@dataclass(frozen=True)
class ArrayOptions(SparseOptions):
    """How an array of vectors is read; whether zeros are held is asked of sparse ones alone."""

    key: str = parameter(
        "",
        help="Name of the array in a file of several; empty: X or data, else the first that is not square.",
        label="Array",
    )


@dataclass(frozen=True, eq=False)
class _Found(EqualByContent):
    """Numbers of the vectors, and texts beside them by name."""

    key: str
    values: FloatArray | sparse.csr_array
    texts: dict[str, list[str]]
    others: tuple[str, ...]


def sniff(upload: Upload) -> float:
    """Confidence that an upload holds vectors in an array: a square one rather holds similarities."""
    try:
        shapes = array_shapes(upload)
    except KernexError:
        return 0.0
    tall = [shape for shape in shapes.values() if len(shape) == 2 and shape[0] != shape[1]]
    square = any(map(numpy_file.stacked, shapes.values()))
    if are_classes(upload):
        return 0.08  # rather classes
    return 0.7 if tall and not square else 0.4 if tall else 0.2 if square else 0.0


def suggest(upload: Upload) -> Suggestion:
    """The arrays of two dimensions, where the file has several."""
    names = [name for name, shape in array_shapes(upload).items() if len(shape) == 2]
    idle = () if lists_entries(upload) else ("zeros",)
    return Suggestion(ArrayOptions(), {"key": ("", *names)} if len(names) > 1 else {}, idle=idle)


def read(upload: Upload, options: ArrayOptions, *, fewest: int = 2) -> Vectors | SparseVectors:
    """Read the rows of an array; ids, classes and names of columns from arrays beside it that are called so.

    Raises
    ------
    InvalidInputError
        Damaged, no such array, none of two dimensions, or entries that are no finite numbers.
    TooLargeError
        More rows or values than the limits, before room for them is taken.
    """
    shapes = array_shapes(upload)
    key = _choose(shapes, options.key, upload.filename)
    n, d = shapes[key]
    check_item_count(n, options.limit)
    if not lists_entries(upload, key):
        check_size(max(n, d) if MASK.fullmatch(key or upload.stem) else n, d, upload.filename, fewest)
    found = opened_array(upload, key, n, d)
    ids, repeated = distinct(_named(found.texts, _IDS, n) or [str(k + 1) for k in range(n)])
    columns = _named(found.texts, _COLUMNS, d) or []
    called = found.key or upload.stem
    if (
        MASK.fullmatch(called)
        and isinstance(found.values, np.ndarray)
        and np.isin(found.values, (0, 1)).all()
    ):
        return _mask(found.values, called, upload, recipe=upload.recipe(options))
    if not columns and NEW_ROWS.search(called):  # what it is called says what its rows are
        columns = [f"{called} {k + 1}" for k in range(d)]
    y = _named(found.texts, _LABELS, n)
    recipe = upload.recipe(options)
    labels = None
    if y is not None:
        labels = Labels(
            ids, np.array([as_label(label) for label in y], dtype=np.str_), recipe=part(recipe, "labels")
        )
    left = Note(
        f"Other arrays of the file: {listed(found.others, 8)}.",
        f"{found.key or 'The matrix'} is taken.",
        "Choose another array.",
    )
    notes = (*repeated, *((left,) if found.others else ()))
    if isinstance(found.values, np.ndarray):
        made = written_vectors(found.values, ids, columns, labels, notes, upload.filename)
        return replace(made, recipe=recipe)
    sparse_made = vectors_of(
        found.values, ids, upload, options.zeros, columns=columns, labels=labels, notes=notes, fewest=fewest
    )
    return replace(sparse_made, recipe=recipe)


def _mask(values: FloatArray, called: str, upload: Upload, recipe: Call) -> Vectors:
    """Which items each kernel has, one column a kernel: whichever way round it lies, there are more items."""
    X = values if values.shape[0] >= values.shape[1] else np.ascontiguousarray(values.T)
    titles = [f"{called} {k + 1}" for k in range(X.shape[1])]
    ids = tuple(str(k + 1) for k in range(X.shape[0]))
    return replace(written_vectors(X, ids, titles, None, (), upload.filename), recipe=recipe)


def lists_entries(upload: Upload, key: str = "") -> bool:
    """Whether the array of that name, or any, lists only what is not 0."""
    if is_r(upload):
        by_entries = r_objects(upload).sparse
        return key in by_entries if key or len(r_objects(upload).matrices) == 1 else bool(by_entries)
    if is_matlab(upload.data):
        listed_ones = matlab_of(upload).sparse
        return key in listed_ones if key else bool(listed_ones)
    if not upload.is_zip or not is_numpy(upload):
        return False
    with open_zip(upload.data, upload.filename) as archive:
        return is_sparse(headers_of(archive, upload.filename, any_shape=True))


def array_shapes(upload: Upload) -> dict[str, tuple[int, ...]]:
    """Shapes of the arrays of numbers of a file, by name; "" for the only one of a .npy file or of a sparse matrix.

    A mask of one kernel is a column, also where it is a plain list.
    """
    return {
        name: (*shape, 1) if len(shape) == 1 and MASK.fullmatch(name or upload.stem) else shape
        for name, shape in _shapes(upload).items()
    }


def _shapes(upload: Upload) -> dict[str, tuple[int, ...]]:
    if is_r(upload):
        return {
            name: array.shape for name, array in r_objects(upload).matrices.items() if array.form == "array"
        }
    if is_matlab(upload.data):
        found = matlab_of(upload)
        shapes = {name: array.shape for name, array in found.arrays.items()}
        return {**shapes, **{name: array.shape for name, array in found.sparse.items()}}
    if not is_numpy(upload):
        return {}
    if upload.data.startswith(MAGIC):
        header = header_of(io.BytesIO(upload.data), upload.filename)
        return {"": header.shape} if header.dtype.kind in "fiub" else {}
    with open_zip(upload.data, upload.filename) as archive:
        headers = headers_of(archive, upload.filename, any_shape=True)
        if is_sparse(headers):
            return {"": sparse_of(archive, headers, upload).shape}
    return {name: header.shape for name, header in headers.items() if header.dtype.kind in "fiub"}


def _choose(shapes: dict[str, tuple[int, ...]], wanted: str, filename: str) -> str:
    shown = (
        ", ".join(f"{name or 'one'} ({' × '.join(map(str, shape))})" for name, shape in shapes.items())
        or "none"
    )
    two = [name for name, shape in shapes.items() if len(shape) == 2]
    if (wanted and wanted not in two) or not two:
        raise InvalidInputError(
            "Vectors are an array of two dimensions, one row an item",
            f"{shown} in {filename}",
            "Choose or save such an array",
        )
    called = [name for want in _VALUES for name in two if name.lower() == want]
    tables = [
        name for name in two if min(shapes[name]) > 1
    ]  # what has one row or column stands beside others
    tall = [name for name in tables if shapes[name][0] != shapes[name][1]]
    return wanted or next(iter([*called, *tall, *tables, *two]))


def opened_array(upload: Upload, key: str, n: int, d: int) -> _Found:
    """An array n × d of a file, and the texts beside it."""
    if is_r(upload):
        return _of_r(r_objects(upload), key, n)
    if is_matlab(upload.data):
        found = matlab_of(upload)
        arrays = found.arrays
        texts = {
            name.lower(): [_plain(value) for value in array.ravel().tolist()]
            for name, array in arrays.items()
            if name != key and array.size in (n, d) and max(array.shape) == array.size
        }
        others = [
            name
            for name in (*arrays, *found.sparse)
            if name != key and name.lower() not in (*_IDS, *_LABELS, *_COLUMNS)
        ]
        values = found.sparse[key] if key in found.sparse else np.array(arrays[key], order="C")
        return _Found(key, values, texts, tuple(others))
    if upload.data.startswith(MAGIC):
        return _Found(key, np.array(numpy_file.whole_array(upload)).reshape(n, d), {}, ())
    with open_zip(upload.data, upload.filename) as archive:
        headers = headers_of(archive, upload.filename, any_shape=True)
        if is_sparse(headers):
            return _Found("", sparse_of(archive, headers, upload), {}, ())
        values = member_of(archive, key, headers[key], upload).astype(np.float64).reshape(n, d)
        beside = [name for name in headers if name != key and _is_list(headers[name], (n, d))]
        texts = {name.lower(): texts_of(archive, name, headers[name], upload) for name in beside}
    others = [name for name in headers if name != key and name.lower() not in (*_IDS, *_LABELS, *_COLUMNS)]
    return _Found(key, values, texts, tuple(others))


def _of_r(found: RObjects, key: str, n: int) -> _Found:
    """A matrix of R: names of its rows are ids, those of its columns the names of features."""
    array = found.matrices[key]
    rows, columns = array.axes
    texts = {name.rpartition("$")[2].lower(): list(each.texts) for name, each in found.texts.items()}
    texts |= {"ids": list(rows)} if rows else {}
    texts |= {"columns": list(columns)} if columns else {}
    labels, _ = labels_beside(found, rows, n)
    texts |= {"y": labels} if labels is not None else {}
    known = (*_IDS, *_LABELS, *_COLUMNS)
    named = (*found.matrices, *found.texts, *found.frames)
    others = tuple(name for name in named if name != key and name.rpartition("$")[2].lower() not in known)
    values = array.rows if isinstance(array, RSparse) else np.array(array.values, order="C")
    return _Found(key, values, texts, others)


def _is_list(header: Header, sizes: Sequence[int]) -> bool:
    return len(header.shape) == 1 and header.shape[0] in sizes and header.dtype.kind in "USiufb"


def _plain(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.17g}"


def _named(texts: dict[str, list[str]], names: Sequence[str], size: int) -> list[str] | None:
    return next((texts[name] for name in names if name in texts and len(texts[name]) == size), None)


FORMAT = Format(
    "vector_arrays",
    "Vectors (NumPy, MATLAB, R)",
    "vectors",
    ("npy", "npz", "mat", *ENDINGS),
    sniff,
    suggest,
    read,
    ArrayOptions,
)
