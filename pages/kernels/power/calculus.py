"""φ of the entries of a kernel beside φ of its eigenvalues, drawn on the spectrum."""

from __future__ import annotations

import numpy as np
import streamlit as st

from kernex_core.gram.diagnostics import Diagnosis
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.studies.diagonals.shrink import Calculus, DiagonalConfig, functional_calculus
from pages.kernels.power.subject import Subject
from pages.shared.cached import cached
from pages.shared.figures.axes import Across, Values
from pages.shared.figures.curve import Level, Line, curve
from pages.shared.figures.picture import Picture
from pages.shared.figures.theme import SECOND, SERIES, number
from pages.shared.frame import panel_title
from pages.shared.panels.accuracy import neighbour_interval, with_interval
from pages.shared.panels.heatmap import draw
from pages.shared.shown.drawn import table


@cached(public=True)
def calculus(config: DiagonalConfig, K: GramMatrix, labels: Labels | None) -> Calculus:
    """One φ, used in two ways."""
    return functional_calculus(config.element_map, K, labels)


def show(subject: Subject, config: DiagonalConfig) -> None:
    """Draw φ as a graph over the spectrum, and what each use of it leaves."""
    phi = config.map.tex.format(config.strength)
    st.markdown(
        "A map φ can act on every **entry** of a kernel, or on its **eigenvalues** (functional calculus). Of the entries, a "
        "small power lifts what is small: the diagonal no longer dwarfs it, but eigenvalues may become negative. Of the "
        "eigenvalues it keeps the eigenvectors and makes their lengths alike, which draws a kernel towards the identity. "
        f"Here $\\varphi(x) = {phi}$, as chosen at the top; the scheme *eigenvalues* there judges and keeps the latter."
    )
    made = calculus(config, subject.K, subject.all_labels)
    left, right = st.columns([1.3, 1.0], gap="medium")
    with left, st.container(gap="xxsmall"):
        panel_title("Eigenvalues after φ against before", "those of φ of entries by rank")
        draw(calculus_picture(made), "diagonals.lesson.calculus")
    with right:
        panel_title("What each is like")
        table("diagonals.calculus", calculus_rows(made))


def calculus_picture(made: Calculus) -> Picture:
    """φ as a graph over the spectrum, and the eigenvalues of φ of the entries."""
    before, spectral, entries = made.graph
    x = np.log10(before)
    lines = [
        Line("eigenvalues", x, spectral, SECOND, markers=True),
        Line("entries", x, entries, SERIES, markers=True),
    ]
    low, high = float(x.min()), float(x.max())
    ticks = np.linspace(low, high, 5).tolist() if high > low else [low]
    across = Across("eigenvalue before", ticks=ticks, texts=[number(10.0**tick) for tick in ticks])
    return curve(lines, across, Values("eigenvalue after"), levels=[Level("0", 0.0)], height=280)


def calculus_rows(made: Calculus) -> dict[str, list[str]]:
    """One row a number, one column a use of φ."""
    columns = {"before": made.before, "φ of entries": made.entries, "φ of eigenvalues": made.eigenvalues}
    named = {
        "dominance": lambda d: number(d.dominance),
        "smallest eigenvalue": lambda d: number(d.min_eigenvalue),
        "negative ones": lambda d: f"{d.negative:,}",
        "effective rank": lambda d: number(d.effective_rank),
        "1-NN right, % [95\u00a0%]": _accuracy,
    }
    return {
        "number": list(named),
        **{column: [make(d) for make in named.values()] for column, d in columns.items()},
    }


def _accuracy(d: Diagnosis) -> str:
    flag = ", :orange[below its floor]" if d.below_floor else ""
    return with_interval(d.neighbour_accuracy, neighbour_interval(d)) + flag
