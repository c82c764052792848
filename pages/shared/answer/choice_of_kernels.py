"""Choosing one of several judged kernels: a button that opens what was tried and what the choice is worth.

choice_of_kernels({"clip": judgement, "flip": judgement}, kernels, labels, validation, Picked("repair", "repair", now))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.tried import NestedChoice
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.studies.evaluation import choosing_among
from pages.shared.answer.choosing import Choosing, choose
from pages.shared.cached import cached
from pages.shared.figures.dots import Dot, dots
from pages.shared.figures.picture import Picture
from pages.shared.messages import shortened
from pages.shared.panels.staged import Staged


@cached(public=True)
def chosen(kernels: Mapping[str, GramMatrix], labels: Labels, validation: CrossValidation) -> NestedChoice:
    """Return the choice among all kernels; the dialog keeps it under the same key."""
    return list(choosing_among(kernels, labels, validation))[-1]


@dataclass(frozen=True)
class Picked:
    """What is chosen: its name, the key of the widget that takes it, prefix of the keys of the button, and what is set."""

    of: str
    widget: str
    key: str
    now: str


def choice_of_kernels(
    judged: Mapping[str, Judgement],
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    picked: Picked,
) -> None:
    """Draw the button; nothing where there is no choice.

    Parameters
    ----------
    judged : mapping of str to Judgement
        What the page shows of each.
    kernels : mapping of str to GramMatrix
        Those among which is chosen, as they were judged.
    labels : Labels
        Of the same items.
    validation : CrossValidation
        As they were judged by.
    picked : Picked
    """
    if len(kernels) < 2 or not st.button(
        f"Choose {picked.of}", key=f"{picked.key}.choose", icon=":material/rule:",
        help=f"{len(kernels)} are judged inside every training fold, too.",
    ):  # fmt: skip
        return
    study = Staged(chosen, choosing_among, (kernels, labels, validation))

    def picture() -> Picture:
        return tried({name: judged[name] for name in kernels})

    def use(name: str) -> tuple[str, object]:
        return picked.widget, name

    choose(Choosing(picked.of, study, picked.key, use, picked.now, picture))


def tried(judged: Mapping[str, Judgement]) -> Picture:
    """Multi-class accuracy of each, with its interval."""
    rows = []
    for name, made in judged.items():
        interval = made.interval()
        ends = () if interval is None else (100.0 * interval.low, 100.0 * interval.high)
        rows.append(Dot(shortened(name, 30), 100.0 * made.multi_class.mean, *ends))
    return dots(rows, x_title="multi-class accuracy, %")
