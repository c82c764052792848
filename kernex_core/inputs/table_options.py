"""Options that formats of tables have in common: each is described once, and says how it is found in that format."""

from __future__ import annotations

from typing import Literal, TypeAlias

from kernex_core.parameters import parameter

HeaderLine: TypeAlias = Literal["auto", "yes", "no"]
"""Whether the first line names the columns; "auto": found out."""
IdsStand: TypeAlias = Literal["auto", "both", "columns", "rows", "none"]
"""Where the ids of a square matrix stand; "auto": found out."""

BY_NAME = "found by its name"


def column_option(of: str, label: str, found: str = BY_NAME, *, hidden: bool = False) -> str:
    """Field of options: name or number of a column, "" = `found`."""
    made: str = parameter(
        "", help=f"Name or number of the column of {of}; empty: {found}.", label=label, hidden=hidden
    )
    return made


def id_option(found: str = f"{BY_NAME}, else the first") -> str:
    """Field of options: the column of ids."""
    return column_option("ids", "Id column", found)


def label_option(found: str = BY_NAME, *, hidden: bool = False) -> str:
    """Field of options: the column of labels."""
    return column_option("labels", "Label column", found, hidden=hidden)


def header_option() -> HeaderLine:
    """Field of options: whether the first line names the columns."""
    made: HeaderLine = parameter(
        "auto",
        help="Whether the first line names the columns.",
        label="Header line",
        choices=("auto", "yes", "no"),
    )
    return made


def ids_option(of: str) -> IdsStand:
    """Field of options: where the ids of the rows and columns of a square matrix stand."""
    made: IdsStand = parameter(
        "auto",
        help=f"Where the ids of the {of} stand: on top and on the left, on top, on the left, or nowhere.",
        label="Ids stand",
        choices=("auto", "both", "columns", "rows", "none"),
    )
    return made


def array_option(found: str) -> str:
    """Field of options: name of an array in an archive of NumPy, "" = `found`."""
    made: str = parameter("", help=f"Name of the array inside a .npz file; empty: {found}.", label="Array")
    return made
