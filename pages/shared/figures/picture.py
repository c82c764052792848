"""What every figure builder returns, and the layout all figures share.

from pages.shared.figures.spectrum import eigenvalue_bars
picture = eigenvalue_bars(view.eigenvalues)
st.plotly_chart(picture.figure, width="stretch", theme="streamlit", alt=picture.alt, config=chart_config("spectrum"))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import IntArray
from kernex_core.gram.order import Dendrogram
from kernex_core.inputs.names import counted
from pages.shared.figures.chart import Chart
from pages.shared.figures.chart import Spec as Spec
from pages.shared.figures.chart import Value as Value
from pages.shared.figures.theme import CLASS_COLOURS, INK, TICK_SIZE, TITLE_SIZE

# a template of our own keeps plotly's default (9 kB, 4 ms) out; Streamlit fills in its theme in the browser
_TEMPLATE: Spec = {"layout": {"colorway": CLASS_COLOURS}}


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure, the sentence that says what it shows, and a short note for beside its title ("" if none)."""

    figure: Chart
    alt: str
    note: str = ""

    def __post_init__(self) -> None:
        if not self.alt.strip():
            raise ValueError("a picture needs a sentence that says what it shows")

    def with_layout(self, layout: Mapping[str, Value]) -> Picture:
        """Return the same picture with parts of its layout changed, such as the range of an axis."""
        return replace(self, figure=self.figure.with_layout(layout))


@dataclass(frozen=True, eq=False)
class Items:
    """What a picture knows of its items.

    Attributes
    ----------
    ids : n unique names, on hover.
    classes : n class names, optional
        Coloured and counted; None or "" = unlabelled.
    order : positions in display order, optional
        See `theme.class_order`; may be a selection. Default: as given.
    tree : Dendrogram, optional
        Whose leaves are in this order.

    Raises
    ------
    InvalidInputError
        An id that occurs twice, or classes of another number.
    """

    ids: Sequence[str]
    classes: Sequence[str | None] | None = None
    order: Sequence[int] | IntArray | None = None
    tree: Dendrogram | None = None

    def __post_init__(self) -> None:
        if len(set(self.ids)) != len(self.ids):
            raise InvalidInputError("Ids have to be unique", "an id that occurs twice")
        if self.classes is not None and len(self.classes) != len(self.ids):
            raise InvalidInputError(
                f"Classes of {counted(len(self.ids), 'item')}", counted(len(self.classes), "class")
            )

    @property
    def positions(self) -> IntArray:
        """Positions in display order."""
        return np.arange(len(self.ids)) if self.order is None else np.asarray(self.order, dtype=np.int64)


@dataclass(frozen=True)
class PlotMargin:
    """Pixels around the plot area; fixed, so that labels can be placed by pixel."""

    left: int
    right: int
    top: int
    bottom: int

    def plot_height(self, height: int) -> float:
        return float(max(height - self.top - self.bottom, 1))


def chart_config(file: str) -> dict[str, Value]:
    """One button, on hover: the chart as SVG, made in the browser, in a file of that name."""
    return {
        "displaylogo": False,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": "svg", "filename": file},
        "responsive": True,
    }


def draw(data: Sequence[Spec], height: int, margin: PlotMargin, layout: Mapping[str, Value]) -> Chart:
    """The figure, with what all have in common."""
    base: Spec = {
        "template": _TEMPLATE,
        "height": height,
        "margin": {"l": margin.left, "r": margin.right, "t": margin.top, "b": margin.bottom, "pad": 0},
        "font": {"size": TITLE_SIZE, "color": INK},
        "showlegend": False,
        "hovermode": "closest",
        "dragmode": False,
    }
    return Chart(data, {**base, **layout})


def axis(title: str = "", *, standoff: int = 8, **more: Value) -> Spec:
    """An axis with chart ink; grid and ground colours are the theme's business."""
    made: Spec = {
        "tickfont": {"size": TICK_SIZE, "color": INK},
        "ticklabelstandoff": 4,
        "automargin": False,
        "zeroline": False,
        "fixedrange": True,
        "separatethousands": True,
        "exponentformat": "power",
        "minexponent": 5,
    }
    if title:
        made["title"] = {
            "text": title,
            "font": {"size": TITLE_SIZE, "color": INK},
            "standoff": standoff,
        }
    return {**made, **more}


BARE_AXIS: Mapping[str, Value] = MappingProxyType(
    {"showgrid": False, "zeroline": False, "showticklabels": False, "ticks": "", "automargin": False}
)


def padded(values: ArrayLike, share: float = 0.06) -> tuple[float, float]:
    """Range of the finite values with a margin of `share` on both sides."""
    finite = np.asarray(values, dtype=np.float64).ravel()
    finite = finite[np.isfinite(finite)]
    if finite.size == 0:
        return 0.0, 1.0
    low, high = float(finite.min()), float(finite.max())
    pad = share * (high - low) or share * abs(high) or 0.5
    return low - pad, high + pad
