"""The page Combine on one screen: two kernels, the verdict, their combinations with λ at them, then accuracy over λ."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from kernex_core.base.parameters import parameters
from kernex_core.completion.complete import Complete
from kernex_core.inputs.dataset import DataSet
from kernex_core.studies.combination import LAMS, CombinationScores
from pages.combine import accuracy, pictures, verdict
from pages.combine.choosing import dialog_if_asked
from pages.combine.method import ASSUMPTIONS, FORMULAS
from pages.combine.results import eigenvectors_of, results
from pages.combine.settings import LAM, TABS, choice
from pages.combine.subject import Subject, judging_combinations, prepare, scores
from pages.shared.answer.parts import draw_parts
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.figures.picture import Items
from pages.shared.frame import PageFrame, formula_text
from pages.shared.messages import guard
from pages.shared.panels.accuracy import state_badge
from pages.shared.panels.chosen_row import chosen_row
from pages.shared.panels.optimism import OPTIMISTIC
from pages.shared.panels.staged import Staged, run_study
from pages.shared.panels.verdicts import RULE
from pages.shared.widget import widget

AUTOMATIC = 320
"""Up to this number of items all combinations are judged in a few seconds, without a click."""


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    chosen = choice(dataset)
    place = VerdictPlace(*verdict.names(dataset.judgeable is not None))
    made = prepare(chosen.config, chosen.first, chosen.second)
    if made is None:
        return
    subject = Subject(
        dataset, chosen.first, chosen.second, dataset.judgeable, made, chosen.validation, chosen.measure
    )
    joint, others = made.state("joint"), made.state("product")
    state_badge(joint, page.slot, of="" if joint == others else "joint")
    if joint != others:
        state_badge(others, page.slot, of="sum, product", key="plain")
    # the matrices do not wait for accuracies: once these are there, the page is drawn again
    study = _study(subject)
    _moving(subject, place, chosen.order, None if study is None else study.known())
    if study is not None:
        with place.wait.container():
            _judge(subject, study)


def _study(subject: Subject) -> Staged[CombinationScores] | None:
    """All combinations on the same folds; nothing without classes."""
    if subject.labels is None:
        return None
    args = (subject.made.config, subject.first, subject.second, subject.labels, subject.validation)
    return Staged(scores, judging_combinations, args)


def _judge(subject: Subject, study: Staged[CombinationScores]) -> None:
    """Run what is not judged yet, with progress; then the page is drawn again."""
    folds = subject.validation.folds * subject.validation.repeats or subject.first.n
    run_study(
        study.leading, key="combine", what="kernels", label="Judge all combinations",
        automatic=subject.first.n <= AUTOMATIC,
        cost=f"{3 + 2 * len(LAMS)} kernels × {folds:,} folds × {subject.n_classes} classes: this starts with a click.",
    )  # fmt: skip


@st.fragment
def _moving(subject: Subject, place: VerdictPlace, order: str, found: CombinationScores | None) -> None:
    with st.container(key=f"hidden_slider.{LAM}"):
        # it keeps the setting; the one that is seen is in the pictures
        lam = widget(parameters(Complete)["lam"], 0.5, name="lam", setting=LAM)
    with guard():
        verdict.fill(place, subject, found, lam)
        maps, lower, carriers = st.container(gap="xsmall", key="maps"), st.container(), st.container()
        with maps:
            items = pictures.maps(subject, lam, order, carriers)
        with lower:
            _tabs(subject, found, lam, items)
            results(subject, found, lam, items)
        dialog_if_asked(subject, found, lam)


def _tabs(subject: Subject, found: CombinationScores | None, lam: float, items: Items) -> None:
    """Draw what one asks second: the part that is open."""
    parts: dict[str, Callable[[], None]] = {
        "Accuracy": lambda: accuracy.show(subject, found, lam),
        "Eigenvectors": lambda: eigenvectors_of(subject, lam, items),
        "Pair": lambda: chosen_row(pictures.panels(subject, lam), items, pictures.KEY),
        "Method": lambda: _method(subject, found),
    }
    formula_text(FORMULAS, ASSUMPTIONS)
    draw_parts(parts, key=TABS)


def _method(subject: Subject, found: CombinationScores | None) -> None:
    said = [f"{RULE}."]
    if found is not None:
        said = [
            accuracy.ends(subject, found, subject.measure),
            f"The best λ of a curve is {OPTIMISTIC}.",
            *said,
        ]
    st.caption(" ".join(filter(None, said)))
    st.markdown(formula_text(FORMULAS, ASSUMPTIONS))
