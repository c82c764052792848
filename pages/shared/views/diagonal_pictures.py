"""Pictures of the page Large diagonals: before and after on one scale, spectra, distributions of similarities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from kernex_core.frozen import FloatArray
from kernex_core.gram.diagnostics import Diagnosis
from kernex_core.studies.diagonals import Shrunk
from pages.shared.figures.bars import entry_histogram
from pages.shared.figures.codes import common_scale
from pages.shared.figures.heatmap import heatmap
from pages.shared.figures.key import class_key
from pages.shared.figures.picture import Picture
from pages.shared.figures.spectrum import Spectrum, spectra
from pages.shared.figures.theme import number, percent
from pages.shared.frame import panel_title
from pages.shared.views.heatmap_panel import draw

HEIGHT = 350
NAMES = ("Before", "After")
ROLES = ("target", "joint")


def heatmaps(made: Shrunk, order: Any, classes: Sequence[str | None] | None, slots: Sequence[Any]) -> Picture:
    """Draw both kernels on one scale, each over its mean diagonal; return the picture after."""
    scale = common_scale(made.shown)
    picture = None
    for at, (name, slot) in enumerate(zip(NAMES, slots, strict=True)):
        picture = heatmap(
            made.shown[at], ids=made.gram.ids, name=f"the kernel {name.lower()}", order=order, classes=classes,
            scale=scale, height=HEIGHT,
        )  # fmt: skip
        with slot, st.container(gap="xxsmall"):
            panel_title(name, dominance(made.before if at == 0 else made.after))
            draw(picture, f"diagonals.{name}")
    assert picture is not None  # there are two
    return picture


def key(classes: Sequence[str | None] | None, unknown: bool) -> None:
    """Draw what the strips and the hatch mean, under both heatmaps."""
    if classes is not None:
        draw(class_key(classes, unknown=unknown, columns=6), "diagonals.key")
    elif unknown:
        st.caption("Hatched cells are unknown.")


def dominance(d: Diagnosis) -> str:
    """Return the ratio in words."""
    if np.isnan(d.dominance):
        return "one item"
    if np.isinf(d.dominance):
        return "diagonal / off-diagonal: ∞, every similarity between two items is 0"
    flag = ", a large diagonal" if d.large_diagonal else ""
    return f"diagonal / off-diagonal: **{number(d.dominance)}**{flag}"


def both_spectra(made: Shrunk) -> None:
    """Draw the eigenvalues of both, in units of the mean diagonal."""
    parts = [
        Spectrum(name.lower(), d.eigenvalues, role)
        for name, d, role in zip(NAMES, (made.before, made.after), ROLES, strict=True)
    ]
    picture = spectra(parts, height=230)
    with st.container(gap="xxsmall"):
        panel_title("Spectra", picture.note or "in units of the mean diagonal")
        draw(picture, "diagonals.spectra")


def histograms(made: Shrunk, slots: Sequence[Any]) -> None:
    """Draw the sizes of similarities off the diagonal, on a logarithmic axis."""
    for name, values, d, role, slot in zip(
        NAMES, made.shown, (made.before, made.after), ROLES, slots, strict=True
    ):
        sizes, negative = log_sizes(values)
        zeros = f"{percent(d.zero_share, 1)} zeros, {percent(negative, 1)} negative"
        with slot, st.container(gap="xxsmall"):
            panel_title(f"Similarities {name.lower()}", zeros)
            if sizes.size == 0:
                st.caption("Every similarity between two items is 0.")
                continue
            draw(
                entry_histogram(
                    sizes, name=f"log₁₀ of the size of similarities {name.lower()}", role=role,
                    x_title="log₁₀ of |similarity off the diagonal| / mean diagonal", height=230,
                ),
                f"diagonals.histogram.{name}",
            )  # fmt: skip


def log_sizes(K: FloatArray) -> tuple[FloatArray, float]:
    """Return log10 |K_ij| of the known pairs that are not 0, and the share of negative ones among all known."""
    entries = K[np.triu_indices(len(K), 1)]
    entries = entries[~np.isnan(entries)]
    negative = float((entries < 0.0).mean()) if entries.size else 0.0
    return np.log10(np.abs(entries[entries != 0.0])), negative
