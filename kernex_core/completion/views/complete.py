"""complete_views: several kernels of the same items, each lacking some, completed together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Final, Literal

import numpy as np

from kernex_core.base import lapack
from kernex_core.base.errors import TooLargeError
from kernex_core.base.frozen import BoolArray, EqualByContent, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_choice
from kernex_core.base.validation import psd_tolerance
from kernex_core.completion.views.problem import (
    FEW_SHARED,
    LEAST_KNOWN,
    TOLERANCE,
    Reached,
    Swept,
    Views,
    as_views,
    assembled,
    reached,
    sweeping,
)
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.seen import ITEMS, marked, seen_of
from kernex_core.runtime.progress import Steps, finished, part

# Stage 2: W of a view from the others in one solve, in several ways whose mean is taken.

FEWEST_ALIGNED = 4
"""Shared items below which nothing is said about the alignment of two views."""


@dataclass(frozen=True, eq=False)
class Way(EqualByContent):
    """One way to W: (M_SS + c 11' + rI)^-1 (M_SU + c 11') with M = Σ b_u T_u, b_u ∝ max(A_uv, .001)^g."""

    tau: float
    constant: float
    ridge: float
    power: int

    @property
    def lift(self) -> float:
        """τ of the views that the residual is taken from."""
        return self.tau


@dataclass(frozen=True, eq=False)
class ByPrecisions(EqualByContent):
    """W from joint regularization of the other kernels, (Σ_u (K_u + 11' + rI)^-1)^-1, each 0 outside its items."""

    ridge: float

    @property
    def lift(self) -> float:
        """τ of the views that the residual is taken from."""
        return 1.0


Candidate = Way | ByPrecisions


def _ways(tau: float) -> tuple[Way, ...]:
    return tuple(Way(tau, *rest) for rest in product((0.0, 1.0), (0.01, 0.1), (0, 2)))


FAST: Final[tuple[Candidate, ...]] = _ways(1.0)
TUNED: Final[tuple[Candidate, ...]] = (
    *(way for tau in (0.0, 1.0, 2.0) for way in _ways(tau)),
    ByPrecisions(0.1),
    ByPrecisions(0.3),
)


def alignments(views: Views) -> FloatArray:
    """(V, V) max(0, cosine) of two views on the items that they share: centred, without diagonals.

    0 below 4 shared items, and between a view and itself.
    """
    A = np.zeros((views.count, views.count))
    for u in range(views.count):
        for v in range(u):
            shared = np.flatnonzero(views.known[u] & views.known[v])
            if shared.size >= FEWEST_ALIGNED:
                a, b = (_off_diagonal(views, w, shared) for w in (u, v))
                size = float(np.sqrt((a * a).sum() * (b * b).sum()))
                A[u, v] = A[v, u] = max(0.0, float((a * b).sum()) / size) if size > 0.0 else 0.0
    return A


def _off_diagonal(views: Views, v: int, items: IntArray) -> FloatArray:
    at = np.searchsorted(views.have(v), items)
    block = views.blocks[v][np.ix_(at, at)]
    means = block.mean(axis=0)
    centred = block - means[:, None] - means[None, :] + means.mean()
    np.fill_diagonal(centred, 0.0)
    return np.asarray(centred)


def shares_of_others(A: FloatArray, v: int, power: int) -> FloatArray:
    """(V,) b_u, summing to 1, 0 for v itself."""
    b = np.maximum(A[v], 1e-3) ** power
    b[v] = 0.0
    return np.asarray(b / b.sum())


def weights_of(candidate: Candidate, views: Views, v: int, swept: Swept | None, A: FloatArray) -> FloatArray:
    """W (s_v, u_v) of one candidate."""
    S, U = views.have(v), views.lack(v)
    if isinstance(candidate, ByPrecisions):
        return _by_precisions(views, v, candidate.ridge)
    assert swept is not None  # one for each τ of the ways
    M = sum(b * T for b, T in zip(shares_of_others(A, v, candidate.power), swept.T, strict=True) if b)
    M = M + candidate.constant
    known = M[np.ix_(S, S)] + candidate.ridge * np.eye(S.size)
    return np.asarray(lapack.solve(known, M[np.ix_(S, U)]))


def _by_precisions(views: Views, v: int, ridge: float) -> FloatArray:
    L = np.zeros((views.n, views.n))
    for u in range(views.count):
        if u != v:
            have = views.have(u)
            regular = views.blocks[u] + 1.0 + ridge * np.eye(have.size)
            L[np.ix_(have, have)] += lapack.solve(regular, np.eye(have.size))
    S, U = views.have(v), views.lack(v)
    between = L[np.ix_(U, U)] + 1e-8 * np.eye(U.size)
    return np.asarray(-lapack.solve(between, L[np.ix_(U, S)]).T)


# Which of the ways to W suit a view: known items are hidden in five folds, and the six best ways are kept.

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


def choosing(views: Views) -> Steps[Chosen]:
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


def _trying(views: Views, hidden: BoolArray) -> Steps[list[_Trial]]:
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
) -> Steps[_Trial]:
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


Mode = Literal["fast", "tuned"]
MODES: Final[tuple[Mode, ...]] = ("fast", "tuned")
TUNED_LIMIT: Final = 1_000
"""Items above which "tuned", 15 to 25 times as long as "fast", has to be allowed."""

STILL_MOVING: Final = 1e-2
"""Share of their size by which the last sweep may move all entries before that is worth a warning."""


@dataclass(frozen=True, eq=False)
class CompletedViews(ReadOnlyArrays):
    """Views completed together.

    Attributes
    ----------
    ids : tuple of str
    kernels : dict of str to (n, n) float
        Known similarities bit for bit as they came.
    known : (V, n) bool
    unexplained : (V, n) float
        Share of each item's own similarity in the view that the others do not explain; 0 where it was known, 1 = made
        from nothing.
    expected_error : (V, n) float or None
        Relative error to expect of an item's similarities to the known ones, from items that were hidden on purpose; NaN
        where it was known. "tuned" alone says it.
    objective : (1 + sweeps,) float
        J of the sweeps, which never rises.
    gap : float
    converged : bool
    alignment : (V, V) float
        How alike two views are on what they share.
    mode : {"fast", "tuned"}
    warnings : tuple of str
    """

    ids: tuple[str, ...]
    kernels: Mapping[str, FloatArray]
    known: BoolArray
    unexplained: FloatArray
    expected_error: FloatArray | None
    objective: FloatArray
    gap: float
    converged: bool
    alignment: FloatArray
    mode: Mode
    warnings: tuple[str, ...] = ()

    @property
    def trust(self) -> FloatArray:
        """(V, n) 1 − `unexplained`: 1 for what was known, 0 for what was made from nothing."""
        return 1.0 - self.unexplained

    @property
    def last_move(self) -> str:
        """What a last sweep means that moved entries by little, if by more than asked for; "" otherwise."""
        if self.converged or self.gap >= STILL_MOVING:
            return ""
        return (
            f"Entries changed by {100.0 * self.gap:.2g} % in the last of {self.objective.size - 1} sweeps; more sweeps "
            "would move the result by a few times that."
        )

    @cached_property
    def smallest_eigenvalues(self) -> FloatArray:
        """(V,) of each completed view; at least −n ε ||Q|| up to rounding."""
        return np.array([float(lapack.eigvalsh(Q)[0]) for Q in self.kernels.values()])

    @property
    def certificate_holds(self) -> bool:
        """Whether J never rose, and every view is positive semidefinite up to rounding."""
        n, J = len(self.ids), self.objective
        sizes = [float(np.diag(Q).sum()) for Q in self.kernels.values()]
        semidefinite = all(
            low >= -psd_tolerance(n, size) for low, size in zip(self.smallest_eigenvalues, sizes, strict=True)
        )
        return semidefinite and bool((np.diff(J) <= 1e-9 * np.abs(J[:-1])).all())


def complete_views(
    kernels: Mapping[str, GramMatrix],
    *,
    mode: Mode = "fast",
    tolerance: float = TOLERANCE,
    allow_large: bool = False,
) -> CompletedViews:
    """Complete several kernels of the same items together; each may lack items.

    Parameters
    ----------
    kernels : dict of str to GramMatrix
        At least two, on the same ids; NaN in the whole rows of items that a view lacks.
    mode : {"fast", "tuned"}
        "fast" takes the mean of eight solves and suits learning; "tuned" chooses six of 26 by hiding known items in
        five folds, suits restoring values, and takes 15 to 25 times as long.
    tolerance : float
        The sweeps end when one moves all entries by less than this share of their size; at most 12 are made.
    allow_large : bool
        Run "tuned" above 1,000 items.

    Raises
    ------
    InvalidInputError, NotPositiveSemidefiniteError
        See `as_views`.
    TooLargeError
        "tuned" above 1,000 items where that is not allowed.

    Notes
    -----
    Two stages. Sweeps complete every view from the mean of the others until nothing moves: each step is the exact
    minimiser of a LogDet objective over one view (`sweeps`). Then each view is extrapolated from the completed others,
    W = (M_SS + c 11' + rI)^-1 (M_SU + c 11'), and put together as K_SS W and W' K_SS W plus a residual that brings each
    item to its level. There is nothing random in it but the folds of "tuned", whose seed is 0.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import GramMatrix, complete_views
    >>> X = np.random.default_rng(0).normal(size=(8, 2))
    >>> K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2))
    >>> a, b = K.copy(), K.copy()
    >>> a[0], a[:, 0], b[7], b[:, 7] = np.nan, np.nan, np.nan, np.nan
    >>> found = complete_views({"a": GramMatrix(a), "b": GramMatrix(b)})
    >>> found.certificate_holds, bool(np.isfinite(found.kernels["a"]).all())
    (True, True)
    """
    return finished(completing_views(kernels, mode=mode, tolerance=tolerance, allow_large=allow_large))


def completing_views(
    kernels: Mapping[str, GramMatrix],
    *,
    mode: Mode = "fast",
    tolerance: float = TOLERANCE,
    allow_large: bool = False,
) -> Steps[CompletedViews]:
    """`complete_views` in steps."""
    check_choice("mode", mode, MODES)
    views = as_views(kernels)
    if mode == "tuned" and views.n > TUNED_LIMIT and not allow_large:
        raise TooLargeError(
            f"The tuned completion takes at most {TUNED_LIMIT:,} items unless more is asked for",
            f"{views.n:,} items",
            'Take mode="fast", which suits learning, or allow_large=True and wait',
        )
    A = alignments(views)
    chosen: Chosen | None = None
    if mode == "tuned":
        chosen = yield from part(choosing(views), 0.0, 0.8)
    made = yield from part(_completing(views, A, chosen, tolerance), 0.8 if chosen else 0.0, 1.0)
    seen = seen_of(*kernels.values()) | ITEMS
    told = {
        name: marked(Q, seen if not views.known[v].all() else seen_of(kernels[name]))
        for v, (name, Q) in enumerate(made.kernels.items())
    }
    return replace(made, kernels=told)


def _completing(
    views: Views, A: FloatArray, chosen: Chosen | None, tolerance: float
) -> Steps[CompletedViews]:
    per_view: tuple[tuple[Candidate, ...], ...] = chosen.best if chosen else (FAST,) * views.count
    lifts = sorted({candidate.lift for best in per_view for candidate in best} | {1.0})
    swept: dict[float, Swept] = {}
    for k, tau in enumerate(lifts):
        swept[tau] = yield from part(
            sweeping(views, tau, tolerance=tolerance), 0.7 * k / len(lifts), 0.7 * (k + 1) / len(lifts)
        )
    kernels: dict[str, FloatArray] = {}
    unexplained = np.zeros((views.count, views.n))
    for v, name in enumerate(views.names):
        kernels[name] = views.given[v]
        if not views.known[v].all():
            found = yield from _extrapolating(views, v, per_view[v], swept, A)
            unexplained[v, views.lack(v)] = found.unexplained
            kernels[name] = assembled(views, v, found, [swept[c.lift].others(v) for c in per_view[v]])
        yield 0.7 + 0.3 * (v + 1) / views.count
    plain = swept[1.0]
    expected = chosen.expected(unexplained, views.known) if chosen else None
    return CompletedViews(
        views.ids,
        kernels,
        views.known,
        unexplained,
        expected,
        plain.objective,
        plain.gap,
        plain.converged,
        A,
        "tuned" if chosen else "fast",
        _warnings(views, plain),
    )


def _extrapolating(
    views: Views, v: int, candidates: tuple[Candidate, ...], swept: Mapping[float, Swept], A: FloatArray
) -> Steps[Reached]:
    W = np.zeros((views.have(v).size, views.lack(v).size))
    for candidate in candidates:
        yield 0.7 + 0.3 * v / views.count
        W += weights_of(candidate, views, v, swept.get(candidate.lift), A) / len(candidates)
    return reached(views.blocks[v], W)


def _warnings(views: Views, swept: Swept) -> tuple[str, ...]:
    counts = views.overlaps
    little = [(u, v) for u in range(views.count) for v in range(u) if counts[u, v] < FEW_SHARED * views.n]
    said = [
        f"{views.names[v]!r} and {views.names[u]!r} share {counts[u, v]:,} of {views.n:,} items: what one says about the "
        "other rests on little."
        for u, v in little
    ]
    if not swept.converged and swept.gap >= STILL_MOVING:
        said.append(
            f"In the last of {swept.objective.size - 1} sweeps entries still moved by {100.0 * swept.gap:.2g} % of their "
            "size: the completed kernels are not final."
        )
    return tuple(said)
