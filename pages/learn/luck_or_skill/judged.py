"""What the core has judged: kept for all visitors, and judged ahead so that a control never waits for it."""

from __future__ import annotations

from typing import Final

import numpy as np
import streamlit as st

from kernex_core.learning.folds import LEAVE_ONE_OUT
from kernex_core.runtime.progress import finished
from kernex_core.studies.lessons.luck_or_skill import (
    COSTS,
    STATES,
    WORLDS,
    JudgedNoise,
    LeakRow,
    Winner,
    identity_right,
    judging_noise,
    leak_rows,
    winner_again,
)
from pages.shared.cached import cached

FIVE: Final = 5
C_OF_FIVE: Final = 1.0
STOPS: Final = {
    "many": tuple((FIVE, state, C_OF_FIVE) for state in range(STATES)),
    "each": tuple((LEAVE_ONE_OUT, 0, C) for C in COSTS),
}
"""Folds, their seed and C of everything that the sliders of a picture lead to."""


@cached(shared=True)
def judged(folds: int, state: int, C: float) -> JudgedNoise:
    """All kernels of noise on the same folds."""
    return finished(judging_noise(folds, state, C))


@cached(shared=True)
def winner(seed: int, state: int) -> Winner:
    """The best kernel, judged again."""
    return winner_again(seed, C_OF_FIVE, state)


@cached(shared=True)
def rows(world: int) -> tuple[LeakRow, ...]:
    """The four ways to make a kernel of columns of noise."""
    return leak_rows(world)


@cached(shared=True)
def identity(folds: int, C: float) -> int:
    """How many items are right where no two are alike."""
    return identity_right(folds, C)


def winners(found: JudgedNoise) -> tuple[Winner, ...]:
    """All kernels that are the best of the first m for some m, judged again; those of folds that have a seed."""
    if found.folds == LEAVE_ONE_OUT:
        return ()
    records = np.flatnonzero(found.right > np.concatenate([[-1], np.maximum.accumulate(found.right)[:-1]]))
    return tuple(winner(int(seed), found.state) for seed in records)


def ahead(look: str) -> None:
    """Judge what the sliders of a picture lead to, with progress, once for all visitors; a click is answered in between."""
    if look == "leak":
        for world in range(WORLDS):
            rows(world)
    missing = [stop for stop in STOPS.get(look, ()) if judged.peek(*stop) is None]
    if not missing:
        return
    bar = st.progress(0.0, "The other positions of the slider are being judged, once for everybody …")
    for k, stop in enumerate(missing):
        winners(judged(*stop))
        bar.progress((k + 1) / len(missing))
    bar.empty()
