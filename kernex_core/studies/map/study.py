"""Study of the page Map: items laid flat, where held-out ones are placed, and where new ones belong."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import repetition_rng
from kernex_core.completion.hide import hidden_items
from kernex_core.completion.locally_linear import LleMap, lle_gram, lle_mapping, lle_notes
from kernex_core.completion.neighbour_weights import Cloud, VectorCloud, check_neighbours, weighing
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call
from kernex_core.gram.seen import ITEMS
from kernex_core.inputs.new_items import NewRows
from kernex_core.inputs.samples import Vectors
from kernex_core.runtime.progress import Steps, blocking, finished, part
from kernex_core.studies.map.layouts import MOST_LAID_OUT, Layout, laying_out, parts_note, stress
from kernex_core.studies.map.points import (
    MAPS,
    MapConfig,
    MapPoints,
    PlacingComponents,
    best_spearman,
    distance,
    kept_near,
    laid_on,
    map_method,
    placing_components,
    points_in_steps,
    radius,
    trust,
)

# A map with some items held out and placed again: whatever is decomposed, in steps.

MOST_COMPONENTS: Final = 5
PAPER_LIMIT: Final = 1_200
"""Items up to which the paper's form is made ready: it takes all singular values of W."""
TITLES: Final = {
    "identity": "by extrapolation",
    "paper": "in the paper's form",
    "bengio": "as by Bengio and others",
}
OWN, EXTRAPOLATED = "by their own similarities", TITLES["identity"]
WALK: Final = "by the mean of their neighbours, stretched as the walk is"
_SINGULAR = 1e12
Mapped: TypeAlias = tuple["LleMap | PlacingComponents | Layout", tuple[str, ...]]
Mapping: TypeAlias = Callable[[Cloud, IntArray, MapConfig, int, bool], Steps[Mapped]]


@dataclass(frozen=True, eq=False)
class PreparedMap(ReadOnlyArrays):
    """Everything that is decomposed once.

    Attributes
    ----------
    config : MapConfig
    points : MapPoints
    kept, held : (n_kept,), (n_held,) int
    made : LleMap, PlacingComponents or Layout
        Of the kept items, in up to MOST_COMPONENTS coordinates.
    whole : (n, q) float
        Map of all items: where held-out ones would lie if they were not new.
    placements : dict of str to (n_held, q) float
        Title of a way to place held-out items -> coordinates; the first is the one the map shows.
    notes : tuple of str
    """

    config: MapConfig
    points: MapPoints
    kept: IntArray
    held: IntArray
    made: LleMap | PlacingComponents | Layout
    whole: FloatArray
    placements: dict[str, FloatArray]
    notes: tuple[str, ...]

    @property
    def cloud(self) -> Cloud:
        """The items as points."""
        return self.points.cloud

    def place(self, cloud: Cloud, rows: IntArray) -> dict[str, FloatArray]:
        """Coordinates (m, q) of points of a cloud of the same items, by every way, the first the one the map shows.

        Parameters
        ----------
        cloud : VectorCloud or KernelCloud
            With new points, where rows are these.
        rows : (m,) int
        """
        k = self.config.n_neighbors
        if isinstance(self.made, Layout):
            return (
                {WALK: self.made.by_neighbours(cloud, rows, self.kept, k)}
                if self.made.eigenvalues.size
                else {}
            )
        weights = finished(weighing(cloud, rows, self.kept, k))
        if isinstance(self.made, LleMap):
            return {TITLES[form]: each for form, each in self.made.place(weights).items()}
        own = self.made.by_own(cloud, rows, self.kept)
        # weights sum to 1, so centring commutes with them: k(x, ·) = φ(x)'K lies at φ(x)' times the coordinates
        return {OWN: own, EXTRAPOLATED: weights.of(self.made.coordinates)}


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
    return finished(preparing_map(config, source))


