"""The page Joint regularization: accuracy against λ and beside other kernels, who wins, and what it rests on."""

from __future__ import annotations

from typing import Final

import streamlit as st

from kernex_core.gram.seen import ITEMS
from kernex_core.inputs.dataset import DataSet
from kernex_core.learning.chance.interval import judged_times
from kernex_core.learning.leakage import state_of
from kernex_core.studies.papers.joint.comparison import chosen_lam
from kernex_core.studies.papers.joint.measuring import JointFigure
from pages.papers.joint.charts import charts
from pages.papers.joint.files import CHOSEN_C, files
from pages.papers.joint.subject import Subject, choose, figure, measuring_figure, with_attributes
from pages.papers.joint.tables import kernels, verdict
from pages.shared.figures.theme import number
from pages.shared.frame import PageFrame, demo_buttons
from pages.shared.messages import findings, plain
from pages.shared.panels.accuracy import state_badge
from pages.shared.panels.fetching import public_data
from pages.shared.panels.own_classes import own_classes
from pages.shared.panels.staged import Staged, run_study

SAYS: Final = (
    "Fig. 1 compares graphs whose vertices have attributes, continuous and discrete ones, and **{name}** has none. Open the "
    "demo, bring a TUDataset folder as a zip on the page Data, or fetch the stand-in for the paper's graphs:"
)
LANDMARKS: Final = "Landmarks are chosen among the vertices of all graphs, never by their classes."


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    graphs = with_attributes(dataset)
    if graphs is None:
        st.markdown(SAYS.format(name=plain(dataset.name)))
        demo_buttons("joint", about="graphs")
        public_data("joint", ("enzymes",))
        return
    subject = choose(dataset, graphs)
    page.badge("not the paper's data", "orange", ":material/science:", _origin(subject))
    state_badge(
        state_of(ITEMS),
        page.slot,
        about=LANDMARKS,
    )
    study = Staged(figure, measuring_figure, subject.args, resumes=True)
    found = run_study(
        study,
        key="papers.joint",
        what="kernels",
        automatic=subject.quick,
        label="Measure",
        cost="13 kernels on the same folds, each in some seconds: this starts with a click.",
    )
    if found is None:
        st.markdown(":gray[Nothing is measured yet. The paper's Fig. 1 prints no numbers.]")
        return
    _result(subject, found)


def _origin(subject: Subject) -> str:
    if subject.like_enzymes:
        return (
            "The paper has 127 lyases and 127 ligases with typed edges and their lengths. ENZYMES has 100 and 100, without "
            "either; columns 3 to 6 are taken as continuous, 7 to 18 as discrete."
        )
    return (
        "The paper's 127 lyases and 127 ligases are not public. The same protocol runs on the chosen graphs."
    )


def _result(subject: Subject, found: JointFigure) -> None:
    st.caption(
        f"{judged_times(found.n_items, found.n_repeats)}, {found.n_folds}-fold: "
        f"{found.n_items * found.n_repeats:,} decisions a kernel · {found.n_vertices:,} vertices, {found.n_landmarks:,} "
        f"landmarks, σ = {number(found.sigma)}, nugget {number(subject.config.nugget)}, walks up to {subject.config.length} "
        f"edges, {CHOSEN_C}, seed {subject.validation.seed} · {number(found.seconds, 1)} s"
    )
    said = []
    if found.unset:
        said.append(
            f"{found.unset:,} vertices have no discrete attribute: their linear kernel “as it is” is 0 with every vertex. "
            "By landmarks it is not: both kernels describe a vertex by them."
        )
    if found.empty:
        said.append(f"{found.empty:,} graphs have no vertices: they are similar to nothing.")
    if said:
        findings(tuple(said))
    chosen = chosen_lam(found)
    drawn = charts(found, chosen)
    own_classes(subject.labels)
    verdict(found, chosen)
    kernels(found, chosen)
    files(subject, found, chosen, drawn)
