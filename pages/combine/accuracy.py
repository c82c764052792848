"""Accuracy of every combination against λ, on the page Combine, and what it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from kernex_core.base.frozen import FloatArray
from kernex_core.learning.chance.interval import judged_times
from kernex_core.studies.combination import CombinationScores
from pages.shared.figures.axes import Across, Values
from pages.shared.figures.curve import Level, Line, curve
from pages.shared.figures.picture import Picture
from pages.shared.figures.theme import number, percent
from pages.shared.frame import panel_title
from pages.shared.messages import plain
from pages.shared.panels.heatmap import draw
from pages.shared.panels.own_classes import own_classes
from pages.shared.panels.several.chance import asked_chance, say_p
from pages.shared.shown.remarks import remarks_of_copies

if TYPE_CHECKING:
    from pages.combine.subject import Subject


def show(subject: Subject, found: CombinationScores | None, lam: float) -> None:
    """Draw joint kernel and weighted sum against λ, with what has none as levels."""
    if subject.labels is None or found is None:
        why = "needs labels of at least two classes" if subject.labels is None else "not judged yet"
        panel_title("Accuracy", why)
        return
    measure, folds = subject.measure, subject.validation.folds
    panel_title(
        "Accuracy",
        f"%, {measure.replace('_', '-')}, {f'{folds}-fold' if folds else 'leave-one-out'}, the same folds for every kernel; "
        "bars: 95\u00a0%, other data sets",
        ("Multi-class", "One-vs-rest", "Floor", "Joint kernel"),
    )
    draw(chart(subject, found, lam, 260), "combine.accuracy")
    own_classes(subject.labels)
    remarks_of_copies(
        "combine", (subject.made.first, subject.made.second), subject.labels, subject.validation
    )
    if found.done < found.total:
        return
    count = len(found.scores)
    st.caption(
        f"{judged_times(found.n_items, found.repeats)}; told apart: p below .05, corrected for {count * (count - 1) // 2} "
        f"pairs (Holm). Floor: {percent(found.floor[measure], 1)}."
    )
    asked = asked_chance(subject.chance(found, measure), key="combine")
    say_p(asked, subject.verdict(measure).best.name, key="combine", measure=measure.replace("_", "-"))


def chart(subject: Subject, found: CombinationScores, lam: float, height: int, floor: bool = True) -> Picture:
    """Accuracy (%) of joint kernel and weighted sum against λ, with what has no λ as levels."""
    field, lines = subject.measure, []
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
    if floor:
        levels.append(Level("floor", 100.0 * found.floor[field], "floor"))
    across = Across("weight λ of the first kernel", guide=lam)
    return curve(lines, across, Values(unit="%", bounds=(0, 100)), levels=levels, height=height)


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
