"""Fig. 1 as two charts: accuracy against λ, and all kernels beside one another."""

from __future__ import annotations

from typing import Final

import numpy as np
import streamlit as st

from kernex_core.studies.papers.joint.comparison import ChosenLam, shown_kernels
from kernex_core.studies.papers.joint.graph_kernels import JOINT
from kernex_core.studies.papers.joint.measuring import Accuracy, JointFigure
from pages.shared.figures.axes import Across, Values
from pages.shared.figures.curve import Level, Line, curve
from pages.shared.figures.dots import Dot, dots
from pages.shared.figures.picture import Picture
from pages.shared.frame import panel_title
from pages.shared.panels.heatmap import draw

LEVELS: Final = {"sum": "sum", "product": "nystroem"}


def named(found: JointFigure, chosen: ChosenLam | None) -> dict[str, Accuracy]:
    """What is done, by the names of the page: singles first, the joint kernel last."""
    return {name: found.accuracy(one) for name, one in shown_kernels(found, chosen).items()}


def charts(found: JointFigure, chosen: ChosenLam | None) -> tuple[Picture, ...]:
    """Draw both charts side by side, and return them."""
    made = named(found, chosen)
    left, right = st.columns(2, gap="medium")
    pictures = []
    with left:
        note = "%, mean over repetitions; bars: 95\u00a0%, other data sets; 0 is the linear kernel alone, 1 the Gaussian"
        panel_title("Accuracy against λ", note, ("Joint kernel", "Floor", "Interval"))
        picture = against_lam(found, made)
        if picture is not None:
            draw(picture, "joint.lam")
            pictures.append(picture)
    with right:
        panel_title("Kernels beside one another", "as in Fig. 1; lines: 95\u00a0%, other data sets")
        rows = [
            Dot(name, 100 * one.mean, 100 * one.interval.low, 100 * one.interval.high)
            for name, one in made.items()
        ]
        picture = dots(rows, x_title="accuracy, %", floor=100 * found.floor)
        draw(picture, "joint.kernels")
        pictures.append(picture)
    return tuple(pictures)


def against_lam(found: JointFigure, made: dict[str, Accuracy]) -> Picture | None:
    """Accuracy of the joint kernel by λ, with sum, product and the floor as levels."""
    done = [(lam, found.accuracy(one)) for name, lam in JOINT.items() if (one := found.of(name)) is not None]
    if not done:
        return None
    mean = np.array([one.mean for _, one in done])
    reach = np.array([[one.mean - one.interval.low, one.interval.high - one.mean] for _, one in done]).T
    line = Line("joint", [lam for lam, _ in done], 100 * mean, "joint", error=100 * reach, bars=True)
    levels = [Level(name, 100 * made[name].mean, role) for name, role in LEVELS.items() if name in made]
    levels.append(Level("floor", 100 * found.floor, "floor"))
    across = Across("weight λ of the Gaussian kernel", ticks=list(JOINT.values()), range=(-0.03, 1.03))
    return curve([line], across, Values(unit="%", bounds=(0, 100)), levels=levels, height=430)
