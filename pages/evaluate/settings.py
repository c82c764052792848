"""The controls of the page Evaluate: which kernels are judged, what learns, and everything behind Settings."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeVar

import streamlit as st

from kernex_core.base.parameters import parameters
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import LEAVE_ONE_OUT, CrossValidation
from kernex_core.learning.leakage import fills_unknown
from kernex_core.learning.learners.catalogue import LEARNERS
from kernex_core.learning.learners.contract import Kind, Learner, cost_of, lam_of
from kernex_core.learning.learners.on_components import OnComponents
from kernex_core.learning.learners.ridge import KernelRidge
from kernex_core.learning.learners.support_vectors import SupportVectors
from kernex_core.learning.regression.judgement import are_numbers
from kernex_core.studies.evaluation import Evaluation, EvaluationConfig, NumberEvaluation
from pages.server.declared import declared, in_view, of, of_data, of_each, own_prefix, setting
from pages.server.digits import number
from pages.server.messages import findings, plain
from pages.ui import widgets
from pages.ui.answer import Parts, VerdictPlace, draw_parts, first_row, group, settings_box
from pages.ui.frame import formula_text
from pages.ui.glossary import hint
from pages.ui.panels import verdicts as comparisons
from pages.ui.panels.staged import Staged, run_study
from pages.ui.panels.verdicts import RULE
from pages.ui.shown import copies_field, last_of, strength_symbol
from pages.ui.widget import Change, controls, widget

# What is learned, and by what: target, learner and its parameters, on the page Evaluate.

CLASSES: Final = "classes"
NUMBERS: Final = "numbers"
IN_VIEW: Final = (
    setting("target", "Target"),
    *(setting(f"{kind}_learner", "Learner") for kind in (CLASSES, NUMBERS)),
)
LEARNER_SETTINGS: Final = (
    *(setting(f"{kind}_then", "Then") for kind in (CLASSES, NUMBERS)),
    *of_each(LEARNERS), *of_each(LEARNERS, prefix="components_"),
)  # fmt: skip
_FIRST: Final[dict[Kind, type[Learner]]] = {"classes": SupportVectors, "numbers": KernelRidge}


@dataclass(frozen=True)
class Asked:
    """What the visitor wants to be learned.

    Attributes
    ----------
    kind : {"classes", "numbers"}
    learner : Learner or None
        None is the C-SVM with the C of the protocol.
    """

    kind: Kind
    learner: Learner | None = None

    @property
    def by(self) -> Learner:
        """The learner; the C-SVM with its usual C stands for that of the protocol."""
        return SupportVectors() if self.learner is None else self.learner

    @property
    def symbol(self) -> str:
        """Letter of what may be chosen inside the folds; "" where nothing is."""
        return strength_symbol(self.by)


def choose_type(kind: Kind) -> type[Learner]:
    """Draw the choice of what learns."""
    types = {each.title: each for each in LEARNERS if kind in each.learns}
    return types[_title(types, _FIRST[kind].title, f"{kind}_learner", _hints(types))]


def with_parameters(chosen: type[Learner], kind: Kind) -> Asked:
    """Draw its parameters; the C-SVM has that of the protocol."""
    return Asked(kind) if chosen is SupportVectors else Asked(kind, _parameters(chosen, kind))


def both_ways(asked: Asked, labels: Labels, validation: CrossValidation) -> str:
    """Return λ of a cost, or the cost of a λ, with the training items that it is about; "" where there is neither."""
    n, last = training_items(labels, validation), last_of(asked.by)
    value = validation.C if asked.learner is None else last.value
    if asked.symbol not in ("C", "λ") or n < 1:
        return ""
    other = lam_of if asked.symbol == "C" else cost_of
    name, formula = ("λ", "1/(2nC)") if asked.symbol == "C" else ("C", "1/(2nλ)")
    about = f"n = {n:,} training items a fold"
    if validation.choose_C:
        ends = sorted(other(each, n) for each in (last.grid[0], last.grid[-1]))
        grid = ", ".join(f"{each:g}" for each in sorted(last.grid))
        units = " in units of the mean diagonal" if last.scaled else ""
        return (
            f"{asked.symbol} is one of {grid}{units}; {name} = {formula} = {_short(ends[0])} to {_short(ends[1])} "
            f"with {about}"
        )
    return f"{name} = {formula} = {_short(other(value, n))} with {about}"


def training_items(labels: Labels, validation: CrossValidation) -> int:
    """Return how many items a training fold has."""
    labelled = int(labels.labelled.sum())
    parts = labelled if validation.folds == LEAVE_ONE_OUT else validation.folds
    return round(labelled * (1.0 - 1.0 / max(parts, 1)))


def _short(value: float) -> str:
    return number(value)


def choose_target(labels: Labels) -> Kind:
    """Draw whether classes or numbers are predicted, where labels can be either."""
    if not are_numbers(labels):
        return "classes"
    # where hardly any two items share a label, they are no classes
    chosen = widgets.pick(
        "target", (CLASSES, NUMBERS), default=NUMBERS if labels.measured else CLASSES,
        help="The labels are numbers: each different one can be a class, or the number itself is predicted.",
    )  # fmt: skip
    return "numbers" if chosen == NUMBERS else "classes"


def _title(types: dict[str, type[Learner]], first: str, name: str, help: str) -> str:
    return widgets.choose(name, list(types), default=first, help=help)


def _hints(types: dict[str, type[Learner]]) -> str:
    known = [f"**{title}**: {each.summary} ({each.source})." for title, each in types.items()]
    return "  \n".join(known)


def _parameters(learner: type[Learner], kind: Kind, before: str = "") -> Learner:
    """Widgets of the described fields; on components also those of what learns there."""
    prefix, made = own_prefix(learner, before), learner()
    values = {}
    for name, described in parameters(learner).items():
        if not described.hidden:
            values[name] = widget(described, getattr(made, name), name=name, setting=f"{prefix}{name}")
    if learner is OnComponents:
        types = {each.title: each for each in LEARNERS if kind in each.learns and each is not OnComponents}
        inner = _title(
            types,
            KernelRidge.title,
            f"{kind}_then",
            hint("Kernel PCA", first="What learns on the components."),
        )
        values["learner"] = _parameters(types[inner], kind, "components_")
    return learner(**values)


E = TypeVar("E", Evaluation, NumberEvaluation)
TABS: Final = "evaluate.tab"
SETTINGS = declared(
    *in_view(
        of_data("kernels", "Kernels"), *IN_VIEW, of_data("detail", "In detail"), of_data("reliability_of", "Class"),
        of_data("predictions_of", "Kernel of the predictions"), of_data("pairs_of", "Pairs of classes in"),
        *comparisons.SETTINGS, setting("tab", "Part of the page"),
    ),
    *LEARNER_SETTINGS, *of(CrossValidation, prefix="cv_"), *of(EvaluationConfig), setting("measure", "Measure"),
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


# How the page Evaluate works, in formulas and sentences.

FORMULAS: Final = (
    r"f_c(x) = \sum_i \beta_{ci}\, k(x, x_i) + b_c,\qquad \hat y(x) = \arg\max_c f_c(x)",
    r"\min_f \tfrac12 \|f\|_k^2 + C \sum_i \max(0, 1 - y_i f(x_i)),\qquad \lambda_{\mathrm{SVM}} = \tfrac{1}{2nC}",
    r"\min_f \tfrac1n \sum_i \ell(y_i, f(x_i)) + \lambda \|f\|_k^2,\qquad \ell = (y - f)^2 \text{ (ridge), } "
    r"\log(1 + e^{-yf}) \text{ (logistic), } \max(0, |y - f| - \varepsilon) \text{ (regression by vectors)}",
)
ASSUMPTIONS: Final = (
    "One C-SVM a class, or another learner, against all others; the class with the largest decision value is "
    "named (multi-class). "
    "One-vs-rest accuracy asks of every class alone whether its sign is right.",
    "Numbers: the floor is the mean of the training items, on the same folds; R² is of each whole repetition, rank "
    "correlation inside folds. Support vector regression sees targets of variance 1.",
    "Folds are stratified and drawn by the seed; every repetition has its own, which no other seed uses. "
    "Every kernel gets the same folds.",
    "Inductive: every step is fitted on the training fold alone. Transductive: on all items, never with labels. "
    "The tag is computed from the steps that made the kernel.",
    "Repetitions are not independent: they decide on the same items again.",
    "Difference: Anderson, PERMANOVA, 2001, and dispersion, 2006; pairs by MMD, Gretton and others, 2012.",
)


# What one asks second on the page Evaluate: parts, of which the open one is drawn.


def show(parts: Parts, method: str = "") -> None:
    """Draw them, and how it works last; `method` is what is said of these results there."""
    formula_text(FORMULAS, ASSUMPTIONS)
    whole: Parts = {**parts, "Method": lambda: _method(method)}
    draw_parts(whole, key=TABS)


def _method(said: str) -> None:
    st.caption(f"{said} {RULE}.".strip())
    st.markdown(formula_text(FORMULAS, ASSUMPTIONS))
