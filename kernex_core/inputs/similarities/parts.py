"""Parts of a table of pairs whose items are too many for a matrix, each with how much of it is known."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from kernex_core.base.frozen import BoolArray, EqualByContent, IntArray
from kernex_core.base.parameters import check_range
from kernex_core.inputs.similarities.finish import Pairs, drawn

Way = Literal["connected", "densest", "neighbours", "labelled", "random"]
SHARE = 0.1
"""Share of the items that is left out at once while the densest are looked for."""


@dataclass(frozen=True, eq=False)
class PairPart(EqualByContent):
    """Some items of a table of pairs.

    Attributes
    ----------
    way : {"connected", "densest", "neighbours", "labelled", "random"}
        How they were chosen.
    ids : tuple of str
        In the order of the table.
    known : float
        Share of the pairs of different items that the table lists, between 0 and 1.
    whole : bool
        It is all that the way asks for; False: of these, the densest.
    """

    way: Way
    ids: tuple[str, ...]
    known: float
    whole: bool = True


def parts_of_pairs(
    pairs: Pairs, size: int, *, labelled: Collection[str] = (), query: str = "", seed: int = 0
) -> tuple[PairPart, ...]:
    """Choose at most `size` items in each way that a table of pairs allows, best known first as a rule.

    Parameters
    ----------
    pairs : Pairs
    size : int
        Largest number of items of a part, at least 2.
    labelled : collection of str
        Ids with a label.
    query : str
        Id of an item whose neighbours are asked for, those that it has a known pair with.
    seed : int
        Of the random part, which is drawn as `PartOptions.part_size` and `part_seed` have it.

    Returns
    -------
    tuple of PairPart
        The largest connected part; the densest, where items with the fewest known pairs were left out again and again;
        the neighbours of the query, best first; the items with a label; a random part. Those of fewer than two items are
        left out.

    Raises
    ------
    InvalidInputError
        A size below 2.
    """
    check_range("The size of a part", size, low=2)
    n = len(pairs.ids)
    known = ~np.isnan(pairs.score) & (pairs.query != pairs.target)
    ends = np.r_[pairs.query[known], pairs.target[known]], np.r_[pairs.target[known], pairs.query[known]]
    A = csr_array((np.ones(ends[0].size), ends), shape=(n, n))
    A.sum_duplicates()
    A.data[:] = 1.0
    of = connected_components(A, directed=False)[1]
    chosen: list[tuple[Way, IntArray]] = [
        ("connected", np.flatnonzero(of == np.bincount(of).argmax())),
        ("densest", np.arange(n)),
    ]
    if query in pairs.ids:
        chosen.append(("neighbours", _neighbours(pairs, known, list(pairs.ids).index(query), size)))
    if labelled:
        wanted = set(labelled)
        chosen.append(
            ("labelled", np.array([k for k, name in enumerate(pairs.ids) if name in wanted], np.int64))
        )
    made = []
    for way, items in chosen:
        kept = densest(A, items, size)
        if kept.size > 1:
            made.append(_part(pairs, A, way, kept, kept.size == items.size or way == "densest"))
    return (*made, _part(pairs, A, "random", drawn(np.arange(n), size, seed), True))


def densest(A: csr_array, items: IntArray, size: int) -> IntArray:
    """At most `size` of some items: those with the fewest known pairs are left out, and it is counted again.

    Parameters
    ----------
    A : (n, n) sparse
        1 where a pair is known, symmetric.
    items : (m,) int
    size : int

    Returns
    -------
    (k,) int
        In ascending order. Of items with equally many known pairs those that come last are left out first.
    """
    kept = np.sort(items)
    while kept.size > size:
        degree = np.asarray(A[kept][:, kept].sum(axis=1)).ravel()
        leave = min(kept.size - size, max(1, int(SHARE * kept.size)))
        order = np.lexsort((-kept, degree))
        kept = np.sort(kept[order[leave:]])
    return kept


def _neighbours(pairs: Pairs, known: BoolArray, item: int, size: int) -> IntArray:
    """An item and those that it has the largest known scores with."""
    here = known & ((pairs.query == item) | (pairs.target == item))
    others = np.where(pairs.query[here] == item, pairs.target[here], pairs.query[here])
    ranked = others[np.argsort(-pairs.score[here], kind="stable")]
    return np.array([item, *dict.fromkeys(ranked.tolist())][:size], dtype=np.int64)


def _part(pairs: Pairs, A: csr_array, way: Way, kept: IntArray, whole: bool) -> PairPart:
    m = kept.size
    share = float(A[kept][:, kept].sum()) / max(m * (m - 1), 1)
    return PairPart(way, tuple(pairs.ids[int(k)] for k in kept), share, whole)
