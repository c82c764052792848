"""Study of the page Map: items laid flat, and where held-out ones are placed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.extrapolation.affine_weights import check_neighbours, new_weights
from kernex_core.extrapolation.hide import hidden_items
from kernex_core.extrapolation.locally_linear import LleKernel, lle_kernel
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Vectors
from kernex_core.seeds import repetition_rng
from kernex_core.studies.map.components import PlacingComponents, placing_components
from kernex_core.studies.map.config import MapConfig
from kernex_core.studies.map.measures import best_spearman, distance, laid_on, radius, trust
from kernex_core.studies.map.placement import Placement
from kernex_core.studies.map.points import points_of

MOST_COMPONENTS = 3
_SINGULAR = 1e12
Mapped: TypeAlias = tuple[
    "LleKernel | PlacingComponents", "LleKernel | PlacingComponents", dict[str, FloatArray]
]
"""Map of the kept items, map of all items, and where each way places the held-out ones."""


@dataclass(frozen=True, eq=False)
class PreparedMap(ReadOnlyArrays):
    """Everything that is decomposed once.

    Attributes
    ----------
    config : MapConfig
    points : (n, r) float
        Items as points; see `points_of`.
    kept, held : (n_kept,), (n_held,) int
    made : LleKernel or PlacingComponents
        Of the kept items.
    whole : LleKernel or PlacingComponents
        Of all items: where held-out ones would lie if they were not new.
    placements : dict of str to (n_held, q) float
        Title of a way to place held-out items -> up to three coordinates; the first is the one the map shows.
    notes : tuple of str
    """

    config: MapConfig
    points: FloatArray
    kept: IntArray
    held: IntArray
    made: LleKernel | PlacingComponents
    whole: LleKernel | PlacingComponents
    placements: dict[str, FloatArray]
    notes: tuple[str, ...]


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


def prepare_map(config: MapConfig, source: Vectors | GramMatrix) -> PreparedMap:
    """Make the map of the kept items and place the others in it; every decomposition happens here.

    Parameters
    ----------
    config : MapConfig
    source : Vectors or GramMatrix
        Known everywhere; negative eigenvalues of similarities are clipped.

    Raises
    ------
    InvalidInputError
        Unknown entries, fewer than five items, or as many neighbours as items that are kept.

    Examples
    --------
    >>> from kernex_core import MapConfig, load_dataset, prepare_map, view_map
    >>> roll = load_dataset("swiss_roll")
    >>> prepared = prepare_map(MapConfig(n_neighbors=8), roll.samples["points"])
    >>> view = view_map(prepared, along=roll.samples["along the roll"].X[:, 0])
    >>> bool(view.along_kept > 0.99), bool(view.placements[0].along > 0.99)
    (True, True)
    """
    points, notes = points_of(source, normalize=config.normalize)
    n = points.shape[0]
    held = hidden_items(np.ones(n, dtype=bool), config.share, rng=repetition_rng(config.seed, 0))
    kept = np.setdiff1d(np.arange(n), held)
    k = check_neighbours(config.n_neighbors, kept.size)
    q = min(MOST_COMPONENTS, kept.size - 1)
    made, whole, placed = (_lle if config.method == "lle" else _components)(points, kept, held, k, q)
    notes += made.notes if isinstance(made, LleKernel) else ()
    if isinstance(made, LleKernel) and held.size:
        notes += (_condition(made),)
    return PreparedMap(config, points, kept, held, made, whole, placed, notes)


def _lle(points: FloatArray, kept: IntArray, held: IntArray, k: int, q: int) -> Mapped:
    made = lle_kernel(points[kept], k)
    if held.size == 0:
        return made, made, {}
    placed = {
        "by extrapolation": made.embed_new(points[held], q),
        "in the paper's form": made.embed_new(points[held], q, form="paper"),
        "as by Bengio and others": made.embed_new(points[held], q, form="bengio"),
    }
    return made, lle_kernel(points, k), placed


def _components(points: FloatArray, kept: IntArray, held: IntArray, k: int, q: int) -> Mapped:
    K = points @ points.T
    made = placing_components(K[np.ix_(kept, kept)], q)
    if held.size == 0:
        return made, made, {}
    placed = {
        "by their own similarities": made.by_rows(K[np.ix_(held, kept)], np.diag(K)[held]),
        "by extrapolation": made.by_weights(new_weights(points[kept], points[held], k)),
    }
    return made, placing_components(K, q), placed


def _condition(made: LleKernel) -> str:
    size = made.condition
    how = f"whose condition number is {size:,.0f}" if size < _SINGULAR else "which is singular up to rounding"
    return (
        f"The paper's form divides by W, {how}: small changes of an item can move a placed one far. Singular values below "
        "a tenth of the largest are left out."
    )


def view_map(prepared: PreparedMap, components: int = 2, along: FloatArray | None = None) -> MapView:
    """What a page shows of a prepared map.

    Parameters
    ----------
    prepared : PreparedMap
    components : int
        2 or 3.
    along : (n,) float, optional
        A known quantity that the map should follow.

    Raises
    ------
    InvalidInputError
        Another number of components, or a quantity of other items.

    Examples
    --------
    >>> from kernex_core import MapConfig, load_dataset, prepare_map, view_map
    >>> prepared = prepare_map(MapConfig(share=0.1), load_dataset("swiss_roll").samples["points"])
    >>> view_map(prepared, 3).coordinates.shape
    (500, 3)
    """
    q = min(components, MOST_COMPONENTS, prepared.kept.size - 1)
    if components not in (2, 3):
        raise InvalidInputError("A map has 2 or 3 components", repr(components))
    kept, held, points = prepared.kept, prepared.held, prepared.points
    n, k = points.shape[0], prepared.config.n_neighbors
    if along is not None and (along.shape != (n,) or not np.isfinite(along).all()):
        raise InvalidInputError(f"The quantity has to be known of each of {n} items", f"{along.shape}")
    coordinates = np.empty((n, q))
    coordinates[kept] = _coordinates(prepared.made, q)
    whole = laid_on(coordinates, _coordinates(prepared.whole, q), kept)
    size = radius(coordinates[kept]) or 1.0
    placements = _judged(prepared, size, whole[held], along)
    if placements:
        coordinates[held] = placements[0].coordinates
    trust_kept = trust(points[kept], coordinates[kept], k)
    return MapView(
        coordinates,
        whole,
        held,
        distance(coordinates[kept], whole[kept]) / size,
        placements,
        trust_kept,
        trust(points, coordinates, k) if held.size else trust_kept,
        float("nan") if along is None else best_spearman(coordinates[kept], along[kept]),
        np.empty(0) if isinstance(prepared.made, LleKernel) else prepared.made.share[:q],
        prepared.notes,
    )


def _coordinates(made: LleKernel | PlacingComponents, q: int) -> FloatArray:
    return made.embed(q) if isinstance(made, LleKernel) else made.coordinates[:, :q]


def _judged(
    prepared: PreparedMap, size: float, whole: FloatArray, along: FloatArray | None
) -> tuple[Placement, ...]:
    """Each way to place the held-out items, whose places in the map of all items are `whole`; `size` is the map's radius."""
    found: list[Placement] = []
    for title, all_three in prepared.placements.items():
        placed = all_three[:, : whole.shape[1]]
        gap = distance(placed, found[0].coordinates) if found else 0.0
        follows = float("nan") if along is None else best_spearman(placed, along[prepared.held])
        found.append(Placement(title, placed, distance(placed, whole) / size, gap / size, follows))
    return tuple(found)
