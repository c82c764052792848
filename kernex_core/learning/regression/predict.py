"""Numbers for items that have none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.labels import as_labels
from kernex_core.learning.copies import found_copies
from kernex_core.learning.engine import cut_of
from kernex_core.learning.evaluate import check_judgeable
from kernex_core.learning.folds import CrossValidation, kept_together
from kernex_core.learning.learners.choice import chosen
from kernex_core.learning.learners.contract import Learner, Targets, check_learns
from kernex_core.learning.learners.ridge import KernelRidge
from kernex_core.learning.nested import inner_folds
from kernex_core.learning.regression.targets import numbers_of


@dataclass(frozen=True, eq=False)
class PredictedNumbers(ReadOnlyArrays):
    """Predicted numbers of items without one.

    Attributes
    ----------
    items : (k,) int
        Their positions in the kernel.
    ids : tuple of str
    numbers : (k,) float
    trained : int
        Items with a number, which all were learned from.
    learner : Learner
        With the strength that was chosen, if one was: in units of the mean diagonal of the items that were learned from.
    notes : tuple of str
    """

    items: IntArray
    ids: tuple[str, ...]
    numbers: FloatArray
    trained: int
    learner: Learner
    notes: tuple[str, ...] = ()


def predict_numbers(
    K: GramMatrix,
    y: Labels | ArrayLike,
    *,
    learner: Learner | None = None,
    choose: CrossValidation | None = None,
) -> PredictedNumbers:
    """Learn from the items that have a number, and predict those that have none.

    Parameters
    ----------
    K : (n, n)
        Positive semidefinite and known everywhere.
    y : Labels or (n,) float
        "" or NaN = none.
    learner : Learner, optional
        One that learns numbers; kernel ridge by default.
    choose : CrossValidation, optional
        With its `choose_C` the strength is chosen in folds of the items that have a number, as inside the folds of
        `judge_numbers`; its seed and groups are kept to.

    Raises
    ------
    InvalidInputError
        Unknown entries, every item has a number, a learner of classes.
    NotPositiveSemidefiniteError
        Naming the repair.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import GramMatrix, KernelRidge, predict_numbers
    >>> x = np.array([-2.0, -1.0, 1.0, 2.0, 3.0])
    >>> K = GramMatrix(np.outer(x, x), ids=("a", "b", "c", "d", "new"))
    >>> made = predict_numbers(K, [-3.0, -1.0, 3.0, 5.0, np.nan], learner=KernelRidge(1e-8))
    >>> made.ids, made.numbers.round(4).tolist()
    (('new',), [7.0])
    """
    learner = KernelRidge() if learner is None else learner
    check_learns(learner, "numbers")
    values = numbers_of(y, K)
    new, train = np.flatnonzero(np.isnan(values)), np.flatnonzero(~np.isnan(values))
    if new.size == 0:
        raise InvalidInputError("Prediction is for items without a number", "every item has one")
    check_judgeable(K)
    if choose is not None and choose.choose_C:
        groups = y.groups if isinstance(y, Labels) else None
        codes = np.where(np.isnan(values), -1, 0)
        named = None if groups is None else as_labels(groups, K.n)
        equal = y.copies if isinstance(y, Labels) else None
        copies = found_copies([K.values], codes, choose, groups=named, known=equal)
        together = kept_together(choose, named, copies.units if copies.kept else None)
        folds = inner_folds(codes, train, choose, together, least_classes=1)
        learner = chosen(learner, cut_of(K, inductive=False), Targets(values), folds, checked=True)
    fit = learner.fit if choose is None or not choose.choose_C else learner.fit_in_units
    fitted = fit(K.values[np.ix_(train, train)], Targets(values[train]))
    numbers = fitted.decide(K.values[np.ix_(new, train)])[:, 0]
    return PredictedNumbers(
        new, tuple(K.ids[i] for i in new), numbers, train.size, learner, learner.unfinished(fitted.not_converged)
    )  # fmt: skip
