"""Items to similarities, and similarities to others: kernels and steps as transformers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.gram.graph import Graph
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import FittedChain, nearest_before
from kernex_core.gram.step import Step
from kernex_core.kernels.base import AbstractKernel, AnyKernel
from kernex_core.kernels.vectors.vector_kernel import VectorKernel
from kernex_core.sklearn.contract import GramTransformer, RefusedInput, as_value_error


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
