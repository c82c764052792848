"""What one asks second on the page Evaluate: parts, of which the open one is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import streamlit as st

from pages.evaluate.method import ASSUMPTIONS, FORMULAS
from pages.evaluate.settings import TABS
from pages.shared.frame import formula_text
from pages.shared.messages import guard
from pages.shared.panels.verdicts import RULE
from pages.shared.settings import widgets

Parts: TypeAlias = Mapping[str, Callable[[], None]]


def draw_parts(parts: Parts, method: str = "") -> None:
    """Draw them, and how it works last; `method` is what is said of these results there."""
    formula_text(FORMULAS, ASSUMPTIONS)
    whole: Parts = {**parts, "Method": lambda: _method(method)}
    for tab, draw in zip(widgets.tabs("tab", list(whole), key=TABS), whole.values(), strict=True):
        if tab.open:
            with tab, guard():
                draw()


def _method(said: str) -> None:
    st.caption(f"{said} {RULE}.".strip())
    st.markdown(formula_text(FORMULAS, ASSUMPTIONS))
