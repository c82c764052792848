"""Study: every string kernel over a grid of its parameters, with and without a power of its entries, in one table.

One choice of folds serves all rows. The study is read piece by piece, so that a page can show what is done, and stop.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.base.frozen import ReadOnlyArrays
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.conditioning.power import SignedPower
from kernex_core.conditioning.repairs import Clip
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.gram.split import cut_blocks
from kernex_core.inputs.graphs.graph_set import equal_items
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.kernels.base import AnyKernel, similarities_in_steps
from kernex_core.kernels.sequences.local_alignment import LocalAlignment
from kernex_core.kernels.sequences.mismatch import Mismatch
from kernex_core.kernels.sequences.smith_waterman import SmithWaterman
from kernex_core.kernels.sequences.spectrum import Spectrum, SpectrumSum
from kernex_core.kernels.sequences.string_kernel import MATRIX_OF
from kernex_core.kernels.sequences.subsequence import Subsequence
from kernex_core.kernels.sequences.substitution import SubstitutionMatrix
from kernex_core.learning.chance.tried import NestedChoice, Tried, choice_among, same_in_all, tried_in_folds
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.compare import judged_verdict, written_ends, written_protocol
from kernex_core.learning.evaluate import judge_in_steps
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.machine import TOLERANCE, UNSCALED
from kernex_core.learning.permutations import PERMUTATIONS, Permuted
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.runtime.progress import Steps, finished, part, with_states
from kernex_core.studies.against_chance import MATRICES, permuting_rows

# Kernels that the table of all string kernels tries: the grid of each family, cheap ones first.

"""Substitution matrix that stands for "by the kind of letters"."""


@dataclass(frozen=True)
class StringTableConfig:
    """What is tried: the grid of each family, and what is done to a matrix before it is judged."""

    longest: int = parameter(
        6, label="Longest k-mer", symbol="k", help="Spectrum kernels are tried for every k up to this one.",
        low=1, high=12, step=1,
    )  # fmt: skip
    alignments: bool = parameter(
        True, label="Alignments", help="Also Smith-Waterman and local alignment, by far the dearest rows for long "
        "sequences. They need a substitution matrix, which plain text has not.",
    )  # fmt: skip
    power: float = parameter(
        0.3, label="Power", symbol="p", help="Every kernel is judged as it is, and with sgn(x) |x|^p of each normalised "
        "entry, which shrinks a large diagonal; 1 leaves the second half of the rows out.",
        low=0.0, high=1.0, open_low=True, step=0.05,
    )  # fmt: skip
    gap_open: int = parameter(
        11,
        label="Gap open",
        help="Cost of the first letter of a gap in an alignment.",
        low=0,
        high=1000,
        step=1,
    )
    gap_extend: int = parameter(
        1, label="Gap extend", help="Cost of each further letter of a gap.", low=0, high=1000, step=1
    )

    nested: bool = parameter(
        False, label="Judge the choice", help="The best of many rows is too optimistic: let every training fold "
        "choose its row by "
        "five folds of its own, and judge that. Takes about half a second more a row for 300 sequences.",
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def powers(self) -> tuple[float, ...]:
        """Powers that every kernel is judged with."""
        return (1.0,) if self.power == 1.0 else (1.0, self.power)


class Candidate(NamedTuple):
    """A kernel of the grid, and how the table writes its parameters."""

    kernel: AnyKernel
    setting: str

    @property
    def title(self) -> str:
        """Kernel and parameters."""
        return f"{type(self.kernel).title}, {self.setting}"


def string_kernel_grid(
    config: StringTableConfig, alphabet: str, matrix: str | SubstitutionMatrix | None = None
) -> tuple[Candidate, ...]:
    """Kernels of the table, cheap ones first.

    Parameters
    ----------
    config : StringTableConfig
    alphabet : {"protein", "dna", "structure", "text"}
        Kind of letters; a mismatch kernel needs a fixed alphabet and is left out for text.
    matrix : str or SubstitutionMatrix, optional
        Of the alignments; by default NUC.4.4, BLOSUM62 or 3DI by the kind of letters, none for text.
    """
    letters = {"dna": "dna", "protein": "protein", "structure": "protein"}.get(alphabet)
    lengths = range(1, config.longest + 1)
    made = [Candidate(Spectrum(k=k, alphabet=letters), f"k = {k}") for k in lengths]
    made += [Candidate(SpectrumSum(k=k, alphabet=letters), f"k = 1 to {k}") for k in lengths[1:]]
    if letters is not None:
        tried = ((3, 1), (4, 1), (5, 1), (6, 1), (5, 2), (6, 2))
        made += [Candidate(Mismatch(k=k, m=m, alphabet=letters), f"k = {k}, m = {m}") for k, m in tried]
    made += [
        Candidate(Subsequence(length=length, decay=decay, alphabet=letters), f"l = {length}, λ = {decay:g}")
        for length in (2, 3, 4, 5)
        for decay in (0.25, 0.5, 0.8)
    ]
    S = matrix if matrix is not None else MATRIX_OF.get(alphabet)
    if config.alignments and S is not None:
        made += _alignments(config, S)
    return tuple(made)


def _alignments(config: StringTableConfig, S: str | SubstitutionMatrix) -> list[Candidate]:
    opening, extending = config.gap_open, config.gap_extend
    said = f"{S if isinstance(S, str) else S.name} {opening}/{extending}"
    made = [Candidate(SmithWaterman(opening, extending, S), said)]
    for beta in (0.05, 0.1, 0.2, 0.5, 1.0):
        kernel = LocalAlignment(beta, opening, extending, S, log=True)
        made.append(Candidate(kernel, f"log K / β, β = {beta:g}, {said}"))
    return made


# The table of every string kernel: its rows, and how they are written to a file.


@dataclass(frozen=True, eq=False)
class StringTableRow(ReadOnlyArrays):
    """One kernel judged.

    Attributes
    ----------
    candidate : Candidate
    power : float
        Of every entry before the repair; 1 = none.
    repaired : bool
        Whether negative eigenvalues were cut.
    judgement : Judgement
    gram_seconds : float
        That the matrix took; both powers share it.
    tried : Tried, optional
        The kernel in every fold and inside its training items, where the choice is judged.
    """

    candidate: Candidate
    power: float
    repaired: bool
    judgement: Judgement
    gram_seconds: float = field(compare=False)
    tried: Tried | None = None


@dataclass(frozen=True, eq=False)
class StringTable(ReadOnlyArrays):
    """Rows that are done.

    Attributes
    ----------
    rows : tuple of StringTableRow
    refused : dict of str to str
        Kernels that cannot be computed or judged here, with the reason.
    now : str
        What is being done.
    done, total : int
        Kernels times powers.
    seconds : float
    choice : NestedChoice, optional
        By one-vs-rest accuracy among all rows, once all are done.
    """

    rows: tuple[StringTableRow, ...]
    refused: dict[str, str]
    now: str
    done: int
    total: int
    seconds: float = field(compare=False)
    choice: NestedChoice | None = None

    @property
    def best(self) -> StringTableRow | None:
        """Row of the highest one-vs-rest accuracy. The best of many rows is optimistic: it was chosen on the folds."""
        return max(self.rows, key=lambda row: row.judgement.one_vs_rest.mean, default=None)

    def verdict(self, measure: str = "one_vs_rest") -> Verdict | None:
        """Which row is best, and who is told apart from it: all rows are candidates; None before all are done."""
        if self.done < self.total or len(self.rows) < 2:
            return None
        return judged_verdict(self.by_name, measure)

    @property
    def by_name(self) -> dict[str, Judgement]:
        """Judgements by kernel and power, as a sentence names them."""
        return {named_row(row): row.judgement for row in self.rows}

    def table(self) -> list[dict[str, object]]:
        """Return the rows as they are written to a file; accuracies and floors from 0 to 1."""
        return [_written(row) for row in self.rows]


def named_row(row: StringTableRow) -> str:
    """Kernel, parameters and power, as a sentence names a row."""
    return name_of_row(row.candidate, row.power)


def name_of_row(candidate: Candidate, power: float) -> str:
    """The same before the row is judged."""
    return f"{candidate.title}, power {power:g}"


def _written(row: StringTableRow) -> dict[str, object]:
    """Values of one row; `_from` and `_to` are the ends of an interval over items."""
    made = row.judgement
    return {
        "kernel": type(row.candidate.kernel).title,
        "parameters": row.candidate.setting,
        "power": row.power,
        "repair": "clip" if row.repaired else "none",
        "one_vs_rest": made.one_vs_rest.mean,
        **written_ends(made, "one_vs_rest"),
        "one_vs_rest_sd_repetitions": made.one_vs_rest.sd_repeats,
        "one_vs_rest_sd_folds": made.one_vs_rest.sd_folds,
        "all_negative_floor": 1.0 - 1.0 / len(made.classes),
        "multi_class": made.multi_class.mean,
        **written_ends(made, "multi_class"),
        "multi_class_sd_repetitions": made.multi_class.sd_repeats,
        "majority_floor": made.multi_class.floor,
        "balanced": made.balanced.mean,
        **written_ends(made, "balanced"),
        **written_protocol(made, row.gram_seconds),
    }


def string_table(
    config: StringTableConfig,
    sequences: Sequences,
    labels: Labels,
    validation: CrossValidation,
    matrix: str | SubstitutionMatrix | None = None,
) -> Iterator[StringTable]:
    """Judge every kernel of the grid: cosine normalisation, power, clip where needed, C-SVM; all on the same folds.

    A state comes about every quarter of a second; leaving the iterator stops the threads within a task.

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
        for found in _one_kernel(state, candidate, config, sequences, (labels, validation, how)):
            state = replace(found, seconds=time.perf_counter() - started)
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
        computing = similarities_in_steps(candidate.kernel, sequences)
        K = yield from with_states(computing, partial(_computing, state, candidate))
        seconds = time.perf_counter() - began
        for power in config.powers:
            prepared, repaired = judged_matrix(K, power, candidate.kernel.positive_semidefinite)
            judgement: Judgement | None = None
            for progress in judge_in_steps(prepared, labels, validation, copies=how.copies):
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


# Is a row of the table of string kernels better than chance? All rows, judged again with permuted labels.


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
) -> Steps[Permuted]:
    """`string_table_chance` in steps: every kernel computed once more, then a kernel of a permutation a step."""
    grid = string_kernel_grid(config, sequences.alphabet, matrix)
    kernels: dict[str, GramMatrix] = {}
    for place, candidate in enumerate(grid):
        rows = {name_of_row(candidate, power): power for power in config.powers}
        if not rows.keys() & set(names):
            continue
        begun, ended = (MATRICES * at / len(grid) for at in (place, place + 1))
        K = yield from part(similarities_in_steps(candidate.kernel, sequences), begun, ended)
        for name, power in rows.items():
            if name in names:
                kernels[name], _ = judged_matrix(K, power, candidate.kernel.positive_semidefinite)
    return (
        yield from permuting_rows(
            kernels, sequences, labels, validation, measure=measure, permutations=permutations
        )
    )
