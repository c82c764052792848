"""Items as points: rows of measurements, or a kernel's own feature space."""

from __future__ import annotations

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import cosine_normalize
from kernex_core.gram.spectrum.decomposition import decompose
from kernex_core.inputs.samples import Vectors
from kernex_core.validation import check_item_count, psd_tolerance

FEWEST = 5
"""Items that a map in two coordinates with two neighbours needs."""


def points_of(source: Vectors | GramMatrix, *, normalize: bool = False) -> tuple[FloatArray, tuple[str, ...]]:
    """(n, r) points whose distances are those of the items, d² = k(x, x) − 2 k(x, x') + k(x', x'), and notes.

    Coordinates of a kernel are V diag(λ)^{1/2}: its distances exactly, whatever items a map is made of later. Negative
    eigenvalues have no distances and are clipped, of all items at once.

    Raises
    ------
    InvalidInputError
        Unknown entries, or fewer than FEWEST items.
    TooLargeError
        More items than are decomposed.
    """
    values = source.X if isinstance(source, Vectors) else source.values
    n = values.shape[0]
    if n < FEWEST:
        raise InvalidInputError(f"A map needs at least {FEWEST} items", str(n))
    if np.isnan(values).any():
        what = "measurements" if isinstance(source, Vectors) else "similarities"
        raise InvalidInputError(
            f"A map needs {what} that are known everywhere",
            f"{int(np.isnan(values).sum()):,} unknown entries",
            "Fill them on the page Kernels, or complete them on the page Complete",
        )
    if isinstance(source, Vectors):
        return source.X, ()
    check_item_count(n)
    made = decompose(cosine_normalize(source).values if normalize else values)
    eigenvalues = made.eigenvalues
    tolerance = psd_tolerance(n, float(np.abs(eigenvalues).max()))
    kept, lost = eigenvalues > tolerance, eigenvalues < -tolerance
    if not kept.any():
        raise InvalidInputError("A map needs a kernel with a positive eigenvalue", "none")
    notes: tuple[str, ...] = ()
    if lost.any():
        mass = float(np.abs(eigenvalues[lost]).sum() / np.abs(eigenvalues).sum())
        notes = (
            f"{source.name} is no kernel: {int(lost.sum())} of {n} eigenvalues are negative ({100.0 * mass:.2g} % of the "
            "mass) and were clipped, of all items at once, held-out ones too.",
        )
    return np.asarray(made.vectors[:, kept] * np.sqrt(eigenvalues[kept])), notes
