"""A kernel from samples, computed once, how long it would take, and which of its parameters are asked for."""

from __future__ import annotations

from typing import Final

from kernex_core.base.parameters import parameters
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import KernelSamples
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.kernels.base import AnyKernel
from pages.shared.cached import cached

LABELS: Final = {"vertex_labels": "node_labels", "edge_labels": "edge_labels"}
"""Parameters that say nothing where graphs lack the labels, and what these are called there."""


@cached(public=True)
def similarities(kernel: AnyKernel, samples: KernelSamples, name: str) -> GramMatrix:
    """Return a kernel built from samples."""
    return kernel.similarities(samples, name=name)


@cached(public=True)
def estimated_seconds(kernel: AnyKernel, samples: KernelSamples) -> float:
    """Return the seconds that building will take, after the samples were checked."""
    kernel.check(samples.values, samples.ids)
    return kernel.estimate_seconds(samples.values)


@cached(public=True)
def remarks(kernel: AnyKernel, samples: KernelSamples) -> tuple[str, ...]:
    """Return what the kernel takes for granted about these samples."""
    return kernel.remarks_on(samples)


def duration(seconds: float) -> str:
    """Return a length of time as people say it."""
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


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
