"""Settings of a map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kernex_core.parameters import check_parameters, parameter

Method = Literal["lle", "kernel pca"]


@dataclass(frozen=True)
class MapConfig:
    """How items are laid flat, and which of them are held out."""

    method: Method = parameter(
        "lle", label="Map", choices=("lle", "kernel pca"), names=("LLE", "kernel PCA"),
        help="LLE keeps how an item is put together from its neighbours; kernel PCA keeps what varies most.",
    )  # fmt: skip
    n_neighbors: int = parameter(
        8, label="Neighbours", symbol="k", low=2, high=60, step=1,
        help="How many nearest items an item is put together from. Too few and the map "
        "falls apart, too many and it takes short cuts.",
    )  # fmt: skip
    share: float = parameter(
        0.2, label="Held out", low=0.0, high=0.9, step=0.05, unit="%",
        help="Share of the items that the map is made without, and that are placed in it afterwards as new ones.",
    )  # fmt: skip
    normalize: bool = parameter(
        False,
        label="Cosine normalisation",
        help="Of a kernel: every item at length 1, so that long items are not far from all others.",
    )
    seed: int = parameter(0, label="Seed", help="Draws the items held out.", low=0, high=2**31 - 1, step=1)

    def __post_init__(self) -> None:
        check_parameters(self)
