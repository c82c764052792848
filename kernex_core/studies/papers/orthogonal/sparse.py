"""Sparse vectors of Table 4 (thrombin): read without ever holding the full table, and their linear kernel."""

from __future__ import annotations

import gzip
import hashlib
import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.base.validation import check_item_count
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import Call, File, call, method, part
from kernex_core.gram.seen import PAIR
from kernex_core.inputs.formats.svmlight import SparseLine, class_name, number_of, read_pairs
from kernex_core.inputs.samples import Labels

# Lines of sparse files: SVMlight and KDD Cup 2001, each fault told by its line and by what was found there.

UNPACKED_LIMIT = 1_000_000_000
"""Bytes of text that a compressed file may unpack to: the competition's file of 1909 lines takes 532 MB."""
LINE_LIMIT = 5_000_000
"""Characters of one line."""
_GZIP, _UTF_8_MARK, _UTF_16_MARKS = b"\x1f\x8b", b"\xef\xbb\xbf", (b"\xff\xfe", b"\xfe\xff")


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


def _pairs(line: bytes, number: int, filename: str) -> SparseLine:
    """Read `label index:value index:value ...`; what follows # is a comment."""
    row = read_pairs(_decoded(line, number, filename), number, filename)
    if row.group:
        raise InvalidInputError(
            f"A line of {filename} is label index:value index:value ..., or label,0,1,0,...",
            f"'qid:{row.group}' in line {number}",
        )
    return row


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
            [
                number_of(field.decode("utf-8", "replace"), f"in column {at}", number, filename)
                for at, field in enumerate(fields, start=2)
            ]
        )
    places = np.flatnonzero(values)
    return SparseLine(
        _label(label, number, filename), (places + 1).astype(np.int64), values[places], values.size
    )


def _label(text: bytes, number: int, filename: str) -> str:
    return class_name(_decoded(text, number, filename))


def _decoded(text: bytes, number: int, filename: str) -> str:
    try:
        return text.decode()
    except UnicodeDecodeError:
        shown = text[:40].decode("utf-8", "replace")
        raise InvalidInputError(
            f"The labels of {filename} have to be text in UTF-8", f"{shown!r} in line {number}"
        ) from None


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
        parse = parse or (read_separated if is_separated(line) else _pairs)
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
