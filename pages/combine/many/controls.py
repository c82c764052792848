"""The controls of the page Many kernels: which, made one how, weighed how, and everything behind Settings."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.inputs.dataset import DataSet
from kernex_core.learning.folds import CrossValidation
from kernex_core.parameters import parameters
from kernex_core.studies.many_kernels import ManyConfig
from pages.combine.many import alike
from pages.combine.many.settings import LEARNED, take_former_protocol
from pages.combine.several import choice
from pages.shared.answer.first_row import first_row
from pages.shared.answer.settings_box import group, settings_box
from pages.shared.controls import controls
from pages.shared.settings import widgets
from pages.shared.shown.remarks import copies_among
from pages.shared.widget import widget

PROTOCOL = ("folds", "repeats", "C", "choose_C", "seed")


@dataclass(frozen=True)
class Choice:
    """Everything that is chosen above the picture; no names where fewer than two kernels are."""

    dataset: DataSet
    names: tuple[str, ...]
    config: ManyConfig
    validation: CrossValidation


def choose(dataset: DataSet) -> Choice:
    """Draw the first row."""
    own = dataset
    with first_row():
        first, second = st.container(width="stretch"), st.container(width=170)
        third, fourth = st.container(width=150), st.container(width="content")
    with first:
        dataset, names = choice.choose(dataset, choice.box(dataset))
    config = _combination(
        ManyConfig(nugget=dataset.defaults.nugget), dataset.judgeable is not None, second, third
    )
    with fourth, settings_box(2) as (left, right):
        with left:
            group("Kernels")
            config = controls(config, "", only=("normalize",))
            alike.noise_button(own.ids, choice.box(own), names)
            group("Learned weights")
            config = _learning(config)
        with right:
            take_former_protocol()
            group("Judging")
            validation = controls(
                CrossValidation(C=dataset.defaults.C), f"many.cv.{dataset.name}",
                only=(*PROTOCOL, *copies_among(dataset)), prefix="cv_",
            )  # fmt: skip
    return Choice(dataset, names, config, validation)


def _combination(
    start: ManyConfig, judged: bool, second: DeltaGenerator, third: DeltaGenerator
) -> ManyConfig:
    """Draw how kernels are made one, and how they are weighed; of the two that need labels only where there are some."""
    described = parameters(start)
    ways = ("by hand", "equal", "alignment", "MKL") if judged else ("by hand", "equal")
    with second:
        kind = widgets.choose("kind", described["kind"].choices, help=described["kind"].help, key="kind")
    with third:
        if kind == "product":
            st.caption("A product has no weights.")
            return replace(start, kind=str(kind))
        weigh = widgets.choose("weigh", ways, help=described["weigh"].help, key="weigh")
    return replace(start, kind=str(kind), weigh=weigh)


def _learning(config: ManyConfig) -> ManyConfig:
    """Draw how weights are learned; its C is not that of classifiers, and has another name in the address."""
    described, values = parameters(config), {}
    for name, setting in LEARNED.items():
        values[name] = widget(described[name], getattr(config, name), name=name, setting=setting)
    return controls(replace(config, **values), "", only=("nugget",))
