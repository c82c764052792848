"""Which parameters of a kernel have a widget, and in what order."""

from __future__ import annotations

from typing import Final

from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.kinds import KernelSamples
from kernex_core.kernels.base import AnyKernel
from kernex_core.parameters import parameters

LABELS: Final = {"vertex_labels": "node_labels", "edge_labels": "edge_labels"}
"""Parameters that say nothing where graphs lack the labels, and what these are called there."""


def drawn_parameters(kernel: AnyKernel, samples: KernelSamples) -> tuple[list[str], list[str]]:
    """Return the fields that say something about these samples: numbers and choices, and those that are on or off."""
    fields = [
        field
        for field, p in parameters(kernel).items()
        if not p.hidden and not (isinstance(samples, GraphSet) and _lacks(samples, field))
    ]
    toggles = [field for field in fields if isinstance(getattr(kernel, field), bool)]
    return [field for field in fields if field not in toggles], toggles


def _lacks(graphs: GraphSet, field: str) -> bool:
    return field in LABELS and getattr(graphs, LABELS[field]) is None
