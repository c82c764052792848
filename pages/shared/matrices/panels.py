"""What a page says about linked matrices: the panels, what the browser computes while a slider is dragged, words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kernex_core.base.frozen import FloatArray
from pages.shared.figures.codes import HeatmapScale
from pages.shared.matrices import payload

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator


@dataclass(frozen=True, eq=False)
class Panel:
    """One matrix.

    Attributes
    ----------
    title, note : str
        Name, and a short grey note beside it.
    values : (n, n) float
        In the order of the ids; NaN = unknown.
    scale : HeatmapScale
        Ends of the colours; diverging ones are transparent at 0.
    part_of : Panel, optional
        One beside it with the same values, but for items that are unknown here: its bytes serve both.
    """

    title: str
    note: str
    values: FloatArray
    scale: HeatmapScale
    part_of: Panel | None = None

    @property
    def sent(self) -> FloatArray:
        """What travels to the browser."""
        return self.values if self.part_of is None else self.part_of.values

    @property
    def unknown(self) -> list[int] | None:
        """Items that the browser leaves out of what travels; None where it is drawn as it is."""
        return None if self.part_of is None else np.flatnonzero(np.isnan(np.diag(self.values))).tolist()

    def alt(self, n: int) -> str:
        """Return a sentence that says what it shows."""
        low, _, high = self.scale.ticks(self.values)
        unknown = int(np.isnan(np.diag(self.values)).sum())
        gaps = f", {unknown:,} of them unknown" if unknown else ""
        return f"{self.title} {self.note}: similarities of {n:,} items{gaps}, from {low} to {high}."


def told_apart(panels: Sequence[Panel]) -> list[str]:
    """Titles of panels, each with its note where others have the same title."""
    found = Counter(panel.title for panel in panels)
    return [
        f"{panel.title}, {panel.note}" if found[panel.title] > 1 and panel.note else panel.title
        for panel in panels
    ]


@dataclass(frozen=True, eq=False)
class Follow:
    """What the browser computes for a panel while a slider is dragged.

    Attributes
    ----------
    panel : int
    kind : {"factor", "spectrum", "mix", "frames", "empirical", "error"}
        As in matrices.js.
    carrier : Carrier, optional
        Factor or frames.
    of : panels
        Numbers of the panels whose values it is made of.
    note : str
        Note of the panel; {} stands for the value.
    more : mapping
        What else the kind needs.
    """

    panel: int
    kind: str
    carrier: payload.Carrier | None = None
    of: tuple[int, ...] = ()
    note: str = ""
    more: Mapping[str, object] | None = None


@dataclass(frozen=True, eq=False)
class Room:
    """Where pictures stand on a page of one screen.

    Attributes
    ----------
    carriers : container
        After the pictures; it holds what carries their values: each is a bar until its code has come.
    most : float
        Side of a picture, as a share of the window's height.
    opens : str
        Key of tabs of which the one called Pair opens when a cell is clicked, and shows what is chosen.
    elsewhere : bool
        The page shows what is chosen in them itself.
    """

    carriers: DeltaGenerator
    most: float
    opens: str = ""
    elsewhere: bool = False


@dataclass(frozen=True)
class Drag:
    """A parameter that can be dragged in the picture: the widget of `key` on the page shows it, too.

    Where that widget stands outside the fragment of the picture, `whole_page` runs the page when the thumb is let go. A
    widget of certain `options` alone has the thumb move over their places: value, low and high are places, of step 1.
    """

    key: str
    name: str
    label: str
    value: float
    low: float
    high: float
    step: float
    follows: tuple[Follow, ...]
    whole_page: bool = False
    options: tuple[float, ...] = ()
    title: str = ""
    pick: str = ""

    @property
    def texts(self) -> list[str]:
        """What the options are called, as the slider of the page calls them."""
        return [f"{value:g}" for value in self.options]

    def released(self, told: object) -> float | None:
        """Return what the widget shows once the thumb is let go; None for what no thumb tells."""
        if not isinstance(told, int | float) or not self.low <= told <= self.high:
            return None
        return self.options[round(told)] if self.options else float(told)


@dataclass(frozen=True)
class Words:
    """What an exported picture says: what it shows, and under which settings."""

    heading: str
    settings: str = ""
