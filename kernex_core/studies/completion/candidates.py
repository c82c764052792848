"""What the page Complete judges, each under one name: on the picture, in table and verdict, in files and scripts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np

from kernex_core.base.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays, owned
from kernex_core.completion.scattered import uncertainty
from kernex_core.completion.scattered.factors import PairModel, PairProblem, source_penalty, swept
from kernex_core.gram.split import cut_blocks
from kernex_core.learning.cells import CellScores, cell_verdict
from kernex_core.learning.chance.tried import Candidate, Measure, NestedChoice, choosing_candidate
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.machine import Cut
from kernex_core.runtime.executors import one_blas_thread
from kernex_core.runtime.progress import Steps
from kernex_core.studies.completion.pairs import CompletedScores
from kernex_core.studies.completion.share_sweep import (
    TWO_MACHINES,
    Curve,
    Sweep,
    both_joint_scores,
    curves_of,
    joint_matrix,
    joint_scores,
    other_joint_scores,
)
from kernex_core.studies.completion.study import CompletionConfig, CompletionView

# What the page Complete says at one λ, computed once: the joint kernel, and its accuracy at every share that is known.


@dataclass(frozen=True, eq=False)
class JointAccuracy(ReadOnlyArrays):
    """Accuracy of the joint kernel at one λ.

    Attributes
    ----------
    curves : tuple of (Curve, Curve)
        Multi-class and one-vs-rest, one pair a sweep.
    scores : tuple of CellScores
        Of the share that the page shows, one a repetition.
    other : tuple of CellScores
        The same of the joint kernel with the residual, or without it where the page's own keeps it; empty where there is
        none. It is judged for the share that is shown only: for all of them a move of λ would cost twice as much.
    """

    curves: tuple[tuple[Curve, Curve], ...]
    scores: tuple[CellScores, ...] = ()
    other: tuple[CellScores, ...] = ()

    @property
    def here(self) -> tuple[Curve, Curve]:
        """Those of the share that the page shows, which is the first."""
        return self.curves[0]


@dataclass(frozen=True, eq=False)
class Answer(ReadOnlyArrays):
    """Everything that a move of λ changes.

    Attributes
    ----------
    view : CompletionView
    accuracy : JointAccuracy or None
        None without classes.
    """

    view: CompletionView
    accuracy: JointAccuracy | None = None

    @property
    def lam(self) -> float:
        """The weight of the source."""
        return self.view.lam


def joint_accuracy(sweeps: Sequence[Sweep], lam: float) -> JointAccuracy:
    """Judge the joint kernel at λ once for each sweep; the share that is shown comes first.

    This is nearly all that a move of λ costs: one support vector machine a class, fold, repetition and share.
    """
    with one_blas_thread:
        scores = [tuple(joint_scores(cell, lam) for cell in sweep.cells) for sweep in sweeps]
    curves = (curves_of(sweep, made) for sweep, made in zip(sweeps, scores, strict=True))
    return JointAccuracy(tuple(curves), scores[0])


def shown_accuracy(sweep: Sweep, lam: float, K: FloatArray | None = None) -> JointAccuracy:
    """Judge both joint kernels at λ for the share that is shown.

    Parameters
    ----------
    sweep : Sweep
        Of one hidden share.
    lam : float
    K : (m, m) float, optional
        `path.kernel(lam)` of its first cell, which is the kernel that a page shows.
    """
    with one_blas_thread:
        found = [
            both_joint_scores(cell, lam, K=K if place == 0 else None)
            for place, cell in enumerate(sweep.cells)
        ]
    scores, other = [joint for joint, _ in found], [other for _, other in found if other is not None]
    return JointAccuracy((curves_of(sweep, scores),), tuple(scores), tuple(other))


def other_joint(sweep: Sweep, lam: float) -> tuple[CellScores, ...]:
    """Judge the other joint kernel of `other_joint_scores` at λ for the share that is shown; empty where there is none."""
    with one_blas_thread:
        found = [other_joint_scores(cell, lam) for cell in sweep.cells]
    return tuple(scores for scores in found if scores is not None)


def of_all(parts: Sequence[JointAccuracy], other: tuple[CellScores, ...] = ()) -> JointAccuracy:
    """Put together what was judged at the same λ for one sweep after another; the share that is shown comes first."""
    return JointAccuracy(tuple(curve for part in parts for curve in part.curves), parts[0].scores, other)


OTHER_JOINT = "other joint"
"""Role of the joint kernel with the residual, or of the one without where the page's own keeps it."""


@dataclass(frozen=True)
class Contestant:
    """One of them.

    Attributes
    ----------
    role : str
    name : str
        What it is called everywhere.
    meaning : str
        What it is, in a phrase.
    plain : bool
        It completes nothing: what a method has to beat to have earned its place.
    """

    role: str
    name: str
    meaning: str
    plain: bool = False


