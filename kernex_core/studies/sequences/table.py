"""Study: every string kernel over a grid of its parameters, with and without a power of its entries, in one table.

One choice of folds serves all rows. The study is read piece by piece, so that a page can show what is done, and stop.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace

from kernex_core.conditioning.clip import Clip
from kernex_core.conditioning.power import SignedPower
from kernex_core.errors import InvalidInputError, KernexError
from kernex_core.frozen import ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.kernels.sequences.substitution import SubstitutionMatrix
from kernex_core.learning.evaluate import judging
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import NAN, Judgement
from kernex_core.studies.sequences.grid import Candidate, StringTableConfig, string_kernel_grid

PIECE = 0.25
"""Seconds after which a running table says that it is still there."""


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
    """

    candidate: Candidate
    power: float
    repaired: bool
    judgement: Judgement
    gram_seconds: float


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
    """

    rows: tuple[StringTableRow, ...]
    refused: dict[str, str]
    now: str
    done: int
    total: int
    seconds: float

    @property
    def best(self) -> StringTableRow | None:
        """Row of the highest one-vs-rest accuracy. The best of many rows is optimistic: it was chosen on the folds."""
        return max(self.rows, key=lambda row: row.judgement.one_vs_rest.mean, default=None)

    def table(self) -> list[dict[str, object]]:
        """Return the rows as they are written to a file; accuracies and floors from 0 to 1."""
        return [_written(row) for row in self.rows]


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
    state = StringTable((), {}, "", 0, len(grid) * len(config.powers), 0.0)
    for place, candidate in enumerate(grid):
        for part in _one_kernel(state, candidate, config, sequences, labels, validation):
            state = replace(part, seconds=time.perf_counter() - started)
            yield state
        state = replace(state, done=(place + 1) * len(config.powers))
    yield replace(state, now="", seconds=time.perf_counter() - started)


def _one_kernel(
    state: StringTable,
    candidate: Candidate,
    config: StringTableConfig,
    sequences: Sequences,
    labels: Labels,
    validation: CrossValidation,
) -> Iterator[StringTable]:
    """States while one kernel is computed and judged; what is refused is told in the last one."""
    began = time.perf_counter()
    try:
        K = yield from _computing(state, candidate, sequences)
        seconds = time.perf_counter() - began
        for power in config.powers:
            prepared, repaired = judged_matrix(K, power, candidate.kernel.positive_semidefinite)
            judgement: Judgement | None = None
            for progress in judging(prepared, labels, validation):
                judgement = progress.judgement
                yield replace(state, now=f"{candidate.title}: judged")
            assert judgement is not None
            row = StringTableRow(
                candidate, power, repaired, replace(judgement, subject=(None, None)), seconds
            )
            state = replace(state, rows=(*state.rows, row), done=state.done + 1)
            yield state
    except KernexError as error:
        yield replace(state, refused={**state.refused, candidate.title: str(error)})


def judged_matrix(K: GramMatrix, power: float, positive_semidefinite: bool) -> tuple[GramMatrix, bool]:
    """Normalise, take the power of every entry, and cut negative eigenvalues where there can be any."""
    made = K.then(CosineNormalize())
    if power != 1.0:
        made = made.then(SignedPower(power))
    repaired = power != 1.0 or not positive_semidefinite
    return (made.then(Clip()) if repaired else made), repaired


class _Stopped(Exception):
    """Raised inside the thread that computes a matrix which nobody waits for any more."""


def _computing(
    state: StringTable, candidate: Candidate, sequences: Sequences
) -> Generator[StringTable, None, GramMatrix]:
    """Return the matrix; meanwhile say several times a second how much of it is done."""
    reached, stop = 0.0, False

    def progress(share: float) -> None:
        nonlocal reached
        if stop:
            raise _Stopped
        reached = share

    with ThreadPoolExecutor(1, thread_name_prefix="kernex-table") as pool:
        future = pool.submit(candidate.kernel.similarities, sequences, progress=progress)
        try:
            while wait([future], timeout=PIECE).not_done:
                yield replace(state, now=f"{candidate.title}: {100.0 * reached:.0f} %")
            return future.result()
        finally:
            stop = True


def _ends(made: Judgement, measure: str) -> dict[str, object]:
    interval = made.interval(measure)
    low, high = (NAN, NAN) if interval is None else (interval.low, interval.high)
    return {f"{measure}_from": low, f"{measure}_to": high}


def _written(row: StringTableRow) -> dict[str, object]:
    """Values of one row; `_from` and `_to` are the ends of an interval over items."""
    made = row.judgement
    return {
        "kernel": type(row.candidate.kernel).title,
        "parameters": row.candidate.setting,
        "power": row.power,
        "repair": "clip" if row.repaired else "none",
        "one_vs_rest": made.one_vs_rest.mean,
        **_ends(made, "one_vs_rest"),
        "one_vs_rest_sd_repetitions": made.one_vs_rest.sd_repeats,
        "one_vs_rest_sd_folds": made.one_vs_rest.sd_folds,
        "all_negative_floor": made.one_vs_rest.floor,
        "multi_class": made.multi_class.mean,
        **_ends(made, "multi_class"),
        "multi_class_sd_repetitions": made.multi_class.sd_repeats,
        "majority_floor": made.multi_class.floor,
        "balanced": made.balanced.mean,
        **_ends(made, "balanced"),
        "items": made.n_items,
        "folds": made.config.folds,
        "repetitions": made.n_repeats,
        "seed": made.config.seed,
        "C": made.config.C,
        "tag": made.mode,
        "gram_seconds": round(row.gram_seconds, 3),
        "judging_seconds": round(made.seconds, 3),
    }
