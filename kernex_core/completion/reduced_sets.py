"""Reduced sets: a kernel told by a few landmarks, section 4.1 of "Kernel extrapolation"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import lstsq

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_choice, check_seed, repetition_rng
from kernex_core.base.validation import EPS, as_symmetric, check_psd, unit_of
from kernex_core.completion.approximation import Approximation, Constraint, approximate, free_error
from kernex_core.gram.matrix import GramMatrix, as_positions

# Which items are landmarks: drawn, far from each other, or in the middle of things.

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
    >>> from kernex_core.completion.reduced_sets import landmark_order
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


def reduced_set(
    K: GramMatrix | ArrayLike, landmarks: ArrayLike, *, constraint: Constraint = "shear"
) -> Approximation:
    """Approximate a kernel by the similarities to landmarks, Φ = K[S, :] (Kernel extrapolation, section 4.1).

    With the shear constraint Q = K_SS⁻¹, so K_Q = K[:, S] K_SS⁻¹ K[S, :]: the Nystroem approximation. Without it Q is
    larger, the Frobenius error smaller, and K − K_Q has negative eigenvalues.

    Parameters
    ----------
    K : (n, n)
        Positive semidefinite.
    landmarks : mask or distinct positions
    constraint : {"shear", "free"}

    Raises
    ------
    InvalidInputError
        No landmarks, positions out of range or twice.
    NotPositiveSemidefiniteError
        Naming the repair.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import reduced_set
    >>> reduced_set(np.array([[2.0, 1.0], [1.0, 2.0]]), [0]).K_Q.round(9).tolist()
    [[2.0, 1.0], [1.0, 0.5]]
    """
    values = as_symmetric(K)
    at = as_positions(landmarks, values.shape[0])
    if np.unique(at).size < at.size:
        raise InvalidInputError("Landmarks have to be distinct items", "an item that is named twice")
    return approximate(values, values[at], constraint=constraint)


MOST = 10_000
"""Repetitions at most."""


@dataclass(frozen=True, eq=False)
class LandmarkErrors(ReadOnlyArrays):
    """How well a growing number of landmarks tells a kernel.

    Attributes
    ----------
    counts : (c,) int
        Numbers of landmarks.
    nystroem, free : (repeats, c) float
        |K − K_Q|_F / |K|_F with the shear constraint (Nystroem) and without it. Landmarks of a repetition are nested.
    best : (c,) float
        The least error of any matrix of that rank: what the eigenvalues beyond it leave.
    """

    counts: IntArray
    nystroem: FloatArray
    free: FloatArray
    best: FloatArray


def landmark_errors(
    K: GramMatrix | ArrayLike,
    counts: Sequence[int],
    *,
    repeats: int = 5,
    seed: int = 0,
    how: LandmarkChoice = "random",
) -> LandmarkErrors:
    """Error of reduced sets against the number of landmarks.

    Parameters
    ----------
    K : (n, n)
        Positive semidefinite.
    counts : sequence of int
        1 to n.
    repeats : int
        1 to MOST; repetition r draws from SeedSequence([seed, r]).
    seed : int
    how : {"random", "farthest", "central"}
        As in `landmark_order`; those that draw nothing are not repeated.

    Raises
    ------
    InvalidInputError
        A number out of range, or K = 0.
    NotPositiveSemidefiniteError
        Naming the repair.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import landmark_errors
    >>> landmark_errors(np.diag([3.0, 4.0]), [2], repeats=1).nystroem.round(9).tolist()
    [[0.0]]
    """
    values = as_symmetric(K)
    values = values / unit_of(values)  # shares of the norm: the unit does not matter
    n, norm = values.shape[0], float(np.linalg.norm(values))
    try:
        sizes = np.asarray(counts)
    except ValueError:  # lists in it
        sizes = np.zeros(0)
    if (
        sizes.ndim != 1
        or sizes.size == 0
        or sizes.dtype.kind not in "iu"
        or sizes.min() < 1
        or sizes.max() > n
    ):
        raise InvalidInputError(f"Numbers of landmarks have to be whole numbers from 1 to {n}", repr(counts))
    if isinstance(repeats, bool) or not isinstance(repeats, int | np.integer) or not 1 <= repeats <= MOST:
        raise InvalidInputError(
            f"The number of repetitions has to be a whole number from 1 to {MOST:,}", repr(repeats)[:40]
        )
    if not 0.0 < norm < np.inf:
        raise InvalidInputError("K has to have a norm that is not zero and can be written down", f"{norm:g}")
    seed = check_seed(seed)
    check_psd(np.linalg.eigvalsh(values))
    drawn = [
        landmark_order(values, how, count=int(sizes.max()), seed=seed, repetition=r)
        for r in range(repeats if how == "random" else 1)
    ]
    pairs = np.array([[_errors(values, order[:size]) for size in sizes] for order in drawn]) / norm
    nystroem, free = pairs[..., 0].copy(), pairs[..., 1].copy()
    spectrum = np.sort(np.linalg.eigvalsh(values))[::-1] ** 2
    beyond = np.append(np.cumsum(spectrum[::-1])[::-1], 0.0)
    return LandmarkErrors(sizes.astype(np.int64), nystroem, free, np.sqrt(beyond[sizes]) / norm)


def _errors(K: FloatArray, at: IntArray) -> tuple[float, float]:
    """|K − K_Q|_F with the shear constraint and without it: of `reduced_set`, whose certificate takes most of its time."""
    C = K[:, at]
    nystroem = C @ lstsq(C[at], C.T, lapack_driver="gelsy", check_finite=False)[0]
    return float(np.linalg.norm(K - nystroem)), free_error(K, C.T)
