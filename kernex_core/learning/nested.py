"""Folds inside the training items: nested cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kernex_core.frozen import IntArray
from kernex_core.learning.folds import CrossValidation, Fold, make_folds

INNER_FOLDS = 5


def inner_folds(
    codes: IntArray,
    train: IntArray,
    config: CrossValidation,
    groups: NDArray[np.str_] | None,
    *,
    least_classes: int = 2,
) -> Sequence[Fold]:
    """Five folds of the training items alone, two where no class (with groups: no set of groups) has five; () where one
    cannot divide them, or they are of fewer classes than need to be told apart: 1 where numbers are learned.
    """
    own = np.full(codes.size, -1, dtype=np.int64)
    _, own[train] = np.unique(codes[train], return_inverse=True)
    if config.grouped and groups is not None:
        units = np.unique(groups[train]).size
    else:
        units = int(np.bincount(own[train]).max())
    k = INNER_FOLDS if units >= INNER_FOLDS else 2
    if own.max() + 1 < least_classes or units < k:
        return ()
    return make_folds(own, replace(config, folds=k, repeats=1), groups=groups)
