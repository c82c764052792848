from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.base.validation import as_numbers
from kernex_core.kernels.vectors.distance import Gaussian
from kernex_core.kernels.vectors.dot_product import Linear, Polynomial, monomial_map
from kernex_core.kernels.vectors.vector_kernel import VectorKernel
from kernex_core.learning.machine import FINE_TOLERANCE, fit_one_vs_rest
from kernex_core.studies.lessons.catalogue import Check

# Points in the plane for the lesson on kernels: two rings, two moons, XOR, and the visitor's own.

FEWEST, MOST = 2, 60
"""Points of one's own."""
WINDOW = 2.4
"""The plane is drawn, and may be clicked into, from -2.4 to 2.4 both ways."""


@dataclass(frozen=True, eq=False)
class PlanePoints(ReadOnlyArrays):
    """Points of two classes.

    Attributes
    ----------
    X : (n, 2) float
    y : (n,) float
        -1 or 1.
    """

    X: FloatArray
    y: FloatArray

    @property
    def n(self) -> int:
        """Number of points."""
        return int(self.y.size)


def plane_points(X: ArrayLike, y: ArrayLike) -> PlanePoints:
    """Check points that somebody set.

    Parameters
    ----------
    X : (n, 2) float
        2 to 60 points inside the window.
    y : (n,) float
        -1 or 1, both at least once.

    Raises
    ------
    InvalidInputError
        Anything else.

    Examples
    --------
    >>> plane_points([[0.0, 1.0], [1.0, 0.0]], [-1, 1]).n
    2
    """
    points, signs = as_numbers(X, "X"), as_numbers(y, "y")
    if points.ndim != 2 or points.shape[1] != 2 or signs.shape != points.shape[:1]:
        raise InvalidInputError(
            "There have to be two coordinates and one class a point", f"{points.shape} and {signs.shape}"
        )
    if not FEWEST <= signs.size <= MOST:
        raise InvalidInputError(f"There have to be {FEWEST} to {MOST} points", f"{signs.size}")
    if not (np.abs(points) <= WINDOW).all():
        raise InvalidInputError(
            f"Coordinates have to lie in {-WINDOW} to {WINDOW}", "a point outside the picture"
        )
    if not np.isin(signs, (-1.0, 1.0)).all():
        raise InvalidInputError("A class has to be -1 or 1", "another number")
    if abs(signs.sum()) == signs.size:
        raise InvalidInputError(
            "There have to be points of both classes", "one class", "Set a point of the other class"
        )
    return PlanePoints(points, signs)


def _rings() -> PlanePoints:
    """Radii are spread by multiples of the golden ratio, so that nothing lies on a circle, and nothing is random."""
    k = np.arange(12)
    radii = .5 + .3 * (k * .618034 % 1.0), 1.3 + .4 * ((k * .618034 + .3) % 1.0)  # fmt: skip
    angles = np.deg2rad(30.0 * k), np.deg2rad(30.0 * (k + 0.5))
    X = [np.stack([r * np.cos(a), r * np.sin(a)], axis=1) for r, a in zip(radii, angles, strict=True)]
    return PlanePoints(np.round(np.vstack(X), 2) + 0.0, np.repeat([-1.0, 1.0], 12))


_MOONS = (
    (.88, 0), (.99, .29), (.79, .5), (.71, .82), (.41, .9), (.13, .89), (-.15, 1.04), (-.4, .87), (-.73, .84),
    (-.85, .55), (-.88, .26), (-1.07, 0), (0, .4), (.13, .15), (.11, -.17), (.37, -.33), (.54, -.62), (.85, -.61),
    (1.13, -.52), (1.45, -.58), (1.65, -.35), (1.75, -.08), (2, .11), (1.95, .4),
)  # fmt: skip
_CORNER = ((0.8, 0.8), (1.0, 0.9), (0.7, 1.0))
RINGS = _rings()
MOONS = PlanePoints(np.array(_MOONS), np.repeat([1.0, -1.0], 12))
XOR = PlanePoints(
    np.vstack([np.array(_CORNER) * turn for turn in ((1, 1), (-1, -1), (1, -1), (-1, 1))]),
    np.repeat([1.0, -1.0], 6),
)
PLANE_SETS = {"Rings": RINGS, "Moons": MOONS, "XOR": XOR}


