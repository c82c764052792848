"""What the page Kernels computes, cached: a change of one setting recomputes only what depends on it."""

from __future__ import annotations

from collections.abc import Callable

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.pieces import Pieces, finished
from kernex_core.studies.inspection import Inspection, InspectionConfig, condition, inspecting
from kernex_core.studies.treatment import Treatment, examining, treating
from pages.shared.cached import cached
from pages.shared.panels.in_pieces import Pieced, in_pieces

AT_ONCE = 1_200
"""Items up to which eigenvalues come without a word (about a second)."""


@cached
def conditioned(config: InspectionConfig, K: GramMatrix) -> GramMatrix:
    """Return the kernel after the elementwise map and the normalisation."""
    return condition(config, K)


@cached
def inspection(config: InspectionConfig, K: GramMatrix, labels: Labels | None) -> Inspection:
    """Return the conditioned kernel and what it is like."""
    return finished(_inspecting(config, K, labels))


def _inspecting(config: InspectionConfig, K: GramMatrix, labels: Labels | None) -> Pieces[Inspection]:
    return inspecting(config, conditioned(config, K), labels)


def watched_inspection(config: InspectionConfig, K: GramMatrix, labels: Labels | None) -> Inspection | None:
    """Return `inspection`, of many items with progress and Stop; None where it was stopped."""
    return in_pieces(
        Pieced(inspection, _inspecting, (config, K, labels)),
        key="kernels.spectrum",
        what="% of the eigenvalues",
        at_once=_few(conditioned(config, K)),
        label="Compute the eigenvalues",
    )


@cached
def treatment(config: InspectionConfig, K: GramMatrix, labels: Labels | None, method: str) -> Treatment:
    """Return one row of the PSD doctor, without accuracy."""
    return finished(_treating(config, K, labels, method))


def _treating(
    config: InspectionConfig, K: GramMatrix, labels: Labels | None, method: str
) -> Pieces[Treatment]:
    return treating(inspection(config, K, labels), method, labels)


def watched_treatment(
    config: InspectionConfig, K: GramMatrix, labels: Labels | None, method: str
) -> Treatment | None:
    """Return `treatment`, of many items with progress and Stop; None where it was stopped."""
    return in_pieces(
        Pieced(treatment, _treating, (config, K, labels, method)),
        key=f"kernels.repair.{method}",
        what=f"% of the repair {method}",
        at_once=_few(conditioned(config, K)),
        label=f"Repair: {method}",
    )


def _few(gram: GramMatrix) -> bool:
    return int(gram.known.sum()) <= AT_ONCE


@cached
def accuracy(
    config: InspectionConfig, K: GramMatrix, labels: Labels, method: str, validation: CrossValidation
) -> Judgement:
    """Return the accuracy of one row of the PSD doctor."""
    made = [state.judgement for state in examining(treatment(config, K, labels, method), labels, validation)][
        -1
    ]
    assert made is not None  # the last state holds every repetition
    return made


def watched_accuracy(
    config: InspectionConfig,
    K: GramMatrix,
    labels: Labels,
    method: str,
    validation: CrossValidation,
    report: Callable[[float], object],
) -> Judgement:
    """Return `accuracy`, calling `report` with the share that is done; it may raise to stop."""
    found = accuracy.peek(config, K, labels, method, validation)
    if found is not None:
        return found
    made = None
    for state in examining(treatment(config, K, labels, method), labels, validation):
        made = state.judgement
        report(state.done / state.total)
    assert made is not None
    return accuracy.keep(made, config, K, labels, method, validation)
