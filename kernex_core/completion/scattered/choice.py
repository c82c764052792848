"""Strength, source and number of factors of a fit of scattered pairs, chosen by pairs that were held back.

A path goes from a strong penalty down to a weak one, for three values of rho; then for the neighbours of the best; then for
other numbers of factors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from kernex_core.base.frozen import FloatArray
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
