"""The button that makes a report of the open page; nothing is made before it is clicked."""

from __future__ import annotations

from functools import partial
from typing import Final

import streamlit as st

from pages.shared import workspace
from pages.shared.report.collect import Given, build
from pages.shared.shown import registry

HELP: Final = (
    "One HTML page that stands alone: numbers, pictures, tables, settings, digests of the data, methods with their "
    "publications, and the script. It needs no network, and prints on A4."
)


def report_button(given: Given, key: str) -> None:
    """Offer everything on this page as one report."""
    page, dataset = registry.current(), workspace.current()
    st.download_button(
        "Report", partial(build, page, dataset, given), file_name=f"{registry.file_named(given.name)}.html",
        mime="text/html", key=f"{key}.report", icon=":material/description:", on_click="ignore", help=HELP,
    )  # fmt: skip
