"""Complete single unknown pairs of a similarity matrix, say how sure each is, and which pair to measure next.

The model is that of `factors`; strength, source and number of factors are chosen by pairs that are held back; intervals come
from ten folds over the known pairs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, NamedTuple

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, ReadOnlyArrays, owned
from kernex_core.base.parameters import check_choice, check_range, check_seed
from kernex_core.base.validation import as_symmetric
from kernex_core.completion.scattered import finish as finishing
from kernex_core.completion.scattered import uncertainty
from kernex_core.completion.scattered.factors import (
    PairModel,
    PairProblem,
    certificate,
    fitting,
    objective,
    source_penalty,
)
from kernex_core.completion.scattered.uncertainty import (
    HELD_BACK,
    UNCHOSEN,
    Chosen,
    Penalties,
    Spread,
    Wanted,
    choosing,
    ranks_of,
)
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import Call, call
from kernex_core.gram.provenance import part as part_of_result
from kernex_core.gram.seen import ITEMS, PAIR, Seen, seen_of
from kernex_core.runtime.progress import Steps, blocking, part

Finish = Literal["keep", "smooth", "exact"]
FINISHES: Final[tuple[Finish, ...]] = ("keep", "smooth", "exact")
FOLDS: Final = 10
FEWEST_PAIRS: Final = 20
"""Known pairs below which nothing is chosen or said about how sure they are."""
SMALLEST: Final = 1e-100
"""Root mean square of known pairs below which squares of errors are no numbers any more."""


@dataclass(frozen=True, eq=False)
class NextPair(EqualByContent):
    """A pair whose measurement would teach most, or is most likely high.

    Attributes
    ----------
    first, second : str
    value, sd : float
        Prediction, and how far it may be off.
    gain : float
        By which they are ordered, in units of the first.
    """

    first: str
    second: str
    value: float
    sd: float
    gain: float


@dataclass(frozen=True, eq=False)
class CompletedPairs(ReadOnlyArrays):
    """A matrix whose unknown pairs are completed.

    Attributes
    ----------
    gram : GramMatrix
        Known values, and predictions in place of unknown ones (or as `finish` says).
    model : (n, n) float
        The prediction of every pair.
    sd : (n, n) float
        Of unknown pairs; 0 where a value is known, NaN where too few pairs are known to say.
    half_width : (n, n) float
        Half of the interval that holds 9 of 10 of the values.
    strength, rho, rank
        As they were chosen: a, how much of the identity stands beside the source, number of factors.
    c, m : float
        Share of the source, and constant.
    error : float
        Root mean square of what pairs that were held back are off; NaN where too few are known.
    min_eigenvalue : float
        Of the matrix with known values kept, before any repair.
    moved : float
        Root mean square by which known values were moved by a repair.
    state : {"converged", "rank limited", "not converged"}
    unseen : tuple of str
        Items without any known pair; their intervals come from items that were held back.
    """

    gram: GramMatrix
    model: FloatArray
    sd: FloatArray
    half_width: FloatArray
    strength: float
    rho: float
    rank: int
    c: float
    m: float
    error: float
    min_eigenvalue: float
    moved: float
    state: str
    unseen: tuple[str, ...]
    fitted: PairModel
    problem: PairProblem

    @property
    def values(self) -> FloatArray:
        """(n, n) values of `gram`: nothing is unknown."""
        return self.gram.values

    @property
    def interval(self) -> tuple[FloatArray, FloatArray]:
        """Lower and upper ends, (n, n) each, of what holds 9 of 10 of the values; where one is known, it is both ends."""
        middle = np.where(self.half_width == 0.0, self.gram.values, self.model)
        return middle - self.half_width, middle + self.half_width

    @cached_property
    def own(self) -> FloatArray:
        """(n,) diagonal of L: what every item is asked for takes an eigendecomposition of the source."""
        return owned(np.diag(source_penalty(self.problem.S, self.problem.n, self.rho)).copy())

    def certificate(self) -> tuple[float, float, float]:
        """Stationarity, smallest eigenvalue of G and largest possible gap; see `factors.certificate`."""
        L = source_penalty(self.problem.S, self.problem.n, self.rho)
        return certificate(self.problem, self.fitted, L)

    def objective(self) -> float:
        """Compute the value of f at the model; see `factors`."""
        L = source_penalty(self.problem.S, self.problem.n, self.rho)
        return objective(self.problem, self.fitted, L)

    def pull(self, i: int, j: int) -> FloatArray:
        """How far a prediction moves for each unit of every pair of its first item: W_ik u_j'C_i u_k, (n,)."""
        U, W = self.fitted.U, self.problem.W
        A = (U.T * W[i]) @ U + self.fitted.lam * self.own[i] * np.eye(U.shape[1])
        return np.asarray(W[i] * (U @ np.linalg.solve(A, U[j])))

    def next_pairs(
        self, count: int = 10, purpose: Literal["learn", "hits"] = "learn", seed: int = 0
    ) -> tuple[NextPair, ...]:
        """Say which unknown pairs to measure next.

        Parameters
        ----------
        count : int
        purpose : {"learn", "hits"}
            What would teach most about all others; or the largest predictions.
        seed : int
            Candidates are a random third of the unknown pairs, a tenth while fewer than one in twenty is known.
        """
        check_choice("The purpose", purpose, ("learn", "hits"))
        ids, known = self.gram.ids, self.problem.W > 0.0
        pairs = np.argwhere(np.triu(~known, 1))
        if not len(pairs):
            return ()
        values = self.model[tuple(pairs.T)]
        if purpose == "hits":
            order = np.argsort(-values, kind="stable")[:count]
            chosen, gained = pairs[order], values[order]
        else:
            rng = np.random.default_rng(check_seed(seed))
            size = max(count, int(np.ceil(len(pairs) / uncertainty.one_in(self.problem.W))))
            part_of = (
                pairs if size >= len(pairs) else pairs[np.sort(rng.choice(len(pairs), size, replace=False))]
            )
            U = self.fitted.U
            C = uncertainty.inverses(self.problem.W, U, self.fitted.lam, self.own)
            g = uncertainty.worth(C, U, part_of, self.sd[tuple(part_of.T)], self.error)
            at, gained = uncertainty.most_telling(C, U, part_of, g, count)
            chosen = part_of[at]
        return tuple(
            NextPair(ids[i], ids[j], float(self.model[i, j]), float(self.sd[i, j]), float(gain))
            for (i, j), gain in zip(chosen.tolist(), gained, strict=True)
        )


