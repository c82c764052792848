"""The part of the page Data where files are brought."""

from __future__ import annotations

import streamlit as st

from pages.data.add import add_box
from pages.data.file import waiting_file
from pages.shared import workspace
from pages.shared.files.waiting import limits, upload_box, waiting
from pages.shared.frame import demo_buttons
from pages.shared.item_limit import limit_control
from pages.shared.panels.fetching import public_data


def bring() -> None:
    """Draw the uploader, the files that wait, and what becomes of them."""
    empty = workspace.current_name() is None
    if empty:
        st.header("Bring your own", anchor=False)
    # closed or open, the box stands in its place: one that came with the opening would lose what it is given meanwhile
    with st.container() if empty else st.expander("Bring more data", icon=":material/upload:"):
        st.caption(
            "One file or several, together or one after another: similarity matrices, pairs and hit tables, FASTA, "
            f"tables of vectors, networks, graphs (zipped), labels. Unknown entries may stay empty.  \n{limits()}"
        )
        arrived = upload_box("data.upload")
        limit_control("data")
    if arrived:
        st.rerun()
    files = waiting()
    if files:
        add_box([(file, waiting_file(file)) for file in files])
    elif empty:
        st.header("Or open a demo", anchor=False)
        demo_buttons("data")
        st.header("Or fetch a public data set", anchor=False)
        public_data("data")


def public() -> None:
    """Offer public data sets where something is open; where nothing is they stand above."""
    if workspace.current_name() is None or waiting():
        return
    lid = st.expander(
        "Fetch a public data set", icon=":material/download:", on_change="rerun", key="data.public"
    )
    if lid.open:
        with lid:
            public_data("data")
