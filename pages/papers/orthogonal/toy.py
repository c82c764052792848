"""The toy that memorises: a hard margin learns large coordinates by heart until p makes it see the shared feature."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from kernex_core.base.parameters import parameters
from kernex_core.conditioning.power import SignedPower
from kernex_core.studies.papers.orthogonal.toy import TOY_CODES, TOY_X, ToyLesson, toy_lesson
from pages.server.cached import cached
from pages.server.digits import number
from pages.ui import shown as drawn
from pages.ui.figures.bars import weight_bars
from pages.ui.frame import panel_title
from pages.ui.panels.linked import draw
from pages.ui.widget import widget

FEATURES = [str(j + 1) for j in range(TOY_X.shape[1])]


@cached(shared=True)
def lesson(p: float | None) -> ToyLesson:
    """Return what a hard margin makes of the toy."""
    return toy_lesson(p)


def show() -> None:
    """Draw the lesson."""
    st.markdown(
        ":gray[Six patterns. Feature 1 tells the classes apart; every pattern also has one large coordinate of its own. "
        "Which of them does a hard margin look at?]"
    )
    left, right = st.columns([1.2, 1.0], gap="medium")
    with left:
        panel_title("The patterns", "·: 0; one row a pattern")
        drawn.table("orthogonal.patterns", _patterns())
    with right:
        p = widget(replace(parameters(SignedPower)["p"], label="Power"), 0.2, name="p", setting="toy")
        _bars(lesson(None), "The kernel as it is", "weights w")
        _bars(lesson(float(p)), f"Empirical map, p = {p:g}", "response f(e) − f(0)")
    plain, mapped = lesson(None), lesson(float(p))
    st.markdown(
        f"As it is the weight of feature 1 is {number(plain.response[0], 3)}, that of coordinates seen once up to "
        f"{number(float(abs(plain.response).max()), 3)}: the machine learned by heart, and a new pattern with feature 1 "
        f"alone gets f = {number(plain.decisions[0], 3)}. With the map at *p* = {p:g} it gets "
        f"**f = {number(mapped.decisions[0], 4 if abs(mapped.decisions[0]) < 0.01 else 3)}**; a pattern that shares nothing "
        f"with the six gets {number(mapped.bias, 3)}."
    )


def _bars(made: ToyLesson, name: str, note: str) -> None:
    with st.container(gap="xxsmall"):
        panel_title(name, f"{note}; feature 1 in orange")
        picture = weight_bars(made.response, names=FEATURES, highlighted=[0], y_title="", height=150)
        draw(picture, f"toy.{'plain' if made.p is None else 'mapped'}")


def _patterns() -> dict[str, list[str]]:
    columns = {"class": ["+1" if code else "−1" for code in TOY_CODES.tolist()]}
    for j, name in enumerate(FEATURES):
        columns[name] = [f"{value:g}" if value else "·" for value in TOY_X[:, j].tolist()]
    return columns