@blocking
def complete_pairs(
    T: GramMatrix,
    source: GramMatrix | None = None,
    *,
    finish: Finish = "keep",
    strength: float | None = None,
    rho: float | None = None,
    rank: int | None = None,
    seed: int = 0,
    intervals: bool = True,
) -> Steps[CompletedPairs]:
    """Complete the unknown pairs of a similarity matrix; `complete_pairs.steps` does it in steps.

    Parameters
    ----------
    T : GramMatrix
        NaN = unknown, at random: that a pair is unknown says nothing about its value.
    source : GramMatrix, optional
        A kernel on the same items, known everywhere.
    finish : {"keep", "smooth", "exact"}
        Known values as they are, and predictions beside them, without negative eigenvalues where these are not rounding;
        the model everywhere; or known values with what makes the matrix closest to the model by the log-determinant
        divergence.
    strength, rho, rank
        a, how much of the identity stands beside the source's kernel, and number of factors; None: chosen by known pairs
        that are held back.
    seed : int
        Of the pairs that are held back.
    intervals : bool
        False: no fold says how sure predictions are, which takes most of the time; `sd` and `half_width` are NaN.

    Raises
    ------
    InvalidInputError
        No pair is known; a source with other items or with unknown pairs.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import GramMatrix, complete_pairs
    >>> K = np.array([[1, 0.8, np.nan], [0.8, 1, 0.7], [np.nan, 0.7, 1]])
    >>> made = complete_pairs(GramMatrix(K))
    >>> bool(0.0 < made.values[0, 2] < 1.0)
    True
    """
    check_choice("The finish", finish, FINISHES)
    rng = np.random.default_rng(check_seed(seed))
    problem = problem_of(T, source)
    wanted = (
        None if strength is None else check_range("The strength", strength, low=0.0, open_low=True),
        checked_rho(rho, source is not None),
        None if rank is None else int(check_range("The rank", rank, low=1, high=problem.n)),
    )
    penalties = Penalties(problem)
    chosen = yield from part(_choosing(problem, wanted, penalties, rng), 0.0, 0.4)
    a, at, k = chosen
    L = penalties.of(at)
    model = yield from part(fitting(problem, L, a, k, at), 0.4, 0.5)
    spread = (yield from part(_spreading(problem, L, chosen, rng), 0.5, 0.9)) if intervals else None
    fit_made = _Fit(problem, model, L, chosen, spread)
    widths = yield from part(_intervals(fit_made, rng), 0.9, 1.0)
    # what was chosen is written down: a script makes the same without choosing again
    asked: dict[str, object] = {"finish": finish, "strength": a, "rho": at, "rank": k, "seed": seed}
    if not intervals:
        asked["intervals"] = False
    recipe = part_of_result(call("completed", "complete_pairs", *given(T, source), **asked), "gram")
    seen = seen_of(T) | (PAIR if source is None else seen_of(source)) | ITEMS
    return _finished(T, fit_made, finish, widths, recipe, seen)


