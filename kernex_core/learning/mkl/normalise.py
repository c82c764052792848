"""Kernels put on one scale before they are weighed: without it a larger kernel gets weight for its size alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray
from kernex_core.gram.center import Center
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.gram.split import Split
from kernex_core.parameters import check_choice

NORMALISATIONS: Final = {
    "none": "as they are",
    "mean": "each divided by its mean self-similarity",
    "cosine": "each item of length 1",
    "centred": "each centred, then divided by its mean self-similarity: its variance",
}
"""What is done to every kernel first, by name."""


def normalised(blocks: Split, how: str) -> tuple[Split, float]:
    """One kernel normalised by what its training block says, and what its similarities were divided by in the end.

    Parameters
    ----------
    blocks : Split
    how : {"none", "mean", "cosine", "centred"}

    Raises
    ------
    InvalidInputError
        Another name, or a kernel without self-similarity.
    """
    check_choice("The normalisation", how, tuple(NORMALISATIONS))
    if how in ("cosine", "centred"):
        fitted = (CosineNormalize() if how == "cosine" else Center()).fit(blocks.K_train)
        crossed = fitted.apply_cross(blocks.K_cross, blocks.diag_test)
        blocks = replace(
            blocks, K_train=fitted.apply(blocks.K_train), K_cross=crossed.values, diag_test=crossed.diag
        )
    if how in ("none", "cosine"):
        return blocks, 1.0
    unit = float(np.diag(blocks.K_train).mean())
    if unit <= 0.0:
        raise InvalidInputError(
            "A kernel needs self-similarities above 0 to be put on a scale", f"mean {unit:g}", "Leave it out"
        )
    return (
        replace(
            blocks,
            K_train=blocks.K_train / unit,
            K_cross=blocks.K_cross / unit,
            diag_test=blocks.diag_test / unit,
        ),
        unit,
    )


def normalised_alone(K: FloatArray, how: str) -> tuple[FloatArray, float]:
    """The same of a kernel without new items."""
    empty = Split(K, np.zeros((0, len(K))), np.zeros(0))
    made, unit = normalised(empty, how)
    return made.K_train, unit
