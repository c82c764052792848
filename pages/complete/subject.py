"""What the page Complete computes, cached: conditioning, decompositions, sweeps; and the choice of kernels."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.completion.config import CompletionConfig
from kernex_core.studies.completion.study import Completion
from kernex_core.studies.completion.sweep import Sweep, sweeping
from pages.shared.cached import cached
from pages.shared.panels.source_target import completion, conditioned_source


@cached
def share_sweep(
    config: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
) -> Sweep:
    """All repetitions of one hidden share."""
    ready = conditioned_source(config.repair, config.normalize, source)
    shown = completion(config, source, target) if config.share is None else None
    states = list(
        sweeping(config, ready, target, labels, validation, shares=(config.share,), as_uploaded=shown)
    )
    return states[-1].sweep


def known_sweep(
    config: CompletionConfig,
    share: float | None,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
) -> Sweep | None:
    """Sweep of another share if it has been computed."""
    return share_sweep.peek(replace(config, share=share), source, target, labels, validation)


@dataclass(frozen=True)
class Subject:
    """What the page is about in this run."""

    dataset: DataSet
    source: GramMatrix
    target: GramMatrix
    labels: Labels | None
    made: Completion
    validation: CrossValidation
