"""Public data sets that are downloaded when asked for, one button each.

public_data("data")                       all of them
public_data("graphs", names=("mutag",))   some, where a page is about such data
"""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

from kernex_core.base.validation import shown_bytes
from kernex_core.datasets.fetched.fetch import PUBLIC_DATASETS, PublicDataSet
from pages.shared import workspace
from pages.shared.cache import origin
from pages.shared.messages import guard


def public_data(key: str, names: Collection[str] | None = None) -> None:
    """Offer public data sets; nothing is downloaded before somebody asks for it."""
    for public in PUBLIC_DATASETS:
        if names is None or public.name in names:
            _offer(public, key)


def _offer(public: PublicDataSet, key: str) -> None:
    about = "About " if public.file.estimated else ""
    here = "kept on this machine" if public.cached() else f"{about}{shown_bytes(public.size)} to download"
    left, right = st.columns([2, 5], gap="medium", vertical_alignment="center")
    with right, st.container(gap=None):
        st.markdown(f":gray[{public.question} {here}, {public.licence}.]")
        st.markdown(
            f":small[[Home of {public.title}]({public.home})]"
        )  # a link within a text would need a line below it
    with left:
        asked = st.button(
            public.title, key=f"{key}.fetch.{public.name}", icon=":material/download:", width="stretch"
        )
    if asked:  # below both: what went wrong names addresses and files, which need the width
        bar = st.progress(0.0, f"Fetching {public.title}")
        with guard():

            def report(share: float) -> None:
                bar.progress(share, f"Fetching {public.title}: {100.0 * share:.0f}\u00a0%")

            workspace.add(origin.public(public.load(progress=report)))
            st.rerun()
        bar.empty()
