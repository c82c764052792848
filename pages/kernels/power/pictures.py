"""Pictures of the page Power p: before and after on one scale, spectra, distributions of similarities."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.frozen import FloatArray
from kernex_core.gram.diagnostics import Diagnosis
from kernex_core.studies.diagonals.shrink import Shrunk
from pages.kernels.power.settings import TABS
from pages.shared import workspace
from pages.shared.answer.choosing import is_asked
from pages.shared.digits import power_of_ten
from pages.shared.figures.bars import entry_histogram
from pages.shared.figures.codes import HeatmapScale, common_scale
from pages.shared.figures.heatmap import heatmap
from pages.shared.figures.picture import Items, Picture, Spec
from pages.shared.figures.spectrum import EigenvalueLine, spectra
from pages.shared.figures.theme import SECOND, SERIES, number, percent
from pages.shared.frame import panel_title
from pages.shared.matrices.panels import Drag, Panel, Room, Words
from pages.shared.panels.heatmap import draw
from pages.shared.panels.linked import linked

HEIGHT, MOST = 620, 0.4
LEAST_TOP = 0.5
NAMES = ("Before", "After")
ROLES = (SECOND, SERIES)


KEY = "diagonals.maps"
CHOOSING = "diagonals.choosing"
"""Remembered from the button in the bar of the pictures to the end of the page, which knows what was judged."""


@st.fragment
def maps(made: Shrunk, items: Items, words: Words, drag: Drag) -> None:
    """Draw both kernels on one scale, each over its mean diagonal, linked, with p at them."""
    scale = _scale(made)
    panels = panels_of(made, scale)
    place, carriers = st.container(gap="xsmall"), st.container(key="carriers")
    with place:
        linked(panels, items, key=KEY, words=words, drag=drag, room=Room(carriers, MOST, TABS))
    if is_asked(KEY):
        workspace.remember(CHOOSING, True)
        st.rerun()


def panels_of(made: Shrunk, scale: HeatmapScale | None = None) -> list[Panel]:
    """Both kernels as they are drawn."""
    scale = scale or _scale(made)
    return [
        Panel(title, dominance(d), values, scale)
        for title, d, values in zip(NAMES, (made.before, made.after), made.shown, strict=True)
    ]


def _scale(made: Shrunk) -> HeatmapScale:
    scale = common_scale(made.shown)
    # in units of the mean diagonal, which is what this page is about: what stands beside it must not have its colour
    return scale if scale.high >= LEAST_TOP else HeatmapScale(min(scale.low, 0.0), LEAST_TOP)


def figure_after(made: Shrunk, items: Items) -> Picture:
    """The kernel after as a figure of its own."""
    return heatmap(
        made.shown[1], items, name="the kernel after", scale=_scale(made), height=HEIGHT, diagonal=True
    )


def dominance(d: Diagnosis) -> str:
    """Return the ratio in words."""
    if np.isnan(d.dominance):
        return "one item"
    if np.isinf(d.dominance):
        return "dominance ∞, large"
    return f"dominance {number(d.dominance)}{', large' if d.large_diagonal else ''}"


def unit(made: Shrunk) -> str:
    """What both are divided by, in words."""
    return made.units[0] if made.units[0] == made.units[1] else "unit named above"


def both_spectra(made: Shrunk) -> None:
    """Draw the eigenvalues of both, in units of the mean diagonal."""
    parts = [
        EigenvalueLine(name.lower(), d.eigenvalues, role)
        for name, d, role in zip(NAMES, (made.before, made.after), ROLES, strict=True)
    ]
    picture = spectra(parts, height=230)
    with st.container(gap="xxsmall"):
        panel_title("Spectra", picture.note or f"in units of the {unit(made)}")
        draw(picture, "diagonals.spectra")


def histograms(made: Shrunk, slots: Sequence[DeltaGenerator]) -> None:
    """Draw the sizes of similarities off the diagonal, on one logarithmic axis for both."""
    sizes = [log_sizes(values) for values in made.shown]
    present = [log for log, _ in sizes if log.size]
    span = (
        (min(float(log.min()) for log in present), max(float(log.max()) for log in present))
        if present
        else None
    )
    for name, (logs, negative), d, role, slot in zip(
        NAMES, sizes, (made.before, made.after), ROLES, slots, strict=True
    ):
        zeros = f"{percent(d.zero_share, 1)} zeros, {percent(negative, 1)} negative"
        with slot, st.container(gap="xxsmall"):
            panel_title(f"Similarities {name.lower()}", zeros)
            if logs.size == 0 or span is None:
                st.caption("Every similarity between two items is 0.")
                continue
            picture = entry_histogram(
                logs, name=f"log₁₀ of the size of similarities {name.lower()}", role=role,
                x_title=f"size / {unit(made)}", height=230,
            )  # fmt: skip
            draw(picture.with_layout({"xaxis": decades(*span)}), f"diagonals.histogram.{name}")


def decades(low: float, high: float) -> Spec:
    """Return range and ticks of an axis that holds log10 of what it shows."""
    first, last = math.floor(low), math.ceil(high)
    step = max(math.ceil((last - first) / 5), 1)
    ticks = list(range(last, first - 1, -step))
    room = 0.03 * max(high - low, 0.5)
    return {
        "range": [low - room, high + room],
        "tickvals": ticks,
        "ticktext": [power_of_ten(tick) for tick in ticks],
    }


def log_sizes(K: FloatArray) -> tuple[FloatArray, float]:
    """Return log10 |K_ij| of the known pairs that are not 0, and the share of negative ones among all known."""
    entries = K[np.triu_indices(len(K), 1)]
    entries = entries[~np.isnan(entries)]
    negative = float((entries < 0.0).mean()) if entries.size else 0.0
    return np.log10(np.abs(entries[entries != 0.0])), negative
