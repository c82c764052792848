"""As if pairs were measured, a batch after the other: what active choice gains over random choice, on hidden pairs.

A fifth of the hidden pairs is never measured: the error is theirs. Strength, source and number of factors stay as chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from kernex_core.base.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays, owned
from kernex_core.completion.scattered import uncertainty
from kernex_core.completion.scattered.factors import PairModel, PairProblem, source_penalty, swept
from kernex_core.runtime.progress import Steps
from kernex_core.studies.completion.pairs import CompletedScores

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
