"""What to do with data that were just added: one line, and a link there."""

from __future__ import annotations

import streamlit as st

from kernex_core.inputs.dataset import DataSet
from pages.shared import workspace
from pages.shared.declared.next_step import after_bringing
from pages.shared.navigation import page_at, waiting_link

ADDED = "data.added"
"""Name of the data set that files were added to last."""
_to_the_top = st.components.v2.component(
    "kernex_top",
    # the button that added them stood below what has gone: the browser would stay where it was
    js="""
export default function ({ data }) {
  if (window.kernexTop === data) return;
  window.kernexTop = data;
  document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
}
""",
)
UNLABELLED = "Labels, a file of ids and classes added above, would let it be judged."


def show(data: DataSet) -> None:
    """Say what comes next and link there; nothing on kernels that were not just brought."""
    brought = workspace.recall(ADDED, "") == workspace.current_name()
    if not brought and data.kernels:
        return
    link = waiting_link()
    if link is not None and link.data == data.name:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(":material/link: These are the data of the address that you opened:", width="content")
            st.page_link(link.path, label="Go there, with its settings", query_params=dict(link.settings))
        return
    step = after_bringing(data)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":material/arrow_forward: {step.said}", width="content")
        st.page_link(page_at(step.address), label=step.label)
        if data.judgeable is None:
            st.markdown(f":gray[{UNLABELLED}]", width="content")
        if brought:
            _to_the_top(key="data.top", data=f"{data.name} {data.n}", height="content")