def given(T: GramMatrix, source: GramMatrix | None) -> tuple[GramMatrix, ...]:
    """What a completion was made of."""
    return (T,) if source is None else (T, source)


def problem_of(T: GramMatrix, source: GramMatrix | None) -> PairProblem:
    """What is known of a matrix, beside a source.

    Raises
    ------
    InvalidInputError
        No pair is known; a source with other items or with unknown pairs; similarities next to 0.
    """
    values = np.array(T.values)
    known = ~np.isnan(values)
    np.fill_diagonal(known, False)
    S = None
    if source is not None:
        if source.ids != T.ids:
            raise InvalidInputError(
                "The source has to be about the same items in the same order",
                f"{source.name!r} with other ids than {T.name!r}",
                "Bring both as one data set",
            )
        if np.isnan(source.values).any():
            raise InvalidInputError(
                "The source has to be known everywhere",
                f"unknown pairs in {source.name!r}",
                "Choose another source",
            )
        own = float(np.mean(np.diag(source.values)))
        S = np.array(source.values) / (own if own > 0.0 else 1.0)
    problem = PairProblem(np.where(known, values, 0.0), known.astype(np.float64), S)
    if problem.scale < SMALLEST:  # there is at least one pair
        raise InvalidInputError(
            f"Similarities of at least {SMALLEST:g} in size are completed, so that their squares can be computed",
            f"{problem.scale:.3g}",
            "Cosine-normalise them first, or divide them by a common number",
        )
    return problem


def checked_rho(rho: float | None, has_source: bool) -> float | None:
    """How much of the identity stands beside a source; infinity without one.

    Raises
    ------
    InvalidInputError
        It is not above 0.
    """
    if rho is not None and rho != np.inf:
        rho = check_range("rho", rho, low=0.0, open_low=True)
    return rho if has_source else np.inf


