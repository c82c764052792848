"""A part of the items of a table of pairs, chosen before the matrix is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.inputs.options import SimilarityOptions
from kernex_core.inputs.samples import Note
from kernex_core.parameters import parameter


@dataclass(frozen=True)
class PartOptions(SimilarityOptions):
    """Which items of a table of pairs are kept; all by default."""

    part_size: int | None = parameter(
        None,
        help="Number of items drawn at random before the matrix is made.",
        label="Random part",
        low=2,
        optional=True,
        auto="all",
        hidden=True,
    )
    part_seed: int = parameter(
        0, help="Another number draws other items.", label="Seed", low=0, step=1, hidden=True
    )
    part_ids: tuple[str, ...] | None = parameter(
        None, help="Ids that are kept.", label="Ids", optional=True, auto="all", hidden=True
    )


@dataclass(frozen=True, eq=False)
class Pairs(EqualByContent):
    """Scored pairs of items: positions in `ids`, and scores (NaN = unknown)."""

    query: IntArray
    target: IntArray
    score: FloatArray
    ids: Sequence[str]


def part_of(pairs: Pairs, options: PartOptions) -> tuple[Pairs, tuple[Note, ...]]:
    """Pairs of the items that are kept: those with the ids that are asked for, or as many as are drawn.

    The draw is that of `Selection(size=..., seed=...)` on the same ids.

    Raises
    ------
    InvalidInputError
        None of the ids that are asked for is there.
    """
    n = len(pairs.ids)
    kept = np.arange(n)
    how = ""
    if options.part_ids is not None:
        wanted = set(options.part_ids)
        kept = np.array([k for k, name in enumerate(pairs.ids) if name in wanted], dtype=np.int64)
        how = "those that were chosen"
        if not kept.size:
            raise InvalidInputError(
                "A part has to hold some of the items",
                f"none of {len(wanted):,} ids is there",
                "Choose other ids",
            )
    if options.part_size is not None and options.part_size < kept.size:
        kept = np.sort(
            np.random.default_rng(options.part_seed).choice(kept, options.part_size, replace=False)
        )
        how = f"drawn at random (seed {options.part_seed})"
    if kept.size == n:
        return pairs, ()
    place = np.full(n, -1)
    place[kept] = np.arange(kept.size)
    inside = (place[pairs.query] >= 0) & (place[pairs.target] >= 0)
    part = Pairs(
        place[pairs.query[inside]],
        place[pairs.target[inside]],
        pairs.score[inside],
        [pairs.ids[int(k)] for k in kept],
    )
    note = Note(
        f"A part of the table: {kept.size:,} of {n:,} items, {how}.",
        "Pairs with the others are left out before the matrix is made.",
        "Choose another part.",
        "warning",
    )
    return part, (note,)
