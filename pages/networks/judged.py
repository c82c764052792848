"""What the kernels on nodes are worth: accuracy against the parameter, numbers at its value, the choice made again."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.judgement import Judgement, Score
from kernex_core.studies.networks.study import NetworkSweep, sweeping_network
from pages.networks import charts
from pages.networks import subject as state
from pages.networks.subject import Subject
from pages.shared import workspace
from pages.shared.declared.settings import setting
from pages.shared.figures.theme import number, percent
from pages.shared.frame import panel_title
from pages.shared.glossary.entries import explained
from pages.shared.messages import findings, guard, plain
from pages.shared.panels.accuracy import ends_of, floor_chip, rests_on, spreads, value_of
from pages.shared.panels.heatmap import draw
from pages.shared.panels.optimism import OPTIMISTIC
from pages.shared.panels.own_classes import own_classes
from pages.shared.panels.several.chance import chance_beside
from pages.shared.panels.side_by_side import numbers_in_a_row
from pages.shared.panels.staged import run_study
from pages.shared.panels.verdicts import verdict_rule, verdict_words
from pages.shared.settings import widgets
from pages.shared.shown.drawn import measure
from pages.shared.shown.remarks import remarks, remarks_of_choice

AUTOMATIC: Final = 320
"""Up to this number of nodes every value is judged without a click, in a few seconds."""
SHOWN: Final = ("multi_class", "balanced", "auc")
NEEDS: Final = ":gray[These nodes are not of two classes, so nothing can be judged. Bring ids and labels under Node table.]"

SETTINGS = (setting("measure", "Measure"),)


def run(subject: Subject, place: DeltaGenerator) -> None:
    """Judge every value, in stages, with a bar in a place; what is done is drawn by the next run of the page."""
    study = subject.study()
    if study is None:
        return
    many = max(len(subject.scale.grid), 1)
    folds = subject.validation.folds * subject.validation.repeats or subject.network.n
    with place.container(), guard():
        run_study(
            study.leading, key="networks", what="values" if many > 1 else "kernels",
            automatic=subject.network.n <= AUTOMATIC,
            label="Judge every value" if many > 1 else "Judge the kernel",
            cost=f"{many} kernels × {folds:,} folds: this starts with a click.",
        )  # fmt: skip


def is_open(subject: Subject) -> bool:
    """Whether something is left to judge."""
    study, found = subject.study(), subject.judged
    return study is not None and (found is None or found.done < found.total)


def comes_by_itself(subject: Subject) -> bool:
    """Whether values are judged without a click as soon as the page is run."""
    study = subject.study()
    if study is None or subject.network.n > AUTOMATIC:
        return False
    return study.known() is None and workspace.recall("networks.stopped", None) != study.settings


def show(subject: Subject, value: float) -> None:
    """Draw accuracy against the parameter, as far as it is known."""
    found = subject.judged
    if subject.labels is None:
        panel_title("Accuracy", "needs labels of at least two classes")
        st.markdown(NEEDS)
    elif found is None or not found.judged:
        panel_title("Accuracy")
        st.caption("Nothing is judged yet.")
        if found is not None:
            _failures(subject, found)
    elif subject.scale.name:
        _chart(subject, found, value)
        here(subject, value, found)
    else:
        panel_title("Accuracy", "one kernel, no parameter: the numbers stand under Measures")


def measures(subject: Subject, value: float) -> None:
    """Draw three measures at the present value of the parameter."""
    found = subject.judged
    if found is None or not found.judged:
        st.caption("Nothing is judged yet." if subject.labels is not None else NEEDS)
    else:
        numbers(subject, value, found)


def _chart(subject: Subject, found: NetworkSweep, value: float) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        panel_title(
            f"Accuracy against {subject.scale.symbol}",
            "band: 95 % over nodes; bars: ± sd",
            ("Multi-class", "Floor"),
        )
        measure = widgets.pick(
            "measure", tuple(charts.MEASURES), default="accuracy", label_visibility="collapsed", key="networks.measure"
        )  # fmt: skip
    draw(charts.accuracy(subject, found, value, measure or "accuracy"), "networks.accuracy")
    own_classes(subject.labels)
    if found.nested is not None:
        names = tuple(subject.named(kernel) for kernel in found.kernels)
        made = found.verdict(charts.MEASURES[measure or "accuracy"], names)
        said = best_value(made, measure == "ROC area")
        st.caption(said, help=None if made is None else verdict_rule(made))
        remarks_of_choice("networks.choice", replace(found.nested, names=names))
    _failures(subject, found)


def best_value(made: Verdict | None, area: bool = False) -> str:
    """Which value is best by the measure that is drawn, and who is told apart from it; nothing before all are judged."""
    if made is None:
        return ""
    return f"**{verdict_words(made, unit='' if area else '%')}** The best of {len(made.candidates)} is {OPTIMISTIC}. "


def _failures(subject: Subject, found: NetworkSweep) -> None:
    findings([f"{subject.named(kernel)} could not be judged. {why}" for kernel, why in found.failed])


def numbers(subject: Subject, value: float, found: NetworkSweep) -> None:
    """Draw three measures at the present value, each with its floor and spreads."""
    one = known(subject, value, found)
    if one is None:
        st.caption(f"{subject.scale.words(value)} is not judged: the button for it stands under Accuracy.")
        return
    at = subject.scale.words(value) or subject.kernel.title
    for column, name in zip(numbers_in_a_row(len(SHOWN)), SHOWN, strict=True):
        score: Score = getattr(one, name)
        interval = one.interval(name)
        title = {"multi_class": "Accuracy", "balanced": "Balanced accuracy", "auc": "ROC area"}[name]
        floor = number(score.floor) if name == "auc" else percent(score.floor, 1)
        chip, color = floor_chip(score.mean, score.floor, floor)
        ends = () if interval is None else (f"**{ends_of(score, interval)}** for other data sets",)
        about = explained(title, f"At {at}.")
        with column:
            measure(title, value_of(score), chip, *ends, spreads(score), help=about, color=color)
    st.caption(f"At {plain(at)}: {rests_on(one)}")
    remarks("networks.numbers", {at: one})
    every = found.by_name() if found.done >= found.total else {}
    named = next((name for name, made in every.items() if made is one), "")
    if named:
        chance_beside(every, named, key="networks")


def here(subject: Subject, value: float, found: NetworkSweep) -> None:
    """Offer to judge the present value where it is not among those of the sweep."""
    kernel = subject.scale.at(subject.kernel, value)
    if known(subject, value, found) is not None or kernel in dict(found.failed) or subject.labels is None:
        return
    asked = st.button(
        f"Judge {subject.scale.words(value)} too", icon=":material/play_arrow:", key="networks.here",
        help="This value is not in the chart; it is judged on the same folds.",
    )  # fmt: skip
    if asked:
        args = (subject.prepared, (kernel,), subject.labels, subject.validation)
        *_, made = sweeping_network(*args)
        state.sweep.keep(made, *args)
        _failures(subject, made)


def known(subject: Subject, value: float, found: NetworkSweep) -> Judgement | None:
    """Return the judgement at a value, where it was made."""
    kernel = subject.scale.at(subject.kernel, value)
    if kernel in found.kernels:
        return found.judged[found.kernels.index(kernel)]
    if subject.labels is None:
        return None
    alone = state.sweep.peek(subject.prepared, (kernel,), subject.labels, subject.validation)
    return alone.judged[0] if alone is not None and alone.judged else None
