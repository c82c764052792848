"""What the tab New sequences gives away: all similarities as a table and as arrays, and the script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from kernex_core.base.frozen import FloatArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call, write_script
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.kernels.base import AbstractKernel
from kernex_core.studies.completion.study import Completion, CompletionConfig
from kernex_core.studies.sequences.new_items import ComparedRows, Extended


@dataclass(frozen=True)
class CarriedRows:
    """Rows of the new sequences, and what they are carried through.

    Attributes
    ----------
    rows : ComparedRows
    source : GramMatrix
        The string kernel of the data, repaired and normalised.
    made : Completion or None
        Of the chosen target.
    asked : (CompletionConfig, GramMatrix, GramMatrix) or None
        What it was made from: settings, string kernel and target. Caches go by these, which have digests already.
    labels : Labels or None
        Only with at least two classes.
    lam, C : float
    """

    rows: ComparedRows
    source: GramMatrix
    made: Completion | None
    asked: tuple[CompletionConfig, GramMatrix, GramMatrix] | None
    labels: Labels | None
    lam: float
    C: float


def all_rows(
    source: GramMatrix, rows: ComparedRows, cross: FloatArray, carried: Extended | None
) -> dict[str, ArrayLike]:
    """Arrays with one row a new sequence and one column an item, and the ids of both."""
    arrays: dict[str, ArrayLike] = {
        "raw": rows.raw, "similarity": cross, "new_ids": np.array(rows.ids), "ids": np.array(source.ids)
    }  # fmt: skip
    if carried is not None:
        arrays |= {"extrapolated": carried.extrapolated, "joint": carried.joint}
    return arrays


def pair_table(
    source: GramMatrix, rows: ComparedRows, cross: FloatArray, carried: Extended | None
) -> pd.DataFrame:
    """Table with one row a pair of a new sequence and an item."""
    n = source.n
    columns: dict[str, ArrayLike] = {
        "new": np.repeat(np.array(rows.ids), n),
        "item": np.tile(np.array(source.ids), len(rows.ids)),
        "raw": rows.raw.ravel(),
        "similarity": cross.ravel(),
    }
    if carried is not None:
        columns |= {"extrapolated": carried.extrapolated.ravel(), "joint": carried.joint.ravel()}
    return pd.DataFrame(columns)


def script(
    kernel: AbstractKernel[Sequence[str]], samples: Sequences, new: Sequences, answer: CarriedRows
) -> str:
    """Script that names the classes of the new sequences by the string kernel.

    Raises
    ------
    ValueError
        Without labels there are no classes to name.
    """
    if answer.labels is None:
        raise ValueError("classes need labels")
    states = call("states", "comparing_new", kernel.written(samples), samples, new)
    rows = call("rows", "last_state", states)
    carried = call("carried", "conditioned_rows", answer.source, rows)
    made = call("predictions", "classes_of", answer.source, answer.labels, carried, answer.C)
    return write_script(
        [made],
        heading="Kernex: classes of new sequences",
        prints=["*zip($0.ids, $0.labels, $0.margin.tolist()), sep='\\n'"],
    )
