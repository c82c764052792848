"""Intervals of differences over items: the published formula by other code, coverage by simulation, groups."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernex_core.errors import InvalidInputError
from kernex_core.learning.chance.paired import of_difference


def bonett_price(only_first, only_second, n):
    """Adjusted Wald interval of the difference of two paired proportions, from its two counts."""
    p, q = (only_first + 1) / (n + 2), (only_second + 1) / (n + 2)
    half = 1.959963984540054 * math.sqrt((p + q - (p - q) ** 2) / (n + 2))
    return max(p - q - half, -1.0), min(p - q + half, 1.0)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
def test_one_pass_has_the_published_interval(both, only_first, only_second, neither):
    n = both + only_first + only_second + neither
    if n == 0:
        return
    counts = [both, only_first, only_second, neither]
    made = of_difference(np.repeat([1, 1, 0, 0], counts), np.repeat([1, 0, 1, 0], counts))
    assert (made.low, made.high) == pytest.approx(bonett_price(only_first, only_second, n), abs=1e-12)
    assert (made.units, made.over) == (n, "items")


@pytest.mark.parametrize(("n", "gained", "lost"), [(40, 0.02, 0.0), (40, 0.1, 0.05), (200, 0.03, 0.03)])
def test_it_covers_as_often_as_it_says(n, gained, lost):
    """1,000 samples; 93 % is three standard errors below 95 %."""
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(1000):
        kind = rng.choice(3, size=n, p=[gained, lost, 1 - gained - lost])
        made = of_difference(kind != 1, kind != 0)
        covered += made.low <= gained - lost <= made.high
    assert covered >= 930


def test_repetitions_of_the_same_decisions_say_nothing_more(rng):
    first, second = rng.random(50) < 0.8, rng.random(50) < 0.6
    once = of_difference(first, second)
    assert of_difference([first] * 5, [second] * 5) == once
    turned = of_difference(second, first)
    assert (turned.low, turned.high) == pytest.approx((-once.high, -once.low))


def test_items_that_come_in_pairs_are_half_as_many(rng):
    first, second = rng.random(80) < 0.8, rng.random(80) < 0.6
    alone = of_difference(first, second)
    twins = of_difference(
        np.repeat(first, 2), np.repeat(second, 2), groups=np.repeat([f"g{i}" for i in range(80)], 2)
    )
    assert (twins.low, twins.high) == pytest.approx((alone.low, alone.high), abs=1e-12)
    assert (twins.over, twins.units) == ("groups", 80)


@pytest.mark.parametrize(
    ("first", "second", "groups"),
    [([1, 0], [1, 0, 1], None), ([], [], None), ([1, 2], [1, 0], None), ([1, np.nan], [1, 0], None),
     ([1, 0], [1, 0], ["a"])],
)  # fmt: skip
def test_nonsense_is_refused(first, second, groups):
    with pytest.raises(InvalidInputError):
        of_difference(first, second, groups=groups)
