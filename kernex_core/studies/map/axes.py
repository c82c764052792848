"""Which two coordinates of a map show most: the second may tell nothing that the first does not."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.frozen import FloatArray

OWN: Final = 0.5
"""Share of a coordinate's variance that the first does not explain, from which it is one of its own."""
WINDOW: Final = 0.05
"""Share of the items on either side of an item, along the first coordinate, whose mean is what that one explains."""


def own_direction(coordinates: ArrayLike) -> int:
    """Return the place (0, 1, ...) of the first coordinate that is no function of the first one; 1 where all are.

    The eigenvectors of a long strip repeat its length, as an arch and further waves, before its width comes. A coordinate is
    told by the mean of the items around an item in the first one, itself left out; what that leaves is its own (local
    regression as in Dsilva, Talmon, Coifman and Kevrekidis, Parsimonious representation of nonlinear dynamical systems
    through manifold learning, 2018).

    Parameters
    ----------
    coordinates : (n, q) float
        The first ones keep most.

    Returns
    -------
    int

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core.studies.map.axes import own_direction
    >>> rng = np.random.default_rng(0)
    >>> length, width = rng.random(300), rng.random(300)
    >>> own_direction(np.column_stack([length, (length - 0.5) ** 2, width]))
    2
    >>> own_direction(np.column_stack([length, width, (length - 0.5) ** 2]))
    1
    """
    X = np.asarray(coordinates, dtype=np.float64)
    n, q = X.shape
    reach = max(2, round(WINDOW * n))
    if n <= 4 * reach:  # too few to tell a curve from a cloud
        return 1
    along = X[np.argsort(X[:, 0], kind="stable")]
    return next((c for c in range(1, q) if _left(along[:, c], reach) > OWN), 1)


def _left(values: FloatArray, reach: int) -> float:
    """Share of the variance that neighbours on both sides do not tell."""
    sums = np.convolve(values, np.ones(2 * reach + 1), "valid")
    inside = values[reach:-reach]
    rest = inside - (sums - inside) / (2 * reach)
    total = float(inside.var())
    return float(rest.var()) / total if total > 0.0 else 0.0
