"""Lesson 3, positive definiteness: similarities must fit together."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_range
from kernex_core.base.validation import as_numbers, as_symmetric, psd_tolerance
from kernex_core.completion.approximation import approximate
from kernex_core.completion.baselines import completions
from kernex_core.completion.extrapolate import check_nugget
from kernex_core.conditioning.repairs import REPAIRS, repair_psd
from kernex_core.gram.diagnostics import Diagnosis, diagnose
from kernex_core.gram.ellipse import Ellipse, ellipse_of
from kernex_core.learning.machine import FINE_TOLERANCE, OneVsRest, fit_one_vs_rest
from kernex_core.studies.lessons.catalogue import Check

# Three items with similarities r12, r23, r13: what fits, what does not, and what a repair costs.

CHALLENGE = (0.6, -0.5)
"""r12 and r23 of the challenge: find the largest r13."""
NEAR = 0.005
"""How near the answer of the challenge has to be."""


@dataclass(frozen=True, eq=False)
class ThreeItems(ReadOnlyArrays):
    """Three items and the third of their similarities, which the other two bound.

    Attributes
    ----------
    K : (3, 3) float
    low, high : float
        Interval of r13 with which K is a kernel, whatever r13 is now.
    middle, largest_det : float
        Where in it the determinant is largest, r12 r23, and how large: what a choice without further knowledge takes.
    det : float
        Of K; below 0 outside the interval.
    eigenvalues : (3,) float
        Ascending.
    pattern : (3,) float
        Eigenvector of the smallest, its first entry that is not 0 above 0.
    negative_mass : float
        Σ|λ < 0| / Σ|λ|, 0 to 1.
    through : float
        r13 that extrapolation through item 2 gives, r12 r23 / (1 + ρ).
    """

    K: FloatArray
    low: float
    high: float
    middle: float
    largest_det: float
    det: float
    eigenvalues: FloatArray
    pattern: FloatArray
    negative_mass: float
    through: float

    @property
    def fits(self) -> bool:
        """Whether K is a kernel, up to rounding."""
        size = float(np.abs(self.eigenvalues).max())
        return float(self.eigenvalues[0]) >= -psd_tolerance(self.eigenvalues.size, size)


def three_items(r12: float, r23: float, r13: float, *, nugget: float = 0.0) -> ThreeItems:
    """Everything that the lesson shows about three similarities.

    Parameters
    ----------
    r12, r23, r13 : float
        −1 to 1; an item is similar to itself by 1.
    nugget : float
        ρ >= 0 of the extrapolation.

    Raises
    ------
    InvalidInputError
        A similarity outside −1 to 1.

    Examples
    --------
    >>> from kernex_core.studies.lessons.positive_definiteness import three_items
    >>> made = three_items(0.9, 0.9, 0.1)
    >>> made.fits, round(made.low, 6), round(made.high, 6), round(made.middle, 6)
    (False, 0.62, 1.0, 0.81)
    """
    K = correlations(r12, r23, r13)
    low, high = completions(K, 0, 2)
    middle = (low + high) / 2.0
    eigenvalues, pattern = smallest_pattern(K)
    return ThreeItems(
        K=K,
        low=low,
        high=high,
        middle=middle,
        largest_det=float(determinant(r12, r23, middle)),
        det=float(determinant(r12, r23, r13)),
        eigenvalues=eigenvalues,
        pattern=pattern,
        negative_mass=diagnose(K).negative_mass,
        through=_through_item_2(correlations(r12, r23, middle), nugget),
    )


def correlations(r12: float, r23: float, r13: float) -> FloatArray:
    """(3, 3) matrix with 1 on its diagonal.

    Raises
    ------
    InvalidInputError
        A similarity outside −1 to 1.
    """
    for name, r in (("r12", r12), ("r23", r23), ("r13", r13)):
        check_range(f"The similarity {name}", r, -1.0, 1.0)
    return np.array([[1.0, r12, r13], [r12, 1.0, r23], [r13, r23, 1.0]])


def determinant(r12: ArrayLike, r23: ArrayLike, r13: ArrayLike) -> FloatArray:
    """1 + 2 r12 r23 r13 − r12² − r23² − r13², of any shapes that fit: at least 0 where three similarities fit together.

    Examples
    --------
    >>> from kernex_core.studies.lessons.positive_definiteness import determinant
    >>> determinant(0.6, -0.5, [-0.3, 1.0]).round(6).tolist()
    [0.48, -1.21]
    """
    x, y, z = (np.asarray(each, dtype=np.float64) for each in (r12, r23, r13))
    return np.asarray((1.0 - x**2) * (1.0 - y**2) - (z - x * y) ** 2)


def smallest_pattern(K: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Eigenvalues (n,), ascending, and eigenvector (n,) of the smallest, its first entry that is not 0 above 0."""
    eigenvalues, vectors = np.linalg.eigh(K)
    pattern = vectors[:, 0]
    first = int(np.argmax(np.abs(pattern) > 1e-9))
    return eigenvalues, pattern * float(np.sign(pattern[first]))


