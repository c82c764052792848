"""What can be set on the page Almost orthogonal patterns: of each table what its study asks, and what is brought for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from kernex_core.studies.papers.paper_table import PaperTable
from pages.papers.orthogonal import families_table
from pages.papers.orthogonal.brought import HELP, prefix
from pages.papers.orthogonal.subject import TABLES
from pages.shared.answer.first_row import first_row
from pages.shared.answer.settings_box import group, settings_box
from pages.shared.controls import controls
from pages.shared.declared.settings import declared, in_view, of, of_data, of_items, setting
from pages.shared.settings import widgets

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

TABLE: Final = "table"
TABS: Final = "orthogonal.tab"
SETTINGS: Final = declared(
    *in_view(
        setting(TABLE, "Table"), setting("toy", "Power of the toy"), setting("tab", "Part of the page"),
        *(of_data(f"{prefix(paper)}{what.lower()}", what) for paper in TABLES.values() for what in HELP),
        *(of_items(f"{prefix(paper)}positive", "These classes against the others") for paper in TABLES.values()),
        *families_table.SETTINGS,
    ),
    *(
        each
        for paper in TABLES.values()
        for each in of(
            paper.config, *(name for line in paper.asked for name in line), prefix=prefix(paper),
            about=f"Table {paper.number}",
        )
    ),
)  # fmt: skip
OPTIONS: Final = {f"{number} · {paper.subject}": paper for number, paper in TABLES.items()}


def ask() -> tuple[PaperTable, DataclassInstance]:
    """Draw the first row, the table and the button Settings; return the table and its configuration."""
    with first_row():
        left, right = (
            st.container(width="content"),
            st.container(width="stretch", horizontal_alignment="right"),
        )
    with left:
        name = widgets.pick(
            TABLE, list(OPTIONS), key="papers.orthogonal.table",
            help="1 and 3 are generated; the others take the data that you bring.",
        )  # fmt: skip
    paper = OPTIONS[name]
    with right, settings_box() as (column,), column:
        group(f"Table {paper.number}")
        only = [name for line in paper.asked for name in line]
        return paper, controls(paper.config, paper.key, only=only, prefix=prefix(paper))
