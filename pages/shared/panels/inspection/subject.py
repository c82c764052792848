"""What the page Kernels computes, cached: a change of one setting recomputes only what depends on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.runtime.progress import Steps, finished
from kernex_core.studies.combination import NO_REPAIR, Treatment, examining, treating
from kernex_core.studies.inspection import Inspection, InspectionConfig, condition, inspecting
from pages.shared.cached import cached
from pages.shared.panels.in_pieces import Pieced, run_in_pieces
from pages.shared.panels.staged import Staged, run_study

AT_ONCE = 1_200
"""Items up to which eigenvalues come without a word (about a second)."""
AT_ONCE_JUDGED, AT_ONCE_FOLDS = 320, 10
"""Items, and folds of all repetitions, up to which the accuracies do."""


@cached(public=True)
def conditioned(config: InspectionConfig, K: GramMatrix) -> GramMatrix:
    """Return the kernel after the elementwise map and the normalisation."""
    return condition(config, K)


@cached(public=True)
def inspection(config: InspectionConfig, K: GramMatrix, labels: Labels | None) -> Inspection:
    """Return the conditioned kernel and what it is like."""
    return finished(_inspecting(config, K, labels))


def _inspecting(config: InspectionConfig, K: GramMatrix, labels: Labels | None) -> Steps[Inspection]:
    return inspecting(config, conditioned(config, K), labels)


def watched_inspection(config: InspectionConfig, K: GramMatrix, labels: Labels | None) -> Inspection | None:
    """Return `inspection`, of many items with progress and Stop; None where it was stopped."""
    return run_in_pieces(
        Pieced(inspection, _inspecting, (config, K, labels)),
        key="kernels.spectrum",
        what="% of eigenvalues and map",
        at_once=_few(conditioned(config, K)),
        label="Compute the eigenvalues",
    )


@cached(public=True)
def treatment(config: InspectionConfig, K: GramMatrix, labels: Labels | None, method: str) -> Treatment:
    """Return one row of the PSD doctor, without accuracy."""
    return finished(_treating(config, K, labels, method))


def _treating(
    config: InspectionConfig, K: GramMatrix, labels: Labels | None, method: str
) -> Steps[Treatment]:
    return treating(inspection(config, K, labels), method, labels)


def watched_treatment(
    config: InspectionConfig, K: GramMatrix, labels: Labels | None, method: str
) -> Treatment | None:
    """Return `treatment`, of many items with progress and Stop; None where it was stopped."""
    return run_in_pieces(
        Pieced(treatment, _treating, (config, K, labels, method)),
        key=f"kernels.repair.{method}",
        what=f"% of the repair {method}",
        at_once=_few(conditioned(config, K)),
        label=f"Repair: {method}",
    )


def _few(gram: GramMatrix) -> bool:
    return int(gram.known.sum()) <= AT_ONCE


@cached(public=True)
def accuracy(
    config: InspectionConfig, K: GramMatrix, labels: Labels, method: str, validation: CrossValidation
) -> Judgement:
    """Return the accuracy of one row of the PSD doctor."""
    made = [state.judgement for state in examining(treatment(config, K, labels, method), labels, validation)][
        -1
    ]
    assert made is not None  # the last state holds every repetition
    return made


@dataclass(frozen=True, eq=False)
class Accuracies:
    """Accuracies of several rows that are done, all on the same folds; of `total` folds `done` are."""

    judged: Mapping[str, Judgement]
    done: int
    total: int


Args: TypeAlias = tuple[InspectionConfig, GramMatrix, Labels, tuple[str, ...], CrossValidation]


@cached
def accuracies(
    config: InspectionConfig,
    K: GramMatrix,
    labels: Labels,
    methods: tuple[str, ...],
    validation: CrossValidation,
) -> Accuracies:
    """Return the accuracy of every row; the page keeps partial results under the same key."""
    *_, last = _comparing(config, K, labels, methods, validation)
    return last


def _comparing(
    config: InspectionConfig,
    K: GramMatrix,
    labels: Labels,
    methods: tuple[str, ...],
    validation: CrossValidation,
    done: Accuracies | None = None,
) -> Iterator[Accuracies]:
    """Judge row by row; whole rows are not judged again, whether `done` holds them or another comparison did."""
    judged: dict[str, Judgement] = {} if done is None else dict(done.judged)
    folds = 1
    for place, method in enumerate(methods):
        # a repair that leaves a kernel as it is has that kernel's accuracy
        same = method if treatment(config, K, labels, method).changed else NO_REPAIR
        made = judged.get(method) or accuracy.peek(config, K, labels, same, validation)
        if made is None:
            for state in examining(treatment(config, K, labels, same), labels, validation):
                made, folds = state.judgement, state.total
                yield Accuracies(
                    dict(judged), place * folds + min(state.done, folds - 1), len(methods) * folds
                )
            assert made is not None  # the last state holds every repetition
            made = accuracy.keep(made, config, K, labels, same, validation)
        judged[method] = made
        yield Accuracies(dict(judged), (place + 1) * folds, len(methods) * folds)


def known_accuracy(
    config: InspectionConfig, K: GramMatrix, labels: Labels, method: str, validation: CrossValidation
) -> Judgement | None:
    """Return the accuracy of a repair where it is there; one that leaves a kernel as it is has that kernel's."""
    row = treatment.peek(config, K, labels, method)
    if row is None:
        return None
    return accuracy.peek(config, K, labels, method if row.changed else NO_REPAIR, validation)


def watched_accuracies(args: Args, *, automatic: bool) -> Mapping[str, Judgement]:
    """Return the accuracy of every row, with progress and Stop where they take longer; after a stop those that are done."""
    config, K, _, _, validation = args
    n = int(conditioned(config, K).known.sum())
    study: Staged[Accuracies] = Staged(accuracies, _comparing, args, resumes=True)
    found = study.known()
    if found is not None and found.done >= found.total:
        return found.judged
    if automatic and n <= AT_ONCE_JUDGED and 0 < validation.folds * validation.repeats <= AT_ONCE_FOLDS:
        return accuracies(*args).judged
    found = run_study(
        study,
        key="kernels.accuracies",
        what="folds of all repairs" if len(args[3]) > 1 else "folds",
        automatic=automatic,
        label="Judge the repairs" if len(args[3]) > 1 else "Judge",
    )
    return {} if found is None else found.judged
