"""Numbers and tables that are drawn on the page and stand in its report, too.

metric("Rank", "91", help="Of the known items.", note="of 206")    the glossary's definition of the name follows
measure("Accuracy", "91.2 %", "floor 50 %", "**88 to 94 %** over items")      a number, a chip and small print under it
table("complete.baselines", rows)         rows: columns by name
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal

import pyarrow
import streamlit as st

from pages.shared.glossary.entries import explained, meaning
from pages.shared.shown import registry

PLAIN: Final = re.compile(r"\*\*|:\w+\[([^\]]*)\]")
"""What makes words bold or coloured."""
TEXTS: Final = frozenset({str})
Color = Literal["gray", "green", "orange", "red"]
Width = int | Literal["stretch"]


def metric(
    name: str, value: str, *, help: str | None = None, note: str = "", about: str = "", beside: bool = False
) -> None:
    """Draw a number; `note` is what stands beside it on the page, `about` the panel in which it stands.

    `help` is what the page says of it; where the name is a word of the glossary, its definition follows. With `beside` the
    note is drawn with the name, in grey.
    """
    registry.count(name, value, note, about)
    _number(name, value, help, beside=note if beside else "")


def measure(
    name: str,
    value: str,
    chip: str,
    *lines: str,
    help: str | None = None,
    about: str = "",
    color: Color = "gray",
    width: Width = "stretch",
) -> None:
    """Draw a number with a chip under it, and lines of small print: one element or two, for each one takes its time.

    `help` as in `metric`.
    """
    registry.count(name, value, PLAIN.sub(r"\1", "; ".join((chip, *lines))), about)
    _number(name, value, help, chip, color, width)
    if lines:
        st.caption("  \n".join(lines))


def _number(
    name: str,
    value: str,
    help: str | None,
    chip: str | None = None,
    color: Color = "gray",
    width: Width = "stretch",
    beside: str = "",
) -> None:
    has_it = help is not None and meaning(name) in help
    about = help if has_it else explained(name, help)
    shown = f"{name} :gray[{beside}]" if beside else name
    st.metric(shown, value, chip, color, help=about, delta_arrow="off", width=width)


def table(
    key: str,
    rows: Mapping[str, Sequence[object]] | Sequence[Mapping[str, object]],
    *,
    title: str = "",
    note: str = "",
    hide_index: bool = False,
) -> None:
    """Draw a table; without a title it has the one of the panel that was begun last."""
    registry.list_rows(key, rows, title, note)
    if isinstance(rows, Mapping) and all(TEXTS.issuperset(map(type, cells)) for cells in rows.values()):
        # texts need not become a frame first, nor twice
        st.table(
            pyarrow.table({name: list(cells) for name, cells in rows.items()}),
            border="horizontal",
            hide_index=True,
        )
    else:
        st.table(rows, border="horizontal", hide_index=True if hide_index else None)
