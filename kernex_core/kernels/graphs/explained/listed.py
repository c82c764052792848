"""The largest parts of a similarity, and what is left."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from kernex_core.frozen import FloatArray
from kernex_core.kernels.explanation import Explanation
from kernex_core.kernels.parts_of_graphs import PartOfGraphs


def explained(
    contributions: FloatArray,
    part: Callable[[int], PartOfGraphs],
    top: int,
    total: float,
    apart: str,
    rest: str,
) -> Explanation:
    """Write out the largest parts.

    Parameters
    ----------
    contributions : (n_parts,) float
        None is below 0; those of 0 are no parts.
    part : function
        Writes out the part of that number.
    apart, rest : str
        See Explanation.
    """
    order = np.argsort(-contributions, kind="stable")[: int((contributions > 0.0).sum())]
    return Explanation(
        total,
        tuple(part(k) for k in order[:top].tolist()),
        math.fsum(contributions[order[top:]].tolist()),
        rest,
        order.size,
        apart,
    )
