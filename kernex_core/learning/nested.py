"""C chosen inside the training fold: nested cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kernex_core.frozen import IntArray
from kernex_core.gram.split import Split
from kernex_core.learning.folds import C_GRID, CrossValidation, Fold, make_folds
from kernex_core.learning.svm import OneVsRest, fit_one_vs_rest

Splitter = Callable[[IntArray, IntArray], Split]
"""Blocks of a kernel for (train, test); an inductive one fits the kernel's steps on train alone."""

INNER_FOLDS = 5


def fit_grid(split: Split, codes: IntArray, n_classes: int, *, checked: bool) -> dict[float, OneVsRest]:
    """One fit for each C of the grid, each started from the solution of the C before.

    Parameters
    ----------
    codes : (n_train,) int
    checked : bool
        Skip the check of the block (see `fit_one_vs_rest`).
    """
    fits: dict[float, OneVsRest] = {}
    K_train = split.K_train if checked else split.checked().K_train
    start: OneVsRest | None = None
    for C in sorted(C_GRID):
        start = fit_one_vs_rest(K_train, codes, n_classes, C=C, start=start, checked=True)
        fits[C] = start
    return fits


def chosen_C(
    split: Splitter,
    codes: IntArray,
    train: IntArray,
    config: CrossValidation,
    groups: NDArray[np.str_] | None,
    *,
    checked: bool,
) -> float:
    """C of the grid with the most rightly named items in five folds of the training items; of several the smallest.

    Parameters
    ----------
    split : callable
        Fits what has to be fitted on the inner training items.
    codes : (n,) int
        Of all items; only those of `train` are looked at.
    train : (n_train,) int
    config : CrossValidation
        Its groups hold in the inner folds too; its C is taken where training items cannot be divided.
    """
    folds = inner_folds(codes, train, config, groups)
    right = dict.fromkeys(sorted(C_GRID), 0)
    for inner in folds:
        found, present = np.unique(codes[inner.train], return_inverse=True)
        blocks = split(inner.train, inner.test)
        fits = fit_grid(blocks, present.astype(np.int64), found.size, checked=checked)
        for C, count in right_by_C(fits, blocks, found, codes[inner.test]).items():
            right[C] += count
    return max(right, key=lambda C: (right[C], -C)) if folds else config.C


def right_by_C(
    fits: Mapping[float, OneVsRest], split: Split, classes: IntArray, truth: IntArray
) -> dict[float, int]:
    """Test items that each fit names rightly; `classes` are the codes of its decision columns."""
    return {
        C: int((classes[fit.decide(split.K_cross).argmax(axis=1)] == truth).sum()) for C, fit in fits.items()
    }


def inner_folds(
    codes: IntArray, train: IntArray, config: CrossValidation, groups: NDArray[np.str_] | None
) -> Sequence[Fold]:
    """Five folds of the training items alone, two where no class (with groups: no set of groups) has five; () where one
    cannot divide them.
    """
    own = np.full(codes.size, -1, dtype=np.int64)
    _, own[train] = np.unique(codes[train], return_inverse=True)
    if config.grouped and groups is not None:
        units = np.unique(groups[train]).size
    else:
        units = int(np.bincount(own[train]).max())
    k = INNER_FOLDS if units >= INNER_FOLDS else 2
    if own.max() < 1 or units < k:
        return ()
    return make_folds(own, replace(config, folds=k, repeats=1), groups=groups)
