"""Table 3: hidden variables. A linear rule on ten variables, seen through all monomials up to degree four.

Source: Schoelkopf et al., "A kernel approach for learning from almost orthogonal patterns", ECML 2002, section 5.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.seen import PAIR
from kernex_core.kernels.vectors.dot_product import Polynomial
from kernex_core.learning.coded import Coded
from kernex_core.learning.folds import stratified_folds
from kernex_core.learning.machine import hard_margin_parameter
from kernex_core.parameters import check_parameters, parameter
from kernex_core.seeds import repetition_rng
from kernex_core.studies.papers.orthogonal.judging_powers import Drawn, Plan, measuring
from kernex_core.studies.papers.orthogonal.power_table import POWERS, PowerTable

HIDDEN, NOISE, SHIFT, FOLDS = 10, 10, 0.5, 10
"""Ten variables with mean ±.5 by class, ten with mean 0, all of variance 1."""


@dataclass(frozen=True)
class HiddenConfig:
    """Protocol of Table 3: new data a repetition, ten folds."""

    data_sets: int = parameter(
        20, label="Data sets", help="Each is drawn anew and judged in ten folds.", low=1, high=500, step=1
    )
    seed: int = parameter(
        0, label="Seed", help="Data set r draws from the seed and r.", low=0, high=2**31 - 1, step=1
    )
    n: int = parameter(
        100, label="Items", symbol="n", help="The paper does not say how many it had; half of each class.",
        low=20, high=400, step=20,
    )  # fmt: skip
    C: float = hard_margin_parameter()

    def __post_init__(self) -> None:
        check_parameters(self)


def hidden_variables(n: int, *, rng: np.random.Generator) -> tuple[GramMatrix, Coded]:
    """Kernel (h'h + 1)⁴ of n items, and their classes: h has 10 variables with mean ±.5 by class and 10 with mean 0."""
    codes = np.repeat([1, 0], [n - n // 2, n // 2]).astype(np.int64)
    signs = 2.0 * codes[:, None] - 1.0
    h = np.hstack([rng.normal(size=(n, HIDDEN)) + SHIFT * signs, rng.normal(size=(n, NOISE))])
    return GramMatrix(Polynomial(degree=4, constant=1.0).gram(h), name="monomials", seen=PAIR), Coded(
        codes, ("−", "+")
    )


def measuring_table_3(config: HiddenConfig, *, done: PowerTable | None = None) -> Iterator[PowerTable]:
    """Run the protocol, one p of one data set a step, and go on from what is `done` with the same settings."""

    def draw(r: int) -> Drawn:
        K, coded = hidden_variables(config.n, rng=repetition_rng(config.seed, r))
        return Drawn([(K, stratified_folds(coded.codes, FOLDS, seed=config.seed, first=r))], coded)

    return measuring(Plan(POWERS, config.data_sets, draw, config.C), done)
