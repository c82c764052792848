from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.studies.papers.orthogonal import printed
from kernex_core.studies.papers.orthogonal.power_table import ALL_POINTS, POWERS, TRAIN_ONLY
from kernex_core.studies.papers.orthogonal.tables import (
    BETWEEN_SETS,
    COMPONENTS,
    NEIGHBOUR,
    OrthogonalConfig,
    class_values,
    draw,
    measuring_table_1,
)
from kernex_core.studies.papers.orthogonal.tables import SETS as SETS_MEASURED
from science.table import Row, difference_se

TITLE = (
    """Table 1 of "Almost orthogonal patterns": strings, 12,000 trials in each of two readings, both bases."""
)
SMALL = {"TRIALS": 40, "CHUNK": 20, "SETS": 10}
TRIALS, CHUNK = 12_000, 500
SETS = 1_000
"""Sets of strings whose similarities are described."""
OTHER_CODE = {
    ALL_POINTS: [0.323, 0.271, 0.233, 0.199, 0.171, 0.153, 0.143, 0.149, 0.159, 0.183, 0.228],
    TRAIN_ONLY: [0.323, 0.395, 0.361, 0.318, 0.270, 0.227, 0.192, 0.178, 0.190, 0.226, 0.278],
}
"""By other code, over 1,200 independent trials."""
OTHER_TRIALS = 1_200
OTHER_NEIGHBOUR = {None: 0.406, 0.6: 0.209, 0.3: 0.195}
OTHER_COMPONENTS = 0.243
"""By other code, over a number of trials that is not said: their standard error is not known, and they are not held."""
DEFINED_NEIGHBOUR = {None: 0.4158, 0.6: 0.2148, 0.3: 0.1936}
DEFINED_COMPONENTS = 0.2633
DEFINED_TRIALS = 2_400
"""By `orthogonal_table_1_by_definition`, with strings of its own."""
OTHER_VALUES = {"within": (2.9e-4, 8e-4), "between": (2.9e-5, 9e-5)}
"""Mean similarity and its standard deviation over pairs."""


Chunk = tuple[dict[str, FloatArray], int]
"""Losses (trials, rows) by column, and machines whose margin was not hard."""


def chunk(task: tuple[int, int]) -> Chunk:
    seed, splits = task
    *_, table = measuring_table_1(OrthogonalConfig(trials=CHUNK, splits=splits, seed=seed))
    losses = {name: values.reshape(-1, len(POWERS)) for name, values in table.losses.items()}
    return losses, table.training_errors + table.at_bound


def pairs(trial: int) -> list[float]:
    """Mean and standard deviation of the similarities within and between classes of one set of strings."""
    within, between = class_values(draw(OrthogonalConfig(), trial)[0].values)
    return [within.mean(), between.mean(), within.std(), between.std()]


def rows(map_: Callable[..., Iterable[Any]]) -> Iterator[Row]:
    for splits in (1, printed.TRIALS):
        reading = "own strings" if splits == 1 else f"{splits} share strings"
        found = list(map_(chunk, [(100_000 + CHUNK * i, splits) for i in range(TRIALS // CHUNK)]))
        losses = {name: np.concatenate([part[name] for part, _ in found]) for name in found[0][0]}
        for column in (ALL_POINTS, TRAIN_ONLY):
            yield from _column(f"{reading}, {column}", losses[column], splits, column)
            if splits > 1:
                yield from _between(losses[column], column)
        if splits == 1:
            yield from _beside(losses)
        yield Row(f"{reading}: margins that were not hard", sum(wrong for _, wrong in found), 0.0)

    yield from _values(np.array(list(map_(pairs, range(SETS), chunksize=50))))


def _column(what: str, losses: FloatArray, splits: int, column: str) -> Iterator[Row]:
    sets = losses.reshape(-1, splits, len(POWERS)).mean(axis=1)
    spread, alone = sets.std(axis=0, ddof=1), losses.std(axis=0, ddof=1)
    mean, error = losses.mean(axis=0), spread / np.sqrt(len(sets))
    for place, p in enumerate(POWERS):
        name = f"{what}, p = {'-' if p is None else p}"
        other = difference_se(error[place], alone[place] / np.sqrt(OTHER_TRIALS))
        yield Row(f"{name}: other code", mean[place], OTHER_CODE[column][place], other, rounding=0.0005)
        # what is printed is one set of strings, whose splits this reading has; in the other a trial is a set
        paper = difference_se(error[place], BETWEEN_SETS.rows[column][p])
        held = column == ALL_POINTS and splits > 1
        yield Row(
            f"{name}: printed", mean[place], printed.TABLE_1[place].mean, paper, rounding=0.005, held=held
        )


def _between(losses: FloatArray, column: str) -> Iterator[Row]:
    """How far sets differ, beside what the page takes for the standard error of what is printed."""
    sets = losses.reshape(-1, printed.TRIALS, len(POWERS)).mean(axis=1)
    for place, p in enumerate(POWERS):
        held, found = BETWEEN_SETS.rows[column][p], float(sets[:, place].std(ddof=1))
        # a standard deviation from n is known to its 1/√(2n)
        error = difference_se(found / (2 * len(sets)) ** 0.5, held / (2 * SETS_MEASURED) ** 0.5)
        yield Row(
            f"{column}, p = {'-' if p is None else p}: sd between sets", found, held, error, rounding=0.0005
        )
    rows = sets[:, 1:].mean(axis=1)
    found, held = float(rows.std(ddof=1)), BETWEEN_SETS.over_rows[column]
    error = difference_se(found / (2 * len(sets)) ** 0.5, held / (2 * SETS_MEASURED) ** 0.5)
    yield Row(f"{column}, mean over p: sd between sets", found, held, error, rounding=0.0005)


def _beside(losses: dict[str, FloatArray]) -> Iterator[Row]:
    for p, other in OTHER_NEIGHBOUR.items():
        values = losses[NEIGHBOUR][:, POWERS.index(p)]
        what = f"1-NN, p = {'-' if p is None else p}"
        yield from _twice(what, values, other, DEFINED_NEIGHBOUR[p])
        paper = difference_se(_se(values), float(values.std(ddof=1)) * printed.TRIALS**-0.5)
        yield Row(f"{what}: printed", float(values.mean()), printed.NEIGHBOUR[p].mean, paper, rounding=0.005)
    yield from _twice("15 components", losses[COMPONENTS][:, 0], OTHER_COMPONENTS, DEFINED_COMPONENTS)


def _twice(what: str, values: FloatArray, other: float, defined: float) -> Iterator[Row]:
    mean, sd = float(values.mean()), float(values.std(ddof=1))
    both = sd * difference_se(len(values) ** -0.5, DEFINED_TRIALS**-0.5)
    yield Row(f"{what}: by definition", mean, defined, both, rounding=0.0005)
    yield Row(f"{what}: other code, trials not said", mean, other, _se(values), rounding=0.0005, held=False)


def _se(values: FloatArray) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values)))


def _values(values: FloatArray) -> Iterator[Row]:
    mean = values.mean(axis=0)
    for place, (name, (other, spread)) in enumerate(OTHER_VALUES.items()):
        yield Row(f"similarity {name} classes", mean[place], other, rounding=0.07 * other)
        yield Row(f"similarity {name} classes, ±", mean[2 + place], spread, rounding=0.25 * spread)
