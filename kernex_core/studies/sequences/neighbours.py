"""Nearest neighbours of one item of a data set, from its row of the kernel alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kernex_core.errors import InvalidInputError, TooLargeError
from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.inputs.samples import Sequences
from kernex_core.kernels.base import AbstractKernel

CELL_LIMIT = 100_000_000
"""Largest number of letter pairs that a row, or a pair, of a quadratic kernel may take: a few seconds."""


@dataclass(frozen=True, eq=False)
class Neighbours(ReadOnlyArrays):
    """All other items by their similarity to one item.

    Attributes
    ----------
    item : str
    self_similarity : float
        K(x, x).
    ids : tuple of n − 1 str
        The other items, most similar first; ties in the order of the data.
    values : (n − 1,) float
        Their similarities, before any normalisation.
    """

    item: str
    self_similarity: float
    ids: tuple[str, ...]
    values: FloatArray


def check_cells(
    kernel: AbstractKernel[Sequence[str]], string: str, others: Sequence[str], limit: int = CELL_LIMIT
) -> None:
    """Refuse what would take a quadratic kernel more than `limit` pairs of letters; those on k-mers are linear.

    Raises
    ------
    TooLargeError
    """
    cells = len(string) * sum(map(len, others))
    if cells > limit and kernel.by_pairs:
        raise TooLargeError(
            f"{kernel.title} compares every letter with every letter: up to {limit:,} pairs at once",
            f"{cells:,}",
            "Choose a shorter sequence, fewer items, or a kernel on k-mers such as Spectrum",
        )


def neighbours(kernel: AbstractKernel[Sequence[str]], samples: Sequences, item: str) -> Neighbours:
    """Rank all other items by K(item, ·), computing one row and not the matrix.

    Parameters
    ----------
    kernel : AbstractKernel
        A kernel on strings; data-dependent defaults that are open are set from the samples.
    samples : Sequences
    item : str
        Id of one of them.

    Raises
    ------
    InvalidInputError
        An id that the samples do not have, or strings that the kernel refuses.
    TooLargeError
        A row of a quadratic kernel above CELL_LIMIT pairs of letters.
    """
    if item not in samples.ids:
        raise InvalidInputError("Neighbours are those of an item of the data", repr(item))
    kernel.check(samples.values, samples.ids)
    at = samples.ids.index(item)
    check_cells(kernel, samples.strings[at], samples.strings)
    row = kernel.of(samples).cross((samples.strings[at],), samples.strings)[0]
    order = [int(i) for i in np.argsort(-row, kind="stable") if i != at]
    return Neighbours(item, float(row[at]), tuple(samples.ids[i] for i in order), row[order])
