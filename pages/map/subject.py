"""What the page Map is about in this run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.base.frozen import BoolArray, FloatArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.studies.map.points import MapConfig
from kernex_core.studies.map.study import MapView, Placement, PreparedMap, prepare_map, view_map
from pages.shared.cached import cached
from pages.shared.figures.picture import Items
from pages.shared.panels.arrangement import class_list


@dataclass(frozen=True)
class Subject:
    """A map, and what it is of."""

    dataset: DataSet
    name: str
    source: Vectors | GramMatrix
    config: MapConfig
    axes: tuple[int, ...]
    along_name: str
    along: FloatArray | None
    labels: Labels | None
    made: MapView

    @property
    def held(self) -> BoolArray:
        """(n,) whether an item was held out."""
        mask = np.zeros(self.dataset.n, dtype=bool)
        mask[self.made.held] = True
        return mask

    @property
    def items(self) -> Items:
        """Ids and classes, for pictures."""
        return Items(self.dataset.ids, class_list(self.labels))

    @property
    def axis_names(self) -> tuple[str, ...]:
        """What the coordinates are called."""
        kind = "coordinate" if self.config.method == "lle" else "component"
        return tuple(f"{kind} {axis}" for axis in self.axes)

    def drawn(self, placement: Placement | None) -> FloatArray:
        """(n, q) coordinates with held-out items where one way places them."""
        coordinates = self.made.coordinates.copy()
        if placement is not None:
            coordinates[self.made.held] = placement.coordinates
        return coordinates


@cached(public=True)
def prepared(config: MapConfig, source: Vectors | GramMatrix) -> PreparedMap:
    """Everything that is decomposed, computed once."""
    return prepare_map(config, source)


@cached(public=True)
def viewed(
    config: MapConfig, source: Vectors | GramMatrix, axes: tuple[int, ...], along: FloatArray | None
) -> MapView:
    """What is shown of it."""
    return view_map(prepared(config, source), along=along, axes=axes)


def sources(dataset: DataSet) -> dict[str, Vectors | GramMatrix]:
    """What can be mapped, by what it is called in the list."""
    vectors = {
        f"{name}, vectors": each for name, each in dataset.samples.items() if isinstance(each, Vectors)
    }
    return {**vectors, **{f"{name}, kernel": K for name, K in dataset.kernels.items()}}
