"""How often 95 % intervals miss, and verdicts tell apart what is equal: every measure and every verdict, by simulation.

Data: two classes, of three and two fifths; ten numbers of noise an item and a shift along the first where there is a
signal. Each kernel is the cosine of measurements of its own, with the same errors, so that none is better than another.
Grouped: items of a family, of one class, share an effect. The number of an item is a line along the first axis, and noise.

The truth is the expected score of the same cross-validation: the mean over all data sets of a cell (of differences 0).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.cells import cell_verdict, scores_of
from kernex_core.learning.chance.tried import choosing_candidate, same_in_all
from kernex_core.learning.compare import compare
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import LEAVE_ONE_OUT, CrossValidation
from kernex_core.learning.judgement import SCALES
from kernex_core.learning.learners.ridge import KernelRidge
from kernex_core.learning.machine import UNSCALED, cut_of
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.learning.regression.evaluate import compare_numbers, judge_numbers
from kernex_core.learning.regression.judgement import Measure
from kernex_core.studies.completion.study import CompletionConfig, joint_values, prepare
from science.table import Row

TITLE = "How often 95 % intervals miss the expected score, and how often equal kernels are told apart."
UNIT = 1.0
"""Shares of all data sets: a few of them know one to .2, and not to a quarter of itself."""
SIZES: tuple[int, ...] = (200, 100, 20, 40)
"""The dearest first, so that no process has one left at the end."""
PROTOCOLS = ((2, 1), (2, 5), (5, 1), (5, 5), (10, 1), (10, 5), (LEAVE_ONE_OUT, 1))
DATA_SETS: dict[str, dict[int, int]] = {
    "of_classes": {20: 200, 40: 200, 100: 60, 200: 30},
    "of_numbers": {20: 200, 40: 200, 100: 60, 200: 300},
    "of_ten": {20: 60, 40: 60, 100: 20, 200: 8},
    "of_completion": {20: 200, 40: 200, 100: 60, 200: 30},
    "of_choice": {20: 60, 40: 60, 100: 20, 200: 8},
}
"""How many, by what is judged and the number of items; a choice trains eighteen times for one of a kernel's."""
MISSED, TOLD = 0.08, 0.07
"""Bounds of the rates, to which two standard errors of the bound at the number of data sets are added."""
SHIFT, SLOPE, FAMILY = 1.4, 1.5, 0.7
VIEWS = 11
CHOSEN_FROM = 3
FAMILIES = (1, 2, 3, 2)
"""Sizes of families, round and round."""
SMALL: dict[str, Any] = {
    "SIZES": (20,),
    "PROTOCOLS": ((2, 1), (5, 5)),
    "DATA_SETS": {
        part: {20: count}
        for part, count in (
            ("of_classes", 6), ("of_numbers", 6), ("of_ten", 3), ("of_completion", 4), ("of_choice", 2)
        )
    },
}  # fmt: skip
NUMBERS: tuple[Measure, ...] = ("rmse", "r2", "spearman")
VERDICTS = ("two kernels", "two errors", "best of ten", "joint, extrapolated")


class Drawn(NamedTuple):
    """A data set: kernels of equal quality (n, n), labels, a family an item or None, a number an item."""

    kernels: list[FloatArray]
    labels: list[str]
    families: list[str] | None
    numbers: FloatArray


class Said(NamedTuple):
    """What was said of a number: itself and its interval, of which `truth` is known or is the mean over all data sets."""

    value: float
    low: float
    high: float
    truth: float = float("nan")


@dataclass(frozen=True)
class Setting:
    """What a data set is drawn from."""

    n: int
    grouped: bool
    signal: bool

    @property
    def words(self) -> str:
        """As a row says it."""
        return f"n {self.n}, {'' if self.signal else 'no '}signal{', groups' if self.grouped else ''}"


Found = dict[tuple[str, tuple[int, int]], Said | bool]
"""By measure or verdict, and protocol."""


