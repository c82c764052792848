"""What the page Map is about in this run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, FloatArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.studies.map.points import MAPS, MapConfig, map_method, own_direction
from kernex_core.studies.map.study import (
    MapView,
    Placement,
    PreparedMap,
    prepare_map,
    preparing_map,
    view_map,
)
from pages.server.cached import cached
from pages.server.declared import declared, in_view, of, of_data, of_items, setting
from pages.ui import widgets
from pages.ui.answer import first_row, group, settings_box
from pages.ui.figures.chart import Items
from pages.ui.figures.scatter import MapAxes
from pages.ui.panels.linked import class_list
from pages.ui.panels.staged import Pieced, run_in_pieces
from pages.ui.widget import controls


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
        return axis_names(self.config, self.axes)

    def drawn(self, placement: Placement | None) -> FloatArray:
        """(n, q) coordinates with held-out items where one way places them."""
        coordinates = self.made.coordinates.copy()
        if placement is not None:
            coordinates[self.made.held] = placement.coordinates
        return coordinates


def axis_names(config: MapConfig, axes: tuple[int, ...]) -> tuple[str, ...]:
    """What coordinates of a map are called."""
    kind = "component" if config.method == "kernel pca" else "coordinate"
    return tuple(f"{kind} {axis}" for axis in axes)


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


# The controls of the page Map: what is mapped, its neighbours, what is held out, and everything behind Settings.

MOST: Final = 5_000
"""Items up to which a map is made."""
AT_ONCE: Final = 1_200
"""Items up to which it comes without a word."""
STEPPED: Final = 300
"""The same of maps that are moved step by step."""
MOST_COLUMNS: Final = 30
"""Columns of vectors up to which each is offered to be followed."""
MANY, FEW_NEIGHBOURS, NEIGHBOURS = 100, 8, 12
"""Items from which a sheet needs more neighbours to stay one, and how many neighbours there are at first."""
NOTHING: Final = "nothing"
TABS: Final = "map.tab"
AXES = ("Across", "Up", "Deep")
SETTINGS: Final = declared(
    *in_view(of_data("of", "Of"), *of(MapConfig, "n_neighbors", "share"), setting("tab", "Part of the page")),
    *of(MapConfig, "method", "normalize", "seed"), setting("way", "Held-out items are placed"),
    setting("shown", "Shown"), *(setting(word.lower(), word) for word in AXES), of_items("along", "Compare with"),
)  # fmt: skip


def choose(dataset: DataSet) -> tuple[Subject, Placement | None] | None:
    """Draw the first row and Settings, and return what they ask for; None where the map was stopped."""
    with first_row():
        first, second, third = (
            st.container(width=190) for _ in range(3)
        )  # and Settings beside them at 1,024
        fourth = st.container(width="stretch", horizontal_alignment="right")
    below = st.container()
    name, source = chosen_source(
        dataset, first, key=f"map.of.{dataset.name}", hint="Vectors, or a kernel, whose distances are mapped."
    )
    made = None
    with fourth, settings_box(2) as (left, right):
        with left:
            group("Map")
            config = _config(dataset, source, second, third)
        made = _made(dataset, source, config, below)
        if made is not None:
            with right:
                group("Coordinates")
                axes = _axes(config, made.made.coordinates)
                along_name, along = _followed(dataset)
            view = viewed(config, source, axes, along)
            with left:
                placement = _way(config, view.placements)
    if made is None:
        return None
    return Subject(dataset, name, source, config, axes, along_name, along, dataset.judgeable, view), placement


def chosen_source(
    dataset: DataSet, slot: DeltaGenerator, *, key: str, hint: str
) -> tuple[str, Vectors | GramMatrix]:
    """Draw what the page is about, a kernel or vectors, and return its name and itself."""
    offered = sources(dataset)
    names = list(offered)
    with slot:
        name = widgets.choose("of", names, default=names[_start(offered)], key=key, help=hint)
    return name, offered[name]


def normalised_at_first(dataset: DataSet, source: Vectors | GramMatrix) -> bool:
    """Of a kernel that was not made of vectors: its diagonal says how long items are, not what they are like."""
    return isinstance(source, GramMatrix) and not any(
        isinstance(each, Vectors) for each in dataset.samples.values()
    )


def first_neighbours(n: int) -> int:
    """Neighbours that a map of n items begins with."""
    return min(NEIGHBOURS if n >= MANY else FEW_NEIGHBOURS, max(2, n // 3))


def _config(dataset: DataSet, source: Vectors | GramMatrix, *row: DeltaGenerator) -> MapConfig:
    most = max(3, min(60, dataset.n - 2))
    start = MapConfig(
        n_neighbors=first_neighbours(dataset.n),
        normalize=normalised_at_first(dataset, source),
    )
    key = f"map.{dataset.name}"
    config = controls(
        start, key, only=("n_neighbors", "share"), slots=row, changed={"n_neighbors": {"high": most}}
    )
    only = ("method", "normalize", "seed") if isinstance(source, GramMatrix) else ("method", "seed")
    return controls(config, key, only=only)


def _made(
    dataset: DataSet, source: Vectors | GramMatrix, config: MapConfig, place: DeltaGenerator
) -> PreparedMap | None:
    """Everything that is decomposed: at once, or with progress and Stop."""
    if dataset.n > MOST:
        raise InvalidInputError(
            f"A map is made of up to {MOST:,} items", f"{dataset.n:,}",
            "Choose some of them on the page Data; the others can be placed as new items",
        )  # fmt: skip
    with place:
        return run_in_pieces(
            Pieced(prepared, preparing_map, (config, source)), key="map.make", what="% of the map",
            at_once=dataset.n <= (AT_ONCE if map_method(config.method).places else STEPPED), label="Make the map",
        )  # fmt: skip


def _axes(config: MapConfig, coordinates: FloatArray) -> tuple[int, ...]:
    """Draw which coordinates the map shows; up is at first one that tells more than the first does."""
    there = coordinates.shape[1]
    deep = there > 2 and widgets.pick(
        "shown", ("flat", "3-D"), key="map.shown",
        help="Two coordinates, or three that can be turned; errors and trustworthiness are those of what is shown.",
    ) == "3-D"  # fmt: skip
    up = own_direction(coordinates) + 1 if map_method(config.method).own and not deep else 2
    usual = (1, up, 3)
    with st.container(horizontal=True):
        return tuple(
            widgets.choose(
                word.lower(), range(1, there + 1), default=usual[at], key=f"map.axis.{word}.{there}.{usual[at]}", width=75,
                help="Which coordinate of the map; the first keep most." if at == 0 else None,
            )
            for at, word in enumerate(AXES[: 3 if deep else 2])
        )  # fmt: skip


def _way(config: MapConfig, placements: tuple[Placement, ...]) -> Placement | None:
    """Draw which way of placing the map shows."""
    ways = {each.title: each for each in placements}
    if not ways:
        return None
    title = widgets.choose(
        "way", list(ways), key=f"map.way.{config.method}",
        help="By extrapolation: by affine weights on the nearest kept items, as scikit-learn's transform. Other ways "
        "stand beside it for comparison.",
    )  # fmt: skip
    return ways[title]


def _start(offered: dict[str, Vectors | GramMatrix]) -> int:
    """Vectors of several columns first, then kernels; what is known everywhere in any case."""
    for at, source in enumerate(offered.values()):
        if isinstance(source, Vectors) and source.X.shape[1] > 1 and not np.isnan(source.X).any():
            return at
    for at, source in enumerate(offered.values()):
        if isinstance(source, GramMatrix) and source.unknown.complete:
            return at
    return 0


def _followed(dataset: DataSet) -> tuple[str, FloatArray | None]:
    """A measured quantity that the coordinates are compared with."""
    known = {
        f"{name}: {column}": np.ascontiguousarray(each.X[:, at])
        for name, each in dataset.samples.items()
        if isinstance(each, Vectors) and each.X.shape[1] <= MOST_COLUMNS
        for at, column in enumerate(each.columns)
        if np.isfinite(each.X[:, at]).all()
    }
    if not known:
        return NOTHING, None
    single = [
        f"{name}: {each.columns[0]}"
        for name, each in dataset.samples.items()
        if isinstance(each, Vectors) and len(each.columns) == 1
    ]
    options = [NOTHING, *known]
    start = options.index(single[0]) if single and single[0] in known else 0
    name = widgets.choose(
        "along", options, default=options[start], key=f"map.along.{dataset.name}",
        help="A quantity known of every item: does a coordinate of the map follow it?",
    )  # fmt: skip
    return name, known.get(name)


# The same map on other parts of the line: of all items, as little as a picture needs to be asked for.


@dataclass(frozen=True)
class LaidOut:
    """All items laid flat: coordinates (n, 2), what the map is called, and its axes."""

    coordinates: FloatArray
    title: str
    axes: MapAxes


def laid_out(
    dataset: DataSet, source: Vectors | GramMatrix, key: str, place: DeltaGenerator, *, normalize: bool
) -> LaidOut | None:
    """Draw by which way items are laid out, and return the map; None where it was stopped."""
    titles = {each.title: each for each in MAPS}
    method = titles[
        widgets.choose(
            "drawn",
            list(titles),
            default="kernel PCA",
            key=f"{key}.drawn",
            help="How the picture lays items out.",
        )
    ]
    config = MapConfig(method.name, first_neighbours(dataset.n), 0.0, normalize)
    if _made(dataset, source, config, place) is None:
        return None
    view = viewed(config, source, (1, 2), None)
    names = axis_names(config, (1, 2))
    axes = MapAxes((names[0], names[1]), view.share if view.share.size else None, apart=method.own)
    return LaidOut(view.coordinates, method.title, axes)
