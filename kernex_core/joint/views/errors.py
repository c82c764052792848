"""How far completed views are from the truth, in the two measures of the literature."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import BoolArray, EqualByContent, FloatArray
from kernex_core.magnitude import unit_of
from kernex_core.seeds import check_seed


@dataclass(frozen=True, eq=False)
class ViewErrors(EqualByContent):
    """Errors of one view.

    Attributes
    ----------
    alignment_error : float
        1 − <K, Q> / (||K|| ||Q||) over all entries, known ones too.
    relative_error : float
        Mean over the items that the view lacked of |Q_i − K_i| / |K_i|, whole rows; NaN where it lacked none.
    """

    alignment_error: float
    relative_error: float


def view_errors(truth: ArrayLike, completed: ArrayLike, known: ArrayLike) -> ViewErrors:
    """Compare a completed view with the truth (the measures of Huusari, Capponi, Villoutreix and Kadri, 2019).

    Parameters
    ----------
    truth, completed : (n, n)
    known : (n,) bool
        Items that the view had.

    Examples
    --------
    >>> from kernex_core import view_errors
    >>> view_errors([[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 0.5]], [True, False]).relative_error
    0.5
    """
    K, Q = np.asarray(truth, dtype=np.float64), np.asarray(completed, dtype=np.float64)
    lacked = ~np.asarray(known, dtype=bool)
    if K.shape != Q.shape or lacked.shape != K.shape[:1]:
        raise InvalidInputError("Truth and completion are about the same items", f"{K.shape} and {Q.shape}")
    own, other = K / unit_of(K), Q / unit_of(Q)
    size = float(np.sqrt((own * own).sum() * (other * other).sum()))
    unit = unit_of(K, Q)
    K, Q = K / unit, Q / unit
    rows = np.linalg.norm(K[lacked], axis=1)
    apart = np.linalg.norm(Q[lacked] - K[lacked], axis=1)
    relative = np.divide(apart, rows, out=np.ones_like(apart), where=rows > 0.0)
    return ViewErrors(
        1.0 - float((own * other).sum()) / size if size > 0.0 else 1.0,
        float(relative.mean()) if relative.size else float("nan"),
    )


def drawn_views(n: int, count: int, share: float, seed: int) -> BoolArray:
    """(V, n) mask of what views keep when each loses the same share of its items; each item stays in one at least.

    Parameters
    ----------
    n, count : int
        Items and views.
    share : float
        Of the items that each view loses; at most 1 − 1 / V, so that no item is lost.
    seed : int

    Raises
    ------
    InvalidInputError

    Examples
    --------
    >>> from kernex_core import drawn_views
    >>> drawn_views(10, 3, 0.4, seed=0).sum(axis=1).tolist()
    [6, 6, 6]
    """
    lost = round(share * n)
    if count < 2 or not 0.0 <= share < 1.0 or lost * count > n * (count - 1):
        raise InvalidInputError(
            f"Each of {count} views can lose at most {1 - 1 / max(count, 1):.0%} of the items: each stays in one at least",
            f"{share:.0%}",
        )
    rng = np.random.default_rng(np.random.SeedSequence([check_seed(seed)]))
    known = np.ones((count, n), dtype=bool)
    for v in range(count):
        known[v, rng.permutation(n)[:lost]] = False
    for item in np.flatnonzero(~known.any(axis=0)):
        # a view gives it back and loses instead an item that two views or more have
        v = int(rng.integers(count))
        spare = np.flatnonzero(known[v] & (known.sum(axis=0) > 1))
        while not spare.size:
            v = (v + 1) % count
            spare = np.flatnonzero(known[v] & (known.sum(axis=0) > 1))
        known[v, item], known[v, rng.choice(spare)] = True, False
    return known


def hidden_views(kernels: FloatArray, known: BoolArray) -> FloatArray:
    """(V, n, n) kernels whose rows of items that a view does not have are NaN.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import hidden_views
    >>> hidden_views(np.ones((1, 2, 2)), np.array([[True, False]]))[0].tolist()
    [[1.0, nan], [nan, nan]]
    """
    hidden = np.array(kernels)
    for K, has in zip(hidden, known, strict=True):
        K[~has], K[:, ~has] = np.nan, np.nan
    return hidden
