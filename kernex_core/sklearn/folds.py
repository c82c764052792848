"""Folds as pages draw them, for whoever takes `cv=`: stratified, repeated, groups and copies kept together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.model_selection import BaseCrossValidator

from kernex_core.base.frozen import FloatArray, IntArray, first_of
from kernex_core.base.labels import as_labels
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.machine import UNSCALED
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.sklearn.contract import as_value_error


class JudgedFolds(BaseCrossValidator):  # type: ignore[misc]
    """The folds on which `judge` and the page Evaluate judge a kernel of these items.

    Parameters
    ----------
    validation : CrossValidation
        Of it folds, repetitions, seed, and what is kept together count.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import CrossValidation
    >>> from kernex_core.sklearn import JudgedFolds
    >>> folds = JudgedFolds(CrossValidation(folds=2, repeats=1)).split(np.eye(4), ["a", "a", "b", "b"])
    >>> [test.tolist() for _, test in folds]
    [[1, 3], [0, 2]]
    """

    __metadata_request__split: ClassVar[dict[str, bool]] = {"groups": True}

    def __init__(self, validation: CrossValidation) -> None:
        self.validation = validation

    def split(
        self, X: Any, y: ArrayLike = (), groups: ArrayLike | None = None
    ) -> Iterator[tuple[IntArray, IntArray]]:
        """Training and test items of each fold.

        Parameters
        ----------
        X : (n, n) or a sequence of n strings
            In a Gram matrix copies are items that it does not tell apart; of strings they are equal.
        y : (n,) classes
        groups : (n,), optional
            Kept together where `validation.grouped` says so.
        """
        for fold in self._judging(X, y, groups).folds:
            yield fold.train, fold.test

    def get_n_splits(self, X: Any = None, y: ArrayLike = (), groups: ArrayLike | None = None) -> int:
        """Number of folds over all repetitions."""
        folds = self.validation.folds or (0 if X is None else len(X))
        return folds * (self.validation.repeats if self.validation.folds else 1)

    def _judging(self, X: Any, y: ArrayLike, groups: ArrayLike | None) -> Judging:
        given = np.asarray(X)
        kernels: list[FloatArray] = []
        equal = None
        if given.ndim == 2 and given.shape[0] == given.shape[1]:
            kernels = [given.astype(np.float64)]
        elif given.ndim == 1 and all(isinstance(item, str) for item in X):
            equal = first_of(X)
        with as_value_error():
            classes = as_labels(y)
            ids = tuple(str(i + 1) for i in range(classes.size))
            grouping = None if groups is None else as_labels(groups, classes.size)
            labels = Labels(ids, classes, grouping)
            return Judging.of(labels, Protocol(self.validation, UNSCALED), kernels=kernels, equal=equal)
