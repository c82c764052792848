"""What a chart runs over and what its lines show: titles, ticks, the guide at the current value.

from pages.shared.figures.axes import Across, Values
across, values = Across("hidden share, %", guide=25), Values("accuracy, %", bounds=(0, 100))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kernex_core.base.frozen import FloatArray
from pages.shared.figures.picture import Spec, axis
from pages.shared.figures.theme import GUIDE


@dataclass(frozen=True)
class Across:
    """What a chart runs over.

    Attributes
    ----------
    title : str
        Of the axis.
    guide : float, optional
        Where the control stands now; a dotted vertical line.
    ticks : sequence of float, optional
        Default: the places where the lines have values, thinned.
    texts : sequence of str, optional
        What stands at the ticks instead of their numbers.
    range : (float, float), optional
        Default: from the first place to the last, the guide among them.
    """

    title: str
    guide: float | None = None
    ticks: Sequence[float] | None = None
    texts: Sequence[str] | None = None
    range: tuple[float, float] | None = None


@dataclass(frozen=True)
class Values:
    """What the lines of a chart show.

    Attributes
    ----------
    title : str
        Of the axis.
    unit : str
        Behind a value on hover, with a space.
    bounds : (float, float), optional
        What the values cannot leave (0 and 100 for accuracies in %): bands are cut there.
    ticks, texts : as in `Across`; default: round numbers.
    """

    title: str = ""
    unit: str = ""
    bounds: tuple[float, float] | None = None
    ticks: Sequence[float] | None = None
    texts: Sequence[str] | None = None

    @property
    def suffix(self) -> str:
        """Unit with the space before it."""
        return f" {self.unit}" if self.unit else ""


def x_axis(across: Across, places: FloatArray, span: tuple[float, float]) -> Spec:
    """Return the horizontal axis over `span` for lines with values at `places`, ascending."""
    made = axis(
        across.title,
        range=list(span),
        showgrid=False,
        tickangle=0,
        tickvals=ticks_apart(places, across.ticks),
    )
    return made if across.texts is None else made | {"ticktext": list(across.texts)}


def y_axis(values: Values, value_range: tuple[float, float]) -> Spec:
    """Return the vertical axis over `value_range`."""
    made = axis(values.title, range=list(value_range), nticks=6)
    if values.ticks is not None:
        made["tickvals"] = list(values.ticks)
    if values.texts is not None:
        made["ticktext"] = list(values.texts)
    return made


def guide_line(at: float) -> Spec:
    """Dotted vertical line at the value the control shows."""
    return {
        "type": "line", "x0": at, "x1": at, "y0": 0, "y1": 1, "xref": "x", "yref": "paper", "layer": "below",
        "line": GUIDE.line,
    }  # fmt: skip


def ticks_apart(places: FloatArray, wanted: Sequence[float] | None = None) -> list[float]:
    """Return the places that are wanted, or those of `places`, ascending, whose labels do not meet."""
    if wanted is not None:
        return [float(t) for t in wanted]
    room = 0.075 * float(places[-1] - places[0])
    kept = [float(places[0])]
    for place in places[1:]:
        if place - kept[-1] >= room:
            kept.append(float(place))
    return kept
