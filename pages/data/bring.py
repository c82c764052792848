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

KINDS = (
    "similarity matrices, pairs and hit tables, FASTA, vectors, networks, zipped graphs, labels; unknown entries may stay "
    "empty"
)


def bring() -> None:
    """Draw the uploader, the files that wait, and what becomes of them."""
    empty, files = workspace.current_name() is None, waiting()
    # closed or open, the box stands in its place: one that came with the opening would lose what it is given meanwhile
    with st.container() if empty else st.expander("Bring more data", icon=":material/upload:"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.markdown(f"**Your own data** :small[:gray[{KINDS}]]", width="content", help=limits())
            limit_control("data")
        arrived = upload_box("data.upload")
    if arrived:
        st.rerun()
    if files:
        with st.container(gap="xsmall"):
            read = [(file, waiting_file(file)) for file in files]
        add_box(read)
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
