"""Sparse vectors of Table 4 (thrombin): read without ever holding the full table, and their linear kernel."""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.base.validation import check_item_count
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import Call, File, call, method, part
from kernex_core.gram.seen import PAIR
from kernex_core.inputs.samples import Labels
from kernex_core.inputs.tables.class_column import as_label

# Lines of sparse files: SVMlight and KDD Cup 2001, each fault told by its line and by what was found there.

UNPACKED_LIMIT = 1_000_000_000
"""Bytes of text that a compressed file may unpack to: the competition's file of 1909 lines takes 532 MB."""
LINE_LIMIT = 5_000_000
"""Characters of one line."""
INDEX_LIMIT = 2**63 - 1
"""Largest index: only those that occur take memory."""
_GZIP, _UTF_8_MARK, _UTF_16_MARKS = b"\x1f\x8b", b"\xef\xbb\xbf", (b"\xff\xfe", b"\xfe\xff")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


class SparseLine(NamedTuple):
    """What is not 0 in one line: class, indices from 1, values, and how many features the line speaks of."""

    label: str
    indices: IntArray
    values: FloatArray
    width: int


def text_lines(data: bytes, filename: str) -> Iterator[tuple[int, bytes]]:
    """Number and text of each line that is neither empty nor a comment, unpacked as it is read.

    Raises
    ------
    InvalidInputError
        A damaged gzip file, or UTF-16.
    TooLargeError
        More than `UNPACKED_LIMIT` bytes, or `LINE_LIMIT` in one line.
    """
    raw = io.BytesIO(data)
    stream = gzip.GzipFile(fileobj=raw) if data[:2] == _GZIP else raw
    total = number = 0
    try:
        while line := stream.readline(LINE_LIMIT):
            total, number = total + len(line), number + 1
            if total > UNPACKED_LIMIT or len(line) == LINE_LIMIT:
                raise TooLargeError(
                    f"{filename} may unpack to {UNPACKED_LIMIT:,} bytes and {LINE_LIMIT:,} a line", "more"
                )
            if number == 1 and line.startswith(_UTF_16_MARKS):
                raise InvalidInputError(
                    f"{filename} has to be text in UTF-8", "the mark of UTF-16", "Save it as UTF-8"
                )
            line = line.removeprefix(_UTF_8_MARK).strip() if number == 1 else line.strip()
            if line and not line.startswith(b"#"):
                yield number, line
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidInputError(f"{filename} has to be a whole gzip file", str(error)) from error


def is_separated(line: bytes) -> bool:
    """Whether a first line is of the form `label,0,1,...`."""
    return b"," in line.split(b"#", 1)[0]


def class_name(text: str) -> str:
    """Name of a class: numbers that are equal are one class ("+1", "1" and "1.0"); "" for ?, NA and the like."""
    label = as_label(text)
    if not _NUMBER.fullmatch(label):
        return label
    value = float(label)
    if re.fullmatch(r"[+-]?\d+", label, re.ASCII) and len(label) <= 300:
        return str(int(label))
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def read_pairs(line: bytes, number: int, filename: str) -> SparseLine:
    """Read `label index:value index:value ...`; what follows # is a comment."""
    label, *pairs = line.split(b"#", 1)[0].split()
    indices = np.empty(len(pairs), dtype=np.int64)
    values = np.empty(len(pairs), dtype=np.float64)
    for place, pair in enumerate(pairs):
        index, colon, value = pair.partition(b":")
        if not colon or not index.lstrip(b"+-").isdigit():
            raise InvalidInputError(
                f"A line of {filename} is label index:value index:value ..., or label,0,1,0,...",
                f"{_shown(pair)} in line {number}",
            )
        indices[place] = _index(index, number, filename)
        values[place] = _value(value, f"at index {_shown(index, quoted=False)}", number, filename)
    ordered = np.sort(indices)
    twice = ordered[1:][ordered[1:] == ordered[:-1]]
    if twice.size:
        raise InvalidInputError(
            f"In a line of {filename} every index stands once",
            f"index {twice[0]} twice in line {number}",
            "Add up or leave out what is said twice",
        )
    kept = values != 0.0
    return SparseLine(
        _label(label, number, filename), indices[kept], values[kept], int(ordered[-1]) if pairs else 0
    )


