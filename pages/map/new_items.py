"""New items on the page Map: brought in a file, placed where they belong, and given back as a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.names import listed
from kernex_core.inputs.new_items import KnownVectors, NewRows
from kernex_core.inputs.samples import AnyVectors, Note, Vectors
from kernex_core.inputs.upload import Upload
from kernex_core.studies.map.new_rows import rows_by_kernel, vectors_behind
from kernex_core.studies.map.points import MapConfig, map_method
from kernex_core.studies.map.study import NewPlaces, Placement, place_new
from pages.export.downloads import csv_button
from pages.map.subject import Subject, prepared, viewed
from pages.server.cached import cached
from pages.server.digits import in_table, number
from pages.server.messages import findings, plain
from pages.server.readers import tasks
from pages.ui.figures.scatter import Added
from pages.ui.files import check_file_size, kept_upload, new_items_key, read_apart

MOST_DRAWN: Final = 500
"""New items up to which all are drawn."""
FAR: Final = 3.0
"""Distances to the nearest item, in those that are usual, from which a new item is said to be unlike all."""
BARS: Final = (
    "Bars: nine of ten held-out items lie within them of their place in the map of all items, in each coordinate by itself; "
    "of new items about as many. They count from how far the map itself moves."
)
NO_BARS: Final = "No bars: they are known from nine held-out items on."
HELP: Final = (
    "CSV or other table of text, also gzipped; sparse vectors (SVMlight, MatrixMarket, .npz) by the numbers of their "
    "features; of a matrix also an array of NumPy or MATLAB, columns in the order of the items. It stays until "
    "you let go of it."
)


@dataclass(frozen=True)
class New:
    """New items and where they lie."""

    brought: Vectors | NewRows
    places: NewPlaces


def read_new(file: Upload, source: Vectors | GramMatrix, known: AnyVectors | None) -> Vectors | NewRows:
    """Return the new items of a file: with the columns of vectors, or with similarities to the items of a matrix.

    Sparse vectors are taken for a matrix that was computed of `known` ones, too: its kernel compares them.
    """
    if isinstance(source, Vectors):
        brought = read_apart(tasks.new_vectors, file, KnownVectors.of(source))
        assert isinstance(brought, Vectors)  # as those of the items
        return brought
    fits = None if known is None else KnownVectors.of(known)
    rows = read_apart(tasks.new_rows, file, source.ids, source.values.diagonal(), fits)
    if isinstance(rows, NewRows):
        return rows
    assert known is not None  # else no vectors are read
    return compared(source, known, rows)


@cached
def compared(K: GramMatrix, known: AnyVectors, new: AnyVectors) -> NewRows:
    """Return similarities of new vectors to the items of a kernel."""
    return rows_by_kernel(K, known, new)


@cached
def placed(
    config: MapConfig, source: Vectors | GramMatrix, axes: tuple[int, ...], new: Vectors | NewRows
) -> NewPlaces:
    """Return the places of new items."""
    return place_new(prepared(config, source), viewed(config, source, axes, None), new)


def bring(subject: Subject, placement: Placement | None) -> New | None:
    """Draw what new items are, where a file with them goes, and what became of it."""
    method = map_method(subject.config.method)
    if not method.places:
        st.caption(f"{method.title} has no place for new items: choose another map (Settings).")
        return None
    known = None if isinstance(subject.source, Vectors) else _behind(subject)
    st.caption(_wanted(subject.source, known))
    key = new_items_key(subject.dataset.name, subject.name)
    file = kept_upload("Table of new items", key=key, help=HELP)
    if file is None:
        return None
    check_file_size(file)
    source = subject.source
    brought = read_new(file, source, known)
    made = New(brought, placed(subject.config, source, subject.axes, brought))
    _shown(subject, made, placement)
    return made


def _behind(subject: Subject) -> AnyVectors | None:
    assert isinstance(subject.source, GramMatrix)
    return vectors_behind(subject.source, subject.dataset.samples.values())


def _wanted(source: Vectors | GramMatrix, known: AnyVectors | None) -> str:
    if isinstance(source, Vectors):
        return (
            f"One row a new item, with the {plain(source_name(source.columns))} by the same names, in any order; "
            "a column of ids if there is one."
        )
    sparse = (
        ""
        if known is None
        else " Or sparse vectors with the features of the items, which the kernel compares."
    )
    return (
        f"One row a new item, one column for each of the {source.n:,} items, named by its id: their similarities by the "
        "same kernel. A first column holds the new ids, and a column *self* each new item's similarity to itself; without "
        f"it they count as long as the items are.{sparse}"
    )


def source_name(columns: tuple[str, ...]) -> str:
    """Names of the columns in a sentence."""
    if len(columns) == 1:
        return f"column {columns[0]}"
    return (
        f"{len(columns):,} columns ({listed(columns)})" if len(columns) > 3 else f"columns {listed(columns)}"
    )


def way(new: New, placement: Placement | None) -> str:
    """The way of placing that is shown: that of the held-out items, or the first."""
    titles = list(new.places.ways)
    return placement.title if placement is not None and placement.title in titles else titles[0]


def added(new: New | None, placement: Placement | None) -> Added | None:
    """New items for the maps, the first of them where there are many."""
    if new is None:
        return None
    title = way(new, placement)
    where = new.places.ways[title][:MOST_DRAWN]
    within = new.places.within.get(title, np.full(where.shape[1], np.nan))
    return Added(new.places.ids[:MOST_DRAWN], where, within)


def table(subject: Subject, new: New, placement: Placement | None) -> pd.DataFrame:
    """One row a new item: coordinates with half-widths, the nearest item with its class, and how far it is."""
    title, at = way(new, placement), new.places.nearest
    where = new.places.ways[title]
    within = new.places.within.get(title, np.full(where.shape[1], np.nan))
    columns: dict[str, object] = {"id": list(new.places.ids)}
    labels = new.brought.labels if isinstance(new.brought, Vectors) else None
    if labels is not None:
        columns["label"] = labels.y
    for c, name in enumerate(subject.axis_names):
        columns[name] = where[:, c]
        if np.isfinite(within[c]):
            columns[f"{name} within"] = np.full(len(where), within[c])
    columns["nearest"] = [subject.dataset.ids[k] for k in at]
    if subject.labels is not None:
        columns["class of nearest"] = subject.labels.y[at]
    return pd.DataFrame({**columns, "how far": new.places.far})


def _shown(subject: Subject, new: New, placement: Placement | None) -> None:
    far = [name for name, d in zip(new.places.ids, new.places.far, strict=True) if d > FAR]
    notes = list(new.brought.notes)
    if far:
        notes.append(
            Note(
                f"New items more than {number(FAR)} times as far from their nearest item as items are from theirs: "
                f"{len(far):,} ({listed(far)}).",
                "They are like nothing that the map knows: their places mean little.", "", "warning",
            )
        )  # fmt: skip
    if len(new.places.ids) > MOST_DRAWN:
        notes.append(
            Note(
                f"{len(new.places.ids):,} new items.",
                f"The first {MOST_DRAWN:,} are drawn, the table has all.",
            )
        )
    findings(notes)
    made = table(subject, new, placement)
    st.dataframe(
        in_table(made),
        hide_index=True,
        width="stretch",
        key="map.new.table",
        height=min(280, 38 * (len(made) + 1)),
    )
    half = new.places.within.get(way(new, placement))
    bars = BARS if half is not None and np.isfinite(half).all() else NO_BARS
    st.caption(
        f"{plain(way(new, placement)).capitalize()}. {bars} How far: "
        "distance to the nearest item that the map is made of, over the usual one between items."
    )
    csv_button(
        "New items as CSV",
        lambda: made,
        "new items",
        key="map.new.csv",
    )
