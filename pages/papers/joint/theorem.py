"""Theorem 4 tried out: two bounds, the multipliers that they imply, and what Lemma 6 makes of both."""

from __future__ import annotations

from typing import Final

import streamlit as st

from kernex_core.studies.papers.joint.theorem import TheoremConfig, TheoremDemo, theorem_demo
from pages.server.cached import cached
from pages.server.declared import of
from pages.server.digits import number
from pages.ui import shown as drawn
from pages.ui.figures.chart import Picture, PlotMargin, Spec, axis, draw
from pages.ui.figures.theme import GUIDE, SERIES, role_of
from pages.ui.frame import panel_title
from pages.ui.panels import linked as heatmap
from pages.ui.panels.verdicts import numbers_in_a_row
from pages.ui.widget import controls

NAMES: Final = ("smooth", "even")
_MARGIN = PlotMargin(left=40, right=8, top=8, bottom=44)


@cached(shared=True)
def demo(config: TheoremConfig) -> TheoremDemo:
    """The fit under both bounds."""
    return theorem_demo(config)


SETTINGS = of(TheoremConfig, prefix="theorem_")


@st.fragment
def show() -> None:
    """Draw controls, the fit and its multipliers."""
    st.markdown(
        ":gray[40 noisy points. The fit is the nearest one to them whose norm is bounded in two spaces: in one it costs to "
        "change quickly, in the other to differ between both sides of 0. Bounds imply multipliers *β*, and these the joint "
        "kernel.]"
    )
    left, right = st.columns([1.4, 1.0], gap="medium")
    with right:
        made = demo(
            controls(TheoremConfig, "theorem", slots=[st.container(), st.container()], prefix="theorem_")
        )
        _numbers(made)
    with left:
        panel_title("The fit", "line; dashed: what the points follow without noise")
        heatmap.draw(picture(made), "joint.theorem")
    st.markdown(said(made))


def _numbers(made: TheoremDemo) -> None:
    fit = made.fit
    values = (
        (r"β₁, smooth", number(float(fit.beta[0])), "Multiplier of the first bound; 0 where it does not bind."),
        (r"β₂, even", number(float(fit.beta[1])), "Multiplier of the second bound; 0 where it does not bind."),
        ("λ = β₁ / (β₁ + β₂)", "none" if not fit.total else number(float(fit.weights[0])), "Weight of the smooth kernel."),
    )  # fmt: skip
    for place, (name, value, help_) in zip(numbers_in_a_row(3), values, strict=True):
        with place:
            drawn.metric(name, value, help=help_)


def said(made: TheoremDemo) -> str:
    """Return what the multipliers say, and Lemma 6 with them."""
    fit = made.fit
    if not fit.total:
        return "Neither bound binds: both multipliers are 0, and the fit goes through every point."
    free = [name for name, binds in zip(NAMES, fit.binding, strict=True) if not binds]
    first = (
        f"The bound of the {free[0]} kernel does not bind: its multiplier is 0, and the other kernel alone makes the fit."
        if free
        else "Both bounds bind."
    )
    lam, (one, other) = number(float(fit.weights[0])), made.shares.tolist()
    return (
        f"{first} The fit is ridge regression with the joint kernel at *λ* = {lam} and the ridge *β*₁ + *β*₂ = "
        f"{number(fit.total)}. Half squared norms over their bounds: {number(one)} and {number(other)}. Lemma 6 bounds "
        f"their sum, {number(one + other)} here. On the boundary of both constraints it lies anywhere above 1 and up to 2: "
        "the two are not equivalent."
    )


def picture(made: TheoremDemo) -> Picture:
    """Points, what they follow, and the fit."""
    joint = role_of("joint")
    traces: list[Spec] = [
        {
            "type": "scatter", "mode": "lines", "x": made.x, "y": made.truth, "hoverinfo": "skip",
            "line": {"color": GUIDE.colour, "width": 1.5, "dash": "4px,3px"},
        },
        {
            "type": "scatter", "mode": "markers", "x": made.x, "y": made.y,
            "marker": {"color": SERIES.colour, "size": 6},
            "hovertemplate": "y(%{x:.2f}) = %{y:.2f}<extra></extra>",
        },
        {
            "type": "scatter", "mode": "lines", "x": made.x, "y": made.fit.f, "line": joint.line,
            "hovertemplate": "f(%{x:.2f}) = %{y:.2f}<extra></extra>",
        },
    ]  # fmt: skip
    layout: Spec = {"xaxis": axis("x"), "yaxis": axis("y and f")}
    fit = made.fit
    alt = (
        f"{made.x.size} points and the fit under both bounds: multipliers {number(float(fit.beta[0]))} and "
        f"{number(float(fit.beta[1]))}."
    )
    return Picture(draw(traces, 280, _MARGIN, layout), alt)
