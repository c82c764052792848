"""The kernel of a map, to be kept and judged on other pages."""

from __future__ import annotations

import numpy as np

from kernex_core.extrapolation.affine_weights import check_neighbours, weighing
from kernex_core.extrapolation.lle_map import lle_gram
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call
from kernex_core.gram.seen import ITEMS
from kernex_core.inputs.samples import Vectors
from kernex_core.pieces import finished
from kernex_core.studies.map.points import points_in_pieces


def map_kernel(source: Vectors | GramMatrix, n_neighbors: int = 8, *, normalize: bool = False) -> GramMatrix:
    """The kernel of locally linear embedding of all items, with ids and recipe.

    It is made of all items at once: accuracies of it are transductive.

    Raises
    ------
    InvalidInputError
        As `prepare_map`.

    Examples
    --------
    >>> from kernex_core import load_dataset, map_kernel
    >>> map_kernel(load_dataset("swiss_roll").samples["points"]).name
    'LLE k=8'
    """
    cloud = finished(points_in_pieces(source, normalize=normalize)).cloud
    k = check_neighbours(n_neighbors, cloud.n)
    name = f"LLE k={k}"
    recipe = call("lle", "map_kernel", source, k, normalize=normalize) if source.recipe else None
    items = np.arange(cloud.n)
    seen = source.has_seen() if isinstance(source, GramMatrix) else ITEMS
    weights = finished(weighing(cloud, items, items, k))
    return GramMatrix(lle_gram(weights), source.ids, name, recipe, ITEMS | seen)
