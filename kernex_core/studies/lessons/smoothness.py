from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, ReadOnlyArrays, owned
from kernex_core.base.parameters import check_parameters, check_range, parameter
from kernex_core.base.validation import as_matrix, as_numbers, as_symmetric, check_kernel
from kernex_core.gram.order import kernel_distances
from kernex_core.kernels.vectors.coordinates import Minimum, Sinc
from kernex_core.kernels.vectors.distance import Gaussian, Laplace, spectral_density
from kernex_core.kernels.vectors.vector_kernel import VectorKernel
from kernex_core.learning.learners.contract import as_targets
from kernex_core.studies.lessons.catalogue import Check

# The function of least norm through given values, and how far others that fit as well could be from it.

WORST_CONDITION = 1e12
"""Largest eigenvalue over the smallest, beyond which values are met but for a nugget."""
NUGGET = 1e-6
"""In units of the largest eigenvalue: alpha then has at least ten right digits."""


@dataclass(frozen=True, eq=False)
class Interpolant(ReadOnlyArrays):
    """f(x) = Σ_i alpha_i k(x, x_i).

    Attributes
    ----------
    alpha : (n,) float
    inverse : (n, n) float
        (K + nugget I)⁻¹.
    squared_norm : float
        ‖f‖² = alpha'K alpha.
    condition : float
        Largest eigenvalue of K over the smallest; infinite where that is not above rounding.
    nugget : float
        Added to the diagonal; with 0 the values are met exactly.
    """

    alpha: FloatArray
    inverse: FloatArray
    squared_norm: float
    condition: float
    nugget: float

    def mean(self, K_cross: ArrayLike) -> FloatArray:
        """(n_new,) f from similarities (n_new, n) to the given items."""
        return np.asarray(as_matrix(K_cross, "K_cross") @ self.alpha)

    def variance(self, K_cross: ArrayLike, diag: ArrayLike) -> FloatArray:
        """(n_new,) k(x, x) − k_x'(K + nugget I)⁻¹ k_x: variance given the values, if f is drawn with covariance k.

        Parameters
        ----------
        K_cross : (n_new, n) float
        diag : (n_new,) float
            k(x, x) of the new items.
        """
        crossed = as_matrix(K_cross, "K_cross")
        explained = ((crossed @ self.inverse) * crossed).sum(axis=1)
        return np.asarray(np.maximum(as_numbers(diag, "The diagonal") - explained, 0.0))


def interpolate(K: ArrayLike, y: ArrayLike, *, nugget: float | None = None) -> Interpolant:
    """Return the function of least norm with f(x_i) = y_i: alpha = K⁻¹y, ‖f‖² = y'K⁻¹y.

    Parameters
    ----------
    K : (n, n)
        Positive semidefinite and known everywhere.
    y : (n,) float
    nugget : float, optional
        Added to the diagonal. None: 0 unless the condition of K exceeds 1e12, then 1e-6 times its largest eigenvalue.

    Raises
    ------
    InvalidInputError
        Other shapes, a nugget below 0, or a nugget of 0 with a kernel without inverse.
    NotPositiveSemidefiniteError
        Naming the repair.

    Examples
    --------
    >>> from kernex_core.studies.lessons.smoothness import interpolate
    >>> made = interpolate([[0.2, 0.2], [0.2, 0.5]], [0.5, 0.2])
    >>> round(made.squared_norm, 3), made.mean([[0.2, 0.35]]).round(3).tolist()
    (1.55, [0.35])

    References
    ----------
    Vert, Kernel methods and computational biology, slides: representer theorem. Rasmussen and Williams, Gaussian Processes
    for Machine Learning, 2006, equations 2.23 and 2.24.
    """
    values = check_kernel(as_symmetric(K))
    targets = as_targets(y, values.shape[0])
    s, U = eigh(values)
    s = np.where(s > 1e-15 * s[-1], s, 0.0)
    condition = float(s[-1] / s[0]) if s[0] > 0.0 else float("inf")
    if nugget is None:
        nugget = NUGGET * (float(s[-1]) or 1.0) if condition > WORST_CONDITION else 0.0
    check_range("The nugget", nugget, 0.0)
    if nugget == 0.0 and s[0] == 0.0:
        raise InvalidInputError(
            "Values can be met exactly only by a kernel with an inverse",
            "an eigenvalue of 0",
            "Add a nugget to the diagonal",
        )
    w = 1.0 / (s + nugget)
    turned = U.T @ targets
    return Interpolant(
        U @ (w * turned), (U * w) @ U.T, float((s * (w * turned) ** 2).sum()), condition, float(nugget)
    )


