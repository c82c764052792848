"""Is a row of the table of string kernels better than chance? All rows, judged again with permuted labels."""

from __future__ import annotations

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.kernels.computing import similarities_in_pieces
from kernex_core.kernels.sequences.substitution import SubstitutionMatrix
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.permutations import PERMUTATIONS, Permuted
from kernex_core.pieces import Pieces, finished, part
from kernex_core.studies.against_chance import MATRICES, permuting_rows
from kernex_core.studies.sequences.grid import StringTableConfig, string_kernel_grid
from kernex_core.studies.sequences.rows import name_of_row
from kernex_core.studies.sequences.table import judged_matrix


def string_table_chance(
    config: StringTableConfig,
    sequences: Sequences,
    labels: Labels,
    validation: CrossValidation,
    matrix: str | SubstitutionMatrix | None,
    names: tuple[str, ...],
    *,
    measure: str = "one_vs_rest",
    permutations: int = PERMUTATIONS,
) -> Permuted:
    """Rows of the table beside the same with permuted labels; the best row of each permutation counts.

    Parameters
    ----------
    config, sequences, labels, validation, matrix
        See `string_table`.
    names : tuple of str
        Of the rows that were judged (`StringTable.by_name`).
    measure : {"multi_class", "one_vs_rest", "balanced", "matthews", "auc"}
    permutations : int
    """
    return finished(
        permuting_string_table(
            config, sequences, labels, validation, matrix, names, measure=measure, permutations=permutations
        )
    )


def permuting_string_table(
    config: StringTableConfig,
    sequences: Sequences,
    labels: Labels,
    validation: CrossValidation,
    matrix: str | SubstitutionMatrix | None,
    names: tuple[str, ...],
    *,
    measure: str = "one_vs_rest",
    permutations: int = PERMUTATIONS,
) -> Pieces[Permuted]:
    """`string_table_chance` in pieces: every kernel computed once more, then a kernel of a permutation a piece."""
    grid = string_kernel_grid(config, sequences.alphabet, matrix)
    kernels: dict[str, GramMatrix] = {}
    for place, candidate in enumerate(grid):
        rows = {name_of_row(candidate, power): power for power in config.powers}
        if not rows.keys() & set(names):
            continue
        begun, ended = (MATRICES * at / len(grid) for at in (place, place + 1))
        K = yield from part(similarities_in_pieces(candidate.kernel, sequences), begun, ended)
        for name, power in rows.items():
            if name in names:
                kernels[name], _ = judged_matrix(K, power, candidate.kernel.positive_semidefinite)
    return (
        yield from permuting_rows(
            kernels, sequences, labels, validation, measure=measure, permutations=permutations
        )
    )
