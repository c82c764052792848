"""The matrix editor: a similarity of three to six items, made indefinite, and what a support vector machine does with it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError, KernexError
from kernex_core.extrapolation.completions import completions
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.diagnostics import Diagnosis, diagnose
from kernex_core.learning.svm import FINE_TOLERANCE, OneVsRest, fit_one_vs_rest
from kernex_core.parameters import check_range
from kernex_core.studies.lessons.positive_definiteness.three_items import (
    Repaired,
    repairs_of,
    smallest_pattern,
)
from kernex_core.validation import as_numbers, as_symmetric

FEWEST, MOST = 3, 6
BAND = (1.0, 0.9, 0.1, 0.0, 0.0, 0.0)
"""Similarities of neighbours, of their neighbours, and so on, from which the editor starts: no kernel."""


def band(n: int) -> FloatArray:
    """(n, n) similarities of items in a row, by how far apart they are.

    Examples
    --------
    >>> from kernex_core.studies.lessons.positive_definiteness.edited import band
    >>> band(3).tolist()
    [[1.0, 0.9, 0.1], [0.9, 1.0, 0.9], [0.1, 0.9, 1.0]]
    """
    apart = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    return np.asarray(np.array(BAND)[apart])


@dataclass(frozen=True, eq=False)
class Edited(ReadOnlyArrays):
    """What the editor says of a matrix.

    Attributes
    ----------
    K : (n, n) float
    diagnosis : Diagnosis
    eigenvalues : (n,) float
        Ascending.
    pattern : (n,) float
        Eigenvector of the smallest: how much of each item goes into the combination whose squared length is that
        eigenvalue.
    repairs : tuple of Repaired
        Of an indefinite matrix; empty for a kernel.
    """

    K: FloatArray
    diagnosis: Diagnosis
    eigenvalues: FloatArray
    pattern: FloatArray
    repairs: tuple[Repaired, ...]


def edited(K: ArrayLike) -> Edited:
    """Look at a similarity of three to six items.

    Parameters
    ----------
    K : (n, n)
        1 on the diagonal, −1 to 1 elsewhere.

    Raises
    ------
    InvalidInputError
        Another size, an asymmetric matrix, a similarity outside −1 to 1.

    Examples
    --------
    >>> from kernex_core.studies.lessons.positive_definiteness.edited import band, edited
    >>> made = edited(band(3))
    >>> made.pattern.round(3).tolist(), made.diagnosis.negative
    ([0.49, -0.721, 0.49], 1)
    """
    values = _checked(K)
    diagnosis = diagnose(values)
    eigenvalues, pattern = smallest_pattern(values)
    repairs = repairs_of(values) if diagnosis.indefinite else ()
    return Edited(values, diagnosis, eigenvalues, pattern, repairs)


def entry_interval(K: ArrayLike, i: int, j: int) -> tuple[float, float] | None:
    """Values of k(i, j) with which K is a kernel, the other entries as they are; None where there is no such value.

    Examples
    --------
    >>> from kernex_core.studies.lessons.positive_definiteness.edited import band, entry_interval
    >>> [round(end, 6) for end in entry_interval(band(3), 0, 2)], entry_interval(band(4), 0, 3)
    ([0.62, 1.0], None)
    """
    try:
        return completions(_checked(K), i, j)
    except KernexError:
        return None


@dataclass(frozen=True, eq=False)
class Trained(ReadOnlyArrays):
    """Where the training of a support vector machine ended.

    Attributes
    ----------
    beta : (n,) float
        Signed coefficients, −C to C; all 0 where f is the same everywhere, whichever weights led to that.
    bias : float
    dual : float
        Σ|β| − β'Kβ / 2, which training makes as large as it can; where f is the same everywhere, what its errors cost,
        C Σ max(0, 1 − y f), to which it is then equal.
    start : (2,) int
        The pair of items, one of each class, from which it began.
    converged : bool
    """

    beta: FloatArray
    bias: float
    dual: float
    start: IntArray
    converged: bool


def trained(K: ArrayLike, y: ArrayLike, C: float) -> tuple[Trained, ...]:
    """Different machines in which training on K ends, from every pair of items of different classes as its start.

    One for a kernel, whatever the start; an indefinite similarity may give several, all of which the solver takes for
    optimal. Machines are different whose decision values differ by more than a constant.

    Parameters
    ----------
    K : (n, n)
        1 on the diagonal, −1 to 1 elsewhere; not checked for definiteness, which is the point.
    y : (n,)
        Classes, −1 or 1.
    C : float
        Above 0.

    Raises
    ------
    InvalidInputError
        Labels that are not −1 or 1, or one class alone.

    Examples
    --------
    >>> from kernex_core.studies.lessons.positive_definiteness.edited import band, trained
    >>> [(made.beta.round(6).tolist(), round(made.dual, 6)) for made in trained(band(4), [-1, 1, 1, -1], 10.0)]
    [([-9.0, 10.0, 0.0, -1.0], 11.0), ([-1.0, 0.0, 10.0, -9.0], 11.0)]
    """
    values, classes = _checked(K), as_numbers(y, "The classes")
    check_range("C", C, 0.0, open_low=True)
    if classes.shape != values.shape[:1] or set(classes.tolist()) != {-1.0, 1.0}:
        raise InvalidInputError("Every item is of class −1 or 1, and both occur", str(classes.tolist()))
    found: list[Trained] = []
    for i, j in product(np.flatnonzero(classes < 0.0).tolist(), np.flatnonzero(classes > 0.0).tolist()):
        made = _from_pair(values, classes, C, (i, j))
        slack = 1e-6 * (1.0 + C)
        if all(np.abs(values @ (made.beta - other.beta)).max() > slack for other in found):
            found.append(made)
    return tuple(found)


def dual_growth(K: ArrayLike, y: ArrayLike, costs: ArrayLike) -> FloatArray:
    """Largest dual that training reaches at each C (c,): it stays bounded for a kernel whose classes can be separated.

    Where a combination of both classes has a negative squared length it grows like C², and no hard margin exists.

    Examples
    --------
    >>> from kernex_core.studies.lessons.positive_definiteness.edited import band, dual_growth
    >>> dual_growth(band(3), [-1, 1, -1], [1.0, 10.0, 100.0]).round(6).tolist()
    [2.125, 32.5, 1450.0]
    """
    return np.array([max(each.dual for each in trained(K, y, float(C))) for C in as_numbers(costs, "C")])


def _from_pair(K: FloatArray, y: FloatArray, C: float, pair: tuple[int, int]) -> Trained:
    first = np.zeros(y.size)
    first[list(pair)] = -C, C
    start = OneVsRest(np.stack([-first, first]), np.zeros(2), np.zeros(2, dtype=np.int64), 0, 0, C)
    codes = (y > 0.0).astype(np.int64)
    made = fit_one_vs_rest(K, codes, 2, C=C, tolerance=FINE_TOLERANCE, start=start, checked=True)
    beta = made.coefficients[1]
    b = float(made.bias[1])
    dual = float(np.abs(beta).sum() - beta @ K @ beta / 2.0)
    if (
        not beta.any()
    ):  # f is b everywhere; the solver gives one such machine no weights, whose dual would be 0
        dual = float(C * np.maximum(0.0, 1.0 - y * b).sum())
    return Trained(beta, b, dual, np.array(pair), made.not_converged == 0)


def _checked(K: ArrayLike) -> FloatArray:
    values = as_symmetric(K, "The matrix")
    n = values.shape[0]
    if not FEWEST <= n <= MOST:
        raise InvalidInputError(f"The editor is for {FEWEST} to {MOST} items", str(n))
    if not np.array_equal(np.diag(values), np.ones(n)):
        raise InvalidInputError("An item is similar to itself by 1", str(np.diag(values).tolist()))
    if np.abs(values).max() > 1.0:
        raise InvalidInputError("Similarities lie between −1 and 1", f"{np.abs(values).max():g} in size")
    return values
