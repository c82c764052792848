"""Rows of which a file lists only what is not 0: held as they are, or with every zero written where that is little."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

import numpy as np
from scipy import sparse

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import FloatArray, owned
from kernex_core.base.parameters import parameter
from kernex_core.base.sparse_rows import WRITTEN_LIMIT
from kernex_core.inputs.health import vector_notes
from kernex_core.inputs.names import counted
from kernex_core.inputs.options import SampleOptions
from kernex_core.inputs.samples import Labels, Note, SparseVectors, Vectors
from kernex_core.inputs.tables.class_column import without_sentinels
from kernex_core.inputs.upload import Upload

VALUE_LIMIT: Final = 50_000_000
"""Largest number of values that are written out, rows times columns."""
MOST_NAMED: Final = 100_000
"""Columns up to which each gets a name."""
Zeros: TypeAlias = Literal["auto", "left out", "written"]
"""Whether zeros are held."""


def zeros_option() -> Zeros:
    """Field of options: whether zeros are held."""
    made: Zeros = parameter(
        "auto",
        help=f"Whether zeros are held: kernels take vectors without, maps and imputation need every zero. auto: written up "
        f"to {WRITTEN_LIMIT:,} numbers, or where half of them are not 0.",
        label="Zeros are",
        choices=("auto", "left out", "written"),
    )
    return made


@dataclass(frozen=True)
class SparseOptions(SampleOptions):
    """Options of every format that lists what is not 0."""

    zeros: Zeros = zeros_option()


def check_shape(n: int, d: int, filename: str, fewest: int = 2) -> None:
    """Refuse fewer rows than there have to be, or no column.

    Raises
    ------
    InvalidInputError
    """
    if n < fewest or d < 1:
        raise InvalidInputError(
            f"Vectors need at least {'one row (an item)' if fewest == 1 else 'two rows (items)'} and one column",
            f"{counted(n, 'row')} and {counted(d, 'column')} in {filename}",
            "Upload a file with one row an item",
        )


def vectors_of(
    rows: sparse.csr_array,
    ids: tuple[str, ...],
    upload: Upload,
    zeros: Zeros,
    *,
    columns: Sequence[str] = (),
    labels: Labels | None = None,
    notes: Sequence[Note] = (),
    fewest: int = 2,
) -> Vectors | SparseVectors:
    """Vectors of sparse rows, with or without their zeros, and a note that says so; the recipe is the caller's.

    Raises
    ------
    InvalidInputError
        Fewer rows than `fewest`, or an entry that is unknown or infinite.
    TooLargeError
        More columns or entries than the limits, or more zeros to be written.
    """
    n, d = rows.shape
    check_shape(n, d, upload.filename, fewest)
    few = n * d <= WRITTEN_LIMIT and d <= MOST_NAMED
    half = n * d <= VALUE_LIMIT and (2 * rows.nnz >= n * d or bool(np.isnan(rows.data).any()))
    if zeros == "left out" or (zeros == "auto" and not few and not half):
        found = SparseVectors(ids, rows, tuple(columns), labels)
        said = Note(
            f"Of {n:,} × {d:,} numbers {percent(found.share)} are not zero, and only these are held.",
            "Linear, polynomial, Gaussian, cosine and Tanimoto kernels take them so. Maps, imputation and columns on a "
            "network need every zero written.",
            "Say that zeros are written." if n * d <= VALUE_LIMIT else "",
            "fine",
        )
        return replace(found, notes=(*notes, said))
    if n * d > VALUE_LIMIT:
        raise TooLargeError(
            f"At most {VALUE_LIMIT:,} values are written out",
            f"{n:,} rows of {d:,} columns in {upload.filename}, {8 * n * d / 1e9:.1f} GB",
            "Leave the zeros out, or select fewer rows or columns",
        )
    said = Note(
        f"The file lists {rows.nnz:,} of {n:,} × {d:,} numbers.",
        "What is not listed is 0.",
        "Leave zeros out to hold only what is listed.",
        "fine",
    )
    X = np.asarray(rows.toarray(), dtype=np.float64)
    return written_vectors(X, ids, columns, labels, (*notes, said), upload.filename)


def written_vectors(
    values: FloatArray,
    ids: tuple[str, ...],
    columns: Sequence[str],
    labels: Labels | None,
    notes: Sequence[Note],
    filename: str,
) -> Vectors:
    """Vectors of an array of numbers, NaN being unknown, with notes on what was odd.

    Raises
    ------
    InvalidInputError
        Infinite values, or none that is known.
    """
    X, odd = without_sentinels(values, "Values")
    if np.isinf(X).any() or np.isnan(X).all():
        raise InvalidInputError(
            "Values have to be finite, and some have to be known",
            f"{'infinite ones' if np.isinf(X).any() else 'none that is known'} in {filename}",
            "Replace them by numbers, or by NaN where they are unknown",
        )
    titles = tuple(columns) or tuple(f"column {k + 1}" for k in range(X.shape[1]))
    said = (*notes, *odd, *vector_notes(X, ids, titles, None, []))
    return Vectors(ids, owned(X), titles, labels, said)


def percent(share: float) -> str:
    """A share as people read it: "1.0 %", "0.02 %"."""
    number = 100.0 * share
    return f"{number:.1f} %" if number >= 0.1 else f"{number:.1g} %"
