"""Kernels of pure noise on 40 items of two classes, all judged on the same folds: what luck alone reaches."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final

import numpy as np

from kernex_core.frozen import EqualByContent, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.gram.seen import PAIR
from kernex_core.gram.split import Split
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.best_of import best_of_coins, best_of_drawn
from kernex_core.learning.coded import Coded, code_labels
from kernex_core.learning.engine import cross_decisions, cut_of, over_folds
from kernex_core.learning.folds import LEAVE_ONE_OUT, CrossValidation, Fold, folds_of_state, make_folds
from kernex_core.learning.machine import Machine
from kernex_core.learning.scores import majority_floor
from kernex_core.parameters import check_choice, check_range
from kernex_core.pieces import Pieces

ITEMS: Final = 40
FEATURES: Final = 10
KERNELS: Final = 200
COSTS: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
FOLDS: Final = (5, LEAVE_ONE_OUT)
STATES: Final = 20
"""Fold seeds that can be chosen, from 0 on."""
REFOLDED: Final = tuple(1000 * k for k in range(1, 21))
"""Seeds of the other folds on which the winner is judged again."""
NEW_ITEMS: Final = 2_000
UNEQUAL: Final = (30, 10)
_BLOCK = 20
IDS: Final = tuple(f"item {k + 1}" for k in range(ITEMS))
LABELS: Final = Labels(IDS, np.array(["a", "b"] * (ITEMS // 2)))
CODED: Final[Coded] = code_labels(LABELS.y)


def noise_features(seed: int) -> FloatArray:
    """(40, 10) standard normal numbers: nothing in them knows the classes."""
    return np.random.default_rng(seed).standard_normal((ITEMS, FEATURES))


def noise_kernel(seed: int) -> GramMatrix:
    """Cosine of the angle between the rows of noise."""
    Z = noise_features(seed)
    return GramMatrix(Z @ Z.T, IDS, f"noise {seed}", seen=PAIR).then(CosineNormalize())


def lesson_folds(folds: int, state: int = 0) -> tuple[Fold, ...]:
    """Five stratified folds drawn with a seed, or each item in turn (0), which has no seed.

    Raises
    ------
    InvalidInputError
        Another number of folds.
    """
    check_choice("The number of folds", folds, FOLDS)
    if folds == LEAVE_ONE_OUT:
        return make_folds(CODED.codes, CrossValidation(folds=LEAVE_ONE_OUT))
    return folds_of_state(CODED.codes, folds, state)


def right_of(K: FloatArray, folds: tuple[Fold, ...], C: float) -> int:
    """How many of the 40 items a support vector machine names rightly, each when it is tested."""
    decisions = cross_decisions(K, CODED, folds, Machine(C))
    return sum(_right(fold, D) for fold, D in zip(folds, decisions, strict=True))


def right_by_steps(K: GramMatrix, folds: tuple[Fold, ...], C: float, *, inductive: bool) -> int:
    """The same of a kernel with its steps, which are fitted on all items or inside every fold."""
    return sum(over_folds(partial(_tested, Machine(C)), cut_of(K, inductive=inductive), folds))


def _tested(machine: Machine, fold: Fold, blocks: Split) -> int:
    return _right(fold, machine.train(blocks, CODED.codes[fold.train], 2).decisions)


def _right(fold: Fold, decisions: FloatArray) -> int:
    return int((decisions.argmax(axis=1) == CODED.codes[fold.test]).sum())


@dataclass(frozen=True, eq=False)
class NoiseAnswer(EqualByContent):
    """The first of the judged kernels.

    Attributes
    ----------
    right : tuple of int
        Of 40, by kernel.
    histogram : tuple of int
        How many kernels got 0, 1, ..., 40 right.
    mean : float
        Share that is right, over kernels.
    best, best_seed : int
        The highest number of right ones, and the first kernel that has it.
    drawn : float
        Expected highest share among as many kernels drawn from all 200.
    coins : float
        The same of as many fair coins.
    floor : float
        Naming the larger class always.
    """

    right: tuple[int, ...]
    histogram: tuple[int, ...]
    mean: float
    best: int
    best_seed: int
    drawn: float
    coins: float
    floor: float

    @property
    def best_share(self) -> float:
        """The highest accuracy."""
        return self.best / ITEMS


@dataclass(frozen=True, eq=False)
class JudgedNoise(ReadOnlyArrays):
    """All kernels judged on the same folds.

    Attributes
    ----------
    folds, state : int
    C : float
    right : (kernels,) int
        Of 40.
    """

    folds: int
    state: int
    C: float
    right: IntArray

    @cached_property
    def drawn(self) -> FloatArray:
        """(kernels,) expected highest share among m kernels drawn from all, for m = 1, 2, ..."""
        return best_of_drawn(self.right / ITEMS)

    def first(self, count: int) -> NoiseAnswer:
        """The first kernels, 1 to 200.

        Raises
        ------
        InvalidInputError
            More or fewer kernels.
        """
        check_range("The number of kernels", count, 1, KERNELS)
        right = self.right[:count]
        best = int(right.argmax())
        return NoiseAnswer(
            tuple(right.tolist()), tuple(np.bincount(right, minlength=ITEMS + 1).tolist()), float(right.mean()) / ITEMS,
            int(right[best]), best, float(self.drawn[count - 1]), best_of_coins(count, ITEMS),
            majority_floor(CODED.codes, 2),
        )  # fmt: skip


def judging_noise(folds: int = 5, state: int = 0, C: float = 1.0) -> Pieces[JudgedNoise]:
    """Judge every kernel, in pieces of some hundredths of a second: a tenth of a second in all, leave-one-out half of one.

    Raises
    ------
    InvalidInputError
        Another number of folds, or a cost that is not one of `COSTS`.
    """
    check_choice("The cost", C, COSTS)
    parts = lesson_folds(folds, state)
    right: list[int] = []
    for seed in range(KERNELS):
        right.append(right_of(noise_kernel(seed).values, parts, C))
        if len(right) % _BLOCK == 0:
            yield len(right) / KERNELS
    return JudgedNoise(folds, state, C, np.array(right))


def identity_right(folds: int, C: float) -> int:
    """The same of the identity, by which no two items are alike."""
    return right_of(np.eye(ITEMS), lesson_folds(folds), C)


@dataclass(frozen=True, eq=False)
class Winner(EqualByContent):
    """One kernel of noise, judged three times; shares that are right.

    Attributes
    ----------
    seed : int
    same, other, new : float
        On the folds that chose it; mean over twenty other divisions of the same items; on new items.
    """

    seed: int
    same: float
    other: float
    new: float


def winner_again(seed: int, C: float, state: int = 0) -> Winner:
    """Judge a kernel that won again: on other folds of the same items, and on items that it has never seen.

    Parameters
    ----------
    seed : int
        Of the kernel.
    C : float
    state : int
        Seed of the folds on which it won.
    """
    K = noise_kernel(seed).values
    other = [right_of(K, lesson_folds(5, each), C) for each in REFOLDED]
    same = right_of(K, lesson_folds(5, state), C)
    return Winner(seed, same / ITEMS, float(np.mean(other)) / ITEMS, _on_new_items(seed, C))


def _on_new_items(seed: int, C: float) -> float:
    Z, new = noise_features(seed), np.random.default_rng([seed, 1]).standard_normal((NEW_ITEMS, FEATURES))
    fitted = CosineNormalize().fit(Z @ Z.T)
    crossed = fitted.apply_cross(new @ Z.T, (new * new).sum(axis=1))
    blocks = Split(fitted.apply(Z @ Z.T), crossed.values, crossed.diag)
    decisions = Machine(C).train(blocks, CODED.codes, 2).decisions
    return float((decisions.argmax(axis=1) == np.arange(NEW_ITEMS) % 2).mean())


def unequal_floor() -> float:
    """What naming the larger class reaches where classes have 30 and 10 items."""
    return majority_floor(np.repeat([0, 1], UNEQUAL), 2)
