from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.studies.papers.orthogonal import printed
from kernex_core.studies.papers.orthogonal.power_table import ALL_POINTS, TRAIN_ONLY
from kernex_core.studies.papers.orthogonal.tables import COLON_POWERS, ColonConfig, measuring_table_2
from science import data
from science.table import Row, difference_se

TITLE = """Table 2 of "Almost orthogonal patterns": colon with noise, 150 draws of noise, both bases."""
SMALL = {"DRAWS": 2, "CHUNK": 1}
DRAWS, CHUNK = 150, 10
OTHER_CODE = {
    ALL_POINTS: [0.498, 0.376, 0.344, 0.291, 0.276, 0.281, 0.287, 0.282, 0.280, 0.283, 0.291],
    TRAIN_ONLY: [0.498, 0.487, 0.466, 0.397, 0.336, 0.302, 0.286, 0.286, 0.294, 0.298, 0.303],
}
"""By other code, over 200 draws."""
OTHER_DRAWS = 200
OTHER_CLEAN = 0.177


def chunk(seed: int) -> tuple[dict[str, FloatArray], FloatArray, int]:
    *_, table = measuring_table_2(ColonConfig(draws=CHUNK, seed=seed), *data.colon())
    wrong = table.training_errors + table.at_bound + table.not_converged
    return table.losses, table.aside, wrong


def rows(map_: Callable[..., Iterable[tuple[dict[str, FloatArray], FloatArray, int]]]) -> Iterator[Row]:
    data.colon()
    found = list(map_(chunk, [100_000 + CHUNK * i for i in range(DRAWS // CHUNK)]))
    for column in (ALL_POINTS, TRAIN_ONLY):
        draws = np.concatenate([losses[column] for losses, _, _ in found]).mean(axis=1)
        spread = draws.std(axis=0, ddof=1)
        for place, p in enumerate(COLON_POWERS):
            name, mean = f"{column}, p = {'-' if p is None else p}", draws[:, place].mean()
            other = spread[place] * difference_se(DRAWS**-0.5, OTHER_DRAWS**-0.5)
            yield Row(f"{name}: other code", mean, OTHER_CODE[column][place], other, rounding=0.0005)
            # what is printed is one draw
            paper = spread[place] * difference_se(DRAWS**-0.5, 1.0)
            held = column == ALL_POINTS
            yield Row(f"{name}: printed", mean, printed.TABLE_2[place].mean, paper, rounding=0.005, held=held)
    clean = np.concatenate([aside for _, aside, _ in found]).mean(axis=1)
    se = clean.std(ddof=1) * difference_se(DRAWS**-0.5, OTHER_DRAWS**-0.5)
    yield Row("without noise: other code", clean.mean(), OTHER_CLEAN, se, rounding=0.0005)
    yield Row("margins that were not hard", sum(wrong for *_, wrong in found), 0.0)
