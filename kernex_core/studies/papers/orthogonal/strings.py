"""Table 1 of "A kernel approach for learning from almost orthogonal patterns", measured: strings, p, both bases.

Nothing in here knows what the paper prints (`studies.published`); a test moves the seed and sees these numbers move.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kernex_core.conditioning.empirical_map import EmpiricalMap
from kernex_core.conditioning.power import SignedPower
from kernex_core.datasets.markov_strings import markov_strings
from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.kernels.sequences.subsequence import Subsequence
from kernex_core.learning.evaluate import Coded
from kernex_core.learning.folds import Fold
from kernex_core.parameters import check_parameters, parameter
from kernex_core.studies.diagonals.judging import component_losses, neighbour_losses, svm_losses
from kernex_core.studies.diagonals.margin import hard_margin_parameter

POWERS: tuple[float | None, ...] = (None, 1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)
"""Rows of the table; None is the kernel as it is, 1 the empirical map of it unchanged."""
ALL_POINTS, TRAIN_ONLY, NEIGHBOUR, COMPONENTS = (
    "SVM, all-points map",
    "SVM, train-only map",
    "1-NN, all-points map",
    "SVM on 15 kernel principal components",
)
COLUMNS = (ALL_POINTS, TRAIN_ONLY, NEIGHBOUR, COMPONENTS)


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
        1, label="Trials a set", help="Trials that share their 50 strings and split them differently. The paper does not "
        "say whether its 20 do: then this is 20.", low=1, high=100, step=1,
    )  # fmt: skip
    seed: int = parameter(
        0, label="Seed", help="Set s of strings is drawn from seed + s.", low=0, high=2**31 - 1, step=1
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


@dataclass(frozen=True, eq=False)
class OrthogonalTable(ReadOnlyArrays):
    """Trials that are done.

    Attributes
    ----------
    losses : dict of str to (done, 11) float
        Balanced loss by column of COLUMNS, rows as in POWERS; NaN where a column has no such row.
    within, between : (done,) float
        Mean kernel value between two strings of the class that repeats letters, and between classes.
    within_sd, between_sd : (done,) float
        Their standard deviations over pairs, the paper's ±.
    training_errors, at_bound : int
        Of all hard-margin machines: 0 where every margin was hard.
    done, total : int
    seconds : float
    splits : int
        Trials that share a set of strings, one after another.
    """

    losses: dict[str, FloatArray]
    within: FloatArray
    between: FloatArray
    within_sd: FloatArray
    between_sd: FloatArray
    training_errors: int
    at_bound: int
    done: int
    total: int
    seconds: float
    splits: int = 1

    @property
    def powers(self) -> tuple[float | None, ...]:
        """Rows of the table."""
        return POWERS

    @property
    def n_folds(self) -> int:
        """A trial tests one half of its items once."""
        return 1

    @property
    def repetitions(self) -> int:
        """Trials that are done."""
        return self.done

    @property
    def planned(self) -> int:
        """Trials that were asked for."""
        return self.total

    @property
    def counts(self) -> IntArray:
        """(11,) trials of each row."""
        return np.full(len(POWERS), self.done)

    def by_repetition(self, column: str) -> FloatArray:
        """(sets, 11) losses of every set of strings: means over the trials that share it."""
        values = self._of(column)
        sets = [values[at : at + self.splits].mean(axis=0) for at in range(0, self.done, self.splits)]
        return np.array(sets).reshape(-1, len(POWERS))

    def mean(self, column: str) -> FloatArray:
        """(11,) mean over trials."""
        return np.asarray(self._of(column).mean(axis=0))

    def sd(self, column: str) -> FloatArray:
        """(11,) standard deviation over trials, the paper's ±; NaN for one trial."""
        values = self._of(column)
        return np.asarray(values.std(axis=0, ddof=1) if len(values) > 1 else np.full(len(POWERS), np.nan))

    def sd_repetitions(self, column: str) -> FloatArray:
        """(11,) the same: a trial has one fold."""
        return self.sd(column)

    def se(self, column: str) -> FloatArray:
        """(11,) standard error; the units are sets of strings, for trials that share one are not independent."""
        sets = self.by_repetition(column)
        if len(sets) < 2:
            return np.full(len(POWERS), np.nan)
        return np.asarray(sets.std(axis=0, ddof=1) / np.sqrt(len(sets)))

    def _of(self, column: str) -> FloatArray:
        if column not in self.losses:
            raise InvalidInputError(f"A column is one of {', '.join(self.losses)}", repr(column))
        return self.losses[column]


