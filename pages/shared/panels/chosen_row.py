"""What was chosen in a picture, under it: the pair with its exact values, and the items, which can be kept alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import streamlit as st

from kernex_core.inputs.items.selection import Selection
from kernex_core.inputs.names import listed
from pages.shared import chosen, workspace
from pages.shared.figures.picture import Items
from pages.shared.figures.theme import number
from pages.shared.matrices.panels import Panel
from pages.shared.messages import guard, plain

DIGITS = 5


def chosen_row(panels: Sequence[Panel], items: Items, key: str) -> None:
    """Write the chosen pair and items of a picture; nothing where nothing is chosen."""
    pair = chosen.pair(items.ids)
    if pair is not None:
        st.markdown(pair_line(panels, items, pair))
    at = chosen.chosen(items.ids)
    if not at:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        names = [items.ids[k] for k in at]
        st.markdown(f"**{len(at):,} chosen** :gray[{plain(listed(names))}]", width="content")
        if len(at) < len(items.ids) and st.button(
            "Keep only these", key=f"{key}.only", icon=":material/filter_alt:",
            help="A selection that holds on every page; the page Data takes it back.",
        ):  # fmt: skip
            keep_only(names)
        st.button("Let go", key=f"{key}.forget", type="tertiary", on_click=chosen.forget)


def pair_line(panels: Sequence[Panel], items: Items, pair: tuple[int, int]) -> str:
    """Both items with their classes, and their similarity in every panel."""
    names = [_named(items, k) for k in pair]
    values = [f"{plain(panel.title)} **{_exact(panel.values[pair])}**" for panel in panels]
    return f"{names[0]} and {names[1]}: {' · '.join(values)}"


def _named(items: Items, k: int) -> str:
    kind = items.classes[k] if items.classes is not None else None
    return f"**{plain(items.ids[k])}**" + (f" :gray[{plain(kind)}]" if kind else "")


def _exact(value: float) -> str:
    return "unknown" if np.isnan(value) else number(float(value), DIGITS)


def keep_only(ids: Sequence[str]) -> None:
    """Select these items on every page, with whatever else was selected."""
    before = workspace.selection()
    spec = before if isinstance(before, Selection) else Selection()
    with guard():
        workspace.set_selection(dataclasses.replace(spec, ids=tuple(ids)))
        chosen.forget()
        st.rerun()
