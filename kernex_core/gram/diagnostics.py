"""What a Gram matrix is like: spectrum, definiteness, diagonal, agreement with the labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.base.digits import digits_tolerance, few_digits, half_units
from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.labels import as_labels
from kernex_core.base.validation import EPS, as_symmetric, check_size, psd_tolerance, unit_of
from kernex_core.gram.matrix import GramMatrix, unknown_entries
from kernex_core.gram.spectrum import decomposing
from kernex_core.runtime.progress import Steps, finished

LARGE_DIAGONAL = 10.0
"""Dominance ratio above which a diagonal counts as large."""
ROWS = 256
"""Rows whose distances are computed at a time."""


@dataclass(frozen=True, eq=False)
class Diagnosis(ReadOnlyArrays):
    """Numbers about the known block of a Gram matrix.

    Attributes
    ----------
    n, n_known : int
        Items, and those whose pairs are all known; everything else is about the latter.
    eigenvalues : (n_known,) float
        Descending.
    min_eigenvalue, negative_mass : float
        λ_min, and Σ|λ < 0| / Σ|λ|.
    negative, rank : int
        Eigenvalues materially below zero, and materially other than zero.
    condition : float
        Largest over smallest eigenvalue; inf for a singular or indefinite matrix.
    effective_rank : float
        exp of the entropy of |λ| / Σ|λ|.
    dominance : float
        Mean diagonal over mean absolute off-diagonal; inf where all of those are 0, NaN for one item.
    zero_share : float
        Share of exact zeros off the diagonal.
    alignment : float
        <K, Y> / (|K| |Y|) of the centred kernel with Y, 1 for "same class" (Cristianini et al. 2001; centred by Cortes,
        Mohri and Rostamizadeh 2012); NaN without labels.
    neighbour_accuracy : float
        Leave-one-out accuracy of the nearest neighbour by induced distance; NaN without two classes.
    n_labelled : int
        Items that the last two rest on.
    neighbour_floor : float
        Share of the largest class among them: accuracy of always naming it; NaN without two classes.
    digits : float
        Where the smallest eigenvalue is below what float64 explains: size up to which the digits of the numbers do.
    few_digits : bool
        Whether these digits are so few that a similarity that is no kernel by less cannot be told from one.
    """

    n: int
    n_known: int
    eigenvalues: FloatArray
    min_eigenvalue: float
    negative_mass: float
    negative: int
    rank: int
    condition: float
    effective_rank: float
    dominance: float
    zero_share: float
    alignment: float
    neighbour_accuracy: float
    n_labelled: int
    digits: float = 0.0
    few_digits: bool = False
    neighbour_floor: float = float("nan")

    @property
    def below_floor(self) -> bool:
        """Whether naming the largest class is right more often than the nearest neighbour is."""
        return self.neighbour_accuracy < self.neighbour_floor

    @property
    def indefinite(self) -> bool:
        """Whether an eigenvalue is materially negative: a similarity, not a kernel."""
        return self.negative > 0

    @property
    def large_diagonal(self) -> bool:
        """Whether the diagonal dominates (ratio above 10): items look almost orthogonal."""
        return self.dominance > LARGE_DIAGONAL


def diagnose(
    K: GramMatrix | ArrayLike, y: ArrayLike | None = None, *, eigenvalues: FloatArray | None = None
) -> Diagnosis:
    """Describe a Gram matrix by its eigenvalues.

    Parameters
    ----------
    K : (n, n)
        Unknown entries are left out by way of the largest known block.
    y : (n,) str, optional
        "" = unlabelled.
    eigenvalues : (n_known,) float, optional
        Of the known block, in any order, where somebody has them: then nothing is decomposed.

    Raises
    ------
    InvalidInputError
        Asymmetric, or nothing known.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import diagnose
    >>> made = diagnose(np.array([[1.0, 2.0], [2.0, 1.0]]))
    >>> made.eigenvalues.round(6).tolist(), made.negative
    ([3.0, -1.0], 1)
    """
    return finished(diagnosing(K, y, eigenvalues=eigenvalues))


def diagnosing(
    K: GramMatrix | ArrayLike, y: ArrayLike | None = None, *, eigenvalues: FloatArray | None = None
) -> Steps[Diagnosis]:
    """`diagnose` in steps of a fraction of a second."""
    if isinstance(K, GramMatrix):
        values, mask = check_size(K.values, K.name), K.known
    else:
        values = as_symmetric(K, allow_nan=True)
        mask = unknown_entries(values).known
    known = np.flatnonzero(mask)
    if known.size == 0:
        raise InvalidInputError("At least one item has to be known", "none")
    block = values if mask.all() else values[np.ix_(known, known)]
    if eigenvalues is None:
        eigenvalues = (yield from decomposing(block)).eigenvalues
    eigenvalues = np.sort(eigenvalues)[::-1]
    size = np.abs(eigenvalues)
    mass, tolerance = float(size.sum()), psd_tolerance(known.size, float(size.max()))
    digits = digits_tolerance(block, K) if eigenvalues[-1] < -tolerance else 0.0
    labels = np.array([""] * known.size) if y is None else as_labels(y, values.shape[0])[known]
    unit = unit_of(block)
    alignment, accuracy = _against_labels(block if unit == 1.0 else block / unit, labels)
    _, sizes = np.unique(labels[labels != ""], return_counts=True)
    return Diagnosis(
        n=values.shape[0],
        n_known=known.size,
        eigenvalues=eigenvalues,
        min_eigenvalue=float(eigenvalues[-1]),
        negative_mass=float(size[eigenvalues < 0.0].sum()) / mass if mass else 0.0,
        negative=int((eigenvalues < -max(tolerance, digits)).sum()),
        digits=digits,
        few_digits=digits > 0.0
        and few_digits(K.error_bound if isinstance(K, GramMatrix) else half_units(block), block),
        rank=int((size > tolerance).sum()),
        condition=float(eigenvalues[0] / eigenvalues[-1]) if eigenvalues[-1] > tolerance else float("inf"),
        effective_rank=_effective_rank(size),
        dominance=dominance_ratio(block),
        zero_share=_zero_share(block),
        alignment=alignment,
        neighbour_accuracy=accuracy,
        n_labelled=int(sizes.sum()),
        neighbour_floor=float(sizes.max() / sizes.sum()) if sizes.size > 1 else float("nan"),
    )


def dominance_ratio(K: FloatArray) -> float:
    """Mean diagonal over mean absolute off-diagonal entry."""
    n = K.shape[0]
    if n < 2:
        return float("nan")
    own = float(np.trace(K)) / n
    others = (float(np.abs(K).sum()) - float(np.abs(np.diag(K)).sum())) / (n * (n - 1))
    return own / others if others > 0.0 else float("inf")


def nearest_neighbours(K: FloatArray) -> IntArray:
    """(n,) position of each item's nearest other item by k(x,x) − 2k(x,x') + k(x',x'), ties to the lowest."""
    nearest = np.empty(len(K), dtype=np.int64)
    for at in range(0, len(K), ROWS):  # no second matrix of full size
        nearest[at : at + ROWS] = _distances(K, slice(at, at + ROWS)).argmin(axis=1)
    return nearest


def _distances(K: FloatArray, rows: slice) -> FloatArray:
    """Squared distances of some items to all; infinite from an item to itself."""
    own = np.diag(K)
    distances = own[rows, None] - 2.0 * K[rows]
    distances += own
    distances[np.arange(len(distances)), np.arange(len(K))[rows]] = np.inf
    return np.asarray(distances)


def _effective_rank(size: FloatArray) -> float:
    total = float(size.sum())
    if total == 0.0:
        return 0.0
    share = size[size > 0.0] / total
    return float(np.exp(-(share * np.log(share)).sum()))


def _zero_share(K: FloatArray) -> float:
    n = K.shape[0]
    return float((K == 0.0).sum() - (np.diag(K) == 0.0).sum()) / (n * (n - 1)) if n > 1 else 0.0


def _against_labels(K: FloatArray, y: NDArray[np.str_]) -> tuple[float, float]:
    at = np.flatnonzero(y != "")
    classes, labels = np.unique(y[at], return_inverse=True)  # numbers are compared faster than texts
    if classes.size < 2:
        return float("nan"), float("nan")
    block = K if at.size == len(K) else K[np.ix_(at, at)]
    centred = _centred(block)
    # pairs of one class: Z'Z for indicators Z of the classes, which centred has the length of Z'HZ
    Z = (labels[:, None] == np.arange(classes.size)).astype(np.float64)
    sizes = Z.sum(axis=0)
    norm = float(np.linalg.norm(centred) * np.linalg.norm(np.diag(sizes) - np.outer(sizes, sizes) / at.size))
    alignment = float(np.einsum("ic,ic->", Z, centred @ Z)) / norm if norm > 0.0 else float("nan")
    return alignment, float((labels[nearest_neighbours(block)] == labels).mean())


def _centred(K: FloatArray) -> FloatArray:
    """HKH for H = I − 11'/n, without its two products of matrices."""
    means = K.mean(axis=0)
    made = K - means[:, None]
    made -= means
    made += means.mean()
    return np.asarray(made)


