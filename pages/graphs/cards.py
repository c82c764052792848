"""Graphs of one page of the gallery as the browser draws them: places, edges and codes of labels, in few bytes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import numpy as np

from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.studies.graphs.pictures import graph_layout
from pages.graphs.styles import LabelStyles, label_styles, sizes
from pages.shared.cached import cached
from pages.shared.figures.theme import MARK

UNIT: Final = 20
"""Steps of a place that an edge is long."""
LARGEST: Final = 800
"""Vertices of a graph that is drawn on a card; larger ones are told by their sizes."""
MOST_EDGES: Final = 1_200
"""Edges that are drawn on a card: of more every so many-th one, which the card says."""


@cached(public=True, newest=16)
def layouts(graphs: GraphSet, at: tuple[int, ...]) -> tuple[FloatArray, ...]:
    """Return the places of the vertices of some graphs."""
    return tuple(graph_layout(graphs.graphs[k]) for k in at)


def cards(
    graphs: GraphSet, at: Sequence[int], classes: Sequence[str | None] | None, picked: Collection[int]
) -> dict[str, object]:
    """Return what the component draws of the graphs at these positions; `classes` are those of all graphs."""
    styles = label_styles(graphs)
    drawn = [k for k in at if graphs.n_nodes[k] <= LARGEST]
    places = dict(zip(drawn, layouts(graphs, tuple(drawn)), strict=True))
    return {
        "cards": [
            _card(graphs, k, places.get(k), styles, (None if classes is None else classes[k], k in picked))
            for k in at
        ],
        **key_of(styles),
    }


def key_of(styles: LabelStyles) -> dict[str, object]:
    """Return what the component draws where there are no cards: which colour and which line is which label."""
    return {
        "vertices": [
            {"name": each.name, "colour": each.colour, "marker": each.marker} for each in styles.vertices
        ],
        "edges": [{"name": name, "style": line} for name, line in styles.edges],
        "unit": UNIT,
        "mark": MARK,
    }


def _card(
    graphs: GraphSet, k: int, places: FloatArray | None, styles: LabelStyles, about: tuple[str | None, bool]
) -> dict[str, object]:
    graph, (kind, picked) = graphs.graphs[k], about
    shown, drawn = _shown_edges(graph.n_edges), places is not None
    at = np.zeros((0, 2)) if places is None else places
    why_not = "no vertices" if graph.n_nodes == 0 else f"not drawn: over {LARGEST:,} vertices"
    notes = [] if kind is None else [kind or "no class"]
    notes.append(sizes(graph))
    if drawn and shown.size < graph.n_edges:
        notes.append(f"{shown.size:,} edges drawn")
    return {
        "id": graphs.ids[k],
        "notes": notes,
        "instead": "" if drawn and graph.n_nodes else why_not,
        "chosen": picked,
        "xy": np.rint(UNIT * at).astype(int).ravel().tolist(),
        "edges": graph.edges[shown].ravel().tolist() if drawn else [],
        "vertices": styles.node_codes[k].tolist() if drawn else [],
        "kinds": styles.edge_codes[k][shown].tolist() if drawn else [],
    }


def _shown_edges(n: int) -> IntArray:
    if n <= MOST_EDGES:
        return np.arange(n)
    return np.linspace(0, n - 1, MOST_EDGES).astype(np.int64)
