"""What a user can choose when a similarity matrix is read, whatever format it comes in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kernex_core.parameters import check_parameters, parameter
from kernex_core.validation import ITEM_LIMIT, SAMPLE_LIMIT


@dataclass(frozen=True)
class ReadOptions:
    """Base of all formats' options."""

    limit: int = parameter(
        ITEM_LIMIT, help="Largest number of items that is read.", label="Item limit", low=2, hidden=True
    )

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclass(frozen=True)
class SampleOptions(ReadOptions):
    """Options of every format that holds samples: more are read than a matrix is made of."""

    limit: int = parameter(
        SAMPLE_LIMIT, help="Largest number of samples that is read.", label="Item limit", low=2, hidden=True
    )


@dataclass(frozen=True)
class SimilarityOptions(ReadOptions):
    """Options of every format that holds similarities."""

    meaning: Literal["similarity", "distance"] = parameter(
        "similarity",
        help="What the numbers mean: larger is more alike, or larger is further apart.",
        label="The numbers are",
        choices=("similarity", "distance"),
    )
    conversion: Literal["gaussian", "one_minus", "max_minus", "inverse", "centring"] = parameter(
        "gaussian",
        help="How distances become similarities: exp(−γ d²), 1 − d, max − d, 1/d, or double centring of d².",
        label="Distance to similarity",
        choices=("gaussian", "one_minus", "max_minus", "inverse", "centring"),
    )
    gamma: float | None = parameter(
        None,
        help="Width of exp(−γ d²).",
        label="Width",
        symbol=r"\gamma",
        low=0.0,
        open_low=True,
        optional=True,
        auto="1 / median of d² over all pairs",
        logarithmic=True,
    )
    symmetrise: Literal["mean", "max", "refuse"] = parameter(
        "mean",
        help="What to take where the entry (i, j) differs from (j, i).",
        label="Symmetrise by",
        choices=("mean", "max", "refuse"),
    )
