"""The linked matrices on a page: panels in, and what a visitor does with them out.

    matrices(panels, Items(ids, classes, order), key="complete.maps", words=Words("Protein world", settings))

Clicks choose a pair, brushes and strips choose items (pages.ui.chosen), for every page. Where a `Drag` is given, its
slider can be dragged here, too: the browser draws what it can compute while the thumb moves, and the widget of the page
takes the value when it is let go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import streamlit as st

from kernex_core.base.errors import KernexError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.gram.combine import JointPath
from kernex_core.gram.order import Dendrogram
from pages.server import workspace
from pages.server.cached import cached
from pages.ui import chosen, payload
from pages.ui.figures.chart import Items
from pages.ui.figures.heatmap import HeatmapScale
from pages.ui.figures.theme import CIVIDIS, DIVERGING, MARK, ClassStyle, class_styles, like, ranked_classes
from pages.ui.shown import file_named

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator


# What a page says about linked matrices: the panels, what the browser computes while a slider is dragged, words.


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


HERE: Final = Path(__file__).parent
EVEN: Final = 21
"""Stops of a diverging scale, at equal distances."""


def _text(name: str) -> str:
    """A file beside this one; lines around it tell it from a path."""
    return f"\n{(HERE / name).read_text('utf-8')}\n"


# What a component is made of travels with each of its messages, unless the message is as before: the code never changes.
_code = st.components.v2.component("kernex_code", js=_text("matrices.js"))
_view = st.components.v2.component("kernex_matrices", css=_text("matrices.css"), js=_text("view.js"))
_carrier = st.components.v2.component("kernex_carrier", js=_text("carrier.js"))


@cached(public=True)
def _matrix(values: FloatArray, order: IntArray) -> payload.Carrier:
    return payload.matrix(values, order)


def matrices(
    panels: Sequence[Panel],
    items: Items,
    *,
    key: str,
    words: Words,
    drag: Drag | None = None,
    cut: float | None = None,
    whole_page: bool = False,
    room: Room | None = None,
) -> None:
    """Draw panels on the same items, linked; the dendrogram of the items, if any, is cut at a height.

    With `whole_page` a choice made here runs the page, for other pictures outside this fragment show it, too.
    """
    order = items.positions
    shared = _shared(
        tuple(items.ids), None if items.classes is None else _kept(items.classes), order, items.tree
    )
    sent = [_matrix(panel.sent, order) for panel in panels]
    windows = _windows(panels, items, key)
    head = {
        "panels": [
            _panel(panel, carrier, exact, len(order))
            for panel, carrier, exact in zip(panels, sent, windows, strict=True)
        ],
        "items": shared.digest,
        "drag": None if drag is None else _drag(drag, sent),
        "chosen": list(chosen.chosen(items.ids)),
        "pair": chosen.pair(items.ids),
        "file": file_named(f"{words.heading} {words.settings}"),
        "heading": words.heading,
        "settings": words.settings,
        "mark": MARK,
        "cut": cut,
        "most": None if room is None else room.most,
    }
    more = [follow.carrier for follow in (drag.follows if drag else ()) if follow.carrier is not None]
    with (
        st.container(gap=None)
        if room is None
        else room.carriers.container(gap=None, height=1, border=False, key=f"{key}.carried")
    ):
        _code(key=f"{key}.code", height="content")
        there: set[str] = set()
        for place, carrier in enumerate([shared, *sent, *more, *filter(None, windows)]):
            if carrier.digest in there:
                continue
            there.add(carrier.digest)
            _carrier(key=f"{key}.{place}", data=carrier.data, height="content")
    _view(
        key=key,
        data=head,
        on_pair_change=partial(
            _on_pair, key, tuple(items.ids), whole_page, "" if room is None else room.opens
        ),
        on_picked_change=partial(_on_items, key, tuple(items.ids), whole_page),
        on_window_change=partial(_on_window, key),
        on_lam_change=partial(_on_lam, key, drag),
        on_pick_change=partial(_on_pick, key),
    )
    if workspace.recall(f"{key}.released", False):
        workspace.remember(f"{key}.released", False)
        st.rerun()


@cached
def _shared(
    ids: tuple[str, ...], given: Sequence[str | None] | None, order: IntArray, tree: Dendrogram | None
) -> payload.Carrier:
    return payload.PanelItems(ids, given, *look(given), order, tree).carrier()


def _kept(classes: Sequence[str | None]) -> Sequence[str | None]:
    """Classes as a value that never changes."""
    return like(classes, tuple(classes))


def look(given: Sequence[str | None] | None) -> tuple[tuple[str, ...], tuple[ClassStyle, ...]]:
    """Names of all classes in the order of the key, and its styles: the last is that of all others, where there are any."""
    if given is None:
        return (), ()
    return tuple(name for name, _ in ranked_classes(given)), class_styles(given)


def _panel(
    panel: Panel, carrier: payload.Carrier, exact: payload.Carrier | None, n: int
) -> dict[str, object]:
    scale = panel.scale
    stops = list(_diverging() if scale.diverging else CIVIDIS)
    return {
        "title": panel.title, "note": panel.note, "digest": carrier.digest, "exact": exact.digest if exact else None,
        "low": scale.low, "high": scale.high, "ticks": list(scale.ticks(panel.values)), "colours": stops,
        "alt": panel.alt(n), "unknown": panel.unknown,
    }  # fmt: skip


@cache
def _diverging() -> tuple[str, ...]:
    """Diverging colours at equal distances, which is how the browser takes them."""
    places, colours = zip(*DIVERGING, strict=True)
    at = np.linspace(0.0, 1.0, EVEN)
    channels = [np.interp(at, places, channel).round(3).tolist() for channel in zip(*colours, strict=True)]
    return tuple(f"rgba({','.join(map(str, colour))})" for colour in zip(*channels, strict=True))


def _drag(drag: Drag, sent: Sequence[payload.Carrier]) -> dict[str, object]:
    follows = [
        {
            "panel": follow.panel, "kind": follow.kind, "note": follow.note, "of": [sent[k].digest for k in follow.of],
            "digest": follow.carrier.digest if follow.carrier else None, **(follow.more or {}),
        }
        for follow in drag.follows
    ]  # fmt: skip
    return {
        "name": drag.name, "label": drag.label, "value": drag.value, "low": drag.low, "high": drag.high, "step": drag.step,
        "texts": drag.texts, "follows": follows, "title": drag.title or drag.label, "pick": drag.pick or None,
    }  # fmt: skip


def _windows(panels: Sequence[Panel], items: Items, key: str) -> list[payload.Carrier | None]:
    """Exact values of the window that was asked for, where panels show means of blocks."""
    corner: tuple[int, int, int, int] | None = workspace.recall(f"{key}.window", None)
    if corner is None or len(items.positions) <= payload.LARGEST:
        return [None] * len(panels)
    return [payload.window(panel.values, items.positions, corner) for panel in panels]


def _on_pair(key: str, ids: tuple[str, ...], whole_page: bool = False, opens: str = "") -> None:
    """A cell was clicked."""
    places = _places(workspace.told(key, "pair"), len(ids))
    if len(places) == 2:
        chosen.choose_pair(ids[places[0]], ids[places[1]])
        workspace.remember(f"{key}.released", whole_page)
        if opens:
            workspace.show_in(opens, "Pair")


def _on_items(key: str, ids: tuple[str, ...], whole_page: bool = False) -> None:
    """A block was brushed, or a strip, a branch or a class of the key clicked."""
    chosen.choose([ids[k] for k in _places(workspace.told(key, "picked"), len(ids))])
    workspace.remember(f"{key}.released", whole_page)


def _on_window(key: str) -> None:
    corner = workspace.told(key, "window")
    try:
        workspace.remember(f"{key}.window", payload.inside(list(corner or ()), 2**31))
    except KernexError:
        return  # not of our module: nothing is shown in its place


def _on_lam(key: str, drag: Drag | None) -> None:
    value = None if drag is None else drag.released(workspace.told(key, "lam"))
    if drag is not None and value is not None:
        workspace.show_in(drag.key, value)
        workspace.remember(f"{key}.released", drag.whole_page)


def _on_pick(key: str) -> None:
    """The button that chooses the parameter was pressed; see `pages.ui.answer`."""
    if workspace.told(key, "pick"):
        workspace.remember(f"{key}.picking", True)


def _places(told: object, n: int) -> list[int]:
    """Positions that the browser named; what is none is left out."""
    return [k for k in told if isinstance(k, int) and 0 <= k < n] if isinstance(told, list) else []


# What the browser needs to draw a kernel at every value of a parameter while the thumb moves.

FACTORED: Final = 320
"""Up to this number of items the browser computes the joint kernel itself, 30 times a second or faster."""
FRAMES: Final = 11


def joint_follows(path: JointPath, panel: int, order: IntArray) -> tuple[Follow, ...]:
    """Joint kernel of a path: from its factor, or from frames between which the browser draws lines."""
    if path.F.shape[0] <= FACTORED:
        return (Follow(panel, "factor", _factor(path), note="λ = {}"),)
    return (Follow(panel, "frames", _frames(path, order), note="λ ≈ {}"),)


@cached(public=True)
def _factor(path: JointPath) -> payload.Carrier:
    return payload.factor(path)


@cached(public=True)
def _frames(path: JointPath, order: IntArray) -> payload.Carrier:
    # dense where the kernel turns fastest: near both ends
    lams = [float(np.sin(np.pi * k / (2 * (FRAMES - 1))) ** 2) for k in range(FRAMES)]
    # means of blocks from means of rows: no frame is ever a matrix of all items
    blocks = replace(path, F=payload.row_means(path.F[order], payload.FRAME))
    return payload.frames([blocks.kernel(lam) for lam in lams], lams, len(order))
