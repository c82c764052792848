"""The page Kernels: choose or build, condition, look, measure, repair, keep.

Everything but the kernel depends on p, and what does not comes out of the cache. The page is no fragment: a run of a
fragment waits for the one before, while a run of the script stops it, so that Cancel cancels and a slider that moves
on does not wait for accuracies that nobody will see.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.studies.inspection import Inspection, InspectionConfig
from pages.shared.declared.settings import of_data
from pages.shared.figures.picture import Items, Picture
from pages.shared.figures.scatter import MapAxes
from pages.shared.figures.spectrum import eigenvalue_bars
from pages.shared.figures.theme import percent
from pages.shared.frame import PageFrame, panel_title
from pages.shared.messages import guard
from pages.shared.panels import build, linked
from pages.shared.panels.arrangement import AS_GIVEN, arranged, class_list
from pages.shared.panels.build import build_kernel, of_strings
from pages.shared.panels.heatmap import draw, figure_of, heatmap_panel
from pages.shared.panels.inspection import doctor, eigenvector, filled
from pages.shared.panels.inspection.conditioning import (
    OF_STRINGS,
    conditioned_by,
    conditioning,
    conditioning_places,
)
from pages.shared.panels.inspection.doctor import Subject, doctor_section
from pages.shared.panels.inspection.eigenvector import Decomposed, eigenvector_panel
from pages.shared.panels.inspection.filled import mostly_unknown, shown_filled
from pages.shared.panels.inspection.numbers import badges, numbers, smallest
from pages.shared.panels.inspection.subject import conditioned, watched_inspection
from pages.shared.panels.item_map import item_map_panel
from pages.shared.settings import widgets

WIDTHS = (1.14, 1.0)
NEW = "new, from samples …"
KERNEL = of_data("kernel", "Kernel")
IN_FULL = *doctor.SETTINGS, *eigenvector.SETTINGS, *linked.SETTINGS
"""What `look` draws."""
LOOKED_AT = KERNEL, *conditioned_by(), *filled.SETTINGS, *build.SETTINGS, *IN_FULL
"""All that can be set about the kernel that is chosen or built, and looked at."""


def show(page: PageFrame, dataset: DataSet, unknown_pairs: Callable[[], None]) -> None:
    """Draw the page; the ways to fill unknown pairs come before the doctor where most pairs are unknown."""
    header = page.slot.empty()
    drawn: list[bool] = []

    def fill_once() -> None:
        # before the doctor, or below everything: also where the doctor, or what comes before, is refused
        if not drawn:
            drawn.append(True)
            unknown_pairs()

    with guard():
        _check(dataset)
        labels = dataset.judgeable
        first, *slots = conditioning_places("stretch")
        name = _chosen(first, dataset)
        K = build_kernel(dataset) if name == NEW else dataset.kernels[name]
        start = OF_STRINGS if name == NEW and K is not None and of_strings(K, dataset) else InspectionConfig()
        config, how = conditioning(slots, start, with_classes=labels is not None)
        if K is None:
            return
        name = K.name if name == NEW else name
        mostly = mostly_unknown(K)
        shown = shown_filled(K, dataset.name) if mostly else K
        title = name if shown is K else shown.name
        reported = None if shown is K else K
        subject = Subject(title, config, shown, labels, dataset.defaults.C, dataset.name, reported)
        look(subject, how, header, before_doctor=fill_once if mostly else None)
    fill_once()


def look(
    subject: Subject, how: str, header: DeltaGenerator, before_doctor: Callable[[], None] | None = None
) -> Inspection | None:
    """Draw heatmap, spectrum, map, numbers, an eigenvector and doctor of one kernel, and its badges into the header.

    What does not wait for the eigenvalues comes first; None stands for eigenvalues that were stopped.
    """
    config, K, labels = subject.config, subject.K, subject.labels
    left, right = st.columns(WIDTHS, gap="medium")
    with left:
        picture = _heatmap(subject, conditioned(config, K), how)
    with right:
        with st.spinner(f"Eigenvalues, map and numbers of {K.n:,} items", show_time=True):
            made = watched_inspection(config, K, labels)
        if made is not None:
            _spectrum(subject.name, made)
            _map(made, labels)
    if made is None:
        if before_doctor is not None:
            before_doctor()
        return None
    numbers(made.diagnosis, labels)
    items = arranged(how, K, labels)
    eigenvector_panel(Decomposed.of(made), items, name=subject.name, key="kernels.eigenvector")
    if before_doctor is not None:
        before_doctor()
    row, inductive = doctor_section(subject, made, picture)
    if row is not None:
        badges(header, made.diagnosis, row.gram, inductive)
    return made


def _check(dataset: DataSet) -> None:
    if not dataset.kernels and not dataset.samples:
        raise InvalidInputError(
            "This page looks at a kernel, or builds one from sequences or vectors",
            f"neither in {dataset.name!r}",
            "Bring a similarity matrix, sequences or vectors on the page Data",
        )


def _chosen(slot: DeltaGenerator, dataset: DataSet) -> str:
    names = [*dataset.kernels, *([NEW] if dataset.samples else [])]
    with slot:
        return widgets.choose(
            KERNEL.name, names, default=dataset.target,
            help="A kernel or similarity of this data set, as it was brought or kept; or a new one from its samples.",
        )  # fmt: skip


def _heatmap(subject: Subject, gram: GramMatrix, how: str) -> Callable[[], Picture]:
    labels = subject.labels
    note = f"{gram.n:,} items as given" if how == AS_GIVEN else f"{gram.n:,} items sorted by {how}"
    if subject.config.normalize == "cosine":
        note += "; the diagonal is 1"
    # by the kernel as it came, so that p does not move items
    items = arranged(how, subject.K, labels)
    beside = None if subject.reported is None else conditioned(subject.config, subject.reported).values
    heatmap_panel(
        gram.values, items, key="kernels.map", note=note, name=subject.name, beside=beside, why=subject.why
    )
    return figure_of(gram.values, items, subject.name)


def _spectrum(name: str, made: Inspection) -> None:
    d = made.diagnosis
    about = f" of the {d.n_known:,} known items" if d.n_known < d.n else ""
    with st.container(gap="xxsmall"):
        panel_title(
            "Spectrum",
            f"smallest {smallest(d)}, negative mass {percent(d.negative_mass, 1)}{about}",
        )
        draw(eigenvalue_bars(d.eigenvalues, name=name, height=222), "kernels.spectrum")


def _map(made: Inspection, labels: Labels | None) -> None:
    note = "kernel PCA, components 1 and 2"
    if made.diagnosis.indefinite:
        note += "; positive part only"
    items = Items(made.gram.ids, class_list(labels))
    item_map_panel(made.coordinates, items, key="kernels.items", note=note, axes=MapAxes(shares=made.share))
