"""Graphs that are not there yet: what to bring, public ones, and a demo."""

from __future__ import annotations

from typing import Final

import streamlit as st

from kernex_core.datasets.catalogue import DATASETS
from pages.shared.files import waiting
from pages.shared.navigation import go_to
from pages.shared.panels.fetching import public_data

ABOUT: Final = "graphs"
PUBLIC: Final = ("mutag", "enzymes", "proteins")


def demo() -> str:
    """Title of the demo that the page opens on; "" where there is none."""
    return next((bundled.title for bundled in DATASETS if bundled.about == ABOUT), "")


def public() -> None:
    """Offer what can be fetched."""
    st.markdown("Or fetch a public data set:")
    public_data("graphs", PUBLIC)


def more() -> None:
    """Offer other graphs below those that are open."""
    panel = st.expander("Other graphs", icon=":material/upload:", on_change="rerun", key="graphs.more")
    if panel.open:
        with panel:
            _upload()
            public_data("graphs", PUBLIC)


def _upload() -> None:
    if waiting.upload_box("graphs.upload"):
        go_to("data/data.py")
