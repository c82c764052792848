"""Checks on arrays, with messages that name the offending row, column and id, and the named tolerances."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.base.digits import digits_tolerance
from kernex_core.base.errors import InvalidInputError, NotPositiveSemidefiniteError, TooLargeError
from kernex_core.base.frozen import FloatArray, IntArray, read_only

# How far a matrix is from symmetric, in one pass over it that stays in the processor's cache.

SYMMETRY_RTOL = 1e-8
"""Largest |K - K'| relative to max |K| that counts as rounding noise."""
TILE = 256


def largest_size(K: FloatArray) -> float:
    """Largest |K_ij| that is known; 0 where nothing is. No copy is made."""
    if K.size == 0:
        return 0.0
    highest, lowest = float(np.fmax.reduce(K, axis=None)), float(np.fmin.reduce(K, axis=None))
    return 0.0 if np.isnan(highest) else max(highest, -lowest)


def largest_asymmetry(K: FloatArray) -> tuple[float, int, int]:
    """Largest |K_ij - K_ji| over pairs known both ways, with its row and column (i < j); 0 for n = 1."""
    best, pair = 0.0, (0, 0)
    # pairs of tiles that stay in the processor's cache: a column of the whole matrix does not
    starts = range(0, K.shape[0], TILE)
    for a in starts:
        for b in range(a, K.shape[0], TILE):
            gaps = K[a : a + TILE, b : b + TILE] - K[b : b + TILE, a : a + TILE].T
            np.abs(gaps, out=gaps)
            if (largest := float(np.fmax.reduce(gaps, axis=None))) > best:
                row, column = divmod(int(np.nanargmax(gaps)), gaps.shape[1])
                best, pair = largest, (a + row, b + column)
    return best, min(pair), max(pair)


def known_once(K: FloatArray) -> int:
    """Number of pairs (i, j) of which one of K_ij and K_ji alone is known."""
    unknown = np.isnan(K)
    if not unknown.any():
        return 0
    count = 0
    for a in range(0, K.shape[0], TILE):
        for b in range(a, K.shape[0], TILE):
            rows, columns = unknown[a : a + TILE, b : b + TILE], unknown[b : b + TILE, a : a + TILE]
            count += int(np.count_nonzero(rows != columns.T)) // (1 if a != b else 2)
    return count


def check_symmetric(K: FloatArray, name: str = "K", *, ids: Sequence[str] | None = None) -> float:
    """Refuse what is not symmetric up to rounding (SYMMETRY_RTOL of its largest entry); return how far it is from that.

    Raises
    ------
    InvalidInputError
        Naming the most asymmetric pair.
    """
    gap, i, j = largest_asymmetry(K)
    if gap > 0.0 and gap > SYMMETRY_RTOL * largest_size(K):
        row, column = (repr(ids[i]), repr(ids[j])) if ids is not None else (str(i + 1), str(j + 1))
        raise InvalidInputError(
            f"{name} has to be symmetric",
            f"|K − Kᵀ| = {gap:.3g} at row {row}, column {column} ({K[i, j]:.6g} against {K[j, i]:.6g})",
            "Symmetrise it first, by the mean or the maximum of both values",
        )
    return gap


EPS = float(np.finfo(np.float64).eps)
LARGEST_ENTRY = 1e150
"""Largest size of an entry of a similarity matrix: squares and sums of squares still fit float64 (1.8e308)."""
ITEM_LIMIT = 5_000
"""Largest number of items that a dense Gram matrix is computed for without being asked."""
MOST_ITEMS = 10_000
"""To what that limit can be raised: 800 MB a matrix."""
SAMPLE_LIMIT = 100_000
"""Largest number of sequences or vectors that are read; a part of them is chosen before a matrix is made."""


def psd_tolerance(n: int, norm: float) -> float:
    """Size up to which a negative eigenvalue of an (n, n) matrix of spectral norm `norm` is rounding: 10 n eps norm."""
    return 10.0 * n * EPS * norm


def memory_bytes(n: int) -> int:
    """Bytes of one dense (n, n) Gram matrix: 8 n^2."""
    return 8 * n * n