@dataclass(frozen=True, eq=False)
class BoundPair(EqualByContent):
    """The two items at which |f(x) − f(x')| comes nearest to its bound ‖f‖ d_K(x, x').

    Attributes
    ----------
    first, second : int
        Places of the items.
    ratio : float
        Difference over bound, 0 to 1.
    """

    first: int
    second: int
    ratio: float


def nearest_to_bound(f: ArrayLike, K: ArrayLike, squared_norm: float) -> BoundPair | None:
    """Return the pair with the largest |f(x) − f(x')| / (‖f‖ d_K(x, x')), d_K² = k(x,x) − 2k(x,x') + k(x',x').

    By the inequality of Cauchy and Schwarz the ratio is at most 1. Of equal pairs (to 9 digits) the first.

    Parameters
    ----------
    f : (m,) float
        Values of the function.
    K : (m, m) float
        Kernel of the items.
    squared_norm : float
        ‖f‖²; at 0 the ratio is not defined, and None is returned.

    Examples
    --------
    >>> from kernex_core.studies.lessons.smoothness import nearest_to_bound
    >>> made = nearest_to_bound([0.0, 0.5, 0.5], [[0.0, 0.0, 0.0], [0.0, 0.5, 0.5], [0.0, 0.5, 1.0]], 0.5)
    >>> made.first, made.second, round(made.ratio, 3)
    (0, 1, 1.0)

    References
    ----------
    Vert, Kernel methods and computational biology, slides: smoothness of functions in an RKHS.
    """
    values, distance = as_numbers(f, "f"), kernel_distances(as_symmetric(K))
    if not squared_norm > 0.0 or values.size < 2:
        return None
    apart = np.abs(np.subtract.outer(values, values))
    # distances below this are rounding of the diagonal
    told = distance > 1e-7 * float(np.sqrt(np.diag(as_symmetric(K)).max()))
    ratio = np.divide(apart, distance * np.sqrt(squared_norm), out=np.zeros_like(apart), where=told)
    best = float(ratio.max())
    place = int(np.flatnonzero(ratio.ravel() >= best * (1.0 - 1e-9))[0])
    first, second = divmod(place, values.size)
    return BoundPair(first, second, best)


# Lesson on smoothness: the curve of least norm through a few points, what its norm is made of, and how steep it may be.

MOST = 12
GRID = owned(np.linspace(0.0, 1.0, 201))
"""Where the curve is drawn; pairs are looked for among every second place."""
FREQUENCIES = owned(np.linspace(-60.0, 60.0, 241))
KERNELS_ON_THE_LINE = ("Minimum", "Gaussian", "Laplace", "Sinc")


