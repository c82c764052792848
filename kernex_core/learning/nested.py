"""Folds inside the training items: nested cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kernex_core.frozen import IntArray
from kernex_core.learning.folds import CrossValidation, Fold, folds_keeping

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
