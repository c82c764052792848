"""Fig. 1 as two charts: accuracy against λ, and all kernels beside one another."""

from __future__ import annotations

from typing import Final

import numpy as np

from kernex_core.studies.papers.joint.comparison import ChosenLam, shown_kernels
from kernex_core.studies.papers.joint.measuring import JOINT, Accuracy, JointFigure
from pages.shared.figures.axes import Across, Values
from pages.shared.figures.curve import Level, Line, curve
from pages.shared.figures.dots import Dot, dots
from pages.shared.figures.picture import Picture
from pages.shared.frame import panel_title
from pages.shared.panels.heatmap import draw
from pages.shared.projected.projector import fitted

LEVELS: Final = {"sum": "sum", "product": "nystroem"}


def named(found: JointFigure, chosen: ChosenLam | None) -> dict[str, Accuracy]:
    """What is done, by the names of the page: singles first, the joint kernel last."""
    return {name: found.accuracy(one) for name, one in shown_kernels(found, chosen).items()}


def over_lam(found: JointFigure, chosen: ChosenLam | None) -> Picture | None:
    """Draw accuracy over λ, and return the picture; nothing before a joint kernel is measured."""
    panel_title(
        "Accuracy against λ",
        "%; bars: 95\u00a0%, other data sets; 0 is the linear kernel alone, 1 the Gaussian; the paper's Fig. 1 prints no "
        "numbers",
        ("Joint kernel", "Floor", "Interval"),
    )
    picture = against_lam(found, named(found, chosen))
    if picture is not None:
        draw(picture, "joint.lam")
    return picture


def beside(found: JointFigure, chosen: ChosenLam | None) -> Picture:
    """Draw all kernels beside one another, as in Fig. 1, and return the picture."""
    panel_title("Kernels beside one another", "as in Fig. 1; lines: 95\u00a0%, other data sets")
    rows = [
        Dot(name, 100 * one.mean, 100 * one.interval.low, 100 * one.interval.high)
        for name, one in named(found, chosen).items()
    ]
    picture = dots(rows, x_title="accuracy, %", floor=100 * found.floor)
    draw(picture, "joint.kernels")
    return picture


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
    return curve([line], across, Values(unit="%", bounds=(0, 100)), levels=levels, height=fitted(340))
