"""The controls of the page Many kernels: which, weighed how, and everything behind Settings: made one how, judged how."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from kernex_core.base.parameters import parameters
from kernex_core.inputs.dataset import DataSet
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.many_kernels import ManyConfig
from pages.combine.many import alike, verdict
from pages.combine.many.settings import LEARNED, take_former_protocol
from pages.combine.several import choice
from pages.shared.answer.first_row import Later, first_row, in_title
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
    config = ManyConfig(nugget=dataset.defaults.nugget)
    with first_row():
        first, second = st.container(width="stretch"), st.container(width=150)
        third = st.container(width="content")
        for name, hint in verdict.HINTS.items():
            in_title(name, hint)
    with first:
        dataset, names = choice.choose(dataset, choice.box(dataset))
    with third, settings_box(2) as (left, right):
        with left:
            group("Kernels")
            config = controls(config, "", only=("kind", "normalize"))
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
    with Later(second):
        config = _weighed(config, dataset.judgeable is not None)
    return Choice(dataset, names, config, validation)


def _weighed(config: ManyConfig, judged: bool) -> ManyConfig:
    """Draw how kernels are weighed; of the ways, those that need labels only where there are some."""
    if config.kind == "product":
        st.caption("A product has no weights.")
        return config
    ways = ("by hand", "equal", "alignment", "MKL") if judged else ("by hand", "equal")
    said = parameters(config)["weigh"].help
    return replace(config, weigh=widgets.choose("weigh", ways, help=said, key="weigh"))


def _learning(config: ManyConfig) -> ManyConfig:
    """Draw how weights are learned; its C is not that of classifiers, and has another name in the address."""
    described, values = parameters(config), {}
    for name, setting in LEARNED.items():
        values[name] = widget(described[name], getattr(config, name), name=name, setting=setting)
    return controls(replace(config, **values), "", only=("nugget",))
