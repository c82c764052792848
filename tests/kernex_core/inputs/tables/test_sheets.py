"""Workbooks whose sheets would take far more room than what is in them: counted in their XML first."""

import io
import subprocess
import sys
import zipfile

import numpy as np
import pytest

from kernex_core import InvalidInputError, TooLargeError, read_labels, read_samples
from kernex_core.inputs.tables import workbook as sheets
from kernex_core.inputs.tables.workbook import trimmed
from tests.conftest import REPOSITORY
from tests.kernex_core.inputs.dialects import workbook_bytes

OPEN = b'<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
CLOSE = b"</sheetData></worksheet>"


def with_sheet(rows, shared=None, called="sheet1.xml"):
    """A workbook whose only sheet has these rows, as XML."""
    good = workbook_bytes([["a"]])
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(good)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            part = old.read(name)
            if name.startswith("xl/worksheets/"):
                part, name = OPEN + rows + CLOSE, f"xl/worksheets/{called}"
            if name.endswith(".rels"):
                part = part.replace(b"sheet1.xml", called.encode())
            new.writestr(name, part)
        if shared is not None:
            head = b'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
            new.writestr("xl/sharedStrings.xml", head + shared + b"</sst>")
    return out.getvalue()


def cell(place, value):
    return b'<c r="%s"><v>%d</v></c>' % (place.encode(), value)


def row(number, *cells):
    return b'<row r="%d">%s</row>' % (number, b"".join(cells))


MATRIX = [row(1, cell("A1", 2), cell("B1", 1)), row(2, cell("A2", 1), cell("B2", 2))]


def matrix_with(*more):
    return with_sheet(b"".join((*MATRIX, *more)))


@pytest.mark.parametrize(
    "more",
    [
        (row(1_048_576),),
        (row(1_048_576, b'<c r="A1048576" s="1"/>'),),
        (row(900_000, b'<c s="1" r="XFD900000"/>'), row(1_048_576, b"<c r='AB1048576' s='1' />")),
    ],
)
def test_cells_that_hold_nothing_take_no_room(more):
    assert read_samples(matrix_with(*more), "k.xlsx").gram.values.tolist() == [[2, 1], [1, 2]]


@pytest.mark.parametrize("place", ["A1048576"])
def test_a_stray_cell_in_the_last_row_is_one_row_more(place):
    """Read by a process that could not have room for all the rows before it."""
    number = int(place.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    wide = [
        row(
            k,
            *(
                cell(f"{chr(65 + j // 26 - 1) if j > 25 else ''}{chr(65 + j % 26)}{k}", k + j)
                for j in range(50)
            ),
        )
        for k in range(1, 50)
    ]
    data = with_sheet(b"".join((*wide, row(number, cell(place, 7)))))
    code = (
        "import resource, sys\n"
        "from kernex_core.inputs.tables.workbook import workbook_table\n"
        "from kernex_core.inputs.upload import Upload\n"
        "import python_calamine\n"
        "pages = int(open('/proc/self/statm').read().split()[0])\n"
        "resource.setrlimit(resource.RLIMIT_AS, (pages * 4096 + 200_000_000,) * 2)\n"
        "rows = list(workbook_table(Upload('k.xlsx', sys.stdin.buffer.read())).rows())\n"
        "print(len(rows), len(rows[0].fields), [field for field in rows[-1].fields if field])\n"
    )
    if sys.platform != "linux":
        pytest.skip("no limit of memory here")
    done = subprocess.run(
        [sys.executable, "-c", code], input=data, capture_output=True, cwd=REPOSITORY, check=True
    )
    assert done.stdout.decode().split(maxsplit=2) == ["50", "50", "['7']\n"]


def test_rows_that_move_keep_their_cells_and_their_order():
    rows = [
        row(3, cell("B3", 1), cell("D3", 2)),
        row(500_000, b'<c r="B500000" t="inlineStr"><is><t>text</t></is></c>', cell("D500000", 3)),
        row(1_000_000, cell("D1000000", 4)),
    ]
    data = with_sheet(b"".join(rows) * 1 + b"")
    import python_calamine

    book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(trimmed(data, "k.xlsx")))
    assert book.get_sheet_by_index(0).to_python() == [[1.0, "", 2.0], ["text", "", 3.0], ["", "", 4.0]]


def test_what_spreadsheets_write_is_left_as_it_is():
    data = workbook_bytes([["", "a", "b"], ["a", 2, 1], ["b", 1, 2]], [["other"]])
    assert trimmed(data, "k.xlsx") is data
    assert read_samples(data, "k.xlsx").ids == ("a", "b")


