"""Items to similarities, and similarities to others: kernels, steps and completions as transformers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.completion.complete import Complete
from kernex_core.completion.views.complete import Mode, complete_views
from kernex_core.gram.graph import Graph
from kernex_core.gram.matrix import GramMatrix, as_gram
from kernex_core.gram.split import FittedChain, nearest_before
from kernex_core.gram.step import Step
from kernex_core.kernels.base import AbstractKernel, AnyKernel
from kernex_core.kernels.vectors.vector_kernel import VectorKernel
from kernex_core.sklearn.contract import GramTransformer, RefusedInput, as_value_error

# Items to similarities, and similarities to others: kernels and steps as transformers.


def fitted_chain(steps: Sequence[object], block: FloatArray, items: IntArray | None = None) -> FittedChain:
    """Fit steps one after another on a training block.

    Raises
    ------
    RefusedInput
        What is no step.
    """
    known = [step for step in steps if isinstance(step, Step)]
    if len(known) < len(steps):
        odd = next(step for step in steps if not isinstance(step, Step))
        raise RefusedInput("A step such as Center() or CosineNormalize() is needed", repr(odd)[:80])
    nearest = nearest_before(GramMatrix(block), np.arange(len(block)), known) if known else None
    return FittedChain.of(known, block, items=items, nearest=nearest)


class StepTransformer(GramTransformer):
    """A step of the core, or several, on precomputed similarities: fitted on the training block, applied to cross blocks.

    Parameters
    ----------
    step : Step or tuple of Step
        Several are fitted one after another. Steps that need self-similarities belong into one transformer, which hands
        them on from step to step.

    Attributes
    ----------
    chain_ : FittedChain
    block_ : (n, n) float
        What the training block became.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import Center
    >>> from kernex_core.sklearn import StepTransformer
    >>> made = StepTransformer(Center()).fit([[2.0, 0.0], [0.0, 2.0]])
    >>> made.transform([[1.0, 0.0]]).tolist()
    [[0.5, -0.5]]
    """

    def __init__(self, step: Step | tuple[Step, ...]) -> None:
        self.step = step

    def _fit(self, K: FloatArray, items: IntArray | None) -> FloatArray:
        steps = self.step if isinstance(self.step, tuple | list) else (self.step,)
        self.chain_ = fitted_chain(steps, K, items)
        return self.chain_.block

    def _cross(self, K_cross: FloatArray, own: FloatArray, items: IntArray | None) -> FloatArray:
        return self.chain_.cross(K_cross, own, items=items).values


def _strings(X: Any) -> tuple[str, ...]:
    return _all_of(str, "strings", X)


def _graphs(X: Any) -> tuple[Graph, ...]:
    return _all_of(Graph, "graphs, such as Graph(2, [(0, 1)])", X)


def _all_of(kind: type, words: str, X: Any) -> tuple[Any, ...]:
    items = tuple(X)
    odd = next((item for item in items if not isinstance(item, kind)), None)
    if odd is not None or not items:
        raise RefusedInput(f"This kernel compares {words}", "nothing" if odd is None else repr(odd)[:80])
    return items


_READ: Final[dict[str, Callable[[Any], tuple[Any, ...]]]] = {"sequences": _strings, "graphs": _graphs}


class KernelTransformer(TransformerMixin, ClassNamePrefixFeaturesOutMixin, BaseEstimator):  # type: ignore[misc]
    """Sequences, graphs or vectors to their similarities to the training items, by a kernel of the core.

    Parameters
    ----------
    kernel : AbstractKernel
        Parameters that are open (a width) are set from the training items.
    steps : tuple of Step
        Taken after the kernel, fitted on the training items: normalisation, centring. Self-similarities of new items are
        computed where there are steps.

    Attributes
    ----------
    kernel_ : AbstractKernel
        With every parameter set.
    samples_ : the training items
    chain_ : FittedChain
        The steps, fitted.

    Examples
    --------
    >>> from kernex_core import CosineNormalize, Spectrum
    >>> from kernex_core.sklearn import KernelTransformer
    >>> made = KernelTransformer(Spectrum(k=2), steps=(CosineNormalize(),))
    >>> made.fit(["ACGT", "CGTT"]).transform(["ACGA"]).round(3).tolist()
    [[0.667, 0.333]]
    """

    def __init__(self, kernel: AnyKernel, steps: tuple[Step, ...] = ()) -> None:
        self.kernel = kernel
        self.steps = steps

    def fit(self, X: Any, y: object = None) -> Self:
        """Compare the training items with each other."""
        samples = self._samples(X, reset=True)
        with as_value_error():
            self.kernel.check(samples)
            self.kernel_ = self.kernel.resolved(samples)
            self.samples_ = samples
            self.chain_ = fitted_chain(self.steps, self.kernel_.gram(samples))
        return self

    def fit_transform(self, X: Any, y: object = None) -> FloatArray:
        """`fit`, and the similarities (n, n) among the training items."""
        return self.fit(X).chain_.block.copy()

    def transform(self, X: Any) -> FloatArray:
        """Similarities (n_new, n) to the training items."""
        check_is_fitted(self)
        samples = self._samples(X, reset=False)
        with as_value_error():
            self.kernel_.check(samples)
            cross = self.kernel_.cross(samples, self.samples_)
            if not self.steps:
                return cross
            return self.chain_.cross(cross, self.kernel_.own(samples)).values.copy()

    def _samples(self, X: Any, *, reset: bool) -> Any:
        if not isinstance(self.kernel, AbstractKernel) or not self.kernel.new_items:
            raise RefusedInput(
                "A kernel on vectors, sequences or graphs is needed, such as Spectrum(k=3)",
                repr(self.kernel)[:80],
                "Nodes are compared inside one network: take the kernel's matrix, and StepTransformer",
            )
        if self.kernel.data_kind in _READ:
            return _READ[self.kernel.data_kind](X)
        return validate_data(
            self, X, reset=reset, dtype=np.float64, accept_sparse="csr" if self._sparse else False
        )

    @property
    def _sparse(self) -> bool:
        return isinstance(self.kernel, VectorKernel) and self.kernel.takes_sparse

    @property
    def _n_features_out(self) -> int:
        return int(self.chain_.block.shape[1])

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        kind = getattr(self.kernel, "data_kind", "vectors")
        tags.input_tags.two_d_array = kind == "vectors"
        tags.input_tags.string = kind == "sequences"
        tags.input_tags.sparse = self._sparse
        return tags


# Kernels of which items lack similarities: completed from a source, from several, or joined with one.

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