def drawn(setting: Setting, seed: int) -> Drawn:
    """Draw a data set; the same for all protocols."""
    n = setting.n
    rng = np.random.default_rng([23, n, setting.grouped, setting.signal, seed])
    sizes = np.resize(FAMILIES, n) if setting.grouped else np.ones(n, dtype=np.int64)
    family = np.repeat(np.arange(n), sizes)[:n]
    # three families of one class, two of the other
    code = np.isin(family % 5, (1, 3)).astype(np.int64)
    effect = FAMILY * rng.normal(size=(n, 12))[family] if setting.grouped else np.zeros((n, 12))
    items = 0.7 * rng.normal(size=(n, 10)) + effect[:, :10]
    line = items[:, 0] if setting.signal else effect[:, 10]
    numbers = SLOPE * line + rng.normal(size=n)
    items[:, 0] += SHIFT * (code - 0.5) * setting.signal
    kernels = [cosine(items + 0.7 * rng.normal(size=items.shape)) for _ in range(VIEWS)]
    names = [f"family {f}" for f in family] if setting.grouped else None
    return Drawn(kernels, [f"class {c}" for c in code], names, numbers)


def cosine(points: FloatArray) -> FloatArray:
    """Cosine kernel of points, (n, n)."""
    unit = points / np.linalg.norm(points, axis=1, keepdims=True)
    K = unit @ unit.T
    np.fill_diagonal(K, 1.0)
    return np.asarray(K)


def protocol_of(setting: Setting, protocol: tuple[int, int], seed: int) -> CrossValidation:
    """The cross-validation of a cell."""
    folds, repeats = protocol
    return CrossValidation(folds=folds, repeats=repeats, seed=seed, C=1.0, grouped=setting.grouped)


def of_classes(setting: Setting, seed: int, protocol: tuple[int, int]) -> dict[str, Said | bool]:
    """Intervals of all measures of one kernel, and whether two are told apart."""
    data = drawn(setting, seed)
    config = protocol_of(setting, protocol, seed)
    first, second = (judge(K, data.labels, config, groups=data.families) for K in data.kernels[:2])
    found: dict[str, Said | bool] = {"two kernels": compare(first, second).told_apart}
    for measure in SCALES:
        interval = first.interval(measure)
        if interval is not None:
            found[measure] = Said(getattr(first, measure).mean, interval.low, interval.high)
    return found


def of_numbers(setting: Setting, seed: int, protocol: tuple[int, int]) -> dict[str, Said | bool]:
    """Intervals of measures of predicted numbers and of the difference of two errors, and whether these are told apart."""
    data = drawn(setting, seed)
    config = protocol_of(setting, protocol, seed)
    made = {
        name: judge_numbers(K, data.numbers, config, learner=KernelRidge(0.1), groups=data.families)
        for name, K in zip("ab", data.kernels, strict=False)
    }
    pair = compare_numbers(made)[0]
    found: dict[str, Said | bool] = {
        "RMSE difference": Said(pair.difference, pair.interval.low, pair.interval.high, 0.0),
        "two errors": pair.told_apart,
    }
    for measure in NUMBERS:
        interval = made["a"].interval(measure)
        if not np.isnan(interval.low):
            found[measure] = Said(getattr(made["a"], measure).mean, interval.low, interval.high)
    return found


def judging(setting: Setting, data: Drawn, protocol: tuple[int, int], seed: int) -> Judging:
    """Folds of a cell."""
    ids = tuple(f"item {i}" for i in range(setting.n))
    groups = None if data.families is None else np.array(data.families)
    labels = Labels(ids, np.array(data.labels), groups=groups)
    return Judging.of(labels, Protocol(protocol_of(setting, protocol, seed), UNSCALED))


def of_ten(setting: Setting, seed: int, protocol: tuple[int, int]) -> dict[str, Said | bool]:
    """Whether the best of ten and a plain baseline, all equal, is told apart from any of them."""
    data = drawn(setting, seed)
    parts = judging(setting, data, protocol, seed).repetitions
    scores = {f"kernel {i}": [scores_of(K, part) for part in parts] for i, K in enumerate(data.kernels)}
    made = cell_verdict(scores, plain=["kernel 0"])
    return {"best of ten": bool(made.worse)}