def test_what_cells_do_not_say_is_counted_one_after_the_other():
    data = with_sheet(b"<row><c><v>2</v></c><c><v>1</v></c></row><row><c><v>1</v></c><c><v>2</v></c></row>")
    assert np.array_equal(read_samples(data, "k.xlsx").gram.values, [[2, 1], [1, 2]])


HUGE = {
    "more rows than items": b"".join(row(k, cell(f"A{k}", 1)) for k in range(1, 20)),
    "more places than a matrix has": b"".join(row(k, cell(f"A{k}", 1), cell(f"XFD{k}", 1)) for k in range(1, 10)),
    "rows without places": b"<row><c><v>1</v></c></row>" * 19,
    "a row far below": b'<row r="1048576"><c><v>1</v></c></row>',
    "more columns than spreadsheets have": b"<row>" + b"<c><v>1</v></c>" * 17_000 + b"</row>",
}  # fmt: skip


@pytest.mark.parametrize("called", ["sheet1.xml", "sheet1.dat", "sheet1"])
@pytest.mark.parametrize("name", HUGE)
def test_too_much_is_refused_before_a_reader_opens_it(name, called, monkeypatch):
    monkeypatch.setattr(sheets, "MOST_ROWS", 15)
    monkeypatch.setattr(sheets, "MOST_CELLS", 100_000)
    monkeypatch.setattr(
        "python_calamine.CalamineWorkbook.from_filelike", lambda *a: pytest.fail("opened"), raising=False
    )
    with pytest.raises(TooLargeError, match=r"15 rows"):
        trimmed(with_sheet(HUGE[name], called=called), "k.xlsx")


@pytest.mark.parametrize(
    "value",
    [
        b"<v>%d</v>",
        b"<f>A1</f><v>%d</v>",
        b"<v> %d</v>",
        b"<v>+%d</v>",
        b"<v><!-- -->%d</v>",
        b"<v>&#4%d;</v>",
    ],
)
@pytest.mark.parametrize("before", [b"", b"<!--" + b" " * 3_000 + b"-->"])
@pytest.mark.parametrize("called", ["sheet1.xml", "sheet1.dat"])
def test_texts_count_as_often_as_they_are_used(monkeypatch, value, before, called):
    texts = before + b"<si><t>" + b"x" * 1_000 + b"</t></si><si><t>y</t></si>"
    uses = b"".join(row(k, b'<c r="A%d" t="s">%s</c>' % (k, value % (k % 2))) for k in range(1, 101))
    data = with_sheet(uses, texts, called)
    assert trimmed(data, "k.xlsx") is data
    monkeypatch.setattr(sheets, "EXPANSION_LIMIT", 40_000)
    with pytest.raises(TooLargeError, match="many times"):
        trimmed(data, "k.xlsx")


def test_of_several_parts_with_texts_the_longer_ones_count(monkeypatch):
    uses = b"".join(row(k, b'<c r="A%d" t="s"><v>0</v></c>' % k) for k in range(1, 101))
    out = io.BytesIO(with_sheet(uses, b"<si><t>" + b"x" * 1_000 + b"</t></si>"))
    with zipfile.ZipFile(out, "a") as file:
        file.writestr("xl/other.xml", b"<sst><si><t>x</t></si></sst>")
    monkeypatch.setattr(sheets, "EXPANSION_LIMIT", 90_000)
    with pytest.raises(TooLargeError, match="many times"):
        trimmed(out.getvalue(), "k.xlsx")


@pytest.mark.parametrize(
    "rows",
    [
        b'<row r="1"><c r="ZZZZZZ99999999999"><v>1</v></c></row>',
        b'<row r="1"><c r="1A"><v>1</v></c></row>',
        b'<row r="1"><c r="A1"><v>1</v></c><c><v>1</v></c></row>',
        b'<row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c r=A2><v>1</v></c></row>',
    ],
)
def test_places_that_cannot_be_read_are_a_sentence(rows):
    with pytest.raises(InvalidInputError, match="Excel can open"):
        trimmed(with_sheet(rows), "k.xlsx")


def test_labels_come_through_the_same_counts():
    rows = [["id", "class"], ["a", "x"], ["b", "y"], ["c", "x"]]
    assert read_labels(workbook_bytes(rows), "l.xlsx").classes == (("x", 2), ("y", 1))
