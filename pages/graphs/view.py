"""The page Graphs: graphs drawn, one kernel between them, why it finds two alike, and every kernel in one table.

Only the tab that is open is drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.names import counted
from pages.graphs import bring, matrix, pair, table
from pages.graphs import kernel as kernels
from pages.graphs.gallery import gallery
from pages.graphs.method import ASSUMPTIONS, FORMULAS
from pages.graphs.settings import TAB
from pages.shared import workspace
from pages.shared.answer.parts import draw_parts
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.frame import PageFrame, formula_text
from pages.shared.messages import findings
from pages.shared.one_kernel.look import MATRIX, spread, take_former
from pages.shared.panels.build import about
from pages.shared.panels.chosen_row import WHY_GRAPHS
from pages.shared.settings import widgets

GALLERY, KERNEL, WHY_TAB, TABLE = "Gallery", "Kernel", "Why similar?", "Every graph kernel"


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    found = {name: part for name, part in dataset.samples.items() if isinstance(part, GraphSet)}
    name = next(iter(found))
    if len(found) > 1:
        name = widgets.choose(
            "graphs", list(found), key=f"graphs.samples.{dataset.name}",
            help="Graphs that describe the items of this data set.",
        )  # fmt: skip
    graphs = found[name]
    header = page.slot.empty()
    top = st.container()
    panels: dict[str, Callable[[], object]] = {
        GALLERY: partial(_gallery, top, dataset, graphs, name),
        KERNEL: partial(matrix.show, header, top, dataset, graphs, name, MATRIX),
        WHY_TAB: partial(pair.why_similar, top, dataset, graphs, name),
        TABLE: partial(table.draw, top, dataset, graphs),
        **{
            part: partial(matrix.show, header, top, dataset, graphs, name, part)
            for part in spread(dataset.judgeable)
        },
        "Method": partial(_method, top, graphs, formula_text(FORMULAS, ASSUMPTIONS)),
    }
    take_former(TAB, TAB, KERNEL)
    if workspace.recall(WHY_GRAPHS, False):
        workspace.remember(WHY_GRAPHS, False)
        workspace.show_in(TAB, WHY_TAB)
    draw_parts(panels, name=TAB)


def _gallery(top: DeltaGenerator, dataset: DataSet, graphs: GraphSet, name: str) -> None:
    with top:
        VerdictPlace().say(_said(dataset, graphs))
    gallery(dataset, graphs, name)
    findings([note for note in graphs.notes if note.severity != "fine"])
    bring.more()


def _method(top: DeltaGenerator, graphs: GraphSet, said: str) -> None:
    """Draw formula, source and cost of the kernel that is chosen, then those of all."""
    with top:
        kernel = kernels.choose(graphs).kernel
    about(type(kernel))
    st.markdown(said)


def _said(dataset: DataSet, graphs: GraphSet) -> str:
    """Say what there is, and what can be asked of it."""
    low, high = int(graphs.n_nodes.min()), int(graphs.n_nodes.max())
    sizes = counted(low, "vertex") if low == high else f"{low:,} to {counted(high, 'vertex')}"
    classes = "" if dataset.judgeable is None else f", {counted(len(dataset.judgeable.classes), 'class')}"
    ask = (
        "no labels of two classes"
        if dataset.judgeable is None
        else "Every graph kernel says which kernel tells them apart"
    )
    return f"{counted(graphs.n, 'graph')} of {sizes}{classes}: {ask}."
