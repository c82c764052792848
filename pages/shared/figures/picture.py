"""What every figure builder returns, and the layout all figures share.

from pages.shared.figures.spectrum import eigenvalue_bars
picture = eigenvalue_bars(view.eigenvalues)
st.plotly_chart(picture.figure, width="stretch", theme="streamlit", alt=picture.alt, config=CONFIG)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import plotly.graph_objects as go

from pages.shared.figures.theme import CLASS_COLOURS, INK, TICK_SIZE, TITLE_SIZE

# one button, on hover: the picture as PNG
CONFIG: Mapping[str, Any] = MappingProxyType(
    {
        "displaylogo": False,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"scale": 3, "filename": "kernex"},
        "responsive": True,
    }
)
# a template of our own keeps plotly's default (9 kB, 4 ms) out; Streamlit fills in its theme in the browser
_TEMPLATE = go.layout.Template(layout={"colorway": CLASS_COLOURS})


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure, the sentence that says what it shows, and a short note for beside its title ("" if none)."""

    figure: go.Figure
    alt: str
    note: str = ""

    def __post_init__(self) -> None:
        if not self.alt.strip():
            raise ValueError("a picture needs a sentence that says what it shows")


@dataclass(frozen=True)
class Margin:
    """Pixels around the plot area; fixed, so that labels can be placed by pixel."""

    left: int
    right: int
    top: int
    bottom: int

    def plot_height(self, height: int) -> float:
        return float(max(height - self.top - self.bottom, 1))


def draw(
    data: Sequence[Mapping[str, Any]], height: int, margin: Margin, layout: Mapping[str, Any]
) -> go.Figure:
    """The figure, built at once: every `add_*` or `update_*` call costs more than all of this."""
    base = {
        "template": _TEMPLATE,
        "height": height,
        "margin": {"l": margin.left, "r": margin.right, "t": margin.top, "b": margin.bottom, "pad": 0},
        "font": {"size": TITLE_SIZE, "color": INK},
        "showlegend": False,
        "hovermode": "closest",
        "dragmode": False,
    }
    return go.Figure(data=list(data), layout={**base, **layout})


def axis(title: str = "", *, standoff: int = 8, **more: Any) -> dict[str, Any]:
    """An axis with chart ink; grid and ground colours are the theme's business."""
    made: dict[str, Any] = {
        "tickfont": {"size": TICK_SIZE, "color": INK},
        "ticklabelstandoff": 4,
        "automargin": False,
        "zeroline": False,
        "fixedrange": True,
    }
    if title:
        made["title"] = {
            "text": title,
            "font": {"size": TITLE_SIZE, "color": INK},
            "standoff": standoff,
        }
    return {**made, **more}


BARE_AXIS: Mapping[str, Any] = MappingProxyType(
    {"showgrid": False, "zeroline": False, "showticklabels": False, "ticks": "", "automargin": False}
)


def padded(values: Any, share: float = 0.06) -> tuple[float, float]:
    """Range of the finite values with a margin of `share` on both sides."""
    finite = np.asarray(values, dtype=np.float64).ravel()
    finite = finite[np.isfinite(finite)]
    if finite.size == 0:
        return 0.0, 1.0
    low, high = float(finite.min()), float(finite.max())
    pad = share * (high - low) or share * abs(high) or 0.5
    return low - pad, high + pad
