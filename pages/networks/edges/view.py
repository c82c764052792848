"""The page Edges of new nodes on one screen: the verdict, predicted edges with their drawing, then how well that goes."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from kernex_core.inputs.dataset import DataSet
from pages.networks.edges import judged, missing, predictions, results, verdict
from pages.networks.edges.controls import TABS, Asked, choose, incomplete, mode_help, told
from pages.networks.edges.method import ASSUMPTIONS, FORMULAS
from pages.networks.edges.predictions import Ranking
from pages.networks.edges.subject import Subject
from pages.shared.answer.parts import draw_parts
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.frame import PageFrame, formula_text
from pages.shared.messages import findings, guard
from pages.shared.panels.accuracy import state_badge


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page, then judge what is not judged yet: the ranking does not wait for it."""
    formula_text(FORMULAS, ASSUMPTIONS)
    found = choose(dataset)
    if found is None:
        return
    subject, asked = found
    state_badge(subject.state, page.slot, about=mode_help(subject))
    place = VerdictPlace(*verdict.NAMES)
    pictures, lower = st.container(key="maps"), st.container()
    ranking = None
    with pictures, guard():
        ranking = predictions.show(subject, asked)
    with lower:
        findings([*told(subject), *(note for note in subject.network.notes if note.severity != "fine")])
        incomplete(dataset)
        _tabs(subject, asked, ranking)
        _rows(subject, asked, ranking)
    with guard():
        verdict.fill(place, subject, asked)
    judged.run(subject, place.wait)


def _tabs(subject: Subject, asked: Asked, ranking: Ranking | None) -> None:
    """Draw what one asks second: the part that is open."""
    parts: dict[str, Callable[[], None]] = {
        "Curves and weights": lambda: judged.curves(subject),
        "Every method": lambda: judged.show(subject, asked.measure),
        "Missing edges": lambda: missing.show(subject),
        "Method": lambda: _method(subject, ranking),
    }
    draw_parts(parts, key=TABS)


def _method(subject: Subject, ranking: Ranking | None) -> None:
    st.caption(f"**{subject.kind.title}.** {subject.kind.about}")
    if ranking is not None:
        st.caption(ranking.words)
    st.markdown(formula_text(FORMULAS, ASSUMPTIONS))


def _rows(subject: Subject, asked: Asked, ranking: Ranking | None) -> None:
    if ranking is not None:
        results.predicted_row(subject, ranking.found, asked.new, ranking.method, asked.source)
    known = subject.study().known()
    if known is not None:
        results.judged(subject, known)
