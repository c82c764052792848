"""What the page Map is about in this run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import BoolArray, FloatArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.studies.map.config import MapConfig
from kernex_core.studies.map.placement import Placement
from kernex_core.studies.map.prepared import PreparedMap, preparing_map
from kernex_core.studies.map.study import MapView, prepare_map, view_map
from pages.shared.cached import cached
from pages.shared.controls import controls
from pages.shared.declared.settings import of, of_data, of_items, setting
from pages.shared.figures.picture import Items
from pages.shared.panels.arrangement import class_list
from pages.shared.panels.in_pieces import Pieced, run_in_pieces
from pages.shared.panels.side_by_side import places
from pages.shared.settings import widgets

MOST: Final = 5_000
"""Items up to which a map is made."""
AT_ONCE: Final = 1_200
"""Items up to which it comes without a word."""
MOST_COLUMNS: Final = 30
"""Columns of vectors up to which each is offered to be followed."""
NOTHING: Final = "nothing"


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


def choose(dataset: DataSet) -> Subject | None:
    """Draw the controls and return what they ask for; None where the map was stopped."""
    offered = sources(dataset)
    if not offered:
        raise InvalidInputError(
            "This page maps vectors or a kernel",
            f"neither in {dataset.name!r}",
            "Bring vectors or a similarity matrix on the page Data, or build a kernel on the page Kernels",
        )
    first, second, third, fourth, shape, more = places(
        200, 190, 150, 150, "content", "content", align="bottom"
    )
    names = list(offered)
    with first:
        name = widgets.choose(
            "of", names, default=names[_start(offered)], key=f"map.of.{dataset.name}",
            help="Vectors, or a kernel, whose distances are mapped.",
        )  # fmt: skip
    source = offered[name]
    config = _settings(dataset, source, second, third, fourth)
    with more, st.popover("More", icon=":material/tune:"):
        only = ("normalize", "seed") if isinstance(source, GramMatrix) else ("seed",)
        config = controls(config, f"map.{dataset.name}", only=only)
        coordinates = st.container()
        along_name, along = _followed(dataset)
    made = _made(dataset, source, config)
    if made is None:
        return None
    axes = _axes(shape, coordinates, made.made.coordinates.shape[1])
    return Subject(
        dataset,
        name,
        source,
        config,
        axes,
        along_name,
        along,
        dataset.judgeable,
        viewed(config, source, axes, along),
    )


def _made(dataset: DataSet, source: Vectors | GramMatrix, config: MapConfig) -> PreparedMap | None:
    """Everything that is decomposed: at once, or with progress and Stop."""
    if dataset.n > MOST:
        raise InvalidInputError(
            f"A map is made of up to {MOST:,} items", f"{dataset.n:,}",
            "Choose some of them on the page Data; the others can be placed as new items",
        )  # fmt: skip
    return run_in_pieces(
        Pieced(prepared, preparing_map, (config, source)), key="map.make", what="% of the map",
        at_once=dataset.n <= AT_ONCE, label="Make the map",
    )  # fmt: skip


AXES = ("Across", "Up", "Deep")
SETTINGS = (
    of_data("of", "Of"), *of(MapConfig), setting("shown", "Shown"), *(setting(word.lower(), word) for word in AXES),
    of_items("along", "Compare with"),
)  # fmt: skip


def _axes(shape: DeltaGenerator, slot: DeltaGenerator, there: int) -> tuple[int, ...]:
    """Which coordinates the map shows."""
    with shape:
        deep = there > 2 and widgets.pick(
            "shown", ("flat", "3-D"), key="map.shown",
            help="Two coordinates, or three that can be turned; errors and trustworthiness are those of what is shown.",
        ) == "3-D"  # fmt: skip
    words = AXES[: 3 if deep else 2]
    with slot, st.container(horizontal=True):
        return tuple(
            widgets.choose(
                word.lower(), range(1, there + 1), default=at + 1, key=f"map.axis.{word}.{there}", width=90,
                help="Which coordinate of the map; the first keep most.",
            )
            for at, word in enumerate(words)
        )  # fmt: skip


def sources(dataset: DataSet) -> dict[str, Vectors | GramMatrix]:
    """What can be mapped, by what it is called in the list."""
    vectors = {
        f"{name}, vectors": each for name, each in dataset.samples.items() if isinstance(each, Vectors)
    }
    return {**vectors, **{f"{name}, kernel": K for name, K in dataset.kernels.items()}}


def _start(offered: dict[str, Vectors | GramMatrix]) -> int:
    """Vectors of several columns first, then kernels; what is known everywhere in any case."""
    for at, source in enumerate(offered.values()):
        if isinstance(source, Vectors) and source.X.shape[1] > 1 and not np.isnan(source.X).any():
            return at
    for at, source in enumerate(offered.values()):
        if isinstance(source, GramMatrix) and source.unknown.complete:
            return at
    return 0


def _settings(dataset: DataSet, source: Vectors | GramMatrix, *slots: DeltaGenerator) -> MapConfig:
    most = max(3, min(60, dataset.n - 2))
    start = MapConfig(
        n_neighbors=min(8, max(2, dataset.n // 3)),
        # a kernel that was not made of vectors: its diagonal says how long items are, not what they are like
        normalize=isinstance(source, GramMatrix)
        and not any(isinstance(each, Vectors) for each in dataset.samples.values()),
    )
    return controls(
        start, f"map.{dataset.name}", only=("method", "n_neighbors", "share"), slots=slots,
        changed={"n_neighbors": {"high": most}},
    )  # fmt: skip


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
