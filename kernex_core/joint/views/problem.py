"""Views: kernels of the same items, each lacking some of them, checked and brought to one scale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.sparse.csgraph import connected_components

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.validation import as_symmetric, check_kernel

LEAST_KNOWN = 3
"""Items that a view has to have, and that two views have to share to reach each other."""
FEW_SHARED = 0.1
"""Share of the items below which an overlap is warned of."""


@dataclass(frozen=True, eq=False)
class Views(ReadOnlyArrays):
    """V kernels on parts of the same n items.

    Attributes
    ----------
    names, ids : tuple of str
        Of the views, and of the items.
    known : (V, n) bool
    blocks : tuple of (s_v, s_v) float
        Known similarities, divided by their mean diagonal.
    scales : (V,) float
        Those means.
    given : tuple of (s_v, s_v) float
        Known similarities as they came.
    """

    names: tuple[str, ...]
    ids: tuple[str, ...]
    known: BoolArray
    blocks: tuple[FloatArray, ...]
    scales: FloatArray
    given: tuple[FloatArray, ...]

    @property
    def n(self) -> int:
        """Number of items."""
        return len(self.ids)

    @property
    def count(self) -> int:
        """Number of views."""
        return len(self.names)

    def have(self, v: int) -> IntArray:
        """Positions of the items that view v has."""
        return np.flatnonzero(self.known[v])

    def lack(self, v: int) -> IntArray:
        """Positions of the items that view v lacks."""
        return np.flatnonzero(~self.known[v])

    def without(self, hidden: BoolArray) -> Views:
        """Return the same views, items of `hidden` (V, n) taken from them too; scales are those of what is left."""
        known = self.known & ~hidden
        kept = [known[v, self.have(v)] for v in range(self.count)]
        given = tuple(K[np.ix_(left, left)] for K, left in zip(self.given, kept, strict=True))
        return _scaled(self.names, self.ids, known, given)

    @property
    def overlaps(self) -> IntArray:
        """(V, V) numbers of items that two views share."""
        counts = self.known.astype(np.int64)
        return counts @ counts.T


def as_views(kernels: Mapping[str, GramMatrix]) -> Views:
    """Check kernels that are completed together.

    Parameters
    ----------
    kernels : dict of str to GramMatrix
        On the same ids in the same order (`expand` brings them there); what an item is not known in, is NaN in
        its whole row. Values there are never read.

    Raises
    ------
    InvalidInputError
        Fewer than two views, other ids, single pairs unknown, a view with fewer than 3 items, an item that no view has, or
        views that cannot reach each other over 3 shared items (all named).
    NotPositiveSemidefiniteError
        A known block that is no kernel.
    """
    if not isinstance(kernels, Mapping) or len(kernels) < 2:
        raise InvalidInputError(
            "Completing together takes at least two kernels of the same items",
            f"{len(kernels) if isinstance(kernels, Mapping) else type(kernels).__name__}",
            "One kernel that lacks items is completed from a source kernel on the page Complete",
        )
    names = tuple(map(str, kernels))
    ids = next(iter(kernels.values())).ids
    known = np.array([_known(name, K, ids) for name, K in zip(names, kernels.values(), strict=True)])
    given = tuple(
        check_kernel(
            as_symmetric(K.values[np.ix_(has, has)], f"The known part of {name!r}"),
            f"The known part of {name!r}",
        )
        for name, K, has in zip(names, kernels.values(), known, strict=True)
    )
    _check_reach(names, ids, known)
    return _scaled(names, ids, known, given)


def _known(name: str, K: GramMatrix, ids: tuple[str, ...]) -> BoolArray:
    if K.ids != ids:
        raise InvalidInputError(
            "Kernels that are completed together have the same items in the same order",
            f"other items in {name!r}",
            "Bring each to all ids with expand(K, ids)",
        )
    missing = np.isnan(K.values)
    known = ~missing.diagonal()
    block = missing[np.ix_(known, known)]
    if block.any():
        rows = np.flatnonzero(known)
        i, j = (rows[at[0]] for at in np.nonzero(block))
        raise InvalidInputError(
            "An item of a view is known with all others that the view has, or not at all",
            f"no similarity of {ids[i]!r} and {ids[j]!r} in {name!r}",
            "Fill single unknown pairs first, or leave one of the items out of this view",
        )
    if known.sum() < LEAST_KNOWN:
        raise InvalidInputError(
            f"A view has to have at least {LEAST_KNOWN} items",
            f"{int(known.sum())} in {name!r}",
            "Leave it out",
        )
    return np.asarray(known)


def _check_reach(names: tuple[str, ...], ids: tuple[str, ...], known: BoolArray) -> None:
    nowhere = np.flatnonzero(~known.any(axis=0))
    if nowhere.size:
        others = f" and {nowhere.size - 1:,} more" if nowhere.size > 1 else ""
        raise InvalidInputError(
            "Each item has to be in at least one view", f"{ids[nowhere[0]]!r}{others} in none", "Leave it out"
        )
    counts = known.astype(np.int64)
    parts, of = connected_components(counts @ counts.T >= LEAST_KNOWN, directed=False)
    if parts > 1:
        apart = [name for name, own in zip(names, of, strict=True) if own != of[0]]
        raise InvalidInputError(
            f"Views reach each other over at least {LEAST_KNOWN} shared items, in one step or several",
            f"{', '.join(map(repr, apart))} shares fewer with the others",
            "Bring a kernel that has items of both, or leave it out: there is nothing to learn from",
        )


def _scaled(
    names: tuple[str, ...], ids: tuple[str, ...], known: BoolArray, given: tuple[FloatArray, ...]
) -> Views:
    scales = np.array([float(np.diag(K).mean()) for K in given])
    for name, scale in zip(names, scales, strict=True):
        if not scale > 0.0:
            raise InvalidInputError(
                "A view has to have similarities",
                f"nothing but 0 on the diagonal of {name!r}",
                "Leave it out",
            )
    return Views(names, ids, known, tuple(K / s for K, s in zip(given, scales, strict=True)), scales, given)