def read_separated(line: bytes, number: int, filename: str) -> SparseLine:
    """Read `label,0,1,0,...`, of which what is not 0 is kept."""
    label, _, rest = line.partition(b",")
    digits = np.frombuffer(rest, dtype=np.uint8)
    plain = digits.size % 2 == 1 and not rest.replace(b"0", b"").replace(b"1", b"").replace(b",", b"")
    if plain and (digits[1::2] == ord(",")).all() and (digits[::2] != ord(",")).all():
        # zeros and ones, by far the most of the competition's file, are read without splitting
        values = (digits[::2] == ord("1")).astype(np.float64)
    else:
        fields = rest.split(b",")
        values = np.array(
            [_value(field, f"in column {at}", number, filename) for at, field in enumerate(fields, start=2)]
        )
    places = np.flatnonzero(values)
    return SparseLine(
        _label(label, number, filename), (places + 1).astype(np.int64), values[places], values.size
    )


def _index(text: bytes, number: int, filename: str) -> int:
    digits = text.lstrip(b"+-").lstrip(b"0")
    beyond = len(digits) > len(str(INDEX_LIMIT)) or int(digits or b"0") > INDEX_LIMIT
    if beyond:
        raise InvalidInputError(
            f"An index in {filename} is at most {INDEX_LIMIT:,}",
            f"index {_shown(text, quoted=False)} in line {number}",
            "Number the features from 1 on",
        )
    if not digits or text.startswith(b"-"):
        raise InvalidInputError(
            f"The indices in {filename} begin with 1",
            f"index {_shown(text, quoted=False)} in line {number}",
            "Add 1 to every index of the file",
        )
    return int(digits)


def _value(text: bytes, where: str, number: int, filename: str) -> float:
    try:
        value = float(text) if b"_" not in text else float("nan")
    except ValueError:
        value = float("nan")
    if not np.isfinite(value):
        found = (
            f"{_shown(text)} {where} of line {number}"
            if text.strip()
            else f"nothing {where} of line {number}"
        )
        raise InvalidInputError(
            f"Every value of {filename} has to be a finite number", found, "Leave out or fill what is unknown"
        )
    return value


def _label(text: bytes, number: int, filename: str) -> str:
    try:
        return class_name(text.decode())
    except UnicodeDecodeError:
        raise InvalidInputError(
            f"The labels of {filename} have to be text in UTF-8", f"{_shown(text)} in line {number}"
        ) from None


def _shown(text: bytes, *, quoted: bool = True) -> str:
    shown = text[:40].decode("utf-8", "replace") + ("…" if len(text) > 40 else "")
    return repr(shown) if quoted else shown


ENTRY_LIMIT = 20_000_000
"""Entries that are not 0: 16 bytes each, some three times while they are sorted. Thrombin has 1.8 million."""


