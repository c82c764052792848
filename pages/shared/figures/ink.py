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
from pages.shared.figures.theme import GROUND, INK

INKS: Final[Mapping[str, str]] = MappingProxyType({"light": INK, "dark": "#8d939b"})
GROUNDS: Final[Mapping[str, str]] = MappingProxyType({"light": GROUND, "dark": "#131518"})


def inked(figure: Chart, theme: str) -> Chart:
    """Return the figure in the ink of a theme; that of the light one is the figure itself."""
    ink = INKS.get(theme, INK)
    if ink == INK:
        return figure
    spec = figure.to_plotly_json()
    drawn = {INK: ink, GROUND: GROUNDS[theme]}
    return Chart([_parts(trace, drawn) for trace in spec["data"]], _parts(spec["layout"], drawn))


def _parts(part: Mapping[str, Value], drawn: Mapping[str, str]) -> Spec:
    return {key: value if key == "source" else _replaced(value, drawn) for key, value in part.items()}


def _replaced(node: Value, drawn: Mapping[str, str]) -> Value:
    if isinstance(node, str):
        for light, here in drawn.items():
            node = node.replace(light, here)
        return node
    if isinstance(node, Mapping):
        return _parts(node, drawn)
    if isinstance(node, list | tuple) and not _is_data(node):
        return [_replaced(value, drawn) for value in node]
    return node


def _is_data(node: Sequence[object]) -> bool:
    """Numbers of a trace; texts on hover are no drawn ones."""
    return len(node) > 0 and isinstance(node[0], float | int)
