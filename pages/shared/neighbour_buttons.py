"""The most similar items, each with its number; a click puts one into a box of the page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import streamlit as st

from pages.shared import workspace
from pages.shared.messages import plain

SHOWN_NEIGHBOURS: Final = 8


def neighbour_buttons(neighbours: Iterable[tuple[str, str]], key: str) -> None:
    """Draw the first SHOWN_NEIGHBOURS of the neighbours.

    Parameters
    ----------
    neighbours : iterable of (str, str)
        Id, and what is said beside it, as markdown; the most similar first.
    key : str
        Of the box that a click puts an id into.
    """
    with st.container(gap="xxsmall"):
        for (each, said), _ in zip(neighbours, range(SHOWN_NEIGHBOURS), strict=False):
            with st.container(
                horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
            ):
                st.button(
                    plain(each),
                    key=f"{key}.{each}",
                    type="tertiary",
                    on_click=workspace.show_in,
                    args=(key, each),
                )
                st.markdown(f":small[{said}]", width="content")
