"""One rule and one p for two measures on the same items: by other code, and what may never make it smaller."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from scipy.stats import t as student

from kernex_core import CrossValidation, compare, judge
from kernex_core.base.errors import InvalidInputError
from kernex_core.learning.chance.interval import Passes
from kernex_core.learning.chance.paired import paired


@given(
    st.integers(0, 60), st.integers(0, 60), st.integers(0, 60), st.integers(0, 60), st.sampled_from([2, 5])
)
def test_one_pass_of_right_and_wrong_by_other_code(both, gained, lost, neither, k):
    n = both + gained + lost + neither
    if n < 2:
        return
    counts = [both, gained, lost, neither]
    first, second = np.repeat([1, 1, 0, 0], counts), np.repeat([1, 0, 1, 0], counts)
    made = paired(first, second, Passes(k, 1))
    d = first - second
    exact = binomtest(gained, gained + lost).pvalue if gained + lost else 1.0
    assert made.floor_p == pytest.approx(exact)
    assert (made.first_better, made.second_better) == (gained, lost)
    v = d.var(ddof=1) / n
    if v > 0:
        f = 3.0 if n <= k else 2.0  # of one pass, whatever the folds; of leave-one-out
        t = abs(d.mean()) / np.sqrt(f * v)
        assert made.t_p == pytest.approx(2 * student.sf(t, n - 1), abs=1e-12)
        half = student.isf(0.025, n - 1) * np.sqrt(f * v)
        ends = np.clip([d.mean() - half, d.mean() + half], -1, 1)
        assert (made.interval.low, made.interval.high) == pytest.approx(tuple(ends))
        # the interval agrees with p of t
        if abs(made.t_p - 0.05) > 1e-9:
            assert (made.t_p < 0.05) == (not made.interval.low <= 0.0 <= made.interval.high)
    else:
        assert made.t_p == (1.0 if d.mean() == 0 else 0.0)
        assert made.interval.high > made.interval.low
    assert made.p == max(made.t_p, made.floor_p)
    turned = paired(second, first, Passes(k, 1))
    assert (turned.difference, turned.p) == pytest.approx((-made.difference, made.p))
    assert (turned.interval.low, turned.interval.high) == pytest.approx(
        (-made.interval.high, -made.interval.low)
    )


def test_the_variance_is_that_of_a_single_pass_and_counts_are_means_over_passes(rng):
    first, second = ((rng.random((5, 60)) < p).astype(float) for p in (0.8, 0.6))
    made = paired(first, second, Passes(2, 5))
    d = first - second
    v = np.mean([row.var(ddof=1) / 60 for row in d])
    assert made.t_p == pytest.approx(2 * student.sf(abs(d.mean()) / np.sqrt(1.6 * v), 59))
    sides = [int(np.rint((d == side).sum(axis=1).mean())) for side in (1, -1)]
    assert [made.first_better, made.second_better] == sides
    assert made.floor_p == pytest.approx(binomtest(sides[0], sum(sides)).pvalue)


@pytest.mark.parametrize("repeats", [1, 5, 20])
def test_separable_items_against_nothing_have_the_p_of_one_pass(repeats):
    """Four and four items, all right, against four right: exact p .125, whatever the repetitions."""
    x, y = np.repeat([1.0, -1.0], 4), np.repeat(["a", "b"], 4)
    protocol = CrossValidation(folds=2, repeats=repeats, C=1.0)
    good, none = (judge(K, y, protocol) for K in (np.outer(x, x) + 1e-9 * np.diag(np.arange(8)), np.eye(8)))
    assert good.multi_class.mean == 1.0
    made = compare(good, none)
    assert made.p == pytest.approx(0.125)
    assert not made.told_apart


def test_one_more_in_every_fold_is_no_proof():
    """Equal gains in all of five folds have no spread over folds: n = 40 and 41 say the same."""
    p = []
    for n in (40, 41):
        fold = np.arange(n) % 5
        second = (np.arange(n) >= 15).astype(float)
        first = second.copy()
        first[[np.flatnonzero((fold == k) & (second == 0))[0] for k in range(5)]] = 1.0
        p.append(paired(first, second, Passes(5, 1)).p)
    assert p[0] == pytest.approx(p[1], abs=0.02)
    assert min(p) > 0.05


def test_two_kernels_of_noise_are_not_told_apart():
    """Forty items whose features mean nothing, twice: whatever folds are drawn."""
    rng = np.random.default_rng(5000)
    y = np.repeat(["a", "b"], 20)
    kernels = [X @ X.T for X in rng.normal(size=(2, 40, 10))]
    for folds, repeats in ((2, 1), (2, 5), (5, 5), (10, 1)):
        a, b = (judge(K, y, CrossValidation(folds=folds, repeats=repeats, C=1.0)) for K in kernels)
        assert not compare(a, b).told_apart


def test_a_kernel_is_not_told_apart_from_itself(rng):
    right = (rng.random((3, 30)) < 0.7).astype(float)
    same = paired(right, right, Passes(2, 3))
    assert (same.difference, same.p, same.first_better, same.second_better) == (0.0, 1.0, 0, 0)
    assert same.interval.low < 0.0 < same.interval.high


def test_items_that_come_in_pairs_are_half_as_many(rng):
    first, second = (rng.random(80) < p for p in (0.8, 0.6))
    alone = paired(first, second, Passes(2, 1))
    twins = paired(
        np.repeat(first, 2),
        np.repeat(second, 2),
        Passes(2, 1),
        groups=np.repeat([f"g{i}" for i in range(80)], 2),
    )
    assert twins.p == pytest.approx(alone.p)
    assert (twins.interval.low, twins.interval.high) == pytest.approx(
        (alone.interval.low, alone.interval.high)
    )
    assert (twins.interval.over, twins.interval.units) == ("groups", 80)


@pytest.mark.parametrize("measure", ["one_vs_rest", "balanced", "matthews", "auc"])
def test_other_measures_have_the_difference_that_is_shown_and_the_sign_test_as_floor(rng, measure):
    y = np.repeat(["a", "b", "c"], 20)
    X = rng.normal(size=(60, 4)) + 1.5 * np.eye(4)[np.repeat([0, 1, 2], 20)]
    protocol = CrossValidation(folds=5, repeats=2, C=1.0)
    a, b = (judge(X[:, :d] @ X[:, :d].T, y, protocol) for d in (4, 1))
    made = compare(a, b, measure)
    assert made.difference == pytest.approx(getattr(a, measure).mean - getattr(b, measure).mean)
    d = a.by_item(measure) - b.by_item(measure)
    sides = [int(np.rint((side * d > 1e-9).sum(axis=1).mean())) for side in (1, -1)]
    assert made.paired.floor_p == pytest.approx(binomtest(sides[0], sum(sides)).pvalue)
    assert made.p >= made.paired.floor_p


@pytest.mark.parametrize(
    ("first", "second", "groups"), [([1, 0], [1, 0, 1], None), ([], [], None), ([1, 0], [1, 0], ["a"])]
)
def test_nonsense_is_refused(first, second, groups):
    with pytest.raises(InvalidInputError):
        paired(first, second, Passes(2, 1), groups=groups)
