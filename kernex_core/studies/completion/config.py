"""What the page Complete can be asked: what is hidden, and how both kernels are conditioned."""

from __future__ import annotations

from dataclasses import dataclass

from kernex_core.conditioning.conditioned import REPAIR_CHOICES
from kernex_core.extrapolation.hyperparameters import constraint_parameter, nugget_parameter
from kernex_core.parameters import check_parameters, parameter


@dataclass(frozen=True)
class CompletionConfig:
    """What is hidden and how both kernels are conditioned; λ is not part of it."""

    share: float | None = parameter(
        0.25,
        label="Hidden share of the target",
        help="Share of the known items whose target similarities are hidden, to see how well they are rebuilt. "
        "Empty: as uploaded, only what is unknown anyway.",
        low=0.0,
        high=0.95,
        step=0.05,
        unit="%",
        optional=True,
        auto="as uploaded",
    )
    nugget: float = nugget_parameter()
    seed: int = parameter(
        0, label="Seed", help="Draws which items are hidden.", low=0, high=2**31 - 1, step=1
    )
    constraint: str = constraint_parameter()
    repair: str = parameter(
        "clip",
        label="Repair",
        help="What is done with negative eigenvalues before anything else; kernels without any are left as they are.",
        choices=REPAIR_CHOICES,
    )
    repair_whole: bool = parameter(
        False,
        label="Repair before hiding",
        help="As in the paper: the whole target is repaired and then hidden. What is hidden leaks into what is known.",
    )
    normalize: bool = parameter(
        True,
        label="Cosine normalisation",
        help="Every item gets self-similarity 1 before the nugget is added.",
    )
    residual: bool = parameter(
        False,
        label="Keep the residual",
        help="Add the part of the source that the known items do not span, divided by λ.",
    )
    normalize_after: bool = parameter(
        False,
        label="Normalise the joint kernel",
        help="Cosine normalisation of the result; the papers have none, and it changes accuracies a lot.",
    )

    def __post_init__(self) -> None:
        check_parameters(self)
