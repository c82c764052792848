"""The small graph that a visitor draws, as text in the address: places of its nodes, its edges, and where heat starts.

"1050.3050.5080~ab.bc~a"        three nodes at (0.10, 0.50), … joined 1-2 and 2-3; heat starts at node 1
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from kernex_core.base.errors import KernexError
from kernex_core.gram.graph import Graph
from kernex_core.studies.lessons.heat_and_walks import BARBELL, MOST_NODES, PATH, small_graph

LETTERS: Final = "abcdefghijkl"
WRITTEN: Final = re.compile(r"(\d{4}(?:\.\d{4})*)~((?:[a-l]{2}(?:\.[a-l]{2})*)?)~([a-l])")


@dataclass(frozen=True)
class Sketch:
    """A drawn graph.

    Attributes
    ----------
    places : tuple of (int, int)
        Hundredths from the left and from below, 0 to 99.
    edges : tuple of (int, int)
        Nodes from 0, the smaller first.
    source : int
    """

    places: tuple[tuple[int, int], ...]
    edges: tuple[tuple[int, int], ...]
    source: int = 0

    @property
    def n(self) -> int:
        """Number of nodes."""
        return len(self.places)

    @property
    def graph(self) -> Graph:
        """The graph itself."""
        return small_graph(self.n, self.edges)

    @property
    def text(self) -> str:
        """What stands in the address."""
        places = ".".join(f"{x:02d}{y:02d}" for x, y in self.places)
        edges = ".".join(LETTERS[i] + LETTERS[j] for i, j in self.edges)
        return f"{places}~{edges}~{LETTERS[self.source]}"

    def with_node(self, x: float, y: float, joined: int | None) -> Sketch:
        """One more node, perhaps with an edge; the same graph where it has as many as it may."""
        if self.n >= MOST_NODES:
            return self
        edges = self.edges if joined is None else (*self.edges, (joined, self.n))
        return replace(self, places=(*self.places, _place(x, y)), edges=edges)

    def with_edge_or_without(self, i: int, j: int) -> Sketch:
        """Join two nodes, or take their edge away."""
        pair = (min(i, j), max(i, j))
        if pair in self.edges:
            return replace(self, edges=tuple(edge for edge in self.edges if edge != pair))
        return replace(self, edges=(*self.edges, pair))

    def moved(self, node: int, x: float, y: float) -> Sketch:
        """A node at another place."""
        places = (*self.places[:node], _place(x, y), *self.places[node + 1 :])
        return replace(self, places=places)

    def without(self, node: int) -> Sketch:
        """Without a node; the last one stays."""
        if self.n == 1:
            return self
        at = [k for k in range(self.n) if k != node]
        edges = tuple((at.index(i), at.index(j)) for i, j in self.edges if node not in (i, j))
        source = at.index(self.source) if self.source in at else 0
        return Sketch(tuple(self.places[k] for k in at), edges, source)


def _place(x: float, y: float) -> tuple[int, int]:
    return tuple(min(max(round(100.0 * v), 0), 99) for v in (x, y))  # type: ignore[return-value]


def _of(graph: Graph, places: tuple[tuple[int, int], ...]) -> Sketch:
    return Sketch(places, tuple((int(i), int(j)) for i, j in graph.edges))


PATH_SKETCH: Final = _of(PATH, ((8, 50), (25, 50), (42, 50), (58, 50), (75, 50), (92, 50)))
BARBELL_SKETCH: Final = _of(BARBELL, ((10, 80), (10, 20), (36, 50), (64, 50), (90, 80), (90, 20)))
ONE_NODE: Final = Sketch(((50, 50),), ())


def sketch_of(text: str) -> Sketch:
    """Return the graph that a text says; the path of six where it says none."""
    found = WRITTEN.fullmatch(text)
    if not found:
        return PATH_SKETCH
    places = tuple((int(part[:2]), int(part[2:])) for part in found[1].split("."))
    pairs = [sorted(LETTERS.index(letter) for letter in part) for part in found[2].split(".") if part]
    made = Sketch(places, tuple(dict.fromkeys((i, j) for i, j in pairs)), LETTERS.index(found[3]))
    try:
        graph = made.graph
    except KernexError:
        return PATH_SKETCH
    return made if made.source < graph.n_nodes else PATH_SKETCH
