"""How items are divided into training and test: stratified, grouped, repeated, seeded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, first_of, joined
from kernex_core.base.parameters import check_parameters, check_range, parameter, repetition_seed

LEAVE_ONE_OUT = 0
APART = "apart"
C_GRID = (0.01, 0.1, 1.0, 10.0, 100.0, 1e3, 1e4)
"""Costs that nested cross-validation chooses from, over the mean diagonal of the training block."""


@dataclass(frozen=True)
class CrossValidation:
    """Protocol of a cross-validated accuracy.

    Attributes
    ----------
    folds : int
        2, 5 or 10; 0 = leave-one-out, which has nothing to repeat.
    C : float
        Of a kernel as it is. Where it is chosen inside the folds it is in units of the mean diagonal of the training block,
        and this one stands where training items cannot be divided.
    choose_C : bool
        Choose C inside every training fold (nested cross-validation) instead of fixing it.
    inductive : bool
        Refit every step on the training fold alone, instead of on all items.
    copies : {"together", "apart"}
        Whether items that are copies of one another are one group in the folds.
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
        help="Cost of training errors in the C-SVM; λ_SVM = 1/(2nC). It is taken as it is: its effect depends on the "
        "kernel's scale. Chosen inside the folds it is in units of the mean diagonal of the training items.",
        low=1e-4,
        high=1e7,
        logarithmic=True,
    )
    choose_C: bool = parameter(
        False,
        label="Choose C inside the folds",
        help="Nested cross-validation: every training fold chooses C by folds of its own, in units of the mean diagonal "
        "of its items, so that the scale of a kernel changes nothing.",
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
    copies: str = parameter(
        "together",
        label="Copies",
        help="Items that are equal, as sequences, vectors or graphs, or that a judged kernel does not tell apart. Together: "
        "folds do not split them, because a test item whose copy is a training item is found, not predicted.",
        choices=("together", APART),
    )

    def __post_init__(self) -> None:
        check_parameters(self)


class Fold(NamedTuple):
    """One division: positions of training and test items, and the repetition that it belongs to."""

    train: IntArray
    test: IntArray
    repeat: int


def kept_together(
    config: CrossValidation, groups: NDArray[np.str_] | None, copies: IntArray | None = None
) -> NDArray[np.str_] | None:
    """(n,) names of what folds do not split: given groups, copies, or what both join; None where every item is by itself.

    Parameters
    ----------
    config : CrossValidation
    groups : (n,) str or None
        Used if config.grouped; "" = a group of its own.
    copies : (n,) int, optional
        Place of the first item that each one is a copy of.

    Raises
    ------
    InvalidInputError
        Groups asked for but not given.
    """
    if config.grouped and groups is None:
        raise InvalidInputError("Folds by group need a group column in the labels", "none")
    given = units_of(groups) if config.grouped and groups is not None else None
    if copies is None or np.array_equal(copies, np.arange(copies.size)):
        return given
    sizes = np.bincount(copies, minlength=copies.size)
    if given is None:
        return np.array(
            [
                f"copies {first}" if sizes[first] > 1 else f"item {i}"
                for i, first in enumerate(copies.tolist())
            ],
            dtype=np.str_,
        )
    return given[joined(first_of(given.tolist()), copies)]


def make_folds(
    codes: IntArray, config: CrossValidation, *, groups: NDArray[np.str_] | None = None
) -> tuple[Fold, ...]:
    """Divide items so that each is tested once a repetition.

    Repetition r is scikit-learn's StratifiedKFold (StratifiedGroupKFold if grouped), shuffled with the number
    `repetition_seed(seed, r)`. A class with fewer members than folds is missing from some of them.

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
    return folds_keeping(codes, config, kept_together(config, groups))


def folds_keeping(
    codes: IntArray, config: CrossValidation, together: NDArray[np.str_] | None
) -> tuple[Fold, ...]:
    """The same with what is kept together as `kept_together` names it; None = every item is by itself."""
    items = np.flatnonzero(codes >= 0)
    if items.size < 2:
        raise InvalidInputError("Cross-validation needs at least two labelled items", str(items.size))
    if together is not None:
        return _grouped(items, codes[items], together[items], config)
    if config.folds == LEAVE_ONE_OUT:
        return tuple(Fold(np.delete(items, i), items[i : i + 1], 0) for i in range(items.size))
    return stratified_folds(codes, config.folds, repeats=config.repeats, seed=config.seed)


def _check_largest(codes: IntArray, k: int) -> None:
    largest = int(np.bincount(codes).max())
    if largest < k:
        raise InvalidInputError(
            f"The largest class has to have at least as many members as there are folds ({k})",
            "no class with more than one" if largest == 1 else f"{largest} in the largest",
            "Bring labels that several items share; numbers are predicted on the page Evaluate"
            if largest == 1 and codes.size > 2
            else "Use fewer folds, or leave-one-out"
            if k > 2
            else "Use leave-one-out, or bring more items of a class",
        )


def units_of(groups: NDArray[np.str_]) -> NDArray[np.str_]:
    """(n,) names of groups that tell items without a group apart."""
    return np.array(
        [f"group {name}" if name else f"item {i}" for i, name in enumerate(groups)], dtype=np.str_
    )


def stratified_folds(
    codes: IntArray, k: int, *, repeats: int = 1, seed: int = 0, first: int = 0
) -> tuple[Fold, ...]:
    """Divide the labelled items (code at least 0) into k parts, in repetitions `first` and on; see `make_folds`.

    Raises
    ------
    InvalidInputError
        Fewer than two parts, or every class smaller than k.
    """
    dealt = _dealt(codes, k)
    states = (repetition_seed(seed, first + repeat) for repeat in range(repeats))
    return tuple(fold for r, state in enumerate(states) for fold in _shuffled(dealt, k, state, r))


def folds_of_state(codes: IntArray, k: int, state: int, repeat: int = 0) -> tuple[Fold, ...]:
    """The folds of scikit-learn's StratifiedKFold(k, shuffle=True, random_state=state) on the labelled items.

    Raises
    ------
    InvalidInputError
        See `stratified_folds`.
    """
    return _shuffled(_dealt(codes, k), k, state, repeat)


def _grouped(
    items: IntArray, codes: IntArray, groups: NDArray[np.str_], config: CrossValidation
) -> tuple[Fold, ...]:
    names, of_item = np.unique(groups, return_inverse=True)
    k, repeats = config.folds, config.repeats
    if names.size < max(k, 2):
        raise InvalidInputError(
            f"There have to be at least as many groups as folds ({max(k, 2)})",
            f"{names.size} groups",
            "Use fewer folds",
        )
    if k == LEAVE_ONE_OUT:
        return tuple(Fold(items[of_item != g], items[of_item == g], 0) for g in range(names.size))
    _check_largest(codes, k)
    folds: list[Fold] = []
    for repeat in range(repeats):
        rng = np.random.RandomState(repetition_seed(config.seed, repeat))
        parts = _parts_of_groups(codes, of_item, k, rng)[of_item]
        made = [Fold(items[parts != part], items[parts == part], repeat) for part in range(k)]
        folds += [fold for fold in made if fold.train.size and fold.test.size]
    return tuple(folds)


def _by_appearance(codes: IntArray) -> IntArray:
    """Classes (n,) numbered by the place of their first member."""
    _, first, numbers = np.unique(codes, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[numbers], dtype=np.int64)


_Dealt = tuple[IntArray, list[tuple[IntArray, IntArray]]]
"""Labelled items, and of each class, by appearance, the places of its members and the parts that they are dealt to."""


def _dealt(codes: IntArray, k: int) -> _Dealt:
    """Members of each class go round the k parts, where the class before it stopped."""
    check_range("The number of folds", k, 2)
    items = np.flatnonzero(codes >= 0)
    _check_largest(codes[items], k)
    classes = _by_appearance(codes[items])
    ends = np.cumsum(np.bincount(classes))[:-1]
    members = np.split(np.argsort(classes, kind="stable"), ends)
    parts = np.split(np.arange(items.size) % k, ends)
    return items, [(own, np.sort(part)) for own, part in zip(members, parts, strict=True)]


def _shuffled(dealt: _Dealt, k: int, state: int, repeat: int) -> tuple[Fold, ...]:
    """The same as scikit-learn's StratifiedKFold(shuffle=True), which warns of small classes: a warning can only be kept
    quiet for all threads at once, and the judgement's notes tell it.
    """
    rng, (items, classes) = np.random.RandomState(state), dealt
    parts = np.empty(items.size, dtype=np.int64)
    for members, given in classes:
        mine = given.copy()
        rng.shuffle(mine)
        parts[members] = mine
    return tuple(Fold(items[parts != part], items[parts == part], repeat) for part in range(k))


def _parts_of_groups(codes: IntArray, of_item: IntArray, k: int, rng: np.random.RandomState) -> IntArray:
    """Part (n_groups,) of every group: the most uneven group first, each to the part that keeps classes most even.

    The same as scikit-learn's StratifiedGroupKFold(shuffle=True), without its warning.
    """
    _, classes = np.unique(codes, return_inverse=True)
    counts = np.zeros((int(of_item.max()) + 1, int(classes.max()) + 1))
    np.add.at(counts, (of_item, classes), 1.0)
    order = np.arange(len(counts))
    rng.shuffle(order)
    order = order[np.argsort(-np.std(counts[order], axis=1), kind="stable")]
    filled, sizes = np.zeros((k, counts.shape[1])), counts.sum(axis=0)
    parts = np.empty(len(counts), dtype=np.int64)
    for group in order:
        parts[group] = _most_even(filled, counts[group], sizes)
        filled[parts[group]] += counts[group]
    return parts


def _most_even(filled: FloatArray, group: FloatArray, sizes: FloatArray) -> int:
    """The part after whose choice shares of classes differ least between parts; of equals the one with fewest items."""
    best, least, fewest = 0, np.inf, np.inf
    for part in range(len(filled)):
        tried = filled.copy()
        tried[part] += group
        uneven = float(np.mean(np.std(tried / sizes, axis=0)))
        if uneven < least or (np.isclose(uneven, least) and filled[part].sum() < fewest):
            best, least, fewest = part, uneven, float(filled[part].sum())
    return best


# Folds inside the training items: nested cross-validation.

INNER_FOLDS = 5


def inner_folds(
    codes: IntArray,
    train: IntArray,
    config: CrossValidation,
    together: NDArray[np.str_] | None,
    *,
    least_classes: int = 2,
) -> Sequence[Fold]:
    """Five folds of the training items alone, two where no class (with groups: no set of groups) has five; () where one
    cannot divide them, or they are of fewer classes than need to be told apart: 1 where numbers are learned.

    What is kept `together` in the folds (`kept_together`) stays together inside the training items as well.
    """
    own = np.full(codes.size, -1, dtype=np.int64)
    _, own[train] = np.unique(codes[train], return_inverse=True)
    units = int(np.bincount(own[train]).max())
    if together is not None:
        units = min(units, np.unique(together[train]).size)
    k = INNER_FOLDS if units >= INNER_FOLDS else 2
    if own.max() + 1 < least_classes or units < k:
        return ()
    return folds_keeping(own, replace(config, folds=k, repeats=1), together)
