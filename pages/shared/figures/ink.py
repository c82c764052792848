"""Ink of charts on both grounds: no single grey reaches a contrast of 4.5 on white and on black.

    from pages.shared.figures.ink import inked
    st.plotly_chart(inked(picture.figure, st.context.theme.type or "light"))

Figures are made once, in the ink of the light theme; only where the ground is dark it is replaced.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias, TypeVar

import plotly.graph_objects as go

from pages.shared.figures.theme import INK, rgb

INKS: Final[Mapping[str, str]] = MappingProxyType({"light": INK, "dark": "#8d939b"})
GROUNDS: Final[Mapping[str, str]] = MappingProxyType({"light": "#ffffff", "dark": "#131518"})
"""As in .streamlit/config.toml."""
READABLE: Final = 4.5
"""Contrast that text needs at least (WCAG 2.1, success criterion 1.4.3)."""

Node: TypeAlias = object
T = TypeVar("T")


def contrast(first: str, second: str) -> float:
    """Contrast of two colours "#rrggbb", from 1 to 21: (L₁ + 0.05) / (L₂ + 0.05), the lighter one above (WCAG 2.1)."""
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def inked(figure: go.Figure, theme: str) -> go.Figure:
    """Return the figure in the ink of a theme; that of the light one is the figure itself."""
    ink = INKS.get(theme, INK)
    if ink == INK:
        return figure
    spec = figure.to_plotly_json()
    return go.Figure(
        data=_replaced(spec["data"], ink), layout=_replaced(spec["layout"], ink), _validate=False
    )


def _replaced(node: Node, ink: str) -> Node:
    if isinstance(node, str):
        return node.replace(INK, ink)
    if isinstance(node, Mapping):
        return {key: _replaced(value, ink) for key, value in node.items() if key != "source"}
    if isinstance(node, list | tuple) and not _is_data(node):
        return [_replaced(value, ink) for value in node]
    return node


def _is_data(node: Sequence[Node]) -> bool:
    """Numbers of a trace; texts on hover are no drawn ones."""
    return len(node) > 0 and isinstance(node[0], float | int)


def _luminance(colour: str) -> float:
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255.0 for v in rgb(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
