"""Sizes of the tests between two kernels that are exchangeable: how often each says .05 where there is no difference."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.learning.compare import Comparison, PaperTests, compare, paper_tests
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from science.table import Row

TITLE = "How often tests between two exchangeable kernels reject at .05, over 300 simulations a protocol."
SMALL = {"SIMULATIONS": 4}
UNIT = 1.0
"""Sizes are shares of all simulations: a few of them know one to .2, and not to a quarter of itself."""
SIMULATIONS = 300
PROTOCOLS = tuple((folds, repeats) for folds in (2, 5, 10) for repeats in (1, 5))
ITEMS = (40, 40, 40)
SEPARATION = 1.2
LARGEST = 0.07
"""What the first test may reach."""
TESTS = ("p", "corrected_t_p", "mcnemar_p", "yates_multi_class_p", "yates_p")
FIRST = TESTS[0]
LEVEL = 0.05


def exchangeable(seed: int, sizes: tuple[int, ...] = ITEMS) -> tuple[list[FloatArray], list[str]]:
    """Two kernels of the same items, each from measurements of its own with the same errors: neither is better."""
    rng = np.random.default_rng([17, seed])
    codes = np.repeat(np.arange(len(sizes)), sizes)
    items = SEPARATION * np.eye(len(sizes))[codes] + 0.7 * rng.normal(size=(codes.size, len(sizes)))
    views = [
        np.hstack([items, np.zeros((codes.size, 5))]) + rng.normal(size=(codes.size, len(sizes) + 5))
        for _ in "ab"
    ]
    return [view @ view.T + np.eye(codes.size) for view in views], [f"class {c}" for c in codes]


def compared(
    seed: int, folds: int, repeats: int, sizes: tuple[int, ...] = ITEMS
) -> tuple[Comparison, PaperTests]:
    """Judge both on the same folds and compare them, by our rule and as papers do."""
    kernels, labels = exchangeable(seed, sizes)
    protocol = CrossValidation(folds=folds, repeats=repeats, seed=seed, C=1.0)
    first, second = (judge(K, labels, protocol) for K in kernels)
    return compare(first, second), paper_tests(first, second)


def p_values(protocol: tuple[int, int], seed: int) -> list[float]:
    """P of every test in one simulation; NaN, which rejects nothing, for the corrected t after one pass of two folds."""
    made, papers = compared(seed, *protocol)
    return [made.p, *(getattr(papers, name) for name in TESTS[1:])]


def rows(map_: Callable[..., Iterable[Any]]) -> Iterator[Row]:
    se = (LEVEL * (1.0 - LEVEL) / SIMULATIONS) ** 0.5
    first: list[float] = []
    for folds, repeats in PROTOCOLS:
        found = np.array(list(map_(partial(p_values, (folds, repeats)), range(SIMULATIONS))))
        sizes = dict(zip(TESTS, (found < LEVEL).mean(axis=0).tolist(), strict=True))
        first.append(sizes[FIRST])
        for name, size in sizes.items():
            what = f"{folds} folds x {repeats}, {name.removesuffix('_p').replace('_', ' ')}"
            # every number from 0 to LARGEST is inside for the first; what others do is the finding
            held = name == FIRST
            allowed = (LARGEST / 2, LARGEST / 2) if held else (LEVEL, 0.0)
            yield Row(what, size, allowed[0], se, rounding=allowed[1], held=held)
    what = f"{FIRST} over all {len(PROTOCOLS)} protocols, at most {LARGEST}"
    yield Row(what, float(np.mean(first)), LARGEST / 2, rounding=LARGEST / 2)
