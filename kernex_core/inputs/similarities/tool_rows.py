"""Rows of the square matrices and triangles that tools write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kernex_core.inputs.tables.dialect import NUMBER
from kernex_core.inputs.tables.table import DASHES, UNKNOWN

Line = tuple[int, str]
"""Its number in the file and its text."""


@dataclass(frozen=True)
class ToolRow:
    """One row: its line in the file, its id ("" = none) and its numbers as text."""

    line: int
    name: str
    fields: tuple[str, ...]


@dataclass(frozen=True)
class ToolMatrix:
    """What stands in the file of a tool.

    Attributes
    ----------
    title : str
        The form, for notes.
    rows : tuple of ToolRow
    top : tuple of str
        Ids on top, where there are any.
    distances : bool or None
        The form is one of distances; None: it does not say.
    labels : tuple of str
        Classes, where the form has them.
    zeros : bool
        A zero says that there is no value: the tool found nothing to compare.
    said : str
        What is odd about how the rows were found.
    """

    title: str
    rows: tuple[ToolRow, ...]
    top: tuple[str, ...] = ()
    distances: bool | None = True
    labels: tuple[str, ...] = ()
    zeros: bool = False
    said: str = ""


def split_row(line: str) -> list[str]:
    """Fields of a line: by tabs where it has any, else by commas or semicolons, else by white space."""
    separator = next((mark for mark in "\t;," if mark in line), None)
    parts = [field.strip().strip('"') for field in line.rstrip(" ").split(separator)]
    return parts if separator else [field for field in parts if field] or [""]


def is_entry(field: str) -> bool:
    """Whether a field is a number, or says that there is none."""
    return NUMBER.match(field) is not None or field.strip().lower() in UNKNOWN | DASHES


def row_of(number: int, fields: Sequence[str], named: bool) -> ToolRow:
    """A row whose first field is its id, or one of numbers alone."""
    return ToolRow(number, fields[0] if named else "", tuple(fields[1:] if named else fields))
