"""The page Map on one screen: the verdict, the map with placed items beside that of all items, then what one asks second."""

from __future__ import annotations

import math

import streamlit as st

from kernex_core.inputs.dataset import DataSet
from kernex_core.studies.map.study import Placement
from pages.map import new_items, verdict
from pages.map.method import ASSUMPTIONS, FORMULAS
from pages.map.new_items import New
from pages.map.pictures import maps
from pages.map.results import results
from pages.map.settings import TABS, choose
from pages.map.subject import Subject
from pages.shared.figures.theme import number, percent
from pages.shared.frame import PageFrame, formula_text, panel_title
from pages.shared.messages import findings, guard
from pages.shared.panels.arrangement import coloured_box
from pages.shared.panels.chosen_row import chosen_items
from pages.shared.settings import widgets
from pages.shared.shown import drawn


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    formula_text(FORMULAS, ASSUMPTIONS)
    found = choose(dataset)
    if found is None:
        return
    subject, placement = found
    page.badge(
        f"{subject.made.held.size:,} of {dataset.n:,} held out",
        help="They are placed in a map that was made without them.",
    )
    verdict.fill(verdict.place_for(subject, placement), subject, placement)
    pictures, lower = st.container(key="maps", gap="xsmall"), st.container()
    with lower:
        new = _tabs(subject, placement)
    with pictures:
        maps(subject, placement, new_items.added(new, placement))
        coloured_box(subject.items.classes, "map")
        chosen_items(subject.items, "map")
    with lower:
        results(subject, placement, new)


def _tabs(subject: Subject, placement: Placement | None) -> New | None:
    """Draw what one asks second; new items are in the maps whichever part is open."""
    names = [*(["Ways to place"] if subject.made.placements else []), "New items", "Method"]
    places = dict(zip(names, widgets.tabs("tab", names, key=TABS), strict=True))
    if (tab := places.get("Ways to place")) is not None and tab.open:
        with tab:
            _ways(subject)
    if places["Method"].open:
        with places["Method"]:
            findings(subject.made.notes)
            st.markdown(formula_text(FORMULAS, ASSUMPTIONS))
    with places["New items"], guard():
        return new_items.bring(subject, placement)
    return None


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
