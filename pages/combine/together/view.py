"""The page Complete together on one screen: which kernels, by which way, before and after; then what one asks second."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from kernex_core.completion.views.methods import CompletedKernels
from kernex_core.gram.seen import seen_of
from kernex_core.inputs.dataset import DataSet
from kernex_core.learning.leakage import state_of
from pages.combine.several import choice, coverage
from pages.combine.several.subject import Subject, subject_of
from pages.combine.together import completion, reported, results, trust, verdict, ways
from pages.combine.together.method import ASSUMPTIONS, FORMULAS
from pages.combine.together.settings import TABS
from pages.shared.answer.first_row import first_row
from pages.shared.answer.parts import draw_parts
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.frame import PageFrame, formula_text
from pages.shared.messages import findings, guard
from pages.shared.panels.accuracy import state_badge
from pages.shared.panels.chosen_row import chosen_row


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    with first_row():
        first, second, last = (
            st.container(width="stretch"),
            st.container(width=220),
            st.container(width="content"),
        )
    with first:
        dataset, names = choice.choose(dataset, f"together.kernels.{dataset.name}")
    if not names:
        return
    subject = subject_of(dataset, names, False)
    with second:
        way = completion.way_box()
    drawn = results.drawn_box(subject, last)
    place = VerdictPlace(*verdict.NAMES)
    if not subject.incomplete:
        verdict.nothing_lacks(place, subject)
        coverage.show(subject)
        return
    place.waits(verdict.lacking(subject))
    made = None
    with place.wait.container(), guard():
        made = completion.complete(subject, way)
    if made is None:
        coverage.show(subject)
        return
    _badges(page, subject, made)
    verdict.fill(place, subject, made, way)
    pictures, lower, carriers = st.container(gap="xsmall", key="maps"), st.container(), st.container()
    with pictures:
        results.matrices(subject, made, way, drawn, carriers)
    with lower:
        _tabs(subject, made, way, drawn)
        results.give(subject, made)


def _badges(page: PageFrame, subject: Subject, made: CompletedKernels) -> None:
    both = zip(made.kernels.values(), subject.kernels.values(), strict=True)
    seen = seen_of(*(K for K, given in both if K is not given))
    state_badge(state_of(seen), page.slot, about="Completed kernels.")
    if made.views is not None:
        completion.certificate(page, made.views)
        findings(list(made.views.warnings))


def _tabs(subject: Subject, made: CompletedKernels, way: str, drawn: list[str]) -> None:
    """Draw what one asks second: the part that is open."""
    views = made.views
    parts: dict[str, Callable[[], None]] = {
        "Coverage": lambda: coverage.show(subject),
        **({} if views is None else {
            "Trust": lambda: trust.show(subject, views), "Objective": lambda: completion.show_objective(views),
        }),
        "Other ways": lambda: ways.show(subject),
        **({"Known results": lambda: reported.show(subject, made, way)} if reported.is_about(subject, made) else {}),
        "Pair": lambda: chosen_row(results.panels(subject, made, drawn), subject.items, results.KEY),
        "Method": _method,
    }  # fmt: skip
    formula_text(FORMULAS, ASSUMPTIONS)
    draw_parts(parts, key=TABS)


def _method() -> None:
    st.markdown(formula_text(FORMULAS, ASSUMPTIONS))
