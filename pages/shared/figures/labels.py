"""Labels at the ends of lines instead of legends: a piece of the line itself and the name, spread where they collide.

from pages.shared.figures.labels import EndLabel, at_line_ends
named = at_line_ends([EndLabel("joint", 63.5, role_of("joint"), bold=True)], (30, 95), plot_height=180)
layout = {"annotations": named.texts, "shapes": named.samples}
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pages.shared.figures.picture import Spec, Value
from pages.shared.figures.theme import GROUND, INK, TITLE_SIZE, Role, escaped

GAP = 15.0
_DASH = "━"
_SAMPLE = 22
"""Pixels of a piece of line: the longest dash fits once and more."""
_MIDDLE = 9
"""Pixels from the top of a line of text to its middle."""
_CHARACTER_WIDTH = 6.4


@dataclass(frozen=True)
class EndLabel:
    """Name of a line, the value at its end, and how the line is drawn."""

    text: str
    value: float
    role: Role
    bold: bool = False

    @property
    def name(self) -> str:
        """The name as markup."""
        return f"<b>{escaped(self.text)}</b>" if self.bold else escaped(self.text)

    @property
    def markup(self) -> str:
        """The name behind a dash of its colour, where a solid line is named within a text."""
        return f'<span style="color:{self.role.colour}">{_DASH}</span> {self.name}'


@dataclass(frozen=True)
class NamedLines:
    """Names as annotations, and beside each a piece of its line, with its dash and width, as a shape."""

    texts: list[Spec]
    samples: list[Spec]


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
) -> NamedLines:
    """Labels in the right margin, at the height of the values but never on top of each other."""
    low, high = value_range
    pixels = [plot_height * (high - label.value) / (high - low) for label in labels]
    placed = spread(pixels, GAP, 0.0, plot_height - 5)
    heights = [1 - p / plot_height for p in placed]
    texts = [
        annotation(label.name, x=1, y=y, xanchor="left", yanchor="middle", xshift=12 + _SAMPLE)
        for label, y in zip(labels, heights, strict=True)
    ]
    samples = [_sample(label, 8, 8 + _SAMPLE, y0=y, y1=y) for label, y in zip(labels, heights, strict=True)]
    return NamedLines(texts, samples)


def stacked(labels: Sequence[EndLabel]) -> NamedLines:
    """Labels below each other in the upper right corner of the plot, which falling lines leave free."""
    texts = [
        # on a ground of their own, so that no line of the grid strikes them through
        annotation(
            label.name,
            x=1,
            y=1,
            xanchor="right",
            yanchor="top",
            xshift=-6 - _SAMPLE,
            yshift=-GAP * k,
            bgcolor=GROUND,
        )
        for k, label in enumerate(labels)
    ]
    samples = [
        _sample(
            label, -_SAMPLE, 0, ysizemode="pixel", yanchor=1, y0=-_MIDDLE - GAP * k, y1=-_MIDDLE - GAP * k
        )
        for k, label in enumerate(labels)
    ]
    return NamedLines(texts, samples)


def _sample(label: EndLabel, start: int, end: int, **height: Value) -> Spec:
    """Piece of a line, so many pixels right of the plot's right edge."""
    across: Spec = {
        "xref": "paper",
        "yref": "paper",
        "xsizemode": "pixel",
        "xanchor": 1,
        "x0": start,
        "x1": end,
    }
    return {"type": "line", **across, **height, "line": label.role.line}


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
    return int(20 + _SAMPLE + _CHARACTER_WIDTH * longest) if labels else 8
