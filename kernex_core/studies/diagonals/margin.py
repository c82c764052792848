"""What decides on a margin besides C, in the studies of large diagonals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kernex_core.learning.svm import HARD_MARGIN
from kernex_core.parameters import check_parameters, parameter

PAPER_ASYMMETRY = 0.02


def hard_margin_parameter() -> Any:
    """Field for C in the paper's protocols, which start with a hard margin."""
    return parameter(
        HARD_MARGIN, label="Cost", symbol="C", help="From 1e6 on a hard margin, in units of the mean diagonal.",
        low=1e-4, high=1e7, logarithmic=True,
    )  # fmt: skip


@dataclass(frozen=True)
class Margin:
    """What else decides on the margin of a support vector machine besides C."""

    scaled: bool = parameter(
        True,
        label="Divide by the mean diagonal",
        help="Before every training: the kernel over its mean training diagonal. A power changes the scale of a kernel, so "
        "that without this a fixed C means something else at every p.",
    )
    asymmetry: float = parameter(
        0.0,
        label="Asymmetric margin",
        symbol="c",
        help="Adds c × the share of its class among the training items to each training self-similarity, after the "
        f"division: the rarer class gets the harder margin. 0: the same for both. The paper has {PAPER_ASYMMETRY}.",
        low=0.0,
        high=10.0,
        step=0.01,
    )

    def __post_init__(self) -> None:
        check_parameters(self)


SYMMETRIC = Margin()
