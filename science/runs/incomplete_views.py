from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product

import numpy as np

from kernex_core.base.frozen import BoolArray, FloatArray
from kernex_core.completion.views.complete import MODES, Mode, complete_views
from kernex_core.completion.views.methods import drawn_views, hidden_views, view_errors
from kernex_core.datasets.vectors import digits_in_five_views
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Vectors
from kernex_core.kernels.vectors.distance import Gaussian
from science.table import Row
from tests.oracles.views import completed

TITLE = "Digits in five views, completed together: errors by the library beside those by definition."
SHARES = (0.2, 0.4, 0.6)
SEEDS = 3
SMALL = {"SHARES": (0.4,), "SEEDS": 1}
TOLERANCES = {"CA": 2e-5, "ARE": 5e-4}


def errors(truth: FloatArray, made: FloatArray, known: BoolArray) -> FloatArray:
    """Means over views: 1 - alignment, and relative error of missing rows."""
    found = [view_errors(K, Q, has) for K, Q, has in zip(truth, made, known, strict=True)]
    return np.array(
        [np.mean([one.alignment_error for one in found]), np.mean([one.relative_error for one in found])]
    )


def by_library(truth: FloatArray, known: BoolArray, mode: Mode) -> FloatArray:
    """Kernels (V, n, n) as `complete_views` completes them."""
    ids = tuple(map(str, range(known.shape[1])))
    cut = hidden_views(truth, known)
    given = {f"v{v}": GramMatrix(K, ids) for v, K in enumerate(cut)}
    return np.array(list(complete_views(given, mode=mode).kernels.values()))


def measured(task: tuple[float, int, Mode]) -> FloatArray:
    """(2, 2) errors by the library and by definition."""
    share, seed, mode = task
    parts = {k: v for k, v in digits_in_five_views(seed).samples.items() if isinstance(v, Vectors)}
    truth = np.array([Gaussian().similarities(part, name=name).values for name, part in parts.items()])
    known = drawn_views(truth.shape[1], len(truth), share, seed)
    made = by_library(truth, known, mode), completed(truth, known, tuned=mode == "tuned")
    return np.array([errors(truth, Q, known) for Q in made])


def rows(map_: Callable[..., Iterable[FloatArray]]) -> Iterator[Row]:
    tasks = list(product(SHARES, range(SEEDS), MODES))
    for (share, seed, mode), found in zip(tasks, map_(measured, tasks), strict=True):
        for (what, tolerance), (own, other) in zip(TOLERANCES.items(), found.T, strict=True):
            yield Row(
                f"{100 * share:.0f} % missing, seed {seed}, {mode}: {what}", own, other, rounding=tolerance
            )
