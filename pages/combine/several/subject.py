"""Several kernels on the same items: which are chosen, and who has which items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from kernex_core.base.frozen import IntArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.studies.many_kernels import Coverage, coverage
from pages.shared.cached import cached
from pages.shared.figures.picture import Items
from pages.shared.panels.arrangement import class_list, display_order


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
    def items(self) -> Items:
        """Its items in pictures, by class where there are classes."""
        labels, first = labels_of(self), next(iter(self.kernels.values()))
        order: IntArray = display_order("class", first, labels, np.ones(first.n, dtype=bool))
        return Items(first.ids, class_list(labels), order)

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


def labels_of(subject: Subject) -> Labels | None:
    """Labels of these items, also where nothing can be judged by them."""
    labels = subject.dataset.labels
    if labels is None or labels.ids == subject.covered.ids:
        return labels
    place = {name: k for k, name in enumerate(labels.ids)}
    return labels.take(np.array([place[name] for name in subject.covered.ids]))


@cached(public=True)
def part(K: GramMatrix, at: tuple[int, ...]) -> GramMatrix:
    """A kernel on some of its items, the same object in every run."""
    return K.take(np.array(at, dtype=np.int64))
