"""Accuracy of every combination against λ, on the page Combine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from kernex_core.frozen import FloatArray
from kernex_core.learning.chance.interval import judged_times
from kernex_core.learning.chance.tried import Measure
from kernex_core.studies.combination import CombinationScores, of_each_curve
from pages.combine.subject import choosing_combined, nested_kernel
from pages.shared.figures.axes import Across, Values
from pages.shared.figures.curve import Level, Line, curve
from pages.shared.figures.theme import number, percent
from pages.shared.frame import panel_title
from pages.shared.messages import plain
from pages.shared.panels.heatmap import draw
from pages.shared.panels.optimism import OPTIMISTIC, choice_row
from pages.shared.panels.own_classes import own_classes
from pages.shared.panels.several.chance import asked_chance, say_p
from pages.shared.panels.staged import Staged
from pages.shared.panels.verdicts import rule_words, verdict_words
from pages.shared.settings import widgets
from pages.shared.shown import registry
from pages.shared.shown.remarks import remarks_of_copies

if TYPE_CHECKING:
    from pages.combine.subject import Subject


def accuracy(subject: Subject, found: CombinationScores, lam: float) -> None:
    """Draw joint kernel and weighted sum against λ, with what has none as levels."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        folds = f"{subject.validation.folds}-fold" if subject.validation.folds else "leave-one-out"
        panel_title(
            "Accuracy",
            f"%, {folds}, {judged_times(found.n_items, found.repeats)}, the same folds for every kernel; "
            "bars: 95\u00a0%, other data sets",
            ("Multi-class", "One-vs-rest", "Floor", "Joint kernel"),
        )
        measure = widgets.pick(
            "measure", ("multi-class", "one-vs-rest"), key="combine.measure", label_visibility="collapsed"
        )
    field = measure.replace("-", "_")
    lines = []
    for kind, role in (("joint", "joint"), ("weighted sum", "sum")):
        done = [(at, v) for at in found.lams if (v := found.values(kind, at, field)).size]
        if done:
            places, mean = [at for at, _ in done], [100.0 * float(v.mean()) for _, v in done]
            lines.append(
                Line(kind, places, mean, role, error=_reach(found, kind, places, field), bars=kind == "joint")
            )
    levels = [
        Level(name, 100.0 * float(values.mean()), role)
        for name, kind, role in (
            (f"{subject.first.name} alone", "first", "source"),
            (f"{subject.second.name} alone", "second", "target"),
            ("product", "product", "nystroem"),
        )
        if (values := found.values(kind, 0.0, field)).size
    ]
    levels.append(Level("floor", 100.0 * found.floor[field], "floor"))
    measured: Measure = "one_vs_rest" if field == "one_vs_rest" else "multi_class"
    whole = found.done == found.total and subject.labels is not None
    if whole:
        said = verdict(subject, found, measured)
        registry.remark("combine.verdict", [f"{said} ({measure} accuracy)"])
        st.markdown(f"**{said}**")
    if lines:
        across = Across("weight λ of the first kernel", guide=lam)
        picture = curve(lines, across, Values(unit="%", bounds=(0, 100)), levels=levels, height=280)
        draw(picture, "combine.accuracy")
        own_classes(subject.labels)
        remarks_of_copies(
            "combine", (subject.made.first, subject.made.second), subject.labels, subject.validation
        )
    if ended := ends(subject, found, field):
        st.caption(ended)
    if not whole or subject.labels is None:
        return
    count = len(found.scores)
    st.caption(
        f"{rule_words(count * (count - 1) // 2)} The floor is {percent(found.floor[field], 1)}. The best λ of a curve is "
        f"{OPTIMISTIC}."
    )
    asked = asked_chance(subject.chance(found, measured), key="combine")
    best = subject.verdict(measured).best.name
    say_p(asked, best, key="combine", measure=measure)
    config, both, validation = subject.made.config, (subject.first, subject.second), subject.validation
    study = Staged(nested_kernel, choosing_combined, (config, *both, subject.labels, validation, measured))
    choice_row(
        study, key="combine", of="combination and λ",
        cost=f"{2 * len(found.lams) + 1} kernels, each judged inside every training fold too: this starts with a click.",
    )  # fmt: skip


def verdict(subject: Subject, found: CombinationScores, measure: Measure) -> str:
    """Say which of all that is on the chart is best, a curve by its best λ, and who is told apart from it."""
    names = subject.first.name, subject.second.name
    made = of_each_curve(subject.verdict(measure), found, *names)
    return verdict_words(made, gain="combining gains nothing", typed=[f"{name} alone" for name in names])


def ends(subject: Subject, found: CombinationScores, field: str) -> str:
    """Say what the nugget alone does to either kernel: it is in the joint kernel and in nothing beside it."""
    said = []
    for kernel, kind, at in ((subject.first, "first", 1.0), (subject.second, "second", 0.0)):
        alone, joint = found.values(kind, 0.0, field), found.values("joint", at, field)
        if alone.size and joint.size:
            with_nugget, without = percent(float(joint.mean()), 1), percent(float(alone.mean()), 1)
            said.append(f"{plain(kernel.name)} with the nugget {with_nugget}, without the nugget {without}")
    rho = number(subject.made.config.nugget)
    return (
        f"The joint kernel ends at each kernel alone with the nugget {rho}: {'; '.join(said)}."
        if said
        else ""
    )


def _reach(found: CombinationScores, kind: str, lams: Sequence[float], field: str) -> FloatArray:
    """(2, n) points that its interval goes below and above the mean."""
    ends = []
    for lam in lams:
        mean, interval = float(found.values(kind, lam, field).mean()), found.interval(kind, lam, field)
        ends.append((np.nan, np.nan) if interval is None else (mean - interval.low, interval.high - mean))
    return 100.0 * np.array(ends).T