CONTESTANTS = (
    Contestant("joint", "joint", "WᵀJW at this λ"),
    Contestant(OTHER_JOINT, "joint with the residual", "and what the known items do not span of the source, over λ"),
    Contestant("extrapolated", "extrapolated", "WᵀTW; the joint kernel at λ → 0 is Wᵀ(T + ρI)W"),
    Contestant(
        TWO_MACHINES, TWO_MACHINES,
        "known items decided by the target, hidden ones by the source; no kernel, nothing completed",
    ),
    Contestant("nystroem", "Nyström", "the source rebuilt from the known items; the target is not used", plain=True),
    Contestant("zero-fill", "zero-fill", "unknown similarities are 0", plain=True),
    Contestant("mean-fill", "mean-fill", "unknown similarities are the mean known one, repaired", plain=True),
    Contestant("source", "source", "the source as it is; the target is not used", plain=True),
)  # fmt: skip


def contestants(config: CompletionConfig, source: str) -> tuple[Contestant, ...]:
    """Those of a configuration, the source by its own name.

    Parameters
    ----------
    config : CompletionConfig
    source : str
        Name of the source kernel.
    """
    named = {"source": f"{source} alone"}
    meant = {}
    if config.residual:
        named |= {"joint": "joint with the residual", OTHER_JOINT: "joint"}
        by_role = {each.role: each.meaning for each in CONTESTANTS}
        meant = {
            "joint": f"{by_role['joint']}, {by_role[OTHER_JOINT]}",
            OTHER_JOINT: f"{by_role['joint']}, without the residual",
        }
    return tuple(
        replace(each, name=named.get(each.role, each.name), meaning=meant.get(each.role, each.meaning))
        for each in CONTESTANTS
    )


def scores_by_role(
    sweep: Sweep, joint: Sequence[CellScores], other: Sequence[CellScores] = ()
) -> dict[str, tuple[CellScores, ...]]:
    """Scores of every contestant, one a repetition, in the order of `CONTESTANTS`; what was not judged is left out.

    Parameters
    ----------
    sweep : Sweep
        Of one hidden share.
    joint, other : sequence of CellScores
        Of the joint kernel at a λ, and of the other one.
    """
    found = {"joint": tuple(joint), OTHER_JOINT: tuple(other), "source": sweep.levels.get("source", ())}
    for cell in sweep.cells:
        for role, scores in cell.plain.items():
            found[role] = (*found.get(role, ()), scores)
    return {each.role: found[each.role] for each in CONTESTANTS if found.get(each.role)}


def verdict_of_scores(
    contestants: Sequence[Contestant],
    scores: Mapping[str, Sequence[CellScores]],
    measure: str = "multi_class",
) -> Verdict:
    """Which contestant is best, and who is told apart from it.

    Parameters
    ----------
    contestants : sequence of Contestant
        Named as on the page.
    scores : dict of str to sequence of CellScores
        By role, see `scores_by_role`.
    measure : {"multi_class", "one_vs_rest"}
    """
    judged = [each for each in contestants if each.role in scores]
    return cell_verdict(
        {each.name: scores[each.role] for each in judged},
        measure,
        plain=[each.name for each in judged if each.plain],
    )


def verdict_at(sweep: Sweep, lam: float, *, source: str = "source", measure: str = "multi_class") -> Verdict:
    """Judge both joint kernels at λ and return the verdict on everything that the page Complete shows there.

    Parameters
    ----------
    sweep : Sweep
        Of one hidden share.
    lam : float
    source : str
        Name of the source kernel.
    measure : {"multi_class", "one_vs_rest"}
    """
    scores = scores_by_role(sweep, joint_accuracy([sweep], lam).scores, other_joint(sweep, lam))
    return verdict_of_scores(contestants(sweep.cells[0].config, source), scores, measure)


# The best λ on the chart of the page Complete, chosen again inside every training fold.

LAMS = (0.0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)


def lams_of(sweep: Sweep) -> tuple[float, ...]:
    """Values of λ to choose from; a residual is divided by λ, which cannot be 0 then."""
    return LAMS[1:] if sweep.cells[0].config.residual else LAMS


def choosing_lam(sweep: Sweep, *, measure: Measure = "multi_class") -> Iterator[NestedChoice]:
    """Let every training fold choose λ, one λ a step; each repetition has its own hidden items, as in the sweep.

    Parameters
    ----------
    sweep : Sweep
        Of one hidden share, whole.
    measure : {"multi_class", "one_vs_rest", "balanced"}
        What is chosen by.
    """
    first, lams = sweep.cells[0].how, lams_of(sweep)
    how = replace(first, folds=tuple(fold for cell in sweep.cells for fold in cell.how.folds))

    def candidates() -> Iterator[tuple[str, Candidate]]:
        for lam in lams:
            cuts = [partial(cut_blocks, joint_matrix(cell, lam)) for cell in sweep.cells]
            yield f"λ = {lam:g}", partial(_of_repetition, cuts)

    return choosing_candidate(candidates(), len(lams), how, measure=measure)


