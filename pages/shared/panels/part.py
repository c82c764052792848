"""More items than a matrix is made of: a part is chosen before, with its memory and its time beside it."""

from __future__ import annotations

import dataclasses
from typing import Final

import streamlit as st

from kernex_core.inputs.dataset import DataSet, KernelSamples
from kernex_core.inputs.items.selection import Selection
from kernex_core.kernels.base import AnyKernel
from pages.shared import workspace
from pages.shared.ground import on_primary
from pages.shared.item_limit import item_limit, limit_control, needed
from pages.shared.messages import guard
from pages.shared.panels.build_state import duration, estimated_seconds

RANDOM, STRATIFIED, CLASSES = "random part", "stratified by class", "chosen classes"
START: Final = 2_000
"""Items that are suggested: a matrix of them takes seconds."""


def choose_part(kernel: AnyKernel, samples: KernelSamples) -> None:
    """Offer a random part, a stratified one or classes of the current data set; a click selects it on every page."""
    dataset = workspace.current()
    assert dataset is not None  # a kernel is built from its samples
    st.markdown(
        f"**{samples.n:,} items: choose a part of them before a matrix is made.** All of them would take "
        f"{needed(samples.n)}."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        spec = _part(dataset)
        limit_control("part")
    with guard():
        part = samples.take(spec.apply(dataset.ids, dataset.labels))
        seconds = "" if part.n > item_limit() else f"; {kernel.title} takes about {_time(kernel, part)}"
        st.caption(f"{part.n:,} of {samples.n:,} items: {needed(part.n)}{seconds}.")
        if st.button(
            on_primary(f"Select these {part.n:,} items"), type="primary", key="part.take", icon=":material/filter_alt:",
            disabled=part.n > item_limit(), help="On every page; the page Data takes it back, and scripts say so.",
        ):  # fmt: skip
            workspace.set_selection(_joined(spec))
            st.rerun()


def _time(kernel: AnyKernel, part: KernelSamples) -> str:
    return duration(estimated_seconds(kernel, part))


def _part(dataset: DataSet) -> Selection:
    """Draw the choice and return it."""
    labels = dataset.judgeable
    ways = [RANDOM, STRATIFIED, CLASSES] if labels is not None else [RANDOM]
    way = st.segmented_control(
        "Part", ways, default=RANDOM, required=True, key=f"part.way.{labels is not None}",
        help="Random: every item is as likely. Stratified: every class keeps its share; items without a label are left out.",
    )  # fmt: skip
    if labels is not None and way == CLASSES:
        sizes = dict(labels.classes)
        chosen = st.multiselect(
            "Classes", list(sizes), default=list(sizes)[:2], key=f"part.classes.{dataset.name}",
            format_func=lambda name: f"{name} ({sizes[name]:,})", width=420,
        )  # fmt: skip
        return Selection(classes=tuple(chosen) or None)
    size = st.number_input(
        "Items", 2, item_limit(), min(START, item_limit()), 500, key=f"part.size.{item_limit()}", width=140
    )
    seed = st.number_input(
        "Seed", 0, None, 0, 1, key="part.seed", width=100, help="Another one draws other items."
    )
    return Selection(size=int(size), seed=int(seed), stratified=way == STRATIFIED)


def _joined(spec: Selection) -> Selection:
    """The part of what is selected already."""
    before = workspace.selection()
    if not isinstance(before, Selection):
        return spec
    if spec.classes is not None:
        return dataclasses.replace(before, classes=spec.classes)
    return dataclasses.replace(before, size=spec.size, seed=spec.seed, stratified=spec.stratified)
