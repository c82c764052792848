"""The part Outliers of Map: items far from all others, and labels that the other items contradict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call, write_script
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.studies.map.outliers import (
    Contradicted,
    Outliers,
    OutliersConfig,
    contradicted_labels,
    find_outliers,
)
from pages.export.downloads import BESIDE_KERNEX
from pages.map.subject import LaidOut, chosen_source, laid_out, normalised_at_first
from pages.server.cached import cached
from pages.server.declared import declared, in_view, of, of_data, setting
from pages.server.digits import in_table, number, percent
from pages.server.messages import findings, guard, plain
from pages.ui import shown as registry
from pages.ui.answer import VerdictPlace, draw_parts, first_row, group, settings_box
from pages.ui.figures.chart import Items
from pages.ui.figures.scatter import Layers, Outlined
from pages.ui.frame import formula_text, need_data, open_page, panel_title
from pages.ui.panels.item_map import chosen_items, item_map_panel
from pages.ui.panels.keep import Drawing, Offer, Result, keep_row, none_drawn
from pages.ui.panels.linked import class_list
from pages.ui.panels.staged import Pieced, run_in_pieces
from pages.ui.projector import fitted
from pages.ui.widget import controls

FAR, OUTSIDE, CONTRADICTED = "Farthest", "Outside", "Contradicted"
TABS: Final = "outliers.tab"
NEAR: Final = 3
"""Nearest items that a row names."""
HEIGHT, PROJECTED = 370, 0.78
"""Pixels of the map, and the share of them that a projector has room for."""
COST: Final = "Every label is predicted from the other items, twice: some seconds for 200 items."
FORMULAS: Final = (
    r"\text{how far} = \frac{1}{k} \sum_{j \in N_k(i)} d_{ij} \Big/ \operatorname{median}",
    r"\min_{w, \rho}\ \tfrac{1}{2} \lVert w \rVert^2 - \rho + \frac{1}{\nu n} "
    r"\sum_i \max(0, \rho - \langle w, \varphi(x_i) \rangle)",
)
ASSUMPTIONS: Final = (
    "How far: mean distance to the *k* nearest others, over the usual one. An item far beyond 1 is like no other; "
    "copies of an "
    "odd item, or an odd group of more than *k*, look usual.",
    "Outside: a one-class support vector machine on all items leaves it out. At most about a share ν lies outside, whatever "
    "the items are: that some do is no finding, which they are is. It takes the kernel as it is, and of vectors a Gaussian "
    "kernel as wide as their median distance.",
    "Contradicted: support vector machines of the other items named another class in every repetition of five "
    "folds, the cost "
    "chosen inside every training fold; copies, and groups of the labels, are never split.",
    "A contradicted label may be wrong, or right and hard, as those of a small class beside a large one. Beside it "
    "stands how "
    "often the others name the class of an item, and how many labels are found that a second run changes on "
    "purpose. No label "
    "is said to be wrong.",
    "An indefinite matrix is clipped, of all items at once.",
    "Schölkopf, Platt, Shawe-Taylor, Smola and Williamson, 2001; Brodley and Friedl, Identifying mislabeled "
    "training data, 1999.",
)
SETTINGS: Final = declared(
    *in_view(of_data("of", "Of"), *of(OutliersConfig, "n_neighbors"), setting("tab", "Part of the page")),
    *of(OutliersConfig, "share", "normalize", "repeats", "planted", "seed"), setting("drawn", "Map"),
)  # fmt: skip


@dataclass(frozen=True)
class Subject:
    """Items that do not belong, and what they are of."""

    dataset: DataSet
    name: str
    source: Vectors | GramMatrix
    config: OutliersConfig
    found: Outliers
    labels: Labels | None
    laid: LaidOut | None


@cached(public=True)
def outliers(config: OutliersConfig, source: Vectors | GramMatrix) -> Outliers:
    """Items by how odd they are."""
    return find_outliers(config, source)


@cached(public=True)
def contradicted(config: OutliersConfig, source: Vectors | GramMatrix, labels: Labels) -> Contradicted:
    """Labels beside what the other items say."""
    return contradicted_labels(config, source, labels)


def choose(dataset: DataSet) -> Subject:
    """Draw the first row and Settings, and return what they ask for."""
    with first_row():
        first, second = st.container(width=190), st.container(width=220)
        last = st.container(width="stretch", horizontal_alignment="right")
    below = st.container()
    name, source = chosen_source(
        dataset, first, key=f"outliers.of.{dataset.name}", hint="Whose distances count."
    )
    key, most = f"outliers.{dataset.name}", max(2, min(60, dataset.n - 1))
    config = OutliersConfig(n_neighbors=min(5, most), normalize=normalised_at_first(dataset, source))
    config = controls(
        config, key, only=("n_neighbors",), slots=(second,), changed={"n_neighbors": {"high": most}}
    )
    with last, settings_box(2) as (left, right):
        with left:
            group("Items")
            config = controls(
                config, key, only=("share", "normalize") if isinstance(source, GramMatrix) else ("share",)
            )
            group("Picture")
            laid = laid_out(dataset, source, key, below, normalize=config.normalize)
        with right:
            group("Labels")
            config = controls(config, key, only=("repeats", "planted", "seed"))
    return Subject(dataset, name, source, config, outliers(config, source), dataset.judgeable, laid)


def words(subject: Subject, said: Contradicted | None) -> str:
    """Return what is found."""
    far, order = subject.found.far, subject.found.order
    first = plain(subject.dataset.ids[order[0]])
    begin = f"{first} is the farthest: {number(float(far[order[0]]), 2)} times as far from its nearest as is usual. "
    if said is None:
        return begin + ("" if subject.labels is None else "Whether others contradict labels is asked below.")
    return (
        f"{begin}{counted(len(said.always), 'label')} of {int(said.judgement.labelled.sum()):,} "
        f"{'is' if len(said.always) == 1 else 'are'} contradicted by the others every time; of {said.changed:,} changed on "
        f"purpose {said.found:,} are found."
    )


def fill(place: VerdictPlace, subject: Subject, said: Contradicted | None) -> None:
    """Write the verdict."""
    found = subject.found
    place.say(words(subject, said))
    place.number(
        0,
        FAR,
        number(float(found.far.max()), 2),
        "usual: 1",
        "Mean distance to the nearest, over the usual one.",
    )
    place.number(
        1, OUTSIDE, f"{int(found.is_outside.sum()):,}", f"at most about {percent(subject.config.share)}",
        "Items that a one-class support vector machine leaves outside; in grey, the share that it may.",
    )  # fmt: skip
    if said is not None:
        place.number(
            2, CONTRADICTED, f"{len(said.always):,}", f"of {int(said.judgement.labelled.sum()):,} labels",
            "Labels that the other items contradict in every repetition; in grey, how many there are.",
        )  # fmt: skip


def show(dataset: DataSet) -> None:
    """Draw the page."""
    formula_text(FORMULAS, ASSUMPTIONS)
    subject = choose(dataset)
    place = VerdictPlace(FAR, OUTSIDE, *([] if subject.labels is None else [CONTRADICTED]))
    said = None
    if subject.labels is not None:
        said = contradicted.peek(subject.config, subject.source, subject.labels)
    fill(place, subject, said)
    left, right = st.columns([1, 1.15], gap="medium")
    items = Items(dataset.ids, class_list(subject.labels))
    with left:
        _map(subject, items)
    with right:
        panel_title("Items", "farthest first")
        table = pd.DataFrame(rows(subject, said)).iloc[subject.found.order]
        st.dataframe(in_table(table), hide_index=True, width="stretch", height=HEIGHT, key="outliers.items")
    chosen_items(items, "outliers")
    draw_parts(
        {
            **({} if subject.labels is None else {"Labels": partial(_labels, subject, place)}),
            "Method": partial(_method, subject),
        },
        key=TABS,
    )
    result = Result(
        f"outliers of {subject.name.rsplit(',', 1)[0]}",
        table=Offer(
            lambda: rows(subject, said),
            label="Items as CSV",
            help="One row an item, in the order of the data.",
        ),
        figure=Drawing(none_drawn, title=f"Outliers of {subject.name}", settings=vars(subject.config)),
        script=Offer(lambda: script(subject, said is not None), help="Python that finds the same again."),
    )
    keep_row(result, key="outliers")


def _map(subject: Subject, items: Items) -> None:
    if subject.laid is None:
        return
    item_map_panel(
        subject.laid.coordinates, items, key="outliers.map", note=f"{subject.laid.title}; outlined: outside",
        axes=subject.laid.axes, layers=Layers(Outlined(subject.found.is_outside, "outside")),
        height=fitted(HEIGHT, PROJECTED),
    )  # fmt: skip


def rows(subject: Subject, said: Contradicted | None) -> list[dict[str, object]]:
    """One row an item: how far it is, whether outside, what the others say of its label, and its nearest with theirs."""
    found, labels = subject.found, subject.labels
    return [
        {
            "id": name,
            **({} if labels is None else {"class": str(labels.y[at])}),
            "how far": float(found.far[at]),
            "outside": "yes" if found.is_outside[at] else "",
            **(
                {}
                if said is None
                else {"contradicted": float(said.share[at]), "others say": str(said.named[at])}
            ),
            "nearest": nearest(subject, at),
        }
        for at, name in enumerate(subject.dataset.ids)
    ]


def nearest(subject: Subject, at: int) -> str:
    """The nearest items, with their classes."""
    near: Sequence[int] = subject.found.near[at, :NEAR].tolist()
    y = None if subject.labels is None else subject.labels.y
    return ", ".join(subject.dataset.ids[k] + ("" if y is None or not y[k] else f" ({y[k]})") for k in near)


def _labels(subject: Subject, place: VerdictPlace) -> None:
    """Ask the others, with a click; then the labels that they contradict, most often first."""
    assert subject.labels is not None  # as the tab
    work = Pieced(contradicted, contradicted_labels.steps, (subject.config, subject.source, subject.labels))
    said = run_in_pieces(
        work,
        key="outliers.ask",
        what="% of the folds",
        at_once=False,
        label="Ask the others",
        automatic=False,
        cost=COST,
    )
    if said is None:
        return
    fill(place, subject, said)
    often = np.argsort(-np.nan_to_num(said.share), kind="stable")[: int(np.nansum(said.share > 0.5))]
    if not often.size:
        st.markdown(
            f"No label is contradicted in most of {subject.config.repeats} repetitions of five folds."
        )
        return
    panel_title(
        "Contradicted labels",
        f"in most of {subject.config.repeats} repetitions of five folds; the others name {percent(said.accuracy)} "
        f"of all rightly",
    )
    registry.table(
        "outliers.labels",
        {
            "item": [plain(subject.dataset.ids[k]) for k in often],
            "class": [plain(str(subject.labels.y[k])) for k in often],
            "others say": [plain(str(said.named[k])) for k in often],
            "contradicted": [percent(float(said.share[k])) for k in often],
            "nearest": [plain(nearest(subject, int(k))) for k in often],
        },
    )


def _method(subject: Subject) -> None:
    findings(subject.found.notes)
    st.markdown(formula_text(FORMULAS, ASSUMPTIONS))


def script(subject: Subject, labels: bool) -> str:
    """Script of the ranking, and of the labels where the others were asked."""
    calls = [call("found", "find_outliers", subject.config, subject.source)]
    prints = [
        "'farthest first', $0.order.tolist()",
        "$0.far.tolist()",
        "'outside', $0.is_outside.nonzero()[0].tolist()",
    ]
    if labels:
        calls.append(call("asked", "contradicted_labels", subject.config, subject.source, subject.labels))
        prints += [
            "'contradicted', $1.always.tolist(), 'changed', $1.changed, 'found', $1.found",
            "$1.share.tolist()",
        ]
    heading = f"Kernex: outliers of {subject.name}\n{BESIDE_KERNEX}"
    return write_script(calls, heading=heading, prints=prints)


def run() -> None:
    """Draw the page in its frame."""
    open_page("Outliers", "Which items, and which labels, do not belong?", SETTINGS)
    dataset = need_data()
    with guard():
        show(dataset)
