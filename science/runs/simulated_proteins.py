from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.datasets.catalogue import load_dataset
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.completion.study import CompletionConfig
from kernex_core.studies.papers.extrapolation import printed
from kernex_core.studies.papers.extrapolation.tables import measuring
from science.table import Row, difference_se

TITLE = """Tables 1 and 2 of "Kernel extrapolation" on simulated proteins, which stand in for the paper's: 20 worlds."""
WORLDS = 20
SMALL = {"WORLDS": 2}
C = 1.5
DOCUMENTED = {"source": 95.6, "target": 99.7}
"""Alone, over worlds 0 to 4 by other code."""
DOCUMENTED_JOINT = {(0.1, 0.1): 98.8, (0.1, 0.9): 95.7, (0.25, 0.1): 97.9, (0.5, 0.1): 96.2, (0.5, 0.9): 94.2}
DOCUMENTED_WORLDS = 5
NEAR = 1.6
"""Points that the simulated world may be off what is printed for the paper's proteins."""


def world(seed: int) -> dict[object, float]:
    made = load_dataset("protein_world", seed)
    assert made.labels is not None
    *_, table = measuring(
        CompletionConfig(seed=seed), made.kernels["sequence"], made.kernels["structure"], made.labels,
        CrossValidation(C=C, repeats=5, seed=seed), shares=printed.SHARES, lams=printed.LAMS,
    )  # fmt: skip
    found: dict[object, float] = {}
    for key in [(share, lam) for share in printed.SHARES for lam in printed.LAMS]:
        joint = table.joint(*key)
        assert joint is not None
        found[key] = 100.0 * joint.mean
    for role in DOCUMENTED:
        alone = table.alone(role)
        assert alone is not None
        found[role] = 100.0 * alone.mean
    return found


def rows(map_: Callable[..., Iterable[dict[object, float]]]) -> Iterator[Row]:
    worlds = list(map_(world, range(WORLDS)))
    for share in printed.SHARES:
        for lam, paper in zip(printed.LAMS, printed.TABLE_2[share], strict=True):
            values = np.array([each[share, lam] for each in worlds])
            what = f"{100 * share:.0f} % missing, λ = {lam}"
            if (share, lam) in DOCUMENTED_JOINT:
                yield _documented(what, values, DOCUMENTED_JOINT[share, lam])
            yield Row(
                f"{what}: printed", float(values.mean()), 100.0 * paper.mean, _se(values), rounding=NEAR
            )
    for role, other in DOCUMENTED.items():
        values = np.array([each[role] for each in worlds])
        paper = printed.STRUCTURE_ALONE if role == "target" else printed.SEQUENCE_ALONE
        yield _documented(f"{role} alone", values, other)
        yield Row(
            f"{role} alone: printed", float(values.mean()), 100.0 * paper.mean, _se(values), rounding=NEAR
        )


def _se(values: FloatArray) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values)))


def _documented(what: str, values: FloatArray, other: float) -> Row:
    se = float(values.std(ddof=1)) * difference_se(len(values) ** -0.5, DOCUMENTED_WORLDS**-0.5)
    return Row(f"{what}: other code", float(values.mean()), other, se, rounding=0.05)
