"""The page Strings: one string kernel of one set of strings, and all that can be asked of it, each under a tab.

Only the tab that is open is drawn. Those on pairs, classes and new items need rows of the matrix at most, so that they
work also where the whole matrix would take hours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Sequences
from kernex_core.kernels.base import AbstractKernel
from kernex_core.kernels.sequences.substitution import SubstitutionMatrix
from pages.kernels.strings import classes, fisher, new_items, pair, table
from pages.kernels.strings.method import ASSUMPTIONS, FORMULAS
from pages.kernels.strings.settings import PREFIX
from pages.shared import workspace
from pages.shared.answer.first_row import Later, first_row
from pages.shared.answer.parts import draw_parts
from pages.shared.answer.settings_box import group, settings_box
from pages.shared.frame import PageFrame, formula_text
from pages.shared.messages import findings, guard
from pages.shared.navigation import go_to
from pages.shared.one_kernel.doctor import Subject
from pages.shared.one_kernel.look import MATRIX, Around, look, spread, take_former
from pages.shared.panels.build import about, computed, kernel_parameters, kernel_type, with_uploads
from pages.shared.panels.chosen_row import WHY, Why
from pages.shared.panels.inspection.conditioning import OF_STRINGS, conditioning
from pages.shared.settings import widgets

TABS = "sequences.tab"


@dataclass(frozen=True, eq=False)
class Asked:
    """What the page is about, and the columns of the button Settings that its parts fill.

    Attributes
    ----------
    dataset : DataSet
    samples : Sequences
    name : str
        Of the samples.
    kernel : AbstractKernel
        With its data-dependent defaults resolved on all samples.
    entries, judging, pictures : container
    top : container
        Of the verdict of the part that is open.
    """

    dataset: DataSet
    samples: Sequences
    name: str
    kernel: AbstractKernel[Sequence[str]]
    entries: DeltaGenerator
    judging: DeltaGenerator
    pictures: DeltaGenerator
    top: DeltaGenerator


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    header = page.slot.empty()
    said = formula_text(FORMULAS, ASSUMPTIONS)
    with guard():
        asked = _asked(dataset)
        of = dataset, asked.samples, asked.name, asked.kernel
        panels: dict[str, Callable[[], None]] = {
            MATRIX: partial(_matrix, header, asked, MATRIX),
            "Why similar?": lambda: pair.why_similar(*of, asked.top),
            "Why this class?": lambda: classes.why_this_class(*of, asked.top),
            "New sequences": lambda: new_items.draw(*of),
            "Every string kernel": lambda: _every_kernel(asked),
            **{part: partial(_matrix, header, asked, part) for part in spread(dataset.judgeable)},
            "Method": lambda: _method(asked, said),
        }
        take_former("tab", TABS, MATRIX)
        if workspace.recall(WHY, False):
            workspace.remember(WHY, False)
            workspace.show_in(TABS, "Why similar?")
        draw_parts(panels, key=TABS)


def _asked(dataset: DataSet) -> Asked:
    """Draw the first row; data-dependent parameters are set from all strings."""
    found = {name: each for name, each in dataset.samples.items() if isinstance(each, Sequences)}
    name = next(iter(found))
    with first_row():
        if len(found) > 1:
            with st.container(width=190):
                name = widgets.choose(
                    "sequences", list(found), key=f"sequences.samples.{dataset.name}",
                    help="Strings that describe the items of this data set.",
                )  # fmt: skip
        with st.container(width=230):
            chosen = kernel_type(found[name])
        first, last = st.container(width="stretch"), st.container(width="content")
    with last, settings_box(3) as (left, middle, right):
        with left:
            group("Kernel")
            kernel = kernel_parameters(chosen, found[name], name, [Later(first)])
            kernel = with_uploads(kernel, found[name], f"build.{chosen.__name__}")
        entries, judging, pictures = left.container(), middle.container(), right.container()
    samples = found[name]
    return Asked(dataset, samples, name, kernel.of(samples), entries, judging, pictures, st.container())


def _every_kernel(asked: Asked) -> None:
    table.draw(asked.dataset, asked.samples, (asked.top, asked.judging), _uploaded(asked.kernel))
    fisher.draw(asked.dataset, asked.samples)


def _uploaded(kernel: AbstractKernel[Sequence[str]]) -> SubstitutionMatrix | None:
    """Substitution matrix of the kernel, if the visitor brought one."""
    matrix = getattr(kernel, "matrix", None)
    return matrix if isinstance(matrix, SubstitutionMatrix) else None


def _matrix(header: DeltaGenerator, asked: Asked, part: str) -> None:
    dataset, samples, kernel = asked.dataset, asked.samples, asked.kernel
    labels = dataset.judgeable
    with asked.entries:
        group("Entries")
    with asked.pictures:
        group("Pictures")
    slots = (asked.entries, asked.entries, asked.entries, asked.pictures)
    config, how = conditioning(slots, OF_STRINGS, with_classes=labels is not None, prefix=PREFIX)
    title = f"{kernel.title} of {asked.name}"
    K = computed(kernel, samples, title)
    if K is None:
        about(type(kernel))
        return
    why = Why(parts=partial(pair.briefly, samples, kernel))
    subject = Subject(title, config, K, labels, dataset.defaults.C, dataset.name, why=why)
    made = look(subject, how, Around(header, asked.top, asked.entries, asked.judging, part=part))
    findings(kernel.remarks_on(samples))
    if part == MATRIX and made is not None and made.diagnosis.large_diagonal and st.button(
        "Self-similarities dominate: keep this kernel, then see what a smaller power does",
        icon=":material/north_west:", type="tertiary", key="sequences.diagonals",
    ):  # fmt: skip
        go_to("kernels/power/power.py")


def _method(asked: Asked, said: str) -> None:
    about(type(asked.kernel))
    st.markdown(said)
