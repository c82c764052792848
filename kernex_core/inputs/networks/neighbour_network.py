"""A network of nearest neighbours, made of vectors."""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy import sparse
from scipy.spatial.distance import cdist

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray
from kernex_core.gram.provenance import call
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.networks.network_notes import structure_notes
from kernex_core.inputs.samples import Note, Vectors
from kernex_core.magnitude import unit_of
from kernex_core.parameters import check_choice
from kernex_core.validation import MOST_ITEMS, check_item_count

_ENTRIES = 2_000_000


def neighbour_network(
    vectors: Vectors,
    n_neighbors: int = 5,
    *,
    weights: Literal["one", "gaussian"] = "one",
    mutual: bool = False,
) -> Network:
    """Join every item to its nearest neighbours by Euclidean distance.

    Parameters
    ----------
    vectors : Vectors
        Known everywhere; columns count as they are, so standardise them first if their units differ.
    n_neighbors : int
        1 to n − 1; of equally near items those that come first. Spelt as scikit-learn spells it, like `lle_kernel`'s.
    weights : {"one", "gaussian"}
        All edges alike, or exp(−d²/(2σ²)) with σ the median distance of an item to its neighbours.
    mutual : bool
        An edge only where each is among the neighbours of the other; else where one is.

    Raises
    ------
    InvalidInputError
        Unknown entries, a number of neighbours out of range.
    TooLargeError
        More than MOST_ITEMS items.

    Notes
    -----
    von Luxburg, A tutorial on spectral clustering, Statistics and Computing 17 (2007), section 2.2.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import Vectors, neighbour_network
    >>> line = Vectors(("a", "b", "c", "d"), np.array([[0.0], [1.0], [3.0], [9.0]]))
    >>> neighbour_network(line, 1).adjacency.toarray().astype(int).tolist()
    [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
    """
    check_choice("The weights", weights, ("one", "gaussian"))
    if not isinstance(vectors, Vectors) or not np.isfinite(vectors.X).all():
        raise InvalidInputError(
            "Nearest neighbours need vectors that are known everywhere",
            "unknown entries",
            "Fill them first: impute",
        )
    n = vectors.n
    check_item_count(n, MOST_ITEMS)
    if (
        isinstance(n_neighbors, bool)
        or not isinstance(n_neighbors, int | np.integer)
        or not 1 <= n_neighbors < n
    ):
        raise InvalidInputError(
            f"The number of neighbours is a whole number from 1 to {n - 1}", repr(n_neighbors)
        )
    near, distance = _nearest(vectors.X / unit_of(vectors.X), int(n_neighbors))
    sigma = float(np.median(distance)) or 1.0
    one = np.ones(distance.size)
    made = one if weights == "one" else np.exp(-0.5 * (distance.ravel() / sigma) ** 2)
    own = np.repeat(np.arange(n), int(n_neighbors))
    to = sparse.csr_array((made, (own, near.ravel())), shape=(n, n))
    B = sparse.csr_array(to.minimum(to.T) if mutual else to.maximum(to.T))
    how = "each among the nearest of the other" if mutual else "one among the nearest of the other"
    note = Note(
        f"An edge joins two items, {how}; {n_neighbors} neighbours count.",
        "",
        "Choose another number.",
        "fine",
    )
    recipe = call(
        "network",
        "neighbour_network",
        vectors,
        int(n_neighbors),
        weights=weights,
        mutual=mutual,
    )
    notes = (note, *structure_notes(B, vectors.ids))
    return Network(vectors.ids, B, vectors.labels, vectors, notes, recipe)


def _nearest(X: FloatArray, k: int) -> tuple[IntArray, FloatArray]:
    """(n, k) positions of the nearest other rows, and their distances."""
    n = X.shape[0]
    near, distance = np.empty((n, k), dtype=np.int64), np.empty((n, k))
    rows = max(1, _ENTRIES // n)
    for at in range(0, n, rows):
        d = cdist(X[at : at + rows], X)
        d[np.arange(d.shape[0]), at + np.arange(d.shape[0])] = np.inf
        found = np.argsort(d, axis=1, kind="stable")[:, :k]
        near[at : at + rows], distance[at : at + rows] = found, np.take_along_axis(d, found, axis=1)
    return near, distance
