"""What the page Map gives away: coordinates, the LLE kernel, pictures, a script."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import streamlit as st

from kernex_core.base.frozen import FloatArray
from kernex_core.gram.provenance import call, write_script
from kernex_core.inputs.samples import Vectors
from kernex_core.studies.map.points import MapConfig, map_method
from kernex_core.studies.map.study import Placement, map_kernel
from pages.export.downloads import BESIDE_KERNEX
from pages.map.new_items import New
from pages.map.subject import Subject
from pages.server.colour_scheme import ground
from pages.ui import chosen
from pages.ui import shown as registry
from pages.ui.figures.chart import chart_config, inked
from pages.ui.figures.scatter import (
    Added,
    Layers,
    MapAxes,
    Marked,
    Outlined,
    ends_of,
    item_map,
    item_space,
    key_height,
)
from pages.ui.frame import panel_title
from pages.ui.panels.item_map import item_map_panel
from pages.ui.panels.keep import Drawing, Keep, Offer, Result, keep_row
from pages.ui.projector import enlarged, fitted


def results(subject: Subject, placement: Placement | None, new: New | None = None) -> None:
    """Draw the row of downloads; of LLE the kernel can be kept."""
    config, lle = subject.config, subject.config.method == "lle"
    title = f"{map_method(config.method).title} of {subject.name.rsplit(',', 1)[0]}"
    result = Result(
        f"{title} k={config.n_neighbors}" if lle else title,
        kernel=(lambda: map_kernel(subject.source, config.n_neighbors, normalize=config.normalize)) if lle else None,
        table=Offer(
            lambda: rows(subject, placement), label="Coordinates as CSV",
            help="One row an item, and whether it was held out.",
            name=f"{title} coordinates",
        ),
        figure=Drawing(
            lambda: item_map(
                subject.drawn(placement)[:, :2],
                subject.items,
                outlined=Outlined(subject.held, "held out"),
            ),
            title=title,
            settings=vars(config),
        ),
        script=Offer(lambda: script(subject, new), help="Python that makes this map and its numbers again."),
    )  # fmt: skip
    keep = Keep(label="Keep the LLE kernel", help="Of all items, held-out ones too.") if lle else None
    keep_row(result, key="map", keep=keep)


def rows(subject: Subject, placement: Placement | None) -> list[dict[str, object]]:
    """Return one row an item."""
    labels = subject.labels
    shown, out = subject.drawn(placement), subject.held
    return [
        {
            "id": name,
            **({} if labels is None else {"class": labels.y[at]}),
            **{
                f"coordinate {axis}": float(value)
                for axis, value in zip(subject.axes, shown[at], strict=True)
            },
            "held_out": int(out[at]),
        }
        for at, name in enumerate(subject.dataset.ids)
    ]


def script(subject: Subject, new: New | None = None) -> str:
    """Script of the map, of the numbers that the page shows, and of the places of new items."""
    prepared = call("prepared", "prepare_map", subject.config, subject.source)
    view = call("view", "view_map", prepared, along=subject.along, axes=subject.axes, kept=True)
    heading = f"Kernex: map of {subject.name}\n{BESIDE_KERNEX}"
    prints = [
        "'trustworthiness', $0.trust_all, 'of the kept items', $0.trust_kept",
        "'continuity', $0.continuity, 'stress', $0.stress",
        "'the map moves', $0.moved",
        "*(f'{each.title}: error {each.error}, Spearman {each.along}' for each in $0.placements), sep='\\n'",
        "$0.coordinates",
    ]
    if new is None:
        return write_script([view], heading=heading, prints=prints)
    known = (
        Vectors(new.brought.ids, new.brought.X)
        if isinstance(new.brought, Vectors)
        else replace(new.brought, notes=())
    )
    places = call("places", "place_new", prepared, view, known)
    return write_script([view, places], heading=heading, prints=[*prints, "$1.ids", "$1.ways", "$1.far"])


# The maps of the page Map: flat ones, in which items are chosen, and deep ones, which turn.

TURN: Final = "drag to turn; items are chosen in the flat map"
HELD: Final = "held out"


HEIGHT: Final = 400
"""Pixels of a map, with a key of one line."""


def noted(config: MapConfig) -> str:
    """What the map is, beside its title."""
    title = map_method(config.method).title
    if config.method == "t-sne":
        return f"{title}, perplexity {config.n_neighbors}"
    by_neighbours = config.method in ("lle", "spectral")
    return f"{title}, {config.n_neighbors} neighbours" if by_neighbours else title


def maps(subject: Subject, placement: Placement | None, added: Added | None) -> None:
    """Draw the map with placed items, and where items were held out the map of all items beside it, on the same axes."""
    made, config = subject.made, subject.config
    note = noted(config)
    said = f"{note}; outlined: {placement.title}" if placement else note
    places = subject.drawn(placement)
    left, right = st.columns(2, gap="medium")
    if made.coordinates.shape[1] == 2:
        # the other one has no key: without its line their plots are as tall as each other
        both, tall = (places, made.whole), fitted(HEIGHT)
        alone = tall - key_height(1)
        with left:
            _flat(
                subject,
                places,
                "placed",
                ("Map", said),
                Layers(_outlined(subject), added, True),
                both=both,
                height=tall,
            )
        if placement is not None:
            with right:
                outlined = Layers(_outlined(subject))
                _flat(
                    subject,
                    made.whole,
                    "whole",
                    ("Map of all items", WHOLE),
                    outlined,
                    both=both,
                    height=alone,
                )
        return
    with left:
        _deep(subject, places, "placed", ("Map", f"{said}; {TURN}"), Layers(_outlined(subject), added, True))
        if placement is not None:
            _deep(subject, made.whole, "whole", ("Map of all items", WHOLE), Layers(_outlined(subject)))
    with right:
        for pair in ((0, 1), (0, 2)) if placement is not None else ((0, 1),):
            shown = (
                None if added is None else Added(added.names, added.places[:, pair], added.within[list(pair)])
            )
            words = f"{subject.axis_names[pair[0]]} and {subject.axes[pair[1]]} of the same map"
            _flat(
                subject, places[:, pair], f"placed.{pair[1]}", ("Flat", words), Layers(_outlined(subject), shown), pair
            )  # fmt: skip


WHOLE: Final = "outlined: held out in the other map"


def _outlined(subject: Subject) -> Outlined:
    return Outlined(subject.held, HELD)


def _flat(
    subject: Subject,
    places: FloatArray,
    key: str,
    words: tuple[str, str],
    layers: Layers,
    pair: tuple[int, int] = (0, 1),
    both: tuple[FloatArray, ...] = (),
    height: int = HEIGHT,
) -> None:
    names = (subject.axis_names[pair[0]], subject.axis_names[pair[1]])
    share = subject.made.share
    shares = None if key == "whole" or not share.size else share[list(pair)]
    axes = MapAxes(names, shares, ends_of(both) if both else None, map_method(subject.config.method).own)
    item_map_panel(
        places,
        subject.items,
        key=f"map.{key}",
        title=words[0],
        note=words[1],
        axes=axes,
        layers=layers,
        height=height,
    )


def _deep(subject: Subject, places: FloatArray, key: str, words: tuple[str, str], layers: Layers) -> None:
    marked = Marked(chosen.chosen(subject.items.ids))
    picture = item_space(places, subject.items, subject.axis_names, layers=layers, marked=marked)
    with st.container(gap="xxsmall"):
        panel_title(*words)
        st.plotly_chart(
            enlarged(inked(picture.figure, ground())),
            width="stretch", theme="streamlit", alt=picture.alt, key=f"map.deep.{key}",
            config={**chart_config(registry.file_named(f"map {key}")), "displayModeBar": True},
        )  # fmt: skip