@dataclass(frozen=True, eq=False)
class Repaired(ReadOnlyArrays):
    """One repair of a similarity matrix.

    Attributes
    ----------
    method : str
    K : (n, n) float
        After the repair.
    distance : float
        Frobenius norm of the change: what the repair costs.
    """

    method: str
    K: FloatArray
    distance: float


def repairs_of(K: FloatArray) -> tuple[Repaired, ...]:
    """Every repair of the core on K (n, n), in the core's order.

    Examples
    --------
    >>> from kernex_core.studies.lessons.positive_definiteness import correlations, repairs_of
    >>> [(each.method, round(each.distance, 4)) for each in repairs_of(correlations(0.9, 0.9, 0.1))]
    [('clip', 0.2238), ('flip', 0.4475), ('shift', 0.3876), ('square', 3.0896)]
    """
    made = [repair_psd(K, repair.method) for repair in REPAIRS]
    return tuple(Repaired(each.method, np.asarray(each.gram), each.distance) for each in made)


def check_largest(r13: float) -> Check:
    """Whether r13 is the largest similarity that fits to the two of the challenge."""
    made = three_items(*CHALLENGE, r13)
    if abs(r13 - made.high) <= NEAR:
        return Check(True, r13, f"Right: from {made.high:.4f} on the determinant is below 0.")
    if not made.fits:
        return Check(
            False,
            r13,
            f"With {r13:.3f} the determinant is {made.det:.3f}: below 0, so these three do not fit together.",
        )
    return Check(
        False,
        r13,
        f"{r13:.3f} fits, with a determinant of {made.det:.3f} still above 0: a larger one fits, too.",
    )


def _through_item_2(K: FloatArray, nugget: float) -> float:
    """r13 of the best approximation of K + ρI that knows item 2 alone; it does not depend on the r13 of K."""
    ridged = K + check_nugget(nugget) * np.eye(3)
    return float(approximate(ridged, ridged[1:2]).K_Q[0, 2])


# The matrix editor: a similarity of three to six items, made indefinite, and what a support vector machine does with it.

FEWEST, MOST = 3, 6
BAND = (1.0, 0.9, 0.1, 0.0, 0.0, 0.0)
"""Similarities of neighbours, of their neighbours, and so on, from which the editor starts: no kernel."""


def band(n: int) -> FloatArray:
    """(n, n) similarities of items in a row, by how far apart they are.

    Examples
    --------
    >>> from kernex_core.studies.lessons.positive_definiteness import band
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
    >>> from kernex_core.studies.lessons.positive_definiteness import band, edited
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
    >>> from kernex_core.studies.lessons.positive_definiteness import band, entry_interval
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
    >>> from kernex_core.studies.lessons.positive_definiteness import band, trained
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
    >>> from kernex_core.studies.lessons.positive_definiteness import band, dual_growth
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


# What three similarities may be together: an ellipse where one is known, a body, the elliptope, where none is.

SHARE_OF_CUBE = float(np.pi**2 / 16.0)
"""Volume of the body over that of the cube of all similarities from −1 to 1."""


def two_unknown(r12: float) -> Ellipse:
    """Pairs (r13, r23) that fit to a known r12: x² − 2 r12 xy + y² <= 1 − r12², the ellipse of the metric (1 r12; r12 1).

    Raises
    ------
    InvalidInputError
        r12 outside −1 to 1.

    Examples
    --------
    >>> from kernex_core.studies.lessons.positive_definiteness import two_unknown
    >>> two_unknown(0.9).half_axes.round(3).tolist()
    [1.378, 0.316]
    """
    check_range("The similarity r12", r12, -1.0, 1.0)
    return ellipse_of([[1.0, r12], [r12, 1.0]])


def share_of_square(r12: float) -> float:
    """Area of that ellipse over that of the square of all pairs from −1 to 1: π √(1 − r12²) / 4."""
    return two_unknown(r12).area / 4.0


def elliptope(n: int = 49) -> FloatArray:
    """(3, n, n) points (r12, r13, r23) of the surface on which the determinant is 0, 1 + 2xyz = x² + y² + z².

    Three angles of which one is the sum of the other two: (cos a, cos b, cos(a + b)), a from 0 to π, b from −π to π.

    Examples
    --------
    >>> from kernex_core.studies.lessons.positive_definiteness import elliptope
    >>> x, y, z = elliptope(9)
    >>> bool(abs(1 + 2 * x * y * z - x**2 - y**2 - z**2).max() < 1e-15)
    True
    """
    a, b = np.meshgrid(np.linspace(0.0, np.pi, n), np.linspace(-np.pi, np.pi, n), indexing="ij")
    return np.stack([np.cos(a), np.cos(b), np.cos(a + b)])
