"""Attributes of vertices, continuous and discrete, and a kernel on each kind (Joint regularization, section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.graph import Graph
from kernex_core.parameters import check_range, parameter
from kernex_core.validation import as_matrix

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
