from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.studies.papers.orthogonal import printed
from kernex_core.studies.papers.orthogonal.power_table import ALL_POINTS, POWERS, TRAIN_ONLY
from kernex_core.studies.papers.orthogonal.tables import HiddenConfig, measuring_table_3
from science.table import Row, difference_se

TITLE = (
    """Table 3 of "Almost orthogonal patterns": hidden variables, 200 data sets of 100 and of 120 items."""
)
SMALL = {"DATA_SETS": 2, "CHUNK": 1}
DATA_SETS, CHUNK = 200, 10
OTHER_CODE = {
    100: [0.259, 0.298, 0.270, 0.256, 0.231, 0.210, 0.196, 0.191, 0.208, 0.222, 0.246],
    120: [0.236, 0.279, 0.252, 0.232, 0.212, 0.194, 0.180, 0.180, 0.186, 0.205, 0.240],
}
"""By other code, basis of training items. It is not said over how many data sets: a few, taken for five here."""
OTHER_SETS = 5


def chunk(task: tuple[int, int]) -> dict[str, FloatArray]:
    n, seed = task
    *_, table = measuring_table_3(HiddenConfig(data_sets=CHUNK, n=n, seed=seed))
    return table.losses


def rows(map_: Callable[..., Iterable[dict[str, FloatArray]]]) -> Iterator[Row]:
    for n, others in OTHER_CODE.items():
        found = list(map_(chunk, [(n, 100_000 + CHUNK * i) for i in range(DATA_SETS // CHUNK)]))
        for column in (ALL_POINTS, TRAIN_ONLY):
            sets = np.concatenate([losses[column] for losses in found]).mean(axis=1)
            spread = sets.std(axis=0, ddof=1)
            yield Row(f"n = {n}, {column}, SD of a data set", spread.mean(), 0.045, rounding=0.02)
            for place, p in enumerate(POWERS):
                name, mean = f"n = {n}, {column}, p = {'-' if p is None else p}", sets[:, place].mean()
                if column == TRAIN_ONLY:
                    se = spread[place] * difference_se(DATA_SETS**-0.5, OTHER_SETS**-0.5)
                    yield Row(f"{name}: other code", mean, others[place], se, rounding=0.0005)
                # what is printed is one data set, of a size that is not said
                paper = spread[place] * difference_se(DATA_SETS**-0.5, 1.0)
                yield Row(
                    f"{name}: printed", mean, printed.TABLE_3[place].mean, paper, rounding=0.005, held=False
                )
