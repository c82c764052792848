"""The part Groups of Map: which items belong together, how well each lies in its group, and whether groups are "
"found again."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.order import dendrogram
from kernex_core.gram.provenance import call, write_script
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.studies.map.groups import (
    GROUPINGS,
    Groups,
    GroupsConfig,
    PreparedGroups,
    Stability,
    find_groups,
    group_names,
    group_stability,
    prepare_groups,
)
from pages.export.downloads import BESIDE_KERNEX
from pages.map.subject import LaidOut, chosen_source, laid_out, normalised_at_first
from pages.server import workspace
from pages.server.cached import cached
from pages.server.declared import declared, in_view, of, of_data, setting
from pages.server.digits import in_table, number
from pages.server.messages import findings, guard, plain
from pages.ui import shown as registry
from pages.ui.answer import Later, VerdictPlace, draw_parts, first_row, group, settings_box
from pages.ui.figures.chart import Items
from pages.ui.figures.heatmap import common_scale, heatmap
from pages.ui.frame import formula_text, need_data, open_page, panel_title
from pages.ui.matrices import Panel, Room, Words, matrices
from pages.ui.panels.item_map import chosen_items, item_map_panel
from pages.ui.panels.keep import Drawing, Offer, Result, keep_row, none_drawn
from pages.ui.panels.linked import keep_groups
from pages.ui.panels.staged import Pieced, run_in_pieces
from pages.ui.projector import fitted
from pages.ui.widget import Change, controls

SILHOUETTE, STABILITY, RAND = "Silhouette", "Stability", "Rand index"
TABS: Final = "groups.tab"
MOST: Final = 0.42
"""Side of the matrix, of the window's height."""
HEIGHT, PROJECTED = 330, 0.86
"""Pixels of the map, and the share of them that a projector has room for."""
AT_ONCE, QUICK = 600, 250
"""Items up to which groups, and those of all resamples, come without a word."""
TOGETHER_HELP: Final = (
    "Folds keep items of one group together from now on, on every page where *Keep groups together* is set: they take the "
    "place of groups that came with the labels."
)
FORMULAS: Final = (
    r"d_{ij}^2 = k(x_i, x_i) + k(x_j, x_j) - 2 k(x_i, x_j)",
    r"s_i = \frac{b_i - a_i}{\max(a_i, b_i)}",
    r"\text{ARI} = \frac{\sum_{ij} \binom{n_{ij}}{2} - E}{\frac{1}{2}(A + B) - E},\qquad E = A B \Big/ \binom{n}{2}",
)
ASSUMPTIONS: Final = (
    *(f"{each.title[0].upper()}{each.title[1:]}: {each.about}." for each in GROUPINGS),
    "Silhouette: *a* is the mean distance of an item to the others of its group, *b* the smallest mean distance to another "
    "group. Below 0 it lies nearer to another one.",
    "Stability: groups are found again among 80 % of the items, drawn anew each time, and compared with those of all items "
    "by the adjusted Rand index; the mean over resamples is shown. A dendrogram that is cut at a height is cut at "
    "the same one.",
    "Groups that are not found again are those of the draw. Groups that are may be no more than a long cloud that is cut in "
    "the same place: no number here says that there are groups.",
    "Labels play no part in finding groups. 1: groups and labels are the same; 0: as alike as by chance.",
    "An indefinite matrix is clipped before distances are taken, of all items at once; spectral clustering counts negative "
    "similarities as 0. Of vectors the kernel is the linear one of centred columns.",
    "Rousseeuw, 1987; Hubert and Arabie, 1985; Ng, Jordan and Weiss, 2001; Schölkopf, Smola and Müller, 1998; Ben-Hur, "
    "Elisseeff and Guyon, A stability based method for discovering structure in clustered data, 2002.",
)
SETTINGS: Final = declared(
    *in_view(of_data("of", "Of"), *of(GroupsConfig, "number", "height"), setting("tab", "Part of the page")),
    *of(GroupsConfig, "method", "by", "linkage", "normalize", "resamples", "seed"), setting("drawn", "Map"),
)  # fmt: skip


