"""A leak that is planted, and found by its tag: columns of noise that are chosen by the labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from kernex_core.conditioning.columns_by_labels import columns_by_labels
from kernex_core.frozen import EqualByContent
from kernex_core.gram.center import Center
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.seen import PAIR
from kernex_core.inputs.samples import Vectors
from kernex_core.learning.leakage import EXPLANATIONS, Mode, evaluation_mode
from kernex_core.studies.lessons.luck_or_skill.noise import IDS, ITEMS, LABELS, lesson_folds, right_by_steps

COLUMNS: Final = 1_000
CHOSEN: Final = 20
WORLDS: Final = 5
"""Seeds of the columns that can be chosen, from 0 on."""
_FIRST_SEED = 100
LEAK_COST: Final = 1.0


@dataclass(frozen=True, eq=False)
class LeakRow(EqualByContent):
    """One way to make a kernel of the columns, judged on five folds.

    Attributes
    ----------
    name : str
    right : int
        Of 40.
    mode : {"inductive", "transductive", "leak", "as brought"}
        The tag, computed from the steps of the kernel.
    said : str
        What the tag means.
    """

    name: str
    right: int
    mode: Mode
    said: str

    @property
    def share(self) -> float:
        """Accuracy."""
        return self.right / ITEMS


def noise_columns(world: int) -> Vectors:
    """Forty items with a thousand columns of noise."""
    X = np.random.default_rng(_FIRST_SEED + world).standard_normal((ITEMS, COLUMNS))
    return Vectors(IDS, X, tuple(f"column {j + 1}" for j in range(COLUMNS)))


def leak_rows(world: int = 0) -> tuple[LeakRow, ...]:
    """The same columns four times: all of them, centred, chosen on all items, and chosen inside every fold."""
    vectors = noise_columns(world)
    plain = GramMatrix(vectors.X @ vectors.X.T / COLUMNS, IDS, "all columns", seen=PAIR)
    planted = columns_by_labels(vectors, LABELS, CHOSEN)
    return (
        _row("all 1,000 columns", plain, inductive=False),
        _row("all columns, centred on all items", plain.then(Center()), inductive=False),
        _row("20 columns, chosen on all items", planted, inductive=False),
        _row("20 columns, chosen inside every fold", planted, inductive=True),
    )


def _row(name: str, K: GramMatrix, *, inductive: bool) -> LeakRow:
    right = right_by_steps(K, lesson_folds(5), LEAK_COST, inductive=inductive)
    mode = evaluation_mode(K, inductive=inductive)
    return LeakRow(name, right, mode, EXPLANATIONS[mode])
