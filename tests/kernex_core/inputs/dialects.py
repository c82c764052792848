"""Writes a matrix as people's programs write it: the inverse of what is tested."""

import csv
import io
import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Writing:
    separator: str = ","
    decimal: str = "."
    ids: str = "both"  # both, r, columns, rows, none
    unknown: str = "NA"
    newline: str = "\n"
    encoding: str = "utf-8"
    bom: bool = False


def number(value, writing):
    if math.isnan(value):
        return writing.unknown
    return repr(float(value)).replace(".", writing.decimal)


def matrix_bytes(values, ids, writing=None):
    writing = writing or Writing()
    rows = []
    if writing.ids in ("both", "columns", "r"):
        rows.append(([""] if writing.ids == "both" else []) + list(ids))
    for name, row in zip(ids, values, strict=True):
        beside = [name] if writing.ids in ("both", "rows", "r") else []
        rows.append(beside + [number(value, writing) for value in row])
    out = io.StringIO()
    csv.writer(out, delimiter=writing.separator, lineterminator=writing.newline).writerows(rows)
    return (b"\xef\xbb\xbf" if writing.bom else b"") + out.getvalue().encode(writing.encoding)


def workbook_bytes(*sheets):
    """An .xlsx with these sheets of rows."""
    import openpyxl

    book = openpyxl.Workbook()
    book.remove(book.active)
    for number, rows in enumerate(sheets, 1):
        sheet = book.create_sheet(f"sheet {number}")
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
