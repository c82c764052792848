"""The page Features on a network, laid out. A move of a slider draws its own part alone."""

from __future__ import annotations

import numpy as np
import streamlit as st

from kernex_core.inputs.dataset import DataSet
from kernex_core.parameters import parameters
from kernex_core.studies.networks.features.weights import NodeWeights
from pages.networks.features import judged, lasso
from pages.networks.features.controls import choose
from pages.networks.features.results import results, unmatched
from pages.networks.features.signed import signed
from pages.networks.features.subject import Subject
from pages.networks.subject import places
from pages.shared.declared.labels import label, plain_label
from pages.shared.declared.settings import setting
from pages.shared.figures.theme import number
from pages.shared.frame import PageFrame, panel_title
from pages.shared.glossary.entries import explained
from pages.shared.messages import findings, guard, plain
from pages.shared.panels.heatmap import draw
from pages.shared.panels.side_by_side import numbers_in_a_row
from pages.shared.settings import widgets
from pages.shared.shown.drawn import metric

TAU = "features_tau"
"""Key of the slider τ, and so its name in the address."""
MODES = {
    "inductive": "Columns are scaled, and everything is trained, on the training items of each fold.",
    "transductive": "Which columns vary most was seen over all items, tested ones too; their labels never. All else is "
    "fitted on the training items of each fold.",
}


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    subject = choose(dataset)
    if subject is None:
        return
    page.badge(subject.mode, help=MODES[subject.mode])
    page.badge(f"{subject.matched.at.size:,} of {subject.columns:,} columns on the network")
    _matching(subject)
    with st.container():
        _moving(subject)
    with guard():
        judged.show(subject)
    lasso.show(subject)


def _matching(subject: Subject) -> None:
    """What matched and what did not, with names."""
    matched = subject.matched
    findings([*matched.notes, *(note for note in matched.network.notes if note.severity != "fine")])
    unmatched(subject)


@st.fragment
def _moving(subject: Subject) -> None:
    """Weights on the network at the value of the slider, beside those of the plain kernel."""
    value = _slide(subject)
    at = subject.scale.words(value) or subject.kernel.title
    with guard():
        smooth, plain_ones = subject.weights(value), subject.weights(None)
        left, right = st.columns(2, gap="medium")
        with left:
            _drawing(subject, smooth, f"{subject.kernel.title}, {at}" if subject.scale.name else at, "smooth")
        with right:
            _drawing(subject, plain_ones, "plain kernel", "plain")
        other = "the other class" if len(subject.labels.classes) == 2 else "other classes"
        hollow = " Hollow: not measured." if subject.matched.without_column else ""
        st.caption(
            f"Orange speaks for {plain(subject.of)}, blue for {other}; the area of a node is the size of its weight, "
            f"in units of the largest.{hollow} Trained on all labelled items: for looking, not for judging."
        )
        judged.here(subject, value)
        results(subject, value)


SETTINGS = setting(TAU, "Time τ"), setting("features_c", "Constant c")


def _slide(subject: Subject) -> float:
    """Draw the slider of the kernel's parameter, logarithmic, and return its value."""
    scale, kernel = subject.scale, subject.kernel
    if not scale.name:
        st.caption(f"{kernel.title} has no parameter to move.")
        return scale.start
    described = parameters(kernel)[scale.name]
    made = widgets.stop(
        TAU if scale.name == "tau" else "features_c", scale.options, default=scale.start,
        said=lambda value: f"{value:g}", label=label(described, scale.name),
        help=explained(
            plain_label(described, scale.name),
            f"{described.help} τ = 2t in exp(−2tL)." if scale.name == "tau" else described.help,
        ),
    )  # fmt: skip
    return float(made)


def _drawing(subject: Subject, made: NodeWeights, title: str, key: str) -> None:
    network = subject.matched.network
    where = places(network).places
    picture = signed(where, network, made.beta, made.of, unmeasured=subject.unmeasured)
    name = "Weights on the network" if key == "smooth" else "Weights without the network"
    with st.container(gap="xxsmall"):
        panel_title(name, plain(title))
        draw(picture, f"features.{key}")
        known = subject.planted
        row = numbers_in_a_row(1 if known is None else 2)
        with row[0]:
            metric("Roughness", number(made.roughness, 2), help=explained("Roughness"), about=name)
        if known is not None:
            with row[1]:
                metric(
                    "Agreement with truth", number(float(np.corrcoef(made.beta, known)[0, 1]), 2), about=name,
                    help="Correlation of the weights with the planted effect, over all nodes. No training sees it.",
                )  # fmt: skip
