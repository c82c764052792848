"""Kernel of vectors with unknown entries, as a step: filled anew from the training rows of every fold."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from kernex_core.conditioning.impute import ColumnMean, FittedImputation, Imputation
from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call
from kernex_core.gram.seen import ITEMS, PAIR
from kernex_core.gram.step import CrossBlock, FittedStep, Sees, Step
from kernex_core.inputs.samples import Vectors
from kernex_core.kernels.base import AnyKernel


@dataclass(frozen=True)
class ImputedKernel(Step):
    """Kernel of vectors whose unknown entries are filled from the rows that the step is fitted on.

    It holds the vectors, so what comes before it does not matter: it stands first, on a matrix that is unknown
    everywhere (see `imputed_similarities`). Fitted inside a fold, neither the fill nor a data-dependent parameter of the
    kernel looks at test rows.
    """

    name: ClassVar[str] = "kernel of imputed vectors"
    sees: ClassVar[Sees] = Sees("fitted")
    vectors: Vectors
    kernel: AnyKernel
    imputation: Imputation = ColumnMean()

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedImputedKernel:
        """See Step.

        Raises
        ------
        InvalidInputError
            Another number of items than vectors, or a kernel that cannot take the filled vectors.
        """
        at = np.arange(K_train.shape[0]) if items is None else np.asarray(items)
        if items is None and at.size != self.vectors.n:
            raise InvalidInputError(
                f"The matrix has to be about the {self.vectors.n} vectors of this step", f"{at.size} items"
            )
        fitted = self.imputation.fit(self.vectors.X[at])
        filled = fitted.apply(self.vectors.X[at])
        self.kernel.check(filled, [self.vectors.ids[i] for i in at])
        return FittedImputedKernel(self, fitted, self.kernel.resolved(filled), filled)

    def take(self, items: IntArray) -> ImputedKernel:
        """See Step: the vectors follow their items."""
        return replace(self, vectors=self.vectors.take(items))


class FittedImputedKernel(FittedStep):
    """The filled vectors of the fitted items, and how others are filled.

    Attributes
    ----------
    imputation : FittedImputation
    kernel : AbstractKernel
        With every data-dependent parameter set from the fitted items.
    filled : (n, d) float
    """

    def __init__(
        self,
        step: ImputedKernel,
        imputation: FittedImputation,
        kernel: AnyKernel,
        filled: FloatArray,
    ) -> None:
        self.step, self.imputation, self.kernel, self.filled = step, imputation, kernel, filled

    def apply(self, K: FloatArray) -> FloatArray:
        """See FittedStep."""
        return self.kernel.gram(self.filled)

    def apply_cross(
        self, K_cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None
    ) -> CrossBlock:
        """See FittedStep; the positions of the new items are needed to find their vectors."""
        if items is None:
            raise InvalidInputError(
                "New items of a kernel of imputed vectors have to be items of its data set", "no positions"
            )
        new = self.imputation.apply(self.step.vectors.X[np.asarray(items)])
        return CrossBlock(self.kernel.cross(new, self.filled), np.diag(self.kernel.gram(new)).copy())


def imputed_similarities(
    kernel: AnyKernel, vectors: Vectors, imputation: Imputation | None = None, *, name: str = ""
) -> GramMatrix:
    """Kernel of vectors with unknown entries, filled anew inside every training fold of an inductive evaluation.

    Parameters
    ----------
    kernel : AbstractKernel
        On vectors.
    vectors : Vectors
        NaN = unknown.
    imputation : Imputation, optional
        The column mean by default.
    name : str

    Returns
    -------
    GramMatrix
        Of all items, with `ImputedKernel` as its first step.

    Raises
    ------
    InvalidInputError
        A kernel on something else than vectors, or one that cannot take the filled vectors.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import Linear, Vectors, imputed_similarities
    >>> vectors = Vectors(("a", "b"), np.array([[1.0, 2.0], [3.0, np.nan]]))
    >>> imputed_similarities(Linear(), vectors).values.tolist()
    [[5.0, 7.0], [7.0, 13.0]]
    """
    if kernel.data_kind != "vectors":
        raise InvalidInputError("Only vectors can be imputed", f"a kernel on {kernel.data_kind}")
    step = ImputedKernel(vectors, kernel, ColumnMean() if imputation is None else imputation)
    return nothing_known(vectors.ids, name or kernel.title.lower()).then(step)


def nothing_known(ids: tuple[str, ...], name: str = "gram", *, set_by_items: bool = False) -> GramMatrix:
    """Matrix of which no entry is known: where a step that brings its own data starts.

    With `set_by_items` those data were chosen by a look at all items.

    Examples
    --------
    >>> from kernex_core import nothing_known
    >>> nothing_known(("a", "b")).known.tolist()
    [False, False]
    """
    said = {"set_by_items": True} if set_by_items else {}
    return GramMatrix(
        np.full((len(ids), len(ids)), np.nan),
        ids,
        name,
        call(name, "nothing_known", tuple(ids), **said),
        seen=ITEMS if set_by_items else PAIR,
    )
