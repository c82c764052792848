"""Lesson: heat and walks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from kernex_core.kernels.networks.diffusion import Laplacian
from kernex_core.parameters import check_parameters, parameter
from kernex_core.studies.lessons.check import Check
from kernex_core.studies.lessons.heat_and_walks import heat as core
from pages.learn.screen.question import Choice
from pages.learn.screen.screen import Screen
from pages.learn.screen.teaching import Teaching
from pages.learn.stage.marks import bars, points, segments
from pages.learn.stage.picture import Axis, Panel, Picture
from pages.shared.cached import cached
from pages.shared.digits import number

QUESTION: Final = Choice(
    "Heat starts at the left end of a path of six nodes and spreads, with the normalised Laplacian, until τ = 10. "
    "Which node is then most similar to the end?",
    {"1": "The end itself, node 1", "2": "Its neighbour, node 2", "=": "Both alike"},
    right="2",
    because={
        "1": "Whoever says so thinks of heat, which is hottest where it began. The normalised Laplacian is not heat: it "
        "favours nodes with more neighbours.",
        "2": "With the normalised Laplacian similarity collects at nodes with more neighbours, and node 2 has two.",
        "=": "That is so at one τ only, near 2.06.",
    },
)
TEACHING: Final = Teaching(
    ask=("What is left of the source as τ grows without end?",),
    wrong=(("Node 1.", "It takes the kernel for heat, which only the plain Laplacian gives."),),
    state="bet=-&haw_tau=10",
)
PATH: Final = core.small_graph(6, [(i, i + 1) for i in range(5)])


@dataclass(frozen=True)
class Setting:
    """What the controls say."""

    tau: float = parameter(
        2.0, label="Time", symbol=r"\tau", help="How long heat travels.", low=0.0, high=10.0, step=0.1
    )
    laplacian: Laplacian = parameter(
        "normalized", label="Laplacian", help="The plain one is heat.", choices=("normalized", "unnormalized"),
        names=("normalised", "plain"),
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_parameters(self)


@cached(shared=True)
def row(setting: Setting) -> np.ndarray:
    """Similarity of node 1 to every node."""
    return core.row(PATH, setting.tau, setting.laplacian)


@cached(shared=True)
def drawn(setting: Setting) -> Picture:
    """The path, and the similarity of its end to every node."""
    k, x = row(setting), np.arange(1, 7)
    panel = Panel(
        "Similarity to node 1", "Bars over the six nodes of a path: the similarity of each to the left end.",
        Axis(0.4, 6.6, "node", tuple((float(v), str(v)) for v in x)), Axis(0.0, 1.0, "k(1, node)"),
        (
            bars(x, k, wide=0.6, colour=["#4f86c6"] + ["#2f9e8a"] * 5),
            segments([1], [-0.0], [6], [0.0], colour="muted"),
            points(x, np.zeros(6), size=14, colour="muted"),
        ),
        aspect=0.5,
    )  # fmt: skip
    readings = tuple((f"node {v}", number(float(k[v - 1]), 3)) for v in x)
    return Picture((panel,), readings)


def show(screen: Screen) -> None:
    """Draw the lesson."""
    bet = screen.ask(QUESTION)
    with screen.picture():
        setting = screen.controls(Setting(), only=("tau", "laplacian")) if bet.open else Setting(tau=0.0)
        screen.stage(
            drawn,
            setting,
            follows=("tau",) if bet.open else (),
            play=("tau",),
            formula="k = e^{−[tau|τ][laplacian|L]}",
        )
    if bet.open:
        screen.reveal(
            "Move τ: node 2 overtakes node 1, and in the end similarity follows √ of the number of neighbours."
        )
        screen.challenge("Find the τ at which node 2 overtakes node 1.", setting, lambda: overtakes(setting))
        screen.carry("networks/networks.py", "Try τ on your network", {"tau": setting.tau})


def overtakes(setting: Setting) -> Check:
    """Whether the similarities of nodes 1 and 2 are equal."""
    first, second = row(setting)[:2]
    gap = float(second - first)
    if abs(gap) <= 0.003:
        return Check(True, gap, f"At τ = {number(setting.tau)} they are equal to {number(abs(gap), 4)}.")
    ahead = 2 if gap > 0 else 1
    return Check(False, gap, f"Here node {ahead} is ahead, by {number(abs(gap), 3)}.")
