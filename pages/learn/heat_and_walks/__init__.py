"""Lesson: heat and walks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import streamlit as st

from kernex_core.inputs.dataset import DataSet, Defaults
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.networks.network import Network
from kernex_core.studies.lessons.catalogue import Check
from kernex_core.studies.lessons.heat_and_walks import BET_TIME, FIRST, SECOND, check, right_bet
from pages.learn.heat_and_walks.pictures import (
    BARBELL_SKETCH,
    ONE_NODE,
    Setting,
    both_trees,
    counted_ways,
    heat_picture,
    product_picture,
    shared_walks,
    sketch_of,
    trees_picture,
    walks_picture,
)
from pages.learn.screen import Bet, Choice, Screen, Teaching, settings_of
from pages.learn.stage import Picture, Told
from pages.server import workspace
from pages.server.digits import number

# What the lesson takes along to the working pages: the drawn graph as a network, and the two graphs of the product.


def drawn_network(graph: str, tau: float) -> DataSet:
    """The drawn graph as a network whose kernels start at τ."""
    found = sketch_of(graph).graph
    ids = tuple(f"node {k + 1}" for k in range(found.n_nodes))
    return DataSet(
        "graph of the lesson", ids, samples={"network": Network(ids, found.adjacency)}, defaults=Defaults(tau=tau),
        description="The graph that was drawn in the lesson Heat and walks.",
    )  # fmt: skip


def two_graphs() -> DataSet:
    """Both graphs of the product, as items."""
    ids = ("G", "H")
    return DataSet(
        "two graphs of the lesson", ids, samples={"graphs": GraphSet.of((FIRST, SECOND), ids)},
        description="The two graphs of the lesson Heat and walks, whose shared walks it counts.",
    )  # fmt: skip


# Question, picture, reveal and challenge of the lesson on heat and walks.

GRAPH: Final = "graph"
CHOSEN: Final = "heat_and_walks.chosen"
QUESTION: Final = Choice(
    f"Similarity spreads from the left end of a path of six nodes, by the normalised Laplacian, until τ = {BET_TIME:g}. "
    "Which node is then most similar to that end?",
    {"1": "The end itself, node 1", "2": "Its neighbour, node 2", "=": "Both alike"},
    right=str(right_bet() + 1),
    because={
        "1": "This takes the kernel for heat, which is hottest where it began. By the normalised Laplacian similarity is no "
        "heat: it collects at nodes with more neighbours, and node 2 has two.",
        "2": "By the normalised Laplacian similarity collects at nodes with more neighbours, and node 2 has two.",
        "=": "This takes what is spread for what is even. They are alike at one moment only; after it node 2 is ahead, for "
        "it has more neighbours.",
    },
)
TEACHING: Final = Teaching(
    ask=(
        "What is left of the source as τ grows without end?",
        "Draw a graph on which no node ever overtakes the source.",
        "Which paths of five edges does the path of six have, and why so few against its walks?",
    ),
    wrong=(
        ("Node 1.", "It takes the kernel for heat, which only the plain Laplacian gives."),
        ("A walk is a path.", "It forgets that a walk may turn back: most long walks do."),
    ),
    state="bet=-",
)


@dataclass(frozen=True)
class Look:
    """A picture: its further controls, those that it follows, its formula, what is drawn, and words to explain."""

    controls: tuple[str, ...]
    follows: tuple[str, ...]
    formula: str
    draw: Callable[[Setting], Picture]
    words: tuple[str, ...]


LOOKS: Final[Mapping[str, Look]] = {
    "heat": Look(
        ("tau", "laplacian"),
        ("tau",),
        "k(i, j) = (e^{−[tau|τ][laplacian|L]})_{i,j}",
        heat_picture,
        ("Laplacian", "Diffusion"),
    ),
    "walks": Look(("n",), ("n",), "walks = 1ᵀA^{[n|n]}1", walks_picture, ("Walk",)),
    "product": Look(("n",), ("n",), "k(G, H) = 1ᵀA_{×}^{[n|n]}1", product_picture, ("Walk", "Product graph")),
    "trees": Look(
        (),
        (),
        "k_{h}(u, v) = 1_{u, v alike} Π (1 + λ k_{h−1}(u′, v′))",
        trees_picture,
        ("Tree pattern", "Kernel"),
    ),
}


SETTINGS: Final = settings_of("heat_and_walks", Setting, GRAPH)


def show(screen: Screen) -> None:
    """Draw the lesson."""
    bet = screen.ask(QUESTION, ("Laplacian",))
    with screen.picture():
        setting = _picture(screen, bet)
    if bet.open:
        screen.reveal(_seen(setting), words=LOOKS[setting.look].words)
        screen.challenge(
            "By the normalised Laplacian, find the τ at which node 2 of the path overtakes node 1.",
            setting, partial(_overtakes, setting),
        )  # fmt: skip
        _carry(screen, setting)


def _picture(screen: Screen, bet: Bet) -> Setting:
    if not bet.open:
        before = Setting(tau=0.0, open=False)
        screen.stage(heat_picture, before, formula=LOOKS["heat"].formula)
        return before
    start = Setting(graph=screen.kept(GRAPH), chosen=workspace.recall(CHOSEN, -1), bet=bet.answer)
    setting = screen.controls(start, only=("look",), of=(180, "stretch", "stretch"))
    look = LOOKS[setting.look]
    if look.controls:
        setting = screen.controls(setting, only=look.controls)
    follows = look.follows
    screen.stage(
        look.draw, setting, follows=follows, play=follows, formula=look.formula, on=partial(_drawn, screen)
    )
    if setting.look in ("heat", "walks"):
        _tools(screen, setting)
    return setting


def _drawn(screen: Screen, act: str, told: Told) -> None:
    """A click on the plane adds a node, one on a node chooses it, and one on another then joins or parts them."""
    sketch, chosen = sketch_of(screen.kept(GRAPH)), workspace.recall(CHOSEN, -1)
    chosen = chosen if 0 <= chosen < sketch.n else -1
    if act == "placed":
        made = sketch.with_node(float(told[0]), float(told[1]), chosen if chosen >= 0 else None)
        _keep(screen, made.text, made.n - 1 if made.n > sketch.n else chosen)
        return
    node = int(str(told[0])[1:])
    if node >= sketch.n:
        return
    if act == "moved":
        _keep(screen, sketch.moved(node, float(told[1]), float(told[2])).text, chosen)
    elif act == "removed":
        _keep(screen, sketch.without(node).text, -1)
    elif chosen in (-1, node):
        workspace.remember(CHOSEN, node if chosen == -1 else -1)
    else:
        _keep(screen, sketch.with_edge_or_without(chosen, node).text, -1)


def _keep(screen: Screen, text: str, chosen: int = -1) -> None:
    workspace.remember(CHOSEN, chosen)
    screen.keep(GRAPH, text)


def _tools(screen: Screen, setting: Setting) -> None:
    """Graphs to begin with, and what can be done with the node that is chosen."""
    sketch, node = sketch_of(setting.graph), setting.chosen
    offered = [("Path of six", ""), ("Barbell", BARBELL_SKETCH.text), ("Draw one", ONE_NODE.text)]
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        for name, text in offered:
            _tool(screen, name, text)
        if 0 <= node < sketch.n:
            _tool(screen, f"Start at node {node + 1}", replace(sketch, source=node).text)
            _tool(screen, f"Take node {node + 1} out", sketch.without(node).text)
        st.caption(
            "Click the plane for a node, two nodes for an edge; drag a node to move it." if node < 0 else
            f"Node {node + 1} is chosen: the next click joins it.", width="content",
        )  # fmt: skip


def _tool(screen: Screen, name: str, text: str) -> None:
    chosen = 0 if text == ONE_NODE.text else -1
    key = f"heat_and_walks.{name.split()[0]}"
    st.button(
        name, key=key, type="tertiary", on_click=_keep, args=(screen, text, chosen), help="Changes the graph."
    )


def _seen(setting: Setting) -> str:
    if setting.look == "heat":
        return (
            "The normalised Laplacian leads, in the end, to similarities that grow with the root of the number of "
            "neighbours (dashed). Only the plain one is heat: what was there at the start stays (the sum is 1), the source "
            "stays hottest, and in the end all is even. The brightest node is the most similar one."
        )
    if setting.look == "walks":
        found = counted_ways(setting.graph)
        walks, paths = (f"{int(v[setting.n]):,}" for v in (found.walks, found.paths))
        return (
            f"A walk may turn back and come again, a path may not: with n = {setting.n} there are {walks} walks and {paths} "
            "paths. Walks are counted by powers of the table A of edges; for paths no such short way is known."
        )
    if setting.look == "product":
        shared = shared_walks(setting.n)
        return (
            "A walk in the product is a walk in both graphs with the same labels: "
            f"{shared.value:,.0f} of {shared.pairs:,.0f} pairs. The sum over walks of all lengths, weighted by βⁿ, is "
            f"finite for both graphs, also each with itself, for β below {number(shared.bound, 4)} only."
        )
    found_trees = both_trees()
    return (
        "Trees are laid onto each other along edges. If any set of pairs of neighbours may be matched, the squared "
        f"cosine of these two is {number(found_trees.ratio, 2)} (from the roots alone "
        f"{number(found_trees.of_roots, 2)}): above 1, so this is no kernel. It is one if no neighbour is taken twice."
    )


def _overtakes(setting: Setting) -> Check:
    """The path and the normalised Laplacian are asked for; the core judges τ."""
    if setting.look == "heat" and setting.graph == "" and setting.laplacian == "normalized":
        return check(setting.tau)
    return Check(
        False,
        setting.tau,
        "This is asked of the path of six, under Heat on a graph, with the normalised Laplacian.",
    )


def _carry(screen: Screen, setting: Setting) -> None:
    if setting.look in ("product", "trees"):
        screen.carry(
            "graphs", "Compare both graphs on the page Graphs",
            {"graphs_tab": "Why similar?", "graph_kernel": "Walks of n edges", "WalkOfOrder.n": setting.n}, two_graphs,
        )  # fmt: skip
        return
    screen.carry("networks", "Try this τ on your network", {"tau": setting.tau})
    screen.carry(
        "networks", "Take this graph to Networks", {"tau": setting.tau},
        partial(drawn_network, setting.graph, setting.tau), "Opens the working page with this graph and this τ.",
    )  # fmt: skip
