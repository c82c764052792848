"""The maps of the page Map: flat ones, in which items are chosen, and deep ones, which turn."""

from __future__ import annotations

from typing import Final

import streamlit as st

from kernex_core.base.frozen import FloatArray
from kernex_core.studies.map.study import Placement
from pages.map.subject import Subject
from pages.shared import chosen
from pages.shared.figures.ink import inked
from pages.shared.figures.maps.parts import Added, Layers, Marked, Outlined, key_height
from pages.shared.figures.maps.space import item_space
from pages.shared.figures.picture import chart_config
from pages.shared.figures.scatter import MapAxes, ends_of
from pages.shared.frame import panel_title
from pages.shared.ground import ground
from pages.shared.panels.item_map import item_map_panel
from pages.shared.projected.projector import enlarged, fitted
from pages.shared.shown import registry

TURN: Final = "drag to turn; items are chosen in the flat map"
HELD: Final = "held out"


HEIGHT: Final = 400
"""Pixels of a map, with a key of one line."""


def maps(subject: Subject, placement: Placement | None, added: Added | None) -> None:
    """Draw the map with placed items, and where items were held out the map of all items beside it, on the same axes."""
    made, config = subject.made, subject.config
    note = f"LLE, {config.n_neighbors} neighbours" if config.method == "lle" else "kernel PCA"
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
    # LLE asks for coordinates of variance 1 each: their lengths say nothing of one another
    axes = MapAxes(names, shares, ends_of(both) if both else None, subject.config.method == "lle")
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
