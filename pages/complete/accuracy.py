"""Accuracy on the page Complete: over the hidden share and over λ, side by side on one scale, and what both rest on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from kernex_core.learning.chance.verdict import Verdict
from kernex_core.studies.completion.candidates import Answer, lams_of
from kernex_core.studies.completion.share_sweep import MANY, Sweep, level_curve
from pages.complete import against_chance, pictures, results, waiting, words
from pages.complete.subject import QUICK, Subject
from pages.shared.figures.axes import Across, Values
from pages.shared.figures.curve import Level, Line, curve
from pages.shared.figures.picture import Picture
from pages.shared.frame import panel_title
from pages.shared.panels.heatmap import draw
from pages.shared.panels.own_classes import own_classes
from pages.shared.shown.remarks import copies_said

HEIGHT = 260


def show(subject: Subject, answer: Answer, sweeps: Sequence[Sweep], found: Verdict | None) -> None:
    """Draw both curves; what has not been judged says so. The answer is of these sweeps, and of no others."""
    if subject.labels is None:
        panel_title("Accuracy", "needs labels of at least two classes")
        st.markdown(
            ":gray[The spectrum and the errors do not need any. Labels are brought on the page Data.]"
        )
        return
    if not sweeps or answer.accuracy is None or found is None:
        waiting.go_on(waiting.SWEEP, "Stopped before every repetition was judged.", "Judge")
        return
    sweep, measure = sweeps[0], subject.measure.replace("_", "-")
    left, right = st.columns(2, gap="medium") if subject.made.m <= QUICK else (st.container(), None)
    with left:
        panel_title(
            "Accuracy over the hidden share", f"%, {measure}; band: 95\u00a0%, other data sets",
            ("Multi-class", "One-vs-rest", "Floor", "Baseline", "Extrapolation"),
        )  # fmt: skip
        draw(pictures.accuracy_chart(sweeps, answer.accuracy, subject.column, subject), "complete.accuracy")
    if right is not None:
        with right:
            share = subject.made.config.share
            hidden = "as uploaded" if share is None else f"{100 * share:g}\u00a0% hidden"
            panel_title("Accuracy over λ", f"%, {measure}, {hidden}")
            draw(over_lam(subject, sweep, answer.lam), "complete.over_lam")
    own_classes(subject.labels)
    copies_said("complete", sweep.cells[0].how.copies)
    st.caption(words.rests_on(answer, sweep, found))
    if sweep.repeats < subject.validation.repeats and subject.validation.folds:
        st.caption(
            f"{sweep.repeats} instead of {subject.validation.repeats} repetitions, because above {MANY} items each takes "
            "long. To judge with more, keep the kernel and go to the page Evaluate."
        )
    against_chance.show(subject, answer.lam, subject.measure, sweep)
    results.exactly(subject, answer.view)


def over_lam(subject: Subject, sweep: Sweep, lam: float, height: int = HEIGHT, floor: bool = True) -> Picture:
    """Accuracy (%) of the joint kernel against λ, with what has no λ as levels."""
    names = {each.role: each.name for each in subject.contestants}
    lams, column = lams_of(sweep), subject.column
    found = [subject.accuracy(each).here[column] for each in lams]
    mean = [100.0 * float(each.mean[0]) for each in found]
    ends = [(float(each.mean[0] - each.low[0]), float(each.high[0] - each.mean[0])) for each in found]
    extrapolated = level_curve([cell.plain["extrapolated"] for cell in sweep.cells])[column]
    levels = [Level(names["extrapolated"], 100.0 * float(extrapolated.mean[0]), "extrapolated")]
    if "source" in sweep.levels:
        alone = level_curve(sweep.levels["source"])[column]
        levels.append(Level(names["source"], 100.0 * float(alone.mean[0]), "source"))
    if floor:
        levels.append(Level("floor", 100.0 * (sweep.multi_floor, sweep.one_vs_rest_floor)[column], "floor"))
    line = Line("joint", list(lams), mean, "joint", error=100.0 * np.array(ends).T, markers=True)
    across = Across("λ, weight of the source", guide=lam, range=(0.0, 1.0))
    return curve([line], across, Values(unit="%", bounds=(0, 100)), levels=levels, height=height)