# A support vector machine on points in the plane: its surface, its stems, and what it says about itself.

AXIS = np.linspace(-WINDOW, WINDOW, 49)
"""Both coordinates of the grid on which f is drawn: steps of 0.1."""
_CONSTANT = 1e-7
"""f that spreads by less than this is taken as constant: the solver's tolerance is 1e-8."""

_UNFINISHED = (
    "The solver was stopped close to its optimum: at this cost it is hardly determined. Choose a smaller C."
)


@dataclass(frozen=True)
class PlaneChoice:
    """Where the controls of the lesson stand."""

    kernel: str = parameter(
        "Gaussian", choices=("Gaussian", "Linear", "Polynomial"), help="How alike two points are."
    )
    sigma: float = parameter(
        1.0, label="Width", symbol=r"\sigma", low=0.1, high=4.0, logarithmic=True, fine=True,
        help="How far a point is felt; Gaussian kernel.",
    )  # fmt: skip
    degree: int = parameter(
        2, label="Degree", symbol="d", low=1, high=5, step=1, help="How many coordinates are multiplied; polynomial kernel."
    )  # fmt: skip
    constant: float = parameter(
        0.0, label="Constant", symbol="c", low=0.0, high=5.0, step=0.5,
        help="Weight of products of fewer coordinates; polynomial kernel.",
    )  # fmt: skip
    C: float = parameter(
        10.0, label="Cost", symbol="C", low=0.01, high=1e4, logarithmic=True, help="The most that one point may weigh."
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_parameters(self)

    def at(self, name: str, value: float) -> PlaneChoice:
        """The same with one of "sigma", "degree", "constant", "C" elsewhere."""
        changed: dict[str, Any] = {name: int(value) if name == "degree" else value}
        return replace(self, **changed)

    @property
    def similarity(self) -> VectorKernel:
        """The kernel that is meant."""
        if self.kernel == "Linear":
            return Linear()
        if self.kernel == "Gaussian":
            return Gaussian(self.sigma)
        return Polynomial(self.degree, self.constant)


@dataclass(frozen=True, eq=False)
class PlaneMachine(ReadOnlyArrays):
    """f(x) = Σ_i α_i y_i k(x_i, x) + b, trained on some of the points.

    Attributes
    ----------
    weights : (n,) float
        α_i y_i; 0 for points that are left out.
    bias : float
    values : (n,) float
        f of every point, of those left out, too.
    field : (49, 49) float
        f on the grid `AXIS` by `AXIS`; a row has one x_2.
    norm : float
        ‖f‖ of the part without b.
    errors : int
        Points trained on that do not lie on the side of their class.
    C : float
    notes : tuple of str
        What is out of the ordinary, as sentences.
    """

    weights: FloatArray
    bias: float
    values: FloatArray
    field: FloatArray
    norm: float
    errors: int
    C: float
    notes: tuple[str, ...]

    @property
    def support(self) -> IntArray:
        """Places of the points with a stem."""
        return np.flatnonzero(self.weights)

    @property
    def at_cost(self) -> IntArray:
        """Places of the points whose α is C."""
        return np.flatnonzero(np.abs(self.weights) >= self.C)

    @property
    def margin(self) -> float | None:
        """1 / ‖f‖, in the feature space; None where f is constant."""
        return 1.0 / self.norm if self.norm else None


@dataclass(frozen=True, eq=False)
class PlaneSystem(ReadOnlyArrays):
    """Similarities that all machines on the same points and kernel share.

    Attributes
    ----------
    points : PlanePoints
    K : (n, n) float
    K_grid : (49 * 49, n) float
    """

    points: PlanePoints
    K: FloatArray
    K_grid: FloatArray

    def train(self, C: float, kept: IntArray | None = None) -> PlaneMachine:
        """Train on the points at the places `kept`, on all if None.

        Raises
        ------
        InvalidInputError
            Points of one class only are kept.
        """
        y = self.points.y
        used = np.arange(y.size) if kept is None else kept
        codes = (y[used] > 0.0).astype(np.int64)
        if np.unique(codes).size < 2:
            raise InvalidInputError(
                "There have to be points of both classes", "one class", "Leave out another point"
            )
        fitted = fit_one_vs_rest(
            self.K[np.ix_(used, used)], codes, 2, C=C, tolerance=FINE_TOLERANCE, checked=True
        )
        weights, b = np.zeros(y.size), float(fitted.bias[1])
        weights[used] = fitted.coefficients[1]
        Kw = self.K @ weights
        constant = float(np.ptp(Kw)) < _CONSTANT * max(1.0, abs(b))
        values = np.full(y.size, b) if constant else Kw + b
        norm = 0.0 if constant else float(np.sqrt(max(float(weights @ Kw), 0.0)))
        errors = int((y[used] * np.where(np.abs(values[used]) < _CONSTANT, 0.0, values[used]) <= 0.0).sum())
        field = (self.K_grid @ weights + b).reshape(AXIS.size, AXIS.size)
        notes = _notes(self.points, weights, constant, C)
        if fitted.not_converged:
            notes = (_UNFINISHED, *notes)
        return PlaneMachine(weights, b, values, field, norm, errors, C, notes)


def plane_system(points: PlanePoints, choice: PlaneChoice) -> PlaneSystem:
    """Similarities of the points among themselves and to the grid."""
    grid = np.stack(np.meshgrid(AXIS, AXIS), axis=-1).reshape(-1, 2)
    return PlaneSystem(points, choice.similarity.gram(points.X), choice.similarity.cross(grid, points.X))


def plane_machine(points: PlanePoints, choice: PlaneChoice, left_out: tuple[int, ...] = ()) -> PlaneMachine:
    """Train the machine that the controls ask for.

    Parameters
    ----------
    points : PlanePoints
    choice : PlaneChoice
    left_out : tuple of int
        Places of points that are not trained on.

    Raises
    ------
    InvalidInputError
        Points of one class are left.

    Examples
    --------
    >>> from kernex_core.studies.lessons.what_is_a_kernel import RINGS
    >>> made = plane_machine(RINGS, PlaneChoice())
    >>> made.support.size, made.errors, round(made.norm, 3)
    (10, 0, 4.722)
    """
    kept = np.setdiff1d(np.arange(points.n), left_out)
    return plane_system(points, choice).train(choice.C, kept)


def _notes(points: PlanePoints, weights: FloatArray, constant: bool, C: float) -> tuple[str, ...]:
    notes = []
    if constant:
        notes.append(
            "f is the same everywhere: this kernel sees no difference between the classes; a margin is not defined."
        )
    used = np.abs(weights[weights != 0.0])
    if used.size and (used >= C).all():
        notes.append(
            "Every stem is as high as C allows, so that b is fixed only to an interval: its middle is taken."
        )
    inside = {tuple(x) for x in points.X[points.y < 0.0]} & {tuple(x) for x in points.X[points.y > 0.0]}
    if inside:
        notes.append(
            "Two points of different classes lie at the same place: no f can have both right, at no C."
        )
    return tuple(notes)


# What the lesson on kernels asks: which points a boundary rests on, and with how few it can be right.

STILL = 1e-5
"""f that moves by less than this counts as unmoved: it is the solver's rounding."""
FEW = 5
_INNER = np.flatnonzero(np.abs(AXIS) <= 2.0 + 1e-9)
"""Where a move of f is measured: −2 to 2 both ways."""


@dataclass(frozen=True, eq=False)
class Deletions(ReadOnlyArrays):
    """How far f moves when one point is left out and everything is trained anew.

    Attributes
    ----------
    moves : tuple of (float or None)
        Largest |f − f without the point| on [−2, 2]²; None where only one class would be left.
    support : (n,) bool
        Whether the point has a stem.
    C_after : float
        C of the machines without a point.
    """

    moves: tuple[float | None, ...]
    support: BoolArray
    C_after: float

    @property
    def least_of_support(self) -> float | None:
        """The smallest move that leaving out a point with a stem makes."""
        found = [
            move for move, stem in zip(self.moves, self.support, strict=True) if stem and move is not None
        ]
        return min(found, default=None)

    @property
    def others_stay(self) -> bool:
        """Whether leaving out any point without a stem leaves f where it is."""
        pairs = zip(self.moves, self.support, strict=True)
        return all(move is not None and move < STILL for move, stem in pairs if not stem)


def deletions(points: PlanePoints, choice: PlaneChoice, *, keep_lam: bool = False) -> Deletions:
    """Leave out every point in turn.

    Parameters
    ----------
    points : PlanePoints
    choice : PlaneChoice
    keep_lam : bool
        Keep λ = 1 / (2nC) instead of C: with fewer points that is another C.

    Examples
    --------
    >>> from kernex_core.studies.lessons.what_is_a_kernel import RINGS
    >>> made = deletions(RINGS, PlaneChoice())
    >>> made.others_stay, round(made.least_of_support, 3)
    (True, 0.065)
    """
    system, n = plane_system(points, choice), points.n
    whole = system.train(choice.C)
    C = choice.C * n / (n - 1) if keep_lam else choice.C
    moves: list[float | None] = []
    for place in range(n):
        kept = np.delete(np.arange(n), place)
        if abs(points.y[kept].sum()) == kept.size:
            moves.append(None)
            continue
        moves.append(moved(whole, system.train(C, kept)))
    return Deletions(tuple(moves), whole.weights != 0.0, C)


def moved(whole: PlaneMachine, other: PlaneMachine) -> float:
    """Return the largest |f − f of the other| on [−2, 2]²."""
    apart = np.abs(whole.field - other.field)
    return float(apart[np.ix_(_INNER, _INNER)].max())


def check_bet(made: Deletions, clicked: int | None) -> Check:
    """Judge the bet: a point that can go without a trace, or None for "there is no such point"."""
    free = sum(move is not None and move < STILL for move in made.moves)
    count = f"{free} of {len(made.moves)} points can go without a trace"
    if clicked is None:
        said = "every datum would count, as in least squares" if free else "here every point has a stem"
        return Check(not free, float(free), f"{count}: {said}.")
    move = made.moves[clicked]
    if move is None:
        return Check(False, 0.0, "Without this point there is one class only, and nothing to separate.")
    if move < STILL:
        return Check(True, move, f"This point has no stem: f stays where it is. {count}.")
    return Check(False, move, f"This point carries a stem: without it f moves by {move:.2g}. {count}.")


def check_challenge(made: PlaneMachine) -> Check:
    """No error with at most five support vectors."""
    count = made.support.size
    found = f"{made.errors} errors with {count} support vectors"
    right = made.errors == 0 and count <= FEW
    if right:
        return Check(True, float(count), f"{found}: a simple shape needs few witnesses.")
    wish = "no error" if made.errors else f"at most {FEW} support vectors"
    return Check(False, float(made.errors or count), f"{found}: still missing is {wish}.")


@dataclass(frozen=True, eq=False)
class FeaturePlane(ReadOnlyArrays):
    """The same machine where it is linear: z = (x_1², x_2², √2 x_1 x_2) and the plane w'z + b = 0.

    Attributes
    ----------
    Z : (n, 3) float
    w : (3,) float
    bias : float
    """

    Z: FloatArray
    w: FloatArray
    bias: float


def feature_plane(points: PlanePoints, C: float, left_out: tuple[int, ...] = ()) -> FeaturePlane:
    """Write out the features of (x'y)², in which f is a plane, trained without the points that are left out.

    Examples
    --------
    >>> from kernex_core.studies.lessons.what_is_a_kernel import RINGS
    >>> made = feature_plane(RINGS, 10.0)
    >>> made.w.round(3).tolist(), round(made.bias, 3)
    ([1.778, 1.551, -0.066], -1.963)
    """
    made = plane_machine(points, PlaneChoice("Polynomial", C=C), left_out)
    Z = monomial_map(points.X, Polynomial(2, 0.0))
    return FeaturePlane(Z, made.weights @ Z, made.bias)
