"""Where held-out items are placed, and how well."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from kernex_core.frozen import FloatArray, ReadOnlyArrays

NINE_IN_TEN = 0.9


@dataclass(frozen=True, eq=False)
class Placement(ReadOnlyArrays):
    """One way to place the held-out items.

    Attributes
    ----------
    title : str
    coordinates : (n_held, q) float
    error : float
        Root mean square distance from their place in the map of all items, over the radius of the map.
    apart : float
        Root mean square distance from where the first way places them, over the radius of the map.
    along : float
        Largest |Spearman| of a coordinate with a known quantity; NaN without one.
    within : (q,) float
        In each coordinate, how near to its place in the map of all items a further held-out item would be placed in at least
        nine of ten cases; NaN for fewer than nine of these. For a new item, whose place is in a map of one item more, it is
        not exact: 85 to 89 % of simulated ones, sheets and normal vectors, lay within.
    """

    title: str
    coordinates: FloatArray
    error: float
    apart: float
    along: float
    within: FloatArray


def within(errors: FloatArray) -> FloatArray:
    """(q,) the ⌈0.9 (m + 1)⌉-th smallest of m absolute errors (m, q): the split-conformal half-width; NaN for m < 9.

    Vovk, Gammerman, Shafer, Algorithmic Learning in a Random World, 2005, section 4.2: of m + 1 exchangeable items the last
    one's error is among the smallest k with probability k / (m + 1).
    """
    m = errors.shape[0]
    k = math.ceil(NINE_IN_TEN * (m + 1) - 1e-9)
    if k > m:
        return np.full(errors.shape[1], np.nan)
    return np.asarray(np.sort(np.abs(errors), axis=0)[k - 1])
