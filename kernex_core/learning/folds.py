"""How items are divided into training and test: stratified, grouped, repeated, seeded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import IntArray
from kernex_core.learning.quiet import quiet
from kernex_core.parameters import check_parameters, check_range, parameter

LEAVE_ONE_OUT = 0
C_GRID = (0.01, 0.1, 1.0, 10.0, 100.0)
"""Costs that nested cross-validation chooses from."""


@dataclass(frozen=True)
class CrossValidation:
    """Protocol of a cross-validated accuracy.

    Attributes
    ----------
    folds : int
        2, 5 or 10; 0 = leave-one-out, which has nothing to repeat.
    choose_C : bool
        Choose C inside every training fold (nested cross-validation) instead of fixing it.
    inductive : bool
        Refit every step on the training fold alone, instead of on all items.
    """

    folds: int = parameter(
        2,
        label="Folds",
        help="Parts that the items are divided into; each is the test set once. each: leave-one-out.",
        choices=(2, 5, 10, LEAVE_ONE_OUT),
        names=("2", "5", "10", "each"),
    )
    repeats: int = parameter(
        5, label="Repetitions", help="How often the items are divided anew.", low=1, high=100, step=1
    )
    seed: int = parameter(0, label="Seed", help="Draws the folds.", low=0, high=2**31 - 1, step=1)
    C: float = parameter(
        10.0,
        label="Cost",
        symbol="C",
        help="Cost of training errors in the C-SVM; λ_SVM = 1/(2nC). Its effect depends on the kernel's scale.",
        low=1e-4,
        high=1e7,
        logarithmic=True,
    )
    choose_C: bool = parameter(
        False,
        label="Choose C inside the folds",
        help="Nested cross-validation: every training fold chooses C by folds of its own.",
    )
    grouped: bool = parameter(
        False,
        label="Keep groups together",
        help="Items of one group are never split between training and test.",
    )
    inductive: bool = parameter(
        False,
        label="Inductive",
        help="Refit every step on the training items alone. Otherwise the kernel has seen the test items "
        "(never their labels).",
    )

    def __post_init__(self) -> None:
        check_parameters(self)


class Fold(NamedTuple):
    """One division: positions of training and test items, and the repetition that it belongs to."""

    train: IntArray
    test: IntArray
    repeat: int


def make_folds(
    codes: IntArray, config: CrossValidation, *, groups: NDArray[np.str_] | None = None
) -> tuple[Fold, ...]:
    """Divide items so that each is tested once a repetition.

    Repetition r is scikit-learn's StratifiedKFold (StratifiedGroupKFold if grouped), shuffled with seed + r. A class
    with fewer members than folds is missing from some of them.

    Parameters
    ----------
    codes : (n,) int
        Class of each item; -1 = unlabelled, which is in no fold.
    config : CrossValidation
    groups : (n,) str, optional
        Used if config.grouped; "" = a group of its own.

    Raises
    ------
    InvalidInputError
        Fewer than two labelled items, every class smaller than the number of folds, groups asked for but not given,
        or fewer groups than folds.
    """
    items = np.flatnonzero(codes >= 0)
    if items.size < 2:
        raise InvalidInputError("Cross-validation needs at least two labelled items", str(items.size))
    if config.grouped and groups is None:
        raise InvalidInputError("Folds by group need a group column in the labels", "none")
    if config.grouped and groups is not None:
        return _grouped(items, codes[items], _units(groups[items]), config)
    if config.folds == LEAVE_ONE_OUT:
        return tuple(Fold(np.delete(items, i), items[i : i + 1], 0) for i in range(items.size))
    return stratified_folds(codes, config.folds, repeats=config.repeats, seed=config.seed)


def _check_largest(codes: IntArray, k: int) -> None:
    largest = int(np.bincount(codes).max())
    if largest < k:
        raise InvalidInputError(
            f"The largest class has to have at least as many members as there are folds ({k})",
            "no class with more than one" if largest == 1 else f"{largest} in the largest",
            "Use fewer folds, or leave-one-out"
            if k > 2
            else "Use leave-one-out, or bring more items of a class",
        )


def _units(groups: NDArray[np.str_]) -> NDArray[np.str_]:
    """Names of groups that tell items without a group apart."""
    return np.array(
        [f"group {name}" if name else f"item {i}" for i, name in enumerate(groups)], dtype=np.str_
    )


def stratified_folds(codes: IntArray, k: int, *, repeats: int = 1, seed: int = 0) -> tuple[Fold, ...]:
    """Divide the labelled items (code at least 0) into k parts, `repeats` times; see `make_folds`.

    Raises
    ------
    InvalidInputError
        Fewer than two parts, or every class smaller than k.
    """
    from sklearn.model_selection import StratifiedKFold  # slow to import

    check_range("The number of folds", k, 2)
    items = np.flatnonzero(codes >= 0)
    _check_largest(codes[items], k)
    folds: list[Fold] = []
    with quiet(UserWarning):  # a class smaller than the number of folds is told in the judgement's notes
        for repeat in range(repeats):
            splitter = StratifiedKFold(k, shuffle=True, random_state=_seed(seed, repeat))
            parts = splitter.split(codes[items], codes[items])
            folds += [Fold(items[train], items[test], repeat) for train, test in parts]
    return tuple(folds)


def _grouped(
    items: IntArray, codes: IntArray, groups: NDArray[np.str_], config: CrossValidation
) -> tuple[Fold, ...]:
    from sklearn.model_selection import LeaveOneGroupOut, StratifiedGroupKFold

    count = np.unique(groups).size
    if count < max(config.folds, 2):
        raise InvalidInputError(
            f"There have to be at least as many groups as folds ({max(config.folds, 2)})",
            f"{count} groups",
            "Use fewer folds",
        )
    if config.folds == LEAVE_ONE_OUT:
        parts = LeaveOneGroupOut().split(codes, codes, groups)
        return tuple(Fold(items[train], items[test], 0) for train, test in parts)
    _check_largest(codes, config.folds)
    folds: list[Fold] = []
    with quiet(UserWarning):
        for repeat in range(config.repeats):
            splitter = StratifiedGroupKFold(
                config.folds, shuffle=True, random_state=_seed(config.seed, repeat)
            )
            for train, test in splitter.split(codes, codes, groups):
                if train.size and test.size:
                    folds.append(Fold(items[train], items[test], repeat))
    return tuple(folds)


def _seed(seed: int, repeat: int) -> int:
    return (seed + repeat) % 2**32
