"""The controls of the page Combine: two kernels, and everything behind Settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.learning.chance.tried import Measure
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.combination import CombinationConfig
from pages.shared.answer.first_row import first_row
from pages.shared.answer.settings_box import group, settings_box
from pages.shared.controls import controls
from pages.shared.declared.settings import declared, in_view, of, of_data, setting
from pages.shared.messages import plain
from pages.shared.panels import linked
from pages.shared.panels.arrangement import order_box, orders
from pages.shared.panels.inspection import eigenvectors
from pages.shared.settings import widgets
from pages.shared.shown.remarks import copies_among

LAM: Final = "combine_lam"
"""On Complete λ has another name: it weighs something else there."""
TABS: Final = "combine.tab"
MEASURES: Final[Mapping[str, Measure]] = {"multi-class": "multi_class", "one-vs-rest": "one_vs_rest"}
SETTINGS: Final = declared(
    *in_view(
        of_data("first", "First kernel"), of_data("second", "Second kernel"),
        setting(LAM, "Weight of the first kernel λ", former="lam"), *linked.SETTINGS, setting("kind", "Combination"),
        setting("tab", "Part of the page"), *eigenvectors.SETTINGS,
    ),
    *of(CombinationConfig, "nugget", "repair", "normalize"), *of(CrossValidation, prefix="cv_"),
    setting("measure", "Measure"), *orders(),
)  # fmt: skip


@dataclass(frozen=True)
class Choice:
    """Everything that is chosen above the pictures."""

    first: GramMatrix
    second: GramMatrix
    config: CombinationConfig
    validation: CrossValidation
    measure: Measure
    order: str


def choice(dataset: DataSet) -> Choice:
    """Draw the first row: both kernels, and the button Settings."""
    with first_row():
        left, right = st.container(width=280), st.container(width=280)
        last = st.container(width="stretch", horizontal_alignment="right")
    first, second = _kernels(dataset, left, right)
    with last:
        return _settings(dataset, first, second)


def _kernels(dataset: DataSet, left: DeltaGenerator, right: DeltaGenerator) -> tuple[GramMatrix, GramMatrix]:
    names = [name for name, K in dataset.kernels.items() if K.unknown.complete]
    default = dataset.source if dataset.source in names else names[0]
    with left:
        first = widgets.choose(
            "first", names, default=default, key=f"combine.first.{dataset.name}",
            help="λ weights this one: its inverse in the joint kernel, itself in the sum.",
        )  # fmt: skip
    others = [name for name in names if name != first]
    preferred = dataset.target if dataset.target in others else others[0]
    with right:
        second = widgets.choose(
            "second", others, default=preferred, key=f"combine.second.{dataset.name}.{first}",
            help="1 − λ weights this one. To swap both, choose this one as the first.",
        )  # fmt: skip
    return dataset.kernels[first], dataset.kernels[second]


def _settings(dataset: DataSet, first: GramMatrix, second: GramMatrix) -> Choice:
    config = CombinationConfig(nugget=dataset.defaults.nugget)
    validation, measure = CrossValidation(C=dataset.defaults.C), MEASURES["multi-class"]
    judged = dataset.judgeable is not None
    with settings_box(2 if judged else 1) as columns:
        with columns[0]:
            group("Both kernels")
            config = controls(config, "", only=("nugget", "repair", "normalize"))
            group("Pictures")
            order = order_box(st.container(), with_classes=judged, kernel=plain(first.name))
        if judged:  # items without classes have no protocol
            with columns[1]:
                group("Judging")
                fields = ("folds", "repeats", "C", "seed", *copies_among(dataset))
                validation = controls(validation, f"combine.{dataset.name}", only=fields, prefix="cv_")
                measure = MEASURES[widgets.pick("measure", list(MEASURES), key="combine.measure")]
    return Choice(first, second, config, validation, measure, order)
