"""Ways to complete views beside each other: some known items are hidden on purpose, the same for every way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from kernex_core.errors import InvalidInputError, KernexError
from kernex_core.frozen import BoolArray, IntArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.joint.views.errors import ViewErrors, view_errors
from kernex_core.joint.views.kept import completing_kernels
from kernex_core.joint.views.methods import VIEW_COMPLETIONS
from kernex_core.joint.views.problem import LEAST_KNOWN
from kernex_core.pieces import finished
from kernex_core.seeds import check_seed

SHARE = 0.1


@dataclass(frozen=True, eq=False)
class ComparedWays(ReadOnlyArrays):
    """Errors of the ways that are done.

    Attributes
    ----------
    names : tuple of str
        Of the views.
    hidden : (V,) int
        Items that were hidden from each.
    errors : dict of str to tuple of ViewErrors
        By way, one a view, over the items that the view really had.
    refused : dict of str to str
    done, total : int
        Ways.
    """

    names: tuple[str, ...]
    hidden: IntArray
    errors: Mapping[str, tuple[ViewErrors, ...]]
    refused: Mapping[str, str]
    done: int
    total: int

    def mean(self, way: str) -> ViewErrors:
        """Mean over the views that had something hidden."""
        found = [one for one, hidden in zip(self.errors[way], self.hidden, strict=True) if hidden]
        return ViewErrors(
            float(np.mean([one.alignment_error for one in found])),
            float(np.mean([one.relative_error for one in found])),
        )


def comparing_ways(
    kernels: Mapping[str, GramMatrix], ways: tuple[str, ...] = (), seed: int = 0, share: float = SHARE
) -> Iterator[ComparedWays]:
    """Hide a share of each view's items, complete by every way, and compare with what was hidden.

    Parameters
    ----------
    kernels : dict of str to GramMatrix
        See `complete_views`.
    ways : tuple of str
        Names of VIEW_COMPLETIONS; all but the tuned one by default, which takes long.
    seed : int
        Draws what is hidden.
    share : float
        Of the items that each view has.

    Raises
    ------
    InvalidInputError
        Nothing can be hidden.
    """
    asked = ways or tuple(way.name for way in VIEW_COMPLETIONS if way.name != "tuned")
    known = np.array([K.known for K in kernels.values()])
    hidden = _drawn(known, share, seed)
    if not hidden.any():
        raise InvalidInputError(
            "To compare ways some known items are hidden",
            "too few that several kernels have",
            "Bring more items",
        )
    cut: dict[str, GramMatrix] = {}
    for (name, K), out in zip(kernels.items(), hidden, strict=True):
        values = np.array(K.values)
        values[out], values[:, out] = np.nan, np.nan
        cut[name] = GramMatrix(values, K.ids, name)
    state = ComparedWays(tuple(kernels), hidden.sum(axis=1, dtype=np.int64), {}, {}, 0, len(asked))
    yield state
    for place, way in enumerate(asked):
        try:
            made = finished(completing_kernels(cut, way)).kernels
            found = tuple(
                _errors(K, made[name], has, out)
                for (name, K), has, out in zip(kernels.items(), known, hidden, strict=True)
            )
            state = replace(state, errors={**state.errors, way: found})
        except KernexError as error:
            state = replace(state, refused={**state.refused, way: str(error)})
        state = replace(state, done=place + 1)
        yield state


def _errors(K: GramMatrix, Q: GramMatrix, has: BoolArray, out: BoolArray) -> ViewErrors:
    """Over the items that the view had, those of them that were left visible counting as known."""
    block = np.ix_(has, has)
    return view_errors(K.values[block], Q.values[block], ~out[has])


def _drawn(known: BoolArray, share: float, seed: int) -> BoolArray:
    """(V, n) what is hidden: no item from all its views, no view below the least that it needs."""
    rng = np.random.default_rng(np.random.SeedSequence([check_seed(seed)]))
    hidden = np.zeros_like(known)
    for v, has in enumerate(known):
        at = rng.permutation(np.flatnonzero(has))
        most = max(min(round(share * at.size), at.size - LEAST_KNOWN), 0)
        spare = [i for i in at.tolist() if (known[:, i] & ~hidden[:, i]).sum() > 1]
        hidden[v, spare[:most]] = True
    return hidden