@dataclass(frozen=True)
class Subject:
    """Groups, and what they are of."""

    dataset: DataSet
    name: str
    source: Vectors | GramMatrix
    config: GroupsConfig
    prepared: PreparedGroups
    found: Groups
    labels: Labels | None
    laid: LaidOut | None

    @property
    def items(self) -> Items:
        """Ids with groups as classes, sorted by group, inside one by the dendrogram."""
        order = np.lexsort((leaves(self.prepared), self.found.groups)).astype(np.int64)
        return Items(self.dataset.ids, tuple(group_names(self.found.groups).tolist()), order)

    @property
    def origin(self) -> str:
        """How the groups were made, in words."""
        config = self.config
        how = f"{config.linkage} linkage" if config.method == "dendrogram" else title_of(config)
        return f"{how} on {self.name}, {counted(self.found.number, 'group')}"


def title_of(config: GroupsConfig) -> str:
    """What a way to find groups is called."""
    return next(each.title for each in GROUPINGS if each.name == config.method)


@cached(public=True)
def prepared(source: Vectors | GramMatrix, normalize: bool) -> PreparedGroups:
    """Kernel and distances."""
    return prepare_groups(source, normalize=normalize)


@cached(public=True)
def found_groups(config: GroupsConfig, made: PreparedGroups, labels: Labels | None) -> Groups:
    """Groups of all items."""
    return find_groups(config, made, labels)


@cached(public=True)
def stability(config: GroupsConfig, made: PreparedGroups, groups: Groups) -> Stability:
    """Groups of resamples beside them."""
    return group_stability(config, made, groups)


@cached(public=True)
def leaves(made: PreparedGroups) -> IntArray:
    """Place of every item among the leaves of an average-linkage tree."""
    return np.argsort(dendrogram(made.K).order).astype(np.int64)


def choose(dataset: DataSet) -> Subject | None:
    """Draw the first row and Settings, and return what they ask for; None where it was stopped."""
    with first_row():
        first, second = st.container(width=190), st.container(width=220)
        last = st.container(width="stretch", horizontal_alignment="right")
    below = st.container()
    name, source = chosen_source(
        dataset, first, key=f"groups.of.{dataset.name}", hint="Whose distances count."
    )
    key = f"groups.{dataset.name}"
    with last, settings_box(2) as (left, right):
        with left:
            group("Groups")
            config = controls(
                GroupsConfig(normalize=normalised_at_first(dataset, source)), key, only=("method",)
            )
            if config.method == "dendrogram":
                config = controls(config, key, only=("by", "linkage"))
            if isinstance(source, GramMatrix):
                config = controls(config, key, only=("normalize",))
        with right:
            group("Found again")
            config = controls(config, key, only=("resamples", "seed"))
            group("Picture")
            laid = laid_out(dataset, source, key, below, normalize=config.normalize)
    with Later(second):
        most: Change = {} if config.by_height else {"high": max(3, min(40, dataset.n - 1))}
        name_of = "height" if config.by_height else "number"
        config = controls(config, key, only=(name_of,), changed={name_of: most})
    # what only resamples ask for finds no other groups of all items
    alone = replace(config, resamples=0)
    made, labels = prepared(source, config.normalize), dataset.judgeable
    with below:
        found = run_in_pieces(
            Pieced(found_groups, find_groups.steps, (alone, made, labels)), key="groups.find", what="% of the groups",
            at_once=dataset.n <= AT_ONCE, label="Find groups",
        )  # fmt: skip
    return None if found is None else Subject(dataset, name, source, config, made, found, labels, laid)


def words(subject: Subject, again: Stability | None) -> str:
    """Return what is found."""
    found = subject.found
    if found.number == 1:
        return "All items are one group: cut lower, or ask for more groups."
    sizes = ", ".join(f"{size:,}" for size in found.sizes[:6].tolist()) + (", …" if found.number > 6 else "")
    said = f"{counted(found.number, 'group')}, of {sizes} items: {counted(found.misplaced, 'item')} "
    said += "lies nearer to another group" if found.misplaced == 1 else "lie nearer to another group"
    if again is None:
        return f"{said}."
    return f"{said}. Without a fifth of the items they are found again with a Rand index of {number(again.mean, 2)}."


