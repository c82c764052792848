from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from kernex_core.base.frozen import FloatArray
from kernex_core.studies.papers.orthogonal import printed
from kernex_core.studies.papers.orthogonal.power_table import ALL_POINTS, POWERS
from kernex_core.studies.papers.orthogonal.tables import LymphomaConfig, measuring_table_5
from science import data
from science.table import Row, difference_se

TITLE = """Table 5 of "Almost orthogonal patterns": lymphoma, ten repetitions of ten folds, filled inside and outside."""
SMALL = {"REPEATS": 2}
REPEATS = 10
OTHER_CODE = [0.038, 0.033, 0.022, 0.015, 0.015, 0.018, 0.025, 0.046, 0.054, 0.085, 0.114]
"""By other code, over ten repetitions, basis of all items, whole table filled."""


def chunk(inside: bool) -> tuple[FloatArray, int]:
    *_, table = measuring_table_5(LymphomaConfig(repeats=REPEATS, inside=inside), *data.lymphoma())
    return table.losses[ALL_POINTS].mean(axis=1), table.training_errors + table.at_bound + table.not_converged


def rows(map_: Callable[..., Iterable[tuple[FloatArray, int]]]) -> Iterator[Row]:
    data.lymphoma()
    filled = {"filled inside the folds": True, "filled at once": False}
    for (how, _), (repeats, wrong) in zip(filled.items(), map_(chunk, filled.values()), strict=True):
        for place, p in enumerate(POWERS):
            name, mean = f"{how}, p = {'-' if p is None else p}", repeats[:, place].mean()
            se = repeats[:, place].std(ddof=1) * difference_se(REPEATS**-0.5, REPEATS**-0.5)
            yield Row(f"{name}: other code", mean, OTHER_CODE[place], se, rounding=0.005)
            # the paper's 61 and 35 samples are not to be had
            yield Row(f"{name}: printed", mean, printed.TABLE_5[place].mean, se, rounding=0.0005, held=False)
        yield Row(f"{how}: margins that were not hard", wrong, 0.0)
