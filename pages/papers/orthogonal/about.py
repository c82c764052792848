"""How much of a table is done, and how the margins were."""

from __future__ import annotations

import streamlit as st

from kernex_core.studies.papers.orthogonal.power_table import PowerTable
from pages.shared.figures.theme import number


def about(found: PowerTable, what: str) -> None:
    """Write how much is done, and whether every margin was hard."""
    parts = [
        f"{found.repetitions} of {found.planned} {what}",
        f"{found.begun} of {len(found.powers)} rows of the next" if found.begun else "",
        f"{number(found.seconds, 1)} s",
        margins(found.training_errors, found.at_bound, found.not_converged),
    ]
    st.caption(" · ".join(part for part in parts if part))


def margins(training_errors: int, at_bound: int, not_converged: int) -> str:
    """Return whether every margin was hard, or what went against it; counts are over all machines."""
    if not training_errors + at_bound + not_converged:
        return "every margin was hard"
    parts = []
    if at_bound or training_errors:
        parts.append(f"{at_bound:,} coefficients reached C, {training_errors:,} training decisions are wrong")
    if not_converged:
        parts.append(f"{not_converged:,} problems ended before their optimum")
    return " · ".join(parts)
