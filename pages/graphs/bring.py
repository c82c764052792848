"""Graphs that are not there yet: what to bring, public ones, and a demo."""

from __future__ import annotations

from typing import Final

import streamlit as st

from kernex_core.datasets.catalogue import DATASETS
from kernex_core.inputs.dataset import DataSet
from pages.shared.files import waiting
from pages.shared.frame import demo_buttons
from pages.shared.messages import plain
from pages.shared.navigation import go_to
from pages.shared.panels.fetching import public_data

ABOUT: Final = "graphs"
PUBLIC: Final = ("mutag", "enzymes", "proteins")
SAYS: Final = (
    "This page compares whole graphs with each other, and **{name}** has none. Bring a zip of a TUDataset folder (files "
    "named …_A.txt, …_graph_indicator.txt, labels of graphs, vertices and edges where there are any), or a zip of GraphML "
    "files, one graph each."
)


def demo() -> str:
    """Title of the demo that the page opens on; "" where there is none."""
    return next((bundled.title for bundled in DATASETS if bundled.about == ABOUT), "")


def say_what_to_bring(dataset: DataSet) -> None:
    """Say what graphs are here, and offer an upload, public data sets and the demos."""
    st.markdown(SAYS.format(name=plain(dataset.name)))
    _upload()
    if demo():
        st.markdown("Or open a demo:")
        demo_buttons("graphs", about=ABOUT)
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
