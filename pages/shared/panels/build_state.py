"""A kernel from samples, computed once, and how long it would take."""

from __future__ import annotations

from typing import Any

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Sequences, Vectors
from kernex_core.kernels.base import AbstractKernel
from pages.shared.cached import cached


@cached
def similarities(kernel: AbstractKernel[Any], samples: Sequences | Vectors, name: str) -> GramMatrix:
    """Return a kernel built from samples."""
    return kernel.similarities(samples, name=name)


@cached
def estimated_seconds(kernel: AbstractKernel[Any], samples: Sequences | Vectors) -> float:
    """Return the seconds that building will take, measured on a moment of it."""
    kernel.check(samples.values, samples.ids)
    return kernel.estimate_seconds(samples.values)
