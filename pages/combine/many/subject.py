"""Several kernels on one scale, weighed and made one."""

from __future__ import annotations

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.studies.many_kernels import ManyConfig, WeighedKernels, combined, normalised_kernel, weigh
from pages.shared.cached import cached


@cached(public=True)
def on_one_scale(K: GramMatrix, how: str) -> GramMatrix:
    """A kernel on the scale of that name."""
    return normalised_kernel(K, how)


@cached(newest=16, public=True)
def weighed(
    kernels: tuple[GramMatrix, ...], labels: Labels | None, config: ManyConfig, hand: tuple[float, ...]
) -> WeighedKernels:
    """Weights of kernels on one scale."""
    return weigh(kernels, labels, config, hand)


@cached(newest=8, public=True)
def one_of(
    kernels: tuple[GramMatrix, ...], made: WeighedKernels, config: ManyConfig, name: str
) -> GramMatrix:
    """The combination, with the record of all kernels."""
    return combined(kernels, made, config, name)


@cached(newest=8, public=True)
def eigenvalues(K: FloatArray) -> FloatArray:
    """Eigenvalues from the largest on."""
    return np.asarray(np.linalg.eigvalsh(K)[::-1])
