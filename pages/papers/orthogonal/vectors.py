"""What the visitor brings for Tables 2 and 5: vectors with classes; the paper's can be fetched."""

from __future__ import annotations

import streamlit as st

from kernex_core.datasets.fetched.fetch import PUBLIC_DATASETS
from kernex_core.inputs.samples import Vectors
from kernex_core.studies.papers.paper_table import PaperTable
from pages.papers.orthogonal.brought import Brought, choose_with_classes, lacking, to_data
from pages.papers.orthogonal.subject import origin
from pages.shared import workspace
from pages.shared.messages import guard, plain


def vectors_with_classes(paper: PaperTable) -> Brought | None:
    """Return vectors of the chosen data set, its labels, and the classes that are set against the others."""
    dataset = workspace.current()
    found = {} if dataset is None else {n: s for n, s in dataset.samples.items() if isinstance(s, Vectors)}
    labels = None if dataset is None else dataset.judgeable
    if dataset is None or not found or labels is None:
        missing = "vectors with classes" if dataset is None or not found else "labels of two classes"
        where = (
            "Nothing is open"
            if dataset is None
            else f"The open data set {plain(dataset.name)} has no {missing}"
        )
        lacking(f"{where}. Table {paper.number} is measured as soon as there are {missing}.")
        _fetch(paper)
        return None
    chosen = choose_with_classes(paper, "Vectors", list(found), dataset, labels)
    if chosen is None:
        return None
    name, positive = chosen
    brought = Brought((found[name], labels, positive), workspace.current_name() or "")
    if not origin(paper.number, *brought.data).same:
        _fetch(paper)
    return brought


def _fetch(paper: PaperTable) -> None:
    """Offer the paper's data, and the page Data."""
    public = next(entry for entry in PUBLIC_DATASETS if entry.name == paper.data.public)
    here = "kept on this machine" if public.cached() else f"{public.size / 1e6:.1f} MB to download"
    with st.container(horizontal=True):
        asked = st.button(
            f"Fetch {public.title}", icon=":material/download:", key=f"{paper.key}.fetch",
            help=f"The paper's data: {here}, {public.licence}. They become a data set of your workspace.",
        )  # fmt: skip
        to_data(paper)
    if asked:
        with guard(), st.spinner(f"Fetching {public.title}"):
            if public.title in workspace.datasets() and public.title != workspace.current_name():
                workspace.switch(public.title)
            else:
                workspace.add(public.load())
            st.rerun()