def preparing_map(config: MapConfig, source: Vectors | GramMatrix) -> Steps[PreparedMap]:
    """`prepare_map` in steps of a fraction of a second."""
    points = yield from part(points_in_steps(source, normalize=config.normalize), 0.0, 0.2)
    n = points.cloud.n
    share = config.share if map_method(config.method).places else 0.0
    held = hidden_items(np.ones(n, dtype=bool), share, rng=repetition_rng(config.seed, 0))
    kept, all_items = np.setdiff1d(np.arange(n), held), np.arange(n)
    check_neighbours(config.n_neighbors, kept.size)
    q = min(MOST_COMPONENTS, kept.size - 1)
    mapping: Mapping = {"lle": _lle, "kernel pca": _components}.get(config.method, _laid_out)
    made, notes = yield from part(
        mapping(points.cloud, kept, config, q, False), 0.2, 0.55 if held.size else 1.0
    )
    prepared = PreparedMap(config, points, kept, held, made, made.coordinates, {}, (*points.notes, *notes))
    if held.size == 0:
        return prepared
    whole, _ = yield from part(mapping(points.cloud, all_items, config, q, True), 0.55, 1.0)
    placed = prepared.place(points.cloud, held)
    if isinstance(made, LleMap):
        notes += (_condition(made),)
    return PreparedMap(config, points, kept, held, made, whole.coordinates, placed, (*points.notes, *notes))


def _lle(cloud: Cloud, kept: IntArray, config: MapConfig, q: int, alone: bool) -> Steps[Mapped]:
    """LLE of some items; `alone` where nothing is placed in it."""
    weights = yield from part(weighing(cloud, kept, kept, config.n_neighbors), 0.0, 0.2)
    paper = not alone and config.share > 0.0 and kept.size <= PAPER_LIMIT
    made = yield from part(lle_mapping(weights, q, paper=paper), 0.2, 1.0)
    return made, () if alone else lle_notes(weights, cloud.width if isinstance(cloud, VectorCloud) else None)


def _components(cloud: Cloud, kept: IntArray, config: MapConfig, q: int, alone: bool) -> Steps[Mapped]:
    """Kernel PCA of some items."""
    return (yield from placing_components(cloud, kept, q)), ()


def _laid_out(cloud: Cloud, kept: IntArray, config: MapConfig, q: int, alone: bool) -> Steps[Mapped]:
    """One of the maps of `layouts`."""
    made = yield from laying_out(cloud, kept, config, q)
    notes: tuple[str, ...] = ()
    if made.iterations:
        notes = (
            f"{map_method(config.method).title}: {made.iterations:,} steps from kernel PCA, seed {config.seed}. It has no "
            "place for new items: none is held out.",
        )
    elif not alone:
        notes = parts_note(cloud, kept, config.n_neighbors)
    return made, notes


def _condition(made: LleMap) -> str:
    if made.through is None:
        return (
            f"The paper's form of placing divides by W, which takes all its singular values: above {PAPER_LIMIT:,} kept "
            "items it is left out."
        )
    size = made.condition
    how = f"whose condition number is {size:,.0f}" if size < _SINGULAR else "which is singular up to rounding"
    return (
        f"The paper's form divides by W, {how}: small changes of an item can move a placed one far. Singular values below "
        "a tenth of the largest are left out."
    )


# Where held-out items are placed, and how well.

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
    continuity, stress : float
        Of all items: whether neighbours among the points are neighbours on the map, 0 to 1, and how far the map is from the
        order of all distances, see `layouts.stress`; NaN where they were not asked for.
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
    continuity: float = float("nan")
    stress: float = float("nan")


