"""One eigenvector of the spectrum over the items: which it sets against which; items are chosen in it.

eigenvector_panel(Decomposed.of(inspection), Items(ids, classes, order), name="SW 3Di", key="kernels.eigenvector")

It is read off the decomposition that the spectrum rests on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from kernex_core.base.digests import digest
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.gram.spectrum import Decomposition, Eigenvector, eigenvector
from kernex_core.inputs.names import counted
from kernex_core.studies.inspection import Inspection, known_block
from pages.shared import chosen, workspace
from pages.shared.declared.settings import setting
from pages.shared.downloads import csv_button
from pages.shared.figures.ink import inked
from pages.shared.figures.maps.parts import Marked, Outlined
from pages.shared.figures.picture import Items, Picture, Spec, axis, chart_config, draw
from pages.shared.figures.scatter import BELOW_BUTTONS, traces
from pages.shared.figures.theme import number
from pages.shared.frame import panel_title
from pages.shared.ground import ground
from pages.shared.messages import guard, plain
from pages.shared.panels.item_map import BUTTONS, drawn_chart, on_select
from pages.shared.projected.projector import enlarged
from pages.shared.settings import widgets
from pages.shared.shown import registry

MOST = 1_000
"""Points that are drawn: of more items each stands for as many neighbours."""
NAMED = 3
HOW = "A click chooses an item on every page, lasso and box several."
NOTHING = Marked()
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Decomposed:
    """A decomposed similarity: its known block, the items of it, and how many eigenvalues are below 0."""

    decomposition: Decomposition
    block: FloatArray
    known: IntArray
    negative: int

    @classmethod
    def of(cls, made: Inspection) -> Decomposed:
        """The kernel of the page Kernels."""
        known = np.flatnonzero(made.gram.known)
        return cls(made.decomposition, known_block(made.gram), known, made.diagnosis.negative)


@st.fragment
def eigenvector_panel(made: Decomposed, items: Items, *, name: str, key: str, of: str = "") -> None:
    """Draw the entries of one eigenvector in the order of the matrix, with what they say and the choice of the rank.

    Parameters
    ----------
    made : Decomposed
    items : Items
        All of them, with their order in the matrix.
    name : str
        Of the similarity, for the file.
    key : str
        Of the panel.
    of : str
        Which one it is of several on the page.
    """
    with guard():
        n, known = len(made.known), made.known
        words, picture = st.columns([1.0, 2.2], gap="medium")
        with words:
            place = st.container(gap="xxsmall")
            rank = _rank(made, key)
            found = eigenvector(made.decomposition, made.block, rank)
            with place:
                panel_title(
                    "Eigenvector", f"{of}no. {rank:,} of {n:,}, eigenvalue {number(found.eigenvalue)}"
                )
            ids = [items.ids[k] for k in known.tolist()]
            st.markdown(said(found, ids, negative=rank > n - made.negative))
            csv_button(
                "Eigenvector as CSV", lambda: table(found, items, known), f"{name} eigenvector {rank}", key=f"{key}.csv",
                type="tertiary", icon=":material/download:",
            )  # fmt: skip
        with picture:
            _chart(found, items, known, key)
    if workspace.recall(f"{key}.chosen", False):
        workspace.remember(f"{key}.chosen", False)
        st.rerun()


SETTINGS = (setting("rank", "Rank"),)


def _rank(made: Decomposed, key: str) -> int:
    """Ask for the rank; it begins with the most negative one, or the largest that sets items against others."""
    n = len(made.known)
    first = n if made.negative else 1
    if (
        first == 1
        and n > 1
        and not all(
            eigenvector(made.decomposition, made.block, 1).side(positive, 1) for positive in (True, False)
        )
    ):
        first = 2
    rank = widgets.number(
        "rank", 1, n, 1, default=first, key=f"{key}.rank.{n}.{first}", width=150,
        help=f"1: the largest eigenvalue; {n:,}: the smallest, the most negative one of an indefinite matrix.",
    )  # fmt: skip
    return int(rank or first)


def said(found: Eigenvector, ids: Sequence[str], *, negative: bool) -> str:
    """Say which items the vector sets against which; `negative`: its eigenvalue is below 0, beyond rounding."""
    sides = [
        ", ".join(f"**{plain(ids[k])}**" for k in found.side(positive, NAMED)) for positive in (True, False)
    ]
    if not found.alone:
        return (
            "Other eigenvalues are the same up to rounding: the vector is one of many in their common space, and its "
            "entries alone say nothing."
        )
    if not sides[1]:
        sets = f"It sets no items against others: all entries have one sign, the largest are those of {sides[0]}."
    else:
        sets = f"It sets {sides[0]} (above 0) against {sides[1]} (below 0); those are the largest entries."
    carry = "carries" if found.carried_by == 1 else "carry"
    carried = f"{counted(found.carried_by, 'item')} of {len(ids):,} {carry} half of its squared length."
    within, across = both(found)
    weighed = "Weighted by the sizes of the entries, similarities"
    if negative:
        sums = (
            f"{weighed} across the sides sum to {across}, within them (each item with itself, too) to {within}: less, which "
            "no inner product allows."
        )
    else:
        sums = f"{weighed} within a side (each item with itself, too) sum to {within}, across to {across}."
    return f"{sets} {carried} :gray[{sums} The difference is the eigenvalue.]"


def both(found: Eigenvector) -> tuple[str, str]:
    """Write the sums within and across so that their difference is the eigenvalue as it is written beside them.

    With the digits of the eigenvalue the larger sum may be off by one in the last of them.
    """
    most, value = max(abs(found.within), abs(found.across)), found.eigenvalue
    # what is rounding beside the other is nothing
    within, across = (each if abs(each) > ROUNDING * most else 0.0 for each in (found.within, found.across))
    size = abs(value)
    if not (1e-4 < size < 1e7 and within and across):
        return number(within), number(across)
    digits = 2 - math.floor(math.log10(size))
    digits = max(digits, 0) if size < 1e4 else digits
    written, is_smaller = round(value, digits), abs(within) < abs(across)
    smaller = round(within if is_smaller else across, digits)
    sums = (smaller, smaller - written) if is_smaller else (smaller + written, smaller)
    return number(sums[0], max(digits, 0)), number(sums[1], max(digits, 0))


def eigenvector_picture(
    found: Eigenvector, items: Items, known: IntArray, marked: Marked = NOTHING
) -> Picture:
    """Entries by the place of their items in the matrix, classes by colour, chosen items with a ring."""
    n = len(items.ids)
    points = np.full((n, 2), np.nan)
    points[items.positions, 0] = np.arange(1, len(items.positions) + 1)
    points[known, 1] = found.entries
    step = thin(points, marked.items)
    top = 1.08 * float(np.abs(found.entries).max())
    layout: Spec = {
        "xaxis": axis("place in the order of the matrix", range=[0.0, n + 1.0], showgrid=False, nticks=8)
        | {"fixedrange": False},
        "yaxis": axis("entry", range=[-top, top], nticks=6, zeroline=True, zerolinewidth=1),
        "dragmode": "pan",
        "clickmode": "event+select",
    }
    data = traces(points, items, Outlined(np.zeros(n, dtype=bool)), marked)
    note = f"of every {step} neighbours the one with the largest entry" if step > 1 else ""
    alt = (
        f"Eigenvector no. {found.rank}, eigenvalue {number(found.eigenvalue)}: entries of {counted(len(known), 'item')} in "
        f"the order of the matrix, from {number(float(found.entries.min()))} to {number(float(found.entries.max()))}"
        f"{', ' + note if note else ''}."
    )
    return Picture(draw(data, 282, BELOW_BUTTONS, layout), alt, note)


def thin(points: FloatArray, kept: Sequence[int]) -> int:
    """Take the places of items away until `MOST` are left, besides chosen ones; return how many one stands for."""
    placed = np.flatnonzero(np.isfinite(points).all(axis=1))
    step = -(-len(placed) // MOST)
    if step > 1:
        block = np.argsort(np.argsort(points[placed, 0])) // step
        # of each block the largest: last among those that are sorted by block, then size
        order = np.lexsort((np.abs(points[placed, 1]), block))
        last = np.append(np.flatnonzero(np.diff(block[order])), len(order) - 1)
        away = np.ones(len(points), dtype=bool)
        away[placed[order[last]]] = False
        away[list(kept)[:MOST]] = False
        points[away] = np.nan
    return step


def table(found: Eigenvector, items: Items, known: IntArray) -> pd.DataFrame:
    """Return one row an item: id, class, place in the matrix, and entry; NaN for items that are not known."""
    entries = np.full(len(items.ids), np.nan)
    entries[known] = found.entries
    order = items.positions
    columns = {"id": [items.ids[k] for k in order], "place": np.arange(1, len(order) + 1)}
    if items.classes is not None:
        columns["class"] = [items.classes[k] or "" for k in order]
    return pd.DataFrame(columns | {"entry": entries[order]})


def _chart(found: Eigenvector, items: Items, known: IntArray, key: str) -> None:
    """The chart keeps its zoom where items are chosen in it, as a map does."""
    pair = chosen.pair(items.ids)
    marked = Marked(chosen.chosen(items.ids), pair)
    names = tuple(items.ids[k] for k in marked.items)
    what = digest(found.entries, items.positions, list(items.ids), list(pair or ()), ground())
    chart = drawn_chart(key, what, names)
    inside = set(chart.items)
    at = replace(marked, items=tuple(k for k, item in enumerate(items.ids) if item in inside), picked=True)
    picture = eigenvector_picture(found, items, known, at)
    still = partial(eigenvector_picture, found, items, known, marked)
    registry.show(key, still, classes=items.classes)
    config = chart_config(registry.file_named("eigenvector"))
    st.plotly_chart(
        enlarged(inked(picture.figure, ground())), width="stretch", theme="streamlit", alt=f"{picture.alt} {HOW}",
        config={**config, "displayModeBar": True, "modeBarButtons": [list(BUTTONS)]}, key=f"{key}.{chart.turn}",
        on_select=partial(_on_select, key, chart.turn, tuple(items.ids)), selection_mode=("points", "box", "lasso"),
    )  # fmt: skip
    if picture.note:
        st.caption(f"Drawn: {picture.note}; all are in the CSV.")


def _on_select(key: str, turn: int, ids: tuple[str, ...]) -> None:
    """Points were clicked, or surrounded; every picture of the page shows it."""
    on_select(key, turn, ids)
    workspace.remember(f"{key}.chosen", True)
