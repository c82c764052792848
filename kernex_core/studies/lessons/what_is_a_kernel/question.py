"""What the lesson on kernels asks: which points a boundary rests on, and with how few it can be right."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.frozen import BoolArray, FloatArray, ReadOnlyArrays
from kernex_core.kernels.vectors.dot_product import Polynomial
from kernex_core.kernels.vectors.monomials import monomial_map
from kernex_core.studies.lessons.check import Check
from kernex_core.studies.lessons.what_is_a_kernel.machine import (
    AXIS,
    PlaneChoice,
    PlaneMachine,
    plane_machine,
    plane_system,
)
from kernex_core.studies.lessons.what_is_a_kernel.points import PlanePoints

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
    >>> from kernex_core.studies.lessons.what_is_a_kernel.points import RINGS
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
    >>> from kernex_core.studies.lessons.what_is_a_kernel.points import RINGS
    >>> made = feature_plane(RINGS, 10.0)
    >>> made.w.round(3).tolist(), round(made.bias, 3)
    ([1.778, 1.551, -0.066], -1.963)
    """
    made = plane_machine(points, PlaneChoice("Polynomial", C=C), left_out)
    Z = monomial_map(points.X, Polynomial(2, 0.0))
    return FeaturePlane(Z, made.weights @ Z, made.bias)
