"""Kernels on vertices with mixed attributes through landmarks: joint for every λ, and the kernels that it is compared with.

Literally, on the whole population, the spaces of both kernels share at most constants and the joint kernel vanishes. With
landmarks Z and k+ = (k1 + k2) / 2 a vertex x is

    w(x) = (k+(Z, Z) + ρI)^-1 k+(Z, x),

and a Gram matrix M on the landmarks gives the kernel w(x)' M w(x'), cosine-normalised. Every kernel goes this way, with the
same landmarks, the same w and the same nugget:

    joint(λ)   M = (λ (K1 + ρI)^-1 + (1 - λ) (K2 + ρI)^-1)^-1
    Gaussian   M = K1 + ρI                linear    M = K2 + ρI
    sum        M = (K1 + K2) / 2 + ρI     product   M = K1 * K2 + ρI

so that joint(1) is the Gaussian kernel and joint(0) the linear one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_factor, cho_solve
from scipy.spatial.distance import cdist

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_choice, check_range, parameter
from kernex_core.base.validation import as_matrix, units_of_columns
from kernex_core.completion.extrapolate import check_nugget
from kernex_core.gram.combine import JointPath, path_of
from kernex_core.gram.graph import Graph
from kernex_core.kernels.graphs.walks import NodeStrip
from kernex_core.kernels.vectors.distance import median_distance

# Attributes of vertices, continuous and discrete, and a kernel on each kind (Joint regularization, section 3).

NEEDED: Final = "Vertices need continuous and discrete attributes"
REMEDY: Final = "Take graphs with attributes of their vertices: the demo has them, and so has ENZYMES"


@dataclass(frozen=True)
class NodeColumns:
    """Which columns of the attributes of vertices are continuous, and which are discrete.

    Attributes
    ----------
    continuous, discrete : tuple of int
        Positions, from 0; at least one of each, none in both.

    Raises
    ------
    InvalidInputError
        None of a kind, one twice, or one below 0.
    """

    continuous: tuple[int, ...] = parameter(hidden=True, help="Positions of continuous attributes.")
    discrete: tuple[int, ...] = parameter(hidden=True, help="Positions of discrete attributes.")

    def __post_init__(self) -> None:
        both = (*self.continuous, *self.discrete)
        if not self.continuous or not self.discrete:
            missing = "continuous" if not self.continuous else "discrete"
            raise InvalidInputError(NEEDED, f"no {missing} column")
        if len(set(both)) < len(both) or min(both) < 0:
            raise InvalidInputError(
                "Each column of attributes is continuous or discrete", f"columns {[at + 1 for at in both]}"
            )


@dataclass(frozen=True, eq=False)
class NodeAttributes(ReadOnlyArrays):
    """Vertices of all graphs, numbered through, with what is known of each.

    Attributes
    ----------
    continuous : (N, c) float
        As they are given.
    discrete : (N, d) float
        Rows divided by their length; 0 where nothing is set.
    """

    continuous: FloatArray
    discrete: FloatArray

    @property
    def n(self) -> int:
        """Number of vertices."""
        return int(self.continuous.shape[0])

    @property
    def unset(self) -> BoolArray:
        """(N,) vertices of which no discrete attribute is set: the linear kernel is 0 between them and any other."""
        return np.asarray(~self.discrete.any(axis=1))

    @property
    def different(self) -> IntArray:
        """First vertex of each different pair of continuous and discrete attributes, in the order of vertices."""
        rows = np.hstack([self.continuous, self.discrete])
        return np.sort(np.unique(rows, axis=0, return_index=True)[1]).astype(np.int64)

    def gaussian(self, rows: IntArray | slice, columns: IntArray | slice, sigma: float) -> FloatArray:
        """exp(-|x - x'|^2 / (2 sigma^2)) of the continuous attributes of vertices."""
        X = self.continuous / sigma
        return np.asarray(np.exp(-0.5 * cdist(X[rows], X[columns], "sqeuclidean")))

    def linear(self, rows: IntArray | slice, columns: IntArray | slice) -> FloatArray:
        """z'z' / (|z| |z'|) of the discrete attributes of vertices; 0 where nothing is set."""
        return np.asarray(self.discrete[rows] @ self.discrete[columns].T)


def attributes_of(graphs: Sequence[Graph], columns: NodeColumns) -> NodeAttributes:
    """Take the columns of all vertices.

    Raises
    ------
    InvalidInputError
        Graphs whose vertices have no attributes, or too few columns.
    """
    given = [graph.node_attributes for graph in graphs]
    rows = [X for X in given if X is not None]
    if len(rows) < len(given) or not rows:
        raise InvalidInputError(
            NEEDED,
            f"none in {len(given) - len(rows):,} of {len(given):,} graphs",
            REMEDY,
        )
    whole = np.concatenate(rows)
    last = max(*columns.continuous, *columns.discrete)
    if last >= whole.shape[1]:
        raise InvalidInputError(f"Attributes have columns 1 to {whole.shape[1]}", f"column {last + 1}")
    return NodeAttributes(whole[:, columns.continuous], unit_rows(whole[:, columns.discrete]))


def unit_rows(X: ArrayLike) -> FloatArray:
    """Rows divided by their length; a row of zeros stays one."""
    rows = as_matrix(X, "Rows")
    # first by their largest entry, so that no square leaves the range of numbers
    scaled = _divided(rows, np.abs(rows).max(axis=1, initial=0.0))
    return _divided(scaled, np.linalg.norm(scaled, axis=1))


def _divided(rows: FloatArray, by: FloatArray) -> FloatArray:
    return np.divide(rows, by[:, None], out=np.zeros_like(rows), where=by[:, None] > 0.0)


def suggested_columns(X: ArrayLike) -> NodeColumns:
    """Take columns of whole numbers from 0 on for discrete, and the others for continuous.

    Raises
    ------
    InvalidInputError
        There are no columns of either kind.
    """
    rows = as_matrix(X, "Attributes of vertices")
    counts = ((rows >= 0.0) & (rows == np.round(rows))).all(axis=0)
    return NodeColumns(tuple(np.flatnonzero(~counts).tolist()), tuple(np.flatnonzero(counts).tolist()))


def check_sigma(sigma: float) -> float:
    """Return the width of the Gaussian kernel if it is above 0."""
    return check_range("The width σ", sigma, 0.0, open_low=True)


COMBINED: Final[Mapping[str, Callable[[FloatArray, FloatArray], FloatArray]]] = {
    "Gaussian": lambda K1, K2: K1,
    "linear": lambda K1, K2: K2,
    "sum": lambda K1, K2: (K1 + K2) / 2.0,
    "product": lambda K1, K2: K1 * K2,
}
"""Kernels of two that the joint one is compared with, by name."""


@dataclass(frozen=True, eq=False)
class NodeKernels(ReadOnlyArrays):
    """Two kernels on the vertices, decomposed once on the landmarks for every λ.

    Attributes
    ----------
    attributes : NodeAttributes
    sigma, nugget : float
        Width of the Gaussian kernel, and ρ.
    Z : (n,) int
        Landmarks.
    K1, K2 : (n, n) float
        Gaussian and linear kernel on the landmarks, without the nugget.
    W : (n, N) float
        w(x) of every vertex.
    path : JointPath
        Of K1 + ρI (weighted by λ) and K2 + ρI (by 1 - λ).
    """

    attributes: NodeAttributes
    sigma: float
    nugget: float
    Z: IntArray
    K1: FloatArray
    K2: FloatArray
    W: FloatArray
    path: JointPath

    def joint(self, lam: float) -> FloatArray:
        """(N, r) features of length 1 whose products are the joint kernel at λ.

        Raises
        ------
        InvalidInputError
            Unless 0 <= λ <= 1.
        """
        return self._features(self.path.F * np.sqrt(self.path.scale(lam)))

    def combined(self, name: str) -> FloatArray:
        """(N, n) features of length 1 of a kernel of COMBINED, with the same landmarks, w and nugget."""
        check_choice("A kernel on vertices", name, tuple(COMBINED))
        M = COMBINED[name](self.K1, self.K2) + self.nugget * np.eye(self.Z.size)
        values, V = np.linalg.eigh(M)
        return self._features(V * np.sqrt(np.maximum(values, 0.0)))

    def _features(self, root: FloatArray) -> FloatArray:
        """Features of M = root root'; a vertex that w does not reach has none."""
        return unit_rows(self.W.T @ root)

    def plain_strip(self, name: str) -> NodeStrip:
        """The kernel of COMBINED as it is: on all vertices, without landmarks and nugget."""
        check_choice("A kernel on vertices", name, tuple(COMBINED))
        of = self.attributes

        def strip(first: int, end: int) -> FloatArray:
            rows, columns = slice(first, end), slice(first, None)
            return COMBINED[name](of.gaussian(rows, columns, self.sigma), of.linear(rows, columns))

        return strip


def strip_of(features: FloatArray) -> NodeStrip:
    """Similarities of vertices from features (N, r), a strip at a time."""
    return lambda first, end: np.asarray(features[first:end] @ features[first:].T)


def node_kernels(
    attributes: NodeAttributes, Z: IntArray, *, sigma: float | None = None, nugget: float = 0.1
) -> NodeKernels:
    """Describe every vertex by landmarks, and decompose both kernels on them.

    Parameters
    ----------
    attributes : NodeAttributes
    Z : (n,) int
        Different vertices.
    sigma : float, optional
        Width, in the unit of the continuous attributes; None: the median distance between two landmarks.
    nugget : float
        ρ > 0: without it the two kernels have next to nothing in common.

    Raises
    ------
    InvalidInputError
        No landmarks, a width or a nugget that is not above 0.
    """
    if Z.size == 0:
        raise InvalidInputError("At least one landmark is needed", "none")
    rho = check_nugget(nugget)
    if rho == 0.0:
        raise InvalidInputError(
            "The nugget ρ of kernels on vertices has to be above 0",
            "0",
            "Without it the spaces of both kernels share at most constants, and the joint kernel vanishes",
        )
    width = check_sigma(median_distance(attributes.continuous[Z]) if sigma is None else sigma)
    everything = slice(None)
    K1, K2 = attributes.gaussian(Z, Z, width), attributes.linear(Z, Z)
    ridge = rho * np.eye(Z.size)
    both = (attributes.gaussian(Z, everything, width) + attributes.linear(Z, everything)) / 2.0
    W = cho_solve(cho_factor((K1 + K2) / 2.0 + ridge), both)
    return NodeKernels(attributes, width, rho, Z, K1, K2, np.asarray(W), path_of(K1 + ridge, K2 + ridge))


CHOICES: Final = ("sample", "k-means++")
"""Drawn evenly among vertices with different attributes, or each far from those before it."""


def landmarks(of: NodeAttributes, number: int, choice: str, *, rng: np.random.Generator) -> IntArray:
    """Choose vertices that differ in their attributes.

    Parameters
    ----------
    of : NodeAttributes
    number : int
        At least 1; all different vertices where there are fewer.
    choice : {"sample", "k-means++"}
        Drawn without weight; or one after the other with a probability that grows with the squared distance to the
        nearest one before (Arthur and Vassilvitskii 2007), on columns divided by their standard deviation.
    rng : Generator

    Returns
    -------
    (n,) int
        In the order of vertices.
    """
    check_choice("The choice of landmarks", choice, CHOICES)
    count = int(check_range("The number of landmarks", number, 1))
    different = of.different
    if count >= different.size:
        return different
    if choice == "sample":
        return np.sort(rng.choice(different, count, replace=False))
    units = units_of_columns(of.continuous[different])
    spread = units * (of.continuous[different] / units).std(axis=0)
    scaled = of.continuous[different] / np.where(spread > 0.0, spread, 1.0)
    return np.sort(different[_far_apart(np.hstack([scaled, of.discrete[different]]), count, rng)])


def _far_apart(X: FloatArray, count: int, rng: np.random.Generator) -> IntArray:
    chosen = [int(rng.integers(X.shape[0]))]
    nearest = cdist(X, X[chosen], "sqeuclidean")[:, 0]
    while len(chosen) < count:
        chosen.append(int(rng.choice(X.shape[0], p=nearest / nearest.sum())))
        nearest = np.minimum(nearest, cdist(X, X[chosen[-1:]], "sqeuclidean")[:, 0])
    return np.array(chosen, dtype=np.int64)
