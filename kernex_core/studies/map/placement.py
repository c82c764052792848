"""Where held-out items are placed, and how well."""

from __future__ import annotations

from dataclasses import dataclass

from kernex_core.frozen import FloatArray, ReadOnlyArrays


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
    """

    title: str
    coordinates: FloatArray
    error: float
    apart: float
    along: float
