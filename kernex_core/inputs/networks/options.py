"""What a user can choose when a network is read, whatever format it comes in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kernex_core.inputs.options import SampleOptions
from kernex_core.parameters import parameter

EDGE_LIMIT = 5_000_000
"""Largest number of lines of edges that are read."""


@dataclass(frozen=True)
class NetworkOptions(SampleOptions):
    """Options of every format that holds a network."""

    repeated: Literal["max", "sum", "mean"] = parameter(
        "max",
        help="What counts where the same two nodes are joined more than once, in either direction.",
        label="Repeated edges",
        choices=("max", "sum", "mean"),
        names=("the largest weight", "the sum", "the mean"),
    )
    negative: Literal["keep", "absolute", "drop"] = parameter(
        "keep",
        help="What a negative weight becomes; kernels of the Laplacian refuse them.",
        label="Negative weights",
        choices=("keep", "absolute", "drop"),
        names=("stay", "their size counts", "are no edges"),
    )
