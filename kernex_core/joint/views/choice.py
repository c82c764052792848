"""Which of the ways to W suit a view: known items are hidden in five folds, and the six best ways are kept."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.joint.views.assembly import reached
from kernex_core.joint.views.problem import LEAST_KNOWN, Views
from kernex_core.joint.views.sweeps import Swept, sweeping
from kernex_core.joint.views.weights import TUNED, Candidate, alignments, weights_of
from kernex_core.pieces import Pieces, part

FOLDS = 5
KEPT = 6
SEED = 0
FEWEST_SLOPED, LEAST_SPREAD = 8, 1e-3
"""Hidden items of a view, and spread of the root of their unexplained shares, below which all get the mean error."""
_TOLERANCE, _SWEEPS = 3e-3, 6


@dataclass(frozen=True, eq=False)
class Chosen(ReadOnlyArrays):
    """Candidates of each view, and what their errors on hidden items were.

    Attributes
    ----------
    best : tuple of tuple of Candidate
        By view.
    lines : (V, 3) float
        a_v and b_v of the error that is expected, a_v + b_v sqrt(unexplained share), and the least error that was seen:
        beyond its items the line may promise none.
    """

    best: tuple[tuple[Candidate, ...], ...]
    lines: FloatArray

    def expected(self, unexplained: FloatArray, known: BoolArray) -> FloatArray:
        """(V, n) relative errors that are expected; NaN where a view has the item."""
        a, b, least = self.lines.T[:, :, None]
        return np.where(known, np.nan, np.maximum(a + b * np.sqrt(unexplained), least))


@dataclass(frozen=True, eq=False)
class _Trial(ReadOnlyArrays):
    """What all candidates say about the items of one view that one fold hid.

    `rows` (h, s): their true similarities to the s items left; `W` (candidates, s, h).
    """

    view: int
    K: FloatArray
    rows: FloatArray
    W: FloatArray

    @property
    def errors(self) -> FloatArray:
        """(candidates, h) |K_SS w − K_Si| / |K_Si|."""
        return np.array([_relative(self.K, W, self.rows) for W in self.W])


def choosing(views: Views) -> Pieces[Chosen]:
    """Hide, complete and compare; deterministic."""
    trials: list[_Trial] = []
    for fold in range(FOLDS):
        hidden = _hidden(views, fold)
        trials += yield from part(_trying(views, hidden), fold / FOLDS, (fold + 1) / FOLDS)
    best, lines = zip(
        *(_chosen([trial for trial in trials if trial.view == v]) for v in range(views.count)), strict=True
    )
    return Chosen(tuple(tuple(TUNED[k] for k in kept) for kept in best), np.array(lines))


def _hidden(views: Views, fold: int) -> BoolArray:
    """(V, n) what a fold hides: no item from all its views, and no view below the least that it needs."""
    place = np.argsort(np.random.default_rng(SEED).permutation(views.n))
    turn = (place[None, :] + np.arange(views.count)[:, None]) % FOLDS == fold
    hidden = views.known & turn
    hidden &= (views.known & ~hidden).any(axis=0)
    hidden[(views.known & ~hidden).sum(axis=1) < LEAST_KNOWN] = False
    return np.asarray(hidden)


def _trying(views: Views, hidden: BoolArray) -> Pieces[list[_Trial]]:
    left = views.without(hidden)
    A, swept = alignments(left), {}
    lifts = sorted({candidate.lift for candidate in TUNED})
    for k, tau in enumerate(lifts):
        share = 0.7 * k / len(lifts), 0.7 * (k + 1) / len(lifts)
        swept[tau] = yield from part(sweeping(left, tau, tolerance=_TOLERANCE, most=_SWEEPS), *share)
    trials = []
    for v in np.flatnonzero(hidden.any(axis=1)).tolist():
        trials.append((yield from part(_trial(views, left, v, hidden[v], swept, A), 0.7, 0.7)))
        yield 0.7 + 0.3 * (v + 1) / views.count
    return trials


def _trial(
    views: Views, left: Views, v: int, hidden: BoolArray, swept: dict[float, Swept], A: FloatArray
) -> Pieces[_Trial]:
    has, was = left.have(v), views.have(v)
    asked = np.flatnonzero(hidden)
    columns: IntArray = np.searchsorted(left.lack(v), asked)
    rows = views.given[v][np.ix_(np.searchsorted(was, asked), np.searchsorted(was, has))] / left.scales[v]
    W = []
    for candidate in TUNED:
        yield 0.0
        W.append(weights_of(candidate, left, v, swept.get(candidate.lift), A)[:, columns])
    return _Trial(v, left.blocks[v], rows, np.array(W))


def _chosen(trials: list[_Trial]) -> tuple[IntArray, FloatArray]:
    """Places of the candidates that are kept, and the line of their errors."""
    everything = np.arange(len(TUNED))
    if sum(trial.rows.shape[0] for trial in trials) < LEAST_KNOWN:
        return everything, np.full(3, np.nan)
    score = np.concatenate([trial.errors for trial in trials], axis=1).mean(axis=1)
    kept = np.sort(np.argsort(score, kind="stable")[:KEPT])
    roots, errors = [], []
    for trial in trials:
        found = reached(trial.K, trial.W[kept].mean(axis=0))
        roots.append(np.sqrt(found.unexplained))
        errors.append(_relative(trial.K, found.W, trial.rows))
    return kept, _line(np.concatenate(roots), np.concatenate(errors))


def _relative(K: FloatArray, W: FloatArray, rows: FloatArray) -> FloatArray:
    sizes = np.linalg.norm(rows, axis=1)
    apart = np.linalg.norm(K @ W - rows.T, axis=0)
    relative: FloatArray = np.ones(apart.shape)
    np.divide(apart, sizes, out=relative, where=sizes > 0.0)
    return relative


def _line(x: FloatArray, y: FloatArray) -> FloatArray:
    """Least squares a + b x with b >= 0, else the mean, and the least y; few items or equal shares carry no slope."""
    apart = x - x.mean()
    sloped = x.size >= FEWEST_SLOPED and float(apart.std()) > LEAST_SPREAD
    b = max(float((apart * y).sum()) / float((apart**2).sum()), 0.0) if sloped else 0.0
    return np.array([float(y.mean()) - b * float(x.mean()), b, float(y.min())])
