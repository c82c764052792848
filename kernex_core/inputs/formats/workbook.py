"""Square matrices in Excel workbooks, and in other files of whole tables."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kernex_core.base.parameters import parameter
from kernex_core.inputs.format import Format, Suggestion
from kernex_core.inputs.formats.matrix import MatrixOptions, read_table, sniff_table
from kernex_core.inputs.names import listed
from kernex_core.inputs.r_objects import ENDINGS
from kernex_core.inputs.samples import Note, Similarity
from kernex_core.inputs.tables.workbook import any_table, has_table, is_workbook, sheet_names
from kernex_core.inputs.upload import Upload


@dataclass(frozen=True)
class WorkbookOptions(MatrixOptions):
    """How a workbook is read."""

    sheet: str = parameter(
        "", help="Name of the sheet, or of the data frame of R; empty: the first.", label="Sheet"
    )


def sniff(upload: Upload) -> float:
    """Confidence that an upload holds a square matrix in a sheet, in columns of Parquet or Feather, or a data frame."""
    if not has_table(upload) or upload.is_text:
        return 0.0
    return upload.remembered("sheet of a matrix", lambda: sniff_table(any_table(upload)))


def suggest(upload: Upload) -> Suggestion:
    """The sheets of the workbook, or the data frames, where there are several; the first to begin with."""
    others = sheet_names(upload)[1:]
    return Suggestion(WorkbookOptions(), {"sheet": ("", *others)} if others else {})


def read(upload: Upload, options: WorkbookOptions) -> Similarity:
    """Read a square matrix from a sheet; formulas count with the value that was saved with them.

    Raises
    ------
    InvalidInputError
        Damaged, no such sheet, or no square matrix in it.
    TooLargeError
        A zip bomb, or more items than the limit.
    """
    made = read_table(any_table(upload, options.sheet), upload, options)
    names = sheet_names(upload)
    if len(names) < 2:
        return made
    taken = options.sheet or names[0]
    what = "workbook holds the sheets" if is_workbook(upload) else "file holds the data frames"
    note = Note(f"The {what} {listed(names, 8)}.", f"{taken} is taken.", "Choose another one.")
    return replace(made, notes=(*made.notes, note))


FORMAT = Format(
    "workbook",
    "Similarity matrix (Excel, Parquet, R)",
    "similarity",
    ("xlsx", "parquet", "feather", *ENDINGS),
    sniff,
    suggest,
    read,
    WorkbookOptions,
)
