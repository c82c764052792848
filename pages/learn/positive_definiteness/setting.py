"""What the controls of the lesson on positive definiteness say, and the edited matrix as the address says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.studies.lessons.positive_definiteness import FEWEST, MOST, band

STEPS: Final = {
    "one": "One unknown", "two": "Two unknown", "body": "Three unknown", "matrix": "A matrix of yours",
}  # fmt: skip
SIGNS: Final = {3: "-+-", 4: "-++-", 5: "-+-+-", 6: "-++-+-"}
"""Classes of the items, before any is changed."""
_CORRELATION: Final = {"low": -1.0, "high": 1.0, "step": 0.01}


@dataclass(frozen=True)
class Setting:
    """Controls of all steps, and what was clicked."""

    r12: float = parameter(0.9, label="A and B", symbol="r₁₂", help="Similarity of A and B.", **_CORRELATION)
    r23: float = parameter(0.9, label="B and C", symbol="r₂₃", help="Similarity of B and C.", **_CORRELATION)
    r13: float = parameter(0.1, label="A and C", symbol="r₁₃", help="Similarity of A and C.", **_CORRELATION)
    turn: float = parameter(
        0.0, label="Turn", low=0.0, high=360.0, step=10.0, help="From where the body is seen, in degrees."
    )
    n: int = parameter(3, label="Items", low=FEWEST, high=MOST, step=1, help="Size of the matrix.")
    value: float = parameter(
        0.1, label="Similarity", low=-1.0, high=1.0, step=0.05, help="Of the ringed pair; click another to change that."
    )  # fmt: skip
    step: str = "one"
    edits: str = ""
    at: str = ""
    signs: str = ""
    revealed: bool = True

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def pair(self) -> tuple[int, int]:
        """Places of the pair that is edited."""
        ends = self.at.split("-")
        if len(ends) == 2 and all(end.isdecimal() and len(end) == 1 for end in ends):
            i, j = sorted(map(int, ends))
            if i < j < self.n:
                return i, j
        return 0, 2

    @property
    def K(self) -> FloatArray:
        """(n, n) the matrix, with the pair's value as the slider says it."""
        made = read(self.edits, self.n).copy()
        i, j = self.pair
        made[i, j] = made[j, i] = self.value
        return made

    @property
    def y(self) -> str:
        """Classes of the items, "-" or "+"."""
        found = self.signs.replace("p", "+").replace("m", "-")
        return found if len(found) == self.n and set(found) <= {"-", "+"} else SIGNS[self.n]


def read(text: str, n: int) -> FloatArray:
    """Return the matrix of an address, "90_10_90" for three items; of another size, or none, similar neighbours."""
    parts, rows = text.split("_"), np.triu_indices(n, 1)
    made = band(n)
    if len(parts) != rows[0].size or not all(
        part.lstrip("-").isdecimal() and len(part) <= 4 for part in parts
    ):
        return made
    values = np.clip([int(part) / 100.0 for part in parts], -1.0, 1.0)
    made = made.copy()
    made[rows] = values
    made.T[rows] = values
    return made


def written(K: FloatArray) -> str:
    """Return a matrix as the address says it: hundredths of what stands above the diagonal."""
    return "_".join(str(round(100.0 * value)) for value in K[np.triu_indices(len(K), 1)])
