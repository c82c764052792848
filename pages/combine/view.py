"""The page Combine: two kernels, λ between them, three ways to combine on the same folds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
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
from pages.combine.subject import Subject, choose, combination, judging, scores
from pages.shared.controls import controls, widget
from pages.shared.figures.heatmap import heatmap
from pages.shared.figures.key import class_key
from pages.shared.figures.picture import Items
from pages.shared.figures.theme import number
from pages.shared.frame import PageFrame, panel_title
from pages.shared.messages import guard, plain, shortened
from pages.shared.panels.arrangement import class_list, item_order
from pages.shared.panels.heatmap import draw
from pages.shared.panels.staged import Staged, run_study

HEIGHT = 240
AUTOMATIC = 320
"""Up to this number of items all combinations are judged in a few seconds, without a click."""


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    first, second = choose(dataset)
    config, validation = _settings(dataset)
    made = combination(config, first, second)
    labels = dataset.judgeable
    subject = Subject(dataset, first, second, labels, made, validation)
    page.badge("transductive", help="Kernels are built on all items; labels of test items are not seen.")
    maps, lower = st.container(), st.container()
    with lower:
        found = _judged(subject)
    with maps:
        _moving(subject, found)


def _settings(dataset: DataSet) -> tuple[CombinationConfig, CrossValidation]:
    start = CombinationConfig(nugget=dataset.defaults.nugget)
    protocol = CrossValidation(C=dataset.defaults.C)
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    config = controls(start, "combine", only=("nugget",), slots=(left,), bind=("nugget",))
    with right, st.container(horizontal=True):
        with st.popover("Conditioning", icon=":material/tune:"):
            config = controls(config, "combine", only=("repair", "normalize"), bind=("repair",))
        with st.popover("Cross-validation", icon=":material/rule:"):
            fields = ("folds", "repeats", "C", "seed")
            validation = controls(protocol, f"combine.{dataset.name}", only=fields)
    return config, validation


def _judged(subject: Subject) -> CombinationScores | None:
    if subject.labels is None:
        st.markdown(
            ":gray[These items have no classes, so nothing can be judged by them. Labels are brought on the page Data.]"
        )
        return None
    args = (subject.made.config, subject.first, subject.second, subject.labels, subject.validation)
    return run_study(
        Staged(scores, judging, args),
        key="combine",
        what="kernels",
        automatic=subject.first.n <= AUTOMATIC,
        label="Judge all combinations",
        cost=f"{3 + 2 * len(LAMS)} kernels × {subject.validation.folds * subject.validation.repeats or subject.first.n:,} "
        f"folds × {len(subject.labels.classes)} classes: this starts with a click.",
    )


@st.fragment
def _moving(subject: Subject, found: CombinationScores | None) -> None:
    slot, _ = st.columns([2, 3])
    with slot:
        description = replace(parameters(Complete)["lam"], label="Weight of the first kernel")
        lam = widget(description, 0.5, name="lam", key="lam", bound=True)
    with guard():
        items = _heatmaps(subject, lam)
        if found is not None:
            accuracy(subject, found, lam)
        results(subject, found, lam, items)


def _heatmaps(subject: Subject, lam: float) -> Items:
    made, labels = subject.made, subject.labels
    order = item_order(made.first, labels, ~np.isnan(np.diag(made.first.values)))
    items = Items(made.first.ids, class_list(labels), order)
    panels: list[tuple[str, str, FloatArray]] = [
        (plain(shortened(subject.first.name, 16)), "first", made.first.values),
        (plain(shortened(subject.second.name, 16)), "second", made.second.values),
        ("Joint", f"*λ* = {number(lam, 2)}", made.values("joint", lam)),
        ("Weighted sum", f"*λ* = {number(lam, 2)}", made.values("weighted sum", lam)),
        ("Product", "entry by entry", made.values("product", lam)),
    ]
    for column, (name, note, values) in zip(st.columns(5, gap="small"), panels, strict=True):
        with column, st.container(gap="xxsmall"):
            picture = heatmap(values, items, name=name, height=HEIGHT)
            panel_title(name, note)
            draw(picture, f"combine.map.{note}.{name}")
    if items.classes is not None:
        draw(class_key(items.classes), "combine.key")
    if picture.note:
        st.caption(f"{made.first.n:,} items: the cells of the pictures are {picture.note}.")
    return items
