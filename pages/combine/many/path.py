"""Learned weights against the cost C: what a small one leaves out, a large one lets in."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.studies.combination import COSTS, WeightPath, weight_path
from kernex_core.studies.many_kernels import ManyConfig
from pages.shared.cached import cached
from pages.shared.figures.axes import Across, Values
from pages.shared.figures.curve import Line, curve
from pages.shared.figures.picture import Picture
from pages.shared.figures.theme import CLASS_COLOURS, Role
from pages.shared.frame import panel_title
from pages.shared.messages import shortened
from pages.shared.panels.heatmap import draw
from pages.shared.panels.keep import Offer, Result, keep_row
from pages.shared.panels.staged import Staged, run_study

QUICK = 400
"""Items × kernels up to which all costs take a second."""


@cached(public=True)
def path_of(kernels: tuple[GramMatrix, ...], labels: Labels, loss: str) -> WeightPath:
    """All costs; the page keeps partial ones under the same key."""
    return list(weight_path(kernels, labels, loss))[-1]


def _running(kernels: tuple[GramMatrix, ...], labels: Labels, loss: str) -> Iterator[WeightPath]:
    return weight_path(kernels, labels, loss)


def show(kernels: tuple[GramMatrix, ...], labels: Labels | None, config: ManyConfig) -> None:
    """Draw the path once somebody opens it."""
    if labels is None:
        return
    panel_title("Weights over C", "learned on all labelled items")
    with st.container():
        study = Staged(path_of, _running, (kernels, labels, config.loss))
        run_study(
            study, key="many.path", what="costs", automatic=len(labels.y) * len(kernels) <= QUICK, label="Learn for every C",
            cost=f"Weights for {len(COSTS)} costs: this starts with a click.",
        )  # fmt: skip
        found = study.known()
        if found is None:
            return
        draw(chart(found, config.C), "many.path")
        largest = 100.0 * float(found.gaps.max())
        st.caption(
            f"Learned on all labelled items, {config.loss} loss; duality gaps at most {largest:.2g} %."
        )
        keep_row(
            Result("weights against C", table=Offer(lambda: rows(found), label="Path as CSV")),
            key="many.path", look="tertiary",
        )  # fmt: skip


def chart(found: WeightPath, C: float) -> Picture:
    """One line a kernel."""
    places = np.log10(found.costs)
    lines = [
        Line(shortened(name, 18), places, 100.0 * weights, Role(CLASS_COLOURS[k % len(CLASS_COLOURS)], 1.75))
        for k, (name, weights) in enumerate(zip(found.names, found.weights.T, strict=True))
    ]
    ticks = np.log10(COSTS).tolist()
    guide = float(np.clip(np.log10(C), ticks[0], ticks[-1]))
    across = Across("cost C", guide=guide, ticks=ticks, texts=[f"{cost:g}" for cost in COSTS])
    return curve(lines, across, Values("weight, %", "%", bounds=(0.0, 100.0)), height=250)


def rows(found: WeightPath) -> list[dict[str, object]]:
    """One row a cost and kernel."""
    return [
        {"C": cost, "kernel": name, "weight": weight, "gap": gap}
        for cost, weights, gap in zip(
            found.costs.tolist(), found.weights.tolist(), found.gaps.tolist(), strict=True
        )
        for name, weight in zip(found.names, weights, strict=True)
    ]
