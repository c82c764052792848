"""The kernel of a map, to be kept and judged on other pages."""

from __future__ import annotations

from kernex_core.extrapolation.affine_weights import check_neighbours
from kernex_core.extrapolation.locally_linear import lle_kernel
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.recipe import call
from kernex_core.inputs.samples import Vectors
from kernex_core.studies.map.points import points_of


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
    points, _ = points_of(source, normalize=normalize)
    k = check_neighbours(n_neighbors, points.shape[0])
    name = f"LLE k={k}"
    imports = ("from kernex_core import map_kernel",)
    recipe = (
        call("lle", "map_kernel", source, k, normalize=normalize, imports=imports) if source.recipe else None
    )
    return GramMatrix(lle_kernel(points, k).gram, source.ids, name, recipe, set_by_items=True)
