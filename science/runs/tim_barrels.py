from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.conditioning.power import SignedPower
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.completion.share_sweep import joint_scores, sweeping
from kernex_core.studies.completion.study import CompletionConfig, prepare_source
from science import data
from science.table import Row, difference_se

TITLE = "Real TIM barrels completed from sequences: 10 to 90 % missing, 50 repetitions, every λ."
REPETITIONS, CHUNK = 50, 5
SMALL = {"REPETITIONS": 2, "CHUNK": 1, "SHARES": (0.5,)}
SHARES = (0.1, 0.25, 0.5, 0.7, 0.9)
LAMS = (0.1, 0.25, 0.5, 0.75, 0.9)
MEASURES = ("one_vs_rest", "multi_class")
PREPARED: dict[str, tuple[SignedPower | None, dict[str, Any]]] = {
    "raw": (None, {}),
    "cosine afterwards": (None, {"normalize_after": True}),
    "power .3": (SignedPower(0.3), {}),
}
OTHER_REPETITIONS = 50
OTHER_CODE = {
    "raw": {
        0.1: ([96.1, 95.4, 94.1, 92.8, 92.1], [90.2, 89.3, 86.3, 81.2, 76.6]),
        0.25: ([95.6, 95.1, 94.1, 93.2, 92.8], [88.6, 88.0, 86.4, 83.5, 80.3]),
        0.5: ([94.5, 94.2, 93.6, 93.1, 92.8], [83.7, 83.6, 82.8, 81.5, 80.0]),
        0.7: ([92.9, 92.6, 92.3, 92.0, 91.9], [77.5, 77.6, 77.4, 76.8, 75.9]),
        0.9: ([90.1, 90.1, 90.0, 90.0, 90.0], [62.7, 63.0, 63.2, 63.1, 63.0]),
    },
    "cosine afterwards": {
        0.1: ([97.1, 96.6, 95.5, 94.1, 93.2], [91.1, 89.5, 85.9, 79.9, 74.5]),
        0.25: ([97.2, 96.8, 96.0, 95.0, 94.4], [90.3, 88.6, 85.0, 79.8, 75.9]),
        0.5: ([96.9, 96.8, 96.5, 95.9, 95.5], [87.7, 86.8, 84.7, 81.9, 80.1]),
    },
    "power .3": {
        0.1: ([97.7, 97.6, 97.3, 96.9, 96.4], [92.8, 92.5, 91.4, 89.5, 87.2]),
        0.25: ([97.4, 97.3, 97.1, 96.7, 96.4], [90.7, 90.4, 89.4, 87.6, 85.6]),
        0.5: ([96.7, 96.7, 96.5, 96.4, 96.2], [87.2, 87.0, 86.3, 85.3, 84.4]),
    },
}
"""One-vs-rest and multi-class accuracy by other code, in %, over 50 repetitions; one value a λ."""
OTHER_EXTRAPOLATED = {
    0.1: (96.7, 91.1),
    0.25: (96.1, 89.3),
    0.5: (94.7, 83.8),
    0.7: (92.9, 77.2),
    0.9: (90.0, 62.6),
}
"""W'TW of the raw kernels, the limit λ → 0."""
OTHER_ALONE = {
    "raw": {"target": (97.7, 93.3), "source": (91.7, 71.0)},
    "power .3": {"target": (98.3, 95.1), "source": (96.5, 86.3)},
}

Cells = dict[tuple[str, float | str], list[tuple[float, float]]]


def chunk(task: tuple[str, int, int, tuple[float, ...]]) -> Cells:
    prepared, seed, repeats, shares = task
    step, options = PREPARED[prepared]
    source, target, labels = data.tim_barrels(step)
    config = CompletionConfig(seed=seed, **options)
    protocol = CrossValidation(C=10.0, repeats=repeats, seed=seed)
    *_, state = sweeping(
        config, prepare_source(config, source), target, labels, protocol, shares=shares, repeats=repeats
    )
    found: Cells = {}
    for cell in state.sweep.cells:
        for lam in LAMS:
            scores = joint_scores(cell, lam)
            found.setdefault((f"{cell.share}", lam), []).append((scores.one_vs_rest, scores.multi_class))
        plain = cell.plain["extrapolated"]
        found.setdefault((f"{cell.share}", "W'TW"), []).append((plain.one_vs_rest, plain.multi_class))
    for name, levels in state.sweep.levels.items():
        found["alone", name] = [(scores.one_vs_rest, scores.multi_class) for scores in levels]
    return found


def rows(map_: Callable[..., Iterable[Cells]]) -> Iterator[Row]:
    data.tim_barrels()
    seeds = [100_000 + CHUNK * i for i in range(REPETITIONS // CHUNK)]
    for prepared, table in OTHER_CODE.items():
        shares = tuple(share for share in SHARES if share in table)
        found = list(map_(chunk, [(prepared, seed, CHUNK, shares) for seed in seeds]))
        cells = {key: np.array([pair for part in found for pair in part[key]]) for key in found[0]}
        for share in shares:
            for measure, others in enumerate(table[share]):
                for lam, other in zip(LAMS, others, strict=True):
                    what = f"{prepared}, {100 * share:.0f} % missing, λ = {lam}, {MEASURES[measure]}"
                    yield _row(what, 100.0 * cells[f"{share}", lam][:, measure], other)
        for share in shares if prepared == "raw" else ():
            for measure, other in enumerate(OTHER_EXTRAPOLATED[share]):
                what = f"raw, {100 * share:.0f} % missing, W'TW, {MEASURES[measure]}"
                yield _row(what, 100.0 * cells[f"{share}", "W'TW"][:, measure], other)
        for name, pair in OTHER_ALONE.get(prepared, {}).items():
            for measure, other in enumerate(pair):
                what = f"{prepared}, {name} alone, {MEASURES[measure]}"
                yield _row(what, 100.0 * cells["alone", name][:, measure], other)


def _row(what: str, values: FloatArray, other: float) -> Row:
    se = float(values.std(ddof=1)) * difference_se(len(values) ** -0.5, OTHER_REPETITIONS**-0.5)
    return Row(what, float(values.mean()), other, se, rounding=0.05)
