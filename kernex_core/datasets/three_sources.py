"""Three sources: one kernel that knows the classes, one that knows them less well, and one that knows nothing."""

from __future__ import annotations

import numpy as np

from kernex_core.base.parameters import check_seed
from kernex_core.inputs.dataset import DataSet, Defaults
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.kernels.vectors.distance import Gaussian

ITEMS, FEATURES = 120, 6
SHIFTS = (1.0, 0.6)
"""How far the classes lie from 0 on each side in the first two features, in standard deviations."""
BLUR = 0.5
"""Standard deviation of the noise that the second source adds to every feature."""
NAMES = ("clear", "blurred", "noise")

_DESCRIPTION = (
    "Simulated: 120 items of two classes, which differ in the first two of six features by 2 and by 1.2 standard "
    "deviations. Three Gaussian kernels: of the features, of the same features with noise of sd .5, and of six features "
    "that have nothing to do with the classes. Which weights should they get? Learned weights leave the noise out and are "
    "slightly better than the plain sum; they are not clearly better than the first kernel alone."
)


def three_sources(seed: int = 0) -> DataSet:
    """Items of two classes seen by three sources, and a Gaussian kernel of each.

    Parameters
    ----------
    seed : int
        At least 0; draws all features.

    Returns
    -------
    DataSet
        Samples and kernels "clear", "blurred" and "noise"; sorted by class.

    Raises
    ------
    InvalidInputError
        A bad seed.
    """
    rng = np.random.default_rng(check_seed(seed))
    second = rng.permutation(np.arange(ITEMS) >= ITEMS // 2)
    X = rng.normal(size=(ITEMS, FEATURES))
    X[:, : len(SHIFTS)] += np.outer(np.where(second, 1.0, -1.0), SHIFTS)
    blur, noise = (rng.normal(size=(ITEMS, FEATURES)) for _ in range(2))
    order = np.argsort(second, kind="stable")
    ids = tuple(f"i{number:03d}" for number in range(1, ITEMS + 1))
    columns = tuple(f"feature {number}" for number in range(1, FEATURES + 1))
    samples = {
        name: Vectors(ids, values[order], columns)
        for name, values in zip(NAMES, (X, X + BLUR * blur, noise), strict=True)
    }
    return DataSet(
        name="Three sources",
        ids=ids,
        labels=Labels(ids, np.where(second[order], "second", "first")),
        samples=samples,
        kernels={name: Gaussian().similarities(each, name=name) for name, each in samples.items()},
        description=_DESCRIPTION,
        simulated=True,
        target="clear",
        defaults=Defaults(C=1.0, folds=5, repeats=5),
    )
