"""Swiss roll: a sheet rolled up in space, which no straight projection unrolls."""

from __future__ import annotations

import numpy as np

from kernex_core.base.parameters import check_seed
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.kernels.vectors.dot_product import Linear

POINTS = 500
HEIGHT, NOISE = 10.0, 0.05
QUARTERS = ("first quarter", "second quarter", "third quarter", "last quarter")

_DESCRIPTION = (
    "Simulated: 500 points of a sheet rolled up in space, with noise of sd .05. The sheet is 10 high; t = 1.5 π (1 + 2u) "
    "with u even between 0 and 1 says how far along it a point lies, and is kept as the vectors “along the roll”. "
    "The classes are the quarters of u. The linear kernel sees the roll from outside: neighbours along the sheet are "
    "what unrolls it."
)


def swiss_roll(seed: int = 0) -> DataSet:
    """Points of a rolled sheet with their place along it, and their linear kernel.

    Parameters
    ----------
    seed : int
        At least 0; draws places, heights and noise.

    Returns
    -------
    DataSet
        Samples "points" (500, 3) and "along the roll" (500, 1), kernel "linear"; in their order along the roll.

    Raises
    ------
    InvalidInputError
        A bad seed.
    """
    rng = np.random.default_rng(check_seed(seed))
    u = (np.arange(POINTS) + rng.random(POINTS)) / POINTS  # one point in each of 500 equal parts
    t = 1.5 * np.pi * (1.0 + 2.0 * u)
    height = HEIGHT * rng.random(POINTS)
    X = np.column_stack([t * np.cos(t), height, t * np.sin(t)]) + NOISE * rng.normal(size=(POINTS, 3))
    ids = tuple(f"p{number:03d}" for number in range(1, POINTS + 1))
    points = Vectors(ids, X, ("x", "height", "z"))
    return DataSet(
        name="Swiss roll",
        ids=ids,
        labels=Labels(ids, np.array(QUARTERS)[np.minimum((4.0 * u).astype(int), 3)]),
        samples={"points": points, "along the roll": Vectors(ids, t[:, None], ("t",))},
        kernels={"linear": Linear().similarities(points, name="linear")},
        description=_DESCRIPTION,
        simulated=True,
        target="linear",
    )
