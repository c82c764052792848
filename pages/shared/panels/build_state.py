"""A kernel from samples, computed once, and how long it would take."""

from __future__ import annotations

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.kinds import KernelSamples
from kernex_core.kernels.base import AnyKernel
from pages.shared.cached import cached


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
