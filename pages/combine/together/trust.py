"""How far to trust what was completed: a number for every item and kernel, drawn and as a table."""

from __future__ import annotations

from typing import Final

import numpy as np
import streamlit as st

from kernex_core.base.frozen import FloatArray
from kernex_core.completion.views.complete import CompletedViews
from pages.combine.several.subject import Subject
from pages.shared import chosen
from pages.shared.figures.bars import trust_bars
from pages.shared.figures.theme import percent
from pages.shared.frame import panel_title
from pages.shared.messages import plain
from pages.shared.panels.heatmap import draw
from pages.shared.panels.keep import Offer, Result, keep_row
from pages.shared.panels.side_by_side import numbers_in_a_row
from pages.shared.settings import widgets
from pages.shared.shown.drawn import metric, table

LEAST_TRUSTED: Final = 8


def show(subject: Subject, views: CompletedViews) -> None:
    """Draw trust in the items that one kernel lacked, the least trusted of all, and the table."""
    names = list(views.kernels)
    lacking = [name for name, has in zip(names, views.known, strict=True) if not has.all()]
    panel_title("Trust", "share of an item's own similarity that the other kernels explain")
    name = widgets.choose(
        "trust_of", lacking, key=f"many.trust.of.{subject.dataset.name}", label="Of kernel",
        width=260,
        help="100 %: the others explain the item wholly. 0 %: it was made from nothing.",
    )  # fmt: skip
    v = names.index(name if name in lacking else lacking[0])
    out = ~views.known[v]
    ids = [views.ids[k] for k in np.flatnonzero(out)]
    _numbers(views, v)
    draw(
        trust_bars(views.trust[v, out], ids=ids, marked=chosen.chosen_ids(), height=190),
        "many.trust",
    )
    st.caption(words(views))
    rows = _rows(views)
    table("many.trust.least", _cells(rows[:LEAST_TRUSTED]), title="The least trusted items", hide_index=True)
    result = Result(
        f"{subject.dataset.name} trust",
        table=Offer(
            lambda: rows, label="Trust as CSV", help="One row for each kernel and item that it lacked."
        ),
    )
    keep_row(result, key="many.trust", look="tertiary")


def _numbers(views: CompletedViews, v: int) -> None:
    """Trust and, where it is known, the error to expect: medians over the items that kernel v lacked."""
    out, expected = ~views.known[v], views.expected_error
    if expected is None or not np.isfinite(expected[v, out]).any():
        return
    first, second = numbers_in_a_row(2)
    with first:
        metric(
            "Median trust", percent(float(np.median(views.trust[v, out]))),
            help="Over the items that this kernel lacked.",
        )  # fmt: skip
    with second:
        metric(
            "Error to expect", percent(float(np.nanmedian(expected[v, out]))),
            help="Of the similarities of an item that this kernel lacked, in parts of their size: the median over these "
            "items, found out by hiding known items on purpose.",
        )  # fmt: skip


def words(views: CompletedViews) -> str:
    """What trust says, and how well."""
    out = ~views.known
    medians = "; ".join(
        f"{plain(name)} {percent(float(np.median(trust[gone])))}"
        for name, trust, gone in zip(views.kernels, views.trust, out, strict=True)
        if gone.any()
    )
    said = f"Median over the items that each lacked: {medians}."
    expected = views.expected_error
    if expected is None or not np.isfinite(expected[out]).any():
        return (
            f"{said} Trust ranks items; what error to expect is said by the tuned way, which hides known items to find "
            "out."
        )
    return said


def _rows(views: CompletedViews) -> list[dict[str, object]]:
    """One row a kernel and item that it lacked, the least trusted first."""
    expected = views.expected_error
    v, i = np.nonzero(~views.known)
    order = np.argsort(views.trust[v, i], kind="stable")
    names = list(views.kernels)
    return [
        {
            "kernel": names[v[k]], "id": views.ids[i[k]], "trust": float(views.trust[v[k], i[k]]),
            "in_other_kernels": int(views.known[:, i[k]].sum()),
            **({} if expected is None else {"expected_error": _finite(expected, int(v[k]), int(i[k]))}),
        }
        for k in order
    ]  # fmt: skip


def _finite(values: FloatArray, v: int, i: int) -> float | None:
    value = float(values[v, i])
    return value if np.isfinite(value) else None


def _cells(rows: list[dict[str, object]]) -> dict[str, list[str]]:
    return {
        "kernel": [plain(str(row["kernel"])) for row in rows],
        "item": [plain(str(row["id"])) for row in rows],
        "trust": [percent(float(str(row["trust"]))) for row in rows],
        "in other kernels": [str(row["in_other_kernels"]) for row in rows],
    }
