"""Configuration of Fig. 1 of "Joint regularization": kernels on vertices, landmarks and walks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kernex_core.extrapolation.hyperparameters import nugget_parameter
from kernex_core.joint.nodes.attributes import NodeColumns
from kernex_core.joint.nodes.landmarks import CHOICES
from kernex_core.parameters import check_parameters, parameter

LAMS: Final = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
COSTS: Final = (1.0, 10.0, 100.0, 1e3, 1e4)
"""What C is chosen from inside the training folds, of every kernel alike: walks make kernels whose entries are close to 1,
and to one another, for which small C are too small."""
ENZYMES: Final = NodeColumns((2, 3, 4, 5), tuple(range(6, 18)))
"""Four continuous totals and twelve counts among the 18 attributes of ENZYMES."""
ENZYMES_SIGMA: Final = 37.0
"""The paper's width, which suits the raw totals of ENZYMES too: their median distance is about 41."""

PAPER_CLASSES: Final = ("4", "6")
"""How the names of the paper's classes end in ENZYMES: EC 4 (lyases) and EC 6 (ligases)."""


@dataclass(frozen=True)
class NodeWalkConfig:
    """Kernels on vertices with mixed attributes, and the walks that compare graphs with them.

    Attributes
    ----------
    columns : NodeColumns or None
        None: whole numbers from 0 on are discrete, the other columns continuous.
    """

    sigma: float | None = parameter(
        None,
        label="Width",
        symbol=r"\sigma",
        help="Of the Gaussian kernel, in the unit of the continuous attributes as they are. The paper has 37.",
        low=0.0,
        open_low=True,
        optional=True,
        auto="the median distance between two landmarks",
        logarithmic=True,
    )
    nugget: float = nugget_parameter(
        help="Added to the diagonal of every kernel on the landmarks. Without it both spaces share next to nothing.",
        open_low=True,
    )
    landmarks: int = parameter(
        200,
        label="Landmarks",
        symbol="n",
        help="Vertices by which all others are described.",
        low=2,
        high=1000,
        step=10,
    )
    choice: str = parameter(
        "sample",
        label="Choice",
        help="Of the landmarks. sample: drawn evenly among vertices with different attributes. k-means++: each far from "
        "those before it.",
        choices=CHOICES,
    )
    length: int = parameter(
        3, label="Walks up to", symbol="L", help="Edges of the longest walk.", low=0, high=6, step=1
    )
    edge_labels: bool = parameter(
        True,
        label="Edges match by label",
        help="Type and rounded length of an edge have to be equal along two walks. Otherwise all edges are equal.",
    )
    seed: int = parameter(0, label="Seed", help="Draws the landmarks.", low=0, high=2**31 - 1, step=1)
    columns: NodeColumns | None = parameter(
        None, hidden=True, help="Which attributes are continuous, and which discrete."
    )

    def __post_init__(self) -> None:
        check_parameters(self)
