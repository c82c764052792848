"""The part of the page Data where files are brought."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.datasets.fetched.fetch import PUBLIC_DATASETS
from kernex_core.validation import shown_bytes
from pages.data.add import add_box
from pages.data.file import waiting_file
from pages.shared import workspace
from pages.shared.cache import origin
from pages.shared.files.waiting import limits, upload_box, waiting
from pages.shared.frame import demo_buttons
from pages.shared.item_limit import limit_control
from pages.shared.messages import guard


def bring() -> None:
    """Draw the uploader, the files that wait, and what becomes of them."""
    empty = workspace.current_name() is None
    if empty:
        st.header("Bring your own", anchor=False)
    # closed or open, the box stands in its place: one that came with the opening would lose what it is given meanwhile
    with st.container() if empty else st.expander("Bring more data", icon=":material/upload:"):
        st.caption(
            "One file or several, together or one after another: similarity matrices, pairs and hit tables, FASTA, "
            f"tables of vectors, networks, labels. Unknown entries may stay empty.  \n{limits()}"
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
        _public()
    if not empty and not files:
        fetching = st.expander(
            "Fetch a public data set", icon=":material/download:", on_change="rerun", key="data.public"
        )
        if fetching.open:
            with fetching:
                _public()


def _public() -> None:
    """Offer public data sets; nothing is downloaded before somebody asks for it."""
    for public in PUBLIC_DATASETS:
        here = "kept on this machine" if public.cached() else f"{shown_bytes(public.size)} to download"
        left, right = st.columns([2, 5], gap="medium", vertical_alignment="center")
        right.markdown(f":gray[{public.question} {here}, {public.licence},] [home]({public.home})")
        with left:
            if st.button(
                public.title, key=f"data.fetch.{public.name}", icon=":material/download:", width="stretch"
            ):
                bar = st.progress(0.0, f"Fetching {public.title}")
                with guard():

                    def report(share: float, bar: DeltaGenerator = bar, title: str = public.title) -> None:
                        bar.progress(share, f"Fetching {title}: {100.0 * share:.0f}\u00a0%")

                    workspace.add(origin.public(public.load(progress=report)))
                    st.rerun()
                bar.empty()
