"""Table 1 of "A kernel approach for learning from almost orthogonal patterns", measured: strings, p, both bases.

Nothing in here knows what the paper prints (`printed` beside it); a test moves the seed and sees these numbers move.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from kernex_core.datasets.markov_strings import markov_strings
from kernex_core.frozen import FloatArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Sequences
from kernex_core.kernels.sequences.subsequence import Subsequence
from kernex_core.learning.coded import Coded
from kernex_core.learning.folds import Fold
from kernex_core.learning.machine import hard_margin_parameter
from kernex_core.learning.protocol import Judging
from kernex_core.parameters import check_parameters, parameter
from kernex_core.seeds import repetition_rng, repetition_seed
from kernex_core.studies.diagonals.judging import component_losses, neighbour_losses
from kernex_core.studies.diagonals.losses import Losses
from kernex_core.studies.papers.orthogonal.judging_powers import Drawn, Plan, measuring
from kernex_core.studies.papers.orthogonal.power_table import POWERS, PowerTable

NEIGHBOUR, COMPONENTS = "1-NN, all-points map", "SVM on 15 kernel principal components"


@dataclass(frozen=True)
class OrthogonalConfig:
    """Protocol of Table 1: 50 strings a trial, half of them for training, drawn without regard to class."""

    trials: int = parameter(
        20,
        label="Trials",
        help="Each has 50 strings and a split of 25 and 25 of its own.",
        low=1,
        high=10_000,
        step=1,
    )
    splits: int = parameter(
        1, label="Trials per set of strings", help="Trials that share their 50 strings and split them "
        "differently. The paper has "
        "one set and 20 splits of it: then this is 20.", low=1, high=100, step=1,
    )  # fmt: skip
    seed: int = parameter(
        0, label="Seed", help="Set s of strings is drawn from the seed and s.", low=0, high=2**31 - 1, step=1
    )
    length: int = parameter(
        3, label="Subsequence length", symbol="l", help="Letters of a subsequence.", low=1, high=6, step=1
    )
    decay: float = parameter(
        0.25, label="Decay", symbol=r"\lambda", help="Cost of every letter that a subsequence spans.",
        low=0.0, high=1.0, open_low=True, step=0.05,
    )  # fmt: skip
    C: float = hard_margin_parameter()

    def __post_init__(self) -> None:
        check_parameters(self)


def measuring_table_1(config: OrthogonalConfig, *, done: PowerTable | None = None) -> Iterator[PowerTable]:
    """Run the protocol, one trial a step; every step yields the table of all trials so far.

    Parameters
    ----------
    config : OrthogonalConfig
    done : PowerTable, optional
        What an earlier run with the same settings got to: it goes on from there, for a trial depends on the seed and its
        number alone.

    Raises
    ------
    InvalidInputError
        `done` is of another number of trials, or of trials a set.
    """
    plan = Plan(
        POWERS, config.trials, partial(_trial, config), config.C, {NEIGHBOUR: _neighbour, COMPONENTS: _components},
        whole=True, splits=config.splits,
    )  # fmt: skip
    return measuring(plan, done)


def draw(config: OrthogonalConfig, trial: int) -> tuple[GramMatrix, Coded, Fold]:
    """Kernel of the trial's 50 strings, their classes ("uniform" 0, "sticky" 1) and a split of 25 and 25."""
    data = markov_strings(repetition_seed(config.seed, trial // config.splits))
    strings = data.samples["strings"]
    assert isinstance(strings, Sequences)
    K = Subsequence(config.length, config.decay).similarities(strings, name="strings")
    assert data.labels is not None  # simulated data have labels
    codes = (data.labels.y == "sticky").astype(np.int64)
    order = repetition_rng(config.seed, trial).permutation(codes.size)
    half = codes.size // 2
    return K, Coded(codes, ("uniform", "sticky")), Fold(np.sort(order[:half]), np.sort(order[half:]), 0)


def class_values(K: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Similarities between two strings of the first half, and between one of each half."""
    half = len(K) // 2
    return K[:half, :half][np.triu_indices(half, 1)], K[:half, half:].ravel()


def _trial(config: OrthogonalConfig, trial: int) -> Drawn:
    K, coded, fold = draw(config, trial)
    within, between = class_values(K.values)
    described = {
        "within": within.mean(), "between": between.mean(), "within_sd": within.std(), "between_sd": between.std(),
    }  # fmt: skip
    return Drawn([(K, [fold])], coded, described=described)


def _neighbour(K: GramMatrix, how: Judging, p: float | None) -> Losses:
    return neighbour_losses(K, how)


def _components(K: GramMatrix, how: Judging, p: float | None) -> Losses | None:
    return component_losses(K, how) if p is None else None