def view_map(
    prepared: PreparedMap,
    components: int = 2,
    along: FloatArray | None = None,
    *,
    axes: Sequence[int] | None = None,
    kept: bool = False,
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
    kept : bool
        Whether continuity and stress are wanted, too, which take as long as all the rest.

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
    made_of, held, cloud = prepared.kept, prepared.held, prepared.cloud
    n, k = cloud.n, prepared.config.n_neighbors
    if along is not None and (along.shape != (n,) or not np.isfinite(along).all()):
        raise InvalidInputError(f"The quantity has to be known of each of {n} items", f"{along.shape}")
    coordinates = np.empty((n, at.size))
    coordinates[made_of] = prepared.made.coordinates[:, at]
    whole = laid_on(coordinates, prepared.whole[:, at], made_of)
    size = radius(coordinates[made_of]) or 1.0
    placements = _judged(prepared, at, size, whole[held], along)
    if placements:
        coordinates[held] = placements[0].coordinates
    trust_all, continuity = kept_near(cloud, np.arange(n), coordinates, k, both=kept)
    return MapView(
        coordinates,
        whole,
        held,
        distance(coordinates[made_of], whole[made_of]) / size,
        placements,
        trust(cloud, made_of, coordinates[made_of], k) if held.size else trust_all,
        trust_all,
        float("nan") if along is None else best_spearman(coordinates[made_of], along[made_of]),
        prepared.made.share[at] if isinstance(prepared.made, PlacingComponents) else np.empty(0),
        prepared.notes,
        tuple(int(c) + 1 for c in at),
        continuity,
        stress(cloud, np.arange(n), coordinates) if kept else float("nan"),
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


# New items on a map: where they are placed, how near that is, and how far they are from everything known.

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


# What each of the maps keeps, beside the others.


@dataclass(frozen=True, eq=False)
class KeptByMap(EqualByContent):
    """How much one map of all items keeps, in two coordinates; see `MapView`."""

    title: str
    trust: float
    continuity: float
    stress: float
    places: str


@blocking
def kept_by_maps(config: MapConfig, source: Vectors | GramMatrix) -> Steps[tuple[KeptByMap, ...]]:
    """Lay all items flat by every method, nothing held out, and say how much each keeps.

    Parameters
    ----------
    config : MapConfig
        Neighbours, normalisation and seed of all of them.
    source : Vectors or GramMatrix

    Raises
    ------
    InvalidInputError
        As `prepare_map`.

    Examples
    --------
    >>> from kernex_core import MapConfig, kept_by_maps, load_dataset
    >>> few = load_dataset("swiss_roll").samples["points"].take(range(0, 500, 5))
    >>> [each.title for each in kept_by_maps(MapConfig(), few) if not each.places]
    ['t-SNE', 'non-metric MDS']
    """
    found: list[KeptByMap] = []
    methods = [each for each in MAPS if each.places or len(source.ids) <= MOST_LAID_OUT]
    for at, method in enumerate(methods):
        one = replace(config, method=method.name, share=0.0)
        made = yield from part(preparing_map(one, source), at / len(methods), (at + 1) / len(methods))
        view = view_map(made, kept=True)
        found.append(KeptByMap(method.title, view.trust_all, view.continuity, view.stress, method.places))
    return tuple(found)


# The kernel of a map, to be kept and judged on other pages.


def map_kernel(source: Vectors | GramMatrix, n_neighbors: int = 8, *, normalize: bool = False) -> GramMatrix:
    """The kernel of locally linear embedding of all items, with ids and recipe.

    It is made of all items at once: accuracies of it are transductive.

    Raises
    ------
    InvalidInputError
        As `prepare_map`.

    Examples
    --------
    >>> from kernex_core import load_dataset, map_kernel
    >>> map_kernel(load_dataset("swiss_roll").samples["points"]).name
    'LLE k=8'
    """
    cloud = finished(points_in_steps(source, normalize=normalize)).cloud
    k = check_neighbours(n_neighbors, cloud.n)
    name = f"LLE k={k}"
    recipe = call("lle", "map_kernel", source, k, normalize=normalize) if source.recipe else None
    items = np.arange(cloud.n)
    seen = source.has_seen() if isinstance(source, GramMatrix) else ITEMS
    weights = finished(weighing(cloud, items, items, k))
    return GramMatrix(lle_gram(weights), source.ids, name, recipe, ITEMS | seen)
