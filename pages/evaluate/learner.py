"""What is learned, and by what: target, learner and its parameters, on the page Evaluate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kernex_core.base.parameters import parameters
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import LEAVE_ONE_OUT, CrossValidation
from kernex_core.learning.learners.catalogue import LEARNERS
from kernex_core.learning.learners.contract import Kind, Learner, cost_of, lam_of
from kernex_core.learning.learners.on_components import OnComponents
from kernex_core.learning.learners.ridge import KernelRidge
from kernex_core.learning.learners.support_vectors import SupportVectors
from kernex_core.learning.regression.judgement import are_numbers, rather_numbers
from pages.shared.declared.settings import of_each, own_prefix, setting
from pages.shared.figures.theme import number
from pages.shared.glossary.entries import hint
from pages.shared.settings import widgets
from pages.shared.shown.learners import last_of, strength_symbol
from pages.shared.widget import widget

CLASSES: Final = "classes"
NUMBERS: Final = "numbers"
IN_VIEW: Final = (
    setting("target", "Target"),
    *(setting(f"{kind}_learner", "Learner") for kind in (CLASSES, NUMBERS)),
)
SETTINGS: Final = (
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
        "target", (CLASSES, NUMBERS), default=NUMBERS if rather_numbers(labels) else CLASSES,
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
