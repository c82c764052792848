"""How items are divided into training and test: stratified, grouped, repeated, seeded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import IntArray
from kernex_core.parameters import check_parameters, parameter

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
        help="Parts that the items are divided into; each is the test set once. 0 = leave-one-out.",
        choices=(2, 5, 10, LEAVE_ONE_OUT),
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
    codes: IntArray,
    config: CrossValidation,
    *,
    rng: np.random.Generator,
    groups: NDArray[np.str_] | None = None,
) -> tuple[Fold, ...]:
    """Divide items so that each is tested once a repetition.

    Stratified: the members of each class, in random order, are dealt to the folds in turn, beginning where the last
    class ended; a class with fewer members than folds is missing from some. Grouped: whole groups are dealt, largest
    first, each to the fold in which its classes are rarest so far (ties to the fold with fewest items).

    Parameters
    ----------
    codes : (n,) int
        Class of each item; -1 = unlabelled, which is in no fold.
    config : CrossValidation
    rng : numpy.random.Generator
    groups : (n,) str, optional
        Used if config.grouped.

    Raises
    ------
    InvalidInputError
        Fewer than two labelled items, groups asked for but not given, or fewer groups than folds.
    """
    items = np.flatnonzero(codes >= 0)
    if items.size < 2:
        raise InvalidInputError("Cross-validation needs at least two labelled items", str(items.size))
    if config.grouped and groups is None:
        raise InvalidInputError("Folds by group need a group column in the labels", "none")
    if config.folds == LEAVE_ONE_OUT and not config.grouped:
        return tuple(Fold(np.delete(items, i), items[i : i + 1], 0) for i in range(items.size))
    made: list[Fold] = []
    repeats = 1 if config.folds == LEAVE_ONE_OUT else config.repeats
    for repeat in range(repeats):
        if config.grouped and groups is not None:
            part = _deal_groups(codes[items], groups[items], config.folds, rng)
        else:
            part = _deal(codes[items], min(config.folds, items.size), rng)
        made += [Fold(items[part != k], items[part == k], repeat) for k in np.unique(part)]
    return tuple(made)


def _deal(codes: IntArray, k: int, rng: np.random.Generator) -> IntArray:
    part = np.empty(codes.size, dtype=np.int64)
    start = 0
    for c in np.unique(codes):
        members = rng.permutation(np.flatnonzero(codes == c))
        part[members] = (start + np.arange(members.size)) % k
        start += members.size
    return part


def _deal_groups(codes: IntArray, groups: NDArray[np.str_], k: int, rng: np.random.Generator) -> IntArray:
    names, group = np.unique(groups, return_inverse=True)
    k = names.size if k == LEAVE_ONE_OUT else k
    if names.size < k:
        raise InvalidInputError(
            f"There have to be at least as many groups as folds ({k})",
            f"{names.size} groups",
            "Use fewer folds",
        )
    n_classes = int(codes.max()) + 1
    table = np.zeros((names.size, n_classes))
    np.add.at(table, (group, codes), 1.0)
    shuffled = rng.permutation(names.size)
    order = shuffled[np.argsort(-table[shuffled].sum(axis=1), kind="stable")]
    share = table / np.maximum(table.sum(axis=0), 1.0)
    load, classes, place = np.zeros(k), np.zeros((k, n_classes)), np.empty(names.size, dtype=np.int64)
    for number, g in enumerate(order):
        # an empty fold comes first while as many groups are left as there are empty folds
        empty = np.flatnonzero(load == 0)
        candidates = empty if empty.size >= order.size - number else np.arange(k)
        cost = (classes[candidates] * share[g]).sum(axis=1)
        best = candidates[np.lexsort((load[candidates], cost))[0]]
        place[g] = best
        load[best] += table[g].sum()
        classes[best] += share[g]
    return place[group]
