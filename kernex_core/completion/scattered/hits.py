"""Pairs that a search did not report: most are low, some were missed. Which, and what would they have scored?

Every unreported pair is fitted to a floor below what was reported, with a weight that makes both groups weigh the same; what
the model then predicts ranks the pairs. What a pair would have scored is said by the fit that ignores absence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray, ReadOnlyArrays, owned
from kernex_core.base.parameters import check_seed
from kernex_core.base.validation import as_symmetric
from kernex_core.completion.scattered.factors import PairModel, PairProblem, fitting
from kernex_core.completion.scattered.pairs import (
    CompletedPairs,
    complete_pairs,
    given,
    kept_values,
    problem_of,
)
from kernex_core.completion.scattered.uncertainty import (
    RANKS,
    UNCHOSEN,
    Chosen,
    Penalties,
    choosing,
    covering,
)
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call
from kernex_core.gram.provenance import part as part_of_result
from kernex_core.gram.seen import ITEMS, PAIR, seen_of
from kernex_core.runtime.progress import Steps, blocking, part

BELOW: Final = 0.75
"""The floor, of the lowest reported value."""
HIDDEN: Final = 3
"""One of so many reported pairs is hidden while the fit is chosen."""
FEWEST_AUDITED: Final = 50
AUDIT_FOLDS: Final = 5


@dataclass(frozen=True, eq=False)
class MissedPair(EqualByContent):
    """An unreported pair.

    Attributes
    ----------
    first, second : str
    likely : float
        Prediction of the fit that takes absence for low: pairs are ranked by it.
    score : float
        What it would have scored if it had been reported.
    """

    first: str
    second: str
    likely: float
    score: float


@dataclass(frozen=True, eq=False)
class CompletedHits(ReadOnlyArrays):
    """A matrix of hits with what was not reported.

    Attributes
    ----------
    gram : GramMatrix
        Reported values kept, and `likely` elsewhere, without negative eigenvalues.
    likely : (n, n) float
        Prediction of every pair where absence is taken for low.
    reported : CompletedPairs
        The fit that ignores absence: its predictions are scores if a pair had been reported.
    floor : (n, n) float
        What unreported pairs were fitted to.
    weight : float
        Of an unreported pair, w0 = f / (1 − f) with the reported share f.
    auc : float
        How well pairs that were reported, and hidden, are told from those that never were, when the fit was chosen; NaN
        where too few are reported to choose.
    half_width : float
        Half of the interval of `likely` of an unreported pair, by the audit; NaN without one.
    """

    gram: GramMatrix
    likely: FloatArray
    reported: CompletedPairs
    floor: FloatArray
    weight: float
    auc: float
    half_width: float

    def missed(self, count: int = 10) -> tuple[MissedPair, ...]:
        """Say which unreported pairs are most likely high."""
        unknown = np.argwhere(np.triu(self.reported.problem.W == 0.0, 1))
        order = np.argsort(-self.likely[tuple(unknown.T)], kind="stable")[:count]
        ids = self.gram.ids
        return tuple(
            MissedPair(ids[i], ids[j], float(self.likely[i, j]), float(self.reported.model[i, j]))
            for i, j in unknown[order].tolist()
        )


@blocking
def complete_hits(
    T: GramMatrix,
    source: GramMatrix | None = None,
    *,
    audit: ArrayLike | None = None,
    rank: int | None = None,
    seed: int = 0,
    intervals: bool = True,
) -> Steps[CompletedHits]:
    """Complete a table of hits, whose unknown pairs were not reported because most of them are low.

    Parameters
    ----------
    T : GramMatrix
        NaN = not reported.
    source : GramMatrix, optional
        A kernel on the same items, known everywhere.
    audit : (p, 2) int, optional
        Pairs that were not reported, drawn at random and measured all the same: their values stand in T. From 50 of them
        on the floor follows the source, and there is an interval.
    rank : int, optional
        Number of factors; chosen by default.
    seed : int
    intervals : bool
        Of the scores, see `complete_pairs`.

    Raises
    ------
    InvalidInputError
        No pair is reported, or all are; an audit of pairs that are not known.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import GramMatrix, complete_hits
    >>> K = np.where(np.kron(np.eye(2), np.ones((4, 4))) > 0, 0.8, np.nan)
    >>> K[0, 1] = K[1, 0] = np.nan
    >>> made = complete_hits(GramMatrix(K))
    >>> made.missed(1)[0].first, made.missed(1)[0].second
    ('1', '2')
    """
    rng = np.random.default_rng(check_seed(seed))
    search = problem_of(T, source)
    known = search.W > 0.0
    pairs = np.argwhere(np.triu(known, 1))
    share = 2.0 * len(pairs) / (search.n * (search.n - 1))
    if share >= 1.0:
        raise InvalidInputError("Some pairs have to be unreported", "a matrix that is known everywhere")
    audited = _audited(audit, known)
    reported = known.copy()
    reported[tuple(audited.T)] = reported[tuple(audited[:, ::-1].T)] = False
    lowest = float(search.T[reported].min()) if reported.any() else float(search.T[known].min())
    penalties = Penalties(search)
    floor = _floor(search, audited, lowest)
    chosen, auc = yield from part(_choosing(search, floor, reported, rank, penalties, rng), 0.0, 0.4)
    problem = _with_floor(search, floor)
    a, rho, k = chosen
    L = penalties.of(rho)
    model = yield from part(fitting(problem, L, a, k, rho), 0.4, 0.5)
    half = np.nan
    if len(audited) >= FEWEST_AUDITED:
        half = yield from part(_audit_width(search, floor, audited, (chosen, L), rng), 0.5, 0.6)
    scores = yield from part(
        complete_pairs.steps(T, source, rank=rank, seed=seed, intervals=intervals), 0.6, 1.0
    )
    likely = model.predict(search.S)
    asked: dict[str, object] = {"rank": rank, "seed": seed, "intervals": intervals}
    if audit is not None:
        asked["audit"] = audited
    recipe = part_of_result(call("completed", "complete_hits", *given(T, source), **asked), "gram")
    seen = seen_of(T) | (PAIR if source is None else seen_of(source)) | ITEMS
    values = as_symmetric(kept_values(T, likely))
    gram = GramMatrix(values, T.ids, f"{T.name} completed", recipe, seen=seen)
    return CompletedHits(gram, owned(likely), scores, owned(floor), _weight(share), auc, float(half))


def _audited(audit: ArrayLike | None, known: np.ndarray) -> IntArray:
    pairs = np.zeros((0, 2), dtype=np.int64) if audit is None else np.asarray(audit, dtype=np.int64)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or not known[tuple(pairs.T)].all():
        raise InvalidInputError(
            "An audit has to name pairs whose value is known", "others", "Give positions of two items, (p, 2)"
        )
    return pairs


def _floor(problem: PairProblem, audited: IntArray, lowest: float) -> FloatArray:
    """What unreported pairs are fitted to: below the lowest reported value; by the audit where there is one."""
    if len(audited) < FEWEST_AUDITED:
        size = BELOW * lowest if lowest > 0.0 else lowest - (1.0 - BELOW) * abs(lowest)
        return np.full((problem.n, problem.n), size)
    truth = problem.T[tuple(audited.T)]
    if problem.S is None:
        return np.full((problem.n, problem.n), min(lowest, float(truth.mean())))
    root = np.sqrt(np.maximum(problem.S, 0.0))
    x = root[tuple(audited.T)]
    design = np.stack([np.ones_like(x), x], axis=1)
    b0, b1 = np.linalg.lstsq(design, truth, rcond=None)[0]
    return np.asarray(np.minimum(lowest, b0 + b1 * root))


def _weight(share: float) -> float:
    """w0: reported and unreported pairs weigh the same; never more than a reported one."""
    return min(1.0, share / (1.0 - share))


def _with_floor(problem: PairProblem, floor: FloatArray) -> PairProblem:
    """The same problem with unreported pairs at the floor."""
    known = problem.W > 0.0
    share = known.sum() / (problem.n * (problem.n - 1))
    W = np.where(known, 1.0, _weight(float(share)))
    np.fill_diagonal(W, 0.0)
    return PairProblem(np.where(known, problem.T, floor), W, problem.S, problem.mean_term)


def _choosing(
    problem: PairProblem,
    floor: FloatArray,
    reported: np.ndarray,
    rank: int | None,
    penalties: Penalties,
    rng: np.random.Generator,
) -> Steps[tuple[Chosen, float]]:
    """Strength, rho and rank by which hidden hits are told best from pairs that never were reported, and how well."""
    pairs = np.argwhere(np.triu(reported, 1))
    if len(pairs) < HIDDEN:  # nothing can be held back
        k = min(RANKS[1], problem.n) if rank is None else rank
        return (UNCHOSEN[0], np.inf if problem.S is None else UNCHOSEN[1], k), float("nan")
    held = pairs[rng.permutation(len(pairs))[: max(1, len(pairs) // HIDDEN)]]
    never = np.argwhere(np.triu(problem.W == 0.0, 1))

    def missed(model: PairModel) -> float:
        return -auc_of(model.at(problem.S, held), model.at(problem.S, never))

    inner = _with_floor(problem.without(held), floor)
    wanted = (None, np.inf if problem.S is None else None, rank)
    chosen, least = yield from choosing(inner, missed, wanted, penalties)
    return chosen, -least


def _audit_width(
    problem: PairProblem,
    floor: FloatArray,
    audited: IntArray,
    fit: tuple[Chosen, FloatArray],
    rng: np.random.Generator,
) -> Steps[float]:
    """Half of the interval of an unreported pair: audited pairs are taken for unreported, a fold at a time."""
    (a, rho, k), L = fit
    order = rng.permutation(len(audited))
    off = []
    for fold in range(AUDIT_FOLDS):
        held = audited[order[fold::AUDIT_FOLDS]]
        inner = _with_floor(problem.without(held), floor)
        steps = fitting(inner, L, a, k, rho)
        model = yield from part(steps, fold / AUDIT_FOLDS, (fold + 1) / AUDIT_FOLDS)
        off.append(np.abs(problem.T[tuple(held.T)] - model.at(problem.S, held)))
    return covering(np.concatenate(off))


def auc_of(high: FloatArray, low: FloatArray) -> float:
    """Share of couples of which that of the first kind is higher; ties count half."""
    order = np.sort(low)
    below = np.searchsorted(order, high, "left") + np.searchsorted(order, high, "right")
    return float(below.mean()) / (2.0 * low.size) if low.size and high.size else float("nan")
