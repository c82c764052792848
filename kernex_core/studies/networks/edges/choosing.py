"""Parameters of a method, chosen inside a fold: over genes or over pairs of what the fold trains on, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from kernex_core.alike import first_of
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.learning.chance.grid_end import GridEnd, grid_end
from kernex_core.learning.edges.folds import gene_folds, upper
from kernex_core.learning.edges.genes import KernelSide, NetworkSide
from kernex_core.learning.edges.hidden import without_pairs
from kernex_core.learning.edges.methods import EdgeMethod
from kernex_core.learning.scores import auc
from kernex_core.parameters import parameters
from kernex_core.studies.networks.edges.sources import TrainedGenes

INNER_FOLDS: Final = 3
UNTUNED_ABOVE: Final = 1_000
"""Genes above which parameters are not chosen inside the folds."""


def chosen_inside(tuned: bool, n_genes: int) -> bool:
    """Whether parameters are chosen inside the folds: where that is asked for, and the genes are not too many.

    Examples
    --------
    >>> chosen_inside(True, 150), chosen_inside(True, 1_001), chosen_inside(False, 150)
    (True, False, False)
    """
    return tuned and n_genes <= UNTUNED_ABOVE


@dataclass(frozen=True, eq=False)
class InnerFold(ReadOnlyArrays):
    """A part of what a fold trains on, held out once more.

    Attributes
    ----------
    split : TrainedGenes
        All that is fitted here.
    rated : callable
        What scores of a method come to on the part that is held out; NaN where there is no edge or nothing else.
    """

    split: TrainedGenes
    rated: Callable[[EdgeMethod, FloatArray], float]


def inner_gene_folds(split: TrainedGenes, units: IntArray | None = None) -> tuple[InnerFold, ...]:
    """Three folds over the training genes; one in which no edge is left to learn from is passed over.

    `units` (n,) says which genes are copies, by the place of the first: folds keep these together.

    A setting is rated by the mean of both AUCs: of pairs of a known and a new gene, and of two new ones.
    """
    found = []
    own = None if units is None else first_of(units[split.train].tolist())
    for held in gene_folds(split.train.size, INNER_FOLDS, split.train.size, own):
        test = split.train[held]
        train = np.setdiff1d(split.train, test)
        if split.data.A[np.ix_(train, train)].any():
            inner = TrainedGenes.of(split.data, train, test)
            found.append(InnerFold(inner, _of_genes(inner)))
    return tuple(found)


def inner_pair_folds(split: TrainedGenes, hidden: IntArray) -> tuple[InnerFold, ...]:
    """Three folds over the pairs that are not hidden (k, 2) already; those are neither rated nor edges.

    A setting is rated by the AUC of the pairs that are hidden once more.
    """
    n = len(split.data.ids)
    asked = np.triu(np.ones((n, n), dtype=bool), 1)
    asked[hidden[:, 0], hidden[:, 1]] = asked[hidden[:, 1], hidden[:, 0]] = False
    pairs = np.argwhere(asked)
    order = np.random.default_rng(4000 + n).permutation(len(pairs))
    found = []
    for part in range(INNER_FOLDS):
        held = pairs[np.sort(order[part::INNER_FOLDS])]
        A = without_pairs(split.data.A, held)
        if A.any():
            inner = replace(split, data=replace(split.data, A=A), network=NetworkSide(A))
            found.append(InnerFold(inner, _of_pairs(split.data.A, held)))
    return tuple(found)


def _of_genes(split: TrainedGenes) -> Callable[[EdgeMethod, FloatArray], float]:
    between = split.data.A[np.ix_(split.train, split.test)] > 0.0
    new = upper(split.data.A[np.ix_(split.test, split.test)] > 0.0)

    def rated(method: EdgeMethod, scores: FloatArray) -> float:
        found = [auc(between.ravel(), scores[np.ix_(split.train, split.test)].ravel())]
        if method.between_new:
            found.append(auc(new, upper(scores[np.ix_(split.test, split.test)])))
        return float(np.nanmean(found)) if not np.isnan(found).all() else float("nan")

    return rated


def _of_pairs(A: FloatArray, held: IntArray) -> Callable[[EdgeMethod, FloatArray], float]:
    rows, columns = held.T
    joined = A[rows, columns] > 0.0
    return lambda _, scores: auc(joined, scores[rows, columns])


@dataclass(frozen=True, eq=False)
class Choice(ReadOnlyArrays):
    """Inner folds of one source: what a method is chosen on. Weights are those of each inner fold.

    Attributes
    ----------
    folds : tuple of InnerFold
    sides : tuple of KernelSide or None
        The weighted kernel of each; None where only kernels that say nothing have weight.
    """

    folds: tuple[InnerFold, ...]
    sides: tuple[KernelSide | None, ...]

    @classmethod
    def on(cls, folds: tuple[InnerFold, ...], source: str) -> Choice:
        """Weigh the kernels in each inner fold."""
        return cls(folds, tuple(each.split.side(each.split.weights(source).eta) for each in folds))

    def best(self, kind: type[EdgeMethod]) -> EdgeMethod:
        """The setting that is rated highest in the mean over inner folds; the usual one where none can be rated."""
        if not kind.tried:
            return kind()
        totals: dict[EdgeMethod, list[float]] = {}
        for fold, side in zip(self.folds, self.sides, strict=True):
            if side is not None:
                for made, scores in kind().variants(side, fold.split.network):
                    totals.setdefault(made, []).append(fold.rated(made, scores))
        means = {made: float(np.nanmean(all_)) for made, all_ in totals.items() if not np.isnan(all_).all()}
        return max(means, key=lambda made: means[made]) if means else kind()


def ends_chosen(fitted: Iterable[EdgeMethod]) -> tuple[GridEnd, ...]:
    """Ends of the values that are tried which more than half of the folds took, a parameter each."""
    every = list(fitted)
    found = []
    for name, counts in values_chosen(every).items():
        described = parameters(type(every[0]))[name]
        label = described.label[0].lower() + described.label[1:]
        tried = every[0].tried[name]
        found.append(grid_end(label, counts.items(), tried, low=described.low, high=described.high))
    return tuple(each for each in found if each is not None)


def values_chosen(fitted: Iterable[EdgeMethod]) -> dict[str, dict[float, int]]:
    """How often each value of each parameter that is tried was taken: by its name, then by value, in their order.

    Parameters
    ----------
    fitted : iterable of EdgeMethod
        Of one kind, one a fold.

    Examples
    --------
    >>> from kernex_core.learning.edges.methods import TwoStepRidge
    >>> values_chosen([TwoStepRidge(1.0), TwoStepRidge(10.0), TwoStepRidge(1.0)])
    {'lam': {1.0: 2, 10.0: 1}}
    """
    every = list(fitted)
    names = every[0].tried if every else {}
    return {
        name: dict(sorted(Counter(float(getattr(each, name)) for each in every).items())) for name in names
    }
