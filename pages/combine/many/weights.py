"""How much each kernel counts: sliders that keep their sum, or weights that are learned, with the proof of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.base.frozen import FloatArray
from kernex_core.studies.many_kernels import ManyConfig, WeighedKernels
from pages.combine.many.settings import set_weights
from pages.combine.many.settings import weights as held_weights
from pages.shared import workspace
from pages.shared.figures.theme import number, percent
from pages.shared.messages import plain, shortened
from pages.shared.panels.side_by_side import numbers_in_a_row
from pages.shared.shown.drawn import metric, table

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
