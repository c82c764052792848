"""Similarities of new vectors to the items of a kernel that was made of vectors, by that kernel and its steps."""

from __future__ import annotations

from collections.abc import Iterable

from scipy import sparse

from kernex_core.base.digests import digest
from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, owned
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import carried
from kernex_core.inputs.dataset import AnySamples
from kernex_core.inputs.new_items import NewRows
from kernex_core.inputs.samples import AnyVectors, SparseVectors, Vectors
from kernex_core.kernels.vectors.vector_kernel import VectorKernel


def vectors_behind(K: GramMatrix, samples: Iterable[AnySamples]) -> AnyVectors | None:
    """Those of the samples that a kernel was computed from, all items of it; None where it came otherwise."""
    origin = K.base.origin
    if (
        origin is None
        or origin.function != ".similarities"
        or not isinstance(origin.arguments[0], VectorKernel)
    ):
        return None
    wanted = digest(origin.arguments[1])
    return next(
        (
            part
            for part in samples
            if isinstance(part, Vectors | SparseVectors)
            and part.ids == K.ids
            and digest(part if part.recipe is None else part.recipe) == wanted
        ),
        None,
    )


def rows_by_kernel(K: GramMatrix, known: AnyVectors, new: AnyVectors) -> NewRows:
    """Similarities of new vectors to the items of K, by its kernel and carried through its steps.

    Parameters
    ----------
    K : GramMatrix
        Computed from `known`; see `vectors_behind`.
    known, new : Vectors or SparseVectors
        With the same columns.

    Raises
    ------
    InvalidInputError
        Vectors that the kernel refuses, or a step that has no value for new items.
    """
    kernel = None if K.base.origin is None else K.base.origin.arguments[0]
    if not isinstance(kernel, VectorKernel):
        raise InvalidInputError("New vectors need a kernel that was computed from vectors", K.name)
    kernel = kernel.of(known)
    kernel.check(new.X, new.ids)
    rows: FloatArray | sparse.csr_array = (
        sparse.csr_array(new.X) if isinstance(known, SparseVectors) else new.X
    )
    made = carried(K.steps, K.base.values, kernel.cross(rows, known.X), kernel.own(rows))
    return NewRows(new.ids, owned(made.K_cross), owned(made.diag_test), new.notes)
