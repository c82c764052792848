"""Study of the page Evaluate: several kernels of the same items under one protocol, on the same folds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, NamedTuple, Protocol, TypeVar

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.base.frozen import ReadOnlyArrays
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.completion.complete import Complete
from kernex_core.completion.hide import Hide
from kernex_core.conditioning.repairs import REPAIR_CHOICES, conditioned
from kernex_core.gram.combine import Product, WeightedSum
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.tried import Measure, NestedChoice, choosing_candidate, same_in_all
from kernex_core.learning.copies import copies_of
from kernex_core.learning.evaluate import judge_in_steps
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.learners.contract import Learner
from kernex_core.learning.machine import UNSCALED, cut_of
from kernex_core.learning.protocol import Judging
from kernex_core.learning.protocol import Protocol as Treatment
from kernex_core.learning.regression.evaluate import judge_numbers_in_steps
from kernex_core.learning.regression.judgement import NumberJudgement

J = TypeVar("J", covariant=True)


@dataclass(frozen=True)
class EvaluationConfig:
    """What is done to every kernel before it is judged; both are steps and count for the mode."""

    repair: str = parameter(
        "clip",
        label="Repair",
        help="Negative eigenvalues; kernels without any are left as they are. An indefinite matrix cannot be judged.",
        choices=REPAIR_CHOICES,
    )
    normalize: bool = parameter(
        True,
        label="Cosine normalisation",
        help="Puts kernels on one scale, so that one C means the same for all. A completed or combined kernel is left as "
        "it is: its kernels were normalised, or were not, before they were combined.",
    )

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclass(frozen=True, eq=False)
class Evaluation(ReadOnlyArrays):
    """Judgements that are done.

    Attributes
    ----------
    judgements : dict of str to Judgement
        By kernel; the last one may rest on fewer repetitions while the study runs.
    refused : dict of str to str
        Kernels that cannot be judged, with the reason.
    done, total : int
        Folds, over all kernels.
    seconds : float
    """

    judgements: Mapping[str, Judgement] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    done: int = 0
    total: int = 1
    seconds: float = field(default=0.0, compare=False)


@dataclass(frozen=True, eq=False)
class NumberEvaluation(ReadOnlyArrays):
    """The same of predicted numbers."""

    judgements: Mapping[str, NumberJudgement] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    done: int = 0
    total: int = 1
    seconds: float = field(default=0.0, compare=False)


def judged_form(config: EvaluationConfig, K: GramMatrix) -> GramMatrix:
    """Repair and normalise a kernel as the configuration says, but never normalise what was completed or combined.

    The nugget and the shrinkage of a joint kernel are part of it (joint regularization has no normalisation
    afterwards): without this rule it would be another kernel here than on the page that it was kept on. Sums and
    products that stand beside it on the page Combine are left as they are for the same reason.
    """
    combined = any(isinstance(step, Complete | WeightedSum | Product) for step in K.steps)
    return conditioned(replace(config, normalize=config.normalize and not combined), K, keeps_digits=True)


def hidden_once(K: GramMatrix) -> int:
    """Number of items that were hidden before the kernel was completed; 0 for what was completed as uploaded."""
    completed = any(isinstance(step, Complete) for step in K.steps)
    return sum(len(step.hidden) for step in K.steps if isinstance(step, Hide)) if completed else 0


def evaluating(
    config: EvaluationConfig,
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    learner: Learner | None = None,
) -> Iterator[Evaluation]:
    """Judge every kernel on the same folds; a kernel that cannot be judged is told, and the others go on.

    Parameters
    ----------
    config, kernels, labels, validation
    learner : Learner, optional
        See `judge`.

    Raises
    ------
    InvalidInputError
        If no kernel is given.
    """
    started = time.perf_counter()
    forms, refused = _forms(config, kernels)
    copies = copies_of(list(forms.values()), labels, validation)
    for part in _one_by_one(
        forms, refused, lambda K: judge_in_steps(K, labels, validation, learner=learner, copies=copies)
    ):
        yield Evaluation(*part, time.perf_counter() - started)


def evaluating_numbers(
    config: EvaluationConfig,
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    learner: Learner,
) -> Iterator[NumberEvaluation]:
    """Judge how well every kernel predicts labels that are numbers, on the same folds.

    Parameters
    ----------
    config, kernels, labels, validation, learner
        See `judge_numbers`.

    Raises
    ------
    InvalidInputError
        If no kernel is given.
    """
    started = time.perf_counter()
    forms, refused = _forms(config, kernels)
    copies = copies_of(list(forms.values()), labels, validation)
    for part in _one_by_one(
        forms, refused,
        lambda K: judge_numbers_in_steps(K, labels, validation, learner=learner, copies=copies),
    ):  # fmt: skip
        yield NumberEvaluation(*part, time.perf_counter() - started)


class _Progress(Protocol[J]):
    """State of one cross-validation."""

    @property
    def done(self) -> int: ...
    @property
    def total(self) -> int: ...
    @property
    def judgement(self) -> J | None: ...


class _Part(NamedTuple, Generic[J]):
    """What is known of all kernels: judgements, reasons of those that were refused, folds done and in all."""

    judgements: Mapping[str, J]
    refused: Mapping[str, str]
    done: int
    total: int


def _forms(
    config: EvaluationConfig, kernels: Mapping[str, GramMatrix]
) -> tuple[dict[str, GramMatrix], dict[str, str]]:
    """All kernels as they are judged, by name, before the folds are drawn: copies are looked for in all of them; and why
    others cannot be made.
    """
    if not kernels:
        raise InvalidInputError("At least one kernel has to be chosen", "none")
    forms: dict[str, GramMatrix] = {}
    refused: dict[str, str] = {}
    for name, K in kernels.items():
        try:
            forms[name] = judged_form(config, K)
        except KernexError as error:
            if len(kernels) == 1:
                raise
            refused[name] = str(error)
    return forms, refused


def _one_by_one(
    forms: Mapping[str, GramMatrix],
    refused: Mapping[str, str],
    steps: Callable[[GramMatrix], Iterator[_Progress[J]]],
) -> Iterator[_Part[J]]:
    count = len(forms)
    state: _Part[J] = _Part({}, refused, 0, max(count, 1))
    for place, (name, K) in enumerate(forms.items()):
        try:
            for made in steps(K):
                known = {} if made.judgement is None else {name: made.judgement}
                state = _Part(
                    {**state.judgements, **known},
                    state.refused,
                    place * made.total + made.done,
                    count * made.total,
                )
                yield state
        except KernexError as error:
            if count == 1 and not refused:
                raise
            folds = max(state.total // count, 1)
            state = state._replace(refused={**state.refused, name: str(error)}, done=(place + 1) * folds)
            yield state
    yield state._replace(done=state.total)


def choosing_kernel(
    config: EvaluationConfig,
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    *,
    measure: Measure = "multi_class",
) -> Iterator[NestedChoice]:
    """Let every training fold choose among kernels that were judged, with C where that is chosen inside the folds.

    Parameters
    ----------
    config, kernels, labels, validation
        As in `evaluating`; kernels that were refused there are left out by the caller.
    measure : {"multi_class", "one_vs_rest", "recall", "balanced"}
        What is chosen by.
    """
    forms = {name: judged_form(config, K) for name, K in kernels.items()}
    return choosing_among(forms, labels, validation, measure=measure)


def choosing_among(
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    *,
    measure: Measure = "multi_class",
) -> Iterator[NestedChoice]:
    """Let every training fold choose among kernels as they stand: repairs of one matrix, ways to fill it.

    Parameters
    ----------
    kernels, labels, validation
        As they were judged.
    measure : {"multi_class", "one_vs_rest", "recall", "balanced"}
        What is chosen by.
    """
    how = Judging.of(labels, Treatment(validation, UNSCALED), kernels=list(kernels.values()))
    candidates = (
        (name, same_in_all(cut_of(K, inductive=validation.inductive))) for name, K in kernels.items()
    )
    return choosing_candidate(candidates, len(kernels), how, measure=measure)
