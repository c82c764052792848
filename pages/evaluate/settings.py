"""The controls of the page Evaluate: which kernels are judged, what learns, and everything behind Settings."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeVar

import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.leakage import fills_unknown
from kernex_core.learning.learners.contract import Learner
from kernex_core.studies.evaluation import Evaluation, EvaluationConfig, NumberEvaluation
from pages.evaluate import learner
from pages.evaluate.learner import Asked, both_ways, choose_target, choose_type, with_parameters
from pages.shared.answer.first_row import first_row
from pages.shared.answer.settings_box import group, settings_box
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.controls import Change, controls
from pages.shared.declared.settings import declared, in_view, of, of_data, setting
from pages.shared.messages import findings, plain
from pages.shared.panels.several import comparisons
from pages.shared.panels.staged import Staged, run_study
from pages.shared.settings import widgets
from pages.shared.shown.remarks import copies_field

E = TypeVar("E", Evaluation, NumberEvaluation)
TABS: Final = "evaluate.tab"
SETTINGS = declared(
    *in_view(
        of_data("kernels", "Kernels"), *learner.IN_VIEW, of_data("detail", "In detail"), of_data("reliability_of", "Class"),
        of_data("predictions_of", "Kernel of the predictions"), *comparisons.SETTINGS, setting("tab", "Part of the page"),
    ),
    *learner.SETTINGS, *of(CrossValidation, prefix="cv_"), *of(EvaluationConfig), setting("measure", "Measure"),
    setting("number_measure", "Measure"),
)  # fmt: skip
MEASURES: Final = {"multi-class": "multi_class", "one-vs-rest": "one_vs_rest", "balanced": "balanced"}
NUMBER_MEASURES: Final = {"RMSE": "rmse", "R²": "r2", "rank correlation": "spearman"}
AUTOMATIC = 320
"""Up to this number of items, and with fixed C, judging starts without a click."""


@dataclass(frozen=True, eq=False)
class Subject:
    """What is judged, how, and the measure that leads."""

    dataset: DataSet
    kernels: Mapping[str, GramMatrix]
    labels: Labels
    config: EvaluationConfig
    validation: CrossValidation
    asked: Asked
    measure: str

    @property
    def field(self) -> str:
        """The measure, as a judgement calls it."""
        return (MEASURES if self.asked.kind == "classes" else NUMBER_MEASURES)[self.measure]


def choose(dataset: DataSet, labels: Labels) -> Subject | None:
    """Draw the first row: kernels, what is learned by what, and the button Settings; None where no kernel is chosen."""
    with first_row():
        first, second = st.container(width="stretch"), st.container(width="content")
        third, fourth = st.container(width=220), st.container(width="content")
    with first:
        kernels = _kernels(dataset)
    with second:
        kind = choose_target(labels)
    with third:
        chosen = choose_type(kind)
    with fourth:
        made = _settings(dataset, labels, kernels, Asked(kind), chosen)
    return made if kernels else None


def _kernels(dataset: DataSet) -> dict[str, GramMatrix]:
    names = [name for name, K in dataset.kernels.items() if K.unknown.complete]
    left_out = ", ".join(plain(name) for name in dataset.kernels if name not in names)
    partly = f" Not offered, because partly unknown: {left_out}. Complete them first, on Complete or Complete together."
    chosen = widgets.several(
        "kernels", names, default=names[:6], key=f"evaluate.kernels.{dataset.name}",
        help="All are judged on the same folds. Kernels kept on other pages are listed here too."
        + (partly if left_out else ""),
    )  # fmt: skip
    return {name: dataset.kernels[name] for name in chosen}


def _settings(
    dataset: DataSet,
    labels: Labels,
    kernels: Mapping[str, GramMatrix],
    asked: Asked,
    chosen: type[Learner],
) -> Subject:
    """Draw the protocol, the learner's parameters, conditioning and the measure that leads."""
    with settings_box((0.95, 0.95, 1.1)) as (first, second, third):
        with second:
            group("Learner")
            asked = with_parameters(chosen, asked.kind)
        own = asked.learner is None
        key = f"evaluate.{dataset.name}"
        with first:
            group("Folds")
            validation = controls(
                CrossValidation(C=dataset.defaults.C), key, only=("folds", "repeats", "seed"), prefix="cv_"
            )
            # what fills unknown entries is fitted inside the folds unless somebody wants it otherwise
            filled = any(fills_unknown(K) for K in kernels.values())
            start, more = replace(validation, inductive=filled), [*copies_field(labels, kernels.values())]
            more += ["grouped"] if labels.groups is not None else []
            validation = controls(
                start, f"{key}.filled" if filled else key, only=("inductive", *more), prefix="cv_"
            )
        with second:
            if own:
                validation = controls(validation, key, only=("C",), prefix="cv_")
            if asked.symbol:
                named: Mapping[str, Change] = (
                    {} if own else {"choose_C": {"label": f"Choose {asked.symbol} inside the folds"}}
                )
                # a data set with filled kernels has these settings by itself
                validation = controls(
                    validation,
                    f"{key}.filled" if filled else key,
                    only=("choose_C",),
                    changed=named,
                    prefix="cv_",
                )
            if said := both_ways(asked, labels, validation):
                st.caption(said)
        with third:
            group("Kernels")
            config = controls(EvaluationConfig(), "evaluate")
            group("What leads")
            measure = _measure(asked)
    return Subject(dataset, kernels, labels, config, validation, asked, measure)


def _measure(asked: Asked) -> str:
    help = "The picture, the order of the rows, the test beside each of them and the verdict are by this measure."
    if asked.kind == "numbers":
        return widgets.choose(
            "number_measure", tuple(NUMBER_MEASURES), key="evaluate.number_measure", help=help
        )
    return widgets.choose("measure", tuple(MEASURES), key="evaluate.measure", help=help)


def starts(dataset: DataSet, validation: CrossValidation) -> bool:
    """Whether judging starts without a click."""
    return dataset.n <= AUTOMATIC and validation.folds != 0 and not validation.choose_C


def cost(what: Subject) -> str:
    """Say how many fits the settings ask for, because nothing that takes long starts by itself."""
    validation, asked, count = what.validation, what.asked, len(what.kernels)
    folds, classes = (
        validation.folds * validation.repeats or int(what.labels.labelled.sum()),
        len(what.labels.classes),
    )
    parts = [f"{count} {'kernel' if count == 1 else 'kernels'}", counted(folds, "fold")]
    problems = count * folds
    if asked.kind == "classes":
        parts.append(f"{classes} classes")
        problems *= classes
    kind = "support vector machines" if asked.learner is None else f"problems of {asked.by.title.lower()}"
    inner = f", each several times to choose {asked.symbol}" if validation.choose_C else ""
    return f"{' × '.join(parts)} = {problems:,} {kind}{inner}: this starts with a click."


def judged(what: Subject, study: Staged[E], place: VerdictPlace) -> E | None:
    """Judge every kernel, with a bar in the verdict's place; None where none was judged, which is said."""
    place.waits("Every kernel is judged on the same folds; which of them is best is then said here.")
    with place.wait.container():
        found = run_study(
            study.leading, key="evaluate", what="folds", automatic=starts(what.dataset, what.validation), label="Judge",
            cost=cost(what),
        )  # fmt: skip
    refused(found, what.kernels)
    return found if found is not None and found.judgements else None


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
