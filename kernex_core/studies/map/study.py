"""Study of the page Map: items laid flat, where held-out ones are placed, and where new ones belong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.studies.map.components import PlacingComponents
from kernex_core.studies.map.measures import best_spearman, distance, laid_on, radius, trust
from kernex_core.studies.map.placement import Placement, within
from kernex_core.studies.map.prepared import PreparedMap, prepare_map

__all__ = ["MapView", "PreparedMap", "prepare_map", "view_map"]


@dataclass(frozen=True, eq=False)
class MapView(ReadOnlyArrays):
    """What a page shows of a map.

    Attributes
    ----------
    coordinates : (n, q) float
        All items; held-out ones as the first way places them.
    whole : (n, q) float
        The map of all items, laid on the kept ones.
    held : (n_held,) int
    moved : float
        Root mean square distance of the kept items in both maps, over the radius: how far the map itself depends on the
        items that were held out. Errors of placements count from there.
    placements : tuple of Placement
        Empty where nothing is held out.
    trust_kept, trust_all : float
        Trustworthiness of the map of the kept items, and with the held-out ones in their places; 0 to 1.
    along_kept : float
        Largest |Spearman| of a coordinate of the kept items with a known quantity; NaN without one.
    share : (q,) float
        Of the variance, for kernel PCA; empty for LLE.
    notes : tuple of str
    axes : (q,) tuple of int
        Which coordinates these are, from 1.
    """

    coordinates: FloatArray
    whole: FloatArray
    held: IntArray
    moved: float
    placements: tuple[Placement, ...]
    trust_kept: float
    trust_all: float
    along_kept: float
    share: FloatArray
    notes: tuple[str, ...]
    axes: tuple[int, ...] = (1, 2)


def view_map(
    prepared: PreparedMap,
    components: int = 2,
    along: FloatArray | None = None,
    *,
    axes: Sequence[int] | None = None,
) -> MapView:
    """What a page shows of a prepared map: every number is of the coordinates that are shown.

    Parameters
    ----------
    prepared : PreparedMap
    components : int
        2 or 3.
    along : (n,) float, optional
        A known quantity that the map should follow.
    axes : sequence of int, optional
        Other coordinates than the first ones, from 1, in place of their number.

    Raises
    ------
    InvalidInputError
        Another number of components, coordinates that there are not, or a quantity of other items.

    Examples
    --------
    >>> from kernex_core import MapConfig, load_dataset, prepare_map, view_map
    >>> prepared = prepare_map(MapConfig(share=0.1), load_dataset("swiss_roll").samples["points"])
    >>> view_map(prepared, 3).coordinates.shape
    (500, 3)
    >>> view_map(prepared, axes=(1, 4)).coordinates.shape
    (500, 2)
    """
    at = _axes(prepared, components, axes)
    kept, held, cloud = prepared.kept, prepared.held, prepared.cloud
    n, k = cloud.n, prepared.config.n_neighbors
    if along is not None and (along.shape != (n,) or not np.isfinite(along).all()):
        raise InvalidInputError(f"The quantity has to be known of each of {n} items", f"{along.shape}")
    coordinates = np.empty((n, at.size))
    coordinates[kept] = prepared.made.coordinates[:, at]
    whole = laid_on(coordinates, prepared.whole[:, at], kept)
    size = radius(coordinates[kept]) or 1.0
    placements = _judged(prepared, at, size, whole[held], along)
    if placements:
        coordinates[held] = placements[0].coordinates
    trust_kept = trust(cloud, kept, coordinates[kept], k)
    return MapView(
        coordinates,
        whole,
        held,
        distance(coordinates[kept], whole[kept]) / size,
        placements,
        trust_kept,
        trust(cloud, np.arange(n), coordinates, k) if held.size else trust_kept,
        float("nan") if along is None else best_spearman(coordinates[kept], along[kept]),
        prepared.made.share[at] if isinstance(prepared.made, PlacingComponents) else np.empty(0),
        prepared.notes,
        tuple(int(c) + 1 for c in at),
    )


def _axes(prepared: PreparedMap, components: int, axes: Sequence[int] | None) -> IntArray:
    there = prepared.made.coordinates.shape[1]
    if axes is None:
        if components not in (2, 3):
            raise InvalidInputError("A map has 2 or 3 components", repr(components))
        return np.arange(min(components, there))
    if len(axes) not in (2, 3) or len(set(axes)) < len(axes) or not all(1 <= c <= there for c in axes):
        raise InvalidInputError(
            f"A map shows 2 or 3 different coordinates of 1 to {there}", repr(tuple(axes))
        )
    return np.asarray(axes, dtype=np.int64) - 1


def _judged(
    prepared: PreparedMap, axes: IntArray, size: float, whole: FloatArray, along: FloatArray | None
) -> tuple[Placement, ...]:
    """Each way to place the held-out items, whose places in the map of all items are `whole`; `size` is the map's radius."""
    found: list[Placement] = []
    for title, every in prepared.placements.items():
        placed = every[:, axes]
        gap = distance(placed, found[0].coordinates) if found else 0.0
        follows = float("nan") if along is None else best_spearman(placed, along[prepared.held])
        found.append(
            Placement(
                title, placed, distance(placed, whole) / size, gap / size, follows, within(placed - whole)
            )
        )
    return tuple(found)
