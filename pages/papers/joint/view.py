"""The page Joint regularization: accuracy against λ and beside other kernels, who wins, and what it rests on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import streamlit as st

from kernex_core.gram.seen import ITEMS
from kernex_core.inputs.dataset import DataSet
from kernex_core.learning.chance.interval import judged_times
from kernex_core.learning.leakage import state_of
from kernex_core.studies.papers.joint.comparison import ChosenLam, chosen_lam
from kernex_core.studies.papers.joint.measuring import JointFigure
from kernex_core.studies.papers.joint.printed import ERRATA
from pages.papers.joint import theorem, verdict
from pages.papers.joint.charts import beside, over_lam
from pages.papers.joint.files import CHOSEN_C, files
from pages.papers.joint.method import ASSUMPTIONS, FORMULAS
from pages.papers.joint.settings import TABS
from pages.papers.joint.subject import Subject, choose, figure, measuring_figure, with_attributes
from pages.papers.joint.tables import kernels
from pages.papers.joint.tables import verdict as who_wins
from pages.shared.answer.parts import draw_parts
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.digits import unbroken
from pages.shared.figures.picture import Picture
from pages.shared.figures.theme import number
from pages.shared.frame import PageFrame, demo_buttons, formula_text
from pages.shared.messages import plain
from pages.shared.panels.accuracy import state_badge
from pages.shared.panels.fetching import public_data
from pages.shared.panels.own_classes import own_classes
from pages.shared.panels.staged import Staged, run_study

SAYS: Final = (
    "Fig. 1 compares graphs whose vertices have attributes, continuous and discrete ones, and **{name}** does not have "
    "both. Open the demo, bring a TUDataset folder as a zip on the page Data, or fetch the stand-in for the paper's graphs:"
)
LANDMARKS: Final = "Landmarks are chosen among the vertices of all graphs, never by their classes."


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    graphs, labels = with_attributes(dataset), dataset.judgeable
    if graphs is None:
        st.markdown(SAYS.format(name=plain(dataset.name)))
        demo_buttons("joint", about="graphs")
        public_data("joint", ("enzymes",))
        theorem.show()
        return
    if labels is None:
        st.markdown("Fig. 1 needs graphs of at least two classes. Bring labels on the page Data.")
        theorem.show()
        return
    subject = choose(dataset, graphs, labels)
    place = VerdictPlace(*verdict.NAMES)
    page.badge("not the paper's data", "orange", ":material/science:", _origin(subject))
    state_badge(
        state_of(ITEMS),
        page.slot,
        about=LANDMARKS,
    )
    study = Staged(figure, measuring_figure, subject.args, resumes=True)
    place.waits("Who wins is said as soon as every λ is measured.")
    with place.wait.container():
        found = run_study(
            study.leading,
            key="papers.joint",
            what="kernels",
            automatic=subject.quick,
            label="Measure",
            cost="13 kernels on the same folds, each in some seconds: this starts with a click.",
        )
    if found is None:
        st.markdown(":gray[Nothing is measured yet. The paper's Fig. 1 prints no numbers.]")
    _result(subject, found, place)


def _origin(subject: Subject) -> str:
    if subject.like_enzymes:
        return (
            "The paper has 127 lyases and 127 ligases with typed edges and their lengths. ENZYMES has 100 and 100, without "
            "either; columns 3 to 6 are taken as continuous, 7 to 18 as discrete."
        )
    return (
        "The paper's 127 lyases and 127 ligases are not public. The same protocol runs on the chosen graphs."
    )


def _result(subject: Subject, found: JointFigure | None, place: VerdictPlace) -> None:
    chosen = None if found is None else chosen_lam(found)
    picture: Picture | None = None
    parts: dict[str, Callable[[], None]] = {}
    if found is not None:
        verdict.fill(place, found, chosen)
        with st.container(gap="xsmall", key="maps"):
            picture = over_lam(found, chosen)
        parts["Every kernel"] = lambda: _every(found, chosen)
        parts["Who wins"] = lambda: who_wins(found, chosen)
    parts["Theorem 4"] = theorem.show
    parts["Method"] = lambda: _method(subject, found)
    formula_text(FORMULAS, ASSUMPTIONS)
    draw_parts(parts, key=TABS)
    own_classes(subject.labels)
    if found is not None:
        files(subject, found, chosen, picture)


def _every(found: JointFigure, chosen: ChosenLam | None) -> None:
    beside(found, chosen)
    kernels(found, chosen)


def _method(subject: Subject, found: JointFigure | None) -> None:
    if found is not None:
        st.caption(_measured(subject, found))
    st.markdown(formula_text(FORMULAS, ASSUMPTIONS))
    st.markdown("**Errata found by computation**\n\n" + "\n".join(f"- {unbroken(each)}" for each in ERRATA))


def _measured(subject: Subject, found: JointFigure) -> str:
    said = [
        f"{judged_times(found.n_items, found.n_repeats)}, {found.n_folds}-fold: "
        f"{found.n_items * found.n_repeats:,} decisions a kernel · {found.n_vertices:,} vertices, {found.n_landmarks:,} "
        f"landmarks, σ = {number(found.sigma)}, nugget {number(subject.config.nugget)}, walks up to {subject.config.length} "
        f"edges, {CHOSEN_C}, seed {subject.validation.seed} · {number(found.seconds, 1)} s."
    ]
    if found.unset:
        said.append(
            f"{found.unset:,} vertices have no discrete attribute: their linear kernel “as it is” is 0 with every vertex. "
            "By landmarks it is not: both kernels describe a vertex by them."
        )
    if found.empty:
        said.append(f"{found.empty:,} graphs have no vertices: they are similar to nothing.")
    return " ".join(said)
