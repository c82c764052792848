"""What the tab New sequences gives away: all similarities as a table, and the script."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from kernex_core.frozen import FloatArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.recipe import Recipe, call, write_script
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.kernels.base import AbstractKernel
from kernex_core.studies.sequences.new_items import Extended, NewRows

STUDY = "from kernex_core.studies.sequences.new_items import classes_of, comparing, conditioned_rows"


def all_pairs(source: GramMatrix, rows: NewRows, cross: FloatArray, carried: Extended | None) -> pd.DataFrame:
    """Table with one row a pair of a new sequence and an item."""
    n = source.n
    columns: dict[str, Any] = {
        "new": np.repeat(np.array(rows.ids), n),
        "item": np.tile(np.array(source.ids), len(rows.ids)),
        "raw": rows.raw.ravel(),
        "similarity": cross.ravel(),
    }
    if carried is not None:
        columns |= {"extrapolated": carried.extrapolated.ravel(), "joint": carried.joint.ravel()}
    return pd.DataFrame(columns)


def script(
    kernel: AbstractKernel[Any],
    samples: Sequences,
    new: Sequences,
    source: GramMatrix,
    labels: Labels,
    C: float,
) -> str:
    """Script that names the classes of the new sequences by the string kernel."""
    states = call("states", "comparing", kernel, samples, new, imports=(STUDY,))
    rows = Recipe("rows", "[*$0][-1]", (states,))
    carried = call("carried", "conditioned_rows", source, rows)
    made = call("predictions", "classes_of", source, labels, carried, C)
    return write_script(
        [made],
        heading="Kernex: classes of new sequences\n"
        "Run it beside the folder kernex_core, with the uploaded files in the same place.",
        prints=["*zip($0.ids, $0.labels, $0.margin.tolist()), sep='\\n'"],
    )
