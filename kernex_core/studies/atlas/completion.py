"""The atlas of the page Complete: λ across; hidden share, nugget, C or known labels down.

A row is one sweep of Complete: its decompositions serve every λ, and its hidden items and folds are those of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Final

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent
from kernex_core.base.parameters import parameters
from kernex_core.completion.complete import Complete
from kernex_core.conditioning.repairs import conditioned
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import cut_blocks
from kernex_core.inputs.samples import Labels
from kernex_core.learning.cells import CellScores, passes_of, values_of
from kernex_core.learning.chance.tried import Candidate, NestedChoice, choosing_candidate
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.machine import Cut
from kernex_core.runtime.executors import one_blas_thread
from kernex_core.studies.atlas.axes import Axis, Value, axis_down, cost_axis
from kernex_core.studies.atlas.circumstances import (
    class_axis,
    disturbed,
    judged_at,
    label_axis,
    noise_axis,
)
from kernex_core.studies.atlas.field import Field, RowSteps, filling, row_of
from kernex_core.studies.completion.candidates import LAMS, contestants, scores_by_role
from kernex_core.studies.completion.share_sweep import (
    MANY,
    Before,
    Sweep,
    joint_matrix,
    joint_scores,
    sweeping,
)
from kernex_core.studies.completion.study import CompletionConfig, prepare, prepare_source

ATLAS_LAMS: Final = tuple(sorted({*LAMS, 0.95}))
ATLAS_SHARES: Final = (0.05, 0.1, 0.15, 0.25, 0.35, 0.5, 0.65, 0.75, 0.85, 0.9, 0.95)
NUGGETS: Final = (0.01, 0.03, 0.1, 0.3, 1.0)
MEASURE: Final = "multi_class"


def completion_axes(known: int, labels: Labels, folds: int) -> dict[str, Axis]:
    """What may run down, by name; λ runs across.

    Parameters
    ----------
    known : int
        Items that the target knows: of two shares that hide as many of them one is left out, and two stay known.
    labels, folds
        See `label_axis`.
    """
    hidden = {min(round(each * known), known - 2): each for each in reversed(ATLAS_SHARES)}
    shares = tuple(sorted(each for count, each in hidden.items() if count > 0))
    described = parameters(CompletionConfig)
    share = Axis(
        "share",
        described["share"].label,
        shares or ATLAS_SHARES[:1],
        noun="hidden",
        setting="hidden",
        is_choice=False,
    )
    nugget = Axis("nugget", described["nugget"].label, NUGGETS, symbol="ρ", setting="nugget")
    chosen = (share, nugget, cost_axis("cv_C"), label_axis(labels, folds), noise_axis("source"))
    return {each.name: each for each in chosen} | class_axis(labels)


def lam_axis(config: CompletionConfig) -> Axis:
    """λ; a residual is divided by it, and then it cannot be 0."""
    lams = ATLAS_LAMS[1:] if config.residual else ATLAS_LAMS
    return Axis("lam", parameters(Complete)["lam"].label, lams, symbol="λ", setting="lam")


Sweeping = Callable[[CompletionConfig, GramMatrix, Labels, CrossValidation], Iterator[Sweep]]
"""Judges one hidden share with a source; a state a repetition."""


@dataclass(frozen=True, eq=False)
class Sweeps(EqualByContent):
    """Sweeps of one target, one hidden share each: what no setting of a map changes is computed once.

    Attributes
    ----------
    whole : GramMatrix
        The target conditioned with nothing hidden.
    target : GramMatrix
        As it was brought.
    levels : dict
        Scores of both kernels alone, by source, labels and protocol: neither hidden items nor a nugget change them.
    ready : dict
        Sources conditioned, by digest.
    """

    whole: GramMatrix
    target: GramMatrix
    levels: dict[object, Mapping[str, tuple[CellScores, ...]]] = field(default_factory=dict)
    ready: dict[str, GramMatrix] = field(default_factory=dict)

    def __call__(
        self, config: CompletionConfig, source: GramMatrix, labels: Labels, validation: CrossValidation
    ) -> Iterator[Sweep]:
        """Judge everything without λ."""
        alike = source.digest, labels.digest, validation
        if source.digest not in self.ready:
            self.ready[source.digest] = prepare_source(config, source)
        before = Before(whole=self.whole, levels=self.levels.get(alike))
        states = sweeping(
            config,
            self.ready[source.digest],
            self.target,
            labels,
            validation,
            shares=(config.share,),
            before=before,
        )
        while True:
            with one_blas_thread:  # matrices this small are no work for several
                state = next(states, None)
            if state is None:
                return
            if state.done == state.total:
                self.levels[alike] = state.sweep.levels
            yield state.sweep


@dataclass(frozen=True, eq=False)
class _Completions(EqualByContent):
    """Rows of a map of Complete."""

    config: CompletionConfig
    source: GramMatrix
    labels: Labels
    validation: CrossValidation
    down: Axis
    sweeps: Sweeping | None
    target: GramMatrix

    @classmethod
    def of(
        cls,
        config: CompletionConfig,
        source: GramMatrix,
        target: GramMatrix,
        labels: Labels,
        validation: CrossValidation,
        down: str,
        sweeps: Sweeping | None,
    ) -> _Completions:
        axis = axis_down(down, completion_axes(int(target.known.sum()), labels, validation.folds))
        return cls(config, source, labels, validation, axis, sweeps, target)

    @cached_property
    def judge(self) -> Sweeping:
        """Sweeps of all rows, which share what no setting of the map changes."""
        return self.sweeps or Sweeps(conditioned(self.config, self.target), self.target)

    def at(self, value: Value) -> _Completions:
        """With the settings of a row."""
        config = self.config
        if isinstance(value, float | int) and self.down.name == "share":
            config = replace(config, share=float(value))
        elif isinstance(value, float | int) and self.down.name == "nugget":
            config = replace(config, nugget=float(value))
        source = self.source
        if isinstance(value, float | int) and self.down.name == "noise":
            source = disturbed(source, float(value), seed=config.seed)
        labels, validation = judged_at(self.down, value, self.labels, self.validation)
        return replace(self, config=config, source=source, labels=labels, validation=validation)

    def sweep(self, value: Value) -> Iterator[Sweep]:
        """The sweep of one hidden share at a value of the axis down; a state a repetition."""
        here = self.at(value)
        return self.judge(here.config, here.source, here.labels, here.validation)

    def judging(self, lams: tuple[float, ...], value: Value) -> RowSteps:
        """Judge every λ, and what has none."""
        states: list[Sweep] = []
        for state in self.sweep(value):
            states[:] = [state]
            yield None
        (sweep,) = states
        columns = []
        for lam in lams:
            with one_blas_thread:
                found = [joint_scores(cell, lam) for cell in sweep.cells]
            columns.append(values_of(found, MEASURE))
            if sweep.n_items > MANY:
                yield None
        first = found[0]
        names = {each.role: each for each in contestants(sweep.cells[0].config, self.source.name)}
        beside = {
            names[role].name: values_of(scores, MEASURE) for role, scores in scores_by_role(sweep, ()).items()
        }
        plain = [each.name for each in names.values() if each.plain]
        return row_of(
            columns,
            beside,
            plain,
            passes=passes_of(found),
            groups=first.groups,
            classes=None,
            floor=sweep.multi_floor,
            items=np.flatnonzero(sweep.cells[0].how.coded.codes >= 0),
        )


def completion_atlas(
    config: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    *,
    down: str = "share",
    done: Field | None = None,
    sweeps: Sweeping | None = None,
) -> Iterator[Field | None]:
    """Accuracy of the joint kernel at every λ, along a second parameter; a state a row of it, and None in between.

    Every cell is what the page Complete says at the same setting: the same hidden items, folds and kernels.

    Parameters
    ----------
    config : CompletionConfig
    source, target : GramMatrix
        As they were brought.
    labels : Labels
    validation : CrossValidation
    down : {"share", "nugget", "C", "labels", "noise", "without", ""}
        The second parameter; "" = none.
    done : Field, optional
        What an earlier run got to.
    sweeps : callable, optional
        Where somebody keeps what it returns.

    Raises
    ------
    InvalidInputError
        Fewer than two classes, no such parameter, or a source with unknown pairs.

    Examples
    --------
    >>> from kernex_core import CompletionConfig, CrossValidation, completion_atlas, last_state, load_dataset
    >>> data = load_dataset("protein_world").select(range(0, 206, 4))
    >>> kernels, once = data.kernels, CrossValidation(repeats=1)
    >>> states = completion_atlas(CompletionConfig(), kernels["sequence"], kernels["structure"], data.labels, once)
    >>> field = last_state(states)
    >>> field.values.shape, field.done
    ((11, 9), 11)
    """
    about = _Completions.of(config, source, target, labels, validation, down, sweeps)
    across = lam_axis(config)
    start = Field.empty(across, about.down, "accuracy")
    yield from filling(start, partial(about.judging, across.numbers), done)


def choosing_completion(
    config: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    *,
    down: str = "share",
    at: Value = None,
    sweeps: Sweeping | None = None,
) -> Iterator[NestedChoice]:
    """The best cell chosen again inside every training fold, one cell a step: of a row, or of all where rows are choices.

    Parameters
    ----------
    config, source, target, labels, validation, down, sweeps
        As in `completion_atlas`.
    at : float, optional
        Which row, where rows are circumstances.
    """
    about = _Completions.of(config, source, target, labels, validation, down, sweeps)
    across = lam_axis(config)
    if at is not None and about.down.is_choice:
        raise InvalidInputError("Where rows are choices, all are chosen from", f"the row {at:g}")
    values: tuple[Value, ...] = about.down.values if about.down.is_choice else (at,)
    if about.down.name == "C":  # every fold chooses it with λ
        about, values = replace(about, validation=replace(validation, choose_C=True)), (None,)
    start = Field.empty(across, about.down, "accuracy")
    *_, first = about.sweep(values[0])
    how = replace(first.cells[0].how, folds=tuple(f for cell in first.cells for f in cell.how.folds))

    def candidates() -> Iterator[tuple[str, Candidate]]:
        for row, value in enumerate(values):
            *_, sweep = (first,) if row == 0 else about.sweep(value)
            for k, lam in enumerate(across.numbers):
                cuts = [partial(cut_blocks, joint_matrix(cell, lam)) for cell in sweep.cells]
                yield (
                    (across.words(k) if about.down.name == "C" else start.called(row, k)),
                    partial(_of_repetition, cuts),
                )

    yield from choosing_candidate(candidates(), len(values) * len(across.values), how, measure=MEASURE)


def _of_repetition(cuts: Sequence[Cut], repetition: int) -> Cut:
    return cuts[repetition]


def completion_cell(
    config: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    *,
    down: str,
    at: Value,
    lam: float,
) -> GramMatrix:
    """The joint kernel of a cell, of the first of its hidden sets, as Complete shows it."""
    here = _Completions.of(config, source, target, labels, validation, down, None).at(at)
    return prepare(here.config, prepare_source(here.config, here.source), target).kernel(lam)
