"""A map with some items held out and placed again: whatever is decomposed, in pieces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from kernex_core.extrapolation.affine_weights import check_neighbours, weighing
from kernex_core.extrapolation.hide import hidden_items
from kernex_core.extrapolation.lle_map import LleMap, lle_mapping
from kernex_core.extrapolation.lle_notes import lle_notes
from kernex_core.extrapolation.point_clouds import Cloud, VectorCloud
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Vectors
from kernex_core.pieces import Pieces, finished, part
from kernex_core.seeds import repetition_rng
from kernex_core.studies.map.components import PlacingComponents, placing_components
from kernex_core.studies.map.config import MapConfig
from kernex_core.studies.map.points import MapPoints, points_in_pieces

MOST_COMPONENTS: Final = 5
PAPER_LIMIT: Final = 1_200
"""Items up to which the paper's form is made ready: it takes all singular values of W."""
TITLES: Final = {
    "identity": "by extrapolation",
    "paper": "in the paper's form",
    "bengio": "as by Bengio and others",
}
OWN, EXTRAPOLATED = "by their own similarities", TITLES["identity"]
_SINGULAR = 1e12
Mapped: TypeAlias = tuple["LleMap | PlacingComponents", tuple[str, ...]]
Mapping: TypeAlias = Callable[[Cloud, IntArray, MapConfig, int, bool], Pieces[Mapped]]


@dataclass(frozen=True, eq=False)
class PreparedMap(ReadOnlyArrays):
    """Everything that is decomposed once.

    Attributes
    ----------
    config : MapConfig
    points : MapPoints
    kept, held : (n_kept,), (n_held,) int
    made : LleMap or PlacingComponents
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
    made: LleMap | PlacingComponents
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
        weights = finished(weighing(cloud, rows, self.kept, self.config.n_neighbors))
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


def preparing_map(config: MapConfig, source: Vectors | GramMatrix) -> Pieces[PreparedMap]:
    """`prepare_map` in pieces of a fraction of a second."""
    points = yield from part(points_in_pieces(source, normalize=config.normalize), 0.0, 0.2)
    n = points.cloud.n
    held = hidden_items(np.ones(n, dtype=bool), config.share, rng=repetition_rng(config.seed, 0))
    kept, all_items = np.setdiff1d(np.arange(n), held), np.arange(n)
    check_neighbours(config.n_neighbors, kept.size)
    q = min(MOST_COMPONENTS, kept.size - 1)
    mapping: Mapping = _lle if config.method == "lle" else _components
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


def _lle(cloud: Cloud, kept: IntArray, config: MapConfig, q: int, alone: bool) -> Pieces[Mapped]:
    """LLE of some items; `alone` where nothing is placed in it."""
    weights = yield from part(weighing(cloud, kept, kept, config.n_neighbors), 0.0, 0.2)
    paper = not alone and config.share > 0.0 and kept.size <= PAPER_LIMIT
    made = yield from part(lle_mapping(weights, q, paper=paper), 0.2, 1.0)
    return made, () if alone else lle_notes(weights, cloud.width if isinstance(cloud, VectorCloud) else None)


def _components(cloud: Cloud, kept: IntArray, config: MapConfig, q: int, alone: bool) -> Pieces[Mapped]:
    """Kernel PCA of some items."""
    return (yield from placing_components(cloud, kept, q)), ()


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
