"""Heat on the graph that a visitor draws: its nodes coloured by their similarity to the source, and bars of it."""

from __future__ import annotations

from typing import Final

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.kernels.networks.diffusion import Laplacian
from kernex_core.studies.lessons.heat_and_walks import TIMES, Heat, heat
from pages.learn.heat_and_walks.setting import Setting
from pages.learn.heat_and_walks.sketch import Sketch, sketch_of
from pages.learn.stage.marks import Mark, bars, points, segments, text
from pages.learn.stage.picture import Axis, Panel, Picture
from pages.shared.cached import cached
from pages.shared.digits import number
from pages.shared.figures.theme import ABOVE, BELOW, CIVIDIS

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
