"""Do classes differ at all in a kernel? PERMANOVA with the spread of classes beside it, and pairs of classes by MMD.

No classifier is trained: what is looked at are the means of the classes in feature space. Items of a group, or copies,
that have one label are one item, their mean, and inside groups of several labels these change places (`LabelOrders`).

Anderson, "A new method for non-parametric multivariate analysis of variance" (Austral Ecology 2001); "Distance-based tests
for homogeneity of multivariate dispersions" (Biometrics 2006); Gretton, Borgwardt, Rasch, Schölkopf and Smola, "A kernel
two-sample test" (JMLR 2012), lemma 6.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray, ReadOnlyArrays, first_of
from kernex_core.base.parameters import check_seed, repetition_rng
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.paired import holm
from kernex_core.learning.copies import equal_in
from kernex_core.learning.permutations import LabelOrders, check_permutations
from kernex_core.learning.relations import ORDERS, exceeded, means_of, one_each
from kernex_core.runtime.executors import threads_for
from kernex_core.runtime.progress import Steps, blocking

BATCH: Final = 50
"""Permutations whose sums are one product of matrices."""
LEAST: Final = 2
"""Items that a class has at least: of one alone nobody knows how it spreads."""


@dataclass(frozen=True, eq=False)
class Difference(ReadOnlyArrays):
    """How far classes differ, beside classes that were dealt out by chance.

    Attributes
    ----------
    classes : tuple of str
    counts : (c,) int
        Items of each; a group of one label, or copies, are one.
    left_out : tuple of str
        Classes of one item or group, of which nobody knows how they spread.
    share : float
        R²: which share of the scatter lies between the classes, 0 to 1.
    drawn : (B,) float
        The same with the labels permuted.
    spreads : (c,) float
        Mean distance of the n items of each class to its mean, times √(n / (n − 1)).
    spread_F : float
        Variance of these distances between classes over that inside them.
    spread_drawn : (B,) float
        The same with what items have beyond the mean of their class permuted.
    seed : int
    """

    classes: tuple[str, ...]
    counts: IntArray
    left_out: tuple[str, ...]
    share: float
    drawn: FloatArray
    spreads: FloatArray
    spread_F: float
    spread_drawn: FloatArray
    seed: int

    @property
    def permutations(self) -> int:
        """B."""
        return self.drawn.size

    @property
    def F(self) -> float:
        """(R² / (c − 1)) / ((1 − R²) / (n − c)); infinite where items of a class are all alike."""
        n, c = int(self.counts.sum()), len(self.classes)
        inside = (1.0 - self.share) / (n - c)
        return float(self.share / (c - 1) / inside) if inside > 0.0 else float("inf")

    @property
    def p(self) -> float:
        """(1 + number of permutations that differ as much) / (1 + B)."""
        return exceeded(self.share, self.drawn)

    @property
    def spread_p(self) -> float:
        """The same of how far the spreads differ: where they do, R² says of spread what it seems to say of the means."""
        return exceeded(self.spread_F, self.spread_drawn)


@dataclass(frozen=True, eq=False)
class PairDifference(EqualByContent):
    """Two classes beside each other.

    Attributes
    ----------
    first, second : str
    mmd2 : float
        Squared distance of their means, of which chance has none: it may be below 0.
    effect : float
        Distance of the means in units of the spread inside both classes.
    p, p_holm : float
        By permutation of the labels of both; after Holm over all pairs.
    """

    first: str
    second: str
    mmd2: float
    effect: float
    p: float
    p_holm: float


@blocking
def classes_differ(
    K: GramMatrix, labels: Labels, *, permutations: int = ORDERS, seed: int = 0
) -> Steps[Difference]:
    """Whether the classes of labelled items differ in a kernel, and whether they spread alike (PERMANOVA, PERMDISP).

    Parameters
    ----------
    K : GramMatrix
        Known for every pair of labelled items.
    labels : Labels
        Of the same items; its groups, and copies, are kept together. Classes of one item, or group, are left out.
    permutations : int
        B; the smallest p is 1 / (1 + B).
    seed : int

    Raises
    ------
    InvalidInputError
        Other items, unknown pairs, fewer than two classes of two items, or items that are all alike.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import GramMatrix, Labels, classes_differ
    >>> x = np.arange(12.0) - 5.5
    >>> K = GramMatrix(np.outer(x, x))
    >>> found = classes_differ(K, Labels(K.ids, np.repeat(["a", "b"], 6)), permutations=199)
    >>> round(found.share, 2), round(found.F, 1), found.p, found.spread_p
    (0.76, 30.9, 0.005, 1.0)
    """
    permutations, seed = check_permutations(permutations), check_seed(seed)
    of = _Units.of(*_labelled(K, labels))
    values, codes, counts, c = of.K, of.codes, of.counts, len(of.classes)
    total = _total(values)
    if total <= 1e-12 * float(np.abs(np.diag(values)).sum()):
        raise InvalidInputError("Items have to be told apart by the kernel", f"all alike in {K.name!r}")
    left = _without_means(values, codes)
    spreads, spread_F = _spreads(left, codes[None], c)
    drawn, spread_drawn = np.empty(permutations), np.empty(permutations)
    for start, dealt in _dealt(of, permutations, seed):
        at = slice(start, start + len(dealt))
        with threads_for(len(codes)):
            drawn[at] = 1.0 - _within(values, dealt, c) / total
            spread_drawn[at] = _spreads(left, dealt, c)[1]
        yield at.stop / permutations
    share = float(1.0 - _within(values, codes[None], c)[0] / total)
    return Difference(
        tuple(of.classes.tolist()), counts, of.left_out, share, drawn, spreads[0],
        float(spread_F[0]), spread_drawn, seed,
    )  # fmt: skip


@blocking
def pairs_differ(
    K: GramMatrix, labels: Labels, *, permutations: int = ORDERS, seed: int = 0
) -> Steps[tuple[PairDifference, ...]]:
    """Every two classes beside each other: distance of their means (MMD), p by permutation, corrected for all pairs.

    MMD² = Σ_{i≠j∈a} k_ij / (a (a − 1)) + Σ_{i≠j∈b} k_ij / (b (b − 1)) − 2 Σ_{i∈a, j∈b} k_ij / (a b).

    Parameters and errors as in `classes_differ`.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import GramMatrix, Labels, pairs_differ
    >>> x = np.arange(12.0) - 5.5
    >>> K = GramMatrix(np.outer(x, x))
    >>> pair, = pairs_differ(K, Labels(K.ids, np.repeat(["a", "b"], 6)), permutations=199)
    >>> round(pair.mmd2, 2), round(pair.effect, 2), pair.p
    (34.83, 3.15, 0.005)
    """
    permutations, seed = check_permutations(permutations), check_seed(seed)
    values, y, units = _labelled(K, labels)
    pairs = list(combinations(_Units.of(values, y, units).classes.tolist(), 2))
    made: list[PairDifference] = []
    for k, pair in enumerate(pairs):
        at = np.flatnonzero(np.isin(y, pair))
        # a group of three labels may have one label in two classes
        of = _Units.of(values[np.ix_(at, at)], y[at], units[at])
        own, own_codes = of.K, of.codes
        found = float(mean_distances(own, own_codes[None])[0])
        drawn = np.empty(permutations)
        for start, dealt in _dealt(of, permutations, seed):
            done = slice(start, start + len(dealt))
            with threads_for(len(own_codes)):
                drawn[done] = mean_distances(own, dealt)
            yield (k + done.stop / permutations) / len(pairs)
        spread = float(_within(own, own_codes[None], 2)[0]) / (len(own_codes) - 2)
        effect = float(np.sqrt(max(found, 0.0) / spread)) if spread > 0.0 else float("inf")
        scale = float(np.abs(np.diag(own)).mean()) or 1.0
        p = exceeded(found / scale, drawn / scale)
        made.append(PairDifference(*pair, found, effect, p, p))
    corrected = holm([each.p for each in made])
    return tuple(replace(each, p_holm=p) for each, p in zip(made, corrected, strict=True))


def mean_distances(K: FloatArray, is_second: IntArray) -> FloatArray:
    """(B,) MMD² without bias of samples that are told by rows (B, n) of 0 and 1, each twice at least."""
    S = is_second.T.astype(np.float64)
    b = S.sum(axis=0)
    a = len(K) - b
    both, crossed, diag = _sums(K, S), S.T @ K.sum(axis=1), np.diag(K)
    own = S.T @ diag
    rest, own_rest = K.sum() - 2.0 * crossed + both, diag.sum() - own
    made = (rest - own_rest) / (a * (a - 1)) + (both - own) / (b * (b - 1)) - 2.0 * (crossed - both) / (a * b)
    return np.asarray(made)


def _dealt(of: _Units, permutations: int, seed: int) -> Iterator[tuple[int, IntArray]]:
    """Codes (BATCH, n) of permuted labels, some at once, with how many came before."""
    orders, rng = LabelOrders.of(of.y, of.units.astype(np.str_)), repetition_rng(seed, 0)
    for start in range(0, permutations, BATCH):
        yield (
            start,
            np.array([of.codes[orders.draw(rng)] for _ in range(min(BATCH, permutations - start))]),
        )


@dataclass(frozen=True, eq=False)
class _Units(EqualByContent):
    """Items, those of a group of one label being one, their mean; classes of fewer than LEAST are left out."""

    K: FloatArray
    y: NDArray[np.str_]
    units: IntArray
    classes: NDArray[np.str_]
    codes: IntArray
    counts: IntArray
    left_out: tuple[str, ...]

    @classmethod
    def of(cls, K: FloatArray, y: NDArray[np.str_], units: IntArray) -> _Units:
        # inside a group of several labels these change places, so that its items stay apart
        own = y.size + np.arange(y.size)
        alike = LabelOrders.of(y, units.astype(np.str_)).alike
        own[alike] = units[alike]
        _, first, which = np.unique(own, return_index=True, return_inverse=True)
        K, y, units = means_of(K, which), y[first], units[first]
        names, counts = np.unique(y, return_counts=True)
        few = names[counts < LEAST]
        at = np.flatnonzero(~np.isin(y, few))
        classes, codes, counts = np.unique(y[at], return_inverse=True, return_counts=True)
        if classes.size < 2:
            raise InvalidInputError(
                f"Two classes of at least {LEAST} items are needed, of which a group, or copies, are one",
                f"{classes.size}",
                "Bring more labels, or labels without groups",
            )
        return cls(K[np.ix_(at, at)], y[at], units[at], classes, codes, counts, tuple(few.tolist()))


def _labelled(K: GramMatrix, labels: Labels) -> tuple[FloatArray, NDArray[np.str_], IntArray]:
    """The kernel of labelled items, their classes, and the first item that each belongs together with."""
    if K.ids != labels.ids:
        raise InvalidInputError("Kernel and labels are about the same items", "other ids", "Align them by id")
    at = np.flatnonzero(labels.labelled)
    values = K.values[np.ix_(at, at)]
    if np.isnan(values).any():
        raise InvalidInputError(
            "Kernels in which classes are compared are known for every pair",
            f"{int(np.isnan(values).sum()):,} unknown entries in {K.name!r}",
            "Complete it first, on the page Complete, and keep the result",
        )
    groups = None if labels.groups is None else labels.groups[at]
    copies = None if labels.copies is None else first_of(labels.copies[at].tolist())
    return values, labels.y[at], one_each(at.size, groups, copies, equal_in(values))


def _total(K: FloatArray) -> float:
    """Σ ‖x_i − mean‖²."""
    return float(np.trace(K) - K.sum() / len(K))


def _within(K: FloatArray, codes: IntArray, c: int) -> FloatArray:
    """(B,) Σ ‖x_i − mean of its class‖² = tr K − Σ_g 1_g' K 1_g / n_g, for rows (B, n) of codes."""
    left = np.full(len(codes), float(np.trace(K)))
    for code in range(c):
        S = (codes == code).T.astype(np.float64)
        left -= _sums(K, S) / np.maximum(S.sum(axis=0), 1.0)
    return left