@dataclass(frozen=True, eq=False)
class SparseTable(EqualByContent):
    """Sparse rows with their labels.

    Attributes
    ----------
    X : scipy.sparse.csr_array, (n, n_occurring)
        One column for each index that occurs: memory goes with the entries, never with the largest index.
    indices : (n_occurring,) int
        Index of each column, from 1, ascending.
    n_features : int
        The largest index, or the length of a line.
    labels : Labels
        Of the first column; ids are "1", "2", ...
    recipe : Call
    """

    X: sparse.csr_array
    indices: IntArray
    n_features: int
    labels: Labels
    recipe: Call

    def kernel(self, name: str = "linear kernel") -> GramMatrix:
        """Linear kernel X X' (n, n).

        Raises
        ------
        InvalidInputError
            No entry at all, or values whose products are beyond what numbers hold: infinite, or 0.
        """
        values = np.asarray((self.X @ self.X.T).toarray(), dtype=np.float64)
        self._check_range(values)
        return GramMatrix(values, self.labels.ids, name, method("K", self.recipe, "kernel"), PAIR)

    @property
    def share_of_entries(self) -> float:
        """Share of the table that is not 0."""
        return int(self.X.nnz) / (self.X.shape[0] * self.n_features)

    def _check_range(self, values: FloatArray) -> None:
        """A product below 5e-324 becomes 0 and one above 1.8e308 infinite, without a word from the machine."""
        scale = "Multiply all values by one number, so that they are near 1"
        if not self.X.nnz:
            raise InvalidInputError(
                "A kernel needs entries that are not 0", "0 everywhere: the kernel would be all 0"
            )
        if not np.isfinite(values).all():
            row = int(np.argmin(np.isfinite(values).all(axis=1)))
            most = float(np.abs(self.X[[row]].data).max())
            raise InvalidInputError(
                "Products of two vectors have to be finite",
                f"infinite for vector {row + 1}, whose largest value is {most:.3g}",
                scale,
            )
        lost = np.flatnonzero((np.diff(self.X.indptr) > 0) & (values.diagonal() == 0.0))
        if lost.size:
            which, rows = f"vector {lost[0] + 1} times itself is 0", self.X[[int(lost[0])]]
            if not values.any():
                which, rows = "the kernel is all 0", self.X
            raise InvalidInputError(
                "Squares of values that are not 0 have to be above 5e-324, the smallest number that there is",
                f"{which}, for its values go up to {float(np.abs(rows.data).max()):.3g} only",
                scale,
            )


def read_sparse_vectors(data: bytes, filename: str, *, sha256: str = "") -> SparseTable:
    """Read labelled sparse vectors, one a line, also gzipped.

    Two forms are known, told apart by the first line: `label index:value index:value ...` (SVMlight), and
    `label,0,1,0,...` as in the KDD Cup 2001 file of thrombin, of which only what is not 0 is kept. Labels that are
    equal as numbers ("+1", "1") are one class.

    Parameters
    ----------
    data : bytes
        UTF-8, with or without its mark.
    filename : str
        For messages.
    sha256 : str, optional
        First digits of the SHA-256 that the file has to have; reproducing scripts carry it.

    Raises
    ------
    InvalidInputError
        A line of another form, an index below 1, above 2⁶³ − 1 or twice in a line, a value that is no finite number
        (line and what was found are named), rows of different length, or no line.
    TooLargeError
        More items, entries or unpacked bytes than the limits.
    """
    digits = hashlib.sha256(data).hexdigest()
    if not digits.startswith(sha256):
        raise InvalidInputError(f"{filename} has to be the file with SHA-256 {sha256}…", f"{digits[:16]}…")
    rows: list[SparseLine] = []
    entries, parse = 0, None
    for number, line in text_lines(data, filename):
        parse = parse or (read_separated if is_separated(line) else read_pairs)
        row = parse(line, number, filename)
        if parse is read_separated and rows and row.width != rows[0].width:
            raise InvalidInputError(
                f"Every line of {filename} has to have {rows[0].width} values",
                f"{row.width} in line {number}",
            )
        entries += row.values.size
        check_item_count(len(rows) + 1)
        if entries > ENTRY_LIMIT:
            raise TooLargeError(f"At most {ENTRY_LIMIT:,} entries that are not 0 fit", f"more in {filename}")
        rows.append(row)
    width = max((row.width for row in rows), default=0)
    if not width:
        found = f"{len(rows)} lines of a label alone" if rows else "none"
        raise InvalidInputError(f"{filename} has to hold one labelled vector a line", found)
    return _vectors(
        rows, width, call("sparse", "read_sparse_vectors", File(filename), filename, sha256=digits[:16])
    )


def _vectors(rows: list[SparseLine], width: int, recipe: Call) -> SparseTable:
    ids = tuple(str(i + 1) for i in range(len(rows)))
    starts = np.concatenate([[0], np.cumsum([row.values.size for row in rows])])
    values = np.concatenate([row.values for row in rows])
    indices, columns = np.unique(np.concatenate([row.indices for row in rows]), return_inverse=True)
    X = sparse.csr_array((values, columns.ravel(), starts), shape=(len(rows), indices.size))
    labels = Labels(ids, np.array([row.label for row in rows]), recipe=part(recipe, "labels"))
    return SparseTable(X, indices, width, labels, recipe)
