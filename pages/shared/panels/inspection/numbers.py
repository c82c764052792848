"""Numbers about one kernel, each with a hint, and the badges that follow from them."""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.gram.diagnostics import LARGE_DIAGONAL, Diagnosis
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.leakage import evaluation_state
from kernex_core.validation import psd_tolerance
from pages.shared.figures.theme import number, percent
from pages.shared.glossary.entries import hint
from pages.shared.panels.accuracy import ONE_PASS, against_floor, between, neighbour_interval, state_badge
from pages.shared.panels.side_by_side import NUMBER_WIDTH, row_of_numbers
from pages.shared.shown.drawn import measure

SMALL_MASS = 1e-3
"""Share of negative eigenvalues below which rounded numbers are the likeliest cause."""

BadgeColor: TypeAlias = Literal["gray", "green", "orange"]


def numbers(diagnosis: Diagnosis, labels: Labels | None) -> None:
    """Draw what the diagnosis found in two rows."""
    d = diagnosis
    with row_of_numbers():
        below = f"{d.negative:,} of {d.n_known:,} below 0" if d.indefinite else "none below 0"
        _measure("Smallest eigenvalue", smallest(d), below, "orange" if d.indefinite else "green")
        _measure("Negative mass", percent(d.negative_mass, 1), "of all |λ|")
        _measure("Rank", f"{d.rank:,}", f"of {d.n_known:,}")
        _measure("Effective rank", number(d.effective_rank), f"of {d.n_known:,}")
        _measure("Condition", number(d.condition), "largest / smallest")
    no_labels = "" if labels is not None else " Needs labels of two classes."
    with row_of_numbers():
        large = "large diagonal" if d.large_diagonal else f"flagged above {LARGE_DIAGONAL:g}"
        _measure("Diagonal dominance", number(d.dominance), large, "orange" if d.large_diagonal else "gray")
        zeros = "Share of similarities between two items that are exactly 0."
        _measure("Zeros", percent(d.zero_share, 1), "off the diagonal", help=zeros)
        alignment = hint("Alignment", first=no_labels)
        _measure(
            "Alignment", _or_dash(d.alignment, number(d.alignment, 2)), "with the classes", help=alignment
        )
        _neighbour(d, no_labels)
        known = (
            "Items whose pairs are all known. Every number, the spectrum and the map are about these alone."
        )
        _measure("Items known", f"{d.n_known:,}", f"of {d.n:,}, {d.n_labelled:,} labelled", help=known)


def badges(place: DeltaGenerator, diagnosis: Diagnosis, kept: GramMatrix, inductive: bool) -> None:
    """Fill the header: mode of the kernel that would be kept, what is unknown, whether it is a kernel."""
    state = evaluation_state(kept, inductive=inductive)
    steps = ", ".join(step.name for step in kept.steps) or "none"
    with place.container(horizontal=True, width="content", gap="xsmall"):
        state_badge(state, about=f"Steps: {steps}.")
        if diagnosis.n_known < diagnosis.n:
            st.badge(
                f"{diagnosis.n_known:,} of {diagnosis.n:,} items known", color="gray",
                help="Hatched entries are unknown. All numbers are about the items whose pairs are all known.",
            )  # fmt: skip
        if diagnosis.indefinite and diagnosis.negative_mass < SMALL_MASS:
            st.badge(
                f"almost a kernel: negative mass {100.0 * diagnosis.negative_mass:.1g}\u00a0%", color="gray",
                help=f"{diagnosis.negative:,} of {diagnosis.n_known:,} eigenvalues are below 0, by as little as numbers "
                "that were rounded to a few digits cause. Clipping removes them.",
            )  # fmt: skip
        elif diagnosis.indefinite:
            st.badge(
                f"indefinite: {diagnosis.negative:,} of {diagnosis.n_known:,} eigenvalues below 0",
                color="orange", icon=":material/warning:",
                help=hint("Indefinite", first="The PSD doctor below shows what each repair costs."),
            )  # fmt: skip
        else:
            name = "a kernel" if diagnosis.n_known == diagnosis.n else "known part: a kernel"
            few = " Its digits are few: a similarity that is no kernel by less cannot be told from one."
            within = "within the digits of the file" if diagnosis.digits else "up to rounding"
            said = f"Positive semidefinite {within}: smallest eigenvalue {smallest(diagnosis)}."
            st.badge(
                f"{name} within its few digits" if diagnosis.few_digits else name,
                color="orange" if diagnosis.few_digits else "green",
                icon=":material/warning:" if diagnosis.few_digits else ":material/check:",
                help=hint("Kernel", first=f"{said}{few if diagnosis.few_digits else ''}"),
            )  # fmt: skip


def smallest(diagnosis: Diagnosis) -> str:
    """Return λ_min, with 0 for what is rounding only."""
    largest = float(abs(diagnosis.eigenvalues).max())
    is_zero = abs(diagnosis.min_eigenvalue) <= psd_tolerance(diagnosis.n_known, largest)
    return "0" if is_zero else number(diagnosis.min_eigenvalue)


def _measure(name: str, value: str, chip: str, color: BadgeColor = "gray", *, help: str = "") -> None:
    measure(name, value, chip, help=help or hint(name), color=color, width=NUMBER_WIDTH)


def _neighbour(d: Diagnosis, no_labels: str) -> None:
    interval, (chip, color) = neighbour_interval(d), against_floor(d)
    lines = () if interval is None else (f"**{between(interval)}** for other data sets",)
    share = _or_dash(d.neighbour_accuracy, percent(d.neighbour_accuracy, 1))
    help = hint("Nearest neighbour", "Floor", first=f"{ONE_PASS}{no_labels}")
    with st.container(width=NUMBER_WIDTH, gap="xxsmall"):
        measure("Nearest neighbour", share, chip, *lines, help=help, color=color)


def _or_dash(value: float, text: str) -> str:
    return "—" if math.isnan(value) else text
