"""SimpleMKL's way down the simplex: reduced gradients with a golden search, for comparison and teaching.

Rakotomamonjy, Bach, Canu and Grandvalet, SimpleMKL, JMLR 2008, Algorithm 1. Every point of the search costs the objective
once, which is why it needs many more of them than projected gradients do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from kernex_core.frozen import FloatArray
from kernex_core.learning.mkl.simplex import At, Iterate, onto_simplex

_GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0
_BRACKET = 1e-1
"""Share of the first bracket at which a golden search ends, as in the authors' toolbox; made finer where a step gains
nothing."""
_FINEST = 1e-8
_NOTHING = 1e-8
"""Weights below are 0: they would leave no way to go."""


def reducing(look: Callable[[FloatArray], At], start: FloatArray) -> Iterator[Iterate]:
    """Iterates of the reduced gradient from `start` on, without an end: the caller stops at the gap that it wants.

    Parameters
    ----------
    look : callable
        Value, gradient and gap of a convex objective at weights on the simplex.
    start : (M,)
        Is put on the simplex.
    """
    search = _Search(look)
    weights = onto_simplex(np.asarray(start, dtype=np.float64))
    here = search.at(weights)
    while True:
        yield Iterate(weights, here, search.evaluations)
        before = here.value
        weights, here = search.step(weights, here)
        if here.value >= before:
            search.bracket = max(search.bracket / 10.0, _FINEST)


class _Search:
    """One step after another, counting how often the objective was computed."""

    def __init__(self, look: Callable[[FloatArray], At]) -> None:
        self.look, self.evaluations, self.bracket = look, 0, _BRACKET

    def at(self, weights: FloatArray) -> At:
        self.evaluations += 1
        return self.look(weights)

    def step(self, weights: FloatArray, here: At) -> tuple[FloatArray, At]:
        """To the edge of the simplex while the objective falls, then a golden search."""
        weights = np.where(weights < _NOTHING, 0.0, weights)
        weights /= weights.sum()
        pivot = int(weights.argmax())
        way = _direction(weights, here.gradient, pivot)
        end = _longest(weights, way)
        while end > 0.0:
            edge = np.maximum(weights + end * way, 0.0)
            edge /= edge.sum()
            there = self.at(edge)
            if there.value >= here.value:
                break
            weights, here = edge, there
            way = _kept(way, weights, pivot)
            end = _longest(weights, way)
        return self._golden(weights, here, way, end) if end > 0.0 else (weights, here)

    def _golden(self, weights: FloatArray, here: At, way: FloatArray, end: float) -> tuple[FloatArray, At]:
        low, high = 0.0, end
        best = weights, here
        points = [high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)]
        found = [self.at(weights + share * way) for share in points]
        while True:
            better = 0 if found[0].value <= found[1].value else 1
            if found[better].value < best[1].value:
                best = weights + points[better] * way, found[better]
            if high - low <= self.bracket * end:
                return best
            if better == 0:
                high, points[1], found[1] = points[1], points[0], found[0]
                points[0] = high - _GOLDEN * (high - low)
            else:
                low, points[0], found[0] = points[0], points[1], found[1]
                points[1] = low + _GOLDEN * (high - low)
            found[better] = self.at(weights + points[better] * way)


def _direction(weights: FloatArray, gradient: FloatArray, pivot: int) -> FloatArray:
    """Downhill, with the sum of the weights kept by the largest one."""
    way = gradient[pivot] - gradient
    way[(weights <= 0.0) & (way < 0.0)] = 0.0
    way[pivot] = 0.0
    way[pivot] = -way.sum()
    return np.asarray(way)


def _kept(way: FloatArray, weights: FloatArray, pivot: int) -> FloatArray:
    """The same direction without the weights that have come to 0."""
    made = np.where((weights > 0.0) | (way > 0.0), way, 0.0)
    made[pivot] = 0.0
    made[pivot] = -made.sum()
    return np.asarray(made)


def _longest(weights: FloatArray, way: FloatArray) -> float:
    """Longest step that stays on the simplex; 0 where there is no way."""
    falling = way < 0.0
    return float((weights[falling] / -way[falling]).min()) if falling.any() else 0.0
