"""What the browser draws of the kernel after while p is dragged in the picture."""

from __future__ import annotations

from typing import Final

import numpy as np

from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.conditioning.schemes import EmpiricalScheme
from kernex_core.gram.matrix import GramMatrix
from kernex_core.studies.diagonals.shrink import (
    MEAN_DIAGONAL,
    POWER,
    DiagonalConfig,
    Shrunk,
    in_units,
    shrunk_kernel,
)
from pages.kernels.power.choice import FIELDS, STRENGTH_KEYS
from pages.shared.cached import cached
from pages.shared.declared.labels import label
from pages.shared.matrices import payload
from pages.shared.matrices.follows import FRAMES
from pages.shared.matrices.panels import Drag, Follow
from pages.shared.widget import stops

FOLLOWED: Final = 256
"""Up to this number of items the browser computes the empirical map itself, n³ operations a picture; frames above."""
LOW, HIGH, STEP = 0.05, 1.0, 0.05


def drag_of(made: Shrunk, K: GramMatrix, config: DiagonalConfig, order: IntArray, pick: bool) -> Drag:
    """Return the parameter as it is dragged in the pictures of K before and after, in an order of its items.

    Nothing follows of another map than a power, and where a frame would cost a decomposition of many items: then the
    pictures come when the thumb is let go. With `pick` a button chooses it.
    """
    name = config.map.strength
    title = label(FIELDS[name], name)
    follows = _follows(made, K, config, order)
    choose = f"Choose {name}" if pick else ""
    if config.map.logarithmic:
        options, _ = stops(FIELDS[name], config.strength)
        at = min(range(len(options)), key=lambda k: abs(options[k] - config.strength))
        return Drag(
            STRENGTH_KEYS[name], name, f"{name}, in the picture", at, 0, len(options) - 1, 1, follows,
            whole_page=True, options=options, title=title, pick=choose,
        )  # fmt: skip
    return Drag(
        STRENGTH_KEYS[name], name, f"{name}, in the picture", config.p, LOW, HIGH, STEP, follows,
        whole_page=True, title=title, pick=choose,
    )  # fmt: skip


def _follows(made: Shrunk, K: GramMatrix, config: DiagonalConfig, order: IntArray) -> tuple[Follow, ...]:
    if config.map is not POWER or made.units[1] != MEAN_DIAGONAL:
        return ()
    empirical, many = config.scheme == EmpiricalScheme.name, K.n > FOLLOWED
    complete = not np.isnan(made.shown[0]).any()
    if empirical and complete and not many:
        return (Follow(1, "empirical", of=(0,), note="p = {}"),)
    if empirical and complete:
        return (Follow(1, "frames", _of_rows(made.shown[0], order), note="p ≈ {}"),)
    if not many:
        any_p = DiagonalConfig(scheme=config.scheme, phi=config.phi)
        return (Follow(1, "frames", _of_scheme(K, any_p, order), note="p ≈ {}"),)
    return ()


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
