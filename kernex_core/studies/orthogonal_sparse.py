"""Sparse vectors of Table 4 (thrombin): read without ever holding the full table, and their linear kernel."""

from __future__ import annotations

import gzip
import hashlib
import io
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from kernex_core.errors import InvalidInputError, TooLargeError
from kernex_core.frozen import FloatArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.recipe import Recipe, method
from kernex_core.inputs.samples import Labels
from kernex_core.validation import check_item_count

UNPACKED_LIMIT = 1_000_000_000
"""Bytes of text that a compressed file may unpack to: the competition's file of 1909 lines takes 532 MB."""
ENTRY_LIMIT = 50_000_000
LINE_LIMIT = 5_000_000
"""Characters of one line."""
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, eq=False)
class SparseVectors:
    """Sparse rows with their labels.

    Attributes
    ----------
    X : scipy.sparse.csr_array, (n, d)
    labels : Labels
        Of the first column; ids are "1", "2", ...
    recipe : Recipe
    """

    X: sparse.csr_array
    labels: Labels
    recipe: Recipe

    def kernel(self, name: str = "linear kernel") -> GramMatrix:
        """Linear kernel X X' (n, n)."""
        values = np.asarray((self.X @ self.X.T).toarray(), dtype=np.float64)
        return GramMatrix(values, self.labels.ids, name, method("K", self.recipe, "kernel"))

    @property
    def share_of_entries(self) -> float:
        """Share of the table that is not 0."""
        n, d = self.X.shape
        return float(self.X.nnz) / (n * d)


def read_sparse_vectors(data: bytes, filename: str, *, sha256: str = "") -> SparseVectors:
    """Read labelled sparse vectors, one a line, also gzipped.

    Two forms are known, told apart by the first line: `label index:value index:value ...` (SVMlight), and
    `label,0,1,0,...` as in the KDD Cup 2001 file of thrombin, of which only what is not 0 is kept.

    Parameters
    ----------
    data : bytes
    filename : str
        For messages.
    sha256 : str, optional
        First digits of the SHA-256 that the file has to have; reproducing scripts carry it.

    Raises
    ------
    InvalidInputError
        A line of another form (named), rows of different length, or no line.
    TooLargeError
        More items, entries or unpacked bytes than the limits.
    """
    digits = hashlib.sha256(data).hexdigest()
    if not digits.startswith(sha256):
        raise InvalidInputError(f"{filename} has to be the file with SHA-256 {sha256}…", f"{digits[:16]}…")
    rows: list[tuple[FloatArray, FloatArray]] = []
    labels: list[str] = []
    width, entries, parse = 0, 0, None
    for number, line in enumerate(_lines(data, filename), start=1):
        parse = parse or (_separated if b"," in line else _svmlight)
        label, columns, values, d = _parsed(parse, line, number, filename)
        if parse is _separated and width not in (0, d):
            raise InvalidInputError(
                f"Every line of {filename} has to have {width} values", f"{d} in line {number}"
            )
        width, entries = max(width, d), entries + values.size
        check_item_count(len(rows) + 1)
        if entries > ENTRY_LIMIT:
            raise TooLargeError(f"At most {ENTRY_LIMIT:,} entries that are not 0 fit", f"more in {filename}")
        rows.append((columns, values))
        labels.append(label)
    if not rows or width == 0:
        raise InvalidInputError(f"{filename} has to hold one labelled vector a line", "none")
    ids = tuple(str(i + 1) for i in range(len(rows)))
    recipe = _recipe(filename, digits[:16])
    return SparseVectors(
        _stacked(rows, width),
        Labels(ids, np.array(labels), recipe=Recipe("labels", "$0.labels", (recipe,))),
        recipe,
    )


def _stacked(rows: list[tuple[FloatArray, FloatArray]], width: int) -> sparse.csr_array:
    starts = np.concatenate([[0], np.cumsum([values.size for _, values in rows])])
    columns = np.concatenate([columns for columns, _ in rows]).astype(np.int64)
    values = np.concatenate([values for _, values in rows])
    return sparse.csr_array((values, columns, starts), shape=(len(rows), width))


def _recipe(filename: str, sha256: str) -> Recipe:
    source = (f"from {__name__} import read_sparse_vectors", "from pathlib import Path")
    name = repr(filename).replace("$", "\\x24")
    return Recipe(
        "sparse", f"read_sparse_vectors(Path({name}).read_bytes(), {name}, sha256={sha256!r})", (), source
    )


_Line = tuple[str, FloatArray, FloatArray, int]


def _lines(data: bytes, filename: str) -> Iterator[bytes]:
    raw = io.BytesIO(data)
    stream = gzip.GzipFile(fileobj=raw) if data[:2] == _GZIP else raw
    total = 0
    try:
        while line := stream.readline(LINE_LIMIT):
            total += len(line)
            if total > UNPACKED_LIMIT or len(line) == LINE_LIMIT:
                raise TooLargeError(
                    f"{filename} may unpack to {UNPACKED_LIMIT:,} bytes and {LINE_LIMIT:,} a line", "more"
                )
            if line.strip() and not line.startswith(b"#"):
                yield line.strip()
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidInputError(f"{filename} has to be a whole gzip file", str(error)) from error


def _parsed(parse: Callable[[bytes], _Line], line: bytes, number: int, filename: str) -> _Line:
    try:
        made = parse(line)
    except (ValueError, UnicodeDecodeError):
        made = None
    if made is None or not np.isfinite(made[2]).all() or (made[1].size and made[1].min() < 0):
        raise InvalidInputError(
            f"A line of {filename} is label index:value ... with indices from 1, or label,0,1,0,...",
            f"{line[:60].decode('utf-8', 'replace')!r} in line {number}",
        )
    return made


def _svmlight(line: bytes) -> _Line:
    label, *pairs = line.split(b"#", 1)[0].split()
    split = [pair.split(b":", 1) for pair in pairs]
    columns = np.array([int(index) - 1 for index, _ in split], dtype=np.float64)
    values = np.array([float(value) for _, value in split], dtype=np.float64)
    if np.unique(columns).size != columns.size:
        raise ValueError("an index twice")
    return label.decode(), columns, values, int(columns.max()) + 1 if columns.size else 0


def _separated(line: bytes) -> _Line:
    label, rest = line.split(b",", 1)
    if rest.replace(b"0", b"").replace(b"1", b"").replace(b",", b""):
        values = np.array(rest.split(b","), dtype=np.float64)
    else:
        # zeros and ones, by far the most of the competition's file, are read without splitting
        digits = np.frombuffer(rest, dtype=np.uint8)
        if digits.size % 2 == 0 or (digits[1::2] != ord(",")).any() or (digits[::2] == ord(",")).any():
            raise ValueError("an empty field")
        values = (digits[::2] == ord("1")).astype(np.float64)
    columns = np.flatnonzero(values)
    return label.decode(), columns.astype(np.float64), values[columns], values.size
