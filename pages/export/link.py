"""The button "Copy link" of every working page: the address to copy, and what it carries and what it does not."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import streamlit as st

from kernex_core.datasets.catalogue import DATASETS
from pages.server import workspace
from pages.server.declared import RESERVED
from pages.server.visitors import limits

HERE: Final = Path(__file__).parent
TO_READ: Final = ("", "start", "glossary")
"""Pages that have no settings."""
NONE: Final = "no setting, since none differs"
ONE: Final = "the one setting that differs"
SEVERAL: Final = "the {} settings that differ"
_field = st.components.v2.component(
    "kernex_link",
    css="\n" + (HERE / "link.css").read_text("utf-8") + "\n",
    js="\n" + (HERE / "link.js").read_text("utf-8") + "\n",
)
WORDS: Final = {
    "copy": "Copy",
    "copied": "Copied.",
    "by_hand": "The browser does not let this page copy: the address is selected, press Ctrl+C (⌘C).",
    "address": "Address of this page with its settings",
    "aside": list(RESERVED),
}


def link() -> None:
    """Draw the button; nothing on pages that are only read."""
    if workspace.tab().page in TO_READ:
        return
    name = workspace.current_name()
    said = [words(name, several) for several in (NONE, ONE, SEVERAL)]
    with st.popover(
        "Copy link", icon=":material/link:", type="tertiary", help="An address with the settings of this page"
    ):
        # it counts what the address says at that moment: a fragment that moves a slider draws nothing here
        _field(key="link", data={**WORDS, "said": said}, height="content")


def words(name: str | None, several: str) -> str:
    """Say what the address carries, and what it does not."""
    of_data = "" if name is None else f", the name of the data (“{name}”)"
    carries = f"It carries the page{of_data} and {several} from the usual ones."
    not_these = "It does not carry data, labels, names of items, classes and columns, kept kernels or results"
    if name is None or name in {demo.title for demo in DATASETS}:
        opens = ": a demo opens by its name." if name is not None else "."
    else:
        opens = ": whoever opens it is asked for the data, which a workspace file (page Data) takes along."
    alone = (
        " This server answers its own machine alone, and so does the address."
        if limits.answers_alone()
        else ""
    )
    return f"{carries} {not_these}{opens}{alone}"
