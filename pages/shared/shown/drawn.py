"""Numbers and tables that are drawn on the page and stand in its report, too.

metric("Rank", "91", help="Of the known items.", note="of 206")    the glossary's definition of the name follows
measure("Accuracy", "91.2 %", "floor 50 %", "**88 to 94 %** over items")      a number, a chip and small print under it
table("complete.baselines", rows)         rows: columns by name
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal

import streamlit as st

from pages.shared.glossary.entries import explained, meaning
from pages.shared.shown import registry

PLAIN: Final = re.compile(r"\*\*|:\w+\[([^\]]*)\]")
"""What makes words bold or coloured."""


def metric(name: str, value: str, *, help: str | None = None, note: str = "", about: str = "") -> None:
    """Draw a number; `note` is what stands beside it on the page, `about` the panel in which it stands.

    `help` is what the page says of it; where the name is a word of the glossary, its definition follows.
    """
    registry.count(name, value, note, about)
    st.metric(name, value, help=_about(name, help))


def measure(
    name: str,
    value: str,
    chip: str,
    *lines: str,
    help: str | None = None,
    about: str = "",
    color: Literal["gray", "green", "orange", "red"] = "gray",
    width: int | Literal["stretch"] = "stretch",
) -> None:
    """Draw a number with a chip under it, and lines of small print: one element or two, for each one takes its time.

    `help` as in `metric`.
    """
    registry.count(name, value, PLAIN.sub(r"\1", "; ".join((chip, *lines))), about)
    st.metric(name, value, chip, color, help=_about(name, help), delta_arrow="off", width=width)
    if lines:
        st.caption("  \n".join(lines))


def _about(name: str, help: str | None) -> str | None:
    has_it = help is not None and meaning(name) in help
    return help if has_it else explained(name, help)


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
