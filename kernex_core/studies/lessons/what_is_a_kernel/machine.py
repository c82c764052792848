"""A support vector machine on points in the plane: its surface, its stems, and what it says about itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.kernels.vectors.distance import Gaussian
from kernex_core.kernels.vectors.dot_product import Linear, Polynomial
from kernex_core.kernels.vectors.vector_kernel import VectorKernel
from kernex_core.learning.svm import FINE_TOLERANCE, fit_one_vs_rest
from kernex_core.parameters import check_parameters, parameter
from kernex_core.studies.lessons.what_is_a_kernel.points import WINDOW, PlanePoints

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
    >>> from kernex_core.studies.lessons.what_is_a_kernel.points import RINGS
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