def measuring_table_1(
    config: OrthogonalConfig, *, done: OrthogonalTable | None = None
) -> Iterator[OrthogonalTable]:
    """Run the protocol, one trial a step; every step yields the table of all trials so far.

    Parameters
    ----------
    config : OrthogonalConfig
    done : OrthogonalTable, optional
        What an earlier run with the same settings got to: it goes on from there, for a trial depends on the seed and its
        number alone.

    Raises
    ------
    InvalidInputError
        `done` is of another number of trials, or of trials a set.
    """
    nothing = {column: np.empty((0, len(POWERS))) for column in COLUMNS}
    none = np.empty(0)
    table = done or OrthogonalTable(
        nothing, none, none, none, none, 0, 0, 0, config.trials, 0.0, config.splits
    )
    if (table.total, table.splits) != (config.trials, config.splits):
        raise InvalidInputError(
            f"A table goes on to {config.trials} trials, {config.splits} a set",
            f"one of {table.total}, {table.splits} a set",
        )
    started, earlier = time.perf_counter(), table.seconds
    for trial in range(table.done, config.trials):
        K, coded, fold = draw(config, trial)
        made, (wrong, at_bound) = _trial(config, K, coded, fold)
        within, between = class_values(K.values)
        table = OrthogonalTable(
            losses={column: np.vstack([table.losses[column], made[column]]) for column in COLUMNS},
            within=np.append(table.within, within.mean()),
            between=np.append(table.between, between.mean()),
            within_sd=np.append(table.within_sd, within.std()),
            between_sd=np.append(table.between_sd, between.std()),
            training_errors=table.training_errors + wrong,
            at_bound=table.at_bound + at_bound,
            done=trial + 1,
            total=config.trials,
            seconds=earlier + time.perf_counter() - started,
            splits=config.splits,
        )
        yield table


def draw(config: OrthogonalConfig, trial: int) -> tuple[GramMatrix, Coded, Fold]:
    """Kernel of the trial's 50 strings, their classes ("uniform" 0, "sticky" 1) and a split of 25 and 25."""
    data = markov_strings(config.seed + trial // config.splits)
    strings = data.samples["strings"]
    K = Subsequence(config.length, config.decay).similarities(strings, name="strings")
    assert data.labels is not None  # simulated data have labels
    codes = (data.labels.y == "sticky").astype(np.int64)
    order = np.random.default_rng([config.seed, trial]).permutation(codes.size)
    half = codes.size // 2
    return K, Coded(codes, ("uniform", "sticky")), Fold(np.sort(order[:half]), np.sort(order[half:]), 0)


def class_values(K: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Similarities between two strings of the first half, and between one of each half."""
    half = len(K) // 2
    return K[:half, :half][np.triu_indices(half, 1)], K[:half, half:].ravel()


def _trial(
    config: OrthogonalConfig, K: GramMatrix, coded: Coded, fold: Fold
) -> tuple[dict[str, FloatArray], tuple[int, int]]:
    made = {column: np.full(len(POWERS), np.nan) for column in COLUMNS}
    errors = bound = 0
    for row, p in enumerate(POWERS):
        mapped = K if p is None else K.then(EmpiricalMap(SignedPower(p)))
        for column, inductive in ((ALL_POINTS, False), (TRAIN_ONLY, True)):
            found = svm_losses(mapped, coded, [fold], C=config.C, inductive=inductive)
            made[column][row] = found.mean
            errors, bound = errors + found.training_errors, bound + found.at_bound
        made[NEIGHBOUR][row] = neighbour_losses(mapped, coded, [fold], inductive=False).mean
    made[COMPONENTS][0] = component_losses(K, coded, [fold], C=config.C).mean
    return made, (errors, bound)