def of_completion(setting: Setting, seed: int, protocol: tuple[int, int]) -> dict[str, Said | bool]:
    """Whether joint and extrapolated are told apart where both are equal."""
    data = drawn(setting, seed)
    how = judging(setting, data, protocol, seed)
    ids = tuple(f"item {i}" for i in range(setting.n))
    source, target = (GramMatrix(K, ids=ids) for K in data.kernels[:2])
    config = CompletionConfig(share=None if setting.signal else 0.5, nugget=1e-3, seed=seed, normalize=False)
    lam = 1.0 if setting.signal else 0.5
    joint, extrapolated = [], []
    for repetition, part in enumerate(how.repetitions):
        made = prepare(config, source, target, repetition=repetition)
        joint.append(scores_of(joint_values(made, lam), part))
        extrapolated.append(scores_of(made.extrapolation.T_hat, part))
    return {"joint, extrapolated": bool(cell_verdict({"j": joint, "e": extrapolated}).worse)}


def of_choice(setting: Setting, seed: int, protocol: tuple[int, int]) -> dict[str, Said | bool]:
    """Interval of the choice among kernels that is made again inside every training fold."""
    data = drawn(setting, seed)
    how = judging(setting, data, protocol, seed)
    candidates = [
        (f"kernel {i}", same_in_all(cut_of(GramMatrix(K), inductive=False)))
        for i, K in enumerate(data.kernels[:CHOSEN_FROM])
    ]
    *_, made = choosing_candidate(candidates, len(candidates), how)
    return {"choice": Said(made.mean, made.interval.low, made.interval.high)}


Part = Callable[[Setting, int, tuple[int, int]], dict[str, Said | bool]]
PARTS: tuple[Part, ...] = (of_choice, of_ten, of_numbers, of_classes, of_completion)


def of_data_set(protocols: tuple[tuple[int, int], ...], drawn_from: tuple[Part, Setting, int]) -> Found:
    """What one part says of one data set."""
    part, setting, seed = drawn_from
    return {
        (what, protocol): said
        for protocol in protocols
        for what, said in part(setting, seed, protocol).items()
    }


def rate(said: list[Said | bool]) -> float:
    """Share of intervals that miss the truth, or of verdicts that are false."""
    values = np.array([each for each in said if isinstance(each, Said)])
    if not values.size:
        return float(np.mean(said))
    value, low, high, known = values.T
    truth = np.where(np.isnan(known), value.mean(), known)
    return float(((truth < low) | (truth > high)).mean())


def rows(map_: Callable[..., Iterable[Any]]) -> Iterator[Row]:
    tasks = [
        (part, Setting(n, grouped, signal), seed)
        for n in SIZES
        for part in PARTS
        for seed, grouped, signal in product(range(DATA_SETS[part.__name__][n]), (False, True), (False, True))
    ]
    cells: dict[tuple[str, Setting, tuple[int, int]], list[Said | bool]] = defaultdict(list)
    for (_, setting, _), found in zip(tasks, map_(partial(of_data_set, PROTOCOLS), tasks), strict=True):
        for (what, protocol), said in found.items():
            cells[what, setting, protocol].append(said)
    rates: dict[str, list[float]] = defaultdict(list)
    for (what, setting, (folds, repeats)), said in cells.items():
        found_rate = rate(said)
        bound = TOLD if isinstance(said[0], bool) else MISSED
        se = (bound * (1.0 - bound) / len(said)) ** 0.5
        where = f"{setting.words}, {folds or 'n'} x {repeats}"
        rates[what].append(found_rate)
        yield Row(f"{what}: {where}", found_rate, bound / 2, se, within=2.0, rounding=bound / 2)
    for what, of_cells in rates.items():
        bound = TOLD if what in VERDICTS else MISSED
        yield Row(
            f"{what}: mean of {len(of_cells)} cells", float(np.mean(of_cells)), bound / 2, rounding=bound / 2
        )
