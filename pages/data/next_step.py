"""What to do with data that were just added: one line, and a link there."""

from __future__ import annotations

import streamlit as st

from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.kinds import kind_words
from kernex_core.inputs.samples import Sequences
from pages.shared import workspace
from pages.shared.navigation import waiting_link

ADDED = "data.added"
"""Name of the data set that files were added to last."""


def show(data: DataSet) -> None:
    """Say what comes next and link there; nothing on data that were not just brought."""
    if workspace.recall(ADDED, "") != workspace.current_name():
        return
    said, path, label = step(data)
    link = waiting_link()
    if link is not None and link.data == data.name:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(":material/link: These are the data of the address that you opened:", width="content")
            st.page_link(link.path, label="Go there, with its settings", query_params=dict(link.settings))
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":material/arrow_forward: {said}", width="content")
        if path:
            st.page_link(path, label=label)


def step(data: DataSet) -> tuple[str, str, str]:
    """Return what comes next, the page, and the words of the link; no page where it is done here."""
    partly = [name for name, K in data.kernels.items() if not K.unknown.complete]
    if data.kernels and data.judgeable is None:
        return (
            "Next: add labels above (a file of ids and classes), so that these kernels can be judged.",
            "",
            "",
        )
    if data.all_partly_known:
        return (
            "Next: let the kernels complete each other; none of them is known everywhere.",
            "combine/together/together.py",
            "Complete together",
        )
    if partly and len(data.kernels) > 1:
        return (
            "Next: fill in what is unknown from a kernel that is known everywhere.",
            "complete/complete.py",
            "Complete",
        )
    if len(data.kernels) > 1:
        return (
            "Next: hide a part of one kernel and rebuild it from the other.",
            "complete/complete.py",
            "Complete",
        )
    if data.kernels:
        return "Next: see whether this is a kernel, and what it tells apart.", "kernels/kernels.py", "Kernels"
    if any(isinstance(part, Sequences) for part in data.samples.values()):
        return "Next: choose a string kernel and see what it sees.", "kernels/strings/strings.py", "Strings"
    if any(isinstance(part, GraphSet) for part in data.samples.values()):
        return (
            "Next: look at the graphs, and choose what makes two of them alike.",
            "graphs/graphs.py",
            "Graphs",
        )
    kinds = " and ".join(dict.fromkeys(kind_words(part.kind) for part in data.samples.values()))
    return f"Next: build a kernel from these {kinds}.", "kernels/kernels.py", "Kernels"
