"""Rows of an Excel workbook as text fields: values only, no formula is run, unpacked size checked first."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, Final, ParamSpec, TypeVar

import numpy as np

from kernex_core.base.errors import InvalidInputError, KernexError, TooLargeError
from kernex_core.base.frozen import IntArray
from kernex_core.base.validation import SAMPLE_LIMIT
from kernex_core.inputs.r_objects import is_r
from kernex_core.inputs.tables.columnar import (
    array_table,
    columnar_table,
    frame_names,
    is_array_file,
    is_columnar,
    r_table,
)
from kernex_core.inputs.tables.dialect import SAMPLE, Dialect
from kernex_core.inputs.tables.table import Row, Table, table_of, title_rows
from kernex_core.inputs.upload import EXPANSION_LIMIT, Upload, open_zip

if TYPE_CHECKING:
    from python_calamine import CalamineWorkbook


# What the sheets of a workbook would take, counted in their XML before anybody opens them.
#
# A reader of workbooks takes room for every place between the first and the last cell of a sheet, and for every text as
# often as cells name it. Here cells are counted where they stand, and rows without any are taken out from between those
# with some.

MOST_CELLS: Final = 30_000_000
"""Places of a sheet, empty ones among the others counted: a matrix of 5,000 items has 25 million."""
MOST_ROWS: Final = 2 * SAMPLE_LIMIT
"""Rows with something in them."""
MOST_WIDE: Final = 16_384
"""Columns of a sheet, as many as spreadsheets have."""
FILLED: Final = 0.25
"""Share of cells that hold something, of all places, from which a sheet is left as it is."""
_LEFT_ALONE: Final = 1_000_000
"""Places up to which it is, too."""
_ATTRIBUTES: Final = rb"""((?:\s+[^\s=>"'/]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*"""
_CELL: Final = re.compile(rb"<(?:[\w.-]+:)?c" + _ATTRIBUTES + rb"(/?)>")
_PLAIN_CELL: Final = re.compile(rb'<c r="([A-Z]{1,3}[0-9]{1,7})"')
_ANY_CELL: Final = re.compile(rb"<(?:[\w.-]+:)?c(?=[\s/>])")
_ROW: Final = re.compile(rb"<(?:[\w.-]+:)?row" + _ATTRIBUTES + rb"/?>")
_ANY_ROW: Final = re.compile(rb"<(?:[\w.-]+:)?row(?=[\s/>])")
_PLACE: Final = re.compile(rb"""\sr\s*=\s*["']([^"']*)["']""")
_SHARED: Final = re.compile(rb"""\st\s*=\s*["']s["'][^>]*>\s*<(?:[\w.-]+:)?v[^>]*>\s*(\d{1,9})\s*<""")
_NAMES_TEXT: Final = re.compile(rb"""\st\s*=\s*["']s["']""")
_REFERENCE: Final = re.compile(rb"([A-Za-z]{1,3})([0-9]{1,7})")
_ITEM: Final = re.compile(rb"<(?:[\w.-]+:)?si[\s/>]")


def trimmed(data: bytes, filename: str) -> bytes:
    """Return a workbook whose sheets take no more room than what is in them, without its empty rows.

    Raises
    ------
    InvalidInputError
        Damaged, or cells whose place cannot be read.
    TooLargeError
        More cells, rows or text than are read, by what stands in the file alone.
    """
    changed: dict[str, bytes] = {}
    uses: list[IntArray] = []
    lengths = np.empty(0, np.int64)
    with open_zip(data, filename) as archive:
        for info in archive.infos:  # whatever it is called: what is a sheet another part says
            part = archive.read(info)
            if b"sheetData" in part:
                made = _trimmed_sheet(part, filename)
                if made is not part:
                    changed[info.filename] = made
                uses.append(_uses(part))
            elif b"sst" in part:
                lengths = _longer(lengths, _lengths(part))
        _check_texts(lengths, uses, filename)
        if not changed:
            return data
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as file:
            for info in archive.infos:
                content = changed.get(info.filename)
                file.writestr(info.filename, archive.read(info) if content is None else content)
    return out.getvalue()


def _uses(sheet: bytes) -> IntArray:
    """Which of the shared texts the cells of a sheet name; -1 where a cell does not say it plainly."""
    plain = np.array(_SHARED.findall(sheet), dtype="S9").astype(np.int64)
    return np.append(plain, np.full(len(_NAMES_TEXT.findall(sheet)) - plain.size, -1))


def _lengths(texts: bytes) -> IntArray:
    """Bytes of each text of a part that holds some."""
    starts: IntArray = np.array([found.start() for found in _ITEM.finditer(texts)] + [len(texts)], np.int64)
    return starts[1:] - starts[:-1]


def _longer(some: IntArray, others: IntArray) -> IntArray:
    """The larger of two numbers at each place; which of several parts is used, nobody knows yet."""
    made = np.zeros(max(some.size, others.size), np.int64)
    made[: some.size] = some
    made[: others.size] = np.maximum(made[: others.size], others)
    return made


def _check_texts(lengths: IntArray, uses: Sequence[IntArray], filename: str) -> None:
    """Refuse texts that would take more than an unpacked file may, each as often as it is used."""
    used = np.concatenate([np.empty(0, np.int64), *uses])
    plain = used[(used >= 0) & (used < lengths.size)]
    size = int(lengths[plain].sum()) + int(np.count_nonzero(used < 0)) * int(lengths.max(initial=0))
    if size > EXPANSION_LIMIT:
        raise TooLargeError(
            f"The texts of a workbook may take {EXPANSION_LIMIT / 1e6:,.0f} MB",
            f"{size / 1e6:,.0f} MB in {filename}: its cells name the same long texts many times",
            "Export the sheet as CSV, without the columns of long texts",
        )


def _trimmed_sheet(sheet: bytes, filename: str) -> bytes:
    """A sheet without its empty rows; the very same where it may stay as it is."""
    _check_rows(sheet, filename)
    plain = _PLAIN_CELL.findall(sheet)
    if plain and len(plain) == len(
        _ANY_CELL.findall(sheet)
    ):  # as spreadsheets write them: quickly seen to be small
        numbers, width = _numbered(plain)
        if (
            int(numbers.max() - numbers.min() + 1) * width
            <= max(_LEFT_ALONE, len(plain) / FILLED)
            <= MOST_CELLS
        ):
            return sheet
    cells = _CELL.findall(sheet)
    if len(cells) != len(_ANY_CELL.findall(sheet)) or len(_ROW.findall(sheet)) != len(
        _ANY_ROW.findall(sheet)
    ):
        raise _unreadable(filename, "tags of cells or rows that are not whole")
    held = [attributes for attributes, closed in cells if not closed]
    places = _PLACE.findall(b"\n".join(held))
    if len(places) < len(held):
        _check_without_places(sheet, len(held), len(places), filename)
    if not places:
        return sheet
    wrong = next((place for place in places if _REFERENCE.fullmatch(place) is None), None)
    if wrong is not None:
        raise _unreadable(filename, f"a cell at {wrong[:20].decode('latin-1')!r}")
    numbers, width = _numbered(places)
    filled = np.unique(numbers)
    _check_size(filled.size, width, filename)
    area = int(filled[-1] - filled[0] + 1) * width
    if area <= max(_LEFT_ALONE, len(held) / FILLED) and area <= MOST_CELLS:
        return sheet
    return _renumbered(sheet, {number: k for k, number in enumerate(filled.tolist(), 1)})


def _check_without_places(sheet: bytes, held: int, places: int, filename: str) -> None:
    """Cells that do not say where they are stand one after the other: as many columns as the longest row has."""
    if places:
        raise _unreadable(
            filename, f"{held - places:,} cells that do not say where they are, among others that do"
        )
    rows = _ANY_ROW.split(sheet)[1:]
    width = max(len(_ANY_CELL.findall(row)) for row in rows)
    said = [int(number) for number in _PLACE.findall(b"\n".join(_ROW.findall(sheet))) if number.isdigit()]
    _check_size(max([len(rows), *said]), width, filename)


def _check_rows(sheet: bytes, filename: str) -> None:
    """Refuse far too many rows before any of their cells is looked at."""
    if sheet.count(b"<row") > MOST_ROWS:
        filled = sum(b"v>" in row or b"is>" in row for row in sheet.split(b"<row"))
        _check_size(filled, 1, filename)


def _numbered(places: Sequence[bytes]) -> tuple[IntArray, int]:
    """Row of each cell, and how many columns there are from the first to the last."""
    whole = b" ".join(places)
    letters = set(whole.upper().translate(None, b"0123456789").split())
    digits = whole.translate(None, b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz").split()
    columns = [_column(name) for name in letters]
    return np.array(digits, dtype="S7").astype(np.int64), max(columns) - min(columns) + 1


def _column(letters: bytes) -> int:
    """A is 1, Z is 26, AA is 27."""
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number


def _check_size(rows: int, width: int, filename: str) -> None:
    if rows > MOST_ROWS or width > MOST_WIDE or rows * width > MOST_CELLS:
        raise TooLargeError(
            f"A sheet may have {MOST_ROWS:,} rows of {MOST_WIDE:,} columns, and {MOST_CELLS:,} places for cells in them",
            f"{rows:,} rows of {width:,} columns in {filename}",
            "Bring the part of the sheet that is meant, or export it as CSV",
        )


def _renumbered(sheet: bytes, place: Mapping[int, int]) -> bytes:
    """A sheet whose rows have other numbers; those without any are left out."""
    pieces: list[bytes] = []
    starts = [found.start() for found in _ANY_ROW.finditer(sheet)]
    end = sheet.find(b"sheetData>", starts[-1])
    end = sheet.rfind(b"</", 0, end) if end >= 0 else len(sheet)
    for start, after in zip(starts, [*starts[1:], end], strict=True):
        row = sheet[start:after]
        cell = next((found for found in _CELL.finditer(row) if not found[2]), None)
        reference = None if cell is None else _PLACE.search(cell[1])
        number = None if reference is None else _REFERENCE.fullmatch(reference[1])
        if number is None:
            continue
        pieces.append(_moved(row, b"%d" % place[int(number[2])]))
    return sheet[: starts[0]] + b"".join(pieces) + sheet[end:]


def _moved(row: bytes, number: bytes) -> bytes:
    """A row whose cells, and which itself, has another number."""

    def renumbered(tag: re.Match[bytes]) -> bytes:
        return _PLACE.sub(lambda said: b' r="%s%s"' % (said[1].rstrip(b"0123456789"), number), tag[0])

    return _CELL.sub(renumbered, _ROW.sub(renumbered, row, count=1))


def _unreadable(filename: str, found: str) -> InvalidInputError:
    return InvalidInputError(
        "A workbook that Excel can open was expected", f"{found} in {filename}", "Save it again as .xlsx"
    )


def is_workbook(upload: Upload) -> bool:
    """Whether an upload is an .xlsx workbook, by its content."""
    return upload.is_zip and "workbook" in upload.really_is


def any_table(upload: Upload, sheet: str = "") -> Table:
    """Table of a text file, a sheet of a workbook, a Parquet or Feather file, a data frame of R, or columns of arrays."""
    if is_array_file(upload):
        return array_table(upload)
    if is_columnar(upload):
        return columnar_table(upload)
    if is_r(upload):
        return r_table(upload, sheet)
    return workbook_table(upload, sheet) if is_workbook(upload) else table_of(upload)


WIDEST_LIST: Final = 200
"""Columns of a sheet beyond which it is no list of pairs."""


def as_text(upload: Upload) -> Upload:
    """The upload, with a table of a workbook, of Parquet or of R as a text with tabs: as one brings lists of pairs."""
    if upload.is_text or not has_table(upload):
        return upload
    known = upload.remembered("as text", lambda: _written(upload))
    return replace(upload, memory=known) if known else upload


P = ParamSpec("P")
R = TypeVar("R")


def on_text(function: Callable[Concatenate[Upload, P], R]) -> Callable[Concatenate[Upload, P], R]:
    """The function, which sees the tables of all containers as texts."""

    @wraps(function)
    def called(upload: Upload, /, *args: P.args, **options: P.kwargs) -> R:
        return function(as_text(upload), *args, **options)

    return called


def _written(upload: Upload) -> dict[str, object]:
    """What is known of the text that a table is, in place of the bytes that it came in."""
    try:
        table = any_table(upload)
    except KernexError:  # who reads it as what it is says what is wrong
        return {}
    if not 2 <= max((len(row.fields) for row in table.head), default=0) <= WIDEST_LIST:
        return {}
    text = io.StringIO()
    csv.writer(text, delimiter="\t", lineterminator="\n").writerows(row.fields for row in table.rows())
    return {
        "sha256": upload.sha256,
        "digest": upload.digest,
        "really_is": "",
        "data": text.getvalue().encode(),
    }


def has_table(upload: Upload) -> bool:
    """Whether `any_table` may read an upload."""
    if is_r(upload):
        try:
            return bool(frame_names(upload))
        except KernexError:  # who reads it as what it is says what is wrong
            return False
    return upload.is_text or is_workbook(upload) or is_columnar(upload)


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
    """Names of the sheets of a workbook, or of the data frames of R; the one that is read by default first.

    Of a file that holds one table alone: ().

    Raises
    ------
    InvalidInputError, TooLargeError
        See `workbook_table`.
    """
    if is_r(upload):
        return frame_names(upload)
    if not is_workbook(upload):
        return ()
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
    table = Table(upload.filename, (), Dialect(","), given=rows)
    count = title_rows([row.fields for row in rows[:SAMPLE]], table.is_number)
    titles = tuple(" ".join(field for field in row.fields if field.strip()) for row in rows[:count])
    return replace(table, given=rows[count:], titles=titles)


def _text(cell: object) -> str:
    """A cell as text: whole numbers without ".0", so that numeric ids stay as they were typed."""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    if isinstance(cell, bool):
        return str(cell).upper()
    return str(cell)
