"""Numbers and tables that are drawn on the page and stand in its report, too.

metric("Rank", "91", help="Of the known items.", note="of 206")    the glossary's definition of the name follows
small_print("floor 50 %", "**88 to 94 %** over items")      what stands under a number
table("complete.baselines", rows)         rows: columns by name
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import streamlit as st

from pages.shared.glossary.entries import explained, meaning
from pages.shared.shown import registry


def metric(name: str, value: str, *, help: str | None = None, note: str = "", about: str = "") -> None:
    """Draw a number; `note` is what stands beside it on the page, `about` the panel in which it stands.

    `help` is what the page says of it; where the name is a word of the glossary, its definition follows.
    """
    registry.count(name, value, note, about)
    has_it = help is not None and meaning(name) in help
    st.metric(name, value, help=help if has_it else explained(name, help))


def small_print(chip: str, *lines: str, color: Literal["gray", "green", "orange", "red"] = "gray") -> None:
    """Draw a badge with lines of small print under it; one element, for each takes the server as long as it is short."""
    small = "".join(f"  \n:small[:gray[{line}]]" for line in lines)
    st.markdown(f":{color}-badge[{chip}]{small}")


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
    if hide_index:
        st.table(rows, border="horizontal", hide_index=True)
    else:
        st.table(rows, border="horizontal")
