"""Who has which items: items across, kernels below each other, counts in words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.base.frozen import IntArray
from kernex_core.inputs.names import counted, listed
from kernex_core.inputs.samples import Labels
from kernex_core.studies.many_kernels import Coverage
from pages.combine.several.subject import Subject, labels_of
from pages.shared.downloads import Table
from pages.shared.figures.picture import Picture, PlotMargin, Spec, axis, draw
from pages.shared.figures.theme import GUIDE, HATCH, HATCH_WIDTH, SERIES, class_order, escaped, number
from pages.shared.frame import panel_title
from pages.shared.messages import plain, shortened
from pages.shared.panels import heatmap
from pages.shared.panels.arrangement import class_list
from pages.shared.panels.keep import Offer, Result, keep_row

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
