"""What the browser draws of the kernel after while p is dragged in the picture."""

from __future__ import annotations

from typing import Final

import numpy as np

from kernex_core.conditioning.scheme import EmpiricalScheme
from kernex_core.frozen import FloatArray, IntArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.studies.diagonals.maps import POWER
from kernex_core.studies.diagonals.shrink import (
    MEAN_DIAGONAL,
    DiagonalConfig,
    Shrunk,
    in_units,
    shrunk_kernel,
)
from pages.shared.cached import cached
from pages.shared.matrices import payload
from pages.shared.matrices.follows import FRAMES
from pages.shared.matrices.panels import Drag, Follow

FOLLOWED: Final = 256
"""Up to this number of items the browser computes the empirical map itself, n³ operations a picture; frames above."""
LOW, HIGH, STEP = 0.05, 1.0, 0.05


def drag_of(made: Shrunk, K: GramMatrix, config: DiagonalConfig, order: IntArray) -> Drag | None:
    """Return the power as it can be dragged in the pictures of K before and after, in an order of its items.

    None for another map than a power, and where a frame would cost a decomposition of many items.
    """
    if config.map is not POWER or made.units[1] != MEAN_DIAGONAL:
        return None
    empirical, many = config.scheme == EmpiricalScheme.name, K.n > FOLLOWED
    complete = not np.isnan(made.shown[0]).any()
    if empirical and complete and not many:
        follow = Follow(1, "empirical", of=(0,), note="p = {}")
    elif empirical and complete:
        follow = Follow(1, "frames", _of_rows(made.shown[0], order), note="p ≈ {}")
    elif not many:
        any_p = DiagonalConfig(scheme=config.scheme, phi=config.phi)
        follow = Follow(1, "frames", _of_scheme(K, any_p, order), note="p ≈ {}")
    else:
        return None
    return Drag("power", "p", "p, in the picture", config.p, LOW, HIGH, STEP, (follow,), whole_page=True)


def powers() -> FloatArray:
    """Values of p (FRAMES,) between which the browser draws lines."""
    return np.linspace(LOW, HIGH, FRAMES)


@cached(public=True)
def _of_scheme(K: GramMatrix, config: DiagonalConfig, order: IntArray) -> payload.Carrier:
    """Frames of any scheme, of few items."""
    made = [in_units(shrunk_kernel(config.at(float(p)), K).values)[0] for p in powers()]
    return payload.frames(made, powers().tolist(), len(order))


@cached(public=True)
def _of_rows(K: FloatArray, order: IntArray) -> payload.Carrier:
    """Frames of the empirical map of many items: means of blocks from means of rows, and no power but the first two."""
    in_order = K[np.ix_(order, order)]
    size, sign = np.abs(in_order), np.sign(in_order)
    mapped, factor = sign * size**LOW, size ** float(np.diff(powers())[0])
    made = []
    for _ in powers():
        rows = payload.row_means(mapped, payload.FRAME)
        made.append((rows @ rows.T) / (np.einsum("ij,ij->", mapped, mapped) / len(K)))
        mapped = mapped * factor
    return payload.frames(made, powers().tolist(), len(K))
