"""What the browser draws of one kernel while the power p of its entries is dragged in the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from kernex_core.base.frozen import IntArray
from kernex_core.base.parameters import parameters
from kernex_core.gram.matrix import GramMatrix
from kernex_core.studies.inspection import InspectionConfig, condition
from pages.shared.cached import cached
from pages.shared.declared.labels import label
from pages.shared.matrices import payload
from pages.shared.matrices.follows import FRAMES
from pages.shared.matrices.panels import Drag, Follow
from pages.shared.widget import stops

MOST: Final = 1200
"""Items up to which frames are made, each of n² powers; of more the picture comes when the thumb is let go."""
P: Final = parameters(InspectionConfig)["p"]


def drag_of(
    config: InspectionConfig, kernels: Sequence[GramMatrix], order: IntArray, key: str
) -> Drag | None:
    """Return p as it is dragged in pictures of kernels, in an order of their items; None where entries have no power.

    Parameters
    ----------
    config : InspectionConfig
        What is done to the kernels before they are drawn.
    kernels : sequence of GramMatrix
        As they came, one a picture.
    order : (n,) int
    key : str
        Of the widget that keeps the setting.
    """
    if config.elements != "power":
        return None
    follows = tuple(
        Follow(place, "frames", _frames(replace(config, p=1.0), K, order), more={"rescaled": True})
        for place, K in enumerate(kernels)
        if K.n <= MOST
    )
    values, _ = stops(P, 1.0)
    low, high, step = values[0], values[-1], values[1] - values[0]
    return Drag(
        key, "p", "p, in the picture", config.p, low, high, round(step, 10), follows, whole_page=True,
        title=label(P, "p"),
    )  # fmt: skip


@cached(public=True)
def _frames(config: InspectionConfig, K: GramMatrix, order: IntArray) -> payload.Carrier:
    """Frames between which the browser draws lines: whole of few items, else means of blocks in their order."""
    values, _ = stops(P, 1.0)
    powers = np.linspace(values[0], values[-1], FRAMES).tolist()
    made = [condition(replace(config, p=p), K).values for p in powers]
    if K.n > payload.FRAME:
        made = [payload.block_means(each[np.ix_(order, order)], payload.FRAME) for each in made]
    return payload.frames(made, powers, K.n)
