"""What the controls of the lesson on regularisation say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.learning.learners.losses import MARGIN_LOSSES, RESIDUAL_LOSSES, Loss
from kernex_core.studies.lessons.regularisation import LEAST, MOST, SEEDS

LOSSES: Final[dict[str, Loss]] = {
    **{f"{each.name} of a margin": each for each in MARGIN_LOSSES},
    **{f"{each.name} of a residual": each for each in RESIDUAL_LOSSES},
}
STEPS: Final = {
    "paths": "Coefficients", "curve": "Bias and variance", "losses": "Losses", "hard": "Hard margin",
}  # fmt: skip


@dataclass(frozen=True)
class Setting:
    """Controls of all steps; each step shows one or two of them."""

    lam: float = parameter(
        0.1, label="Strength", symbol=r"\lambda", low=LEAST, high=MOST, logarithmic=True, fine=True,
        help="What the length of the solution costs, beside its errors.",
    )  # fmt: skip
    seed: int = parameter(
        0, label="Noise", low=0, high=SEEDS - 1, step=1, help="Which of 200 draws of the noise; their seeds are 0 to 199."
    )  # fmt: skip
    loss: str = parameter(
        "Hinge of a margin", label="Loss", symbol="ℓ", choices=tuple(LOSSES),
        help="What an error costs. A margin is y f(x), large is good; a residual is y − f(x), 0 is good.",
    )  # fmt: skip
    C: float = parameter(
        0.1, label="Cost", symbol="C", low=0.01, high=100.0, logarithmic=True, fine=True,
        help="The most that one item may weigh.",
    )  # fmt: skip
    step: str = "paths"
    revealed: bool = True

    def __post_init__(self) -> None:
        check_parameters(self)
