"""The page Graphs: graphs drawn, one kernel between them, why it finds two alike, and every kernel in one table.

Only the tab that is open is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeAlias

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.frozen import IntArray
from kernex_core.datasets.catalogue import DATASETS
from kernex_core.gram.provenance import Call, call, write_script
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.permutations import Permuted
from kernex_core.runtime.progress import finished
from kernex_core.studies.graphs.table import (
    GraphTable,
    GraphTableConfig,
    graph_kernel_grid,
    graph_table,
    permuting_graph_table,
)
from pages.graphs import kernel
from pages.graphs import kernel as kernels
from pages.graphs import kernel as pair
from pages.graphs.drawing import cards, draw_cards, label_note
from pages.server import workspace
from pages.server.cached import cached
from pages.server.declared import declared, in_view, of_data, of_items, setting
from pages.server.digits import p_value, percent, span
from pages.server.messages import findings, guard, plain
from pages.server.navigation import go_to
from pages.ui import chosen, widgets
from pages.ui import files as waiting
from pages.ui import shown as registry
from pages.ui.answer import VerdictPlace, draw_parts, first_row, group, settings_box
from pages.ui.chosen import measure_columns
from pages.ui.figures.chart import Items
from pages.ui.frame import PageFrame, formula_text, need_data, open_page, panel_title
from pages.ui.one_kernel.doctor import Subject
from pages.ui.one_kernel.look import IN_FULL, MATRIX, Around, look, spread, take_former
from pages.ui.panels.accuracy import OPTIMISTIC, choice_basis, choice_sentence
from pages.ui.panels.build import about
from pages.ui.panels.inspection import OF_STRINGS, conditioned_by, conditioning
from pages.ui.panels.item_map import WHY_GRAPHS, Why, chosen_items
from pages.ui.panels.keep import judging_controls, keep_table, needed_labels, of_table, spread_words
from pages.ui.panels.linked import class_list
from pages.ui.panels.staged import Staged, public_data, run_study
from pages.ui.panels.verdicts import (
    Asked,
    asked_beside,
    chance_row,
    interval_words,
    places,
    printed_chance,
    rule_words,
    signed_points,
    verdict_words,
)
from pages.ui.shown import remarks

# Every graph kernel in one table, for the page Graphs: progress, time left, stop and go on, download.

Args: TypeAlias = tuple[GraphTableConfig, GraphSet, Labels, CrossValidation]
TABLE_KEY: Final = "graphs.table"
BEST, FLOOR = "Best", "Floor"
MEASURES: Final = {"multi_class": "multi-class", "balanced": "balanced"}
TESTS: Final = ("Told apart", "Holm")
"""Words of the glossary beside who wins."""
PARTS: Final = ("Walk", "Weisfeiler-Lehman label", "Graphlet", "Tree pattern", "Floor")
"""Words of the glossary that name kernels."""
COLUMNS: Final = {
    "kernel": st.column_config.TextColumn(width=140),
    "parameters": st.column_config.TextColumn(width=170),
    "seconds": st.column_config.NumberColumn(
        help="That the matrix took in this run, on this machine, without what is compiled once."
    ),
    **{name: st.column_config.NumberColumn(format="%.1f") for name in (*MEASURES.values(), "± multi-class")},
}
CHOICE_UP_TO: Final = 320
"""Graphs up to which the choice among the rows is judged too, unless somebody switches it off."""


@cached(public=True)
def judged_table(
    config: GraphTableConfig, graphs: GraphSet, labels: Labels, validation: CrossValidation
) -> GraphTable:
    """Return the whole table; the page keeps what is done under the same key."""
    return list(graph_table(config, graphs, labels, validation))[-1]


def draw(top: DeltaGenerator, dataset: DataSet, graphs: GraphSet) -> None:
    """Draw the panel for one set of graphs, with Settings and the verdict at the top of the page."""
    with guard():
        labels = needed_labels(dataset)
        with top:
            with first_row(), settings_box():
                validation, config = _settings(dataset, graphs, labels)
            place = VerdictPlace(BEST, FLOOR)
        panel_title("Every graph kernel", "cosine-normalised, all on the same folds", PARTS)
        args: Args = (config, graphs, labels, validation)
        kernels = len(graph_kernel_grid(config))
        found = run_study(
            Staged(judged_table, graph_table, args, resumes=True).leading,
            key=TABLE_KEY,
            what="steps" if config.nested else "kernels",
            automatic=False,
            label="Judge every graph kernel",
            cost=f"{f'{kernels + 1} steps: ' if config.nested else ''}{kernels} kernels of {graphs.n:,} graphs on the same "
            f"folds{', then the choice among them' if config.nested else ''}. Seconds for small molecules, minutes for "
            "hundreds of proteins.",
        )
        if found is None or not found.rows:
            place.say("Not judged yet: every graph kernel on the same folds, at a click.")
            for at, name in enumerate(place.names):
                place.number(at, name, "—")
        if found is not None:
            _results(found, dataset.name, args, place)


TABLE_SETTINGS = of_table(GraphTableConfig())


def _settings(dataset: DataSet, graphs: GraphSet, labels: Labels) -> tuple[CrossValidation, GraphTableConfig]:
    group("Judging")
    key = f"{TABLE_KEY}.{dataset.name}"
    given = dataset.defaults
    start = CrossValidation(folds=given.folds, repeats=given.repeats, C=given.C)
    return judging_controls(start, GraphTableConfig(nested=graphs.n <= CHOICE_UP_TO), labels, key)


def _fill(place: VerdictPlace, found: GraphTable, verdict: Verdict | None) -> None:
    """Say which row is best, once all are judged: all rows of the table are candidates."""
    best = found.best
    assert best is not None  # there are rows
    score, interval = best.judgement.multi_class, best.judgement.interval()
    if verdict is None:
        place.say(f"{plain(best.candidate.title)} is highest so far, of {counted(len(found.rows), 'row')}.")
    elif verdict.as_good:
        place.say(f"Nobody wins: {verdict_words(verdict)}", "multi-class accuracy")
    else:
        place.say(verdict_words(verdict), "multi-class accuracy")
    ends = "" if interval is None else span(interval.low, interval.high)
    said = f"Multi-class accuracy of {plain(best.candidate.title)}, {OPTIMISTIC}."
    place.number(0, BEST, percent(score.mean, 1), ends, said)
    place.number(1, FLOOR, percent(score.floor, 1), help="Always the largest class.")


def _results(found: GraphTable, name: str, args: Args, place: VerdictPlace) -> None:
    rows = found.table()
    whole = found.done >= found.total
    if rows:
        verdict = found.verdict() if whole else None
        _fill(place, found, verdict)
        shown = _shown(rows)
        registry.list_rows("graphs.kernels", shown, "Every graph kernel", name)
        st.dataframe(
            shown,
            hide_index=True,
            height=33 * (len(rows) + 1) + 2,
            key=f"{TABLE_KEY}.rows",
            column_config=COLUMNS,
        )
        st.caption(_caption(found, args[0]))
        remarks("graphs.kernels", {row.candidate.title: row.judgement for row in found.rows})
        if found.choice is not None:
            st.caption(f"{choice_sentence(found.choice)} {choice_basis(found.choice)}")
        if verdict is not None:
            _verdict(verdict)
        against = asked_beside(_asked(found, args), best_of(found), key=TABLE_KEY) if whole else None
        keep_table(
            f"{name} graph kernels",
            [{**row, **chance_row(against, one)} for row, one in zip(rows, found.by_name, strict=True)],
            lambda: script(args, against),
            TABLE_KEY,
        )
    findings([f"{kernel} was not judged. {reason}" for kernel, reason in found.refused.items()])


@cached(public=True)
def permuted(
    config: GraphTableConfig,
    graphs: GraphSet,
    labels: Labels,
    validation: CrossValidation,
    names: tuple[str, ...],
) -> Permuted:
    """All rows beside permuted labels; kept when it is whole."""
    return finished(permuting_graph_table(config, graphs, labels, validation, names))


def _asked(found: GraphTable, args: Args) -> Asked:
    """All rows are candidates; their kernels are computed once more, for the table keeps none."""
    judged = [row.judgement for row in found.rows]
    return Asked.of(permuted, permuting_graph_table, (*args, tuple(found.by_name)), judged)


def _recipe(args: Args, against: Permuted | None) -> tuple[Call, ...]:
    """How a script computes p again; nothing before it was asked for."""
    if against is None:
        return ()
    made = call(
        "permuted", "graph_table_chance", *args, against.names, measure=against.measure, permutations=against.permutations,
    )  # fmt: skip
    return (made,)


def best_of(found: GraphTable) -> str:
    """Name of the row of the highest accuracy."""
    return max(found.by_name, key=lambda name: found.by_name[name].multi_class.mean)


def _caption(found: GraphTable, config: GraphTableConfig) -> str:
    first, best = found.rows[0].judgement, found.best
    assert best is not None  # there are rows
    spread = spread_words([row.judgement for row in found.rows], MEASURES)
    optimistic = f"is {OPTIMISTIC}" if len(found.rows) > 1 else "stands alone so far"
    said = (
        f"Accuracies in %; {spread}; {first.config.folds or 'leave-one-out'} folds, {first.rests_on}, seed "
        f"{first.config.seed}, C = {first.config.C:g}; floor, the largest class: {percent(first.multi_class.floor, 1)}. "
        f"Highest: {plain(best.candidate.title)}, {percent(best.judgement.multi_class.mean, 1)}, of {len(found.rows)} rows: "
        f"it {optimistic}."
    )
    return said if config.nested else f"{said} What that is worth: Judge the choice, under Kernels."


def _verdict(made: Verdict) -> None:
    """Draw the best row beside every other."""
    panel_title("Does one of them win?", "all rows", TESTS)
    best = plain(made.best.name)
    n = len(made.candidates)
    st.caption(rule_words(n * (n - 1) // 2))
    others = [(each, each.against_best) for each in made.candidates if each.against_best is not None]
    registry.table(
        f"{TABLE_KEY}.pairs",
        {
            f"{best} against": [plain(each.name) for each, _ in others],
            "points [95\u00a0%]": [
                f"{signed_points(pair.difference)} :gray[{interval_words(pair)}]" for _, pair in others
            ],
            "p": [p_value(pair.p) for _, pair in others],
            "p, Holm": [p_value(each.p) for each, _ in others],
        },
        title="Does one of them win?",
    )


def script(args: Args, against: Permuted | None = None) -> str:
    """Script that judges the same kernels on the same folds, and compares them with chance where the page did."""
    states = call("found", "last_state", call("states", "graph_table", *args))
    return write_script(
        [states, *_recipe(args, against)],
        heading="Kernex: every graph kernel\n"
        "Kernel, parameters, multi-class accuracy, items, how often each was judged, and the ends of its interval.",
        prints=[
            "*((row['kernel'], row['parameters'], row['multi_class'], row['items'], row['repetitions'], "
            "row['multi_class_from'], row['multi_class_to']) for row in $0.table()), sep='\\n'",
            *([printed_chance(1)] if against else []),
        ],
    )


def _shown(rows: list[dict[str, object]]) -> pd.DataFrame:
    table = pd.DataFrame(rows)
    shown = pd.DataFrame(
        {
            "kernel": table["kernel"],
            "parameters": table["parameters"],
            "fixed": table["fixed"].map({True: "●", False: ""}),
        }
    )
    for field, title in MEASURES.items():
        shown = shown.assign(**measure_columns(table, field, title))
    shown.insert(5, "± multi-class", (100.0 * table["multi_class_sd_repetitions"]).round(1))
    return shown.assign(tag=table["tag"], seconds=table["gram_seconds"])


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
        of_data("graphs", "Graphs"), setting(TAB, "Part of the page"), *GALLERY_SETTINGS, *pair.PAIR_SETTINGS,
    ),
    *kernel.SETTINGS, *conditioned_by(PREFIX), *IN_FULL, *TABLE_SETTINGS,
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
        TABLE: partial(draw, top, dataset, graphs),
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
