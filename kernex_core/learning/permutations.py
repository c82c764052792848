"""Is it better than chance? The labels are permuted, the folds drawn anew, and everything judged again.

Ojala and Garriga, "Permutation tests for studying classifier performance" (JMLR 2010), test 1. An interval alone says
nothing of it: it is made for other data sets like this one, not for data in which the labels mean nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.labels import as_labels
from kernex_core.base.parameters import check_choice, check_range, repetition_rng
from kernex_core.base.validation import as_symmetric
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.copies import Copies, copies_of
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation, kept_together, units_of
from kernex_core.learning.judgement import SCALES
from kernex_core.learning.learners.contract import Learner
from kernex_core.learning.machine import labels_of
from kernex_core.runtime.progress import Steps, finished

PERMUTATIONS = 199
Judge = Callable[[NDArray[np.str_], CrossValidation], Iterator[float]]
"""Judges every candidate by labels (n,) on folds of its own, one a step, in their order: its measure, mean over passes."""


@dataclass(frozen=True, eq=False)
class Permuted(ReadOnlyArrays):
    """Accuracies of several kernels beside those that they have with permuted labels.

    Attributes
    ----------
    measure : str
    names : tuple of str
    observed : (n_names,) float
    drawn : (B, n_names) float
        With permuted labels; the same permutation for all kernels of a row.
    seed : int
    """

    measure: str
    names: tuple[str, ...]
    observed: FloatArray
    drawn: FloatArray
    seed: int = field(default=0)

    @property
    def permutations(self) -> int:
        """B, how often the labels were permuted."""
        return len(self.drawn)

    def p(self, name: str) -> float:
        """(1 + number of permutations whose best kernel is at least as good) / (1 + B).

        Compared is the largest of all kernels (maximum statistic), so that p needs no correction for how many there are.
        """
        observed = self.observed[self.names.index(name)]
        # accuracies are counts over items: equal ones may differ by rounding; what is not a number proves nothing
        below = np.fmax.reduce(self.drawn, axis=1) < observed - 1e-12
        return float((1 + (~below).sum()) / (1 + self.permutations))


@dataclass(frozen=True, eq=False)
class LabelOrders(ReadOnlyArrays):
    """Orders of labels that are as likely as theirs where they mean nothing; unlabelled items stay as they are.

    Where groups are kept together, labels are permuted inside a group. Groups that have a single label, as families have,
    exchange theirs among themselves: inside them there is nothing to permute.

    Attributes
    ----------
    n : int
    inside : tuple of (m,) int
        Labelled members of each group that has several labels, or all labelled items where there are no groups.
    alike : (k,) int
        All labelled members of the groups that have one label, group by group.
    sizes : (g,) int
        How many members each of these groups has.
    """

    n: int
    inside: tuple[IntArray, ...]
    alike: IntArray
    sizes: IntArray

    @classmethod
    def of(cls, y: NDArray[np.str_], groups: NDArray[np.str_] | None) -> LabelOrders:
        """Orders of labels (n,) str, "" = unlabelled; of groups (n,) str "" is a group of its own."""
        items, none = np.flatnonzero(y != ""), np.zeros(0, dtype=np.int64)
        if groups is None:
            return cls(y.size, (items,), none, none)
        of_item = np.unique(units_of(groups)[items], return_inverse=True)[1]
        members = [items[of_item == group] for group in range(int(of_item.max()) + 1)]
        one = [each for each in members if np.unique(y[each]).size == 1]
        inside = tuple(each for each in members if np.unique(y[each]).size > 1)
        sizes = np.array([each.size for each in one], dtype=np.int64)
        return cls(y.size, inside, np.concatenate([none, *one]), sizes)

    def draw(self, rng: np.random.Generator) -> IntArray:
        """(n,) whose label each item gets."""
        places = np.arange(self.n)
        for members in self.inside:
            places[members] = rng.permutation(members)
        if self.sizes.size:
            firsts = self.alike[np.cumsum(self.sizes) - self.sizes]
            places[self.alike] = np.repeat(rng.permutation(firsts), self.sizes)
        return places


def check_permutations(permutations: int) -> int:
    """Return B, how often something is permuted.

    Raises
    ------
    InvalidInputError
        It is not within 1 to 100,000.
    """
    return int(check_range("The number of permutations", permutations, 1, 100_000))


def permuting_for(
    judge_all: Judge,
    names: Sequence[str],
    y: NDArray[np.str_],
    config: CrossValidation,
    *,
    kept: NDArray[np.str_] | None = None,
    measure: str = "multi_class",
    permutations: int = PERMUTATIONS,
) -> Steps[Permuted]:
    """Judge candidates of any kind with permuted labels, in steps of one of them, each with the share that is done.

    Whatever uses labels, such as learned weights, `judge_all` does again: nothing that it holds may have seen any.

    Parameters
    ----------
    judge_all : callable
        Once with the labels as they are, then B times with permuted ones and another seed of the folds.
    names : sequence of str
        Of the candidates, in its order.
    y : (n,) str
        "" = unlabelled.
    config : CrossValidation
    kept : (n,) str, optional
        What folds keep together, see `kept_together`: it stays together whatever the labels.
    measure : str
        What `judge_all` gives.
    permutations : int
    """
    permutations = check_permutations(permutations)
    check_choice("The measure", measure, tuple(SCALES))
    if not names:
        raise InvalidInputError("There has to be at least one kernel", "none")
    drawn: list[list[float]] = []
    orders = LabelOrders.of(y, kept)
    for b in range(1 + permutations):
        labels, how = y, config
        if b > 0:
            rng = repetition_rng(config.seed, b - 1)
            # folds drawn anew, too
            how = replace(config, seed=int(rng.integers(2**31 - 1)))
            labels = y[orders.draw(rng)]
        found: list[float] = []
        for value in judge_all(labels, how):
            found.append(value)
            yield (b * len(names) + len(found)) / ((1 + permutations) * len(names))
        drawn.append(found)
    return Permuted(measure, tuple(names), np.array(drawn[0]), np.array(drawn[1:]), config.seed)


def permuting(
    kernels: Mapping[str, GramMatrix | ArrayLike],
    y: Labels | ArrayLike,
    config: CrossValidation,
    *,
    measure: str = "multi_class",
    permutations: int = PERMUTATIONS,
    groups: ArrayLike | None = None,
    learner: Learner | None = None,
    copies: Copies | None = None,
) -> Steps[Permuted]:
    """`permutation_test` in steps of one kernel, each with the share that is done.

    Parameters and errors as in `permutation_test`.
    """
    if not kernels:
        raise InvalidInputError("There has to be at least one kernel", "none")
    grams = {
        name: K if isinstance(K, GramMatrix) else GramMatrix(as_symmetric(K, allow_nan=True))
        for name, K in kernels.items()
    }
    first, given = next(iter(grams.items()))[1], next(iter(kernels.values()))
    truth = labels_of(y, first, named=isinstance(given, GramMatrix))
    grouping = y.groups if isinstance(y, Labels) and groups is None else groups
    together = None if grouping is None else as_labels(grouping, first.n)
    # copies and groups exchange their labels as wholes, and stay what they are whatever the labels
    found = (
        copies_of(list(grams.values()), y if isinstance(y, Labels) else truth, config)
        if copies is None
        else copies
    )
    kept = kept_together(config, together, found.units if found.kept else None)

    def judge_all(labels: NDArray[np.str_], how: CrossValidation) -> Iterator[float]:
        for K in grams.values():
            made = judge(K, labels, how, groups=together, learner=learner, copies=found)
            yield float(getattr(made, measure).mean)

    check_choice("The measure", measure, tuple(SCALES))
    return permuting_for(
        judge_all, tuple(grams), truth, config, kept=kept, measure=measure, permutations=permutations
    )


def permutation_test(
    kernels: Mapping[str, GramMatrix | ArrayLike],
    y: Labels | ArrayLike,
    config: CrossValidation,
    *,
    measure: str = "multi_class",
    permutations: int = PERMUTATIONS,
    groups: ArrayLike | None = None,
    learner: Learner | None = None,
    copies: Copies | None = None,
) -> Permuted:
    """Judge kernels with permuted labels: how often is chance at least as good?

    Parameters
    ----------
    kernels : mapping of str to (n, n)
        All that are looked at: the best of many is higher by chance, and p knows.
    y : Labels or (n,) str
    config : CrossValidation
    measure : {"multi_class", "one_vs_rest", "balanced", "matthews", "auc"}
    permutations : int
        B; the smallest p is 1 / (1 + B).
    groups, learner, copies
        See `judge`.

    Raises
    ------
    InvalidInputError, NotPositiveSemidefiniteError
        As in `judge`.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import CrossValidation, permutation_test
    >>> x, y = np.arange(12.0), np.repeat(["a", "b"], 6)
    >>> kernels = {"linear": np.outer(x - 5.5, x - 5.5), "none": np.eye(12)}
    >>> made = permutation_test(kernels, y, CrossValidation(folds=2, repeats=1), permutations=39)
    >>> made.p("linear") <= 0.05, made.p("none") > 0.5
    (True, True)
    """
    return finished(
        permuting(
            kernels, y, config, measure=measure, permutations=permutations, groups=groups, learner=learner,
            copies=copies,
        )
    )  # fmt: skip
