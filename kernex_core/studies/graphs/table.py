"""Study: every graph kernel in one table, all on the same folds.

It is read piece by piece, so that a page can show what is done, stop, and go on where it was.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from kernex_core.errors import InvalidInputError, KernexError
from kernex_core.frozen import EqualByContent
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.gram.split import cut_blocks
from kernex_core.inputs.graphs.equal import equal_items
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.samples import Labels
from kernex_core.kernels.computing import similarities_in_pieces
from kernex_core.learning.chance.nested_choice import NestedChoice, choice_among
from kernex_core.learning.chance.tried import same_in_all, tried_in_folds
from kernex_core.learning.evaluate import judge_in_pieces
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.machine import UNSCALED
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.learning.svm import TOLERANCE
from kernex_core.pieces import told
from kernex_core.studies.graphs.grid import Candidate, GraphTableConfig, graph_kernel_grid
from kernex_core.studies.graphs.rows import GraphTable, GraphTableRow


@dataclass(frozen=True, eq=False)
class _Task(EqualByContent):
    """What all kernels of the table share."""

    config: GraphTableConfig
    graphs: GraphSet
    labels: Labels
    validation: CrossValidation
    how: Judging


def graph_table(
    config: GraphTableConfig,
    graphs: GraphSet,
    labels: Labels,
    validation: CrossValidation,
    done: GraphTable | None = None,
) -> Iterator[GraphTable]:
    """Judge every kernel of the grid: cosine normalisation and a C-SVM, all on the same folds.

    A state comes several times a second; leaving the iterator stops the threads within a piece of work.

    Parameters
    ----------
    config : GraphTableConfig
    graphs : GraphSet
    labels : Labels
        Of the same items; "" = in no fold.
    validation : CrossValidation
        C is in units of the normalised self-similarity, 1.
    done : GraphTable, optional
        Of the same arguments: its rows are not judged again.

    Raises
    ------
    InvalidInputError
        Fewer than two classes, or labels of other items.
    """
    if labels.ids != graphs.ids:
        raise InvalidInputError(
            "Labels and graphs have to be about the same items in the same order",
            f"{len(labels.ids)} labels and {graphs.n} graphs",
            "Align them by their ids: align(...)",
        )
    began, before = time.perf_counter(), 0.0 if done is None else done.seconds
    # kernels are computed one after another, so that copies are what is equal in the data
    how = Judging.of(labels, Protocol(validation, UNSCALED), equal=equal_items(graphs))
    task = _Task(config, graphs, labels, validation, how)
    grid = graph_kernel_grid(config)
    total = len(grid) + config.nested
    known = {} if done is None else {row.candidate: row for row in done.rows}
    state = GraphTable((), {} if done is None else done.refused, "", 0, total, before)
    for place, candidate in enumerate(grid):
        if candidate in known:
            state = replace(state, rows=(*state.rows, known[candidate]))
        elif candidate.title not in state.refused:
            for part in _one_kernel(state, candidate, task):
                state = replace(part, seconds=before + time.perf_counter() - began)
                yield state
        state = replace(state, done=place + 1)
    if config.nested:
        yield replace(state, now="the choice among all rows")
    yield replace(
        state,
        now="",
        done=total,
        seconds=before + time.perf_counter() - began,
        choice=_choice(state, how) if config.nested else None,
    )


def _choice(state: GraphTable, how: Judging) -> NestedChoice | None:
    tried = {row.candidate.title: row.tried for row in state.rows if row.tried is not None}
    if len(tried) < 2:
        return None
    return choice_among(tuple(tried), list(tried.values()), how, "multi_class", len(tried), state.seconds)


def _one_kernel(state: GraphTable, candidate: Candidate, task: _Task) -> Iterator[GraphTable]:
    """States while one kernel is computed and judged; what is refused is told in the last one."""
    title = candidate.title
    try:
        _refuse_slow(candidate, task)
        _compile(candidate, task.graphs)
        began = time.perf_counter()
        computing = similarities_in_pieces(candidate.kernel, task.graphs)
        K = (yield from told(computing, partial(_computing, state, title))).then(CosineNormalize())
        seconds = time.perf_counter() - began
        judgement = None
        for progress in judge_in_pieces(K, task.labels, task.validation, copies=task.how.copies):
            judgement = progress.judgement
            yield replace(state, now=f"{title}: judged")
        assert judgement is not None  # the last state holds every repetition
        tried = None
        if task.config.nested:
            cut = same_in_all(partial(cut_blocks, K.values))
            tried = tried_in_folds(cut, task.how, "multi_class", TOLERANCE)
        row = GraphTableRow(candidate, replace(judgement, subject=(None, None)), seconds, tried)
        yield replace(state, rows=(*state.rows, row), done=state.done + 1)
    except KernexError as error:
        yield replace(state, refused={**state.refused, title: str(error)}, done=state.done + 1)


def _compile(candidate: Candidate, graphs: GraphSet) -> None:
    """Compute two small graphs, so that no row pays for what is compiled or made once for all."""
    at = np.flatnonzero(graphs.n_edges > 0)
    small = at[np.argsort(graphs.n_nodes[at], kind="stable")[:2]].tolist()
    if small:
        with suppress(KernexError):  # what is wrong with the kernel is told of all graphs
            candidate.kernel.gram([graphs.graphs[k] for k in small])


def _computing(state: GraphTable, title: str, share: float) -> GraphTable:
    return replace(state, now=f"{title}: {100.0 * share:.0f} %")


def _refuse_slow(candidate: Candidate, task: _Task) -> None:
    seconds, slowest = candidate.kernel.estimate_seconds(task.graphs.values), task.config.slowest
    if seconds > slowest:
        raise InvalidInputError(
            f"Kernels of the table take up to {slowest:g} s by their estimate",
            f"{seconds:,.0f} s",
            "Allow more seconds",
        )
