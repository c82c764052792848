"""What one asks second on the page Evaluate: parts, of which the open one is drawn."""

from __future__ import annotations

import streamlit as st

from pages.evaluate.method import ASSUMPTIONS, FORMULAS
from pages.evaluate.settings import TABS
from pages.shared.answer.parts import Parts, draw_parts
from pages.shared.frame import formula_text
from pages.shared.panels.verdicts import RULE


def show(parts: Parts, method: str = "") -> None:
    """Draw them, and how it works last; `method` is what is said of these results there."""
    formula_text(FORMULAS, ASSUMPTIONS)
    whole: Parts = {**parts, "Method": lambda: _method(method)}
    draw_parts(whole, key=TABS)


def _method(said: str) -> None:
    st.caption(f"{said} {RULE}.".strip())
    st.markdown(formula_text(FORMULAS, ASSUMPTIONS))
