"""The page Features on a network on one screen: the verdict, weights on the network and without it, then the rest."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import streamlit as st

from kernex_core.base.parameters import parameters
from kernex_core.inputs.dataset import DataSet
from kernex_core.learning.chance.tried import NestedChoice
from kernex_core.studies.networks.features.accuracy import FeatureSweep, NodeWeights
from pages.networks.features import bring, judged, lasso, verdict
from pages.networks.features.controls import TABS, choose
from pages.networks.features.method import ASSUMPTIONS, FORMULAS
from pages.networks.features.results import results, unmatched
from pages.networks.features.signed import signed
from pages.networks.features.subject import Subject
from pages.networks.subject import places
from pages.shared.answer.choosing import Choosing
from pages.shared.answer.choosing import choose as choose_value
from pages.shared.answer.parts import draw_parts
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.declared.labels import label
from pages.shared.declared.settings import setting
from pages.shared.figures.theme import number
from pages.shared.frame import PageFrame, formula_text, panel_title
from pages.shared.glossary.entries import explained
from pages.shared.messages import findings, guard, plain
from pages.shared.panels.heatmap import draw
from pages.shared.panels.side_by_side import numbers_in_a_row
from pages.shared.projected.projector import fitted
from pages.shared.settings import widgets
from pages.shared.shown.drawn import metric

SMOOTH, WITHOUT = "Weights on the network", "Weights without the network"
HEIGHT = 305
"""Pixels of a drawing."""
TAU = "features_tau"
"""Key of the slider τ, and so its name in the address."""
MODES = {
    "inductive": "Columns are scaled, and everything is trained, on the training items of each fold.",
    "transductive": "Which columns vary most was seen over all items, tested ones too; their labels never. All else is "
    "fitted on the training items of each fold.",
}


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page, then judge what is not judged yet."""
    formula_text(FORMULAS, ASSUMPTIONS)
    subject = choose(dataset)
    if subject is None:
        return
    page.badge(subject.mode, help=MODES[subject.mode])
    place = VerdictPlace(*verdict.names(subject))
    with guard():
        with st.container(horizontal=True, vertical_alignment="bottom"):
            value = _slide(subject)
            found = subject.judged
            study = None if found is None else subject.choosing(found)
            name = f"Choose {subject.scale.symbol}"
            if found is not None and study is not None and st.button(name, key="features.choose"):
                _choose(subject, found, study, value)
        _pictures(subject, value)
        _tabs(subject, value)
        results(subject, value)
        verdict.fill(place, subject, value)
    judged.run(subject, place.wait)


def _choose(subject: Subject, found: FeatureSweep, study: NestedChoice, value: float) -> None:
    """Open the dialog in which the parameter is chosen."""
    scale = subject.scale
    values = {scale.words(each): each for each in scale.grid}
    key = TAU if scale.name == "tau" else "features_c"
    choose_value(
        Choosing(
            scale.symbol, study, "features", lambda name: (key, values[name]), now=scale.words(value),
            picture=lambda: judged.chart(subject, found),
        )
    )  # fmt: skip


def _pictures(subject: Subject, value: float) -> None:
    """Weights on the network at the value of the slider, beside those of the plain kernel."""
    at = subject.scale.words(value)
    smooth, plain_ones = subject.weights(value), subject.weights(None)
    with st.container(key="maps", gap="xsmall"):
        left, right = st.columns(2, gap="medium")
        with left:
            _drawing(subject, smooth, SMOOTH, ", ".join(filter(None, (subject.kernel.title, at))), "smooth")
        with right:
            _drawing(subject, plain_ones, WITHOUT, "plain kernel", "plain")
        others = [plain(name) for name, _ in subject.labels.classes if name != subject.of]
        other = others[0] if len(others) == 1 else "other classes"
        hollow = " Hollow: not measured." if subject.matched.without_column else ""
        st.caption(
            f"Orange speaks for {plain(subject.of)}, blue for {other}; area: size of the weight.{hollow}"
        )


def _tabs(subject: Subject, value: float) -> None:
    """Draw what one asks second: the part that is open."""
    parts: dict[str, Callable[[], None]] = {
        "Accuracy": lambda: judged.show(subject),
        "Numbers": lambda: _numbers(subject, value),
        "Which edges matter?": lambda: lasso.show(subject),
        "Matching": lambda: _matching(subject),
        "Method": lambda: _method(),
    }
    draw_parts(parts, key=TABS)


def _numbers(subject: Subject, value: float) -> None:
    """How the choice stands beside the plain kernel, how rough the weights are, and how near to what a demo has planted."""
    with guard():
        judged.numbers(subject, value)
    known = subject.planted
    for column, name, made in zip(
        st.columns(2, gap="medium"), (SMOOTH, WITHOUT), (subject.weights(value), subject.weights(None)), strict=True
    ):  # fmt: skip
        with column:
            panel_title(name)
            row = numbers_in_a_row(1 if known is None else 2)
            with row[0]:
                metric("Roughness", number(made.roughness, 2), help=explained("Roughness"), about=name)
            if known is not None:
                with row[1]:
                    metric(
                        "Agreement with truth", number(float(np.corrcoef(made.beta, known)[0, 1]), 2), about=name,
                        help="Correlation of the weights with the planted effect, over all nodes. No training sees it.",
                    )  # fmt: skip
    st.caption(
        "Trained on all labelled items: for looking, not for judging. Sizes are in units of the largest."
    )


def _matching(subject: Subject) -> None:
    """What matched and what did not, with names, and a box for another network."""
    matched = subject.matched
    st.caption(f"{matched.at.size:,} of {subject.columns:,} columns are on the network.")
    findings([*matched.notes, *(note for note in matched.network.notes if note.severity != "fine")])
    unmatched(subject)
    bring.bring_network(subject.dataset)


def _method() -> None:
    st.caption(
        "Weights follow the slider when it is let go: each of its values trains a classifier anew, which no browser does."
    )
    st.markdown(formula_text(FORMULAS, ASSUMPTIONS))


SETTINGS = setting(TAU, "Time τ"), setting("features_c", "Constant c")


def _slide(subject: Subject) -> float:
    """Draw the slider of the kernel's parameter, logarithmic, and return its value."""
    scale, kernel = subject.scale, subject.kernel
    if not scale.name:
        return scale.start
    described = parameters(kernel)[scale.name]
    made = widgets.stop(
        TAU if scale.name == "tau" else "features_c", scale.options, default=scale.start,
        said=lambda value: f"{value:g}", label=label(described, scale.name),
    )  # fmt: skip
    return float(made)


def _drawing(subject: Subject, made: NodeWeights, name: str, title: str, key: str) -> None:
    network = subject.matched.network
    where = places(network).places
    picture = signed(where, network, made.beta, made.of, unmeasured=subject.unmeasured, height=fitted(HEIGHT))
    with st.container(gap="xxsmall"):
        panel_title(name, plain(title))
        draw(picture, f"features.{key}")
