from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.datasets.vectors import three_sources
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.mkl.judging import judge_many
from kernex_core.learning.mkl.learn import mkl
from kernex_core.learning.mkl.weightings import EqualWeights, LearnedWeights, Together
from science.table import Row, difference_se

TITLE = (
    """Three sources: weights by multiple kernel learning and accuracies, beside other code: 10 data sets."""
)
DATA_SETS = 10
SMALL = {"DATA_SETS": 3}
DOCUMENTED_DATA_SETS = 10
DOCUMENTED = {
    "weight of the clear kernel": 0.88,
    "weight of the blurred kernel": 0.12,
    "weight of the noise": 0.0,
    "clear alone": 86.9,
    "blurred alone": 83.8,
    "noise alone": 44.2,
    "sum": 85.1,
    "MKL": 86.6,
}
"""Means over 10 data sets by other code: C = 1, five folds, five times."""


def measured(seed: int) -> FloatArray:
    data = three_sources(seed)
    assert data.labels is not None
    config, kernels, labels = CrossValidation(folds=5, repeats=5, C=1.0), data.kernels, data.labels
    alone = [judge(K, labels, config) for K in kernels.values()]
    many = [
        judge_many(kernels, labels, config, Together(way)).judgement
        for way in (EqualWeights(), LearnedWeights(C=1.0))
    ]
    judged = [made for made in (*alone, *many) if isinstance(made, Judgement)]
    return np.array(
        [*mkl(kernels, labels.y, C=1.0).weights, *(100.0 * made.multi_class.mean for made in judged)]
    )


def rows(map_: Callable[..., Iterable[FloatArray]]) -> Iterator[Row]:
    found = np.array(list(map_(measured, range(DATA_SETS))))
    for (what, documented), values in zip(DOCUMENTED.items(), found.T, strict=True):
        se = float(values.std(ddof=1)) * difference_se(len(values) ** -0.5, DOCUMENTED_DATA_SETS**-0.5)
        yield Row(
            what, float(values.mean()), documented, se, rounding=0.02 if what.startswith("weight") else 0.05
        )
    least = float((found[:, 2] <= 0.02).mean())
    yield Row("share of data sets that give the noise at most .02", least, 1.0)
    gain = found[:, 7] - found[:, 6]
    yield Row(
        "MKL less the sum",
        float(gain.mean()),
        1.5,
        float(gain.std(ddof=1)) * difference_se(len(gain) ** -0.5, 10**-0.5),
    )
