"""Ink of charts on both grounds: no single grey reaches a contrast of 4.5 on white and on black.

    from pages.shared.figures.ink import inked
    st.plotly_chart(inked(picture.figure, st.context.theme.type or "light"))

Figures are made once, in the ink of the light theme; only where the ground is dark it is replaced.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from pages.shared.figures.chart import Chart, Spec, Value
from pages.shared.figures.theme import INK

INKS: Final[Mapping[str, str]] = MappingProxyType({"light": INK, "dark": "#8d939b"})


def inked(figure: Chart, theme: str) -> Chart:
    """Return the figure in the ink of a theme; that of the light one is the figure itself."""
    ink = INKS.get(theme, INK)
    if ink == INK:
        return figure
    spec = figure.to_plotly_json()
    return Chart([_parts(trace, ink) for trace in spec["data"]], _parts(spec["layout"], ink))


def _parts(part: Mapping[str, Value], ink: str) -> Spec:
    return {key: value if key == "source" else _replaced(value, ink) for key, value in part.items()}


def _replaced(node: Value, ink: str) -> Value:
    if isinstance(node, str):
        return node.replace(INK, ink)
    if isinstance(node, Mapping):
        return _parts(node, ink)
    if isinstance(node, list | tuple) and not _is_data(node):
        return [_replaced(value, ink) for value in node]
    return node


def _is_data(node: Sequence[object]) -> bool:
    """Numbers of a trace; texts on hover are no drawn ones."""
    return len(node) > 0 and isinstance(node[0], float | int)
