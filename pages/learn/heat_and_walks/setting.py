"""What the controls of the lesson say, and what is drawn."""

from __future__ import annotations

from dataclasses import dataclass

from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.kernels.networks.diffusion import Laplacian
from kernex_core.studies.lessons.heat_and_walks import BET_TIME, LONGEST, TIMES


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
