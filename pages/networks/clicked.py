"""A drawing of nodes on the page: a click on one chooses it, here and on every page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

from pages.shared import chosen, workspace
from pages.shared.figures.ink import inked
from pages.shared.figures.picture import Picture, chart_config
from pages.shared.ground import ground
from pages.shared.panels.item_map import places as positions
from pages.shared.projected.projector import enlarged
from pages.shared.shown import registry

BUTTONS: Final = ("pan2d", "resetScale2d", "toImage")


def node_chart(
    picture: Picture, ids: Sequence[str], key: str, chooser: str, classes: Sequence[str | None] | None
) -> None:
    """Draw a picture whose points are nodes.

    Parameters
    ----------
    picture : Picture
    ids : sequence of str
        Of the nodes that are drawn, by the number that their points carry.
    key : str
        Of the chart.
    chooser : str
        Key of the widget that shows the chosen node.
    classes : sequence of str, optional
        Of these nodes.
    """
    registry.show(key, lambda: picture, classes=classes)
    turn: int = workspace.recall(f"{key}.turn", 0)
    st.plotly_chart(
        enlarged(inked(picture.figure, ground())), width="stretch", theme="streamlit", key=f"{key}.{turn}",
        alt=f"{picture.alt} A click chooses a node.", selection_mode="points",
        config={**chart_config(registry.file_named("network")), "displayModeBar": True, "modeBarButtons": [list(BUTTONS)]},
        on_select=partial(_clicked, key, turn, tuple(ids), chooser),
    )  # fmt: skip


def _clicked(key: str, turn: int, ids: tuple[str, ...], chooser: str) -> None:
    """A node of the drawing was clicked."""
    at = positions(workspace.told(f"{key}.{turn}", "selection"), len(ids))
    if not at:
        return
    name = ids[at[0]]
    workspace.show_in(chooser, name)
    if chosen.chosen_ids() != (name,):
        chosen.choose([name])
    workspace.remember(f"{key}.turn", turn + 1)
