"""What the page Many kernels is about in this run: the kernels, who has which items, completed and on one scale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from kernex_core.frozen import FloatArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.joint.views.kept import CompletedKernels, completing_kernels
from kernex_core.pieces import finished
from kernex_core.studies.many_kernels import (
    Coverage,
    ManyConfig,
    WeighedKernels,
    combined,
    coverage,
    normalised_kernel,
    weigh,
)
from pages.shared.cached import cached


@dataclass(frozen=True)
class Subject:
    """Kernels that are chosen, on the items that at least one of them has.

    Attributes
    ----------
    dataset : DataSet
    kernels : dict of str to GramMatrix
    covered : Coverage
    labels : Labels or None
        Of these items, if a classifier can be judged on them.
    dropped : tuple of str
        Items that were left out.
    """

    dataset: DataSet
    kernels: Mapping[str, GramMatrix]
    covered: Coverage
    labels: Labels | None
    dropped: tuple[str, ...]

    @property
    def incomplete(self) -> list[str]:
        """Names of kernels that lack items."""
        return [
            name for name, has in zip(self.covered.names, self.covered.known, strict=True) if not has.all()
        ]


def subject_of(dataset: DataSet, names: tuple[str, ...], common: bool) -> Subject:
    """Kernels of these names, on all items that one of them has, or on those that all have (`common`)."""
    kernels = {name: dataset.kernels[name] for name in names}
    whole = coverage(kernels)
    at = whole.in_all if common else whole.in_some
    if at.size == len(whole.ids):
        return Subject(dataset, kernels, whole, dataset.judgeable, ())
    left = set(at.tolist())
    dropped = tuple(whole.ids[k] for k in range(len(whole.ids)) if k not in left)
    return _taken(dataset, kernels, tuple(at.tolist()), dropped)


def _taken(
    dataset: DataSet, kernels: Mapping[str, GramMatrix], at: tuple[int, ...], dropped: tuple[str, ...]
) -> Subject:
    cut = {name: part(K, at) for name, K in kernels.items()}
    labels = None if dataset.labels is None else dataset.labels.take(np.array(at, dtype=np.int64))
    judgeable = labels if labels is not None and labels.judgeable else None
    return Subject(dataset, cut, coverage(cut), judgeable, dropped)


@cached(public=True)
def part(K: GramMatrix, at: tuple[int, ...]) -> GramMatrix:
    """A kernel on some of its items, the same object in every run."""
    return K.take(np.array(at, dtype=np.int64))


@cached(public=True)
def completed(kernels: Mapping[str, GramMatrix], way: str) -> CompletedKernels:
    """Kernels completed together."""
    return finished(completing_kernels(kernels, way))


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
