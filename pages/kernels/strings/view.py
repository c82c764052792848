"""The page Strings: one string kernel of one set of strings, and five ways to question it.

Only the tab that is open is drawn. Those on pairs, classes and new items need rows of the matrix at most, so that they
work also where the whole matrix would take hours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.errors import InvalidInputError
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Sequences
from kernex_core.kernels.base import AbstractKernel
from kernex_core.kernels.sequences.substitution import SubstitutionMatrix
from pages.kernels.strings import classes, fisher, new_items, pair, table
from pages.kernels.strings.settings import PREFIX
from pages.shared import workspace
from pages.shared.frame import PageFrame
from pages.shared.messages import findings, guard, plain
from pages.shared.navigation import go_to
from pages.shared.one_kernel.doctor import Subject
from pages.shared.one_kernel.look import Around, look
from pages.shared.panels.build import computed, kernel_parameters, kernel_type, with_uploads
from pages.shared.panels.chosen_row import WHY, Why
from pages.shared.panels.inspection.conditioning import OF_STRINGS, conditioning
from pages.shared.panels.side_by_side import places
from pages.shared.settings import widgets


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    header = page.slot.empty()
    with guard():
        name, samples, kernel = _chosen(dataset)
        panels: dict[str, Callable[[], None]] = {
            "Matrix": lambda: _matrix(header, dataset, samples, name, kernel),
            "Why similar?": lambda: pair.why_similar(dataset, samples, name, kernel),
            "Why this class?": lambda: classes.why_this_class(dataset, samples, name, kernel),
            "New sequences": lambda: new_items.draw(dataset, samples, name, kernel),
            "Every string kernel": lambda: _every_kernel(dataset, samples, kernel),
        }
        if workspace.recall(WHY, False):
            workspace.remember(WHY, False)
            workspace.show_in("sequences.tab", "Why similar?")
        tabs = widgets.tabs("tab", list(panels), key="sequences.tab")
        for tab, draw in zip(tabs, panels.values(), strict=True):
            if tab.open:
                with tab, guard():
                    draw()


def _chosen(dataset: DataSet) -> tuple[str, Sequences, AbstractKernel[Sequence[str]]]:
    """Draw the choice of strings and kernel; data-dependent parameters are set from all strings."""
    found = {name: each for name, each in dataset.samples.items() if isinstance(each, Sequences) and each.n}
    if not found:
        raise InvalidInputError(
            "This page compares sequences",
            f"none in {dataset.name!r}",
            "Bring a FASTA file on the page Data, or open a demo with sequences",
        )
    with st.container(border=True, gap="small"):
        left, right = st.columns([1, 2], gap="medium")
        with left:
            name = widgets.choose(
                "sequences", list(found), key=f"sequences.samples.{dataset.name}",
                help="Strings that describe the items of this data set.",
            )  # fmt: skip
            chosen = kernel_type(found[name])
        with right:
            st.latex(chosen.formula)
            st.caption(f"{plain(chosen.source)}. Cost: {plain(chosen.cost)}.")
            kernel = kernel_parameters(chosen, found[name], name)
            kernel = with_uploads(kernel, found[name], f"build.{chosen.__name__}")
    samples = found[name]
    return name, samples, kernel.of(samples)


def _every_kernel(dataset: DataSet, samples: Sequences, kernel: AbstractKernel[Sequence[str]]) -> None:
    table.draw(dataset, samples, _uploaded(kernel))
    fisher.draw(dataset, samples)


def _uploaded(kernel: AbstractKernel[Sequence[str]]) -> SubstitutionMatrix | None:
    """Substitution matrix of the kernel, if the visitor brought one."""
    matrix = getattr(kernel, "matrix", None)
    return matrix if isinstance(matrix, SubstitutionMatrix) else None


def _matrix(
    header: DeltaGenerator,
    dataset: DataSet,
    samples: Sequences,
    name: str,
    kernel: AbstractKernel[Sequence[str]],
) -> None:
    labels = dataset.judgeable
    slots = places("content", "content", 170, 196)
    config, how = conditioning(slots, OF_STRINGS, with_classes=labels is not None, prefix=PREFIX)
    title = f"{kernel.title} of {name}"
    K = computed(kernel, samples, title)
    if K is None:
        return
    why = Why(parts=partial(pair.briefly, samples, kernel))
    subject = Subject(title, config, K, labels, dataset.defaults.C, dataset.name, why=why)
    made = look(subject, how, Around(header, st.container(), lambda: None))
    findings(kernel.remarks_on(samples))
    if made is not None and made.diagnosis.large_diagonal and st.button(
        "Self-similarities dominate: keep this kernel, then see what a smaller power does",
        icon=":material/north_west:", type="tertiary", key="sequences.diagonals",
    ):  # fmt: skip
        go_to("kernels/power/power.py")
