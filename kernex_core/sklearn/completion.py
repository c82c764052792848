"""Kernels of which items lack similarities: completed from a source, from several, or joined with one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.completion.complete import Complete
from kernex_core.completion.views.complete import Mode, complete_views
from kernex_core.gram.matrix import GramMatrix, as_gram
from kernex_core.sklearn.contract import GramTransformer, RefusedInput

OWN_NAME: Final = "X"
"""What the matrix that is completed is called among the views."""


def _about(matrix: Any, items: IntArray | None, n: int, title: str) -> GramMatrix:
    """The part of a matrix of the whole data set that is about the training items."""
    whole = as_gram(matrix)
    part = whole if items is None else whole.take(items)
    if part.n != n:
        raise RefusedInput(
            f"{title} has to be about the {n} training items",
            f"{whole.n} items",
            "Say which they are: items=..., with set_fit_request(items=True) in a pipeline",
        )
    return part


class KernelCompleter(GramTransformer):
    """A partly known target, completed from a source kernel of the same items; see `Complete`.

    In `fit` the rows of unknown items are NaN. What a new item has in the target is not used: it is placed by its
    similarities in the source, so `transform` needs its position there.

    Parameters
    ----------
    source : (m, m) array or GramMatrix
        Known for all items of the whole data set. None: nothing is known besides, items are like themselves alone.
    method : {"joint", "extrapolated", "zero-fill", "mean-fill", "nystroem"}
    lam, nugget, constraint, residual
        See `joint_kernel`.

    Attributes
    ----------
    fitted_ : Completed
    block_ : (n, n) float

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core.sklearn import KernelCompleter
    >>> source = [[1.0, 0.5, 0.8], [0.5, 1.0, 0.4], [0.8, 0.4, 1.0]]
    >>> target = [[2.0, 1.0, np.nan], [1.0, 2.0, np.nan], [np.nan, np.nan, np.nan]]
    >>> KernelCompleter(source, lam=0.5, nugget=0.0).fit_transform(target).round(3).tolist()
    [[1.333, 0.667, 1.067], [0.667, 1.333, 0.533], [1.067, 0.533, 0.853]]
    """

    _allows_nan: ClassVar[bool] = True

    def __init__(
        self,
        source: ArrayLike | GramMatrix | None,
        method: str = "joint",
        lam: float = 0.5,
        nugget: float = 0.1,
        constraint: str = "shear",
        residual: bool = False,
    ) -> None:
        self.source = source
        self.method = method
        self.lam = lam
        self.nugget = nugget
        self.constraint = constraint
        self.residual = residual

    def _fit(self, K: FloatArray, items: IntArray | None) -> FloatArray:
        source = as_gram(np.eye(len(K)) if self.source is None else self.source)
        _about(source, items, len(K), "The source")
        step = Complete(source, self.method, self.lam, self.nugget, self.constraint, self.residual)
        self.fitted_ = step.fit(K, items=items)
        return self.fitted_.apply(K)

    def _cross(self, K_cross: FloatArray, own: FloatArray, items: IntArray | None) -> FloatArray:
        if self.source is None:  # who is like nobody is placed nowhere
            return np.zeros(K_cross.shape)
        return self.fitted_.apply_cross(K_cross, own, items=items).values


class JointKernel(GramTransformer):
    """The joint kernel of a source, which comes as X, and of a target that is known for some of the training items.

    New items need their similarities in the source alone: W_new' J W, see `joint_kernel`.

    Parameters
    ----------
    target : (m, m) array or GramMatrix
        Of the whole data set; NaN in the rows of unknown items. None: the source itself.
    lam : float
        0 to 1: weight of the source's inverse.
    nugget, constraint, residual
        See `joint_kernel`.

    Attributes
    ----------
    fitted_ : Completed
    block_ : (n, n) float

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core.sklearn import JointKernel
    >>> target = [[2.0, 1.0, np.nan], [1.0, 2.0, np.nan], [np.nan, np.nan, np.nan]]
    >>> made = JointKernel(target, nugget=0.0).fit([[1.0, 0.5, 0.8], [0.5, 1.0, 0.4], [0.8, 0.4, 1.0]])
    >>> made.transform([[0.8, 0.4, 1.0]]).round(3).tolist()
    [[1.067, 0.533, 0.853]]
    """

    def __init__(
        self,
        target: ArrayLike | GramMatrix | None,
        lam: float = 0.5,
        nugget: float = 0.1,
        constraint: str = "shear",
        residual: bool = False,
    ) -> None:
        self.target = target
        self.lam = lam
        self.nugget = nugget
        self.constraint = constraint
        self.residual = residual

    def _fit(self, K: FloatArray, items: IntArray | None) -> FloatArray:
        source = GramMatrix(K)
        target = _about(source if self.target is None else self.target, items, len(K), "The target")
        step = Complete(source, "joint", self.lam, self.nugget, self.constraint, self.residual)
        self.fitted_ = step.fit(target.nearest)
        return self.fitted_.apply(target.values)

    def _cross(self, K_cross: FloatArray, own: FloatArray, items: IntArray | None) -> FloatArray:
        return self.fitted_.by_source(K_cross, own).values


class ViewsCompleter(GramTransformer):
    """A kernel that lacks items, completed together with other kernels that lack others; see `complete_views`.

    All views are looked at together, so there is no `transform` of other items.

    Parameters
    ----------
    views : dict of str to (m, m) array or GramMatrix
        Further kernels of the whole data set; NaN in the rows of items that they lack. None: no others, and nothing may
        be unknown.
    mode : {"fast", "tuned"}

    Attributes
    ----------
    completed_ : CompletedViews or None
        All views, with trust and certificate; the matrix that came is called "X". None where there are no others.
    block_ : (n, n) float

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core.sklearn import ViewsCompleter
    >>> X = np.random.default_rng(0).normal(size=(8, 2))
    >>> K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2))
    >>> a, b = K.copy(), K.copy()
    >>> a[0], a[:, 0], b[7], b[:, 7] = np.nan, np.nan, np.nan, np.nan
    >>> bool(np.isfinite(ViewsCompleter({"b": b}).fit_transform(a)).all())
    True
    """

    _allows_nan: ClassVar[bool] = True

    def __init__(
        self, views: Mapping[str, ArrayLike | GramMatrix] | None = None, mode: Mode = "fast"
    ) -> None:
        self.views = views
        self.mode = mode

    def _fit(self, K: FloatArray, items: IntArray | None) -> FloatArray:
        self.completed_ = None
        if self.views is None:
            if np.isnan(K).any():
                raise RefusedInput("Unknown similarities are completed from other views", "none")
            return K
        others = {
            name: GramMatrix(_about(K_other, items, len(K), f"The view {name!r}").values)
            for name, K_other in self.views.items()
        }
        self.completed_ = complete_views({OWN_NAME: GramMatrix(K), **others}, mode=self.mode)
        return np.array(self.completed_.kernels[OWN_NAME])

    def _cross(self, K_cross: FloatArray, own: FloatArray, items: IntArray | None) -> FloatArray:
        raise RefusedInput(
            "Views are completed for the items that they were fitted on",
            f"{len(K_cross)} others",
            "Fit it on all items, and give the completed kernel to folds",
        )
