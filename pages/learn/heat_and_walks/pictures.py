"""Heat on the graph that a visitor draws: its nodes coloured by their similarity to the source, and bars of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from kernex_core.base.errors import KernexError
from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.gram.graph import Graph
from kernex_core.kernels.networks.diffusion import Laplacian
from kernex_core.studies.lessons.heat_and_walks import (
    BARBELL,
    BET_TIME,
    FIRST,
    LONGEST,
    MOST_NODES,
    PATH,
    SECOND,
    SHAPES,
    TIMES,
    Heat,
    Matched,
    Trees,
    Ways,
    heat,
    matched,
    small_graph,
    tree,
    trees,
    ways,
)
from pages.learn.stage import Axis, Mark, Panel, Picture, bars, line, points, segments, text
from pages.server.cached import cached
from pages.server.digits import number
from pages.ui.figures.theme import ABOVE, BELOW, CIVIDIS, FITS

# What the controls of the lesson say, and what is drawn.


@dataclass(frozen=True)
class Setting:
    """Controls; the drawn graph as text ("" = the path of six), the node that is chosen (-1 = none), and the bet."""

    look: str = parameter(
        "heat", label="Look at", help="Four pictures of one idea: how alike nodes are, and how alike graphs.",
        choices=("heat", "walks", "product", "trees"),
        names=("Heat on a graph", "Walks against paths", "Two graphs", "Trees"),
    )  # fmt: skip
    tau: float = parameter(
        BET_TIME, label="Time", symbol=r"\tau", help="How long heat travels from its node.", low=TIMES[0], high=TIMES[-1],
        stops=TIMES,
    )  # fmt: skip
    laplacian: Laplacian = parameter(
        "normalized", label="Laplacian", choices=("normalized", "unnormalized"), names=("normalised", "plain"),
        help="The plain one, D − A, is heat. The normalised one divides by the root of the numbers of neighbours.",
    )  # fmt: skip
    n: int = parameter(
        2, label="Edges of a walk", symbol="n", help="How many steps a walk takes.", low=0, high=LONGEST
    )
    graph: str = ""
    chosen: int = -1
    bet: str = ""
    open: bool = True

    def __post_init__(self) -> None:
        check_parameters(self)


# The small graph that a visitor draws, as text in the address: places of its nodes, its edges, and where heat starts.
#
# "1050.3050.5080~ab.bc~a"        three nodes at (0.10, 0.50), … joined 1-2 and 2-3; heat starts at node 1

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


UNIT: Final = Axis(0.0, 1.0, ticks=())
HOT: Final = ABOVE
COOL: Final = BELOW
BET: Final = "#7a3e9d"
_TIMES: Final = np.array(TIMES)


@cached(newest=8)
def heated(graph: str, laplacian: Laplacian) -> Heat:
    """The rows of the source for all τ."""
    sketch = sketch_of(graph)
    return heat(sketch.graph, laplacian, sketch.source)


def heat_picture(setting: Setting) -> Picture:
    """Draw graph and bars."""
    sketch, found = sketch_of(setting.graph), heated(setting.graph, setting.laplacian)
    k = np.asarray(found.rows[int(np.searchsorted(_TIMES, setting.tau - 1e-9))])
    return Picture(
        (graph_panel(sketch, setting, k), _bars(sketch, setting, found, k)),
        _readings(setting, found, k) if setting.open else (),
    )


def graph_panel(sketch: Sketch, setting: Setting, k: FloatArray | None = None) -> Panel:
    """The graph; a click on the plane adds a node, on one node and another an edge."""
    x, y = (np.array(sketch.places, dtype=np.float64) / 100.0).T
    i, j = np.array(sketch.edges, dtype=np.int64).reshape(-1, 2).T
    colours = ["#6b7480"] * sketch.n if k is None else [_shade(v / k.max()) for v in k]
    rings = [HOT if v == setting.chosen else "" for v in range(sketch.n)]
    says = [
        f"node {v + 1}{', where heat starts' if v == sketch.source and k is not None else ''}"
        for v in range(sketch.n)
    ]
    marks: list[Mark] = [
        segments(x[i], y[i], x[j], y[j], colour="muted", width=2.5),
        points(
            x, y, colour=colours, size=30, ids=[f"n{v}" for v in range(sketch.n)], movable=True, ring=rings, says=says,
            labels=[str(v + 1) for v in range(sketch.n)], inside=True, ink=[_on(c) for c in colours],
        ),
    ]  # fmt: skip
    alt = f"A graph of {sketch.n} nodes and {len(sketch.edges)} edges"
    return Panel(
        "Your graph",
        alt,
        UNIT,
        UNIT,
        tuple(marks),
        aspect=0.62,
        bare=True,
        place=True,
        stretch=False,
        least=240,
    )


def _bars(sketch: Sketch, setting: Setting, found: Heat, k: FloatArray) -> Panel:
    x = np.arange(1, sketch.n + 1)
    colours = [HOT if v == found.source else COOL for v in range(sketch.n)]
    ticks = tuple((float(v), str(v)) for v in x)
    limit = found.limit if setting.open else np.zeros_like(found.limit)  # where node 2 is ahead: the answer
    marks: list[Mark] = [
        bars(x, k, wide=0.62, colour=colours),
        segments(x - 0.4, limit, x + 0.4, limit, colour="ink", width=2, dash="4 3")
        if setting.open
        else segments([], [], [], []),
        text(x, np.minimum(np.maximum(k, limit), 0.97), [number(float(v), 3) for v in k], up=6),
        *_bet(setting, found, k),
    ]
    return Panel(
        "Similarity to the source", "Bars over the nodes: the similarity of each to the node at which heat starts.",
        Axis(0.4, sketch.n + 0.6, "node", ticks),
        Axis(0.0, 1.05, "k(source, node)", tuple((v / 4, number(v / 4)) for v in range(5))),
        tuple(marks), note="dashed: after endless time" if setting.open else "", aspect=0.75, least=240,
    )  # fmt: skip


def _bet(setting: Setting, found: Heat, k: FloatArray) -> tuple[Mark, ...]:
    """The bet stands over the node that it was put on, as long as the graph is the one of the question."""
    nodes = {"1": [0], "2": [1], "=": [0, 1]}.get(setting.bet, [])
    if setting.graph or not nodes:
        return ()
    at = np.array(nodes)
    return (
        points(
            at + 1,
            np.maximum(k, found.limit)[at] + 0.13,
            marker="triangle-down",
            colour=BET,
            size=11,
            labels=["your bet"] * len(nodes),
        ),
    )


def _readings(setting: Setting, found: Heat, k: FloatArray) -> tuple[tuple[str, str], ...]:
    most = int(k.argmax())
    when = (
        "never"
        if found.overtaken is None
        else f"by node {(found.overtaker or 0) + 1}, at τ = {number(found.overtaken, 3)}"
    )
    asked = setting.graph == "" and setting.laplacian == "normalized"  # the challenge: not to be read off
    return (
        ("τ", number(setting.tau)),
        ("most", f"node {most + 1}, {number(float(k[most]), 3)}"),
        ("sum of all", number(float(k.sum()), 3)),
        *(() if asked else (("source overtaken", when),)),
    )


def _shade(value: float) -> str:
    """The colour of a share of the highest similarity, in as many steps as the eye tells."""
    return CIVIDIS[round(min(max(value, 0.0), 1.0) * (len(CIVIDIS) - 1))]


def _on(colour: str) -> str:
    """Ink that is read on a colour."""
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return "#ffffff" if 0.3 * red + 0.6 * green + 0.1 * blue < 128 else "#1a1a1a"


# Walks against paths on the drawn graph; the walks that two graphs share; and trees, whose similarity is no kernel.

PALE: Final = "55"
"""Appended to a colour: a third of it."""
LABELS: Final = {"A": "#615bc9", "B": FITS}
MOST_WORDS: Final = 6
FIRST_PLACES: Final = ((0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0))
SECOND_PLACES: Final = ((0.0, 0.0), (0.0, 1.0), (0.9, 0.5), (1.9, 0.5))
TREE_COLOURS: Final = {"root": HOT, "child": "#615bc9", "leaf": FITS}


@cached(newest=8)
def counted_ways(graph: str) -> Ways:
    """Walks and paths of a drawn graph."""
    return ways(sketch_of(graph).graph)


@cached(shared=True)
def shared_walks(n: int) -> Matched:
    """Walks of n edges that both graphs have."""
    return matched(n)


@cached(shared=True)
def both_trees() -> Trees:
    """What three rules make of two trees."""
    return trees()


def walks_picture(setting: Setting) -> Picture:
    """Draw the graph, and its walks and paths by their number of edges."""
    sketch, found, x = sketch_of(setting.graph), counted_ways(setting.graph), np.arange(LONGEST + 1)
    high = float(found.walks.max())
    marks: list[Mark] = []
    for counts, side, colour in ((found.walks, -0.2, COOL), (found.paths, 0.2, HOT)):
        colours = [colour if k == setting.n else colour + PALE for k in x]
        marks.append(bars(x + side, counts, wide=0.38, colour=colours))
        marks.append(text(x + side, counts, [f"{int(v):,}" for v in counts], up=4))
    panel = Panel(
        "Walks and paths", "Bars by number of edges: how many walks the graph has, and how many paths.",
        Axis(-0.6, LONGEST + 0.6, "edges n", tuple((float(v), str(v)) for v in x)), Axis(0.0, 1.12 * high, "how many"),
        tuple(marks), note="blue: walks; orange: paths, which visit no node twice", aspect=0.75, least=240,
    )  # fmt: skip
    walks, paths = int(found.walks[setting.n]), int(found.paths[setting.n])
    readings = (
        ("edges", str(setting.n)), ("walks", f"{walks:,}"), ("paths", f"{paths:,}"),
        ("walks that come back", f"{walks - paths:,}"),
    )  # fmt: skip
    return Picture((graph_panel(sketch, setting), panel), readings)


def product_picture(setting: Setting) -> Picture:
    """Draw both graphs, their product on the grid of their nodes, and the label sequences that walks share."""
    found = shared_walks(setting.n)
    best = found.words[0]
    pairs = found.product.pairs
    grid = tuple((float(i), float(j)) for i, j in pairs)
    at = {(int(i), int(j)): k for k, (i, j) in enumerate(pairs)}
    both = tuple(at[pair] for pair in zip(best.walk_s, best.walk_t, strict=True))
    panels = (
        _labelled(
            "G", FIRST, FIRST_PLACES, best.walk_s, Axis(-0.5, 3.5, ticks=()), Axis(-0.6, 0.6, ticks=()), 0.5
        ),
        _labelled(
            "H", SECOND, SECOND_PLACES, best.walk_t, Axis(-0.4, 2.3, ticks=()), Axis(-0.5, 1.5, ticks=()), 0.7
        ),
        _product(found, grid, both),
        _words(found),
    )
    readings = (
        ("edges", str(found.n)), ("matched walks", f"{found.value:,.0f}"), ("of all pairs of walks", f"{found.pairs:,.0f}"),
        ("cosine", number(found.cosine, 3)), ("β of all walks", f"below {number(found.bound, 4)}"),
    )  # fmt: skip
    return Picture(panels, readings)


def _labelled(
    name: str,
    graph: Graph,
    places: tuple[tuple[float, float], ...],
    walk: tuple[int, ...],
    x: Axis,
    y: Axis,
    aspect: float,
) -> Panel:
    names = [] if graph.node_labels is None else [str(label) for label in graph.node_labels]
    marks = _drawn(graph, places, walk, [f"{k + 1}{label}" for k, label in enumerate(names)], 30)
    alt = f"The graph {name}, {graph.n_nodes} nodes with labels A and B"
    return Panel(
        f"Graph {name}", alt, x, y, marks, aspect=aspect, bare=True, weight=0.7, least=170, stretch=False
    )


def _product(found: Matched, grid: tuple[tuple[float, float], ...], walk: tuple[int, ...]) -> Panel:
    ticks = tuple((float(k), f"{k + 1}{label}") for k, label in enumerate("ABBA"))
    marks = _drawn(found.product.graph, grid, walk, [f"{int(i) + 1},{int(j) + 1}" for i, j in grid], 32)
    return Panel(
        "Product graph", "Pairs of nodes with equal labels, joined where both graphs have an edge",
        Axis(-0.5, 3.5, "node of G", ticks), Axis(-0.5, 3.5, "node of H", ticks), marks,
        note="bold: one walk in all three", aspect=0.8, least=250, stretch=False,
    )  # fmt: skip


def _drawn(
    graph: Graph, places: tuple[tuple[float, float], ...], walk: tuple[int, ...], words: list[str], size: int
) -> tuple[Mark, ...]:
    x, y = np.array(places).T
    i, j = graph.edges.T
    labels = [] if graph.node_labels is None else [str(label) for label in graph.node_labels]
    rings = [HOT if k in walk else "" for k in range(graph.n_nodes)]
    return (
        segments(x[i], y[i], x[j], y[j], colour="muted", width=1.5),
        line(x[list(walk)], y[list(walk)], HOT, width=5.0),
        points(
            x, y, colour=[LABELS[label] for label in labels], size=size, labels=words, inside=True, ring=rings
        ),
    )


def _words(found: Matched) -> Panel:
    words = found.words[:MOST_WORDS]
    x, value = np.arange(len(words)), np.array([word.contribution for word in words])
    ticks = tuple((float(k), "".join(word.vertices)) for k, word in enumerate(words))
    left = len(found.words) - len(words)
    note = f"{left} more {'sequences' if left > 1 else 'sequence'}" if left else ""
    said = [f"{word.ways * word.count_s * word.count_t:g}" for word in words]
    return Panel(
        "Labels along matched walks", "Bars: how many pairs of walks read so",
        Axis(-0.6, MOST_WORDS - 0.4, "labels", ticks), Axis(0.0, float(1.15 * value.max()), "pairs of walks"),
        (bars(x, value, wide=0.6, colour=COOL), text(x, value, said, up=4)), note=note, aspect=0.7, least=250,
    )  # fmt: skip


def trees_picture(setting: Setting) -> Picture:
    """Draw both trees, and the square of their cosine by three rules."""
    del setting
    found = both_trees()
    values = np.array([found.ratio, found.of_roots, found.matchings])
    x = np.arange(3)
    ticks = ((0.0, "any set"), (1.0, "from the roots"), (2.0, "each once"))
    panel = Panel(
        "Squared cosine of the trees", "Bars: the squared cosine by three rules; a kernel stays below the dashed line at 1",
        Axis(-0.6, 2.6, "which neighbours may be matched", ticks),
        Axis(0.0, 1.12 * float(values.max()), "K(a,b)² / K(a,a) K(b,b)"),
        (
            bars(x, values, wide=0.6, colour=[HOT, HOT, COOL]), text(x, values, [number(v, 2) for v in values], up=4),
            segments([-0.6], [1.0], [2.6], [1.0], colour="ink", dash="6 4"),
        ),
        note="dashed: 1, which no cosine passes", aspect=0.38, least=420,
    )  # fmt: skip
    a, b = (_tree(name, *shape) for name, shape in zip("ab", SHAPES, strict=True))
    readings = (
        ("K(a,a)", number(found.K[0, 0])),
        ("K(a,b)", number(found.K[0, 1])),
        ("K(b,b)", number(found.K[1, 1])),
    )
    return Picture((a, b, panel), readings)


def _tree(name: str, children: int, leaves: int) -> Panel:
    graph, total = tree(children, leaves), children * leaves
    leaf = (np.arange(total) + 0.5) / total
    child = leaf.reshape(children, leaves).mean(axis=1)
    x, y = np.concatenate([[0.5], child, leaf]), np.repeat([2.0, 1.0, 0.0], [1, children, total])
    i, j = graph.edges.T
    labels = [] if graph.node_labels is None else [TREE_COLOURS[str(label)] for label in graph.node_labels]
    sizes = np.repeat([14.0, 12.0, 8.0], [1, children, total]).tolist()
    marks = (
        segments(x[i], y[i], x[j], y[j], colour="muted", width=1.2), points(x, y, colour=labels, size=sizes),
    )  # fmt: skip
    alt = f"A root, {children} children, {leaves} leaves each"
    return Panel(
        f"Tree {name}", alt, Axis(0.0, 1.0, ticks=()), Axis(-0.3, 2.3, ticks=()), marks,
        note=f"{children} × {leaves} leaves", aspect=0.7, bare=True, weight=0.7, least=150,
    )  # fmt: skip
