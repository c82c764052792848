"""The map of the items with its title, the same on every page: it shows what is chosen, and items are chosen in it.

item_map_panel(coordinates, Items(ids, classes), key="kernels.items", axes=MapAxes(shares=inspection.share))
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, TypedDict

import numpy as np
import streamlit as st
from numpy.typing import ArrayLike

from kernex_core.base.digests import digest
from kernex_core.base.digits import typeset
from kernex_core.base.frozen import FloatArray
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.items.selection import Selection
from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import Sequences
from pages.server import workspace
from pages.server.colour_scheme import ground
from pages.server.messages import guard, plain
from pages.server.navigation import go_to
from pages.ui import chosen
from pages.ui import shown as registry
from pages.ui.figures.chart import Items, Picture, chart_config, inked
from pages.ui.figures.scatter import COMPONENTS, Added, Layers, MapAxes, Marked, Outlined, item_map
from pages.ui.figures.theme import coloured_of
from pages.ui.frame import panel_title
from pages.ui.matrices import Panel, told_apart
from pages.ui.projector import enlarged

HOW: Final = "A click chooses an item on every page, lasso and box several."
BUTTONS: Final = ("lasso2d", "select2d", "pan2d", "resetScale2d", "toImage")
NOTHING_MORE: Final = Layers()


class LayersOfMap(TypedDict):
    """What the figure on the page and the one on the sheet have in common."""

    axes: MapAxes
    outlined: Outlined | None
    added: Added | None
    height: int


def item_map_panel(
    coordinates: ArrayLike,
    items: Items,
    *,
    key: str,
    title: str = "Map",
    note: str = "kernel PCA, components 1 and 2",
    axes: MapAxes = COMPONENTS,
    layers: Layers = NOTHING_MORE,
    height: int = 330,
) -> Picture:
    """Draw title and map, and return the picture for downloads; arguments as in `figures.scatter.item_map`."""
    more: LayersOfMap = {"axes": axes, "outlined": layers.outlined, "added": layers.added, "height": height}
    marked = Marked(chosen.chosen(items.ids), chosen.pair(items.ids))
    names = tuple(items.ids[k] for k in marked.items)
    chart = drawn_chart(
        key, _of(np.asarray(coordinates, dtype=np.float64), items, layers, axes, marked.pair), names
    )
    inside = set(chart.items)
    at = replace(marked, items=tuple(k for k, item in enumerate(items.ids) if item in inside), picked=True)
    picture = item_map(coordinates, items, marked=at, keyed=layers.keyed, **more)
    # dragging moves the map: while it draws a lasso, Streamlit reports no clicks
    config = {
        **chart_config(registry.file_named(key.replace(".", " "))),
        "displayModeBar": True,
        "modeBarButtons": [list(BUTTONS)],
    }
    with st.container(gap="xxsmall"):
        panel_title(title, " · ".join(part for part in (note, picture.note) if part))
        registry.show(key, lambda: item_map(coordinates, items, marked=marked, **more), classes=items.classes)
        st.plotly_chart(
            enlarged(inked(picture.figure, ground())),
            width="stretch", theme="streamlit", alt=f"{picture.alt} {HOW}", config=config,
            key=f"{key}.{chart.turn}", on_select=partial(on_select, key, chart.turn, tuple(items.ids)),
            selection_mode=("points", "box", "lasso"),
        )  # fmt: skip
    return picture


@dataclass(frozen=True)
class DrawnChart:
    """A chart as it was last drawn.

    Attributes
    ----------
    turn : int
        How many there were before it.
    of : str
        What tells its figure from others, but for what is chosen.
    items : tuple of str
        Chosen items that its figure shows.
    own : tuple of str or None
        What was chosen in it since: the browser shows it already.
    """

    turn: int = 0
    of: str = ""
    items: tuple[str, ...] = ()
    own: tuple[str, ...] | None = None


def _of(points: FloatArray, items: Items, layers: Layers, axes: MapAxes, pair: tuple[int, int] | None) -> str:
    """What tells this map from others, but for the chosen items."""
    outlined, added = layers.outlined, layers.added
    masks = [] if outlined is None else [outlined.mask, outlined.name]
    stars = [] if added is None else [list(added.names), added.places, added.within]
    return digest(
        points,
        list(items.ids),
        list(items.classes or ()),
        coloured_of(items.classes or ()),
        masks,
        stars,
        [axes.titles, axes.ends, axes.apart],
        list(pair or ()),
        ground(),
    )


def drawn_chart(key: str, of: str, names: tuple[str, ...]) -> DrawnChart:
    """The chart to draw where these are chosen.

    The same as before where they were chosen in it: it keeps its zoom. Another choice, or another map, makes another one.
    """
    last: DrawnChart = workspace.recall(f"{key}.drawn", DrawnChart())
    if last.of == of and set(names) == set(last.items if last.own is None else last.own):
        return last
    made = DrawnChart(last.turn + 1, of, names)
    workspace.remember(f"{key}.drawn", made)
    return made


def on_select(key: str, turn: int, ids: tuple[str, ...]) -> None:
    """Points of a chart were clicked, or surrounded; or no longer."""
    selection = workspace.told(f"{key}.{turn}", "selection")
    names = tuple(ids[k] for k in places(selection, len(ids)))
    chosen.choose(names, again_is_none=False)
    last: DrawnChart = workspace.recall(f"{key}.drawn", DrawnChart())
    if last.turn == turn:
        workspace.remember(f"{key}.drawn", replace(last, own=names))


def places(selection: object, n: int) -> list[int]:
    """Positions of the items that a chart says are selected; what is none is left out."""
    points = selection.get("points", []) if isinstance(selection, Mapping) else []
    told = [point.get("customdata") for point in points if isinstance(point, Mapping)]
    flat = [each[0] if isinstance(each, Sequence) and len(each) == 1 else each for each in told]
    return sorted({k for k in flat if isinstance(k, int) and not isinstance(k, bool) and 0 <= k < n})


# What was chosen in a picture, under it: a pair to look at, and items, which can be kept alone.
#
# chosen_row(panels, items, "complete.maps", Why(parts=explain))
# chosen_items(items, "map")             the items alone, under a picture that has no pairs

DIGITS = 6
WHY, WHY_GRAPHS = "sequences.why", "graphs.why"
"""Remembered while the page Strings, or Graphs, is on its way to the pair."""


@dataclass(frozen=True)
class Why:
    """What a page knows of a pair beyond its panels.

    Attributes
    ----------
    parts : callable, optional
        Draws what makes the similarity of two items, given their ids.
    more : mapping
        Further matrices (n, n) by name.
    """

    parts: Callable[[str, str], None] | None = None
    more: Mapping[str, FloatArray] = field(default_factory=dict)


def chosen_row(panels: Sequence[Panel], items: Items, key: str, why: Why | None = None) -> None:
    """Write the chosen pair and items of a picture, or how a pair is chosen."""
    _pair(panels, items, key, why or Why())
    chosen_items(items, key)


def chosen_items(items: Items, key: str) -> None:
    """Write the chosen items, which can be kept alone or let go."""
    at = chosen.chosen(items.ids)
    if not at:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        names = [items.ids[k] for k in at]
        st.markdown(f"**{len(at):,} chosen** :gray[{plain(listed(names))}]", width="content")
        if len(at) < len(items.ids) and st.button(
            "Keep only these", key=f"{key}.only", icon=":material/filter_alt:",
            help="A selection that holds on every page; the page Data takes it back.",
        ):  # fmt: skip
            keep_only(names)
        if st.button("Let go", key=f"{key}.forget", type="tertiary", help="Nothing is chosen any more."):
            chosen.forget()
            st.rerun()


def _pair(panels: Sequence[Panel], items: Items, key: str, why: Why) -> None:
    pair = chosen.pair(items.ids)
    if pair is None:
        if len(items.ids) > 1 and st.button(
            "Look at a pair", key=f"{key}.pair", type="tertiary", icon=":material/compare_arrows:",
            help="Or click a cell of a matrix: its two items, their exact similarity in every panel, and why.",
        ):  # fmt: skip
            # those that are chosen come first
            two = list(dict.fromkeys([*chosen.chosen(items.ids), *map(int, items.positions[:2])]))[:2]
            _look_at(items.ids[two[0]], items.ids[two[1]])
        return
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            panel_title("Look at a pair", _classes(items, pair))
            if st.button(
                "Close the pair", key=f"{key}.unpair", type="tertiary", icon=":material/close:",
                help="No pair is looked at any more.",
            ):  # fmt: skip
                chosen.forget_pair()
                st.rerun()
        _choose(items.ids, pair, key)
        registry.table(f"{key}.pair", pair_table(panels, items, pair, why.more))
        with guard():
            _reason(items, pair, key, why)


def _choose(ids: Sequence[str], pair: tuple[int, int], key: str) -> None:
    """Both items as boxes in which one can search; another pair begins them anew."""
    picked = []
    for column, label, at in zip(st.columns(2), ("First item", "Second item"), pair, strict=True):
        picked.append(
            column.selectbox(
                label, ids, index=at, key=f"{key}.{label}.{ids[pair[0]]}.{ids[pair[1]]}",
                help="Type to search by id; or click a cell of a matrix.",
            )
        )  # fmt: skip
    if picked != [ids[k] for k in pair]:
        _look_at(picked[0], picked[1])


def _look_at(first: str, second: str) -> None:
    chosen.choose_pair(first, second)
    st.rerun()


def _classes(items: Items, pair: tuple[int, int]) -> str:
    if items.classes is None:
        return ""
    kinds = [items.classes[k] for k in pair]
    named = [plain(kind) if kind else "no class" for kind in kinds]
    return f"both {named[0]}" if kinds[0] and kinds[0] == kinds[1] else " and ".join(named)


def pair_table(
    panels: Sequence[Panel], items: Items, pair: tuple[int, int], more: Mapping[str, FloatArray]
) -> dict[str, list[str]]:
    """Similarity of the pair, and of each with itself, in every panel and further matrix."""
    matrices = [*zip(told_apart(panels), (panel.values for panel in panels), strict=True), *more.items()]
    i, j = pair
    cells = {"with each other": (i, j), items.ids[i]: (i, i), items.ids[j]: (j, j)}
    made = {"similarity": [plain(name) for name, _ in matrices]}
    for name, cell in cells.items():
        title = name if name == "with each other" else f"{plain(name)} with itself"
        made[title] = [_exact(values[cell]) for _, values in matrices]
    return made


def _exact(value: float) -> str:
    return "unknown" if np.isnan(value) else typeset(f"{float(value):,.{DIGITS}g}").replace("-", "−")


def _reason(items: Items, pair: tuple[int, int], key: str, why: Why) -> None:
    """Why they are similar, as far as anybody can tell."""
    first, second = (items.ids[k] for k in pair)
    if why.parts is not None:
        why.parts(first, second)
    dataset = workspace.current()
    kinds = set() if dataset is None else {each.kind for each in dataset.samples.values()}
    if why.parts is None and not kinds & {Sequences.kind, GraphSet.kind}:
        st.caption(
            "Why they are similar cannot be told from a matrix; kernels of sequences and of graphs tell it."
        )
    if Sequences.kind in kinds and st.button(
        "Why similar, letter by letter", key=f"{key}.why", type="tertiary", icon=":material/genetics:",
        help="Opens this pair on the page Strings: the parts that sum to their similarity under a string kernel.",
    ):  # fmt: skip
        workspace.remember(WHY, True)
        go_to("strings")
    if GraphSet.kind in kinds and st.button(
        "Why similar, part by part", key=f"{key}.why_graphs", type="tertiary", icon=":material/schema:",
        help="Opens both graphs on the page Graphs: drawn side by side, with the parts that sum to their similarity.",
    ):  # fmt: skip
        workspace.remember(WHY_GRAPHS, True)
        go_to("graphs")


def keep_only(ids: Sequence[str]) -> None:
    """Select these items on every page, with whatever else was selected."""
    before = workspace.selection()
    spec = before if isinstance(before, Selection) else Selection()
    with guard():
        workspace.set_selection(dataclasses.replace(spec, ids=tuple(ids)))
        chosen.forget()
        st.rerun()
