"""Single pairs that are known are hidden, and filled in plain ways: what a completion has to beat."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import check_range, check_seed
from kernex_core.completion.scattered.factors import PairProblem
from kernex_core.completion.scattered.uncertainty import HELD_BACK
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call
from kernex_core.gram.seen import seen_of
from kernex_core.runtime.progress import Steps, part

# Plain ways to fill single unknown pairs, each from the known pairs alone or from the source alone: what has to be
# beaten.
#
# Each takes what is known and says a value for every pair; none looks at a self-similarity, nor does the model of
# `factors`.

NEIGHBOURS: Final = 10
SHRUNK: Final = (0.5, 0.25, 0.12, 0.06, 0.03, 0.015, 0.008, 0.004, 0.002)
"""Thresholds of softImpute, in units of the largest eigenvalue of what is known."""
ROUNDS: Final = 60
"""Of softImpute at a threshold, at most."""
STILL: Final = 1e-4
"""Relative change of what is filled in at which softImpute ends."""
MOST: Final = 60
"""Eigenvalues that softImpute keeps at most."""


def mean_fill(problem: PairProblem, seed: int) -> Steps[FloatArray]:
    """The mean of the known pairs, everywhere."""
    yield 0.0
    return np.full((problem.n, problem.n), _mean(problem))


def row_means(problem: PairProblem, seed: int) -> Steps[FloatArray]:
    """A value of the row and one of the column: T_ij ~ mu + r_i + r_j, by least squares, r shrunk by one pair."""
    yield 0.0
    known = (problem.W > 0.0).astype(np.float64)
    rest = known * (problem.T - _mean(problem))
    r = np.linalg.solve(known + np.diag(known.sum(axis=1) + 1.0), rest.sum(axis=1))
    return _mean(problem) + r[:, None] + r


def nearest_items(problem: PairProblem, seed: int) -> Steps[FloatArray]:
    """Mean of what is known of j with the NEIGHBOURS items nearest to i, and the other way round.

    Two items are as near as their known similarities to common others are alike: root mean square of the differences.
    """
    yield 0.0
    known = (problem.W > 0.0).astype(np.float64)
    T = known * problem.T
    common = known @ known
    squares = (T**2) @ known
    apart = squares + squares.T - 2.0 * T @ T
    # few common pairs say little: two of the mean spread are added to both
    spread = float(np.mean((problem.T[known > 0.0] - _mean(problem)) ** 2))
    apart = (np.maximum(apart, 0.0) + 4.0 * spread) / (common + 2.0)
    np.fill_diagonal(apart, np.inf)
    order = np.argsort(apart, axis=1, kind="stable")
    made = np.empty_like(T)
    for i in range(problem.n):
        of = order[i]
        # of every j those of the nearest that it is known with
        place = np.cumsum(known[of], axis=0)
        taken = known[of] * (place <= NEIGHBOURS)
        count = taken.sum(axis=0)
        made[i] = ((taken * T[of]).sum(axis=0) + _mean(problem)) / (count + 1.0)
        if i % 50 == 49:
            yield i / problem.n
    return (made + made.T) / 2.0


def source_alone(problem: PairProblem, seed: int) -> Steps[FloatArray]:
    """The source, scaled: a + b S, by least squares on the known pairs."""
    yield 0.0
    assert problem.S is not None  # the catalogue asks for one
    known = problem.W > 0.0
    x, y = problem.S[known], problem.T[known]
    slope = float(np.mean((x - x.mean()) * (y - y.mean())) / max(float(np.var(x)), np.finfo(float).tiny))
    return np.asarray(y.mean() + slope * (problem.S - x.mean()))


def soft_impute(problem: PairProblem, seed: int) -> Steps[FloatArray]:
    """Few eigenvectors of the matrix itself, without a source: eigenvalues shrunk by a threshold, filled in, and again.

    Mazumder, Hastie and Tibshirani 2010, of a symmetric matrix. The threshold is chosen by pairs that are held back, from a
    large one down, each from the last.
    """
    known = np.triu(problem.W > 0.0, 1)
    pairs = np.argwhere(known)
    rng = np.random.default_rng(seed)
    held = pairs[rng.permutation(len(pairs))[: max(1, len(pairs) // HELD_BACK)]]
    truth = problem.T[tuple(held.T)]
    errors: list[float] = []
    X = np.zeros_like(problem.T)
    for number, X in enumerate(_softly(problem.without(held))):
        errors.append(float(np.mean((X[tuple(held.T)] - truth) ** 2)))
        yield 0.5 * (number + 1) / len(SHRUNK)
        if len(errors) > 2 and errors[-1] > errors[-2] > errors[-3]:
            break
    last = int(np.argmin(errors))
    for number, X in enumerate(_softly(problem)):  # noqa: B007
        yield 0.5 + 0.5 * (number + 1) / (last + 1)
        if number == last:
            break
    return X


def _softly(problem: PairProblem) -> Iterator[FloatArray]:
    """What is filled in at every threshold, each from the last."""
    T, known = problem.T, problem.W > 0.0
    mean = float(T[known].mean()) if known.any() else 0.0
    rest = np.where(known, T - mean, 0.0)
    X = np.zeros_like(T)
    basis = np.random.default_rng(0).standard_normal((len(T), min(MOST, len(T))))
    largest = None
    for threshold in SHRUNK:
        for _ in range(ROUNDS):
            filled = np.where(known, rest, X)
            values, vectors = _top(filled, basis)
            basis = vectors
            largest = float(np.abs(values).max()) if largest is None else largest
            shrunk = np.sign(values) * np.maximum(np.abs(values) - threshold * largest, 0.0)
            before, X = X, (vectors * shrunk) @ vectors.T
            if np.linalg.norm(X - before) <= STILL * max(float(np.linalg.norm(X)), np.finfo(float).tiny):
                break
        yield X + mean


def _top(K: FloatArray, basis: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Eigenvalues of largest size, and their vectors: all of a small matrix, of a large one a step from the last."""
    if len(K) <= 2 * basis.shape[1]:
        return np.linalg.eigh(K)
    Q, _ = np.linalg.qr(K @ basis)
    Q, _ = np.linalg.qr(K @ Q)
    values, vectors = np.linalg.eigh(Q.T @ K @ Q)
    return values, Q @ vectors


