"""What the browser needs to draw a kernel at every value of a parameter while the thumb moves."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from kernex_core.base.frozen import IntArray
from kernex_core.gram.parallel_sum import JointPath
from pages.shared.cached import cached
from pages.shared.matrices import payload
from pages.shared.matrices.panels import Follow

FACTORED: Final = 320
"""Up to this number of items the browser computes the joint kernel itself, 30 times a second or faster."""
FRAMES: Final = 11


def joint_follows(path: JointPath, panel: int, order: IntArray) -> tuple[Follow, ...]:
    """Joint kernel of a path: from its factor, or from frames between which the browser draws lines."""
    if path.F.shape[0] <= FACTORED:
        return (Follow(panel, "factor", _factor(path), note="λ = {}"),)
    return (Follow(panel, "frames", _frames(path, order), note="λ ≈ {}"),)


@cached(public=True)
def _factor(path: JointPath) -> payload.Carrier:
    return payload.factor(path)


@cached(public=True)
def _frames(path: JointPath, order: IntArray) -> payload.Carrier:
    # dense where the kernel turns fastest: near both ends
    lams = [float(np.sin(np.pi * k / (2 * (FRAMES - 1))) ** 2) for k in range(FRAMES)]
    # means of blocks from means of rows: no frame is ever a matrix of all items
    blocks = replace(path, F=payload.row_means(path.F[order], payload.FRAME))
    return payload.frames([blocks.kernel(lam) for lam in lams], lams, len(order))
