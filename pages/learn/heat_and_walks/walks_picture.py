"""Walks against paths on the drawn graph; the walks that two graphs share; and trees, whose similarity is no kernel."""

from __future__ import annotations

from typing import Final

import numpy as np

from kernex_core.gram.graph import Graph
from kernex_core.studies.lessons.heat_and_walks import (
    FIRST,
    LONGEST,
    SECOND,
    SHAPES,
    Matched,
    Trees,
    Ways,
    matched,
    tree,
    trees,
    ways,
)
from pages.learn.heat_and_walks.heat_picture import COOL, HOT, graph_panel
from pages.learn.heat_and_walks.setting import Setting
from pages.learn.heat_and_walks.sketch import sketch_of
from pages.learn.stage.marks import Mark, bars, line, points, segments, text
from pages.learn.stage.picture import Axis, Panel, Picture
from pages.shared.cached import cached
from pages.shared.digits import number
from pages.shared.figures.theme import FITS

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
