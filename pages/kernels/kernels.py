"""The page Kernels on one screen: what it is about and its power, then the kernel as `look` shows it."""

from __future__ import annotations

from functools import partial
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.kernels.base import AnyKernel
from kernex_core.studies.inspection import InspectionConfig
from pages.kernels import filling
from pages.server.declared import declared, in_view, of_data
from pages.server.messages import guard
from pages.ui import widgets
from pages.ui.answer import Later, first_row, group, settings_box
from pages.ui.frame import PageFrame, formula_text, need_data, open_page
from pages.ui.one_kernel.doctor import Subject
from pages.ui.one_kernel.look import IN_FULL, Around, Parts, look
from pages.ui.panels import build
from pages.ui.panels import inspection as filled
from pages.ui.panels.build import NEW, about, build_kernel, of_strings
from pages.ui.panels.inspection import OF_STRINGS, conditioned_by, conditioning, mostly_unknown, shown_filled

# How the page Kernels works, in formulas and sentences.

FORMULAS: Final = (
    r"x \mapsto \operatorname{sgn}(x)\,|x|^p \quad\text{or}\quad \operatorname{sgn}(x)\log(1+|x|)",
    r"\text{cosine: } \frac{K_{ij}}{\sqrt{K_{ii}K_{jj}}}\qquad "
    r"\text{centre: } HKH,\; H = I - \tfrac{1}{n}\mathbf{1}\mathbf{1}^\top",
    r"K = \sum_i \lambda_i u_i u_i^\top:\quad \text{clip } \max(\lambda_i, 0),\;\; \text{flip } |\lambda_i|,"
    r"\;\; \text{shift } \lambda_i + |\lambda_{\min}|,\;\; \text{square } \lambda_i^2",
    r"\text{negative mass} = \frac{\sum_{\lambda_i<0}|\lambda_i|}{\sum_i|\lambda_i|}\qquad "
    r"\text{distance} = \frac{\lVert K' - K\rVert_F}{\lVert K\rVert_F}",
)
ASSUMPTIONS: Final = (
    "Order: map of entries, normalisation, repair; after a repair a cosine-normalised kernel is normalised again.",
    "*Power p* maps entries, here and on the part of that name, which makes a kernel of the result by a scheme: with its "
    "scheme *clip* and with *clip* as the repair here, both are the same kernel.",
    "A kernel is positive semidefinite: no eigenvalue below −*n* ε λ_max. Up to that rounding clip, flip and shift "
    "leave it exactly as it is.",
    "Of a partly unknown kernel the largest set of items whose pairs are all known (greedy) is looked at, repaired "
    "and judged; everything else stays unknown, hatched.",
    "Power, log1p and cosine look at a pair and its two diagonals only: inductive. Centring and repairs look at all "
    "rows: transductive, unless they are fitted on the training items of every fold (*Inductive*).",
    "The map is kernel PCA of the centred kernel; of an indefinite similarity it shows the positive part.",
    "Repairs: Higham 1988 (clip), Graepel et al. 1999 and Chen et al. 2009 (flip), Roth et al. 2003 (shift), "
    "empirical kernel map (square).",
)


# What can be set on the page Kernels.

KERNEL: Final = of_data("kernel", "Kernel")
SETTINGS: Final = declared(
    *in_view(KERNEL, *filling.SETTINGS), *conditioned_by(in_row=True), *filled.SETTINGS, *build.SETTINGS, *IN_FULL,
)  # fmt: skip


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


def run() -> None:
    """Draw the page in its frame."""
    page = open_page("Kernels", "What does this kernel see, and is it a kernel at all?", SETTINGS)
    show(page, need_data())
