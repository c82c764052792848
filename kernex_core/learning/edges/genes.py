"""Kernels and a network on the same genes, of which some are known to the network: everything is fitted on those alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, EqualByContent, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.conditioning.repairs import SpectralRepair
from kernex_core.learning.scores import auc, mann_whitney_2u

CONSTANT = 1e-10
"""Eigenvalues below this share of the largest, and mean diagonals below this share of the entries, count as 0."""


@dataclass(frozen=True, eq=False)
class KernelSide(ReadOnlyArrays):
    """One kernel, or a weighted sum of several, centred and scaled by its training genes.

    Attributes
    ----------
    K : (n, n) float
        Centred with the mean of the training genes, which have a mean diagonal of 1.
    train, test : int array
    """

    K: FloatArray
    train: IntArray
    test: IntArray

    @cached_property
    def _spectrum(self) -> tuple[FloatArray, FloatArray]:
        d, U = eigh(self.K[np.ix_(self.train, self.train)])
        kept = np.flatnonzero(d > CONSTANT * max(float(d[-1]), 0.0))[::-1]
        return d[kept], U[:, kept]

    @property
    def d(self) -> FloatArray:
        """(r,) eigenvalues of the training block, largest first; those that are 0 left out."""
        return self._spectrum[0]

    @property
    def U(self) -> FloatArray:
        """(t, r) eigenvectors."""
        return self._spectrum[1]

    @cached_property
    def projected(self) -> FloatArray:
        """(n, r) K_xT U of every gene."""
        return np.asarray(self.K[:, self.train] @ self.U)


@dataclass(frozen=True, eq=False)
class NetworkSide(ReadOnlyArrays):
    """The network among the training genes.

    Attributes
    ----------
    A : (t, t) float
        1 where an edge is known; nothing on the diagonal.
    """

    A: FloatArray

    @cached_property
    def _laplacian(self) -> tuple[FloatArray, FloatArray]:
        degrees = self.A.sum(axis=0)
        roots = np.divide(1.0, np.sqrt(degrees), out=np.zeros_like(degrees), where=degrees > 0.0)
        L = np.diag((degrees > 0.0).astype(np.float64)) - roots[:, None] * self.A * roots[None, :]
        mu, V = eigh(L)
        return mu, V

    def diffusion(self, tau: float) -> FloatArray:
        """(t, t) exp(−τ L), centred; L is the normalised Laplacian, in which a gene without an edge is 1 with itself."""
        mu, V = self._laplacian
        G = (V * np.exp(-tau * mu)) @ V.T
        means = G.mean(axis=0)
        G = G - means[:, None] - means[None, :] + means.mean()
        return np.asarray((G + G.T) / 2.0)

    @cached_property
    def _spectra(self) -> dict[float, tuple[FloatArray, FloatArray, float]]:
        return {}

    def spectrum(self, tau: float) -> tuple[FloatArray, FloatArray, float]:
        """(r,) eigenvalues above 0 and (t, r) eigenvectors of `diffusion`, and its mean diagonal; solved once a tau."""
        if tau not in self._spectra:
            G = self.diffusion(tau)
            d, U = eigh(G)
            kept = d > CONSTANT * max(float(d[-1]), 0.0)
            self._spectra[tau] = d[kept], U[:, kept], float(np.diag(G).mean())
        return self._spectra[tau]


def centred(K: FloatArray, train: IntArray) -> FloatArray | None:
    """K (n, n) with the mean of the training genes as origin, over their mean diagonal; None where they are all alike."""
    means = K[:, train].mean(axis=1)
    C = K - means[:, None] - means[None, :] + means[train].mean()
    level = float(C[train, train].mean())
    if level <= CONSTANT * float(np.abs(K[np.ix_(train, train)]).max(initial=0.0)):
        return None
    return np.asarray(C / level)


def repaired(K: FloatArray, train: IntArray, repair: SpectralRepair) -> FloatArray:
    """K (n, n) with a repair that is fitted on the training genes, and carried to all others by what it found there.

    Pairs of two other genes are read by nothing but `Direct`.
    """
    rest = np.setdiff1d(np.arange(K.shape[0]), train)
    fitted = repair.fit(K[np.ix_(train, train)])
    made = np.empty_like(K)
    made[np.ix_(train, train)] = fitted.apply(K[np.ix_(train, train)])
    cross, own = K[np.ix_(rest, train)], K[np.ix_(rest, rest)]
    values = fitted.apply_cross(cross, np.diag(own)).values
    made[np.ix_(rest, train)], made[np.ix_(train, rest)] = values, values.T
    made[np.ix_(rest, rest)] = fitted.between_new(own, cross)
    return made


def check_network(A: FloatArray, names: Sequence[str] = ()) -> None:
    """Refuse a network among the training genes that says nothing.

    Raises
    ------
    InvalidInputError
    """
    if not A.any():
        raise InvalidInputError(
            "Edges are learned from edges among the genes that the network knows",
            f"no edge among {A.shape[0]:,} genes",
            "Bring a network with more edges, or fewer folds",
        )


# Pairs of known genes that are hidden in folds over pairs, and what the network without them says of them by itself.
#
# Liben-Nowell and Kleinberg, The link-prediction problem for social networks, JASIST 2007 (common neighbours, and the
# product of degrees as preferential attachment).


def pair_folds(n: int, folds: int, seed: int) -> tuple[IntArray, ...]:
    """Pairs (k, 2) of n genes that each fold hides: every one of `folds` in a permutation of all pairs by the seed.

    Whether a pair is an edge has no part in it: a fold that hid edges alone would tell by what it hides.

    Raises
    ------
    InvalidInputError
        Fewer than two folds, or than two pairs a fold.
    """
    pairs = np.stack(np.triu_indices(n, 1), axis=1)
    if not 2 <= folds <= len(pairs) // 2:
        raise InvalidInputError(
            "There are two folds over pairs or more, of two pairs or more",
            f"{folds} of {len(pairs):,}",
        )
    order = np.random.default_rng(2000 + seed).permutation(len(pairs))
    return tuple(pairs[np.sort(order[i::folds])] for i in range(folds))


def without_pairs(A: FloatArray, pairs: IntArray) -> FloatArray:
    """A (n, n) in which the pairs (k, 2) have no edge, whether or not they had one."""
    left = np.array(A, dtype=np.float64)
    left[pairs[:, 0], pairs[:, 1]] = left[pairs[:, 1], pairs[:, 0]] = 0.0
    return left


def common_neighbours(A: FloatArray) -> FloatArray:
    """(n, n) how many genes are joined to both: A²."""
    return np.asarray(A @ A)


def degree_product(A: FloatArray) -> FloatArray:
    """(n, n) products of degrees, dᵢ dⱼ."""
    degrees = A.sum(axis=0)
    return np.asarray(np.outer(degrees, degrees))


PAIR_BASELINES: Final[dict[str, Callable[[FloatArray], FloatArray]]] = {
    "common neighbours": common_neighbours,
    "degree product": degree_product,
}
"""What ranks pairs of known genes without any kernel."""


# What a node has of how pairs are ranked: pairs that share a node are not independent, nodes are what is drawn.
#
# An area, or an average precision, changes with the weight of a node by the sum of what it changes with the weight of
# each of the node's pairs (infinitesimal jackknife over nodes; of a mean over pairs the first part of Hoeffding's
# variance).


def area_pulls(joined: BoolArray, scores: FloatArray) -> FloatArray:
    """Change of the area under the ROC curve with the weight of each pair; 0 without both kinds."""
    made = np.zeros(joined.shape)
    own, others = scores[joined], scores[~joined]
    if own.size and others.size:
        right = mann_whitney_2u(own, others) / (2 * others.size)
        passed = 1.0 - mann_whitney_2u(others, own) / (2 * own.size)
        area = float(right.mean())
        made[joined] = (right - area) / own.size
        made[~joined] = (passed - area) / others.size
    return made


def precision_pulls(joined: BoolArray, scores: FloatArray) -> FloatArray:
    """Change of the average precision with the weight of each pair; 0 without both kinds."""
    edge, values = joined.ravel(), scores.ravel()
    total = int(edge.sum())
    if not 0 < total < edge.size:
        return np.zeros(joined.shape)
    order = np.argsort(-values, kind="stable")
    ranked, hit = values[order], edge[order].astype(np.float64)
    first = np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1]))
    group = np.cumsum(np.append(True, ranked[1:] != ranked[:-1])) - 1
    own = np.add.reduceat(hit, first)
    taken = np.append(first[1:], hit.size)
    precision = np.cumsum(own) / taken
    # a pair counts in the precision at its own place and at all below it
    share = np.cumsum((own / taken)[::-1])[::-1]
    drag = np.cumsum((own * precision / taken)[::-1])[::-1]
    average = float(own @ precision) / total
    pulls = (hit * (precision[group] - average) + hit * share[group] - drag[group]) / total
    made = np.empty(edge.size)
    made[order] = pulls
    return made.reshape(joined.shape)


def pulls_within(joined: BoolArray, scores: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Of the mean area within a row: change with the weight of each row, and of each column.

    Rows without both kinds have no area and no part.
    """
    kept = joined.any(axis=1) & ~joined.all(axis=1)
    rows, columns = np.zeros(joined.shape[0]), np.zeros(joined.shape[1])
    count = int(kept.sum())
    for at in np.flatnonzero(kept).tolist():
        own, others = scores[at, joined[at]], scores[at, ~joined[at]]
        rows[at] = mann_whitney_2u(own, others).sum() / (2 * own.size * others.size)
        columns += area_pulls(joined[at], scores[at]) / count
    if count:
        rows[kept] = (rows[kept] - rows[kept].mean()) / count
    return rows, columns


def of_nodes(pulls: FloatArray, first: IntArray, second: IntArray, n: int) -> FloatArray:
    """(n,) sums of what pairs change by over those that each node is an end of."""
    flat = pulls.ravel()
    return np.asarray(np.bincount(first.ravel(), flat, n) + np.bincount(second.ravel(), flat, n))


# Pairs of genes in folds over genes: what is scored, and how well.

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
        mann_whitney_2u(values[joined], values[~joined]).sum() / (2 * joined.sum() * (~joined).sum())
        for joined, values in zip(edges, scores, strict=True)
        if joined.any() and not joined.all()
    ]
    return float(np.mean(found)) if found else float("nan")


def upper(matrix: NDArray[S]) -> NDArray[S]:
    """Entries above the diagonal, each pair once."""
    return matrix[np.triu_indices(matrix.shape[0], 1)]
