"""The page Kernels on one screen: what it is about and its power, then the kernel as `look` shows it."""

from __future__ import annotations

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.kernels.base import AnyKernel
from kernex_core.studies.inspection import InspectionConfig
from pages.kernels import filling
from pages.kernels.method import ASSUMPTIONS, FORMULAS
from pages.kernels.settings import KERNEL
from pages.shared.answer.first_row import Later, first_row
from pages.shared.answer.settings_box import group, settings_box
from pages.shared.frame import PageFrame, formula_text
from pages.shared.messages import guard
from pages.shared.one_kernel.doctor import Subject
from pages.shared.one_kernel.look import Around, Parts, look
from pages.shared.panels.build import NEW, about, build_kernel, of_strings
from pages.shared.panels.inspection.conditioning import OF_STRINGS, conditioning
from pages.shared.panels.inspection.filled import mostly_unknown, shown_filled
from pages.shared.settings import widgets

UNKNOWN = "Unknown pairs"
POWER = "p"


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page; ways to fill unknown pairs stand below it where what comes before is refused."""
    fill: Parts = {UNKNOWN: partial(filling.show, dataset)} if filling.partly_unknown(dataset) else {}
    seen = False
    with guard():
        seen = _kernel(dataset, page.slot.empty(), fill)
    if not seen:
        for draw in fill.values():
            draw()


def _kernel(dataset: DataSet, header: DeltaGenerator, fill: Parts) -> bool:
    """Draw the first row and the kernel; return whether its parts are drawn, `fill` among them."""
    labels = dataset.judgeable
    row = first_row()
    name = _name(dataset, row)
    with row:
        kind = Later(st.container(width=210) if name == NEW else row)
        normal, last = st.container(width="stretch"), st.container(width="content")
    with last, settings_box(3) as (left, middle, right):
        with left:
            group("Entries")
            entries = st.container()
        with right:
            group("Pictures")
            order = st.container()
    K, built = _gram(dataset, name, kind, left)
    start = OF_STRINGS if built and K is not None and of_strings(K, dataset) else InspectionConfig()
    # it keeps the setting; the one that is seen is in the pictures
    power = st.container(key=f"hidden_slider.{POWER}")
    config, how = conditioning((Later(normal), entries, power, order), start, with_classes=labels is not None)
    said = formula_text(FORMULAS, ASSUMPTIONS)
    if K is None:
        if built is not None:
            about(built)
        return False

    def method() -> None:
        if built is not None:
            about(built)
        st.markdown(said)

    mostly, shown = mostly_unknown(K), K
    if mostly:
        with left:
            shown = shown_filled(K, dataset.name)
    title = K.name if built else name
    subject = Subject(
        title if shown is K else shown.name,
        config,
        shown,
        labels,
        dataset.defaults.C,
        dataset.name,
        None if shown is K else K,
    )
    before, behind = (fill, {}) if mostly else ({}, fill)
    look(subject, how, Around(header, st.container(), left, middle, method, before, behind, POWER))
    return True


def _name(dataset: DataSet, row: DeltaGenerator) -> str:
    """Ask which kernel, where there is one to be chosen."""
    if not dataset.kernels:
        return NEW
    with row, st.container(width=200):
        return widgets.choose(
            KERNEL.name, [*dataset.kernels, *([NEW] if dataset.samples else [])], default=dataset.target,
            help="A kernel or similarity of this data set, as it was brought or kept; or a new one from its samples.",
        )  # fmt: skip


def _gram(
    dataset: DataSet, name: str, kind: Later, rest: DeltaGenerator
) -> tuple[GramMatrix | None, type[AnyKernel] | None]:
    """Return the kernel, and of one that is built here its kind."""
    if name != NEW:
        return dataset.kernels[name], None
    with rest:
        group("Built from")
    built = build_kernel(dataset, kind, rest)
    return built.gram, built.kind