@dataclass(frozen=True)
class SmoothChoice:
    """Where the controls of the lesson stand."""

    kernel: str = parameter("Minimum", choices=KERNELS_ON_THE_LINE, help="What makes a curve dear.")
    sigma: float = parameter(
        0.2, label="Width", symbol=r"\sigma", low=0.02, high=1.0, logarithmic=True, fine=True,
        help="Bends closer together than this are dear; Gaussian kernel.",
    )  # fmt: skip
    gamma: float = parameter(
        5.0, label="Rate", symbol=r"\gamma", low=1.0, high=50.0, logarithmic=True, fine=True,
        help="How fast similarity falls with distance; Laplace kernel.",
    )  # fmt: skip
    omega: float = parameter(
        10.0, label="Band limit", symbol=r"\Omega", low=1.0, high=60.0, logarithmic=True, fine=True,
        help="The highest frequency that a curve may hold; sinc kernel.",
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def similarity(self) -> VectorKernel:
        """The kernel that is meant."""
        if self.kernel == "Minimum":
            return Minimum()
        if self.kernel == "Gaussian":
            return Gaussian(self.sigma)
        return Laplace(self.gamma) if self.kernel == "Laplace" else Sinc(self.omega)


@dataclass(frozen=True, eq=False)
class CurvePoints(ReadOnlyArrays):
    """Points that a curve has to go through.

    Attributes
    ----------
    x, y : (n,) float
        Ascending in x, 0 to 1; equal points once.
    """

    x: FloatArray
    y: FloatArray


def curve_points(x: ArrayLike, y: ArrayLike) -> CurvePoints:
    """Check points that somebody set, and sort them.

    Parameters
    ----------
    x : (n,) float
        1 to 12 numbers, 0 to 1.
    y : (n,) float

    Raises
    ------
    InvalidInputError
        Anything else.

    Examples
    --------
    >>> curve_points([0.5, 0.2], [0.1, 0.3]).x.tolist()
    [0.2, 0.5]
    """
    places, values = as_numbers(x, "x"), as_numbers(y, "y")
    if places.ndim != 1 or values.shape != places.shape or not 1 <= places.size <= MOST:
        raise InvalidInputError(
            f"There have to be 1 to {MOST} points", f"{places.size} and {values.size} numbers"
        )
    if not np.isfinite(values).all() or not ((places >= 0.0) & (places <= 1.0)).all():
        raise InvalidInputError(
            "x has to lie in 0 to 1: the minimum kernel knows nothing left of 0, where no curve has begun",
            "a point outside",
            "Move the point to the right of 0",
        )
    pairs = np.unique(np.stack([places, values], axis=1), axis=0)
    return CurvePoints(pairs[:, 0], pairs[:, 1])


START = curve_points((0.2, 0.5, 0.8), (0.5, 0.2, 0.9))


@dataclass(frozen=True, eq=False)
class SmoothCurve(ReadOnlyArrays):
    """The curve of least norm.

    Attributes
    ----------
    mean, sd : (201,) float
        On `GRID`; the standard deviation is that of curves drawn with covariance k that meet the points.
    squared_norm : float
        ‖f‖².
    pieces : (n,) float
        (Δy)² / Δx from (0, 0) on, whose sum is ‖f‖²; empty for kernels other than the minimum, and with a nugget.
    pair : (float, float) or None
        x and x' at which |f(x) − f(x')| comes nearest to ‖f‖ d_K; None where f = 0.
    ratio : float or None
        How near, 0 to 1.
    nugget : float
    density : (241,) float
        Spectral density at `FREQUENCIES`; empty for the minimum kernel, which is none of x − x' alone.
    notes : tuple of str
        What is out of the ordinary, as sentences.
    """

    mean: FloatArray
    sd: FloatArray
    squared_norm: float
    pieces: FloatArray
    pair: tuple[float, float] | None
    ratio: float | None
    nugget: float
    density: FloatArray
    notes: tuple[str, ...]


def smooth_curve(points: CurvePoints, choice: SmoothChoice) -> SmoothCurve:
    """Draw the curve of least norm through the points.

    Parameters
    ----------
    points : CurvePoints
    choice : SmoothChoice

    Examples
    --------
    >>> made = smooth_curve(START, SmoothChoice())
    >>> made.pieces.round(3).tolist(), round(made.squared_norm, 3), made.pair
    ([1.25, 0.3, 1.633], 3.183, (0.5, 0.8))
    """
    kernel, grid = choice.similarity, GRID[:, None]
    if choice.kernel == "Minimum" and points.x.size > 1 and points.x[0] == points.y[0] == 0.0:
        points = CurvePoints(points.x[1:], points.y[1:])  # every curve goes through it anyway
    x = points.x[:, None]
    fitted = interpolate(kernel.gram(x), points.y)
    crossed, K_grid = kernel.cross(grid, x), kernel.gram(grid)
    mean = fitted.mean(crossed)
    zero = not points.y.any()
    near = None if zero else nearest_to_bound(mean[::2], K_grid[::2, ::2], fitted.squared_norm)
    minimum = choice.kernel == "Minimum"
    density = np.zeros(0) if minimum else spectral_density(kernel, FREQUENCIES)
    return SmoothCurve(
        mean, np.sqrt(fitted.variance(crossed, np.diag(K_grid))), fitted.squared_norm,
        _pieces(points) if minimum and not fitted.nugget else np.zeros(0), _places(near),
        None if near is None else near.ratio, fitted.nugget, density, _notes(points, choice, fitted, zero),
    )  # fmt: skip


def _pieces(points: CurvePoints) -> FloatArray:
    """∫f'² of each straight piece from (0, 0) on."""
    return np.asarray(np.diff(points.y, prepend=0.0) ** 2 / np.diff(points.x, prepend=0.0))


def _places(near: BoundPair | None) -> tuple[float, float] | None:
    if near is None:
        return None
    first, second = sorted((near.first, near.second))
    return float(GRID[2 * first]), float(GRID[2 * second])


def _notes(points: CurvePoints, choice: SmoothChoice, fitted: Interpolant, zero: bool) -> tuple[str, ...]:
    notes = []
    if np.unique(points.x).size < points.x.size:
        notes.append(
            "Two points have the same x and different y: no function has both. A nugget lets it pass between them."
        )
    elif choice.kernel == "Minimum" and points.x[0] == 0.0 and points.y[0] != 0.0:
        notes.append(
            "Every function of the minimum kernel is 0 at x = 0: a nugget lets the curve miss the point there."
        )
    elif fitted.nugget:
        notes.append(
            "With this kernel the points are almost the same to the computer (condition above 1e12): a nugget is added, and "
            "the curve may miss the points a little."
        )
    if zero:
        notes.append("f = 0 everywhere: its norm is 0, and a ratio to it is not defined.")
    return tuple(notes)


# What the lesson on smoothness asks: what the smoothest curve looks like, and how it reaches its bound.

REACHED = 0.999
"""From this ratio on the bound counts as reached."""
BETS = {
    "smooth": "That assumes that a norm always counts bends. This one counts slopes, ∫f'²: a corner costs nothing extra.",
    "pieces": "Between two points the straight way has the least ∫f'²; after the last point, standing still is free.",
    "steps": "That assumes that only values count. A step has an infinite slope, and ∫f'² with it.",
}


def check_bet(bet: str) -> Check:
    """Judge what the smoothest curve of the minimum kernel looks like: "smooth", "pieces" or "steps".

    The curve itself is looked at: between two of the points it has no bend, and after the last one no slope.
    """
    made = smooth_curve(START, SmoothChoice())
    bends = np.abs(np.diff(made.mean, 2))
    corners = np.isin(np.round(GRID[1:-1], 6), np.round(START.x, 6))
    straight = float(bends[~corners].max()) < 1e-9 < float(bends[corners].max())
    flat = float(np.ptp(made.mean[START.x[-1] <= GRID])) < 1e-9
    return Check(bet == "pieces" and straight and flat, float(bends[~corners].max()), BETS[bet])


def check_challenge(made: SmoothCurve, choice: SmoothChoice) -> Check:
    """With the minimum kernel, a curve that reaches its bound."""
    if made.ratio is None:
        return Check(False, 0.0, "f = 0 has no ratio: lift a point.")
    if choice.kernel != "Minimum":
        return Check(
            False, made.ratio, f"The ratio is {made.ratio:.3f}; the challenge is with the minimum kernel."
        )
    if made.ratio >= REACHED:
        return Check(
            True, made.ratio, f"The ratio is {made.ratio:.3f}: one ramp climbs as steeply as its norm allows."
        )
    return Check(
        False, made.ratio, f"The ratio is {made.ratio:.3f}: the curve pays for slopes outside the pair, too."
    )