def _choosing(
    problem: PairProblem, wanted: Wanted, penalties: Penalties, rng: np.random.Generator
) -> Steps[Chosen]:
    """Strength, rho and rank with the smallest error on one of HELD_BACK known pairs."""
    a, rho, k = wanted
    pairs = np.argwhere(np.triu(problem.W > 0.0, 1))
    if a is not None and rho is not None and k is not None:
        return a, rho, k
    if len(pairs) < FEWEST_PAIRS:
        return a or UNCHOSEN[0], UNCHOSEN[1] if rho is None else rho, k or ranks_of(problem.n)[1]
    held = pairs[rng.permutation(len(pairs))[: len(pairs) // HELD_BACK]]
    inner, truth = problem.without(held), problem.T[tuple(held.T)]

    def error(model: PairModel) -> float:
        return float(np.sqrt(np.mean((truth - model.at(problem.S, held)) ** 2)))

    chosen, _ = yield from choosing(inner, error, wanted, penalties)
    return chosen


def _spreading(
    problem: PairProblem, L: FloatArray, chosen: Chosen, rng: np.random.Generator
) -> Steps[Spread | None]:
    """The variance of predictions, from FOLDS folds over the known pairs."""
    pairs = np.argwhere(np.triu(problem.W > 0.0, 1))
    if len(pairs) < FEWEST_PAIRS:
        return None
    a, rho, k = chosen
    order = rng.permutation(len(pairs))
    residuals, predictions, squares, traces = [], [], [], []
    for fold in range(FOLDS):
        held = pairs[order[fold::FOLDS]]
        inner = problem.without(held)
        model = yield from part(fitting(inner, L, a, k, rho), fold / FOLDS, (fold + 1) / FOLDS)
        x = model.at(problem.S, held)
        square, trace = uncertainty.leverage(_inverses(inner, model, L), model.U, held)
        residuals.append(problem.T[tuple(held.T)] - x)
        predictions.append(x)
        squares.append(square)
        traces.append(trace)
    r, x, square, trace = (np.concatenate(each) for each in (residuals, predictions, squares, traces))
    return uncertainty.spread_of(r, x, square, trace, problem.scale)


def _inverses(problem: PairProblem, model: PairModel, L: FloatArray) -> FloatArray:
    return uncertainty.inverses(problem.W, model.U, model.lam, np.diag(L))


class _Fit(NamedTuple):
    """A model with what it was fitted to, and what is known of its errors."""

    problem: PairProblem
    model: PairModel
    L: FloatArray
    chosen: Chosen
    spread: Spread | None


def _finished(
    T: GramMatrix,
    fitted: _Fit,
    finish: Finish,
    widths: tuple[FloatArray, FloatArray],
    recipe: Call,
    seen: Seen,
) -> CompletedPairs:
    problem, model, _, chosen, spread = fitted
    a, rho, k = chosen
    known = problem.W > 0.0
    predicted = model.predict(problem.S)
    made = _made(np.diag(T.values), problem, predicted, finish)
    sd, half = widths
    unseen = tuple(name for name, row in zip(T.ids, known, strict=True) if not row.any())
    gram = GramMatrix(as_symmetric(made.values), T.ids, f"{T.name} completed", recipe, seen=seen)
    size = np.linalg.svd(model.U, compute_uv=False)
    limited = size.size < problem.n and size[-1] ** 2 > 1e-6 * size[0] ** 2
    state = "not converged" if not model.converged else "rank limited" if limited else "converged"
    error = np.nan if spread is None else float(np.sqrt(spread.error))
    return CompletedPairs(
        gram, owned(predicted), owned(sd), owned(half), a, rho, k, model.c, model.m, error, made.smallest, made.moved,
        state, unseen, model, problem,
    )  # fmt: skip


def kept_values(T: GramMatrix, predicted: FloatArray) -> FloatArray:
    """Known values with predictions beside them, without negative eigenvalues: what "keep" makes of any prediction."""
    return as_symmetric(_made(np.diag(T.values), problem_of(T, None), predicted, "keep").values)


def _diagonal(own: FloatArray, problem: PairProblem) -> FloatArray:
    """Self-similarities; unknown ones are the mean of the others, or as large as any similarity that is known."""
    there = ~np.isnan(own)
    filled = float(own[there].mean()) if there.any() else float(np.abs(problem.T).max())
    return np.where(there, own, filled)


class _Made(NamedTuple):
    """A matrix, by how much known values were moved in it, and the smallest eigenvalue before that."""

    values: FloatArray
    moved: float
    smallest: float


def _made(own: FloatArray, problem: PairProblem, predicted: FloatArray, finish: Finish) -> _Made:
    """Known values and predictions, by the finish."""
    known, diagonal = problem.W > 0.0, _diagonal(own, problem)
    kept = np.where(known, problem.T, predicted)
    np.fill_diagonal(kept, diagonal)
    smallest = float(np.linalg.eigvalsh(kept)[0])
    if finish == "smooth":
        values = predicted.copy()
        np.fill_diagonal(values, diagonal)
        values = finishing.clipped(values, diagonal)
    elif finish == "exact":
        model = predicted.copy()
        np.fill_diagonal(model, diagonal)
        least = finishing.NEXT_TO_NOTHING * float(np.abs(kept).max())
        if np.linalg.eigvalsh(model)[0] < least:
            model = finishing.clipped(model, diagonal) + least * np.eye(len(model))
        free = ~known
        np.fill_diagonal(free, False)
        values, _ = finishing.completed_exactly(kept, free, model)
    elif smallest < -finishing.NEXT_TO_NOTHING * float(np.abs(kept).max()):
        values = finishing.clipped(kept, diagonal)
    else:
        values = kept
    moved = float(np.sqrt(np.mean((values - kept)[known] ** 2))) if known.any() else 0.0
    return _Made(values, moved, smallest)


def _intervals(fitted: _Fit, rng: np.random.Generator) -> Steps[tuple[FloatArray, FloatArray]]:
    """Standard deviation and half of the interval of every pair; 0 where its value is known."""
    problem, model, L, chosen, spread = fitted
    n, known, predicted = problem.n, problem.W > 0.0, model.predict(problem.S)
    if spread is None:
        made = np.where(known | np.eye(n, dtype=np.bool_), 0.0, np.nan)
        return made, made
    pairs = np.argwhere(np.triu(~known, 1))
    i, j = pairs.T
    square, trace = uncertainty.leverage(_inverses(problem, model, L), model.U, pairs)
    sd, half = np.zeros((n, n)), np.zeros((n, n))
    sd[i, j] = sd[j, i] = spread.sd(predicted[i, j], square, trace)
    half[:] = spread.quantile * sd
    unseen = np.asarray(~known.any(axis=1))
    if unseen.any():
        widths = yield from _of_unseen(problem, L, chosen, rng)
        for ends, width in widths.items():
            both = unseen[i].astype(int) + unseen[j].astype(int) == ends
            half[i[both], j[both]] = half[j[both], i[both]] = width
    return sd, half


def _of_unseen(
    problem: PairProblem, L: FloatArray, chosen: Chosen, rng: np.random.Generator
) -> Steps[Mapping[int, float]]:
    """Half of the interval of pairs with one item, or two, without any known pair: from items that were held back."""
    a, rho, k = chosen
    seen = np.flatnonzero((problem.W > 0.0).any(axis=1))
    group = np.full(problem.n, -1)
    group[seen] = rng.permutation(seen.size) % HELD_BACK
    pairs = np.argwhere(np.triu(problem.W > 0.0, 1))
    off: dict[int, list[FloatArray]] = {1: [], 2: []}
    for each in range(HELD_BACK):
        ends = (group[pairs] == each).sum(axis=1)
        inner = problem.without(pairs[ends > 0])
        if not (inner.W > 0.0).any():
            continue
        model = yield from part(fitting(inner, L, a, k, rho), each / HELD_BACK, (each + 1) / HELD_BACK)
        for count in (1, 2):
            held = pairs[ends == count]
            off[count].append(np.abs(problem.T[tuple(held.T)] - model.at(problem.S, held)))
    found = {count: np.concatenate(parts) for count, parts in off.items() if parts}
    return {count: uncertainty.covering(r) for count, r in found.items() if r.size}