# Rows that are the same within rounding: items that occur twice, whatever was done to their numbers since.


def repeated_items(K: FloatArray) -> IntArray:
    """(n,) position of the first item with the same similarities, its own where there is none before it.

    Similarities are the same where they differ by at most 10 n ε of the largest of their row, what a decomposition
    leaves: items that are the same before a normalisation or a repair are so after it, at every scale.

    Parameters
    ----------
    K : (n, n)
        NaN = unknown; what is unknown has to be so for both.
    """
    size = _largest(K, 1)
    relative = K / np.where(size > 0.0, size, 1.0)[:, None]
    return _first_of_equal(relative, size, 10.0 * K.shape[0] * EPS)


def repeated_rows(X: FloatArray) -> IntArray:
    """(n,) position of the first row with the same values up to 16 ε of the largest of each column, as above."""
    size = _largest(X, 0)
    return _first_of_equal(X / np.where(size > 0.0, size, 1.0), np.ones(X.shape[0]), 16.0 * EPS)


def _largest(values: FloatArray, axis: int) -> FloatArray:
    return np.asarray(np.fmax.reduce(np.abs(values), axis=axis, initial=0.0))


def _first_of_equal(rows: FloatArray, size: FloatArray, tolerance: float) -> IntArray:
    """Equal rows (n, m) of entries up to 1 lie side by side on a random line: few have to be compared in full."""
    known = ~np.isnan(rows)
    # any line will do: the result does not depend on it
    line, pattern = np.random.default_rng(0).normal(size=(2, rows.shape[1]))
    at = np.where(known, rows, 0.0) @ line + known @ pattern
    reach = (tolerance + rows.shape[1] * EPS) * float(np.abs(line).sum() + np.abs(pattern).sum())
    group, open_groups = np.arange(rows.shape[0]), list[int]()
    for item in np.argsort(at, kind="stable").tolist():
        open_groups = [other for other in open_groups if at[item] - at[other] <= 2.0 * reach]
        for other in open_groups:
            if (
                abs(size[item] - size[other]) <= tolerance * max(size[item], size[other])
                and np.array_equal(known[item], known[other])
                and not (np.abs(rows[item] - rows[other]) > tolerance).any()
            ):
                group[item] = other
                break
        else:
            open_groups.append(item)
    _, first, place = np.unique(group, return_index=True, return_inverse=True)
    return np.asarray(first[place], dtype=np.int64)
