"""Is it better than chance? What Complete, Combine, Many kernels and tables of kernels judge, with permuted labels.

All that is on the picture of a page is a candidate, and the best of each permutation counts. Completions and combinations
see no labels, and are made once; weights that are learned from labels are learned again, inside every fold.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from kernex_core.conditioning.repairs import conditioned
from kernex_core.gram.combine import LIMIT
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.graphs.graph_set import GraphSet, equal_items
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.learning.cells import CellScores, scores_of
from kernex_core.learning.copies import copies_of
from kernex_core.learning.folds import CrossValidation, kept_together
from kernex_core.learning.machine import UNSCALED, code_labels
from kernex_core.learning.mkl.judging import judge_many
from kernex_core.learning.permutations import PERMUTATIONS, Permuted, permuting, permuting_for
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.runtime.executors import one_blas_thread
from kernex_core.runtime.progress import Steps, finished, part
from kernex_core.studies.combination import LAMS, Combination, jobs_of, judged_values, names_of
from kernex_core.studies.completion.candidates import OTHER_JOINT, contestants
from kernex_core.studies.completion.share_sweep import cell_of, joint_matrix, judges_without_lam, sweep_size
from kernex_core.studies.completion.share_sweep import finished as as_judged
from kernex_core.studies.completion.study import Completion, CompletionConfig, prepare
from kernex_core.studies.many_kernels import ManyConfig, ways_together

Scorer = Callable[[Judging], CellScores]
"""Judges one candidate on the folds of a repetition."""
MATRICES = 0.2
"""Share of the work that the kernels of a table are taken for: the table keeps none of them."""


def completion_chance(
    completion: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    lam: float,
    *,
    measure: str = "multi_class",
    permutations: int = PERMUTATIONS,
) -> Permuted:
    """Everything that the page Complete judges at λ, beside the same with permuted labels.

    Parameters
    ----------
    completion : CompletionConfig
    source : GramMatrix
        Conditioned (`prepare_source`), by the name that it has in the verdict.
    target : GramMatrix
        Raw.
    labels : Labels
    validation : CrossValidation
    lam : float
    measure : {"multi_class", "one_vs_rest"}
    permutations : int

    Raises
    ------
    InvalidInputError
        See `sweeping`.
    """
    return finished(
        permuting_completion(
            completion, source, target, labels, validation, lam,
            measure=measure, permutations=permutations,
        )
    )  # fmt: skip


def permuting_completion(
    completion: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    lam: float,
    *,
    measure: str = "multi_class",
    permutations: int = PERMUTATIONS,
) -> Steps[Permuted]:
    """`completion_chance` in steps: completions first, one for every repetition, then a candidate a step."""
    yield 0.0
    whole = conditioned(completion, target)
    _, repeats = sweep_size(source.n, validation)
    how = Judging.of(
        labels, Protocol(replace(validation, repeats=repeats), UNSCALED), kernels=(source, whole)
    )
    made: list[dict[str, Scorer]] = []
    for repetition, own in enumerate(how.repetitions):
        # as uploaded nothing is drawn: every repetition has the same
        if made and completion.share is None:
            made.append(made[0])
        else:
            one = prepare(completion, source, target, repetition=repetition, whole=whole)
            made.append(_completed(one, repetition, own, lam))
        yield 0.0
    candidates = {
        each.name: tuple(one[each.role] for one in made)
        for each in contestants(completion, source.name)
        if each.role in made[0]
    }
    return (yield from _permuting(candidates, how, labels, measure, permutations))


def _completed(made: Completion, repetition: int, how: Judging, lam: float) -> dict[str, Scorer]:
    """Judges of everything of one completion, by role."""
    cell = cell_of(made, made.config.share, repetition, how, {})
    found: dict[str, Scorer] = {"joint": partial(scores_of, joint_matrix(cell, lam))}
    residual = not made.config.residual
    if not residual or (cell.unspanned is not None and lam >= LIMIT):
        found[OTHER_JOINT] = partial(scores_of, joint_matrix(cell, lam, residual=residual))
    found |= judges_without_lam(made)
    return {**found, "source": partial(scores_of, as_judged(made.config, made.source.values))}


def combination_chance(
    made: Combination,
    labels: Labels,
    validation: CrossValidation,
    *,
    first: str = "first",
    second: str = "second",
    measure: str = "multi_class",
    permutations: int = PERMUTATIONS,
) -> Permuted:
    """Every combination of the page Combine and both kernels alone, beside the same with permuted labels.

    Parameters
    ----------
    made : Combination
    labels : Labels
    validation : CrossValidation
    first, second : str
        Names of both kernels.
    measure : {"multi_class", "one_vs_rest"}
    permutations : int

    Raises
    ------
    InvalidInputError
        See `combining`.
    """
    return finished(
        permuting_combination(
            made, labels, validation, first=first, second=second, measure=measure, permutations=permutations
        )
    )


def permuting_combination(
    made: Combination,
    labels: Labels,
    validation: CrossValidation,
    *,
    first: str = "first",
    second: str = "second",
    measure: str = "multi_class",
    permutations: int = PERMUTATIONS,
) -> Steps[Permuted]:
    """`combination_chance` in steps of one candidate."""
    how = Judging.of(labels, Protocol(validation, UNSCALED), kernels=(made.first, made.second))
    many = len(how.repetitions)
    candidates = {
        name: (_combined(made, kind, lam),) * many
        for (kind, lam), name in names_of(jobs_of(LAMS), first, second).items()
    }
    return _permuting(candidates, how, labels, measure, permutations)


def _combined(made: Combination, kind: str, lam: float) -> Scorer:
    # made anew each time: all of them at once would take a few dozen matrices
    return lambda how: scores_of(judged_values(made, kind, lam), how)


def _permuting(
    candidates: Mapping[str, tuple[Scorer, ...]],
    how: Judging,
    labels: Labels,
    measure: str,
    permutations: int,
) -> Steps[Permuted]:
    """Candidates that have a scorer for each repetition, on folds that keep together what `how` does."""
    copies, margin = how.copies, how.protocol.margin
    assert copies is not None  # folds were drawn by `Judging.of`

    def judge_all(y: NDArray[np.str_], config: CrossValidation) -> Iterator[float]:
        anew = Judging.keeping(Protocol(config, margin), code_labels(y), labels.groups, copies).repetitions
        for scorers in candidates.values():
            with one_blas_thread:
                found = [judged(own) for judged, own in zip(scorers, anew, strict=True)]
            yield float(np.mean([getattr(scores, measure) for scores in found]))

    return permuting_for(
        judge_all, tuple(candidates), labels.y, how.protocol.validation,
        kept=how.groups, measure=measure, permutations=permutations,
    )  # fmt: skip


def together_chance(
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    config: ManyConfig,
    hand: tuple[float, ...] = (),
    refused: Collection[str] = (),
    *,
    measure: str = "multi_class",
    permutations: int = PERMUTATIONS,
) -> Permuted:
    """Each kernel alone and all that the page Many kernels makes of them, beside the same with permuted labels.

    Weights from labels are learned from the permuted ones, inside every fold.

    Parameters
    ----------
    kernels, labels, validation, config, hand
        See `judging_together`.
    refused : collection of str
        Ways that could not be judged, and are left out.
    measure : {"multi_class", "one_vs_rest", "balanced", "matthews", "auc"}
    permutations : int

    Raises
    ------
    InvalidInputError
        See `judge_many`.
    """
    return finished(
        permuting_together(
            kernels, labels, validation, config, hand, refused, measure=measure, permutations=permutations
        )
    )


def permuting_together(
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    config: ManyConfig,
    hand: tuple[float, ...] = (),
    refused: Collection[str] = (),
    *,
    measure: str = "multi_class",
    permutations: int = PERMUTATIONS,
) -> Steps[Permuted]:
    """`together_chance` in steps of one way."""
    every = ways_together(tuple(kernels), config, hand, choose_C=validation.choose_C)
    ways = {name: way for name, way in every.items() if name not in refused}
    copies = copies_of(list(kernels.values()), labels, validation)

    def judge_all(y: NDArray[np.str_], how: CrossValidation) -> Iterator[float]:
        permuted = replace(labels, y=y, recipe=None)
        for way in ways.values():
            taken = {name: kernels[name] for name in way.names}
            made = judge_many(taken, permuted, how, way.together, copies=copies)
            yield float(getattr(made.judgement, measure).mean)

    return permuting_for(
        judge_all, tuple(ways), labels.y, validation,
        kept=kept_together(validation, labels.groups, copies.units if copies.kept else None),
        measure=measure, permutations=permutations,
    )  # fmt: skip


def permuting_rows(
    kernels: Mapping[str, GramMatrix],
    samples: GraphSet | Sequences,
    labels: Labels,
    validation: CrossValidation,
    *,
    measure: str,
    permutations: int,
) -> Steps[Permuted]:
    """Rows of a table of kernels on graphs or strings, from MATRICES on, in steps of a kernel of a permutation."""
    # the same folds as in the table: copies are what is equal in the data
    how = Judging.of(labels, Protocol(validation, UNSCALED), equal=equal_items(samples))
    work = permuting(
        kernels, labels, validation, measure=measure, permutations=permutations, copies=how.copies
    )
    return (yield from part(work, MATRICES, 1.0))
