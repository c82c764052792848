"""The page Edges of new nodes, laid out. Predicted edges are drawn by themselves: judging does not hold them up."""

from __future__ import annotations

import streamlit as st

from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted
from pages.networks.edges import judged, missing, predictions
from pages.networks.edges.controls import choose, mode_help, told
from pages.shared.frame import PageFrame
from pages.shared.messages import findings, guard
from pages.shared.panels.accuracy import state_badge


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    subject = choose(dataset)
    if subject is None:
        return
    data = subject.data
    state_badge(subject.state, page.slot, about=mode_help(subject))
    page.badge(f"{counted(len(data.ids), 'node')}, {counted(int(data.A.sum()) // 2, 'edge')}")
    st.caption(f"**{subject.kind.title}.** {subject.kind.about}")
    findings([*told(subject), *(note for note in subject.network.notes if note.severity != "fine")])
    upper, middle, lower = st.container(), st.container(), st.container()
    with lower, guard():
        predictions.show(subject)
    with upper, guard():
        judged.show(subject)
    with middle, guard():
        missing.show(subject)