def shown_bytes(size: int) -> str:
    """Bytes as people read them: "72 bytes", "1.1 MB", "3.2 GB"."""
    if size >= 1e15:
        return "more memory than any machine has"
    for unit, factor in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= factor:
            return f"{size / factor:.1f} {unit}"
    return f"{size} bytes"


def check_item_count(n: int, limit: int = ITEM_LIMIT) -> None:
    """Refuse more items than the limit before anything is computed.

    Raises
    ------
    TooLargeError
        Naming the memory that a matrix of that size would take.
    """
    if n > limit:
        raise TooLargeError(
            f"At most {limit:,} items fit the limit of this Kernex",
            f"{n:,} items, whose matrix alone takes {shown_bytes(memory_bytes(n))} (8 n² bytes)",
            "Select a part, at random or by class, on the page Data (of sequences, vectors, pairs and hit tables; of a "
            "matrix save a part); the limit can be raised there, as far as the server allows "
            f"({MOST_ITEMS:,} at most)",
        )


def is_number(text: str) -> bool:
    """Whether a text is one."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def as_numbers(values: ArrayLike, name: str = "X") -> FloatArray:
    """Return `values` as a float64 array of any shape; what is no real number is refused, never cut down to one.

    Raises
    ------
    InvalidInputError
        Complex numbers, dates, text that is no number, rows of different lengths, or numbers beyond float64.
    """
    try:
        # what a mask hides is unknown, whatever number lies below it
        if isinstance(values, np.ma.MaskedArray):
            values = np.ma.filled(np.ma.asarray(values, dtype=np.float64), np.nan)
        given = np.asarray(values)
        if given.dtype.kind not in "cmM":
            return np.asarray(given, dtype=np.float64)
        problem = {"c": "complex numbers"}.get(given.dtype.kind, "dates or durations")
    except (TypeError, ValueError, OverflowError) as error:
        problem = str(error)
    raise InvalidInputError(f"{name}: real numbers are needed", problem)


def as_matrix(values: ArrayLike, name: str = "X", *, allow_nan: bool = False) -> FloatArray:
    """Return a two-dimensional float64 copy-or-view of `values` without infinities (and without NaN unless allowed).

    Raises
    ------
    InvalidInputError
        Wrong number of dimensions, not numeric, or an entry that is not finite (row and column named, from 1).
    """
    matrix = as_numbers(values, name)
    if matrix.ndim != 2:
        raise InvalidInputError(f"{name} has to have rows and columns", f"an array of shape {matrix.shape}")
    bad = np.isinf(matrix) if allow_nan else ~np.isfinite(matrix)
    if bad.any():
        row, column = (int(index) for index in np.argwhere(bad)[0])
        raise InvalidInputError(
            f"{name} has to be finite",
            f"{matrix[row, column]} in row {row + 1}, column {column + 1} ({int(bad.sum())} such entries)",
        )
    return matrix


def as_square(values: ArrayLike, name: str = "K", *, allow_nan: bool = False) -> FloatArray:
    """`as_matrix`, with as many rows as columns and at least one item."""
    matrix = as_matrix(values, name, allow_nan=allow_nan)
    if matrix.shape[0] != matrix.shape[1] or matrix.shape[0] == 0:
        raise InvalidInputError(
            f"{name} has to have as many rows as columns",
            f"{matrix.shape[0]} rows and {matrix.shape[1]} columns",
        )
    return matrix


def check_size(K: FloatArray, name: str = "K") -> FloatArray:
    """Return `K` unless an entry is beyond LARGEST_ENTRY, so that what is computed from squares would not fit.

    Raises
    ------
    InvalidInputError
        Naming the largest entry.
    """
    if (largest := largest_size(K)) > LARGEST_ENTRY:
        raise InvalidInputError(
            f"{name} may have entries up to {LARGEST_ENTRY:g} in size, so that their squares can be computed",
            f"{largest:.3g}",
            "Cosine-normalise it first, take its logarithm, or divide it by a common number",
        )
    return K


def as_symmetric(
    values: ArrayLike,
    name: str = "K",
    *,
    ids: Sequence[str] | None = None,
    allow_nan: bool = False,
    any_size: bool = False,
    shared: bool = False,
) -> FloatArray:
    """Return (K + K') / 2 if K is symmetric up to rounding (SYMMETRY_RTOL of its largest entry).

    A copy where there is nothing to be done, unless it may be `shared` and nobody can write to it.

    Raises
    ------
    InvalidInputError
        Naming the most asymmetric pair, or an entry beyond LARGEST_ENTRY unless `any_size`.
    """
    K = as_square(values, name, allow_nan=allow_nan)
    if not any_size:
        check_size(K, name)
    if check_symmetric(K, name, ids=ids) == 0.0 and not known_once(K):
        return read_only(K) if shared else K.copy()
    with np.errstate(over="ignore"):
        mean = (K + K.T) / 2.0
    return K / 2.0 + K.T / 2.0 if np.isinf(mean).any() else mean  # the sum was beyond float64


def check_psd(eigenvalues: NDArray[np.floating], name: str = "K") -> None:
    """Refuse a materially negative smallest eigenvalue (below `psd_tolerance`).

    Raises
    ------
    NotPositiveSemidefiniteError
        With the smallest eigenvalue and the repairs that there are.
    """
    smallest, tolerance = eigenvalues.min(), psd_tolerance(eigenvalues.size, float(np.abs(eigenvalues).max()))
    if smallest < -tolerance:
        negative = int((eigenvalues < -tolerance).sum())
        raise NotPositiveSemidefiniteError(
            f"{name} has to be positive semidefinite to be a kernel",
            f"smallest eigenvalue {smallest:.3g}, {negative} of {eigenvalues.size} below zero",
            "Repair it first, for example by clipping its negative eigenvalues: page Kernels, in code repair_psd(K, 'clip')",
        )


def check_kernel(K: FloatArray, name: str = "K", *, given: object = None) -> FloatArray:
    """Return `K` if it is positive semidefinite up to rounding; the nearest such matrix if it is so within its digits.

    A Cholesky factorisation, which most kernels pass, is ten times cheaper than the eigenvalues. `given` is the
    GramMatrix that holds `K`, which knows the digits that it was given in before its steps.

    Raises
    ------
    NotPositiveSemidefiniteError
        With the smallest eigenvalue and the repair that there is.
    """
    nearest, eigenvalues = _nearest(K, lambda: digits_tolerance(K, given))
    if eigenvalues is not None:
        check_psd(eigenvalues, name)
    return nearest


def nearest_within(K: FloatArray, digits: float) -> FloatArray:
    """Return `K`, or the nearest positive semidefinite matrix where its negative eigenvalues are at most `digits`."""
    return _nearest(K, lambda: digits)[0]


def _nearest(K: FloatArray, digits: Callable[[], float]) -> tuple[FloatArray, FloatArray | None]:
    """The same, and the eigenvalues (ascending) of what is further from being a kernel."""
    if is_plainly_kernel(K):
        return K, None
    eigenvalues, vectors = np.linalg.eigh(K)
    if not -digits() <= eigenvalues[0] < 0.0:
        return K, eigenvalues
    nearest: FloatArray = (vectors * np.maximum(eigenvalues, 0.0)) @ vectors.T
    return (nearest + nearest.T) / 2.0, None


def is_plainly_kernel(K: FloatArray) -> bool:
    """Whether a Cholesky factorisation shows that no eigenvalue is materially negative; False says nothing."""
    shift = psd_tolerance(len(K), float(np.abs(np.diag(K)).max()))
    with suppress(np.linalg.LinAlgError):
        shifted = K.copy()
        shifted[np.diag_indices_from(shifted)] += shift
        return bool(np.linalg.cholesky(shifted).size)
    return False


_EVEN = 1e-9
"""Share of their size by which self-similarities that are all alike may differ."""


def common_value(diagonal: FloatArray) -> float:
    """Self-similarity that all items have; NaN where they differ.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core.base.validation import common_value
    >>> common_value(np.ones(3)), common_value(np.array([1.0, 2.0]))
    (1.0, nan)
    """
    low, high = float(diagonal.min()), float(diagonal.max())
    return high if high - low <= _EVEN * max(abs(low), abs(high)) else float("nan")


def as_known(known: ArrayLike, m: int) -> IntArray:
    """Return the positions of the known items from a boolean mask (m,), ascending, or from positions, as given.

    Raises
    ------
    InvalidInputError
        Nothing known, wrong length, positions out of range or twice.
    """
    try:
        given = np.asarray(known)
    except ValueError as error:
        raise InvalidInputError("known has to be a mask or a list of positions", str(error)) from None
    if given.ndim != 1:
        raise InvalidInputError("known has to be a mask or a list of positions", f"shape {given.shape}")
    if given.dtype == np.bool_:
        if given.size != m:
            raise InvalidInputError(f"The mask of known items has to have {m} entries", str(given.size))
        positions = np.flatnonzero(given)
    else:
        if given.size and not np.issubdtype(given.dtype, np.integer):
            raise InvalidInputError("Positions of known items have to be whole numbers", str(given.dtype))
        positions = given.astype(np.int64)
        if positions.size and (positions.min() < 0 or positions.max() >= m):
            raise InvalidInputError(
                f"Positions of known items have to lie in 0 to {m - 1}",
                f"{positions.min()} to {positions.max()}",
            )
        if np.unique(positions).size != positions.size:
            raise InvalidInputError("Each known item has to be named once", "a position that occurs twice")
    if positions.size == 0:
        raise InvalidInputError("At least one item has to be known", "none")
    return positions.astype(np.int64)


# Scale in, compute, scale out: sums of squares of numbers of any size, and what becomes too small to be told from 0.
#
# Everything is divided by a power of 4 first. It and its square root are exact, so that nothing is rounded that would not
# be rounded at any other scale: a result differs by that power alone, to the last digit.

SMALLEST = float(np.finfo(np.float64).tiny)
"""2.2e-308: numbers below it lose digits, which are those of the largest number of a matrix down to here."""
LARGEST_POWER = 308.0
"""Of ten, that numbers reach."""


def unit_of(*values: FloatArray) -> float:
    """Power of 4 that the largest known entry of all of them is 1 to 4 times; 1 where all of them are 0 or unknown.

    Examples
    --------
    >>> import numpy as np
    >>> unit_of(np.array([[3.0, -70.0]])), unit_of(np.zeros(2))
    (64.0, 1.0)
    """
    largest = max((largest_size(each) for each in values), default=0.0)
    if not 0.0 < largest < np.inf:
        return 1.0
    exponent = math.frexp(largest)[1] - 1
    # 4^-511 is the smallest that divides without rounding: below it numbers have lost digits already
    return math.ldexp(1.0, max(exponent - exponent % 2, -1022))


def length(values: NDArray[np.floating]) -> float:
    """Euclidean (Frobenius) norm of numbers of any size, 0 only where all of them are 0.

    Examples
    --------
    >>> length([3e-200, 4e-200])
    5e-200
    """
    given = np.asarray(values, dtype=np.float64)
    unit = unit_of(given)
    return unit * float(np.linalg.norm(given / unit))


def units_of_columns(X: FloatArray) -> FloatArray:
    """(d,) `unit_of` every column of X (n, d), each by itself."""
    largest = np.fmax.reduce(np.abs(X), axis=0, initial=0.0)
    exponent = np.frexp(np.where(largest < np.inf, largest, 0.0))[1] - 1
    units = np.ldexp(1.0, np.maximum(exponent - exponent % 2, -1022))
    return np.asarray(np.where(largest > 0.0, units, 1.0))


def power_of_ten(size: float) -> float:
    """log10 of a size, minus infinity for 0."""
    return math.log10(size) if size > 0.0 else -math.inf


def check_digits_kept(exponent: float, name: str, remedy: str) -> None:
    """Refuse what is so small that its digits are lost: it would be 0, or another number, in silence.

    Parameters
    ----------
    exponent : float
        Power of ten of the largest number that is made, see `power_of_ten`: that can be below the range of numbers. Exact
        zeros alone (minus infinity) lose nothing.
    name : str
        What is made, as messages begin.
    remedy : str

    Raises
    ------
    InvalidInputError
    """
    if -math.inf < exponent < math.log10(SMALLEST):
        raise InvalidInputError(
            f"{name} has to fit the range of numbers (from {SMALLEST:.1e}, to have all its digits)",
            f"numbers up to about 1e{exponent:+.0f}",
            remedy,
        )
