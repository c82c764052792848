"""Which kernel principal components the studies of large diagonals train a support vector machine on."""

from __future__ import annotations

from dataclasses import dataclass

from kernex_core.parameters import check_parameters, parameter


@dataclass(frozen=True)
class Components:
    """Kernel principal components: how many, and whether of the centred kernel."""

    number: int = parameter(
        15, label="Kernel components", help="Leading principal components that the third classifier sees; the paper has 15.",
        low=1, high=500, step=1,
    )  # fmt: skip
    centred: bool = parameter(
        False,
        label="Centre the components",
        help="Of the kernel after centring. The published numbers fit components of the kernel as it is.",
    )

    def __post_init__(self) -> None:
        check_parameters(self)


PAPER_COMPONENTS = Components()
