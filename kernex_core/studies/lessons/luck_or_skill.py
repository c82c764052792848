from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final

import numpy as np

from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_choice, check_range
from kernex_core.conditioning.columns_by_labels import columns_by_labels
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import Center, CosineNormalize
from kernex_core.gram.seen import PAIR
from kernex_core.gram.split import Split
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.learning.chance.interval import best_of_coins, best_of_drawn
from kernex_core.learning.folds import LEAVE_ONE_OUT, CrossValidation, Fold, folds_of_state, make_folds
from kernex_core.learning.leakage import EXPLANATIONS, Mode, evaluation_mode
from kernex_core.learning.machine import Coded, Machine, code_labels, cross_decisions, cut_of, over_folds
from kernex_core.learning.scores import majority_floor
from kernex_core.runtime.progress import Steps
from kernex_core.studies.lessons.catalogue import Check

# Kernels of pure noise on 40 items of two classes, all judged on the same folds: what luck alone reaches.

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


def judging_noise(folds: int = 5, state: int = 0, C: float = 1.0) -> Steps[JudgedNoise]:
    """Judge every kernel, in steps of some hundredths of a second: a tenth of a second in all, leave-one-out half of one.

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


# A leak that is planted, and found by its tag: columns of noise that are chosen by the labels.

COLUMNS: Final = 1_000
CHOSEN: Final = 20
WORLDS: Final = 5
"""Seeds of the columns that can be chosen, from 0 on."""
_FIRST_SEED = 100
LEAK_COST: Final = 1.0


@dataclass(frozen=True, eq=False)
class LeakRow(EqualByContent):
    """One way to make a kernel of the columns, judged on five folds.

    Attributes
    ----------
    name : str
    right : int
        Of 40.
    mode : {"inductive", "transductive", "leak", "as brought"}
        The tag, computed from the steps of the kernel.
    said : str
        What the tag means.
    """

    name: str
    right: int
    mode: Mode
    said: str

    @property
    def share(self) -> float:
        """Accuracy."""
        return self.right / ITEMS


def noise_columns(world: int) -> Vectors:
    """Forty items with a thousand columns of noise."""
    X = np.random.default_rng(_FIRST_SEED + world).standard_normal((ITEMS, COLUMNS))
    return Vectors(IDS, X, tuple(f"column {j + 1}" for j in range(COLUMNS)))


def leak_rows(world: int = 0) -> tuple[LeakRow, ...]:
    """The same columns four times: all of them, centred, chosen on all items, and chosen inside every fold."""
    vectors = noise_columns(world)
    plain = GramMatrix(vectors.X @ vectors.X.T / COLUMNS, IDS, "all columns", seen=PAIR)
    planted = columns_by_labels(vectors, LABELS, CHOSEN)
    return (
        _row("all 1,000 columns", plain, inductive=False),
        _row("all columns, centred on all items", plain.then(Center()), inductive=False),
        _row("20 columns, chosen on all items", planted, inductive=False),
        _row("20 columns, chosen inside every fold", planted, inductive=True),
    )


def _row(name: str, K: GramMatrix, *, inductive: bool) -> LeakRow:
    right = right_by_steps(K, lesson_folds(5), LEAK_COST, inductive=inductive)
    mode = evaluation_mode(K, inductive=inductive)
    return LeakRow(name, right, mode, EXPLANATIONS[mode])


# What is asked of luck and skill, and what is right.

ASKED_COUNT: Final = 50
NEAR: Final = 0.03
"""A guess of the best accuracy counts as right up to so far off."""


def guess_check(judged: JudgedNoise, guess: float) -> Check:
    """A guess (0 to 1) of the best accuracy of 50 kernels of noise."""
    truth = judged.first(ASKED_COUNT)
    said = f"The best of {ASKED_COUNT} has {truth.best} of {ITEMS} right, {100 * truth.best_share:.0f} %."
    if guess < truth.best_share - NEAR:
        said += (
            f" A guess near {100 * truth.mean:.0f} % takes the best of many for one of them: each is right by chance, the "
            "highest is chosen for its luck."
        )
    elif guess > truth.best_share + NEAR:
        said += " Luck does not reach that far on 40 items."
    return Check(abs(guess - truth.best_share) <= NEAR + 1e-9, truth.best_share, said)


def never_right_check(judged: JudgedNoise, count: int = ASKED_COUNT) -> Check:
    """Leave-one-out in which no kernel names a single item rightly."""
    found = judged.first(count)
    total = sum(found.right)
    if judged.folds != LEAVE_ONE_OUT:
        said = f"{total:,} of {ITEMS * count:,} right: these are five folds, in which classes stay equal."
        return Check(False, float(total), said)
    if total:
        said = (
            f"{total:,} of {ITEMS * count:,} right: at C = {judged.C:g} single items still pull the machine to "
            "their side."
        )
        return Check(False, float(total), said)
    said = (
        f"None of {ITEMS * count:,} is right. The item that is left out belongs to the smaller class of the rest, and at a "
        "small C every new item is given to the larger one."
    )
    return Check(True, 0.0, said)


def leak_check(row: LeakRow) -> Check:
    """Whether a row is the leak: by its tag, not by its accuracy."""
    said = f"{row.name}: {row.right} of {ITEMS} right, {row.mode}. {row.said}"
    return Check(row.mode == "leak", row.share, said)
