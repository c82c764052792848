"""Study: every string kernel over a grid of its parameters, with and without a power of its entries, in one table.

One choice of folds serves all rows. The study is read piece by piece, so that a page can show what is done, and stop.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from kernex_core.conditioning.clip import Clip
from kernex_core.conditioning.power import SignedPower
from kernex_core.errors import InvalidInputError, KernexError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.gram.split import cut_blocks
from kernex_core.inputs.graphs.equal import equal_items
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.kernels.computing import similarities_in_pieces
from kernex_core.kernels.sequences.substitution import SubstitutionMatrix
from kernex_core.learning.chance.nested_choice import NestedChoice, choice_among
from kernex_core.learning.chance.tried import Tried, same_in_all, tried_in_folds
from kernex_core.learning.evaluate import judge_in_pieces
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.machine import UNSCALED
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.learning.svm import TOLERANCE
from kernex_core.pieces import told
from kernex_core.studies.sequences.grid import Candidate, StringTableConfig, string_kernel_grid
from kernex_core.studies.sequences.rows import StringTable, StringTableRow


def string_table(
    config: StringTableConfig,
    sequences: Sequences,
    labels: Labels,
    validation: CrossValidation,
    matrix: str | SubstitutionMatrix | None = None,
) -> Iterator[StringTable]:
    """Judge every kernel of the grid: cosine normalisation, power, clip where needed, C-SVM; all on the same folds.

    A state comes about every quarter of a second; leaving the iterator stops the threads within a piece of work.

    Parameters
    ----------
    config : StringTableConfig
    sequences : Sequences
    labels : Labels
        Of the same items; "" = in no fold.
    validation : CrossValidation
        C is in units of the normalised self-similarity, 1.
    matrix : str or SubstitutionMatrix, optional
        See `string_kernel_grid`.

    Raises
    ------
    InvalidInputError
        Fewer than two classes, or labels of other items.
    """
    if labels.ids != sequences.ids:
        raise InvalidInputError(
            "Labels and sequences have to be about the same items in the same order",
            f"{len(labels.ids)} labels and {sequences.n} sequences",
            "Align them by their ids: align(...)",
        )
    started = time.perf_counter()
    grid = string_kernel_grid(config, sequences.alphabet, matrix)
    # kernels are computed one after another, so that copies are what is equal in the data
    how = Judging.of(labels, Protocol(validation, UNSCALED), equal=equal_items(sequences))
    state = StringTable((), {}, "", 0, len(grid) * len(config.powers), 0.0)
    for place, candidate in enumerate(grid):
        for part in _one_kernel(state, candidate, config, sequences, (labels, validation, how)):
            state = replace(part, seconds=time.perf_counter() - started)
            yield state
        state = replace(state, done=(place + 1) * len(config.powers))
    seconds = time.perf_counter() - started
    yield replace(
        state, now="", seconds=seconds, choice=_choice(state, how, seconds) if config.nested else None
    )


def _choice(state: StringTable, how: Judging, seconds: float) -> NestedChoice | None:
    tried = {f"{row.candidate.title}, power {row.power:g}": row.tried for row in state.rows if row.tried}
    if not tried:
        return None
    return choice_among(tuple(tried), list(tried.values()), how, "one_vs_rest", len(tried), seconds)


def _one_kernel(
    state: StringTable,
    candidate: Candidate,
    config: StringTableConfig,
    sequences: Sequences,
    judged: tuple[Labels, CrossValidation, Judging],
) -> Iterator[StringTable]:
    """States while one kernel is computed and judged; what is refused is told in the last one."""
    began, (labels, validation, how) = time.perf_counter(), judged
    try:
        computing = similarities_in_pieces(candidate.kernel, sequences)
        K = yield from told(computing, partial(_computing, state, candidate))
        seconds = time.perf_counter() - began
        for power in config.powers:
            prepared, repaired = judged_matrix(K, power, candidate.kernel.positive_semidefinite)
            judgement: Judgement | None = None
            for progress in judge_in_pieces(prepared, labels, validation, copies=how.copies):
                judgement = progress.judgement
                yield replace(state, now=f"{candidate.title}: judged")
            assert judgement is not None
            row = StringTableRow(
                candidate, power, repaired, replace(judgement, subject=(None, None)), seconds,
                None if how is None else _tried(prepared, how),
            )  # fmt: skip
            state = replace(state, rows=(*state.rows, row), done=state.done + 1)
            yield state
    except KernexError as error:
        yield replace(state, refused={**state.refused, candidate.title: str(error)})


def _computing(state: StringTable, candidate: Candidate, share: float) -> StringTable:
    return replace(state, now=f"{candidate.title}: {100.0 * share:.0f} %")


def _tried(K: GramMatrix, how: Judging) -> Tried:
    return tried_in_folds(same_in_all(partial(cut_blocks, K.values)), how, "one_vs_rest", TOLERANCE)


def judged_matrix(K: GramMatrix, power: float, positive_semidefinite: bool) -> tuple[GramMatrix, bool]:
    """Normalise, take the power of every entry, and cut negative eigenvalues where there can be any."""
    made = K.then(CosineNormalize())
    if power != 1.0:
        made = made.then(SignedPower(power))
    repaired = power != 1.0 or not positive_semidefinite
    return (made.then(Clip()) if repaired else made), repaired
