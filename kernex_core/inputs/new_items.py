"""New items of a kernel that is known as a matrix alone: their similarities to the items that are there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy import sparse

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import FloatArray, ReadOnlyArrays, owned
from kernex_core.base.validation import LARGEST_ENTRY, check_item_count, common_value
from kernex_core.gram.matrix import GramMatrix, check_ids
from kernex_core.inputs.format import SURE
from kernex_core.inputs.formats.matrix_market import VECTORS as MARKET
from kernex_core.inputs.formats.matrix_market import MarketVectorOptions
from kernex_core.inputs.formats.matrix_market import read_vectors as read_of_market
from kernex_core.inputs.formats.sequence_files import (
    ALIGNMENT,
    RECORDS,
    AlignmentOptions,
    FastaOptions,
    RecordOptions,
    read_aligned,
    read_fasta,
    read_recorded,
)
from kernex_core.inputs.formats.svmlight import FORMAT as SPARSE
from kernex_core.inputs.formats.svmlight import FROM_ZERO, ONES, SvmlightOptions, read_ones
from kernex_core.inputs.formats.svmlight import read as read_of_svmlight
from kernex_core.inputs.formats.vector_arrays import ArrayOptions, array_shapes, lists_entries, opened_array
from kernex_core.inputs.formats.vector_arrays import read as read_of_arrays
from kernex_core.inputs.formats.vectors import VectorOptions
from kernex_core.inputs.formats.vectors import read as read_of_vectors
from kernex_core.inputs.names import NEW_ROWS, counted, distinct, listed
from kernex_core.inputs.samples import AnyVectors, Note, Sequences, SparseVectors, Vectors
from kernex_core.inputs.tables.columnar import is_array_file
from kernex_core.inputs.tables.table import Table, table_of
from kernex_core.inputs.upload import Upload, open_upload

NEW_LIMIT = 10_000
"""Largest number of new sequences at a time."""


def read_new(data: bytes | Upload, filename: str, samples: Sequences) -> Sequences:
    """Read new sequences, of the kind of those that are there: FASTA, an alignment, records, or one a line.

    Ids that the samples have already get " (new)" behind them.

    Raises
    ------
    InvalidInputError
        No sequence, or no text.
    TooLargeError
        More than NEW_LIMIT sequences.
    """
    found = _new_sequences(open_upload(data, filename), samples)
    taken, ids, known = set(samples.ids), list(found.ids), []
    for place, name in enumerate(found.ids):
        if name in taken:
            known.append(name)
            ids[place] = f"{name} (new)"
    notes = found.notes
    if known:
        note = Note(
            f"Ids that the data have already: {len(known):,} ({listed(known)}).",
            'They are taken for new items of the same name, with " (new)" behind the id.',
        )
        notes = (*notes, note)
    return Sequences(tuple(ids), found.strings, samples.alphabet, None, notes)


def _new_sequences(upload: Upload, samples: Sequences) -> Sequences:
    kind = samples.alphabet
    if ALIGNMENT.sniff(upload) > 0.0:
        return read_aligned(upload, AlignmentOptions(alphabet=kind, limit=NEW_LIMIT), fewest=1)
    if RECORDS.sniff(upload) > 0.0:
        return read_recorded(upload, RecordOptions(alphabet=kind, limit=NEW_LIMIT), fewest=1)
    lines = [line.strip() for line in upload.text.split("\n") if line.strip()]
    if not any(line.startswith(">") for line in lines):
        check_item_count(len(lines), NEW_LIMIT)
        fasta = "\n".join(f">new_{k}\n{line}" for k, line in enumerate(lines, 1))
        upload = open_upload(fasta.encode(), upload.filename)
    return read_fasta(upload, FastaOptions(alphabet=kind, limit=NEW_LIMIT), fewest=1)


SELF = ("self", "k(x,x)", "k(x, x)", "self-similarity")
"""What the column of each new item's similarity to itself may be called."""
OWN = ("self", "k_self", "own", "diag", "diagonal", "k_diag", "diag_test", "k_test_diag", "self_test")
"""What an array of the same is called."""


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
    """Read a table with one row a new item and one column an item, named by its id, in any order; or an array in theirs.

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
    upload = open_upload(data, filename)
    if is_array_file(upload):
        return _rows_of_array(upload, items, diagonal)
    if lists_vectors(upload):
        raise InvalidInputError(
            "New items of a kernel that is a matrix are their similarities to all items",
            f"sparse vectors in {filename}",
            "Bring the vectors that the kernel is made of with it, or compute kernel.cross(new.X, known.X) in a script",
        )
    table = table_of(upload)
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


def _rows_of_array(upload: Upload, items: tuple[str, ...], diagonal: FloatArray) -> NewRows:
    """New rows in an array, whose columns are in the order of the items: nothing but a name or its shape says so."""
    n, shapes = len(items), array_shapes(upload)
    flat = {name: shape for name, shape in shapes.items() if len(shape) == 2}
    fitting = [name for name, shape in flat.items() if shape[1] == n]
    called = [name for name in fitting if NEW_ROWS.search(name or upload.stem)]
    others = [name for name in fitting if flat[name][0] != n]
    key = next(iter([*called, *others, *(fitting if len(flat) == 1 else [])]), None)
    if key is None:
        shown = listed(
            [f"{name or 'one'} ({' × '.join(map(str, shape))})" for name, shape in shapes.items()], 8
        )
        raise InvalidInputError(
            f"New items are an array of one row each and {counted(n, 'column')}, in the order of the items",
            f"{shown or 'none'} in {upload.filename}",
            "Call it K_test where several would do",
        )
    m = flat[key][0]
    check_new(m, upload.filename)
    found = opened_array(upload, key, m, n)
    cross = found.values if isinstance(found.values, np.ndarray) else np.asarray(found.values.toarray())
    _check_entries(cross, lambda i, j: f"in row {i + 1}, column {j + 1}", f"of {upload.filename}")
    said = next((found.texts[name] for name in OWN if len(found.texts.get(name, ())) == m), None)
    own = _own(np.array(said, dtype=np.float64)[:, None] if said else cross, diagonal, said is not None)
    note = Note(
        f"The columns of {key or 'the array'} have no names.",
        f"They are taken in the order of the {n:,} items.",
        "",
        "warning",
    )
    return NewRows(new_ids([""] * m, items), owned(np.ascontiguousarray(cross)), owned(own), (note,))


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
    _check_entries(values, lambda i, j: f"for {ids[i]!r} and {titles[j]!r}", f"in {table.name}")
    return ids, values


def _check_entries(values: FloatArray, place: Callable[[int, int], str], where: str) -> None:
    odd = ~np.isfinite(values) | (np.abs(values) > LARGEST_ENTRY)
    if odd.any():
        i, j = (int(k) for k in np.argwhere(odd)[0])
        raise InvalidInputError(
            "Similarities of new items have to be known and finite",
            f"{values[i, j]:g} {place(i, j)} ({int(odd.sum()):,} such entries) {where}",
        )


def _own(values: FloatArray, diagonal: FloatArray, given: bool) -> FloatArray:
    if given:
        return values[:, -1].copy()
    if np.isnan(common := common_value(diagonal)):
        raise InvalidInputError(
            "A column 'self' is needed, with the similarity of each new item to itself",
            f"none, and those of the items go from {diagonal.min():.4g} to {diagonal.max():.4g}",
        )
    return np.full(values.shape[0], common)


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


@dataclass(frozen=True)
class KnownVectors:
    """What new vectors have to fit.

    Attributes
    ----------
    ids, columns : tuple of str
        Of the vectors; of sparse ones there may be no names of columns.
    width : int
        Number of columns.
    held : bool
        Only what is not 0 is held.
    first_index : {"0", "1", "auto"}
        Number of the first feature in their file, where that counts them.
    """

    ids: tuple[str, ...]
    columns: tuple[str, ...]
    width: int
    held: bool = False
    first_index: Literal["auto", "0", "1"] = "auto"

    @classmethod
    def of(cls, vectors: AnyVectors) -> KnownVectors:
        """What these vectors are."""
        told = {} if vectors.recipe is None else vectors.recipe.keywords
        listed_ones = told.get("format") in (SPARSE.name, ONES.name)
        zero = told.get("first_index") == "0" or any(note.text == FROM_ZERO for note in vectors.notes)
        return cls(
            vectors.ids,
            vectors.columns,
            vectors.X.shape[1],
            isinstance(vectors, SparseVectors),
            "0" if zero else "1" if listed_ones else "auto",
        )


def lists_vectors(upload: Upload, width: int | None = None) -> bool:
    """Whether an upload lists what is not 0 of vectors: SVMlight, indices of ones, MatrixMarket, or a sparse array.

    Of arrays, those of this width: similarities may be sparse, too.
    """
    if is_array_file(upload):
        shapes = array_shapes(upload).values() if lists_entries(upload) else ()
        return width is not None and any(shape[1] == width for shape in shapes if len(shape) == 2)
    return max(SPARSE.sniff(upload), ONES.sniff(upload), MARKET.sniff(upload)) >= SURE


def _listed_vectors(upload: Upload, known: KnownVectors) -> Vectors | SparseVectors:
    """New vectors by the numbers of their features."""
    if is_array_file(upload):
        found = read_of_arrays(upload, ArrayOptions(zeros="left out"), fewest=1)
    elif MARKET.sniff(upload) > 0.0:
        found = read_of_market(upload, MarketVectorOptions(zeros="left out"), fewest=1)
    else:
        said = SvmlightOptions(zeros="left out", features=known.width, first_index=known.first_index)
        read = read_of_svmlight if SPARSE.sniff(upload) >= SURE else read_ones
        found = read(upload, said, fewest=1)
    check_new(found.n, upload.filename)
    if found.X.shape[1] != known.width:
        raise InvalidInputError(
            f"New items have the {counted(known.width, 'feature')} of the items",
            f"{found.X.shape[1]:,} in {upload.filename}",
        )
    ids = new_ids(found.ids, known.ids)
    labels = None if found.labels is None else replace(found.labels, ids=ids, recipe=None)
    if known.held:
        return SparseVectors(ids, sparse.csr_array(found.X), known.columns, labels)
    return Vectors(
        ids,
        owned(np.asarray(found.X.toarray() if isinstance(found, SparseVectors) else found.X)),
        known.columns,
        labels,
    )


def read_new_vectors(data: bytes | Upload, filename: str, vectors: AnyVectors) -> AnyVectors:
    """Read new items with the columns of `vectors`: a table that names them, or sparse vectors that number them.

    Of a table other columns are left out. Rows with unknown values are left out, and a note names them. Ids that the items
    have already get " (new)".

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
    return new_vectors_of(data, filename, KnownVectors.of(vectors))


def new_vectors_of(data: bytes | Upload, filename: str, vectors: KnownVectors) -> AnyVectors:
    """Read new vectors; see `read_new_vectors`.

    Raises
    ------
    InvalidInputError, TooLargeError
    """
    file = open_upload(data, filename)
    if is_array_file(file) or lists_vectors(file):
        return _listed_vectors(file, vectors)
    found = read_of_vectors(file, VectorOptions(), fewest=1)
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
    named = tuple(ids[k] for k in kept)
    if vectors.held:
        return SparseVectors(named, sparse.csr_array(X[kept]), vectors.columns, labels, notes)
    return Vectors(named, owned(np.ascontiguousarray(X[kept])), vectors.columns, labels, notes)


def _matched(
    found: Vectors, vectors: KnownVectors, header: Sequence[str], filename: str
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
