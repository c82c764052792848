"""Accuracies on folds, cell by cell of a table of kernels, and class by class as the papers measure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_choice, check_range
from kernex_core.gram.matrix import GramMatrix, as_gram
from kernex_core.learning.chance.interval import Interval, Passes, interval_of
from kernex_core.learning.chance.verdict import Verdict, verdict_of
from kernex_core.learning.evaluate import check_judgeable
from kernex_core.learning.folds import LEAVE_ONE_OUT, Fold, stratified_folds
from kernex_core.learning.machine import Machine, code_labels, cross_decisions, labels_of
from kernex_core.learning.protocol import Judging
from kernex_core.learning.scores import decided_rightly, one_vs_rest_by_class, one_vs_rest_floor

# Accuracies of kernels on the same folds, cell by cell.

COLUMNS = ("multi_class", "one_vs_rest")
"""Measures in the order of the columns of `by_fold` and `by_item`."""


@dataclass(frozen=True, eq=False)
class CellScores(ReadOnlyArrays):
    """Scores of one kernel in one repetition.

    Attributes
    ----------
    multi_class, one_vs_rest : float
    by_class : (n_classes,) float
        One-vs-rest accuracy of each class.
    by_fold : (n_folds, 2) float
        Multi-class and one-vs-rest accuracy of each fold.
    by_item : (n_labelled, 2) float
        The same of each item, in the order of the items: right or not, and the share of its decisions that is right.
    groups : (n_labelled,) str or None
        Groups that were kept together.
    codes : (n_labelled,) int
        Their classes.
    """

    multi_class: float
    one_vs_rest: float
    by_class: FloatArray
    by_fold: FloatArray
    by_item: FloatArray
    groups: NDArray[np.str_] | None = None
    codes: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))


def scores_of(K: FloatArray, how: Judging) -> CellScores:
    """Scores of a matrix that is known to be a kernel, over the folds of one repetition."""
    return scores_of_decisions(cross_decisions(K, how.coded, how.folds, how.protocol.machine()), how)


def scores_of_decisions(by_fold: Sequence[FloatArray], how: Judging) -> CellScores:
    """Scores of decision values, whatever made them.

    Parameters
    ----------
    by_fold : sequence of (n_test, n_classes) float
        One a fold of `how`, of one repetition.
    how : Judging
    """
    coded, folds = how.coded, how.folds
    decisions = np.vstack(by_fold)
    tested = np.concatenate([fold.test for fold in folds])
    truth, order = coded.codes[tested], np.argsort(tested)
    named, decided = decisions.argmax(axis=1) == truth, decided_rightly(truth, decisions)
    ends = np.cumsum([fold.test.size for fold in folds])
    right = [
        (named[end - fold.test.size : end].mean(), decided[end - fold.test.size : end].mean(axis=0).mean())
        for fold, end in zip(folds, ends.tolist(), strict=True)
    ]
    by_class = decided.mean(axis=0)
    by_item = np.column_stack([named, decided.mean(axis=1)])
    groups = None if how.groups is None else how.groups[tested[order]]
    return CellScores(
        float(named.mean()),
        float(by_class.mean()),
        by_class,
        np.array(right),
        by_item[order],
        groups,
        truth[order],
    )


def values_of(repeated: Sequence[CellScores], measure: str) -> FloatArray:
    """(n_repeats, n_items) what each item has of a measure in each repetition.

    Parameters
    ----------
    repeated : sequence of CellScores
        One a repetition, of the same items.
    measure : {"multi_class", "one_vs_rest"}
    """
    check_choice("The measure", measure, COLUMNS)
    column = COLUMNS.index(measure)
    return np.array([scores.by_item[:, column] for scores in repeated])


def passes_of(repeated: Sequence[CellScores]) -> Passes:
    """In how many folds, and how often, the items were judged."""
    return Passes(len(repeated[0].by_fold), len(repeated))


def cell_interval(repeated: Sequence[CellScores], measure: str) -> Interval:
    """Interval of a mean over repetitions, see `interval_of`.

    Parameters
    ----------
    repeated : sequence of CellScores
        One a repetition, of the same items.
    measure : {"multi_class", "one_vs_rest"}
    """
    first = repeated[0]
    return interval_of(
        values_of(repeated, measure),
        passes_of(repeated),
        groups=first.groups,
        classes=first.codes if measure == "one_vs_rest" else None,
    )


def cell_verdict(
    candidates: Mapping[str, Sequence[CellScores]],
    measure: str = "multi_class",
    *,
    plain: Collection[str] = (),
) -> Verdict:
    """Which of several candidates that were judged in the same repetitions is best, and who is told apart from it.

    Parameters
    ----------
    candidates : mapping of str to sequence of CellScores
        By the name that the page shows; all that are on its picture.
    measure : {"multi_class", "one_vs_rest"}
    plain : collection of str
        Those that are plain baselines.
    """
    first = next(iter(candidates.values()))
    values = {name: values_of(scores, measure) for name, scores in candidates.items()}
    return verdict_of(
        values,
        passes_of(first),
        plain=plain,
        groups=first[0].groups,
        classes=first[0].codes if measure == "one_vs_rest" else None,
    )


# The papers' measure: accuracy of "is it class c?", class by class, with the floor that belongs beside it.


@dataclass(frozen=True, eq=False)
class OneVsRestAccuracy(ReadOnlyArrays):
    """Accuracy of one C-SVM a class against all other classes.

    Attributes
    ----------
    per_class : (n_classes,) float
        0 to 1.
    classes : tuple of str
        Largest first.
    mean : float
        Over classes.
    floor : float
        Mean accuracy of always saying no, 1 − 1/c: 88.9 % for nine classes.
    sd_classes : float
        Standard deviation over classes.
    """

    per_class: FloatArray
    classes: tuple[str, ...]
    mean: float
    floor: float
    sd_classes: float


def one_vs_rest_accuracy(
    K: GramMatrix | ArrayLike, y: ArrayLike, *, C: float, folds: int, rng: np.random.Generator
) -> OneVsRestAccuracy:
    """Cross-validated one-vs-rest accuracy, once over the items; `judge` gives repeats, spreads and other scores.

    Parameters
    ----------
    K : (n, n)
        Positive semidefinite and known everywhere.
    y : Labels or (n,) str
        "" = unlabelled, not counted.
    C : float
        Above 0.
    folds : int
        2 and more, stratified; 0 = leave-one-out.
    rng : numpy.random.Generator
        Draws the folds.

    Raises
    ------
    InvalidInputError
        Fewer than two classes, unknown entries, more folds than the largest class has members.
    NotPositiveSemidefiniteError
        Naming the repair.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import one_vs_rest_accuracy
    >>> x, y = np.arange(12.0), np.repeat(["a", "b"], 6)
    >>> rng = np.random.default_rng(0)
    >>> made = one_vs_rest_accuracy(np.outer(x - 5.5, x - 5.5), y, C=1.0, folds=2, rng=rng)
    >>> made.mean, made.floor
    (1.0, 0.5)
    """
    C = check_range("C", C, 0.0, open_low=True)
    if not isinstance(rng, np.random.Generator):
        raise InvalidInputError(
            "rng has to be a random generator", type(rng).__name__, "Write rng=np.random.default_rng(0)"
        )
    gram = as_gram(K)
    coded = code_labels(labels_of(y, gram, named=isinstance(K, GramMatrix)))
    check_judgeable(gram)
    items = np.flatnonzero(coded.codes >= 0)
    if isinstance(folds, bool) or not isinstance(folds, int | np.integer):
        raise InvalidInputError("The number of folds has to be a whole number", repr(folds))
    if folds == LEAVE_ONE_OUT:
        parts = tuple(Fold(np.delete(items, i), items[i : i + 1], 0) for i in range(items.size))
    else:
        parts = stratified_folds(coded.codes, int(folds), seed=int(rng.integers(2**31)))
    decisions = np.vstack(cross_decisions(gram.values, coded, parts, Machine(C)))
    truth = coded.codes[np.concatenate([part.test for part in parts])]
    per_class = one_vs_rest_by_class(truth, decisions)
    c = len(coded.classes)
    return OneVsRestAccuracy(
        per_class,
        coded.classes,
        float(per_class.mean()),
        one_vs_rest_floor(truth, c),
        float(per_class.std(ddof=1)),
    )
