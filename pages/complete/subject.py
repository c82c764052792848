"""What the page Complete computes, cached: sweeps of hidden shares, and the answer to a move of λ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.choice import NestedChoice
from kernex_core.learning.chance.tried import Measure
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.completion.answer import Answer, JointAccuracy, joint_accuracy
from kernex_core.studies.completion.choice import choosing_lam
from kernex_core.studies.completion.config import CompletionConfig
from kernex_core.studies.completion.study import Completion, CompletionView, view
from kernex_core.studies.completion.sweep import MANY, Sweep, sweep_size, sweeping
from pages.shared.cached import cached
from pages.shared.panels.source_target import completion, conditioned_source

NEWEST = 8
"""Values of λ that are remembered: a slider has a hundred, and a kernel of a thousand items is 8 MB."""


@cached(public=True)
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


@cached(newest=NEWEST, public=True)
def view_at(config: CompletionConfig, source: GramMatrix, target: GramMatrix, lam: float) -> CompletionView:
    """The joint kernel at λ beside the truth."""
    return view(completion(config, source, target), lam)


@cached(newest=NEWEST, public=True)
def accuracy_at(
    lam: float,
    configs: tuple[CompletionConfig, ...],
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
) -> JointAccuracy:
    """Accuracy of the joint kernel at λ, for every hidden share that has a configuration here."""
    return joint_accuracy([share_sweep(c, source, target, labels, validation) for c in configs], lam)


def choosing(
    config: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    measure: Measure,
) -> Iterator[NestedChoice]:
    """Choose λ inside the training folds of the share that is shown, one state a λ."""
    return choosing_lam(share_sweep(config, source, target, labels, validation), measure=measure)


@cached(public=True)
def chosen(
    config: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    measure: Measure,
) -> NestedChoice:
    """The whole of it; the page keeps partial ones under the same key."""
    return list(choosing(config, source, target, labels, validation, measure))[-1]


@dataclass(frozen=True)
class Subject:
    """What the page is about in this run."""

    dataset: DataSet
    source: GramMatrix
    target: GramMatrix
    labels: Labels | None
    made: Completion
    validation: CrossValidation

    def view(self, lam: float) -> CompletionView:
        """The joint kernel at λ; needs no classes."""
        return view_at(self.made.config, self.source, self.target, lam)

    def answer(self, shown: CompletionView, sweeps: tuple[Sweep, ...]) -> Answer:
        """All that a move of λ changes, computed once for each λ; without sweeps it has no accuracy."""
        if self.labels is None or not sweeps:
            return Answer(shown)
        configs = tuple(replace(self.made.config, share=sweep.shares[0]) for sweep in sweeps)
        kernels = self.source, self.target
        return Answer(shown, accuracy_at(shown.lam, configs, *kernels, self.labels, self.validation))

    def sweep(self, share: float | None) -> Sweep:
        """All repetitions of a hidden share, computed where that has not been done."""
        assert self.labels is not None  # nobody asks without
        config = replace(self.made.config, share=share)
        return share_sweep(config, self.source, self.target, self.labels, self.validation)

    def known_sweep(self, share: float) -> Sweep | None:
        """The same if it has been computed."""
        if self.labels is None:
            return None
        config = replace(self.made.config, share=share)
        return share_sweep.peek(config, self.source, self.target, self.labels, self.validation)

    @property
    def other_sweeps(self) -> tuple[Sweep, ...]:
        """Those of the other shares on the accuracy chart that have been computed."""
        found = (self.known_sweep(share) for share in self.other_shares)
        return tuple(sweep for sweep in found if sweep is not None)

    @property
    def other_shares(self) -> tuple[float, ...]:
        """Shares on the accuracy chart besides the present one; none where the target is completed as uploaded."""
        share = self.made.config.share
        if share is None or self.labels is None or self.made.m > MANY:
            return ()
        shares, _ = sweep_size(self.made.m, self.validation)
        return tuple(s for s in shares if abs(s - share) > 1e-9)
