"""The highest of several: formulas beside enumeration."""

import itertools

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.learning.chance.interval import best_of_coins, best_of_drawn


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("right", [0.5, 0.8])
def test_coins_are_all_outcomes_weighed(count, right):
    n = 3
    chance = [
        np.prod([right if hit else 1 - right for hit in one]) for one in itertools.product([0, 1], repeat=n)
    ]
    hits = [sum(one) / n for one in itertools.product([0, 1], repeat=n)]
    worlds = itertools.product(range(len(hits)), repeat=count)
    expected = sum(np.prod([chance[k] for k in world]) * max(hits[k] for k in world) for world in worlds)
    assert best_of_coins(count, n, right) == pytest.approx(expected)


def test_drawn_are_all_subsets():
    values = [0.3, 0.9, 0.3, 0.5, 0.1]
    expected = [np.mean([max(s) for s in itertools.combinations(values, m)]) for m in range(1, 6)]
    np.testing.assert_allclose(best_of_drawn(values), expected)
    assert best_of_drawn(np.linspace(0.0, 1.0, 3_000))[[0, -1]] == pytest.approx([0.5, 1.0])


def test_nothing_is_refused():
    for wrong in (lambda: best_of_drawn([]), lambda: best_of_drawn([np.nan]), lambda: best_of_coins(0, 3)):
        with pytest.raises(InvalidInputError):
            wrong()
