"""Numbers about one kernel beside those of its verdict, each with a hint; and the badges of the page."""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.validation import psd_tolerance
from kernex_core.gram.diagnostics import LARGE_DIAGONAL, Diagnosis
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.leakage import evaluation_state
from pages.shared.figures.theme import number, percent
from pages.shared.glossary.entries import hint
from pages.shared.panels.accuracy import state_badge
from pages.shared.panels.side_by_side import NUMBER_WIDTH, row_of_numbers
from pages.shared.shown.drawn import measure

BadgeColor: TypeAlias = Literal["gray", "green", "orange"]


def numbers(d: Diagnosis, labels: Labels | None) -> None:
    """Draw what the diagnosis found and the verdict does not say."""
    with row_of_numbers():
        if d.indefinite:
            _measure("Effective rank", number(d.effective_rank), f"of {d.n_known:,}")
        else:
            _measure("Negative mass", percent(d.negative_mass, 1), "of all |λ|")
        _measure("Rank", f"{d.rank:,}", f"of {d.n_known:,}")
        _measure("Condition", number(d.condition), "largest / smallest")
        large = "large diagonal" if d.large_diagonal else f"flagged above {LARGE_DIAGONAL:g}"
        _measure("Diagonal dominance", number(d.dominance), large, "orange" if d.large_diagonal else "gray")
        zeros = "Share of similarities between two items that are exactly 0."
        _measure("Zeros", percent(d.zero_share, 1), "off the diagonal", help=zeros)
        if labels is not None:
            _measure("Alignment", _or_dash(d.alignment, number(d.alignment, 2)), "with the classes")
        known = (
            "Items whose pairs are all known. Every number, the spectrum and the map are about these alone."
        )
        _measure("Items known", f"{d.n_known:,}", f"of {d.n:,}, {d.n_labelled:,} labelled", help=known)


def badges(place: DeltaGenerator, diagnosis: Diagnosis, kept: GramMatrix, inductive: bool) -> None:
    """Fill the header: mode of the kernel that would be kept, and what is unknown."""
    state = evaluation_state(kept, inductive=inductive)
    steps = ", ".join(step.name for step in kept.steps) or "none"
    with place.container(horizontal=True, width="content", gap="xsmall"):
        state_badge(state, about=f"Steps: {steps}.")
        if diagnosis.n_known < diagnosis.n:
            st.badge(
                f"{diagnosis.n_known:,} of {diagnosis.n:,} items known", color="gray",
                help="Hatched entries are unknown. All numbers are about the items whose pairs are all known.",
            )  # fmt: skip


def smallest(diagnosis: Diagnosis) -> str:
    """Return λ_min, with 0 for what is rounding only."""
    largest = float(abs(diagnosis.eigenvalues).max())
    is_zero = abs(diagnosis.min_eigenvalue) <= psd_tolerance(diagnosis.n_known, largest)
    return "0" if is_zero else number(diagnosis.min_eigenvalue)


def _measure(name: str, value: str, chip: str, color: BadgeColor = "gray", *, help: str = "") -> None:
    measure(name, value, chip, help=help or hint(name), color=color, width=NUMBER_WIDTH)


def _or_dash(value: float, text: str) -> str:
    return "—" if math.isnan(value) else text