def _of_repetition(cuts: Sequence[Cut], repetition: int) -> Cut:
    return cuts[repetition]


# As if pairs were measured, a batch after the other: what active choice gains over random choice, on hidden pairs.
#
# A fifth of the hidden pairs is never measured: the error is theirs. Strength, source and number of factors stay as
# chosen.

BATCHES: Final = 10
SWEEPS: Final = 15
KEPT_BACK: Final = 5
"""One of so many hidden pairs is never measured."""
FEWEST: Final = 50
"""Hidden pairs below which a curve says nothing."""
LEAST_GAIN: Final = 0.05
"""Of the error, that random measurements have to take away before anything is said of active ones."""
RUNS: Final = 2
"""Random orders, of which the mean is shown."""


@dataclass(frozen=True, eq=False)
class Measured(ReadOnlyArrays):
    """Errors while pairs are measured.

    Attributes
    ----------
    counts : (BATCHES + 1,) int
        Pairs that were measured.
    active, random : (BATCHES + 1,) float
        Root mean square error on pairs that never are.
    """

    counts: IntArray
    active: FloatArray
    random: FloatArray

    @property
    def saved(self) -> float:
        """Share of random choice's measurements after which active choice has its final error for good; NaN if never."""
        above = np.flatnonzero(self.active > self.random[-1])
        first = int(above[-1]) + 1 if above.size else 0
        return float(self.counts[first] / self.counts[-1]) if first < self.counts.size else float("nan")

    @property
    def tells(self) -> bool:
        """Whether so many measurements change the error by more than chance does."""
        return bool(self.random[-1] < (1.0 - LEAST_GAIN) * self.random[0])


def measuring(made: CompletedScores, seed: int = 0) -> Steps[Measured]:
    """Measure half of the hidden pairs in BATCHES batches, chosen by what they teach, and at random."""
    completed = made.completed
    rng = np.random.default_rng([seed, 3])
    pairs = made.pairs[rng.permutation(len(made.pairs))]
    back, candidates = np.split(pairs, [max(1, len(pairs) // KEPT_BACK)])
    size = max(1, len(candidates) // (2 * BATCHES))
    L = source_penalty(completed.problem.S, completed.problem.n, completed.rho)
    curves = []
    total = (1 + RUNS) * BATCHES
    for run in range(1 + RUNS):
        problem, model = completed.problem, completed.fitted
        left = np.ones(len(candidates), dtype=np.bool_)
        errors = [_error(made, model, problem, back)]
        for batch in range(BATCHES):
            at = np.flatnonzero(left)
            if run == 0:
                # of some alone: of all it would take whole rows, of which it learns little about others
                some = np.sort(rng.permutation(at)[: max(size, at.size // uncertainty.one_in(problem.W))])
                taken = some[_best(made, problem, model, L, candidates[some], size)]
            else:
                taken = rng.permutation(at)[:size]
            left[taken] = False
            problem = _with(problem, made, candidates[taken])
            model = swept(problem, model, L, completed.strength * problem.scale, SWEEPS, 0.0)
            errors.append(_error(made, model, problem, back))
            yield (run * BATCHES + batch + 1) / total
        curves.append(errors)
    counts = size * np.arange(BATCHES + 1)
    return Measured(owned(counts), owned(np.array(curves[0])), owned(np.mean(curves[1:], axis=0)))


def _best(
    made: CompletedScores,
    problem: PairProblem,
    model: PairModel,
    L: FloatArray,
    pairs: IntArray,
    count: int,
) -> IntArray:
    C = uncertainty.inverses(problem.W, model.U, model.lam, np.diag(L))
    g = uncertainty.worth(C, model.U, pairs, made.completed.sd[tuple(pairs.T)], made.completed.error)
    at, _ = uncertainty.most_telling(C, model.U, pairs, g, count)
    return at


def _with(problem: PairProblem, made: CompletedScores, pairs: IntArray) -> PairProblem:
    """The same problem with some hidden pairs measured."""
    T, W = problem.T.copy(), problem.W.copy()
    for i, j in (pairs.T, pairs.T[::-1]):
        T[i, j], W[i, j] = made.target.values[i, j], 1.0
    return PairProblem(T, W, problem.S, problem.mean_term)


def _error(made: CompletedScores, model: PairModel, problem: PairProblem, pairs: IntArray) -> float:
    at = tuple(pairs.T)
    return float(np.sqrt(np.mean((model.predict(problem.S)[at] - made.target.values[at]) ** 2)))


def can_measure(hidden: BoolArray) -> bool:
    """Whether enough pairs are hidden for a curve."""
    return int(np.triu(hidden, 1).sum()) >= FEWEST
