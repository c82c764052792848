"""Measurements of nodes that can place them: those of the network, whole columns and whole rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import IntArray
from kernex_core.gram.provenance import call, part
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Vectors


def attributes_of(network: Network) -> Vectors | None:
    """Attributes of the nodes of a network, with a recipe where it has one.

    Examples
    --------
    >>> from kernex_core import load_dataset
    >>> from kernex_core.studies.networks.attributes import attributes_of
    >>> attributes_of(load_dataset("blocks").samples["network"]).X.shape
    (120, 30)
    """
    found = network.attributes
    if found is None or network.recipe is None:
        return found
    recipe = part(network.recipe, "attributes")
    return Vectors(found.ids, found.X, found.columns, found.labels, found.notes, recipe)


def columns_of(vectors: Vectors, columns: Sequence[int]) -> Vectors:
    """Vectors with some of their columns, in the order given.

    Raises
    ------
    InvalidInputError
        No column, or one that there is not.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import Vectors
    >>> from kernex_core.studies.networks.attributes import columns_of
    >>> columns_of(Vectors(("a", "b"), np.eye(2), ("x", "y")), (1,)).columns
    ('y',)
    """
    at = tuple(int(column) for column in columns)
    width = vectors.X.shape[1]
    if not at or min(at) < 0 or max(at) >= width:
        raise InvalidInputError("At least one column of the attributes is needed", f"{at} of {width}")
    names = tuple(vectors.columns[column] for column in at) if vectors.columns else ()
    recipe = None
    if vectors.recipe is not None:
        recipe = call(
            "attributes", "columns_of", vectors, at,
        )  # fmt: skip
    return Vectors(vectors.ids, vectors.X[:, list(at)], names, vectors.labels, vectors.notes, recipe)


def whole_rows(vectors: Vectors) -> IntArray:
    """(k,) positions of the items whose every entry is known.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import Vectors
    >>> from kernex_core.studies.networks.attributes import whole_rows
    >>> whole_rows(Vectors(("a", "b"), np.array([[1.0], [np.nan]]))).tolist()
    [0]
    """
    return np.flatnonzero(np.isfinite(vectors.X).all(axis=1)).astype(np.int64)


def well_known_columns(vectors: Vectors) -> tuple[int, ...]:
    """Columns that are known for at least half of the items and are not the same for all of them.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import Vectors
    >>> from kernex_core.studies.networks.attributes import well_known_columns
    >>> well_known_columns(Vectors(("a", "b", "c"), np.array([[1.0, 1.0], [2.0, np.nan], [3.0, np.nan]])))
    (0,)
    """
    known = np.isfinite(vectors.X)
    most = 2 * known.sum(axis=0) >= max(vectors.n, 1)
    low = np.where(known, vectors.X, np.inf).min(axis=0, initial=np.inf)
    high = np.where(known, vectors.X, -np.inf).max(axis=0, initial=-np.inf)
    return tuple(np.flatnonzero(most & (high > low)).tolist())
