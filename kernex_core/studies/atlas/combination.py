"""The atlas of the page Combine: λ across; how both kernels are combined, nugget, C, noise or known labels down.

One decomposition of both kernels serves every λ, and all rows but those of a nugget or of noise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from kernex_core.base.frozen import EqualByContent, FloatArray
from kernex_core.base.parameters import parameter, parameters
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import cut_blocks
from kernex_core.inputs.samples import Labels
from kernex_core.learning.cells import passes_of, scores_of, values_of
from kernex_core.learning.chance.tried import Candidate, NestedChoice, choosing_candidate, same_in_all
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.machine import UNSCALED
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.learning.scores import majority_floor
from kernex_core.runtime.executors import one_blas_thread
from kernex_core.studies.atlas.axes import Axis, Value, axis_down, cost_axis
from kernex_core.studies.atlas.circumstances import (
    class_axis,
    disturbed,
    judged_at,
    label_axis,
    noise_axis,
)
from kernex_core.studies.atlas.completion import MEASURE, NUGGETS
from kernex_core.studies.atlas.field import Field, RowSteps, filling, row_of
from kernex_core.studies.combination import (
    LAMS,
    Combination,
    CombinationConfig,
    judged_values,
    names_of,
    prepare_combination,
)

WEIGHTED = ("joint", "weighted sum")
"""Combinations that have a λ."""
BESIDE = (("first", 0.0), ("second", 0.0), ("product", 0.0))
"""What has none."""


@dataclass(frozen=True)
class WeightedConfig(CombinationConfig):
    """How both kernels are conditioned, and how they are combined, where that is not what runs down."""

    kind: str = parameter(
        "joint",
        label="Combination",
        help="Smooth where both kernels are, or a plain sum; where the rows are no combinations.",
        choices=WEIGHTED,
    )


def combination_axes(labels: Labels, folds: int) -> dict[str, Axis]:
    """What may run down, by name; λ runs across. Labels and folds: see `label_axis`."""
    described = parameters(WeightedConfig)
    chosen = (
        Axis("kind", described["kind"].label, WEIGHTED, setting="kind"),
        Axis("nugget", described["nugget"].label, NUGGETS, symbol="ρ", setting="nugget"),
        cost_axis("cv_C"),
        label_axis(labels, folds),
        noise_axis("second kernel"),
    )
    return {each.name: each for each in chosen} | class_axis(labels)


def weight_axis() -> Axis:
    """λ, as the page judges it."""
    return Axis("lam", "Weight of the first kernel", LAMS, symbol="λ", setting="combine_lam")


@dataclass(frozen=True, eq=False)
class _Combinations(EqualByContent):
    """Rows of a map of Combine."""

    config: WeightedConfig
    first: GramMatrix
    second: GramMatrix
    labels: Labels
    validation: CrossValidation
    down: Axis
    prepared: dict[Value, Combination]

    def at(self, value: Value) -> tuple[str, Combination, Judging]:
        """The combination, both kernels decomposed, and the folds of a row."""
        config, second, kind, key = self.config, self.second, self.config.kind, None
        if self.down.name == "kind":
            kind = str(value)
        elif self.down.name == "nugget" and isinstance(value, float):
            config, key = replace(config, nugget=value), value
        elif self.down.name == "noise" and isinstance(value, float):
            second, key = disturbed(second, value, seed=self.validation.seed), value
        labels, validation = judged_at(self.down, value, self.labels, self.validation)
        if key not in self.prepared:
            self.prepared.clear()  # no row comes back to it
            with one_blas_thread:
                self.prepared[key] = prepare_combination(config, self.first, second)
        made = self.prepared[key]
        how = Judging.of(labels, Protocol(validation, UNSCALED), kernels=(made.first, made.second))
        return kind, made, how

    def judging(self, value: Value) -> RowSteps:
        """Judge every λ, the product, and each kernel alone."""
        kind, made, how = self.at(value)
        repetitions = how.repetitions
        judged = []
        for job in (*((kind, lam) for lam in LAMS), *BESIDE):
            with one_blas_thread:
                K = judged_values(made, *job)
                judged.append([scores_of(K, each) for each in repetitions])
            yield None
        first = judged[0]
        columns: list[FloatArray | None] = [values_of(found, MEASURE) for found in judged]
        names = list(names_of(BESIDE, self.first.name, self.second.name).values())
        beside = {
            name: values_of(found, MEASURE) for name, found in zip(names, judged[len(LAMS) :], strict=True)
        }
        coded = how.coded
        return row_of(
            columns[: len(LAMS)],
            beside,
            names[:2],
            passes=passes_of(first),
            groups=first[0].groups,
            classes=None,
            floor=majority_floor(coded.labelled, len(coded.classes)),
            items=np.flatnonzero(coded.codes >= 0),
        )


def combination_atlas(
    config: WeightedConfig,
    first: GramMatrix,
    second: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    *,
    down: str = "kind",
    done: Field | None = None,
) -> Iterator[Field | None]:
    """Accuracy of two kernels combined at every λ, along a second parameter; a state a row of it, and None in between.

    Every cell is what the page Combine says at the same setting.

    Parameters
    ----------
    config : WeightedConfig
    first, second : GramMatrix
        As they were brought, known for every pair; λ weights the first.
    labels : Labels
    validation : CrossValidation
    down : {"kind", "nugget", "C", "labels", "noise", "without", ""}
        The second parameter; "" = none.
    done : Field, optional
        What an earlier run got to.

    Raises
    ------
    InvalidInputError
        Fewer than two classes, no such parameter, other items, or unknown pairs.

    Examples
    --------
    >>> from kernex_core import CrossValidation, WeightedConfig, combination_atlas, last_state, load_dataset
    >>> data = load_dataset("protein_world").select(range(0, 206, 6))
    >>> kernels, once = data.kernels, CrossValidation(repeats=1)
    >>> states = combination_atlas(WeightedConfig(), kernels["sequence"], kernels["structure"], data.labels, once)
    >>> last_state(states).values.shape
    (2, 13)
    """
    about = _of(config, first, second, labels, validation, down)
    yield from filling(Field.empty(weight_axis(), about.down, "accuracy"), about.judging, done)


def choosing_weight(
    config: WeightedConfig,
    first: GramMatrix,
    second: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    *,
    down: str = "kind",
    at: Value = None,
) -> Iterator[NestedChoice]:
    """The best cell chosen again inside every training fold, one cell a step: of a row, or of all where rows are choices.

    Parameters
    ----------
    config, first, second, labels, validation, down
        As in `combination_atlas`.
    at : float, optional
        Which row, where rows are circumstances.
    """
    about = _of(config, first, second, labels, validation, down)
    values: tuple[Value, ...] = about.down.values if about.down.is_choice else (at,)
    if about.down.name == "C":  # every fold chooses it with λ
        about, values = (
            _of(config, first, second, labels, replace(validation, choose_C=True), ""),
            (None,),
        )
    start = Field.empty(weight_axis(), about.down, "accuracy")

    def candidates() -> Iterator[tuple[str, Candidate]]:
        for row, value in enumerate(values):
            kind, made, _ = about.at(value)
            for k, lam in enumerate(LAMS):
                yield start.called(row, k), same_in_all(partial(cut_blocks, made.values(kind, lam)))

    *_, how = about.at(values[0])
    yield from choosing_candidate(candidates(), len(values) * len(LAMS), how, measure=MEASURE)


def combination_cell(
    config: WeightedConfig,
    first: GramMatrix,
    second: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    *,
    down: str,
    at: Value,
    lam: float,
) -> GramMatrix:
    """The kernel of a cell, as Combine shows it."""
    own, made, _ = _of(config, first, second, labels, validation, down).at(at)
    return made.kernel(own, lam)


def _of(
    config: WeightedConfig,
    first: GramMatrix,
    second: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    down: str,
) -> _Combinations:
    axis = axis_down(down, combination_axes(labels, validation.folds))
    return _Combinations(config, first, second, labels, validation, axis, {})
