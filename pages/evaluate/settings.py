"""Which kernels are judged, and how: choices of the page Evaluate."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import streamlit as st

from kernex_core.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.leakage import fills_unknown
from kernex_core.studies.evaluation import Evaluation, EvaluationConfig, NumberEvaluation
from pages.evaluate import learner
from pages.evaluate.learner import Asked, both_ways
from pages.shared.controls import Change, controls
from pages.shared.declared.settings import declared, of, of_data, setting
from pages.shared.messages import findings, plain
from pages.shared.panels.several import comparisons
from pages.shared.panels.side_by_side import places
from pages.shared.settings import widgets
from pages.shared.shown.remarks import copies_field

SETTINGS = declared(
    of_data("kernels", "Kernels"), *learner.SETTINGS, *of(CrossValidation, prefix="cv_"), *of(EvaluationConfig),
    setting("measure", "Measure"), setting("number_measure", "Measure"), of_data("detail", "In detail"),
    of_data("reliability_of", "Class"), of_data("predictions_of", "Kernel of the predictions"), *comparisons.SETTINGS,
)  # fmt: skip
AUTOMATIC = 320
"""Up to this number of items, and with fixed C, judging starts without a click."""


@dataclass(frozen=True, eq=False)
class Subject:
    """What is judged, and how."""

    dataset: DataSet
    kernels: Mapping[str, GramMatrix]
    labels: Labels
    config: EvaluationConfig
    validation: CrossValidation
    asked: Asked


def starts(dataset: DataSet, validation: CrossValidation) -> bool:
    """Whether judging starts without a click."""
    return dataset.n <= AUTOMATIC and validation.folds != 0 and not validation.choose_C


def cost(kernels: Mapping[str, GramMatrix], labels: Labels, validation: CrossValidation, asked: Asked) -> str:
    """Say how many fits the settings ask for, because nothing that takes long starts by itself."""
    folds, classes = validation.folds * validation.repeats or labels.labelled.sum(), len(labels.classes)
    parts = [f"{len(kernels)} {'kernel' if len(kernels) == 1 else 'kernels'}", counted(folds, "fold")]
    problems = len(kernels) * folds
    if asked.kind == "classes":
        parts.append(f"{classes} classes")
        problems *= classes
    kind = "support vector machines" if asked.learner is None else f"problems of {asked.by.title.lower()}"
    inner = f", each several times to choose {asked.symbol}" if validation.choose_C else ""
    return f"{' × '.join(parts)} = {problems:,} {kind}{inner}: this starts with a click."


def choose_kernels(dataset: DataSet) -> dict[str, GramMatrix]:
    """Draw the choice of kernels."""
    names = [name for name, K in dataset.kernels.items() if K.unknown.complete]
    left_out = [name for name in dataset.kernels if name not in names]
    if not names:
        raise InvalidInputError(
            "Judging needs a kernel that is known for every pair",
            f"{counted(len(dataset.kernels), 'kernel')} in {dataset.name!r}, none of them complete",
            "Build one on the page Kernels, or complete partly known ones on the page Complete or Many kernels",
        )
    chosen = widgets.several(
        "kernels", names, default=names[:6], key=f"evaluate.kernels.{dataset.name}",
        help="All are judged on the same folds. Kernels kept on other pages are listed here too.",
    )  # fmt: skip
    if left_out:
        listed = ", ".join(plain(name) for name in left_out)
        st.caption(
            f"Not offered, because partly unknown: {listed}. Complete them first, on the page Complete or Many kernels."
        )
    if not chosen:
        raise InvalidInputError("At least one kernel has to be chosen", "none", "Choose one above")
    return {name: dataset.kernels[name] for name in chosen}


def settings(
    dataset: DataSet, labels: Labels, kernels: Mapping[str, GramMatrix], asked: Asked
) -> tuple[EvaluationConfig, CrossValidation]:
    """Draw the protocol, and λ and C both ways."""
    protocol = CrossValidation(C=dataset.defaults.C)
    own = asked.learner is None
    columns = places("content", "stretch", "stretch", 160) if own else places("content", "stretch", 160)
    key = f"evaluate.{dataset.name}"
    drawn = ("folds", "repeats", "C", "seed") if own else ("folds", "repeats", "seed")
    validation = controls(protocol, key, only=drawn, slots=columns, prefix="cv_")
    more = [
        *(["choose_C"] if asked.symbol else []),
        "inductive",
        *copies_field(labels, kernels.values()),
        *(["grouped"] if labels.groups is not None else []),
    ]
    with st.container(horizontal=True, vertical_alignment="center"):
        # what fills unknown entries is fitted inside the folds unless somebody wants it otherwise
        filled = any(fills_unknown(K) for K in kernels.values())
        start = replace(validation, inductive=filled)
        named: Mapping[str, Change] = (
            {} if own else {"choose_C": {"label": f"Choose {asked.symbol} inside the folds"}}
        )
        key = f"{key}.filled" if filled else key
        validation = controls(start, key, only=more, changed=named, prefix="cv_")
    with st.container(horizontal=True, vertical_alignment="center"):
        config = controls(EvaluationConfig(), "evaluate")
        said = both_ways(asked, labels, validation)
        if said:
            st.caption(said)
    return config, validation


def refused(found: Evaluation | NumberEvaluation | None, asked: Collection[str] = ()) -> None:
    """Say which kernels were not judged, and why."""
    if found is None:
        return
    waiting = [name for name in asked if name not in found.judgements and name not in found.refused]
    if waiting and found.done < found.total:
        findings(
            [f"Not judged yet: {', '.join(waiting)}. Judging goes kernel by kernel and was stopped before."]
        )
    findings([f"{name} was not judged. {reason}" for name, reason in found.refused.items()])
