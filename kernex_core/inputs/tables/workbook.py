"""Rows of an Excel workbook as text fields: values only, no formula is run, unpacked size checked first."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from kernex_core.errors import InvalidInputError
from kernex_core.inputs.tables.dialect import Dialect
from kernex_core.inputs.tables.sheets import trimmed
from kernex_core.inputs.tables.table import Row, Table, table_of
from kernex_core.inputs.upload import Upload

if TYPE_CHECKING:
    from python_calamine import CalamineWorkbook


def is_workbook(upload: Upload) -> bool:
    """Whether an upload is an .xlsx workbook, by its content."""
    return upload.is_zip and "workbook" in upload.really_is


def any_table(upload: Upload, sheet: str = "") -> Table:
    """Table of a text file or of a sheet of a workbook."""
    return workbook_table(upload, sheet) if is_workbook(upload) else table_of(upload)


def workbook_table(upload: Upload, sheet: str = "") -> Table:
    """Rows of one sheet, the first by default.

    Raises
    ------
    InvalidInputError
        Damaged, empty, or no such sheet.
    TooLargeError
        A zip bomb.
    """
    table: Table = upload.remembered(f"sheet {sheet}", lambda: _sheet(upload, sheet))
    return table


def sheet_names(upload: Upload) -> tuple[str, ...]:
    """Names of the sheets, the one that is read by default first.

    Raises
    ------
    InvalidInputError, TooLargeError
        See `workbook_table`.
    """
    names: tuple[str, ...] = upload.remembered("sheets", lambda: tuple(_book(upload).sheet_names))
    return names


def _book(upload: Upload) -> CalamineWorkbook:
    from python_calamine import CalamineError, CalamineWorkbook

    content: bytes = upload.remembered("trimmed", lambda: trimmed(upload.data, upload.filename))
    try:
        return CalamineWorkbook.from_filelike(io.BytesIO(content))
    except (CalamineError, ValueError, OSError) as error:
        raise _not_a_workbook(upload, error) from None


def _not_a_workbook(upload: Upload, error: Exception) -> InvalidInputError:
    return InvalidInputError(
        "A workbook that Excel can open was expected", f"{upload.filename}: {error}", "Save it again as .xlsx"
    )


def _sheet(upload: Upload, sheet: str) -> Table:
    from python_calamine import CalamineError

    book = _book(upload)
    try:
        names = list(book.sheet_names)
        if sheet and sheet not in names:
            raise InvalidInputError(
                f"{upload.filename} has to have the sheet that is asked for",
                f"{sheet!r}; it has {', '.join(names)}",
            )
        cells = book.get_sheet_by_name(sheet or names[0]).to_python(skip_empty_area=True)
    except (CalamineError, ValueError, IndexError, OSError) as error:
        raise _not_a_workbook(upload, error) from None
    rows = tuple(Row(k, [_text(cell) for cell in row]) for k, row in enumerate(cells, 1))
    rows = tuple(row for row in rows if any(row.fields))
    if not rows:
        raise InvalidInputError("A sheet with data is needed", f"an empty sheet in {upload.filename}")
    return Table(upload.filename, (), Dialect(","), given=rows)


def _text(cell: object) -> str:
    """A cell as text: whole numbers without ".0", so that numeric ids stay as they were typed."""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    if isinstance(cell, bool):
        return str(cell).upper()
    return str(cell)