def fill(place: VerdictPlace, subject: Subject, again: Stability | None) -> None:
    """Write the verdict."""
    found = subject.found
    place.say(words(subject, again))
    if found.number > 1:
        place.number(
            0, SILHOUETTE, number(float(found.silhouette.mean()), 3), f"{found.misplaced:,} below 0",
            "Mean over items: 1 where every item is far nearer to its own group than to the next, 0 where it is as near.",
        )  # fmt: skip
    if again is not None:
        low = f"{number(float(again.values.min()), 2)} to {number(float(again.values.max()), 2)}"
        place.number(
            1, STABILITY, number(again.mean, 3), low,
            f"Adjusted Rand index of groups among 80 % of the items with those of all: mean of {again.values.size}; in grey "
            "the lowest and the highest.",
        )  # fmt: skip
    if subject.labels is not None:
        place.number(
            len(place.names) - 1, RAND, number(found.against_labels, 3), f"with {found.labelled:,} labels",
            "Adjusted Rand index of groups with labels: 1 = the same, 0 = as by chance. Labels play no part in "
            "finding groups.",
        )  # fmt: skip


def show(dataset: DataSet) -> None:
    """Draw the page."""
    formula_text(FORMULAS, ASSUMPTIONS)
    subject = choose(dataset)
    if subject is None:
        return
    place = VerdictPlace(SILHOUETTE, STABILITY, *([] if subject.labels is None else [RAND]))
    fill(place, subject, None)
    left, right = st.columns(2, gap="medium")
    carriers = st.container(key="carriers")
    with left:
        _matrix(subject, carriers)
    with right:
        _map(subject)
    chosen_items(subject.items, "groups")
    lower = st.container()
    again = None
    if subject.config.resamples and subject.found.number > 1:
        args = (subject.config, subject.prepared, subject.found)
        again = run_in_pieces(
            Pieced(stability, group_stability.steps, args), key="groups.again", what="% of the resamples",
            at_once=dataset.n <= QUICK, label="Find them again", place=place.wait,
        )  # fmt: skip
        fill(place, subject, again)
    with lower:
        draw_parts(
            {
                "Groups": lambda: _groups(subject),
                "Items": lambda: _items(subject),
                "Method": lambda: _method(subject),
            },
            key=TABS,
        )
        _results(subject, again)


def _matrix(subject: Subject, carriers: st.delta_generator.DeltaGenerator) -> None:
    K, items = subject.prepared.K, subject.items
    note = f"{subject.dataset.n:,} items sorted by group"
    panel = Panel("Similarity", note, K, common_scale([K]))
    said = Words(f"{workspace.current_name()}: {subject.name}", subject.origin)
    room = Room(carriers, MOST, elsewhere=True)
    matrices([panel], items, key="groups.matrix", words=said, whole_page=True, room=room)
    make = partial(heatmap, K, items, name="Similarity", scale=panel.scale, height=360)
    registry.show("groups.matrix", make, title="Similarity", note=note, classes=items.classes)


def _map(subject: Subject) -> None:
    if subject.laid is None:
        return
    item_map_panel(
        subject.laid.coordinates, subject.items, key="groups.map", note=f"{subject.laid.title}; colours are groups",
        axes=subject.laid.axes, height=fitted(HEIGHT, PROJECTED),
    )  # fmt: skip


def group_table(subject: Subject) -> list[dict[str, object]]:
    """One row a group: size, mean silhouette, how many items lie nearer elsewhere, and which classes are in it."""
    found, rows = subject.found, []
    names = group_names(found.groups)
    for at, size in enumerate(found.sizes.tolist(), start=1):
        inside = found.groups == at
        row: dict[str, object] = {
            "group": str(names[inside][0]), "items": size, "silhouette": float(found.silhouette[inside].mean()),
            "nearer to another": int((found.silhouette[inside] < 0.0).sum()),
        }  # fmt: skip
        if subject.labels is not None:
            most = Counter(y or "unlabelled" for y in subject.labels.y[inside].tolist()).most_common(3)
            row["most frequent classes"] = ", ".join(f"{plain(name)} ({count:,})" for name, count in most)
        rows.append(row)
    return rows


