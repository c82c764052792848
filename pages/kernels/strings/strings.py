"""The page Strings: one string kernel of one set of strings, and all that can be asked of it, each under a tab.

Only the tab that is open is drawn. Those on pairs, classes and new items need rows of the matrix at most, so that they
work also where the whole matrix would take hours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Sequences
from kernex_core.kernels.base import AbstractKernel
from kernex_core.kernels.catalogue import kernels_for
from kernex_core.kernels.sequences.substitution import SubstitutionMatrix
from pages.kernels.strings import classes, fisher, new_items, pair, table
from pages.server import workspace
from pages.server.declared import declared, in_view, of_data, setting
from pages.server.messages import findings, guard
from pages.server.navigation import go_to
from pages.ui import widgets
from pages.ui.answer import Later, draw_parts, first_row, group, settings_box
from pages.ui.frame import PageFrame, formula_text, need_data, open_page
from pages.ui.one_kernel.doctor import Subject
from pages.ui.one_kernel.look import IN_FULL, MATRIX, Around, look, spread, take_former
from pages.ui.panels import build
from pages.ui.panels.build import about, computed, kernel_parameters, kernel_type, with_uploads
from pages.ui.panels.inspection import OF_STRINGS, conditioned_by, conditioning
from pages.ui.panels.item_map import WHY, Why

# How the page Strings works, in formulas and sentences.

FORMULAS: Final = (
    r"\text{spectrum, mismatch: } K(s,t) = \sum_{u,v} \#_u(s)\,\#_v(t)\,I(d(u,v))",
    r"\text{subsequence: } K(s,t) = \sum_u \Big(\sum_{i:\,s[i]=u} \lambda^{\mathrm{span}(i)}\Big)"
    r"\Big(\sum_{j:\,t[j]=u} \lambda^{\mathrm{span}(j)}\Big)",
    r"\text{Fisher of a Markov chain: } U_{ab}(s) = n_{ab}(s) - n_a(s)\,P_{ab},\quad "
    r"K(s,t) = \cos\big(U(s),U(t)\big)\ \text{or}\ \sum_{ab} U_{ab}(s)\,U_{ab}(t)/I_{ab}",
    r"\text{local alignment: } \tfrac{1}{\beta}\log K = \text{best score} + \text{what all others add}",
    r"\text{cosine: } \frac{K(s,t)}{\sqrt{K(s,s)\,K(t,t)}}",
)
ASSUMPTIONS: Final = (
    "The parts are those of the similarity before any normalisation. *I*(*d*) counts the features that two k-mers "
    "share that differ at *d* positions; for the spectrum kernel it is 1 at *d* = 0 and 0 otherwise.",
    "Fisher of a Markov chain: *P* is fitted to all sequences, so that accuracies are transductive; its parts are steps "
    "from letter to letter, of either sign, also those that neither sequence takes. A baseline.",
    "Why this class: one C-SVM a class, f(x) = Σ β k(x, x′) + b. On k-mers that is a table of weights w, and "
    "f(x) = Σ w × count + b; the page computes both.",
    "New sequences get the row that they would have had inside the matrix: parameters, repair and normalisation are "
    "those of the data. Carried over: W = A⁻¹ k, then Wᵀ T W and Wᵀ J(λ) W, as on the page Complete.",
    "Why similar and Why this class need a row of the matrix, the others the whole of it.",
    "Letters outside the alphabet are skipped by kernels on k-mers; positions are counted from 1 in the sequence "
    "as it was given.",
)


# What can be set on the page Strings.

PREFIX: Final = "sequences."
"""Of how the matrix is conditioned, which starts otherwise than on the page Kernels."""
FIRST: Final = frozenset(build.first_parameter(kind) for kind in kernels_for("sequences"))
"""Of each kernel the parameter that stands in the first row."""
SETTINGS: Final = declared(
    *in_view(
        of_data("sequences", "Sequences"), setting("tab", "Part of the page"),
        *(each for each in build.SETTINGS if each.name in FIRST),
        *pair.SETTINGS, *classes.SETTINGS, *new_items.SETTINGS, *new_items.NEW_RESULTS_SETTINGS, *fisher.SETTINGS,
    ),
    *(each for each in build.SETTINGS if each.name != "samples" and each.name not in FIRST),
    *conditioned_by(PREFIX), *IN_FULL, *table.SETTINGS,
)  # fmt: skip


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
        go_to("power")


def _method(asked: Asked, said: str) -> None:
    about(type(asked.kernel))
    st.markdown(said)


def run() -> None:
    """Draw the page in its frame."""
    page = open_page("Strings", "What does a string kernel see in these sequences, and why?", SETTINGS)
    show(page, need_data())
