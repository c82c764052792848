"""Pictures of the page Large diagonals: before and after on one scale, spectra, distributions of similarities."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.frozen import FloatArray
from kernex_core.gram.diagnostics import Diagnosis
from kernex_core.studies.diagonals.scheme import Shrunk
from pages.shared.figures.bars import entry_histogram
from pages.shared.figures.codes import HeatmapScale, common_scale
from pages.shared.figures.heatmap import heatmap
from pages.shared.figures.key import class_key
from pages.shared.figures.picture import Items, Picture, Spec
from pages.shared.figures.spectrum import Spectrum, spectra
from pages.shared.figures.theme import number, percent
from pages.shared.frame import panel_title
from pages.shared.panels.heatmap import draw

HEIGHT = 318
LEAST_TOP = 0.5
NAMES = ("Before", "After")
ROLES = ("target", "joint")


def heatmaps(made: Shrunk, items: Items) -> Picture:
    """Draw both kernels on one scale, each over its mean diagonal; return the picture after."""
    scale = common_scale(made.shown)
    # in units of the mean diagonal, which is what this page is about: what stands beside it must not have its colour
    scale = scale if scale.high >= LEAST_TOP else HeatmapScale(min(scale.low, 0.0), LEAST_TOP)
    picture = None
    for at, (name, slot) in enumerate(zip(NAMES, st.columns(2, gap="small"), strict=True)):
        picture = heatmap(
            made.shown[at],
            items,
            name=f"the kernel {name.lower()}",
            scale=scale,
            height=HEIGHT,
            diagonal=True,
        )
        with slot, st.container(gap="xxsmall"):
            panel_title(name, dominance(made.before if at == 0 else made.after))
            draw(picture, f"diagonals.{name}")
    assert picture is not None  # there are two
    return picture


def key(classes: Sequence[str | None] | None, unknown: bool) -> None:
    """Draw what the strips and the hatch mean, under both heatmaps."""
    if classes is not None:
        draw(class_key(classes, unknown=unknown, columns=4), "diagonals.key")
    elif unknown:
        st.caption("Hatched cells are unknown.")


def dominance(d: Diagnosis) -> str:
    """Return the ratio in words."""
    if np.isnan(d.dominance):
        return "one item"
    if np.isinf(d.dominance):
        return "dominance **∞**, large"
    return f"dominance **{number(d.dominance)}**{', large' if d.large_diagonal else ''}"


def unit(made: Shrunk) -> str:
    """What both are divided by, in words."""
    return made.units[0] if made.units[0] == made.units[1] else "unit named above"


def both_spectra(made: Shrunk) -> None:
    """Draw the eigenvalues of both, in units of the mean diagonal."""
    parts = [
        Spectrum(name.lower(), d.eigenvalues, role)
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
                x_title=f"size of similarity / {unit(made)}", height=230,
            )  # fmt: skip
            picture.figure.update_xaxes(**decades(*span))
            draw(picture, f"diagonals.histogram.{name}")


def decades(low: float, high: float) -> Spec:
    """Return range and ticks of an axis that holds log10 of what it shows."""
    first, last = math.floor(low), math.ceil(high)
    step = max(math.ceil((last - first) / 5), 1)
    ticks = list(range(last, first - 1, -step))
    room = 0.03 * max(high - low, 0.5)
    return {
        "range": [low - room, high + room],
        "tickvals": ticks,
        "ticktext": [f"10<sup>{tick}</sup>".replace("-", "−") for tick in ticks],
    }


def log_sizes(K: FloatArray) -> tuple[FloatArray, float]:
    """Return log10 |K_ij| of the known pairs that are not 0, and the share of negative ones among all known."""
    entries = K[np.triu_indices(len(K), 1)]
    entries = entries[~np.isnan(entries)]
    negative = float((entries < 0.0).mean()) if entries.size else 0.0
    return np.log10(np.abs(entries[entries != 0.0])), negative
