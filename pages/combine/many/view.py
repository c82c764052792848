"""The page Many kernels: choose, see who has what, complete, put on one scale, weigh, keep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.recipe import write_script
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted
from pages.combine.many import (
    alike,
    completion,
    coverage,
    judged,
    others,
    path,
    reported,
    results,
    ways,
    weights,
)
from pages.combine.many.settings import weights as held_weights
from pages.combine.many.subject import Subject, on_one_scale, one_of, subject_of, weighed
from pages.shared.frame import PageFrame, demo_buttons
from pages.shared.messages import guard, plain
from pages.shared.panels.keep import Keep, Offer, Result, buttons
from pages.shared.panels.side_by_side import places
from pages.shared.settings import widgets

MOST: Final = 12
"""Kernels that are chosen at first."""
TOGETHER, COMMON = "complete together", "only items that all have"


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    other = others.offered(dataset)
    asked = _choose(dataset, other)
    if asked is None:
        return
    dataset = others.joined(dataset, other, asked)
    names = tuple(name for name in asked if name in dataset.kernels)
    if len(names) < 2:
        return
    subject, way = _items(dataset, names)
    coverage.show(subject)
    if subject.incomplete and not way:
        st.info(coverage.none_in_all(subject.covered), icon=":material/info:")
        return
    kernels: dict[str, GramMatrix] = dict(subject.kernels)
    if subject.incomplete:
        with guard():
            made = completion.complete(subject, way)
            if made is None:
                return
            kernels = dict(made.kernels)
            completion.show(page, subject, made, way)
            _keep_completed(subject, kernels)
            ways.show(subject)
            reported.show(subject, made, way)
            _combine(subject, kernels)
        return
    _combine(subject, kernels)


def _choose(dataset: DataSet, other: Mapping[str, GramMatrix]) -> tuple[str, ...] | None:
    """Which kernels; None where there are fewer than two, which is then said."""
    own = list(dataset.kernels)
    names = [*own, *other]
    if len(names) < 2:
        st.markdown(
            f"This page is about several kernels of the same items. **{plain(dataset.name)}** has "
            f"{counted(len(names), 'kernel') if names else 'none'}. Bring or build more, with the same ids: each may lack "
            "items."
        )
        st.page_link("data/data.py", label="Bring kernels", icon=":material/upload:")
        st.markdown("Or open a demo:")
        demo_buttons("many", about="views")
        demo_buttons("many", about="many")
        return None
    key = f"many.kernels.{dataset.name}"
    chosen = widgets.several(
        "kernels", names, default=own[:MOST] if len(own) > 1 else names[:2], key=key,
        help="Those of the open data, and from elsewhere in the workspace those that share items with "
        "them, aligned by id. Each may lack items.",
    )  # fmt: skip
    alike.noise_button(dataset.ids, key, chosen)
    if len(chosen) < 2:
        st.caption("Choose at least two kernels.")
        return None
    return tuple(chosen)


def _items(dataset: DataSet, names: tuple[str, ...]) -> tuple[Subject, str]:
    """The kernels on the items that are asked for, and the way in which they are completed.

    Where no item is in all of them, all items and no way.
    """
    subject = subject_of(dataset, names, False)
    if not subject.incomplete:
        return subject, ""
    first, second = places(390, 260, align="bottom")
    with first:
        what = widgets.pick(
            "many_items", (TOGETHER, COMMON),
            help="complete together: each kernel is completed from the others. only items that all have: nothing is made "
            "up, and the others are left out.",
        )  # fmt: skip
    if what == COMMON:
        return subject_of(dataset, names, True) if subject.covered.in_all.size else subject, ""
    with second:
        way = completion.way_box()
    return subject, way


def _keep_completed(subject: Subject, kernels: dict[str, GramMatrix]) -> None:
    """Keep each of the completed kernels."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = widgets.choose(
            "completed", subject.incomplete, key=f"many.completed.{subject.dataset.name}",
            width=260, help="Which one is kept or downloaded.",
        )  # fmt: skip
        if name not in kernels:
            name = subject.incomplete[0]
        K = kernels[name]
        result = Result(
            f"{name}, completed",
            kernel=lambda: K,
            script=Offer(
                lambda: write_script([K.recipe], heading=f"Kernex: {name}, completed", prints=["$0.values"]),
                help="Python that completes all of them again.",
            ),
        )
        buttons(result, key="many.completed", keep=Keep(primary=False))


def _combine(subject: Subject, completed: dict[str, GramMatrix]) -> None:
    names = list(completed)
    labels = subject.labels
    if len(subject.covered.ids) < 3:
        st.caption("Fewer than three items are left: there is nothing to combine.")
        return
    st.divider()
    config = weights.settings(labels, subject.dataset.defaults.nugget)
    kernels = tuple(on_one_scale(K, config.normalize).renamed(name) for name, K in completed.items())
    hand: tuple[float, ...] = ()
    held_weights(len(names))  # nonsense leaves the address, whether or not they count
    if config.weigh == "by hand" and config.kind != "product":
        hand = weights.by_hand(names, f"many.hand.{subject.dataset.name}.{len(names)}")
    asked = None if config.weigh in ("by hand", "equal") else labels
    made = weighed(kernels, asked, config, hand)
    K = one_of(kernels, made, config, results.name_of(config, names))
    units = np.array([float(np.diag(each.values).mean()) for each in completed.values()])
    items = completion.items_of(subject)
    results.show(subject, kernels, K, config, items)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        weights.show(names, units, made, config)
    with right:
        results.spectrum(K)
    results.give(subject, K, made, config, items)
    st.divider()
    judged.show(subject, completed, config, hand)
    alike.show(kernels)
    path.show(kernels, labels, config)
    alike.decision(subject, kernels, config)
