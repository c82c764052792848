"""Learners of the core on precomputed kernels, and folds as pages draw them, for whoever takes `cv=`."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from kernex_core.base.frozen import FloatArray, IntArray, first_of
from kernex_core.base.labels import as_labels
from kernex_core.base.validation import as_symmetric, check_kernel
from kernex_core.gram.split import cut_blocks
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation, inner_folds
from kernex_core.learning.learners.contract import Learner, Targets, as_targets, chosen
from kernex_core.learning.learners.logistic import KernelLogistic
from kernex_core.learning.learners.ridge import KernelRidge
from kernex_core.learning.learners.support_vectors import SupportVectors
from kernex_core.learning.machine import UNSCALED
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.sklearn.contract import RefusedInput, as_value_error, cross_block

# Learners of the core on precomputed kernels: classes and numbers, their strength given or chosen inside folds.


class _Precomputed(BaseEstimator):  # type: ignore[misc]
    """Base: looks at the kernel, chooses the strength where none is given, and decides by similarities."""

    _kind: ClassVar[type[Learner]]
    in_units: bool

    def _learner(self) -> tuple[Learner, bool]:
        """The learner, and whether its strength, a parameter of the same name, is to be chosen."""
        strength = getattr(self, self._kind.strength)
        return (self._kind(), True) if strength is None else (self._kind().at(strength), False)

    def _learn(self, K: FloatArray, targets: Targets, groups: ArrayLike | None) -> None:
        with as_value_error():
            learner, choose = self._learner()
            K = check_kernel(as_symmetric(K))
            if choose:
                codes = targets.values if targets.n_classes else np.zeros(len(K))
                together = None if groups is None else as_labels(groups, len(K))
                inner = inner_folds(
                    codes.astype(np.int64), np.arange(len(K)), CrossValidation(), together,
                    least_classes=2 if targets.n_classes else 1,
                )  # fmt: skip
                learner = chosen(learner, partial(cut_blocks, K), targets, inner, checked=True)
            fit = learner.fit_in_units if self.in_units or choose else learner.fit
            self.learner_, self.fitted_ = learner, fit(K, targets)
        for sentence in learner.unfinished(self.fitted_.not_converged):
            warnings.warn(sentence, ConvergenceWarning, stacklevel=3)

    def _decide(self, K: Any) -> FloatArray:
        rows = cross_block(self, K)
        return self.fitted_.decide(rows)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = True
        return tags


class _PrecomputedClassifier(ClassifierMixin, _Precomputed):  # type: ignore[misc]
    """Base of those that learn classes, one against the rest."""

    classes_: NDArray[Any]

    def fit(self, K: ArrayLike, y: ArrayLike, groups: ArrayLike | None = None) -> Self:
        """Learn classes from a kernel.

        Parameters
        ----------
        K : (n, n)
            Positive semidefinite.
        y : (n,)
        groups : (n,), optional
            What inner folds keep together, where the strength is chosen.

        Raises
        ------
        RefusedInput
            Not symmetric, no kernel (the repair is named), or a single class.
        """
        values, labels = validate_data(self, K, y, dtype=np.float64)
        check_classification_targets(labels)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        if self.classes_.size < 2:
            raise RefusedInput("Items of at least two classes are needed", f"1 class, {self.classes_[0]!r}")
        self._learn(values, Targets(codes.astype(np.int64), self.classes_.size), groups)
        return self

    def decision_function(self, K: ArrayLike) -> FloatArray:
        """Decision values (n_new, n_classes), above 0 = yes; of two classes (n_new,), those of the second."""
        decisions = self._decide(K)
        return decisions[:, 1] if self.classes_.size == 2 else decisions

    def predict(self, K: ArrayLike) -> NDArray[Any]:
        """Class with the largest decision value."""
        named = self._decide(K).argmax(axis=1)
        return np.asarray(self.classes_[named])


class PrecomputedSVC(_PrecomputedClassifier):
    """Support vector machine on a kernel matrix, one class against the rest.

    Parameters
    ----------
    C : float or None
        Cost of training errors; None: chosen in folds of the training items.
    in_units : bool
        C is in units of the kernel, over its mean diagonal: the same for K and for 1e-4 K. False: taken as it is.

    Attributes
    ----------
    classes_ : (n_classes,)
    learner_ : SupportVectors
        With the C that was used.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core.sklearn import PrecomputedSVC
    >>> x = np.array([-2.0, -1.0, 1.0, 2.0])
    >>> made = PrecomputedSVC().fit(np.outer(x, x), ["low", "low", "high", "high"])
    >>> made.predict(np.outer([-3.0, 3.0], x)).tolist()
    ['low', 'high']
    """

    _kind: ClassVar[type[Learner]] = SupportVectors

    def __init__(self, C: float | None = 10.0, in_units: bool = True) -> None:
        self.C = C
        self.in_units = in_units


class PrecomputedLogistic(_PrecomputedClassifier):
    """Kernel logistic regression on a kernel matrix; decision values are log-odds of one class against the rest.

    Parameters
    ----------
    lam : float or None
        Weight of ‖f‖² against the mean loss; None: chosen in folds of the training items.
    in_units : bool
        λ is in units of the kernel's mean diagonal. False: taken as it is.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core.sklearn import PrecomputedLogistic
    >>> x = np.array([-2.0, -1.0, 1.0, 2.0])
    >>> made = PrecomputedLogistic(lam=0.1, in_units=False).fit(np.outer(x, x), ["no", "no", "yes", "yes"])
    >>> made.predict_proba(np.outer([-3.0, 3.0], x)).round(3).tolist()
    [[0.965, 0.035], [0.035, 0.965]]
    """

    _kind: ClassVar[type[Learner]] = KernelLogistic

    def __init__(self, lam: float | None = 1e-3, in_units: bool = True) -> None:
        self.lam = lam
        self.in_units = in_units

    def predict_proba(self, K: ArrayLike) -> FloatArray:
        """Probabilities (n_new, n_classes); of several classes those of one against the rest, over their sum."""
        decisions = self._decide(K)
        found = self.learner_.probabilities(decisions)
        assert found is not None  # log-odds have probabilities
        return np.asarray(found / found.sum(axis=1, keepdims=True))


class PrecomputedRidge(RegressorMixin, _Precomputed):  # type: ignore[misc]
    """Kernel ridge regression on a kernel matrix, with an intercept.

    Parameters
    ----------
    lam : float or None
        Weight of ‖f‖² against the mean squared error; None: chosen in folds of the training items.
    in_units : bool
        λ is in units of the kernel's mean diagonal. False: taken as it is.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core.sklearn import PrecomputedRidge
    >>> x = np.array([-2.0, -1.0, 1.0, 2.0])
    >>> PrecomputedRidge(lam=1e-6).fit(np.outer(x, x), 3.0 * x + 1.0).predict(np.outer([4.0], x)).round(3).tolist()
    [13.0]
    """

    _kind: ClassVar[type[Learner]] = KernelRidge

    def __init__(self, lam: float | None = 1e-3, in_units: bool = True) -> None:
        self.lam = lam
        self.in_units = in_units

    def fit(self, K: ArrayLike, y: ArrayLike, groups: ArrayLike | None = None) -> Self:
        """Learn numbers from a kernel.

        Parameters
        ----------
        K : (n, n)
            Positive semidefinite.
        y : (n,) float
        groups : (n,), optional
            What inner folds keep together, where λ is chosen.

        Raises
        ------
        RefusedInput
            Not symmetric, no kernel (the repair is named), or numbers that cannot be learned.
        """
        values, numbers = validate_data(self, K, y, dtype=np.float64, y_numeric=True)
        with as_value_error():
            targets = Targets(as_targets(numbers, len(values)))
        self._learn(values, targets, groups)
        return self

    def predict(self, K: ArrayLike) -> FloatArray:
        """Predicted numbers (n_new,)."""
        return self._decide(K)[:, 0]


# Folds as pages draw them, for whoever takes `cv=`: stratified, repeated, groups and copies kept together.


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
