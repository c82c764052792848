"""The page Combine: two kernels, λ between them, three ways to combine on the same folds."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from kernex_core.frozen import FloatArray
from kernex_core.inputs.dataset import DataSet
from kernex_core.joint.complete import Complete
from kernex_core.learning.folds import CrossValidation
from kernex_core.parameters import parameters
from kernex_core.studies.combination import (
    LAMS,
    CombinationConfig,
    CombinationScores,
)
from pages.combine.chart import accuracy
from pages.combine.results import results
from pages.combine.settings import LAM
from pages.combine.subject import Subject, choose, judging_combinations, prepare, scores
from pages.shared.controls import controls
from pages.shared.figures.codes import common_scale
from pages.shared.figures.picture import Items
from pages.shared.figures.theme import number
from pages.shared.frame import PageFrame
from pages.shared.matrices.follows import joint_follows
from pages.shared.matrices.panels import Drag, Follow, Panel, Words
from pages.shared.messages import guard, plain, shortened
from pages.shared.panels.accuracy import state_badge
from pages.shared.panels.arrangement import arranged, order_box
from pages.shared.panels.linked import linked
from pages.shared.panels.side_by_side import places
from pages.shared.panels.staged import Staged, run_study
from pages.shared.shown.remarks import copies_among, copies_width
from pages.shared.widget import widget

AUTOMATIC = 320
"""Up to this number of items all combinations are judged in a few seconds, without a click."""


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    first, second = choose(dataset)
    config, validation = _settings(dataset)
    made = prepare(config, first, second)
    if made is None:
        return
    labels = dataset.judgeable
    subject = Subject(dataset, first, second, labels, made, validation)
    joint, others = made.state("joint"), made.state("product")
    state_badge(joint, page.slot, of="" if joint == others else "joint")
    if joint != others:
        state_badge(others, page.slot, of="sum, product", key="plain")
    # the matrices do not wait for accuracies: once these are there, the page is drawn again
    study = _study(subject)
    _moving(subject, None if study is None else study.known())
    _judge(subject, study)


def _settings(dataset: DataSet) -> tuple[CombinationConfig, CrossValidation]:
    start = CombinationConfig(nugget=dataset.defaults.nugget)
    protocol = CrossValidation(C=dataset.defaults.C)
    conditioning = places(220, "content", "content", align="bottom")
    config = controls(start, "", only=("nugget", "repair", "normalize"), slots=conditioning)
    more = copies_among(dataset)
    slots = places("content", 150, 300, 130, *copies_width(more), align="bottom")
    fields = ("folds", "repeats", "C", "seed", *more)
    validation = controls(protocol, f"combine.{dataset.name}", only=fields, slots=slots, prefix="cv_")
    return config, validation


def _study(subject: Subject) -> Staged[CombinationScores] | None:
    """All combinations on the same folds; nothing without classes."""
    if subject.labels is None:
        return None
    args = (subject.made.config, subject.first, subject.second, subject.labels, subject.validation)
    return Staged(scores, judging_combinations, args)


def _judge(subject: Subject, study: Staged[CombinationScores] | None) -> None:
    """Run what is not judged yet, with progress; then the page is drawn again."""
    if study is None or subject.labels is None:
        st.markdown(
            ":gray[These items have no classes, so nothing can be judged by them. Labels are brought on the page Data.]"
        )
        return
    run_study(
        study,
        key="combine",
        what="kernels",
        automatic=subject.first.n <= AUTOMATIC,
        label="Judge all combinations",
        cost=f"{3 + 2 * len(LAMS)} kernels × {subject.validation.folds * subject.validation.repeats or subject.first.n:,} "
        f"folds × {len(subject.labels.classes)} classes: this starts with a click.",
    )


@st.fragment
def _moving(subject: Subject, found: CombinationScores | None) -> None:
    slot, order = places(420, 200)
    with slot:
        description = replace(parameters(Complete)["lam"], label="Weight of the first kernel")
        lam = widget(description, 0.5, name="lam", setting=LAM)
    how = order_box(order, with_classes=subject.labels is not None, kernel=f"{plain(subject.first.name)}")
    with guard():
        items = _matrices(subject, lam, how)
        if found is not None:
            accuracy(subject, found, lam)
        results(subject, found, lam, items)


def _matrices(subject: Subject, lam: float, how: str) -> Items:
    made = subject.made
    items = arranged(how, made.first, subject.labels)
    at = f"λ = {number(lam, 2)}"
    shown: list[tuple[str, str, FloatArray]] = [
        (subject.first.name, "first", made.first.values),
        (subject.second.name, "second", made.second.values),
        ("Joint", at, made.values("joint", lam)),
        ("Weighted sum", at, made.values("weighted sum", lam)),
        ("Product", "entry by entry", made.values("product", lam)),
    ]
    panels = [Panel(shortened(name, 20), note, K, common_scale([K])) for name, note, K in shown]
    follows = (
        *joint_follows(made.path, 2, items.positions),
        Follow(3, "mix", of=(0, 1), note="λ = {}"),
    )
    drag = Drag(LAM, "λ", "λ, in the picture", lam, 0.0, 1.0, 0.01, follows)
    settings = f"{at}, nugget {number(made.config.nugget, 3)}"
    words = Words(f"{subject.dataset.name}: {subject.first.name} and {subject.second.name}", settings)
    linked(panels, items, key="combine.maps", words=words, drag=drag)
    return items
