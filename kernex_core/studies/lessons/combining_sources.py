"""Lesson on combining sources: to add kernels is ridge regression, to learn their weights is a lasso.

Every feature is a source with a kernel of rank 1, so that both can be seen as coefficients.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from scipy import sparse

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays, read_only
from kernex_core.base.parameters import check_range
from kernex_core.gram.graph import components
from kernex_core.learning.learners.ridge import kernel_ridge
from kernex_core.learning.mkl.base_kernels import FeatureGroups
from kernex_core.learning.mkl.losses import MklSolution, square_loss_mkl, square_loss_path
from kernex_core.studies.lessons.catalogue import Check

X: Final[FloatArray] = read_only(
    np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0], [-1, 0, 1], [0, -1, -1], [-1, -1, -2]], dtype=np.float64)
)
Y: Final[FloatArray] = read_only(np.array([2.0, 1.0, 3.0, -1.0, -2.0, -3.0]))
NOISE: Final[FloatArray] = read_only(np.array([1.0, 1.0, -1.0, 1.0, -1.0, -1.0]))
FOURTH: Final[FloatArray] = read_only(np.array([0.0, -1.0, 1.0, 0.0, 1.0, -1.0]))
"""Fourth feature of the graph lasso, at the end of the path 1-2-3-4."""
PATH: Final = ((0, 1), (1, 2), (2, 3))
SCALES: Final = (1, 2, 3)
LAMS: Final[tuple[float, ...]] = tuple(
    round(0.05 * k, 2) for k in (*range(1, 20), *range(20, 40, 2), *range(40, 60), *range(60, 82, 2))
)
"""Positions of the slider, 0.05 to 4: fine where a source is dropped."""
LOW, HIGH = LAMS[0], LAMS[-1]
SHARP: Final = 1e-11
"""Relative duality gap at which the digits that are shown no longer change."""
DROPPED: Final = 1e-6
"""Weights up to which a source counts as dropped."""
NEAR: Final = 0.02
RIGHT: Final = 1


@dataclass(frozen=True, eq=False)
class Sources(ReadOnlyArrays):
    """Features, one kernel each.

    Attributes
    ----------
    X : (n, p) float
    y : (n,) float
    names : tuple of str
    """

    X: FloatArray
    y: FloatArray
    names: tuple[str, ...]

    @cached_property
    def kernels(self) -> FeatureGroups:
        """One kernel of rank 1 a feature."""
        return FeatureGroups(self.X, sparse.csr_array(sparse.eye_array(self.X.shape[1])))


@dataclass(frozen=True, eq=False)
class Combined(ReadOnlyArrays):
    """Both combinations at one λ.

    Attributes
    ----------
    lam : float
    beta : (p,) float
        Coefficients of the learned weighted sum: the lasso's.
    weights : (p,) float
        η, on the simplex; NaN where nothing is to be learned.
    objective, gap : float
        Of multiple kernel learning.
    ridge : (p,) float
        Coefficients of the plain sum.
    said : str
        What is odd about the setting; "" mostly.
    """

    lam: float
    beta: FloatArray
    weights: FloatArray
    objective: float
    gap: float
    ridge: FloatArray
    said: str = ""


@dataclass(frozen=True, eq=False)
class GraphCombined(ReadOnlyArrays):
    """Sources on a path, chosen along its edges, and one by one.

    Attributes
    ----------
    lam : float
    beta : (4,) float
        Of the graph lasso: one kernel an edge.
    edges : (3,) float
        Weights of the edges.
    objective : float
    lasso : (4,) float
    pieces, lasso_pieces : int
        Connected pieces of the sources that are used.
    """

    lam: float
    beta: FloatArray
    edges: FloatArray
    objective: float
    lasso: FloatArray
    pieces: int
    lasso_pieces: int


def sources(*, noise: bool = False, scale: float = 1.0) -> Sources:
    """The lesson's data, perhaps with a source of noise, the third feature in other units.

    Raises
    ------
    InvalidInputError
        A scale outside 1 to 3.
    """
    check_range("The scale of the third source", scale, SCALES[0], SCALES[-1])
    made, names = X * [1.0, 1.0, scale], ("x₁", "x₂", "x₃")
    return Sources(np.column_stack([made, NOISE]), Y, (*names, "noise")) if noise else Sources(made, Y, names)


def combine(given: Sources, lam: float) -> Combined:
    """Learn weights of the sources, and add them without weights, at one λ.

    Examples
    --------
    >>> from kernex_core.studies.lessons.combining_sources import combine, sources
    >>> made = combine(sources(), 0.5)
    >>> made.beta.round(6).tolist(), made.ridge.round(3).tolist()
    ([0.75, 0.5, 0.25], [0.938, 0.752, 0.465])
    """
    return _combined(given, square_loss_mkl(given.kernels, given.y, lam, tolerance=SHARP))


def combine_all(given: Sources) -> tuple[Combined, ...]:
    """The same for every position of the slider, from `LOW` to `HIGH`."""
    found = square_loss_path(given.kernels, given.y, LAMS[::-1], tolerance=SHARP)
    return tuple(_combined(given, each) for each in found)[::-1]


def _combined(given: Sources, learned: MklSolution) -> Combined:
    beta = given.kernels.coefficients(learned.weights, learned.dual)
    alpha = kernel_ridge(given.X @ given.X.T, given.y, learned.lam).alpha
    weights, said = learned.weights, ""
    if not beta.any():
        weights = np.full(beta.size, np.nan)
        said = "Nothing is to be learned: every coefficient is 0, and no weight is defined."
    elif twins := _equal_columns(given.X):
        first, second = (given.names[k] for k in twins)
        said = f"{first} and {second} are the same: only the sum of their weights is certain."
    return Combined(learned.lam, beta, weights, learned.objective, learned.gap, given.X.T @ alpha, said)


def _equal_columns(given: FloatArray) -> tuple[int, int] | None:
    p = given.shape[1]
    pairs = ((i, j) for i in range(p) for j in range(i + 1, p))
    return next(((i, j) for i, j in pairs if np.array_equal(given[:, i], given[:, j])), None)


def combine_on_path(lam: float) -> GraphCombined:
    """Four sources on the path 1-2-3-4: one kernel an edge, x_i x_i' + x_j x_j', beside one a source."""
    four = np.column_stack([X, FOURTH])
    members = np.zeros((4, len(PATH)))
    for e, ends in enumerate(PATH):
        members[list(ends), e] = 1.0
    edges = FeatureGroups(four, sparse.csr_array(members))
    learned = square_loss_mkl(edges, Y, lam, tolerance=SHARP)
    beta = edges.coefficients(learned.weights, learned.dual)
    lasso = combine(Sources(four, Y, ("x₁", "x₂", "x₃", "x₄")), lam).beta
    return GraphCombined(lam, beta, learned.weights, learned.objective, lasso, _pieces(beta), _pieces(lasso))


def _pieces(beta: FloatArray) -> int:
    """Connected pieces of the path that the sources with a coefficient form."""
    used: IntArray = np.flatnonzero(np.abs(beta) > DROPPED)
    A = np.zeros((4, 4))
    for i, j in PATH:
        A[i, j] = A[j, i] = 1.0
    return int(components(sparse.csr_array(A[np.ix_(used, used)])).max()) + 1 if used.size else 0


def dropped_from(given: Sources, source: int) -> float:
    """Least λ in 0.05 to 4 at which a source has no weight; infinite where it keeps one.

    Raises
    ------
    InvalidInputError
        No such source.
    """
    if not 0 <= source < given.X.shape[1]:
        raise InvalidInputError(f"A source has a number from 0 to {given.X.shape[1] - 1}", str(source))
    low, high = LOW, HIGH
    if combine(given, low).weights[source] <= DROPPED:
        return low
    if combine(given, high).weights[source] > DROPPED:
        return float("inf")
    while high - low > 1e-6:
        middle = (low + high) / 2.0
        low, high = (low, middle) if combine(given, middle).weights[source] <= DROPPED else (middle, high)
    return high


def bet_check(choice: int, lam: float = 0.2) -> Check:
    """What weight does a source of noise get? 0 small, 1 exactly 0, 2 the same as ridge gives it."""
    made = combine(sources(noise=True), lam)
    assumed = (
        " “Small” takes learning for shrinking: a lasso cuts off what explains too little of what is left.",
        "",
        " Ridge shrinks every coefficient and drops none: the two penalties differ in exactly this.",
    )[choice]
    said = (
        f"At λ = {lam:g} the noise has weight {made.weights[3]:.3g} in the learned sum, and the coefficient "
        f"{made.ridge[3]:.3f} in the plain one.{assumed}"
    ).replace("-", "−")
    return Check(choice == RIGHT, float(made.weights[3]), said)


def drop_check(given: Sources, lam: float) -> Check:
    """Whether λ is the least one that drops the second source, up to 0.02."""
    found, weight = dropped_from(given, 1), float(combine(given, lam).weights[1])
    right = abs(lam - found) <= NEAR + 1e-9
    if right:
        said = f"x₂ has weight {weight:.3f} here, and none from λ = {found:.2f} on."
    elif weight > DROPPED:
        said = f"x₂ still has weight {weight:.3f} at λ = {lam:g}."
    else:
        said = f"x₂ has no weight at λ = {lam:g}, but it had none before either: a smaller λ drops it, too."
    return Check(right, lam, said)
