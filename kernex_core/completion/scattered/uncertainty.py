"""Strength, source and number of factors, chosen by pairs that were held back; and how sure the model is of every pair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.base.jit import jit
from kernex_core.completion.scattered.factors import (
    STRENGTHS,
    SWEEPS,
    PairModel,
    PairProblem,
    begin,
    source_penalty,
    swept,
)
from kernex_core.runtime.progress import Steps, part

# How sure the model is of every pair, and which pair to measure next.

COVERAGE: Final = 0.9
FLOOR: Final = 0.05
"""Of the mean square of the residuals: no variance is below."""
REWEIGHTINGS: Final = 3
FEW: Final = 0.05
"""Share of known pairs below which a tenth of the others are candidates to be measured, and not a third."""


def inverses(W: FloatArray, U: FloatArray, lam: float, own: FloatArray) -> FloatArray:
    """C_i = (sum_j W_ij u_j u_j' + lam L_ii I)^-1 for every item, (n, k, k).

    Parameters
    ----------
    W : (n, n) float
        Weights, 0 on the diagonal.
    U : (n, k) float
    lam : float
    own : (n,) float
        Diagonal of L.
    """
    n, k = U.shape
    outer = np.einsum("ia,ib->iab", U, U).reshape(n, k * k)
    A = (W @ outer).reshape(n, k, k) + lam * own[:, None, None] * np.eye(k)
    return np.linalg.inv(A)


def leverage(C: FloatArray, U: FloatArray, pairs: IntArray) -> tuple[FloatArray, FloatArray]:
    """What the factors of both items leave open about pairs, in units of the error of one known pair.

    lev_ij = u_j'C_i u_j + u_i'C_j u_i + e tr(C_i C_j), where e is the mean square of the residuals. The first term is the
    change of the prediction of a pair for each unit by which its value, added with a small weight, differs.

    Parameters
    ----------
    C : (n, k, k) float
        See `inverses`.
    U : (n, k) float
    pairs : (p, 2) int

    Returns
    -------
    square : (p,) float
        The first two terms.
    trace : (p,) float
        tr(C_i C_j), to be taken times e.
    """
    # one layout of arrays: another one would be compiled anew
    return _leverage(C, U, np.ascontiguousarray(pairs))


@jit
def _leverage(C: FloatArray, U: FloatArray, pairs: IntArray) -> tuple[FloatArray, FloatArray]:
    k = U.shape[1]
    square, trace = np.empty(len(pairs)), np.empty(len(pairs))
    for p in range(len(pairs)):
        i, j = pairs[p, 0], pairs[p, 1]
        square[p] = np.dot(U[j], np.dot(C[i], U[j])) + np.dot(U[i], np.dot(C[j], U[i]))
        trace[p] = np.dot(C[i].reshape(k * k), C[j].reshape(k * k))
    return square, trace


@dataclass(frozen=True, eq=False)
class Spread(EqualByContent):
    """The variance of what a prediction is off, fitted to pairs that were held back.

    r^2 ~ (1 + lev) (b0 e + b1 e x+^2 / s^2 + b2 (x - s)+^2)

    Attributes
    ----------
    weights : tuple of three floats
        b0, b1, b2, at least 0.
    error : float
        e, the mean square of the residuals.
    scale : float
        s, the root mean square of the known pairs.
    quantile : float
        Of |residual| / sd, at (.9 (1 + 1/N)): an interval is the prediction ± that many sd.
    """

    weights: tuple[float, float, float]
    error: float
    scale: float
    quantile: float

    def sd(self, x: FloatArray, square: FloatArray, trace: FloatArray) -> FloatArray:
        """Standard deviation of pairs with predictions x and the two parts of their leverage."""
        lev = 1.0 + square + self.error * trace
        fitted = lev * (_terms(x, self.error, self.scale) @ np.array(self.weights))
        return np.asarray(np.sqrt(np.maximum(fitted, FLOOR * self.error)))


def _terms(x: FloatArray, e: float, s: float) -> FloatArray:
    above = np.maximum(x, 0.0) / s  # squares of squares would not fit
    return np.stack([np.full(x.shape, e), e * above**2, np.maximum(x - s, 0.0) ** 2], axis=-1)


def spread_of(r: FloatArray, x: FloatArray, square: FloatArray, trace: FloatArray, scale: float) -> Spread:
    """Fit the variance to residuals r of pairs that were held back, with their predictions x.

    Nonnegative least squares of r^2, then REWEIGHTINGS times with weights 1 / fitted.
    """
    e = float(np.mean(r**2))
    floor = max(FLOOR * e, np.finfo(np.float64).tiny)
    lev = 1.0 + square + e * trace
    design = lev[:, None] * _terms(x, e, scale)
    fitted = np.full(r.shape, max(e, floor))
    weights = np.zeros(3)
    for _ in range(1 + REWEIGHTINGS):
        row = 1.0 / fitted
        weights, _ = scipy.optimize.nnls(design * row[:, None], r**2 * row)
        fitted = np.maximum(design @ weights, floor)
    b0, b1, b2 = (float(w) for w in weights)
    return Spread((b0, b1, b2), e, scale, covering(np.abs(r) / np.sqrt(fitted)))


def covering(off: FloatArray) -> float:
    """What 9 of 10 more stay below, by N that were held back: their (.9 (1 + 1/N))-quantile."""
    return float(np.quantile(off, min(1.0, COVERAGE * (1.0 + 1.0 / off.size))))


def one_in(W: FloatArray) -> int:
    """One of so many unknown pairs is a candidate to be measured: fewer while little is known."""
    known = int(np.count_nonzero(W))
    return 10 if known / max(W.size - len(W), 1) < FEW else 3


def worth(C: FloatArray, U: FloatArray, pairs: IntArray, sd: FloatArray, error: float) -> FloatArray:
    """g of `gains`: the variance of each pair in units of what its factors leave open, sd^2 / (1 + lev).

    Parameters
    ----------
    C, U, pairs
        As in `leverage`.
    sd : (p,) float
        NaN = not known: all are worth as much.
    error : float
        Root mean square of the residuals; NaN = not known.
    """
    square, trace = leverage(C, U, pairs)
    e = 0.0 if np.isnan(error) else error**2
    return np.asarray(np.where(np.isnan(sd), 1.0, sd**2) / (1.0 + square + e * trace))


def gains(C: FloatArray, U: FloatArray, pairs: IntArray, g: FloatArray) -> FloatArray:
    """What all of the rows of both items would gain if a pair were measured.

    g (v'U'Uv / (1 + u_j'v), v = C_i u_j, and the same with i and j exchanged)
    """
    return np.asarray(g * _gains(C, U, U.T @ U, np.ascontiguousarray(pairs)))


@jit
def _gains(C: FloatArray, U: FloatArray, G: FloatArray, pairs: IntArray) -> FloatArray:
    found = np.empty(len(pairs))
    for p in range(len(pairs)):
        i, j = pairs[p, 0], pairs[p, 1]
        v, w = np.dot(C[i], U[j]), np.dot(C[j], U[i])
        found[p] = np.dot(v, np.dot(G, v)) / (1.0 + np.dot(U[j], v))
        found[p] += np.dot(w, np.dot(G, w)) / (1.0 + np.dot(U[i], w))
    return found


def most_telling(
    C: FloatArray, U: FloatArray, pairs: IntArray, g: FloatArray, count: int
) -> tuple[IntArray, FloatArray]:
    """The pairs to measure, one after the other: after each the rows of its items are surer, and others come first.

    Returns
    -------
    chosen : (count,) int
        Positions in `pairs`.
    gain : (count,) float
        When it was chosen.
    """
    C = C.copy()
    score = gains(C, U, pairs, g)
    taken = np.zeros(len(pairs), dtype=np.bool_)
    chosen, gained = [], []
    for _ in range(min(count, len(pairs))):
        best = int(np.argmax(np.where(taken, -np.inf, score)))
        taken[best] = True
        chosen.append(best)
        gained.append(float(score[best]))
        i, j = (int(k) for k in pairs[best])
        for a, b in ((i, j), (j, i)):
            v = C[a] @ U[b]
            C[a] -= np.outer(v, v) / (1.0 + float(U[b] @ v))
        near = np.flatnonzero((pairs == i).any(axis=1) | (pairs == j).any(axis=1))
        score[near] = gains(C, U, pairs[near], g[near])
    return np.array(chosen, dtype=np.int64), np.array(gained)


# Strength, source and number of factors of a fit of scattered pairs, chosen by pairs that were held back.
#
# A path goes from a strong penalty down to a weak one, for three values of rho; then for the neighbours of the best;
# then for other numbers of factors.

RHOS: Final = (0.1, 0.3, 1.0, 3.0, np.inf)
FIRST_RHOS: Final = (0.1, 1.0, np.inf)
RANKS: Final = (30, 10, 60)
"""The first is tried with every rho, the others with the best one."""
LARGE: Final = 120
"""Items from which on so many factors as the last of RANKS are tried."""
HELD_BACK: Final = 5
"""One of so many known pairs is held back while something is chosen by it."""
UNCHOSEN: Final = (0.3, 1.0)
"""Strength and rho where there are too few pairs to choose by."""

Chosen = tuple[float, float, int]
"""Strength, rho and number of factors."""
Wanted = tuple[float | None, float | None, int | None]
"""The same; None is chosen."""


class Penalties:
    """L of one source, each rho's once: it takes an eigendecomposition."""

    def __init__(self, problem: PairProblem) -> None:
        self._S, self._n = problem.S, problem.n
        self._made: dict[float, FloatArray] = {}

    def of(self, rho: float) -> FloatArray:
        """Return L, (n, n)."""
        if rho not in self._made:
            self._made[rho] = source_penalty(self._S, self._n, rho)
        return self._made[rho]


def ranks_of(n: int) -> list[int]:
    """Numbers of factors that are tried for n items, the one of the first paths first."""
    return [min(each, n) for each in (RANKS if n >= LARGE else RANKS[:2])]


def choosing(
    inner: PairProblem, loss: Callable[[PairModel], float], wanted: Wanted, penalties: Penalties
) -> Steps[tuple[Chosen, float]]:
    """What fits `inner` with the smallest loss, and that loss.

    Parameters
    ----------
    inner : PairProblem
        Without the pairs that were held back.
    loss : callable
        Of a model, on these pairs.
    wanted : tuple
    penalties : Penalties
    """
    a, rho, k = wanted
    ranks = ranks_of(inner.n)
    found: dict[tuple[float, int], tuple[float, float]] = {}

    def tried(at: float, size: int) -> Steps[None]:
        if (at, size) not in found:
            found[at, size] = yield from _path(inner, loss, penalties.of(at), size, a)

    def best() -> tuple[float, int]:
        return min(found, key=lambda key: found[key][0])

    first = k or ranks[0]
    yield from _in_turn([tried(each, first) for each in (FIRST_RHOS if rho is None else (rho,))], 0.0, 0.6)
    if rho is None:
        place = RHOS.index(best()[0])
        near = [each for each in RHOS[max(0, place - 1) : place + 2] if (each, first) not in found]
        yield from _in_turn([tried(each, first) for each in near], 0.6, 0.8)
    if k is None:
        at = best()[0]
        yield from _in_turn([tried(at, size) for size in ranks[1:]], 0.8, 1.0)
    at, size = best()
    error, strength = found[at, size]
    return (strength, at, size), error


def _in_turn(works: Sequence[Steps[None]], start: float, end: float) -> Steps[None]:
    """One after the other, each the same share of what lies between both ends."""
    width = (end - start) / max(len(works), 1)
    for number, work in enumerate(works):
        yield from part(work, start + width * number, start + width * (number + 1))


def _path(
    inner: PairProblem, loss: Callable[[PairModel], float], L: FloatArray, k: int, only: float | None
) -> Steps[tuple[float, float]]:
    """Smallest loss, and the strength that it has; ends after two rises."""
    model = begin(inner, k)
    best, at, before, rises = np.inf, STRENGTHS[0], np.inf, 0
    for number, a in enumerate(_down_to(only)):
        model = swept(inner, model, L, a * inner.scale, SWEEPS, 0.0)
        yield (number + 1) / (len(STRENGTHS) + 1)
        if only is not None and a != only:
            continue
        error = loss(model)
        if error < best:
            best, at = error, a
        rises = rises + 1 if error > before else 0
        before = error
        if rises == 2:
            break
    return best, at


def _down_to(only: float | None) -> Sequence[float]:
    return STRENGTHS if only is None else (*(a for a in STRENGTHS if a > only), only)
