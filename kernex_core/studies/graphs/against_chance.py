"""Is a row of the table of graph kernels better than chance? All rows, judged again with permuted labels."""

from __future__ import annotations

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.samples import Labels
from kernex_core.kernels.computing import similarities_in_pieces
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.permutations import PERMUTATIONS, Permuted
from kernex_core.pieces import Pieces, finished, part
from kernex_core.studies.against_chance import MATRICES, permuting_rows
from kernex_core.studies.graphs.grid import GraphTableConfig, graph_kernel_grid


def graph_table_chance(
    config: GraphTableConfig,
    graphs: GraphSet,
    labels: Labels,
    validation: CrossValidation,
    names: tuple[str, ...],
    *,
    measure: str = "multi_class",
    permutations: int = PERMUTATIONS,
) -> Permuted:
    """Rows of the table beside the same with permuted labels; the best row of each permutation counts.

    Parameters
    ----------
    config, graphs, labels, validation
        See `graph_table`.
    names : tuple of str
        Of the rows that were judged (`GraphTable.by_name`).
    measure : {"multi_class", "one_vs_rest", "balanced", "matthews", "auc"}
    permutations : int
    """
    return finished(
        permuting_graph_table(
            config, graphs, labels, validation, names, measure=measure, permutations=permutations
        )
    )


def permuting_graph_table(
    config: GraphTableConfig,
    graphs: GraphSet,
    labels: Labels,
    validation: CrossValidation,
    names: tuple[str, ...],
    *,
    measure: str = "multi_class",
    permutations: int = PERMUTATIONS,
) -> Pieces[Permuted]:
    """`graph_table_chance` in pieces: every kernel computed once more, then a kernel of a permutation a piece."""
    grid = [candidate for candidate in graph_kernel_grid(config) if candidate.title in names]
    kernels: dict[str, GramMatrix] = {}
    for place, candidate in enumerate(grid):
        begun, ended = (MATRICES * at / len(grid) for at in (place, place + 1))
        K = yield from part(similarities_in_pieces(candidate.kernel, graphs), begun, ended)
        kernels[candidate.title] = K.then(CosineNormalize())
    return (
        yield from permuting_rows(
            kernels, graphs, labels, validation, measure=measure, permutations=permutations
        )
    )
