"""What all estimators share: errors that scikit-learn understands, matrices looked at, transformers of Gram matrices."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from kernex_core.base.digests import digest
from kernex_core.base.errors import KernexError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.validation import as_numbers, as_symmetric, common_value


class RefusedInput(KernexError, ValueError):
    """What the core refuses, as the ValueError that scikit-learn expects; the sentence is the same."""


@contextmanager
def as_value_error() -> Iterator[None]:
    """Raise on what the core refuses as RefusedInput."""
    try:
        yield
    except RefusedInput:
        raise
    except KernexError as error:
        raise RefusedInput(error.expected, error.found, error.remedy) from error


def training_block(estimator: BaseEstimator, K: Any, *, allow_nan: bool = False) -> FloatArray:
    """Similarities (n, n) among the training items, symmetric.

    Raises
    ------
    RefusedInput
        Not square, or not symmetric up to rounding.
    """
    values = validate_data(
        estimator, K, dtype=np.float64, ensure_all_finite="allow-nan" if allow_nan else True
    )
    with as_value_error():
        return as_symmetric(values, allow_nan=allow_nan)


def cross_block(estimator: BaseEstimator, K: Any, *, allow_nan: bool = False) -> FloatArray:
    """Similarities (n_new, n) of other items to the training items."""
    check_is_fitted(estimator)
    made: FloatArray = validate_data(
        estimator, K, reset=False, dtype=np.float64, ensure_all_finite="allow-nan" if allow_nan else True
    )
    return made


def as_items(items: ArrayLike | None) -> IntArray | None:
    """Positions in the whole data set as whole numbers; None stays None."""
    return None if items is None else np.asarray(items, dtype=np.int64)


class GramTransformer(TransformerMixin, ClassNamePrefixFeaturesOutMixin, BaseEstimator):  # type: ignore[misc]
    """Base of what turns similarities to the training items into others: (n, n) in `fit`, (n_new, n) in `transform`.

    The very block that it was fitted on comes back from `transform` as from `fit_transform`.
    """

    _allows_nan: ClassVar[bool] = False

    @abstractmethod
    def _fit(self, K: FloatArray, items: IntArray | None) -> FloatArray:
        """Look at the training block and return what it becomes."""

    @abstractmethod
    def _cross(self, K_cross: FloatArray, own: FloatArray, items: IntArray | None) -> FloatArray:
        """What similarities of other items become; NaN where `own` is needed and not known."""

    def fit(self, K: ArrayLike, y: object = None, items: ArrayLike | None = None) -> Self:
        """Look at the training block.

        Parameters
        ----------
        K : (n, n)
        y : ignored
        items : (n,) int, optional
            Positions of the training items in the whole data set, where a parameter holds something about all of it.
        """
        block = training_block(self, K, allow_nan=self._allows_nan)
        with as_value_error():
            self.block_ = self._fit(block, as_items(items))
        self.digest_, self.own_ = digest(block), block.diagonal().copy()
        return self

    def fit_transform(
        self,
        K: ArrayLike,
        y: object = None,
        items: ArrayLike | None = None,
        diag: ArrayLike | None = None,
    ) -> FloatArray:
        """`fit`, and what the training block becomes; its diagonal is that of K."""
        return self.fit(K, y, items).block_.copy()

    def transform(
        self, K: ArrayLike, diag: ArrayLike | None = None, items: ArrayLike | None = None
    ) -> FloatArray:
        """What similarities of other items become.

        Parameters
        ----------
        K : (n_new, n)
        diag : (n_new,), optional
            Similarity of each of them to itself. Where the training items all have the same, that is taken.
        items : (n_new,) int, optional
            Their positions in the whole data set; see `fit`.

        Raises
        ------
        RefusedInput
            A step that needs self-similarities which are not given.
        """
        values = cross_block(self, K, allow_nan=self._allows_nan)
        if values.shape == self.block_.shape and digest(values) == self.digest_:
            return self.block_.copy()
        with as_value_error():
            own = self._own(diag, len(values))
            made = self._cross(values, own, as_items(items))
        if np.isnan(own).any() and np.isnan(made).any():
            raise RefusedInput(
                "The similarity of each new item to itself is needed",
                "none, and those of the training items differ",
                "Give it as diag=..., with set_transform_request(diag=True) in a pipeline; KernelTransformer computes it",
            )
        return made.copy()

    def _own(self, diag: ArrayLike | None, n_new: int) -> FloatArray:
        if diag is None:
            return np.full(n_new, common_value(self.own_))
        own = as_numbers(diag, "diag")
        if own.shape != (n_new,):
            raise RefusedInput(f"There has to be one self-similarity an item ({n_new})", f"shape {own.shape}")
        return own

    @property
    def _n_features_out(self) -> int:
        return int(self.block_.shape[1])

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = True
        tags.input_tags.allow_nan = self._allows_nan
        return tags
