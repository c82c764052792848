"""The page Map, laid out: map with placed items beside the map of all items, numbers, ways to place, downloads."""

from __future__ import annotations

import math
from typing import Final

import streamlit as st

from kernex_core.studies.map.placement import Placement
from pages.map import new_items
from pages.map import subject as subject_of_page
from pages.map.pictures import maps
from pages.map.results import results
from pages.map.subject import Subject
from pages.shared.declared.settings import declared, setting
from pages.shared.figures.theme import number, percent
from pages.shared.frame import PageFrame, panel_title
from pages.shared.glossary.entries import explained
from pages.shared.messages import findings
from pages.shared.panels.arrangement import coloured_box
from pages.shared.panels.chosen_row import chosen_items
from pages.shared.panels.side_by_side import numbers_in_a_row
from pages.shared.settings import widgets
from pages.shared.shown import drawn
from pages.shared.shown.drawn import metric

MOVES: Final = 0.3
"""Share of the radius by which kept items move from one map to the other, from which errors of placements say little."""
UNSTEADY: Final = (
    "The map itself changes much when items are held out, so errors of placed items say little here: the ways to place are "
    "told apart by how a known quantity is followed, or with other settings."
)


def show(page: PageFrame, subject: Subject) -> None:
    """Draw the page."""
    held = subject.made.held.size
    page.badge(
        f"{held:,} of {subject.dataset.n:,} held out",
        help="They are placed in a map that was made without them.",
    )
    placement = _way(subject)
    pictures = st.container()
    _numbers(subject, placement)
    if subject.made.placements:
        _ways(subject)
    notes = subject.made.notes + ((UNSTEADY,) if subject.made.moved > MOVES else ())
    if notes:
        findings(notes)
    new = new_items.bring(subject, placement)
    with pictures:
        maps(subject, placement, new_items.added(new, placement))
        coloured_box(subject.items.classes, "map")
        chosen_items(subject.items, "map")
    results(subject, placement, new)


SETTINGS = declared(*subject_of_page.SETTINGS, setting("way", "Held-out items are placed"))


def _way(subject: Subject) -> Placement | None:
    """Which way of placing the map shows."""
    ways = {each.title: each for each in subject.made.placements}
    if not ways:
        return None
    title = widgets.pick(
        "way", list(ways), key=f"map.way.{subject.config.method}",
        help="By extrapolation: by affine weights on the nearest kept items, as scikit-learn's transform. Other ways "
        "stand beside it for comparison.",
    )  # fmt: skip
    return ways[title]


def _numbers(subject: Subject, placement: Placement | None) -> None:
    made = subject.made
    rows = [
        (
            "Trustworthiness",
            number(made.trust_all, 3),
            f"Of all {subject.dataset.n:,} items, held-out ones where extrapolation or their own similarities place them.",
        ),
        ("Trustworthiness, kept", number(made.trust_kept, 3), "Of the items that the map was made of."),
    ]
    if placement is not None:
        rows += [
            (
                "Error of placed items",
                percent(placement.error),
                "Distance from their place in the map of all items, of the radius.",
            ),
            (
                "Map moves",
                percent(made.moved),
                "How far the kept items lie apart in both maps: errors count from there.",
            ),
        ]
    if subject.along is not None:
        about = f"Largest absolute rank correlation of a coordinate with {subject.along_name}, kept items."
        rows.append(("Spearman, kept", number(made.along_kept, 3), about))
    for column, (name, value, about) in zip(numbers_in_a_row(len(rows)), rows, strict=True):
        with column:
            metric(name, value, help=explained(name, about), note=about)


def _ways(subject: Subject) -> None:
    """One row a way to place the held-out items, all of the same items in the same map."""
    placements = subject.made.placements
    panel_title(
        "Ways to place", f"the same {subject.made.held.size:,} held-out items, in % of the map's radius"
    )
    table = {
        "held-out items are placed": [each.title for each in placements],
        "error": [percent(each.error, 1) for each in placements],
        "from the first way": [percent(each.apart, 1) for each in placements],
    }
    if any(not math.isnan(each.along) for each in placements):
        table["Spearman"] = [number(each.along, 3) for each in placements]
    drawn.table("map.ways", table)
