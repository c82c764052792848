"""Intervals over items: other code, coverage by simulation, and what repetitions and groups do to them."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from kernex_core.errors import InvalidInputError
from kernex_core.learning.chance.interval import FEW, judged_times, of_count, over_items
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from tests.kernex_core.learning.test_evaluate import classes_and_kernel


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_one_pass_has_wilsons_interval(counts):
    k, n = counts
    made = over_items(np.arange(n) < k)
    expected = binomtest(k, n).proportion_ci(method="wilson")
    assert (made.low, made.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert (made.method, made.units, made.over) == ("Wilson", n, "items")


def test_a_count_is_one_pass():
    assert of_count(90, 100) == over_items(np.arange(100) < 90)
    for right, n in ((-1, 5), (6, 5), (0, 0)):
        with pytest.raises(InvalidInputError):
            of_count(right, n)


def bootstrap_item_by_item(scores, classes, units, rng, draws=20_000):
    """Draw units one by one and average item by item."""
    mean, names = scores.mean(axis=0), np.unique(units)
    found = []
    for _ in range(draws):
        at = np.concatenate([np.flatnonzero(units == u) for u in rng.choice(names, names.size)])
        drawn = classes[at]
        found.append(np.mean([mean[at[drawn == c]].mean() for c in np.unique(drawn)]))
    return np.quantile(found, [0.025, 0.975])


@pytest.mark.parametrize("by_class", [False, True])
@pytest.mark.parametrize("grouped", [False, True])
def test_repetitions_are_averaged_and_items_or_groups_drawn(rng, by_class, grouped):
    n = 60
    classes = np.repeat([0, 1, 2], [30, 20, 10])
    scores = rng.random((4, n)) < np.where(rng.random(n) < 0.3, 0.3, 0.9)
    units = rng.integers(0, 25, n) if grouped else np.arange(n)
    made = over_items(
        scores, classes=classes if by_class else None, groups=units if grouped else None, draws=20_000
    )
    expected = bootstrap_item_by_item(
        scores, classes if by_class else np.zeros(n, dtype=int), units, rng, draws=4_000
    )
    # the ends of 4,000 draws vary by about .02 of the interval's length each
    assert (made.low, made.high) == pytest.approx(tuple(expected), abs=0.1 * (made.high - made.low))
    assert (made.method, made.over) == ("bootstrap", "groups" if grouped else "items")
    assert made.units == np.unique(units).size


@pytest.mark.parametrize(("n", "accuracy"), [(60, 0.7), (200, 0.8)])
def test_it_covers_the_accuracy_of_the_population_as_often_as_it_says(n, accuracy):
    """Items that differ in difficulty, judged five times: 95 % of 400 samples, within the chance of 1e-5."""
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(400):
        difficulty = rng.beta(2 * accuracy, 2 * (1 - accuracy), n)
        made = over_items(rng.random((5, n)) < difficulty, draws=400)
        covered += made.low <= accuracy <= made.high
    # a percentile interval may fall short of .95 by about 1.5 points at 60 items
    assert binom.ppf(1e-5, 400, 0.935) <= covered <= binom.isf(1e-5, 400, 0.965)


def test_repeating_a_pass_makes_no_interval_shorter(rng):
    one = rng.random(150) < 0.8
    once, often = over_items(one), over_items(np.tile(one, (20, 1)))
    assert often.half_width == pytest.approx(once.half_width, rel=0.1)
    assert often.method == "bootstrap"


def test_copies_of_an_item_in_one_group_are_one_item(rng):
    right = rng.random(40) < 0.6
    singly = over_items(np.tile(right, (2, 1)), seed=1)
    copied = over_items(
        np.repeat(np.tile(right, (2, 1)), 5, axis=1), groups=np.repeat(np.arange(40), 5), seed=1
    )
    assert (copied.low, copied.high) == (singly.low, singly.high)


@pytest.mark.parametrize("wrong", [0, FEW - 1])
def test_few_mistakes_leave_no_room_for_a_bootstrap(wrong):
    scores = np.ones((5, 50))
    scores[:2, :wrong] = 0.0
    made = over_items(scores)
    assert made.method == "Wilson"
    assert made.low < scores.mean() - 0.02
    exact = binomtest(50, 50).proportion_ci(method="wilson")
    assert wrong or made.low == pytest.approx(exact.low)


def test_what_is_no_share_is_refused():
    for scores in ([0.2, 1.2], [], [np.nan, 1.0]):
        with pytest.raises(InvalidInputError):
            over_items(scores)
    with pytest.raises(InvalidInputError, match="groups"):
        over_items([1.0, 0.0], groups=[1])


def test_it_says_how_often_each_item_was_judged():
    assert judged_times(1480, 1) == "1,480 items, each judged once"
    assert judged_times(296, 2) == "296 items, each judged twice"
    assert judged_times(1, 3) == "1 item, judged 3 times"


def test_a_judgement_has_intervals_of_its_accuracies(rng):
    K, y = classes_and_kernel(rng, gap=1.0)
    made = judge(K, y, CrossValidation(repeats=4))
    for measure in ("multi_class", "one_vs_rest", "balanced"):
        interval = made.interval(measure)
        assert interval is not None
        assert interval.low < getattr(made, measure).mean < interval.high
        assert interval.units == 32
    assert made.decided[:, made.labelled].mean() == pytest.approx(made.one_vs_rest.mean)
    assert made.rests_on == "32 items, each judged 4 times"
    assert made.interval() == over_items(made.correct)
    assert replace(made, decided=np.zeros((0, 0))).interval("one_vs_rest") is None


def test_a_judgement_by_groups_draws_groups(rng):
    K, y = classes_and_kernel(rng, gap=1.0)
    groups = np.array([f"g{i // 3}" for i in range(31)] + [""])
    made = judge(K, y, CrossValidation(repeats=3, grouped=True), groups=groups)
    interval = made.interval()
    assert interval is not None
    assert (interval.over, interval.units) == ("groups", 12)
