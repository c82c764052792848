"""How much each kernel counts: sliders that keep their sum, or weights that are learned, with the proof of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.base.frozen import FloatArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.studies.combination import COSTS, WeightPath, weight_path
from kernex_core.studies.many_kernels import ManyConfig, WeighedKernels
from pages.combine.many.subject import set_weights
from pages.combine.many.subject import weights as held_weights
from pages.server import workspace
from pages.server.cached import cached
from pages.server.digits import number, percent
from pages.server.messages import plain, shortened
from pages.ui.figures.chart import Across, Picture, Values
from pages.ui.figures.curve import Line, curve
from pages.ui.figures.theme import CLASS_COLOURS, Role
from pages.ui.frame import panel_title
from pages.ui.panels.keep import Offer, Result, keep_row
from pages.ui.panels.linked import draw
from pages.ui.panels.staged import Staged, run_study
from pages.ui.panels.verdicts import numbers_in_a_row
from pages.ui.shown import metric, table

WEIGHED: Final = ("Multiple kernel learning", "Alignment")
"""Words of the glossary beside weights."""

ONE_COLUMN: Final = 4
"""Sliders up to which they stand below each other."""
ROOM: Final = 5e-3
"""Half a step of the sliders."""


def by_hand(names: Sequence[str], key: str) -> tuple[float, ...]:
    """Draw one slider a kernel and return weights that sum to 1: where one is moved, the others give way in proportion."""
    weights = held_weights(len(names))
    if workspace.recall(f"{key}.drawn", ()) != weights or workspace.widget_says(f"{key}.0") is None:
        workspace.remember(f"{key}.drawn", weights)
        for k, weight in enumerate(weights):
            workspace.show_in(f"{key}.{k}", round(weight, 2))
    values = []
    wide = 1 if len(names) <= ONE_COLUMN else 2
    rows = [
        st.columns(wide) for _ in range(0, len(names), wide)
    ]  # in the order of the names for the Tab key, too
    for k in range(len(names)):
        with rows[k // wide][k % wide]:
            values.append(
                st.slider(
                    f"Weight of {shortened(plain(names[k]), 20)}", 0.0, 1.0, step=0.01, key=f"{key}.{k}",
                    persist_state="session",
                )
            )  # fmt: skip
    apart = np.abs(np.array(values) - np.round(weights, 2))
    if apart.max() > ROOM:
        new = given_way(weights, int(apart.argmax()), float(values[int(apart.argmax())]))
        set_weights(new)
        st.rerun()
    return weights


def given_way(weights: Sequence[float], moved: int, value: float) -> tuple[float, ...]:
    """Weights after one was set: the others share the rest as they did before, evenly where they were all 0."""
    others = np.array([0.0 if k == moved else weight for k, weight in enumerate(weights)])
    if len(others) == 1:
        return (1.0,)
    if others.sum() <= 0.0:
        others = np.array([0.0 if k == moved else 1.0 for k in range(len(weights))])
    new = others / others.sum() * (1.0 - value)
    new[moved] = value
    return tuple(float(weight) for weight in new / new.sum())


def show(names: Sequence[str], units: FloatArray, made: WeighedKernels, config: ManyConfig) -> None:
    """Say the weights that no slider says, and what else is to be known of the kernels."""
    cells: dict[str, list[str]] = {"kernel": [plain(name) for name in names]}
    if config.kind != "product" and config.weigh != "by hand":
        cells["weight η"] = [number(float(weight), 3) for weight in made.weights]
    if made.aligned is not None:
        cells["alignment with the classes"] = [number(float(a), 3) for a in made.aligned.with_labels]
    if not np.allclose(units, units[0]):
        cells["mean self-similarity as it came"] = [number(float(unit)) for unit in units]
    if len(cells) > 1:
        table("many.weights", cells, hide_index=True)
    if made.from_labels:
        st.caption(
            "These weights have seen the labels of all items: a kernel that is kept with them is marked as a leak wherever "
            "it is judged. The honest numbers are under Accuracy: weights made again inside every fold."
        )


def learned(made: WeighedKernels, count: int) -> None:
    """Say how good learned weights are; nothing where none were learned."""
    found = made.learned
    if found is None:
        return
    first, second, third = numbers_in_a_row(3)
    with first:
        metric(
            "Duality gap",
            percent(found.gap, 3),
            help="At most so far above the least objective, as a share of it.",
        )
    with second:
        metric("Kernels used", f"{len(found.support)} of {count}", help="Kernels with a weight above 0.")
    with third:
        metric(
            "Solves", f"{found.solves:,}", help="Support vector machines of every class, or linear systems."
        )
    for note in found.notes:
        st.caption(note)


# Learned weights against the cost C: what a small one leaves out, a large one lets in.

QUICK = 400
"""Items × kernels up to which all costs take a second."""


@cached(public=True)
def path_of(kernels: tuple[GramMatrix, ...], labels: Labels, loss: str) -> WeightPath:
    """All costs; the page keeps partial ones under the same key."""
    return list(weight_path(kernels, labels, loss))[-1]


def _running(kernels: tuple[GramMatrix, ...], labels: Labels, loss: str) -> Iterator[WeightPath]:
    return weight_path(kernels, labels, loss)


def show_path(kernels: tuple[GramMatrix, ...], labels: Labels | None, config: ManyConfig) -> None:
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