def _sums(K: FloatArray, S: FloatArray) -> FloatArray:
    """(B,) s' K s of every column of S (n, B)."""
    return np.asarray(np.einsum("ib,ib->b", S, K @ S))


def _without_means(K: FloatArray, codes: IntArray) -> FloatArray:
    """(n, n) kernel of what items have beyond the mean of their class, times √(n_g / (n_g − 1)).

    Of few items the mean is nearer to each than that of all others would be (O'Neill and Mathews 2000).
    """
    alike = codes[:, None] == codes[None, :]
    counts = alike.sum(axis=1)
    beyond = np.eye(len(codes)) - alike / counts[:, None]
    beyond *= np.sqrt(counts / (counts - 1.0))[:, None]
    return np.asarray(beyond @ K @ beyond.T)


def _spreads(K: FloatArray, codes: IntArray, c: int) -> tuple[FloatArray, FloatArray]:
    """(B, c) mean distance of items to the mean of their class, and (B,) Fisher's F of these distances."""
    apart = np.empty(codes.shape)
    sizes, means = np.empty((2, len(codes), c))
    for code in range(c):
        inside = codes == code
        S = inside.T.astype(np.float64)
        KS, sizes[:, code] = K @ S, np.maximum(S.sum(axis=0), 1.0)
        squared = (
            np.diag(K)[:, None] + (np.einsum("ib,ib->b", S, KS) / sizes[:, code] - 2.0 * KS) / sizes[:, code]
        )
        distances = np.sqrt(np.maximum(squared.T, 0.0))
        apart[inside] = distances[inside]
        means[:, code] = np.where(inside, distances, 0.0).sum(axis=1) / sizes[:, code]
    between = (sizes * (means - apart.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    inside_classes = ((apart - np.take_along_axis(means, codes, axis=1)) ** 2).sum(axis=1)
    total = between + inside_classes
    # where nothing varies but by rounding there is no difference
    some = total > 1e-20 * (apart**2).sum(axis=1)
    least = np.maximum(inside_classes, 1e-15 * total)
    F = np.divide(between * (codes.shape[1] - c), (c - 1) * least, out=np.zeros(len(codes)), where=some)
    return means, F