def item_rows(subject: Subject) -> list[dict[str, object]]:
    """One row an item, in the order of the data: its group, how well it lies in it, and the next one."""
    found, labels = subject.found, subject.labels
    names = group_names(found.groups)
    first = {at: names[np.flatnonzero(found.groups == at)[0]] for at in range(1, found.number + 1)}
    return [
        {
            "id": name,
            **({} if labels is None else {"class": str(labels.y[at])}),
            "group": str(names[at]),
            "silhouette": float(found.silhouette[at]),
            "nearest other group": str(first.get(int(found.other[at]), "")),
            **_places(subject.laid, at),
        }
        for at, name in enumerate(subject.dataset.ids)
    ]


def _places(laid: LaidOut | None, at: int) -> dict[str, float]:
    row: FloatArray | None = None if laid is None else laid.coordinates[at]
    return {} if row is None else {"across": float(row[0]), "up": float(row[1])}


def _groups(subject: Subject) -> None:
    rows = group_table(subject)
    panel_title("Groups", "largest first")
    registry.table(
        "groups.groups", [{**row, "silhouette": number(float(str(row["silhouette"])), 3)} for row in rows]
    )


def _items(subject: Subject) -> None:
    panel_title("Items", "those that lie worst in their group come first")
    rows = [
        {name: value for name, value in row.items() if name not in ("across", "up")}
        for row in item_rows(subject)
    ]
    table = pd.DataFrame(rows).sort_values("silhouette", kind="stable")
    st.dataframe(in_table(table), hide_index=True, width="stretch", height=300, key="groups.items")


def _method(subject: Subject) -> None:
    findings(subject.found.notes)
    st.markdown(formula_text(FORMULAS, ASSUMPTIONS))


def _results(subject: Subject, again: Stability | None) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if subject.found.number > 1 and st.button(
            "Keep groups as labels", key="groups.labels", icon=":material/bookmark:",
            help="A copy of this data set whose classes are these groups, on every page; every accuracy says where they "
            "come from.",
        ):  # fmt: skip
            keep_groups(subject.dataset.ids, subject.found.groups, subject.origin, subject.name)
        if subject.found.number > 1 and st.button(
            "Keep groups together in folds",
            key="groups.together",
            icon=":material/join_inner:",
            help=TOGETHER_HELP,
        ):
            _keep_together(subject)
    result = Result(
        f"groups of {subject.name.rsplit(',', 1)[0]}",
        table=Offer(lambda: item_rows(subject), label="Groups as CSV", help="One row an item."),
        figure=Drawing(none_drawn, title=f"Groups of {subject.name}", settings=vars(subject.config)),
        script=Offer(lambda: script(subject), help="Python that finds these groups and their numbers again."),
    )
    keep_row(result, key="groups")


def _keep_together(subject: Subject) -> None:
    name = workspace.current_name()
    with guard():
        workspace.set_labels(kept_together(workspace.get(name or ""), subject), workspace.get(name or ""))
        st.toast("Folds keep these groups together from now on.")


def kept_together(whole: DataSet, subject: Subject) -> Labels:
    """Labels of a data set with these groups as what folds keep together; items outside the selection are by themselves."""
    of = dict(zip(subject.dataset.ids, group_names(subject.found.groups).tolist(), strict=True))
    units = np.array([of.get(name, "") for name in whole.ids], dtype=np.str_)
    labels = whole.labels or Labels(whole.ids, np.array([""] * whole.n))
    return replace(labels, groups=units, recipe=None)


def script(subject: Subject) -> str:
    """Script of the groups, of how often they are found again, and of their silhouettes."""
    config = subject.config
    made = call("prepared", "prepare_groups", subject.source, normalize=config.normalize)
    found = call("groups", "find_groups", config, made, subject.labels)
    again = call("again", "group_stability", config, made, found)
    heading = f"Kernex: groups of {subject.name}\n{BESIDE_KERNEX}"
    prints = [
        "'silhouette', $0.silhouette.mean(), 'Rand index with the labels', $0.against_labels",
        "'sizes', $0.sizes.tolist()",
        "'stability', $1.mean",
        "$0.groups.tolist()",
    ]
    return write_script([found, again], heading=heading, prints=prints)


def run() -> None:
    """Draw the page in its frame."""
    open_page("Groups", "Which items belong together, how well, and are the groups found again?", SETTINGS)
    dataset = need_data()
    with guard():
        show(dataset)
