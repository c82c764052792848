"""Intervals of every measure: the published formulas by other code, ends, groups, repetitions. Coverage: `make science`."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm
from scipy.stats import t as student
from sklearn.metrics import balanced_accuracy_score, matthews_corrcoef

from kernex_core.base.errors import InvalidInputError
from kernex_core.learning.chance.interval import Passes, interval_of, interval_of_count, judged_times, wilson
from kernex_core.learning.chance.paired import matthews_by_item, matthews_least, recall_by_item
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import SCALES
from kernex_core.learning.scores import matthews
from tests.kernex_core.learning.test_evaluate import classes_and_kernel

Z = float(norm.isf(0.025))
INDEPENDENT = Passes(1, 10**12)
"""f = 1: as if no two passes shared a training item."""


def factor(k, r):
    rho = (k - 1) / k
    return 1 + rho + (1 - rho) / r


@pytest.mark.parametrize(
    ("k", "r", "f"), [(2, 1, 2.0), (2, 5, 1.6), (2, 10, 1.55), (5, 1, 2.0), (5, 5, 1.84), (10, 5, 1.92)]
)
def test_the_factor_is_that_of_the_specification(k, r, f):
    assert Passes(k, r).factor == pytest.approx(f, abs=1e-12) == pytest.approx(factor(k, r), abs=1e-12)


@given(st.integers(2, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_right_and_wrong_have_wilsons_interval_of_n_over_f(counts):
    k, n = counts
    found = interval_of(np.arange(n) < k, INDEPENDENT)
    expected = binomtest(k, n).proportion_ci(method="wilson")
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert (found.method, found.units, found.over) == ("Wilson", n, "items")
    twice = interval_of(np.repeat(np.arange(n) < k, 2), Passes(2, 1))  # 2 n items, f = 2
    assert (twice.low, twice.high) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_a_count_is_one_pass():
    assert interval_of_count(90, 100, Passes(100, 1)) == interval_of(np.arange(100) < 90, Passes(100, 1))
    for right, n in ((-1, 5), (6, 5), (0, 0)):
        with pytest.raises(InvalidInputError):
            interval_of_count(right, n, Passes(5, 1))


def test_repetitions_never_narrow_it_beyond_the_factor(rng):
    right = (rng.random(60) < 0.7).astype(float)
    once, often = (interval_of(np.tile(right, (r, 1)), Passes(2, r)) for r in (1, 20))
    n = 60 / factor(2, 20)
    assert (often.low, often.high) == pytest.approx(wilson(right.mean(), n, Z))
    assert 1.0 < (once.high - once.low) / (often.high - often.low) < np.sqrt(2.0 / 1.5)
    # items that are right in some of the repetitions only: still the variance of a single pass
    drawn = (rng.random((20, 60)) < 0.7).astype(float)
    mixed = interval_of(drawn, Passes(2, 20))
    assert (mixed.low, mixed.high) == pytest.approx(wilson(drawn.mean(), n, Z))


def unbiased(values):
    """Variance of the mean of one pass over its items, written out; mean over the passes."""
    passes = np.atleast_2d(values)
    return np.mean([((row - row.mean()) ** 2).sum() / (row.size - 1) / row.size for row in passes])


def test_shares_of_decisions_have_as_many_items_as_their_variance_says(rng):
    shares = rng.integers(0, 10, (3, 50)) / 9
    p, f = shares.mean(), factor(5, 3)
    found = interval_of(shares, Passes(5, 3))
    assert (found.low, found.high) == pytest.approx(
        wilson(p, p * (1 - p) / unbiased(shares) / f, student.isf(0.025, 49))
    )


@pytest.mark.parametrize(
    ("scale", "to", "back", "centre"),
    [
        ("area", lambda a: np.log(a / (1 - a)), lambda t: 1 / (1 + np.exp(-t)), 0.8),
        ("correlation", np.arctanh, np.tanh, -0.4),
        ("error", np.log, np.exp, 3.0),
    ],
)
def test_other_measures_are_symmetric_on_their_scale(rng, scale, to, back, centre):
    values = centre + 0.3 * rng.normal(size=(2, 40))
    found, mean = interval_of(values, Passes(5, 2), scale=scale), values.mean()
    slope = (to(mean + 1e-6) - to(mean - 1e-6)) / 2e-6
    half = student.isf(0.025, 39) * np.sqrt(factor(5, 2) * unbiased(values)) * slope
    assert (found.low, found.high) == pytest.approx((back(to(mean) - half), back(to(mean) + half)), rel=1e-6)


@pytest.mark.parametrize(
    ("scale", "value", "ends"),
    [
        ("share", 1.0, lambda low, high: (low, 1.0)),
        ("area", 1.0, lambda low, high: (low, 1.0)),
        ("correlation", 1.0, lambda low, high: (2 * low - 1, 1.0)),
        ("area", 0.0, lambda low, high: (0.0, 1 - low)),
        ("correlation", -1.0, lambda low, high: (-1.0, 1 - 2 * low)),
    ],
)
def test_at_the_end_of_a_range_it_is_wilsons_of_the_smallest_class(scale, value, ends):
    classes = np.repeat([0, 1], [30, 10])
    low, high = wilson(1.0, 10 / factor(5, 2), Z)
    found = interval_of(np.full((2, 40), value), Passes(5, 2), scale=scale, classes=classes)
    assert (found.low, found.high) == pytest.approx(ends(low, high))


@pytest.mark.parametrize("scale", ["share", "area", "correlation", "error"])
@pytest.mark.parametrize("value", [0.0, 0.3, 0.5, 1.0])
def test_none_has_zero_length_or_leaves_its_range(scale, value):
    found = interval_of(np.full((3, 20), value), Passes(2, 3), scale=scale)
    assert found.low <= value <= found.high
    assert found.high - found.low > 0.05
    assert {"correlation": -1.0}.get(scale, 0.0) <= found.low
    assert found.high <= {"error": np.inf}.get(scale, 1.0)


def test_groups_are_drawn_as_wholes(rng):
    """Of copies, each group as one item; of groups of several sizes, sums over a group around the mean of all."""
    right = (rng.random((2, 40)) < 0.6).astype(float)
    alone = interval_of(right, Passes(2, 2))
    copied = interval_of(np.repeat(right, 3, axis=1), Passes(2, 2), groups=np.repeat(np.arange(40), 3))
    p = right.mean()
    v = np.mean([(row.var(ddof=1)) / 40 for row in right])
    assert (copied.low, copied.high) == pytest.approx(
        wilson(p, p * (1 - p) / v / 1.75, student.isf(0.025, 39))
    )
    assert copied.high - copied.low == pytest.approx(alone.high - alone.low, rel=0.03)
    assert (copied.units, copied.over) == (40, "groups")
    group = rng.permutation(np.arange(40) % 12)
    p, v = right.mean(), []
    for row in right:
        sums = np.array([(row[group == g] - row.mean()).sum() for g in range(12)])
        v.append((sums**2).sum() * 12 / 11 / 40**2)
    found = interval_of(right, Passes(2, 2), groups=group)
    assert (found.low, found.high) == pytest.approx(
        wilson(p, min(p * (1 - p) / np.mean(v), 40.0) / 1.75, student.isf(0.025, 11))
    )


def test_a_pass_that_has_no_value_is_left_out():
    values = np.vstack([np.linspace(0.2, 0.9, 30), np.full(30, np.nan)])
    assert interval_of(values, Passes(2, 2), scale="area") == interval_of(
        values[:1], Passes(2, 2), scale="area"
    )
    none = interval_of(values[1:], Passes(2, 2), scale="area")
    assert np.isnan([none.low, none.high]).all()


def test_what_is_no_value_an_item_is_refused():
    for wrong in ([], [[[1.0]]], ["a"]):
        with pytest.raises(InvalidInputError):
            interval_of(wrong, Passes(2, 1))
    with pytest.raises(InvalidInputError, match="group"):
        interval_of([1.0, 0.0], Passes(2, 1), groups=["a"])
    with pytest.raises(InvalidInputError, match="classes"):
        interval_of([1.0, 1.0], Passes(2, 1), classes=["a"])


def test_values_of_items_are_influences(rng):
    """Their mean is the measure; each is its change with the weight of the item, by finite differences."""
    truth = np.repeat([0, 1, 2], [12, 9, 7])
    named = np.where(rng.random(28) < 0.7, truth, rng.integers(0, 3, 28))
    right = (truth == named).astype(float)
    recalls, correlations = recall_by_item(right, truth), matthews_by_item(truth, named, 3)
    assert recalls.mean() == pytest.approx(balanced_accuracy_score(truth, named))
    assert correlations.mean() == pytest.approx(matthews_corrcoef(truth, named))
    sizes = np.array([12, 9, 7])[truth]
    for item in range(28):
        weight = np.ones(28)
        up, down = (np.where(np.arange(28) == item, 1 + step, weight) for step in (1e-5, -1e-5))
        for values, measure, scale in (
            (recalls, lambda w: balanced_accuracy_score(truth, named, sample_weight=w), sizes / (sizes - 1)),
            (correlations, lambda w: matthews_corrcoef(truth, named, sample_weight=w), np.ones(28)),
        ):
            slope = (measure(up) - measure(down)) / 2e-5
            expected = 28 * slope * np.sqrt(scale[item])
            assert values[item] - values.mean() == pytest.approx(expected, abs=2e-4)


def test_a_judgement_has_the_interval_of_each_of_its_measures(rng):
    K, y = classes_and_kernel(rng, gap=1.0)
    made = judge(K, y, CrossValidation(repeats=4))
    for measure, scale in SCALES.items():
        values = made.by_item(measure)
        assert values.shape == (4, 32)
        assert values.mean() == pytest.approx(getattr(made, measure).mean, abs=1e-12)
        found = made.interval(measure)
        assert found.low < getattr(made, measure).mean < found.high
        assert found.units == 32
        classes = None if measure == "multi_class" else made.codes
        least = 0.0
        if measure == "matthews":
            least = np.mean([matthews_least(made.codes, row, 3) for row in made.named])
            assert least > 0.0
        freedom = 32 - 2 if measure == "auc" else None
        assert found == interval_of(
            values, Passes(2, 4), scale=scale, classes=classes, least=least, freedom=freedom
        ), measure
    assert made.rests_on == "32 items, each judged 4 times"
    assert (made.interval().low, made.interval().high) == pytest.approx(
        wilson(made.multi_class.mean, 32 / factor(2, 4), Z)
    )
    assert replace(made, correct=np.zeros((0, 32), dtype=bool)).interval("one_vs_rest") is None
    with pytest.raises(InvalidInputError, match="measure"):
        made.interval("accuracy")


def test_one_more_item_is_as_much_as_it_is():
    """Half an item in each cell of two classes, by draws of items: the variance of the correlation that they make."""
    truth = np.repeat([0, 1], [24, 16])
    named = np.zeros(40, dtype=np.int64)
    assert matthews_least(truth, named, 2) > 0.0  # the correlation itself does not move
    counts = np.bincount(2 * truth + named, minlength=4) + 0.5
    rng = np.random.default_rng(3)
    drawn = rng.multinomial(4000, counts / counts.sum(), size=3000).reshape(-1, 2, 2)
    values = [matthews(each) for each in drawn]
    assert matthews_least(truth, named, 2) == pytest.approx(100 * np.var(values), rel=0.1)


def test_a_variance_that_is_known_better_is_the_least():
    values = 0.5 + 0.1 * np.linspace(-1, 1, 20)
    plain, wider = (interval_of(values, Passes(5, 1), scale="error", least=v) for v in (0.0, 0.01))
    half = student.isf(0.025, 19) * np.sqrt(2.0) * 0.1 / 0.5
    assert (wider.low, wider.high) == pytest.approx((0.5 * np.exp(-half), 0.5 * np.exp(half)))
    assert plain.high < wider.high
    assert plain == interval_of(values, Passes(5, 1), scale="error", least=1e-9)


def test_leaving_one_out_has_a_factor_of_its_own():
    right = np.arange(30) < 20
    for groups, folds, n in ((None, 30, 30 / 3), (None, 29, 30 / (1 + 28 / 29 + 1 / 29))):
        found = interval_of(right, Passes(folds, 1), groups=groups)
        assert (found.low, found.high) == pytest.approx(wilson(2 / 3, n, Z))
    group = np.arange(30) % 10
    spread = np.random.default_rng(1).permutation(right)
    alone, apart = (interval_of(spread, Passes(k, 1), groups=group, scale="area") for k in (10, 5))
    width = [np.log(e.high / (1 - e.high)) - np.log(e.low / (1 - e.low)) for e in (alone, apart)]
    assert width[0] / width[1] == pytest.approx(np.sqrt(3 / 2))
    alone, apart = (interval_of(spread, Passes(k, 1), scale="correlation") for k in (30, 5))
    width = [np.arctanh(each.high) - np.arctanh(each.low) for each in (alone, apart)]
    assert width[0] / width[1] == pytest.approx(np.sqrt(5 / 2))


def test_a_judgement_by_groups_draws_groups(rng):
    K, y = classes_and_kernel(rng, gap=1.0)
    groups = np.array([f"g{i // 3}" for i in range(31)] + [""])
    made = judge(K, y, CrossValidation(repeats=3, grouped=True), groups=groups)
    for measure in SCALES:
        found = made.interval(measure)
        assert (found.over, found.units) == ("groups", 12)


def test_it_says_how_often_each_item_was_judged():
    assert judged_times(1480, 1) == "1,480 items, each judged once"
    assert judged_times(296, 2) == "296 items, each judged twice"
    assert judged_times(1, 3) == "1 item, judged 3 times"


def test_its_words_name_what_it_is_for_and_what_it_allows_for():
    words = interval_of([1.0, 0.0, 1.0], Passes(2, 1)).words
    assert "for other data sets of this size" in words
    assert "shared training sets" in words
