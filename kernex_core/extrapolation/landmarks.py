"""Which items are landmarks: drawn, far from each other, or in the middle of things."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.magnitude import unit_of
from kernex_core.parameters import check_choice
from kernex_core.seeds import check_seed, repetition_rng
from kernex_core.validation import EPS, as_symmetric

LandmarkChoice = Literal["random", "farthest", "central"]
CHOICES: Final = ("random", "farthest", "central")


def landmark_order(
    K: GramMatrix | ArrayLike,
    how: LandmarkChoice = "random",
    *,
    count: int | None = None,
    seed: int = 0,
    repetition: int = 0,
) -> IntArray:
    """Items in the order in which they become landmarks; fewer landmarks are the first of more.

    Parameters
    ----------
    K : (n, n)
        Positive semidefinite.
    how : {"random", "farthest", "central"}
        Drawn from SeedSequence([seed, repetition]). Each time the item of which those before explain least, k(x, x) minus
        its Nystroem approximation: pivots of a Cholesky factor. The items whose similarities to all are largest, by the norm
        of their row. The last two draw nothing.
    count : int, optional
        How many; default n. "farthest" ends earlier where those before explain all items.
    seed, repetition : int

    Raises
    ------
    InvalidInputError
        A count that is not from 1 to n.

    Notes
    -----
    Fine and Scheinberg, Efficient SVM training using low-rank kernel representations, JMLR 2 (2001).

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core.extrapolation.landmarks import landmark_order
    >>> landmark_order(np.diag([1.0, 3.0, 2.0]), "farthest").tolist()
    [1, 2, 0]
    """
    check_choice("Landmarks", how, CHOICES)
    values = as_symmetric(K)
    values = values / unit_of(values)
    n = values.shape[0]
    count = n if count is None else count
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or not 1 <= count <= n:
        raise InvalidInputError(f"The number of landmarks is a whole number from 1 to {n}", repr(count)[:40])
    if how == "random":
        order = repetition_rng(check_seed(seed), repetition).permutation(n)
    elif how == "central":
        order = np.argsort(-np.linalg.norm(values, axis=1), kind="stable")
    else:
        order = _farthest(values, int(count))
    return np.asarray(order[:count], dtype=np.int64)


def _farthest(K: FloatArray, count: int) -> IntArray:
    """Pivots of a Cholesky factor of K, the largest left over first."""
    left = np.diag(K).copy()
    least = K.shape[0] * EPS * float(left.max(initial=0.0))
    rows = np.zeros((count, K.shape[0]))
    order: list[int] = []
    for step in range(count):
        at = int(np.argmax(left))
        if left[at] <= least and order:
            break
        order.append(at)
        row = K[at] - rows[:step, at] @ rows[:step]
        rows[step] = row / np.sqrt(max(left[at], np.finfo(float).tiny))
        left = left - rows[step] ** 2
        left[order] = 0.0
    return np.array(order, dtype=np.int64)
