"""Tables of a report: whatever a page draws as rows, as text in HTML, the first rows of long ones."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pandas as pd

from pages.shared.digits import typeset
from pages.shared.figures.still.text import clean
from pages.shared.shown.registry import Rows, unmarked

MOST_ROWS: Final = 100
MOST_COLUMNS: Final = 30


@dataclass(frozen=True)
class Cells:
    """A table as text.

    Attributes
    ----------
    title, note : str
    head : tuple of str
    rows : tuple of tuple of str
    left_out : int
        Rows that are not here.
    mono : tuple of int
        Columns of letters that are compared one by one: digests.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    left_out: int = 0
    mono: tuple[int, ...] = ()


def cells_of(drawn: Rows) -> Cells:
    """Return what a page has drawn, as text without markup."""
    frame = _frame(drawn.rows).iloc[:, :MOST_COLUMNS]
    rows = tuple(tuple(map(_cell, row)) for row in frame.head(MOST_ROWS).itertuples(index=False, name=None))
    head = tuple(unmarked(str(name)) for name in frame.columns)
    return Cells(drawn.title, head, rows, drawn.note, max(len(frame) - MOST_ROWS, 0))


def _frame(rows: Any) -> pd.DataFrame:
    if isinstance(rows, pd.DataFrame):
        named = rows.index.name is not None or not isinstance(rows.index, pd.RangeIndex)
        return rows.reset_index() if named else rows
    if isinstance(rows, Mapping):
        return pd.DataFrame({name: list(column) for name, column in rows.items()})
    return pd.DataFrame(list(rows))


def _cell(value: object) -> str:
    if value is None or value != value:
        return "—"
    if isinstance(value, float):
        return typeset(f"{value:.6g}")
    return unmarked(str(value))


def table(cells: Cells) -> str:
    """Return a table as HTML; nothing where it has no rows."""
    if not cells.rows:
        return ""
    head = "".join(f'<th scope="col">{_text(name)}</th>' for name in cells.head)
    body = "".join(
        f"<tr>{''.join(_data(cells, place, cell) for place, cell in enumerate(row))}</tr>"
        for row in cells.rows
    )
    more = (
        f"The first {len(cells.rows):,} of {len(cells.rows) + cells.left_out:,} rows."
        if cells.left_out
        else ""
    )
    note = " ".join(filter(None, (cells.note, more)))
    caption = f"<caption><b>{_text(cells.title)}</b> {_text(note)}</caption>" if cells.title or note else ""
    kind = "table many" if len(cells.head) > 8 else "table"
    return f'<div class="{kind}"><table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _data(cells: Cells, place: int, cell: str) -> str:
    kind = ' class="mono"' if place in cells.mono else ""
    return f"<td{kind}>{_text(cell)}</td>"


def _text(words: Sequence[str] | str) -> str:
    return html.escape(clean(str(words)))
