"""What decides on a margin besides C, in the studies of large diagonals."""

from __future__ import annotations

from dataclasses import dataclass

from kernex_core.parameters import check_parameters, parameter

PAPER_ASYMMETRY = 0.02


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
