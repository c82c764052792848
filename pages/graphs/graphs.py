"""The page Graphs: graphs drawn, one kernel between them, why it finds two alike, and every kernel in one table.

Only the tab that is open is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.frozen import IntArray
from kernex_core.datasets.catalogue import DATASETS
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.names import counted
from pages.graphs import kernel, pair, table
from pages.graphs import kernel as kernels
from pages.graphs.drawing import cards, draw_cards, label_note
from pages.server import workspace
from pages.server.declared import declared, in_view, of_data, of_items, setting
from pages.server.messages import findings, guard
from pages.server.navigation import go_to
from pages.ui import chosen, widgets
from pages.ui import files as waiting
from pages.ui.answer import VerdictPlace, draw_parts, group
from pages.ui.figures.chart import Items
from pages.ui.frame import PageFrame, formula_text, need_data, open_page, panel_title
from pages.ui.one_kernel.doctor import Subject
from pages.ui.one_kernel.look import IN_FULL, MATRIX, Around, look, spread, take_former
from pages.ui.panels.build import about
from pages.ui.panels.inspection import OF_STRINGS, conditioned_by, conditioning
from pages.ui.panels.item_map import WHY_GRAPHS, Why, chosen_items
from pages.ui.panels.linked import class_list
from pages.ui.panels.staged import public_data
from pages.ui.panels.verdicts import places

# All graphs drawn, some a page: a click on one chooses it, here and on every page.

PER_PAGE: Final = 24
KEY: Final = "graphs.gallery"
EVERY, ONLY_CHOSEN = "all", "chosen"


@st.fragment
def gallery(dataset: DataSet, graphs: GraphSet, name: str) -> None:
    """Draw filters, a page of cards, and what is chosen."""
    classes = class_list(dataset.labels)
    at = _filtered(graphs, classes, f"{dataset.name}.{name}")
    panel_title("Graphs", _words(graphs, len(at)))
    if not len(at):
        st.markdown("No graph is like that. Take a filter back.")
        return
    pages = -(-len(at) // PER_PAGE)
    page = 1
    if pages > 1:
        page = st.pagination(pages, key=f"{KEY}.page.{dataset.name}.{name}.{pages}", persist_state="session")
    shown = at[(page - 1) * PER_PAGE : page * PER_PAGE].tolist()
    made = cards(graphs, shown, classes, set(chosen.chosen(graphs.ids)))
    draw_cards(made, KEY, partial(_picked, graphs.ids))
    notes = " ".join(label_note(graphs))
    st.caption(
        f"A click chooses a graph, another one lets go of it. Places follow the distances in the graph. {notes}"
    )
    chosen_items(Items(graphs.ids, classes), KEY)


def _words(graphs: GraphSet, found: int) -> str:
    whole, sizes = counted(graphs.n, "graph"), graphs.n_nodes
    between = f"{sizes.min():,} to {counted(int(sizes.max()), 'vertex')}"
    if sizes.min() == sizes.max():
        between = counted(int(sizes[0]), "vertex")
    return f"{whole} of {between}" if found == graphs.n else f"{found:,} of {whole}"


GALLERY_SETTINGS = of_items("classes", "Classes"), setting("sizes", "Vertices"), setting("which", "Show")


def _filtered(graphs: GraphSet, classes: Sequence[str | None] | None, key: str) -> IntArray:
    """Draw the filters and return the positions of the graphs that pass all of them."""
    kinds = sorted({kind for kind in classes or () if kind})
    low, high = int(graphs.n_nodes.min()), int(graphs.n_nodes.max())
    search, kind, size, only = places(200, 260, 260, "content", align="bottom")
    passed = np.ones(graphs.n, dtype=bool)
    text = search.text_input(
        "Search", key=f"{KEY}.search", persist_state="session", placeholder="part of an id",
        help="Shows the graphs whose id has these letters in it.",
    )  # fmt: skip
    if text.strip():
        wanted = text.strip().lower()
        passed &= np.array([wanted in name.lower() for name in graphs.ids])
    if len(kinds) > 1 and classes is not None:
        with kind:
            picked = widgets.several("classes", kinds, key=f"{KEY}.classes.{key}", placeholder="all")
        if picked:
            passed &= np.array([name in picked for name in classes])
    if low < high:
        with size:
            ends = widgets.between(
                "sizes", low, high, default=(low, high), key=f"{KEY}.sizes.{key}.{low}.{high}",
                help="Shows the graphs with so many vertices.",
            )  # fmt: skip
        passed &= (graphs.n_nodes >= ends[0]) & (graphs.n_nodes <= ends[1])
    marked = chosen.chosen(graphs.ids)
    if marked:
        with only:
            whole = widgets.pick(
                "which", (EVERY, ONLY_CHOSEN), key=f"{KEY}.which",
                help="chosen: those that were chosen in any picture, on any page.",
            )  # fmt: skip
        if whole == ONLY_CHOSEN:
            passed &= np.isin(np.arange(graphs.n), marked)
    return np.flatnonzero(passed)


def _picked(ids: tuple[str, ...]) -> None:
    """A card was clicked: it is chosen besides the others, or no longer."""
    name = workspace.told(KEY, "picked")
    if not isinstance(name, str) or name not in ids:
        return
    before = chosen.chosen_ids()
    after = tuple(each for each in before if each != name) if name in before else (*before, name)
    chosen.choose(after, again_is_none=False)


# What can be set on the page Graphs.

TAB: Final = "graphs_tab"
PREFIX: Final = "graphs."
"""Of how the matrix is conditioned, which starts otherwise than on the page Kernels."""
SETTINGS: Final = declared(
    *in_view(
        of_data("graphs", "Graphs"), setting(TAB, "Part of the page"), *GALLERY_SETTINGS, *pair.SETTINGS,
    ),
    *kernel.SETTINGS, *conditioned_by(PREFIX), *IN_FULL, *table.SETTINGS,
)  # fmt: skip


# How the page Graphs works, in formulas and sentences.

FORMULAS: Final = (
    r"A_\times\text{: pairs of vertices with equal labels, joined by pairs of edges with equal labels}",
    r"\text{walks of } n \text{ edges: } \mathbf 1^\top A_\times^{\,n}\,\mathbf 1\qquad"
    r"\text{geometric: } \mathbf 1^\top (I - \beta A_\times)^{-1}\,\mathbf 1",
    r"\text{random: } s_\times^\top (I - T_\times)^{-1} q_\times,\quad T_\times = (1-q)^2 A_\times / (d\,d')",
    r"\text{shortest paths: } \sum_{(i,j),(i',j')} [\text{equal labels at both ends}]\,[d_{ij} = d'_{i'j'}]",
    r"\text{Weisfeiler-Lehman: } \sum_{i=0}^{h}\sum_{l} \#_l(G)\,\#_l(G')\qquad"
    r"\text{graphlets: } \sum_g \#_g(G)\,\#_g(G')",
    r"\text{tree patterns: } k_h(u,v) = \lambda\,\delta(u,v) \sum_{R \neq \emptyset}\, \prod_{(a,b)\in R} k_{h-1}(a,b)",
    r"\text{cosine: } \frac{K(G,G')}{\sqrt{K(G,G)\,K(G',G')}}",
)

ASSUMPTIONS: Final = (
    "Graphs have no direction, no loops and no double edges. The length of a walk is its number of edges; a walk may come "
    "back to where it was, a path may not.",
    "A graph without vertices is similar to nothing, itself included. A vertex without edges counts in walks of length 0 "
    "alone.",
    "Cosine normalisation is where the page starts: without it large graphs are similar to everything.",
    "Geometric walks converge while β is below 1 / max ρ(A×(G, G)) over all graphs. Beyond it a solve would still return "
    "numbers, which mean nothing, so it is refused. Slides on graph kernels weight a walk by β^length in each graph: their "
    "β squared is the one here.",
    "Tree patterns sum over matchings *R* of the neighbours: no neighbour is used twice. The formula that slides often "
    "show, over any subset *B* of pairs of neighbours, is not a kernel: for two labelled trees it gives *K*(1,2)² = 38.4 · "
    "*K*(1,1) *K*(2,2), where a kernel gives at most 1. So it is not offered.",
    "Accuracy is transductive where a repair or a centring has seen all graphs; the kernel itself of two graphs depends on "
    "these two alone, but for parameters that are set from all of them (the bound of β).",
    "Gärtner, Flach and Wrobel, COLT 2003 (walks). Kashima, Tsuda and Inokuchi, ICML 2003 (random walks). Borgwardt and "
    "Kriegel, ICDM 2005 (shortest paths). Shervashidze and others, JMLR 2011 (Weisfeiler-Lehman); AISTATS 2009 (graphlets). "
    "Mahé and Vert, Machine Learning 2009 (tree patterns).",
)


# The tabs of one kernel: its verdict, matrix, map and spectrum, its accuracy, and what is kept; as on the page Kernels.


def show_matrix(
    header: DeltaGenerator, top: DeltaGenerator, dataset: DataSet, graphs: GraphSet, name: str, part: str
) -> None:
    """Draw a part of it; badges of the matrix go into the header of the page, the first row and the verdict to its top."""
    with top:
        asked = kernels.choose(graphs)
    kernel, labels = asked.kernel, dataset.judgeable
    with asked.entries:
        group("Entries")
    with asked.pictures:
        group("Pictures")
    slots = (asked.entries, asked.entries, asked.entries, asked.pictures)
    config, how = conditioning(slots, OF_STRINGS, with_classes=labels is not None, prefix=PREFIX)
    K = kernels.matrix_of(kernel, graphs, name)
    if K is None:
        about(type(kernel))
        return
    why = Why(parts=partial(pair.briefly, graphs, kernel))
    subject = Subject(K.name, config, K, labels, dataset.defaults.C, dataset.name, why=why)
    look(subject, how, Around(header, top, asked.entries, asked.judging, part=part))
    findings(kernels.remarks_on(kernel, graphs))


# Graphs that are not there yet: what to bring, public ones, and a demo.

ABOUT: Final = "graphs"
PUBLIC: Final = ("mutag", "enzymes", "proteins")


def demo() -> str:
    """Title of the demo that the page opens on; "" where there is none."""
    return next((bundled.title for bundled in DATASETS if bundled.about == ABOUT), "")


def public() -> None:
    """Offer what can be fetched."""
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
        go_to("data")


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
        KERNEL: partial(show_matrix, header, top, dataset, graphs, name, MATRIX),
        WHY_TAB: partial(pair.why_similar, top, dataset, graphs, name),
        TABLE: partial(table.draw, top, dataset, graphs),
        **{
            part: partial(show_matrix, header, top, dataset, graphs, name, part)
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
    more()


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


def run() -> None:
    """Draw the page in its frame."""
    page = open_page(
        "Graphs",
        "Which graphs resemble each other, and which walks, paths or trees that they share say so?",
        SETTINGS,
    )
    dataset = need_data(demo=demo(), more=public)
    with guard():
        show(page, dataset)