def _mean(problem: PairProblem) -> float:
    return float(problem.T[problem.W > 0.0].mean())


Fill = Callable[[PairProblem, int], Steps[FloatArray]]
FILLS: Final[Mapping[str, Fill]] = MappingProxyType(
    {
        "mean": mean_fill,
        "row and column means": row_means,
        f"{NEIGHBOURS} nearest items": nearest_items,
        "source, scaled": source_alone,
        "softImpute": soft_impute,
    }
)
"""By name; the source's needs one."""
OF_SOURCE: Final = "source, scaled"


def filling(problem: PairProblem, seed: int) -> Steps[dict[str, FloatArray]]:
    """All that can be made of a problem, by name."""
    made: dict[str, FloatArray] = {}
    names = [name for name in FILLS if problem.S is not None or name != OF_SOURCE]
    for place, name in enumerate(names):
        steps = FILLS[name](problem, seed)
        made[name] = yield from part(steps, place / len(names), (place + 1) / len(names))
    return made


# Hide single pairs that are known: "how well would they be found again?".


def hide_pairs(T: GramMatrix, share: float, *, seed: int = 0) -> GramMatrix:
    """Make a share of the known pairs of two different items unknown; larger shares of one seed hide these and more.

    Parameters
    ----------
    T : GramMatrix
    share : float
        0 to 0.95, of the known pairs; of a share above 0 at least one is hidden, and at least one stays known.
    seed : int

    Raises
    ------
    InvalidInputError
        No pair is known.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import GramMatrix, hide_pairs
    >>> hide_pairs(GramMatrix(np.ones((5, 5))), 0.3).unknown.unknown_pairs
    3
    """
    share = check_range("The hidden share", share, 0.0, 0.95)
    pairs = np.argwhere(np.triu(~np.isnan(T.values), 1))
    if not len(pairs):
        raise InvalidInputError(
            "Pairs to hide have to be known", f"none in {T.name!r}", "Bring some similarities"
        )
    order = np.random.default_rng(check_seed(seed)).permutation(len(pairs))
    count = max(round(share * len(pairs)), 1) if share > 0.0 else 0
    at = pairs[order[: min(count, len(pairs) - 1)]]
    values = np.array(T.values)
    values[at[:, 0], at[:, 1]] = values[at[:, 1], at[:, 0]] = np.nan
    made = call("hidden", "hide_pairs", T, share, seed=seed)
    return GramMatrix(values, T.ids, T.name, made, seen=seen_of(T))
