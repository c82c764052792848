"""The atlas of the page Networks: τ across; the Laplacian, C or known labels down. One decomposition serves every τ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from kernex_core.base.frozen import EqualByContent, FloatArray
from kernex_core.base.parameters import parameters
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import cut_blocks
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Labels
from kernex_core.kernels.networks.diffusion import Diffusion, Laplacian
from kernex_core.learning.chance.tried import NestedChoice, choosing_candidate, same_in_all
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.machine import UNSCALED
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.studies.atlas.axes import Axis, Value, axis_down, cost_axis
from kernex_core.studies.atlas.circumstances import (
    class_axis,
    edge_axis,
    judged_at,
    label_axis,
    with_fewer_edges,
)
from kernex_core.studies.atlas.field import Field, RowSteps, filling, row_of
from kernex_core.studies.networks.study import (
    TAUS,
    NetworkSweep,
    PreparedNetwork,
    diffusions_of,
    prepare_network,
    scaled,
    sweeping_network,
)


def network_axes(labels: Labels, folds: int) -> dict[str, Axis]:
    """What may run down, by name; τ runs across. Labels and folds: see `label_axis`."""
    described = parameters(Diffusion)["laplacian"]
    laplacian = Axis(
        "laplacian",
        described.label,
        tuple(str(each) for each in described.choices),
        setting="laplacian",
        names=described.names,
    )
    chosen = (laplacian, cost_axis("cv_C"), label_axis(labels, folds), edge_axis())
    return {each.name: each for each in chosen} | class_axis(labels)


def tau_axis() -> Axis:
    """τ, as the page judges it."""
    return Axis("tau", parameters(Diffusion)["tau"].label, TAUS, symbol="τ", setting="tau")


@dataclass(frozen=True, eq=False)
class _Networks(EqualByContent):
    network: Network
    laplacian: Laplacian
    labels: Labels
    validation: CrossValidation
    down: Axis
    prepared: dict[Value, PreparedNetwork]

    def sweep(self, value: Value) -> Iterator[NetworkSweep]:
        """The sweep of τ at a value of the axis down; a state a τ."""
        labels, validation = judged_at(self.down, value, self.labels, self.validation)
        prepared = self.prepare(value)
        yield from sweeping_network(prepared, diffusions_of(prepared), labels, validation)

    def prepare(self, value: Value) -> PreparedNetwork:
        """One decomposition for all rows of a Laplacian and of the same edges."""
        laplacian: Laplacian = self.laplacian
        if self.down.name == "laplacian":
            laplacian = "unnormalized" if value == "unnormalized" else "normalized"
        network, key = self.network, value if self.down.name in ("laplacian", "edges") else None
        if self.down.name == "edges" and isinstance(value, float):
            network = with_fewer_edges(network, value, seed=self.validation.seed)
        if key not in self.prepared:
            self.prepared.clear()  # no row comes back to it
            self.prepared[key] = prepare_network(network, laplacian)
        return self.prepared[key]

    def judging(self, value: Value) -> RowSteps:
        """Judge every τ."""
        states: list[NetworkSweep] = []
        for state in self.sweep(value):
            states[:] = [state]
            yield None
        (found,) = states
        judged: dict[float, Judgement] = {
            float(getattr(kernel, "tau", np.nan)): one
            for kernel, one in zip(found.kernels, found.judged, strict=True)
        }
        columns: list[FloatArray | None] = [judged[tau].by_item() if tau in judged else None for tau in TAUS]
        first = found.judged[0]
        return row_of(
            columns,
            {},
            (),
            passes=first.passes,
            groups=first.units,
            classes=None,
            floor=found.floor,
            items=np.flatnonzero(first.codes >= 0),
        )


def network_atlas(
    kernel: Diffusion,
    network: Network,
    labels: Labels,
    validation: CrossValidation,
    *,
    down: str = "labels",
    done: Field | None = None,
) -> Iterator[Field | None]:
    """Accuracy of diffusion at every τ, along a second parameter; a state a row of it, and None in between.

    Every cell is what the page Networks says at the same setting.

    Parameters
    ----------
    kernel : Diffusion
        Its τ does not matter.
    network : Network
    labels : Labels
        Of its nodes.
    validation : CrossValidation
    down : {"laplacian", "C", "labels", "edges", "without", ""}
        The second parameter; "" = none.
    done : Field, optional
        What an earlier run got to.

    Raises
    ------
    InvalidInputError
        Fewer than two classes, or no such parameter.

    Examples
    --------
    >>> from kernex_core import CrossValidation, Diffusion, last_state, load_dataset, network_atlas
    >>> data, once = load_dataset("karate_club"), CrossValidation(C=1.0, repeats=1)
    >>> states = network_atlas(Diffusion(), data.samples["network"], data.labels, once, down="laplacian")
    >>> last_state(states).values.shape
    (2, 12)
    """
    about = _of(kernel, network, labels, validation, down)
    yield from filling(Field.empty(tau_axis(), about.down, "accuracy"), about.judging, done)


def choosing_network(
    kernel: Diffusion,
    network: Network,
    labels: Labels,
    validation: CrossValidation,
    *,
    down: str = "labels",
    at: Value = None,
) -> Iterator[NestedChoice]:
    """The best cell chosen again inside every training fold, one cell a step: of a row, or of all where rows are choices.

    Parameters
    ----------
    kernel, network, labels, validation, down
        As in `network_atlas`.
    at : float, optional
        Which row, where rows are circumstances.
    """
    about = _of(kernel, network, labels, validation, down)
    if about.down.name == "C":  # every fold chooses it with τ
        about = _of(kernel, network, labels, replace(validation, choose_C=True), "")
    if about.down.name != "laplacian":
        for state in about.sweep(at):
            if state.nested is not None:
                yield state.nested
        return
    start = Field.empty(tau_axis(), about.down, "accuracy")
    cells = [
        (start.called(row, k), scaled(prepared.gram(each)))
        for row, prepared in enumerate(about.prepare(value) for value in about.down.values)
        for k, each in enumerate(diffusions_of(prepared))
    ]
    how = Judging.of(labels, Protocol(replace(validation, inductive=False), UNSCALED), kernels=(cells[0][1],))
    candidates = ((name, same_in_all(partial(cut_blocks, K.values))) for name, K in cells)
    yield from choosing_candidate(candidates, len(cells), how)


def _of(
    kernel: Diffusion, network: Network, labels: Labels, validation: CrossValidation, down: str
) -> _Networks:
    axis = axis_down(down, network_axes(labels, validation.folds))
    return _Networks(network, kernel.laplacian, labels, validation, axis, {})


def network_cell(
    kernel: Diffusion,
    network: Network,
    labels: Labels,
    validation: CrossValidation,
    *,
    down: str,
    at: Value,
    tau: float,
) -> GramMatrix:
    """The kernel of a cell, as Networks shows it."""
    prepared = _of(kernel, network, labels, validation, down).prepare(at)
    return prepared.gram(diffusions_of(prepared, (tau,))[0])
