"""Labels at the ends of lines instead of legends: a coloured dash and the name, spread where they collide.

from pages.shared.figures.labels import EndLabel, at_line_ends
annotations = at_line_ends([EndLabel("joint", 63.5, "#d9731a", bold=True)], (30, 95), plot_height=180)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pages.shared.figures.picture import Spec, Value
from pages.shared.figures.theme import INK, TITLE_SIZE, escaped

GAP = 15.0
_DASH = "━"
_CHARACTER_WIDTH = 6.4


@dataclass(frozen=True)
class EndLabel:
    """Name of a line, the value at its end, and the colour of its dash."""

    text: str
    value: float
    colour: str
    bold: bool = False
    mark: str = _DASH

    @property
    def markup(self) -> str:
        name = f"<b>{escaped(self.text)}</b>" if self.bold else escaped(self.text)
        return f'<span style="color:{self.colour}">{self.mark}</span> {name}'


def spread(wanted: Sequence[float], gap: float = GAP, low: float = 0.0, high: float = np.inf) -> list[float]:
    """Positions at least `gap` apart, in the order of `wanted` and nearest to it in least squares.

    Pool adjacent violators on `wanted` minus the gaps, then clip: both keep the optimum. Where the room
    between `low` and `high` is too small for all of them, the gap shrinks to what there is.
    """
    if not len(wanted):
        return []
    rank = np.argsort(np.asarray(wanted, dtype=np.float64), kind="stable")
    steps = np.arange(len(wanted))
    gap = min(gap, (high - low) / max(len(wanted) - 1, 1))
    pools: list[tuple[float, int]] = []
    for target in np.asarray(wanted, dtype=np.float64)[rank] - gap * steps:
        mean, size = float(target), 1
        while pools and pools[-1][0] > mean:
            other, members = pools.pop()
            mean, size = (mean * size + other * members) / (size + members), size + members
        pools.append((mean, size))
    pooled = np.concatenate([np.full(size, mean) for mean, size in pools])
    placed = np.empty(len(wanted))
    placed[rank] = np.clip(pooled, low, max(high - gap * (len(wanted) - 1), low)) + gap * steps
    return [float(p) for p in placed]


def at_line_ends(
    labels: Sequence[EndLabel], value_range: tuple[float, float], plot_height: float
) -> list[Spec]:
    """Annotations in the right margin, at the height of the values but never on top of each other."""
    low, high = value_range
    pixels = [plot_height * (high - label.value) / (high - low) for label in labels]
    placed = spread(pixels, GAP, 0.0, plot_height - 5)
    return [
        annotation(label.markup, x=1, y=1 - p / plot_height, xanchor="left", yanchor="middle", xshift=8)
        for label, p in zip(labels, placed, strict=True)
    ]


def stacked(
    labels: Sequence[EndLabel], *, x: float = 1.0, top: float = 1.0, align: str = "right", yshift: float = 0.0
) -> list[Spec]:
    """Annotations below each other in a corner of the plot that the lines leave free."""
    return [
        annotation(label.markup, x=x, y=top, xanchor=align, yanchor="top", yshift=yshift - GAP * k)
        for k, label in enumerate(labels)
    ]


def annotation(text: str, **where: Value) -> Spec:
    """Plain text in chart ink at a place given in shares of the plot area, or as `where` says."""
    return {
        "text": text,
        "showarrow": False,
        "xref": "paper",
        "yref": "paper",
        "align": "left",
        "borderpad": 0,
        "font": {"size": TITLE_SIZE, "color": INK},
        **where,
    }


def margin_for(labels: Sequence[EndLabel]) -> int:
    """Pixels the longest label needs at the right of the plot."""
    longest = max((len(label.text) * (1.07 if label.bold else 1) for label in labels), default=0)
    return int(30 + _CHARACTER_WIDTH * longest) if labels else 8
