"""Pairs of genes in folds over genes: what is scored, and how well."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import BoolArray, EqualByContent, FloatArray, IntArray
from kernex_core.learning.edges.by_node import area_pulls, of_nodes, precision_pulls
from kernex_core.learning.scores import auc, half_wins

S = TypeVar("S", bound=np.generic)


@dataclass(frozen=True, eq=False)
class PairScores(EqualByContent):
    """How well pairs of one kind are ranked.

    Attributes
    ----------
    auc : float
        Share of (edge, no edge) in the right order, ties half; NaN without both kinds.
    average_precision : float
    prevalence : float
        Share of edges: what average precision comes to by chance.
    edges, pairs : int
    pulls : (2, n) float
        What each gene changes the area and the average precision by, see `by_node`.
    """

    auc: float
    average_precision: float
    prevalence: float
    edges: int
    pairs: int
    pulls: FloatArray = field(default_factory=lambda: np.zeros((2, 0)))


def gene_folds(n: int, folds: int, seed: int, units: IntArray | None = None) -> tuple[IntArray, ...]:
    """Test genes of each fold: every one of `folds` in a permutation by the seed.

    `units` (n,) says which genes are copies of one another, by the place of the first: these are in one fold.

    Raises
    ------
    InvalidInputError
        Fewer than two genes a fold.
    """
    if not 2 <= folds <= n // 2:
        raise InvalidInputError(
            "There are two folds over genes or more, of two genes or more", f"{folds} of {n}"
        )
    of = np.arange(n) if units is None else units
    order = np.random.default_rng(1000 + seed).permutation(np.unique(of))
    sizes, given = np.bincount(of, minlength=n), np.zeros(n, dtype=np.int64)
    taken = np.zeros(folds, dtype=np.int64)
    for unit in order.tolist():  # to the fold that has fewest genes: without copies one after the other
        given[unit] = taken.argmin()
        taken[given[unit]] += sizes[unit]
    return tuple(np.flatnonzero(given[of] == fold) for fold in range(folds))


def pair_scores(
    edges: BoolArray, scores: FloatArray, ends: tuple[IntArray, IntArray] | None = None, n: int = 0
) -> PairScores:
    """Rank pairs by their scores.

    Parameters
    ----------
    edges : bool array
    scores : float array of the same shape
    ends : two int arrays of the same shape, optional
        Both genes of each pair.
    n : int
        Genes.
    """
    positive, values = edges.ravel(), scores.ravel()
    count = int(positive.sum())
    precision = float("nan")
    if 0 < count < positive.size:
        from sklearn.metrics import average_precision_score  # slow to import

        precision = float(average_precision_score(positive, values))
    return PairScores(
        auc(positive, values),
        precision,
        count / positive.size if positive.size else float("nan"),
        count,
        positive.size,
        np.zeros((2, n))
        if ends is None
        else np.array([of_nodes(of(edges, scores), *ends, n) for of in (area_pulls, precision_pulls)]),
    )


def roc_curve(edges: BoolArray, scores: FloatArray, at: FloatArray) -> FloatArray:
    """Share of the edges found (a, ) at shares `at` of the other pairs that are taken for edges, by straight lines."""
    positive = edges.ravel()
    order = np.argsort(-scores.ravel(), kind="stable")
    values = scores.ravel()[order]
    last = np.flatnonzero(np.append(values[1:] != values[:-1], True))
    hits = np.cumsum(positive[order])[last]
    misses = last + 1 - hits
    return np.asarray(
        np.interp(at, np.r_[0, misses] / max(int(misses[-1]), 1), np.r_[0, hits] / max(int(hits[-1]), 1))
    )


def auc_within(edges: BoolArray, scores: FloatArray) -> float:
    """Mean AUC over the rows (known genes) that have both an edge and a pair without one; NaN where none has."""
    found = [
        half_wins(values[joined], values[~joined]).sum() / (2 * joined.sum() * (~joined).sum())
        for joined, values in zip(edges, scores, strict=True)
        if joined.any() and not joined.all()
    ]
    return float(np.mean(found)) if found else float("nan")


def upper(matrix: NDArray[S]) -> NDArray[S]:
    """Entries above the diagonal, each pair once."""
    return matrix[np.triu_indices(matrix.shape[0], 1)]
