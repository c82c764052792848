"""The atlas of the page Power p: p across; scheme, C or known labels down; the loss of its support vector machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from kernex_core.base.errors import InvalidInputError, KernexError, NotPositiveSemidefiniteError
from kernex_core.base.frozen import EqualByContent, FloatArray
from kernex_core.base.parameters import parameters
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.tried import Candidate, NestedChoice, choosing_candidate, same_in_all
from kernex_core.learning.folds import C_GRID
from kernex_core.learning.machine import HARD_MARGIN, cut_of
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.runtime.progress import Steps, quietly
from kernex_core.studies.atlas.axes import Axis, Value, axis_down, cost_axis
from kernex_core.studies.atlas.circumstances import (
    class_axis,
    disturbed,
    judged_at,
    label_axis,
    noise_axis,
)
from kernex_core.studies.atlas.field import Field, RowSteps, filling, row_of
from kernex_core.studies.diagonals.judging import (
    CLASSIFIERS,
    SVM_TOLERANCE,
    Losses,
    check_trained,
    constant_loss,
)
from kernex_core.studies.diagonals.shrink import DiagonalConfig, shrunk_kernel
from kernex_core.studies.diagonals.strength_sweep import choosing_strength

AS_IT_IS: Final = "SVM, as it is"
NEIGHBOUR: Final = "1-NN, as it is"
MEASURE: Final = "balanced loss"
PAGE_NAMES: Final = {"p": "power", "scale": "scale"}


def diagonal_axes(labels: Labels, folds: int) -> dict[str, Axis]:
    """What may run down, by name; p, or the scale of the logarithm, runs across. Labels and folds: see `label_axis`."""
    described = parameters(DiagonalConfig)["scheme"]
    scheme = Axis("scheme", described.label, tuple(str(each) for each in described.choices), setting="scheme")
    cost = cost_axis("cv_C", (*C_GRID, HARD_MARGIN))
    chosen = {each.name: each for each in (scheme, cost, label_axis(labels, folds), noise_axis("kernel"))}
    return chosen | class_axis(labels)


def strength_axis(config: DiagonalConfig) -> Axis:
    """p, or the scale, rising."""
    name = config.map.strength
    label = parameters(DiagonalConfig)[name].label
    return Axis(name, label, tuple(sorted(config.grid)), symbol=name, setting=PAGE_NAMES[name])


@dataclass(frozen=True, eq=False)
class _Diagonals(EqualByContent):
    config: DiagonalConfig
    K: GramMatrix
    labels: Labels
    protocol: Protocol
    down: Axis
    across: Axis

    def at(self, value: Value) -> _Diagonals:
        """With the settings of a row."""
        labels, validation = judged_at(self.down, value, self.labels, self.protocol.validation)
        made = replace(self, labels=labels, protocol=replace(self.protocol, validation=validation))
        if self.down.name == "scheme":
            return replace(made, config=replace(self.config, scheme=str(value)))
        if self.down.name == "noise" and isinstance(value, float):
            return replace(made, K=disturbed(self.K, value, seed=validation.seed))
        return made

    def judging(self, value: Value) -> RowSteps:
        """Judge every p, and the kernel as it is."""
        here = self.at(value)
        config, K = here.config, here.K
        how = Judging.of(here.labels, here.protocol, K=K)
        if how.inductive and not config.way.takes_new_items:
            raise InvalidInputError(f"The {config.scheme} scheme needs all items at once", "an inductive run")
        columns: list[FloatArray | None] = []
        failed = ""
        for strength in self.across.numbers:
            try:
                losses = yield from quietly(_machine(config.at(strength), K, how))
            except KernexError as error:  # beyond what numbers hold, where the others are not
                columns.append(None)
                failed = str(error)
            else:
                columns.append(_by_item(losses))
        beside = {NEIGHBOUR: (yield from quietly(CLASSIFIERS["neighbour"](K, how, ())))}
        try:
            check_trained(K, how)
            beside[AS_IT_IS] = yield from quietly(CLASSIFIERS["svm"](K, how, ()))
        except NotPositiveSemidefiniteError:
            pass  # as it is, it is no kernel, and no machine is trained on it
        if all(each is None for each in columns):
            raise InvalidInputError("At least one value has to be judged", failed)
        first = beside[NEIGHBOUR]
        return row_of(
            columns,
            {name: _by_item(losses) for name, losses in beside.items()},
            tuple(beside),
            passes=first.passes,
            groups=first.groups,
            classes=None if first.one_a_fold else first.codes,
            floor=constant_loss(how.coded.codes, how.folds),
            items=np.flatnonzero(how.coded.codes >= 0),
        )


def _machine(config: DiagonalConfig, K: GramMatrix, how: Judging) -> Steps[Losses]:
    if how.inductive:
        return CLASSIFIERS["svm"](K, how, config.steps)
    return CLASSIFIERS["svm"](shrunk_kernel(config, K), how, ())


def _by_item(losses: Losses) -> FloatArray:
    if not losses.missed.size:
        raise InvalidInputError("Every repetition has to test the same items", "others")
    return losses.by_item


def diagonal_atlas(
    config: DiagonalConfig,
    K: GramMatrix,
    labels: Labels,
    protocol: Protocol,
    *,
    down: str = "scheme",
    done: Field | None = None,
) -> Iterator[Field | None]:
    """Balanced loss of the support vector machine at every p, along a second parameter; a state a row of it.

    Every cell is what the page Power p says at the same setting.

    Parameters
    ----------
    config : DiagonalConfig
        Its p and scale do not matter.
    K : GramMatrix
        Known for every pair.
    labels : Labels
    protocol : Protocol
    down : {"scheme", "C", "labels", "noise", "without", ""}
        The second parameter; "" = none.
    done : Field, optional
        What an earlier run got to.

    Raises
    ------
    InvalidInputError
        Fewer than two classes, or no such parameter.

    Examples
    --------
    >>> from kernex_core import CrossValidation, DiagonalConfig, Protocol, diagonal_atlas, last_state, load_dataset
    >>> data = load_dataset("protein_world").select(range(0, 206, 6))
    >>> protocol = Protocol(CrossValidation(repeats=1, C=1e6))
    >>> states = diagonal_atlas(DiagonalConfig(), data.kernels["sequence"], data.labels, protocol, down="")
    >>> last_state(states).values.shape
    (1, 10)
    """
    about = _of(config, K, labels, protocol, down)
    start = Field.empty(about.across, about.down, MEASURE, smaller=True)
    yield from filling(start, about.judging, done)


def choosing_diagonal(
    config: DiagonalConfig,
    K: GramMatrix,
    labels: Labels,
    protocol: Protocol,
    *,
    down: str = "scheme",
    at: Value = None,
) -> Iterator[NestedChoice]:
    """The best cell chosen again inside every training fold, one cell a step: of a row, or of all where rows are choices.

    Parameters
    ----------
    config, K, labels, protocol, down
        As in `diagonal_atlas`.
    at : float, optional
        Which row, where rows are circumstances.
    """
    about = _of(config, K, labels, protocol, down)
    if about.down.name == "C":  # every fold chooses it with p
        chosen = replace(protocol, validation=replace(protocol.validation, choose_C=True))
        about = _of(config, K, labels, chosen, "")
    if about.down.name != "scheme":
        here = about.at(at)
        yield from choosing_strength(here.config, here.K, here.labels, here.protocol, about.across.numbers)
        return
    judging = Judging.of(labels, protocol, K=K)
    start = Field.empty(about.across, about.down, MEASURE, smaller=True)
    total = len(about.down.values) * len(about.across.values)
    candidates = _of_all_schemes(about, start, judging.inductive)
    found = None
    for found in choosing_candidate(candidates, total, judging, measure="balanced", tolerance=SVM_TOLERANCE):
        yield found
    if found is not None and found.done < found.total:  # some were no candidates
        yield replace(found, total=found.done)


def _of_all_schemes(about: _Diagonals, start: Field, inductive: bool) -> Iterator[tuple[str, Candidate]]:
    for row, value in enumerate(about.down.values):
        own = about.at(value).config
        for k, strength in enumerate(about.across.numbers):
            if inductive and not own.way.takes_new_items:
                continue
            with suppress(KernexError):  # as in the map: what this similarity does not allow is no candidate
                cut = cut_of(about.K, inductive=inductive, further=own.at(strength).steps)
                yield start.called(row, k), same_in_all(cut)


def _of(config: DiagonalConfig, K: GramMatrix, labels: Labels, protocol: Protocol, down: str) -> _Diagonals:
    axis = axis_down(down, diagonal_axes(labels, protocol.validation.folds))
    return _Diagonals(config, K, labels, protocol, axis, strength_axis(config))


def diagonal_cell(
    config: DiagonalConfig,
    K: GramMatrix,
    labels: Labels,
    protocol: Protocol,
    *,
    down: str,
    at: Value,
    strength: float,
) -> GramMatrix:
    """The kernel of a cell, as Power p shows it."""
    here = _of(config, K, labels, protocol, down).at(at)
    return shrunk_kernel(here.config.at(strength), here.K)
