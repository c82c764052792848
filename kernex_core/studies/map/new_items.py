"""New items on a map: where they are placed, how near that is, and how far they are from everything known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.extrapolation.point_clouds import Cloud
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.inputs.new_rows import NewRows
from kernex_core.inputs.samples import Vectors
from kernex_core.studies.map.prepared import PreparedMap
from kernex_core.studies.map.study import MapView

_ENTRIES = 4_000_000


@dataclass(frozen=True, eq=False)
class NewPlaces(ReadOnlyArrays):
    """m new items on a map.

    Attributes
    ----------
    ids : tuple of str
    ways : dict of str to (m, q) float
        Title of a way to place -> coordinates that the map shows.
    within : dict of str to (q,) float
        How near to its place in the map of all items nine of ten held-out ones lie, and new ones about as often; see
        `Placement`. NaN where fewer than nine items were held out.
    nearest : (m,) int
        Position of the nearest item that the map is made of.
    far : (m,) float
        Distance to it, over the median distance of the items to their nearest others; a new item far beyond 1 is like
        nothing that the map knows.
    """

    ids: tuple[str, ...]
    ways: dict[str, FloatArray]
    within: dict[str, FloatArray]
    nearest: IntArray
    far: FloatArray


def place_new(prepared: PreparedMap, view: MapView, new: Vectors | NewRows) -> NewPlaces:
    """Place new items in a map by every way that held-out items were placed by.

    Parameters
    ----------
    prepared : PreparedMap
    view : MapView
        Which coordinates are shown, and how near held-out items were placed.
    new : Vectors or NewRows
        With the columns of the vectors, or similarities to all items of the kernel that was mapped.

    Raises
    ------
    InvalidInputError
        Another number of columns, or self-similarities that are not positive where rows are cosine-normalised.

    Examples
    --------
    >>> from kernex_core import MapConfig, load_dataset, place_new, prepare_map, view_map
    >>> points = load_dataset("swiss_roll").samples["points"]
    >>> prepared = prepare_map(MapConfig(), points.take(range(0, 500, 2)))
    >>> places = place_new(prepared, view_map(prepared), points.take([1, 3]))
    >>> places.ways["by extrapolation"].shape
    (2, 2)
    """
    cloud = prepared.points.with_new(new.X if isinstance(new, Vectors) else new)
    n, kept = cloud.n, prepared.kept
    rows = np.arange(n, n + len(new.ids))
    axes = np.asarray(view.axes) - 1
    ways = {title: each[:, axes] for title, each in prepared.place(cloud, rows).items()}
    near, far = _nearest(cloud, rows, kept)
    _, usual = _nearest(cloud, kept, kept)
    typical = float(np.median(usual)) or float(usual.mean()) or 1.0
    return NewPlaces(
        new.ids, ways, {each.title: each.within for each in view.placements}, kept[near], far / typical
    )


def _nearest(cloud: Cloud, rows: IntArray, among: IntArray) -> tuple[IntArray, FloatArray]:
    """Which of the items is nearest to each point, itself apart, and how far."""
    at, far = np.empty(rows.size, dtype=np.int64), np.empty(rows.size)
    step = max(1, _ENTRIES // among.size)
    for start in range(0, rows.size, step):
        part = slice(start, min(start + step, rows.size))
        d = cloud.squared(rows[part], among)
        d[rows[part][:, None] == among[None, :]] = np.inf
        at[part] = d.argmin(axis=1)
        far[part] = np.sqrt(d[np.arange(d.shape[0]), at[part]])
    return at, far
