"""Study: every graph kernel in one table, all on the same folds.

It is read piece by piece, so that a page can show what is done, stop, and go on where it was.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, NamedTuple, cast

import numpy as np

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.base.frozen import EqualByContent, ReadOnlyArrays
from kernex_core.base.parameters import check_parameters, parameter, parameters
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.gram.split import cut_blocks
from kernex_core.inputs.graphs.graph_set import GraphSet, equal_items
from kernex_core.inputs.samples import Labels
from kernex_core.kernels.base import similarities_in_steps
from kernex_core.kernels.catalogue import kernels_for
from kernex_core.kernels.graphs.graph_kernel import GraphKernel
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

# Kernels that the table of all graph kernels tries: each as it is, then with other values of what is a small number.

TRIED: Final[dict[str, tuple[tuple[str, float | bool], ...]]] = {
    "WalkOfOrder": (("n", 1), ("n", 2), ("n", 5)),
    "RandomWalk": (("stop", 0.3),),
    "ShortestPath": (("width", 2),),
    "Graphlet": (("k", 4), ("vertex_labels", True)),
    "WeisfeilerLehman": (("iterations", 0), ("iterations", 1), ("iterations", 2), ("iterations", 5)),
    "TreePattern": (("height", 2),),
}
"""Other values of one parameter, by kernel; 0 iterations count labels of vertices alone, the plainest thing there is."""
GREEK: Final = {r"\beta": "β", r"\lambda": "λ"}
UNTOLD: Final = ("seed",)
"""Parameters that are told only where they are not as the kernel starts."""
PLAIN: Final = "WeisfeilerLehman"
"""Kernel whose 0 iterations are the baseline."""


@dataclass(frozen=True)
class GraphTableConfig:
    """What is tried."""

    more: bool = parameter(
        True, label="Other parameters", help="Also some other values of the number of steps, edges or iterations of each "
        "kernel; without them every kernel is tried as the page starts with it.",
    )  # fmt: skip
    nested: bool = parameter(
        True, label="Judge the choice", help="The best of many rows is too optimistic: let every training fold choose its "
        "row by five folds of its own, and judge that.",
    )  # fmt: skip
    slowest: float = parameter(
        60.0, label="Longest", unit="s", help="Kernels that would take longer by their estimate are left out, and told.",
        low=1.0, high=36000.0, logarithmic=True,
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_parameters(self)


class Candidate(NamedTuple):
    """A kernel of the table.

    Attributes
    ----------
    kernel : GraphKernel
    setting : str
        Its parameters, as the table writes them.
    fixed : bool
        Whether it stands as it was before anything was judged: those are compared with each other.
    """

    kernel: GraphKernel
    setting: str
    fixed: bool

    @property
    def title(self) -> str:
        """Kernel and parameters."""
        name = type(self.kernel).title
        return f"{name}, {self.setting}" if self.setting else name


def graph_kernel_grid(config: GraphTableConfig) -> tuple[Candidate, ...]:
    """Kernels of the table: every one of the catalogue as it starts, and with `config.more` other values beside it.

    Counts of labels, Weisfeiler-Lehman with 0 iterations, are always there as the baseline.
    """
    made: list[Candidate] = []
    for kind in cast("tuple[type[GraphKernel], ...]", kernels_for("graphs")):
        start = kind.suggested()
        made.append(Candidate(start, _setting(start), True))
        for name, value in TRIED.get(kind.__name__, ()):
            baseline = kind.__name__ == PLAIN and value == 0
            if baseline or config.more:
                other = replace(start, **{name: value})
                made.append(Candidate(other, _setting(other), baseline))
    return tuple(made)


def _setting(kernel: GraphKernel) -> str:
    """Numbers of a kernel by their symbols, and switches that are not as it starts; what data set is left out."""
    start, found = type(kernel).suggested(), []
    for name, described in parameters(kernel).items():
        value, symbol = getattr(kernel, name), described.symbol
        if value is None and described.auto and not described.hidden:
            found.append(f"{GREEK.get(symbol, symbol if symbol.isalpha() else name)} = {described.auto}")
            continue
        if value is None or described.hidden or (name in UNTOLD and value == getattr(start, name)):
            continue
        if isinstance(value, bool):
            if value != getattr(start, name):
                found.append(f"{'with' if value else 'without'} {(described.label or name).lower()}")
            continue
        if isinstance(value, str):
            found.append(value)
        else:
            found.append(f"{GREEK.get(symbol, symbol if symbol.isalpha() else name)} = {value:g}")
    return ", ".join(found)


# The table of every graph kernel: its rows, how they are written to a file, and whether one kernel wins.


@dataclass(frozen=True, eq=False)
class GraphTableRow(ReadOnlyArrays):
    """One kernel judged, cosine-normalised.

    Attributes
    ----------
    candidate : Candidate
    judgement : Judgement
    gram_seconds : float
        That the matrix took in this run, without what is compiled once.
    tried : Tried, optional
        The kernel in every fold and inside its training items, where the choice is judged.
    """

    candidate: Candidate
    judgement: Judgement
    gram_seconds: float = field(compare=False)
    tried: Tried | None = None


@dataclass(frozen=True, eq=False)
class GraphTable(ReadOnlyArrays):
    """Rows that are done.

    Attributes
    ----------
    rows : tuple of GraphTableRow
    refused : dict of str to str
        Kernels that cannot be computed or judged here, with the reason.
    now : str
        What is being done.
    done, total : int
        Kernels, and the choice among them where it is judged.
    seconds : float
    choice : NestedChoice, optional
        By multi-class accuracy among all rows, once all are done.
    """

    rows: tuple[GraphTableRow, ...]
    refused: dict[str, str]
    now: str
    done: int
    total: int
    seconds: float = field(compare=False)
    choice: NestedChoice | None = None

    @property
    def best(self) -> GraphTableRow | None:
        """Row of the highest accuracy. The best of many rows is optimistic: it was chosen on the folds."""
        return max(self.rows, key=lambda row: row.judgement.multi_class.mean, default=None)

    def table(self) -> list[dict[str, object]]:
        """Return the rows as they are written to a file; accuracies and floors from 0 to 1."""
        return [_written(row) for row in self.rows]

    def verdict(self) -> Verdict | None:
        """Which row is best, and who is told apart from it: all rows are candidates; None of fewer than two."""
        return None if len(self.rows) < 2 else judged_verdict(self.by_name)

    @property
    def by_name(self) -> dict[str, Judgement]:
        """Judgements by kernel and parameters, as a sentence names them."""
        return {row.candidate.title: row.judgement for row in self.rows}


def _written(row: GraphTableRow) -> dict[str, object]:
    """Values of one row; `_from` and `_to` are the ends of an interval over items."""
    made = row.judgement
    return {
        "kernel": type(row.candidate.kernel).title,
        "parameters": row.candidate.setting,
        "fixed": row.candidate.fixed,
        "multi_class": made.multi_class.mean,
        **written_ends(made, "multi_class"),
        "multi_class_sd_repetitions": made.multi_class.sd_repeats,
        "multi_class_sd_folds": made.multi_class.sd_folds,
        "majority_floor": made.multi_class.floor,
        "balanced": made.balanced.mean,
        **written_ends(made, "balanced"),
        "one_vs_rest": made.one_vs_rest.mean,
        **written_ends(made, "one_vs_rest"),
        **written_protocol(made, row.gram_seconds),
    }


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

    A state comes several times a second; leaving the iterator stops the threads within a task.

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
        computing = similarities_in_steps(candidate.kernel, task.graphs)
        K = (yield from with_states(computing, partial(_computing, state, title))).then(CosineNormalize())
        seconds = time.perf_counter() - began
        judgement = None
        for progress in judge_in_steps(K, task.labels, task.validation, copies=task.how.copies):
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


# Is a row of the table of graph kernels better than chance? All rows, judged again with permuted labels.


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
) -> Steps[Permuted]:
    """`graph_table_chance` in steps: every kernel computed once more, then a kernel of a permutation a step."""
    grid = [candidate for candidate in graph_kernel_grid(config) if candidate.title in names]
    kernels: dict[str, GramMatrix] = {}
    for place, candidate in enumerate(grid):
        begun, ended = (MATRICES * at / len(grid) for at in (place, place + 1))
        K = yield from part(similarities_in_steps(candidate.kernel, graphs), begun, ended)
        kernels[candidate.title] = K.then(CosineNormalize())
    return (
        yield from permuting_rows(
            kernels, graphs, labels, validation, measure=measure, permutations=permutations
        )
    )
