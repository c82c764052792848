"""Several kernels on the same items: which are chosen, and who has which items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.base.errors import KernexError
from kernex_core.base.frozen import IntArray
from kernex_core.completion.views.problem import LEAST_KNOWN
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted, listed
from kernex_core.inputs.samples import Labels
from kernex_core.studies.many_kernels import Coverage, coverage, on_items
from pages.export.downloads import Table
from pages.server import workspace
from pages.server.cached import cached
from pages.server.digits import number
from pages.server.messages import plain, shortened
from pages.ui import widgets
from pages.ui.figures.chart import Items, Picture, PlotMargin, Spec, axis, draw
from pages.ui.figures.theme import GUIDE, HATCH, HATCH_WIDTH, SERIES, class_order, escaped
from pages.ui.frame import panel_title
from pages.ui.panels import linked as heatmap
from pages.ui.panels.keep import Offer, Result, keep_row
from pages.ui.panels.linked import class_list, display_order


@dataclass(frozen=True)
class Subject:
    """Kernels that are chosen, on the items that at least one of them has.

    Attributes
    ----------
    dataset : DataSet
    kernels : dict of str to GramMatrix
    covered : Coverage
    labels : Labels or None
        Of these items, if a classifier can be judged on them.
    dropped : tuple of str
        Items that were left out.
    """

    dataset: DataSet
    kernels: Mapping[str, GramMatrix]
    covered: Coverage
    labels: Labels | None
    dropped: tuple[str, ...]

    @property
    def items(self) -> Items:
        """Its items in pictures, by class where there are classes."""
        labels, first = labels_of(self), next(iter(self.kernels.values()))
        order: IntArray = display_order("class", first, labels, np.ones(first.n, dtype=bool))
        return Items(first.ids, class_list(labels), order)

    @property
    def incomplete(self) -> list[str]:
        """Names of kernels that lack items."""
        return [
            name for name, has in zip(self.covered.names, self.covered.known, strict=True) if not has.all()
        ]


def subject_of(dataset: DataSet, names: tuple[str, ...], common: bool) -> Subject:
    """Kernels of these names, on all items that one of them has, or on those that all have (`common`)."""
    kernels = {name: dataset.kernels[name] for name in names}
    whole = coverage(kernels)
    at = whole.in_all if common else whole.in_some
    if at.size == len(whole.ids):
        return Subject(dataset, kernels, whole, dataset.judgeable, ())
    left = set(at.tolist())
    dropped = tuple(whole.ids[k] for k in range(len(whole.ids)) if k not in left)
    return _taken(dataset, kernels, tuple(at.tolist()), dropped)


def _taken(
    dataset: DataSet, kernels: Mapping[str, GramMatrix], at: tuple[int, ...], dropped: tuple[str, ...]
) -> Subject:
    cut = {name: part(K, at) for name, K in kernels.items()}
    labels = None if dataset.labels is None else dataset.labels.take(np.array(at, dtype=np.int64))
    judgeable = labels if labels is not None and labels.judgeable else None
    return Subject(dataset, cut, coverage(cut), judgeable, dropped)


def labels_of(subject: Subject) -> Labels | None:
    """Labels of these items, also where nothing can be judged by them."""
    labels = subject.dataset.labels
    if labels is None or labels.ids == subject.covered.ids:
        return labels
    place = {name: k for k, name in enumerate(labels.ids)}
    return labels.take(np.array([place[name] for name in subject.covered.ids]))


@cached(public=True)
def part(K: GramMatrix, at: tuple[int, ...]) -> GramMatrix:
    """A kernel on some of its items, the same object in every run."""
    return K.take(np.array(at, dtype=np.int64))


# Who has which items: items across, kernels below each other, counts in words.

ROW: Final = 30
MOST_CLASSES: Final = 14
"""Classes up to which their names stand below the picture."""
LONGEST: Final = 20


def show(subject: Subject) -> None:
    """Draw the picture and say what it shows."""
    covered = subject.covered
    panel_title("Coverage", "which kernel has which item, sorted by class" if subject.dataset.labels else "")
    heatmap.draw(picture(covered, labels_of(subject)), "many.coverage")
    st.caption(words(subject))
    rows: list[dict[str, object]] = [
        {"id": name, **{kernel: int(has) for kernel, has in zip(covered.names, column, strict=True)}}
        for name, column in zip(covered.ids, covered.known.T, strict=True)
    ]
    further: tuple[Offer[Table], ...] = ()
    if subject.dropped:
        gone: list[dict[str, object]] = [{"id": name} for name in subject.dropped]
        further = (
            Offer(lambda: gone, label=f"All {len(gone):,} ids that were left out as CSV", name="left out", key="dropped"),
        )  # fmt: skip
    name = f"{subject.dataset.name} coverage"
    offer = Offer(lambda: rows, label="Coverage as CSV", help="1 where a kernel has the item.")
    keep_row(Result(name, table=offer, further=further), key="many.coverage", look="tertiary")


def words(subject: Subject) -> str:
    """Counts in words."""
    covered = subject.covered
    n, times = len(covered.ids), covered.known.sum(axis=0)
    each = "; ".join(
        f"{plain(name)} has {int(has.sum()):,}"
        for name, has in zip(covered.names, covered.known, strict=True)
    )
    said = [f"Of {counted(n, 'item')} {each}."]
    if covered.complete:
        said = [f"All {len(covered.names)} kernels have all {counted(n, 'item')}."]
    else:
        low, high = int(times.min()), int(times.max())
        between = f"{low}" if low == high else f"{low} to {high}"
        said.append(
            f"Every item is in {between} of {len(covered.names)} kernels, on average in {number(float(times.mean()), 1)}; "
            f"{covered.in_all.size:,} are in all of them."
        )
        if len(covered.names) > 1:
            fewest, first, second = fewest_shared(covered)
            said.append(
                f"The pair that shares fewest is {plain(first)} and {plain(second)}: {counted(fewest, 'item')}."
            )
    if subject.dropped:
        said.append(f"Left out: {counted(len(subject.dropped), 'item')}, {plain(listed(subject.dropped))}.")
    return " ".join(said)


def fewest_shared(covered: Coverage) -> tuple[int, str, str]:
    """The least number of items that two kernels share, and which two."""
    counts = covered.known.astype(np.int64) @ covered.known.T.astype(np.int64)
    fewest, u, v = min((int(counts[u, v]), u, v) for u in range(len(counts)) for v in range(u))
    return fewest, covered.names[v], covered.names[u]


def none_in_all(covered: Coverage) -> str:
    """What can be done where no item is in all kernels."""
    fewest, first, second = fewest_shared(covered)
    return (
        f"No item is in all {len(covered.names)} kernels; {plain(first)} and {plain(second)} share fewest "
        f"({counted(fewest, 'item')}). Complete them together first, or leave one out."
    )


def picture(covered: Coverage, labels: Labels | None) -> Picture:
    """Cells in colour where a kernel has the item, hatched where it has not; items by class."""
    classes = class_list(labels)
    count, n = covered.known.shape
    order: IntArray = np.arange(n) if classes is None else class_order(classes)
    known = covered.known[:, order]
    names = [escaped(shortened(name, LONGEST)) for name in covered.names]
    hover = [
        [
            f"{escaped(covered.ids[k])}: {'in' if has else 'not in'} {name}"
            for k, has in zip(order, row, strict=True)
        ]
        for name, row in zip(names, known, strict=True)
    ]
    trace: Spec = {
        "type": "heatmap", "z": np.where(known, 1.0, np.nan), "showscale": False, "zmin": 0.0, "zmax": 1.0,
        "colorscale": [[0.0, SERIES.colour], [1.0, SERIES.colour]], "ygap": 3,
        "text": hover, "hovertemplate": "%{text}<extra></extra>", "hoverongaps": True,
    }  # fmt: skip
    ticks, texts, edges = _runs(classes, order)
    height = 54 + ROW * count
    lines: list[Spec] = [
        {"type": "line", "x0": at, "x1": at, "yref": "paper", "y0": 0, "y1": 1, "line": {**GUIDE.line, "dash": "solid"}}
        for at in edges
    ]  # fmt: skip
    under: Spec = {"tickvals": ticks, "ticktext": texts} if texts else {"showticklabels": False}
    layout: Spec = {
        "xaxis": axis("" if texts else "items", range=[-0.5, n - 0.5], showgrid=False) | under,
        "yaxis": axis(tickvals=list(range(count)), ticktext=names, range=[count - 0.5, -0.5], showgrid=False),
        "shapes": [_hatch(), *lines],
    }
    left = 16 + int(6.6 * max(map(len, names)))
    sentence = ", ".join(
        f"{name} has {int(has.sum()):,}" for name, has in zip(covered.names, covered.known, strict=True)
    )
    margin = PlotMargin(left=left, right=8, top=6, bottom=40)
    return Picture(draw([trace], height, margin, layout), f"Items of each kernel: of {n:,} items {sentence}.")


def _hatch() -> Spec:
    """Lines below all cells, which show where there is none; flat, for the picture is wide."""
    lines = 160
    path = "".join(f"M{k / lines:.4g},0L{(k + 1.5) / lines:.4g},1" for k in range(lines - 1))
    return {
        "type": "path", "path": path, "xref": "x domain", "yref": "y domain", "layer": "below",
        "line": {"color": HATCH, "width": HATCH_WIDTH},
    }  # fmt: skip


def _runs(
    classes: Sequence[str | None] | None, order: IntArray
) -> tuple[list[float], list[str], list[float]]:
    """Middles and names of the classes, and the places between them."""
    if classes is None:
        return [], [], []
    inside = [classes[k] or "none" for k in order]
    starts = [0, *(k for k in range(1, len(inside)) if inside[k] != inside[k - 1]), len(inside)]
    middles = [(a + b - 1) / 2.0 for a, b in pairwise(starts)]
    if len(middles) > MOST_CLASSES:
        return [], [], [a - 0.5 for a in starts[1:-1]]
    return middles, [escaped(shortened(inside[a], 12)) for a in starts[:-1]], [a - 0.5 for a in starts[1:-1]]


# Kernels from elsewhere in the workspace, by id: those of other open data, and kept ones that lack items.


def offered(dataset: DataSet) -> dict[str, GramMatrix]:
    """Kernels that are not of this data set and share items with it, by the name that the page gives them."""
    made = {name: K for name, K in workspace.kept().items() if name not in dataset.kernels}
    for data in workspace.datasets():
        if data != workspace.current_name():
            both = {**workspace.get(data).kernels, **workspace.kept(data)}
            made |= {f"{name} ({data})": K for name, K in both.items()}
    known = set(dataset.ids)
    return {
        name: K
        for name, K in made.items()
        if name not in dataset.kernels and len(known.intersection(K.ids)) >= LEAST_KNOWN
    }


def joined(dataset: DataSet, others: Mapping[str, GramMatrix], chosen: Sequence[str]) -> DataSet:
    """The data with the chosen ones of the others on their items; what was left out is said, what cannot come too."""
    made = dict(dataset.kernels)
    for name in [name for name in chosen if name in others]:
        K = others[name]
        try:
            made[name] = carried(K, dataset.ids).renamed(name)
        except KernexError as error:
            st.caption(f"{plain(name)} cannot be brought to the items of these data. {plain(str(error))}")
            continue
        own = set(dataset.ids)
        gone = [item for item in K.ids if item not in own]
        if gone:
            st.caption(
                f"Of {plain(name)} {counted(len(gone), 'item')} left out, which these data do not have: "
                f"{plain(listed(gone))}."
            )
    return replace(dataset, kernels=made)


@cached(public=True)
def carried(K: GramMatrix, ids: tuple[str, ...]) -> GramMatrix:
    """A kernel on these items, the same object in every run."""
    return on_items(K, ids)


# Which kernels, of the open data and of elsewhere in the workspace: a box that Many and Complete together share.

MOST: Final = 12
"""Kernels that are chosen at first."""


def box(dataset: DataSet) -> str:
    """Return the key of the box on the page Many, in which the kernels of a data set are chosen."""
    return f"many.kernels.{dataset.name}"


def choose(dataset: DataSet, key: str) -> tuple[DataSet, tuple[str, ...]]:
    """Draw the box; return the data with what was chosen of elsewhere, and the names of what can be used."""
    own, other = list(dataset.kernels), offered(dataset)
    names = [*own, *other]
    chosen = widgets.several(
        "kernels", names, default=own[:MOST] if len(own) > 1 else names[:2], key=key,
        help="Those of the open data, and from elsewhere in the workspace those that share items with "
        "them, aligned by id. Each may lack items.",
    )  # fmt: skip
    if len(chosen) < 2:
        st.caption("Choose at least two kernels.")
        return dataset, ()
    dataset = joined(dataset, other, chosen)
    found = tuple(name for name in chosen if name in dataset.kernels)
    return dataset, found if len(found) > 1 else ()
