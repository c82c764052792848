import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest, chi2, chi2_contingency
from scipy.stats import t as student

from kernex_core.base.errors import InvalidInputError
from kernex_core.learning.chance.interval import best_of_coins
from kernex_core.learning.chance.paired import corrected_t_p, holm, mcnemar_p, yates_p
from kernex_core.learning.folds import CrossValidation, make_folds


def test_yates_reproduces_the_papers_table():
    got = [yates_p(1030 * a / 100, 1030 * 0.959, 1030) for a in (98.5, 97.6, 95.5)]
    np.testing.assert_allclose(
        got, [0.0005752970878473979, 0.04022987304661057, 0.7347090381036643], rtol=1e-12
    )


def test_yates_is_scipys_on_whole_numbers():
    table = [[80, 20], [65, 35]]
    assert yates_p(80, 65, 100) == pytest.approx(chi2_contingency(table, correction=True).pvalue)
    assert yates_p(100, 100, 100) == 1.0
    with pytest.raises(InvalidInputError):
        yates_p(101, 50, 100)


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_the_exact_binomial_test(a, b):
    """Both tails summed by hand: outcomes no likelier than the one that was seen."""
    n = a + b
    seen = binom.pmf(a, n, 0.5) * (1 + 1e-9)
    outcomes = binom.pmf(np.arange(n + 1), n, 0.5)
    assert mcnemar_p(a, b) == pytest.approx(outcomes[outcomes <= seen].sum())


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_the_step_down_procedure(p):
    """The i-th smallest is the largest of (m − j) p_(j) up to it, at most 1 (written out, one at a time)."""
    order, least, expected = sorted(range(len(p)), key=lambda i: p[i]), 0.0, [0.0] * len(p)
    for step, i in enumerate(order):
        least = max(least, min((len(p) - step) * p[i], 1.0))
        expected[i] = least
    assert holm(p) == pytest.approx(expected)


def test_mcnemar_by_hand():
    assert mcnemar_p(0, 0) == 1.0
    assert mcnemar_p(5, 0) == pytest.approx(2 / 32)


def test_corrected_t_by_hand_is_wider_than_the_plain_one():
    d = [0.1, 0.2, 0.0, 0.1]
    from scipy.stats import t, ttest_1samp

    statistic = np.mean(d) / np.sqrt((1 / 4 + 1.0) * np.var(d, ddof=1))
    assert corrected_t_p(d, 1.0) == pytest.approx(2 * t.sf(statistic, 3))
    assert corrected_t_p(d, 0.0) == pytest.approx(ttest_1samp(d, 0).pvalue)
    assert corrected_t_p([0.0] * 4, 1.0) == 1.0
    assert all(np.isnan(corrected_t_p([0.1, 0.2, 0.1, 0.0][:n], 1.0)) for n in range(4))


@pytest.mark.parametrize("k", [4, 10, 100])
@pytest.mark.parametrize("gain", [0.5, -0.1, 1.0 / 3.0])
def test_folds_that_all_gain_the_same_are_no_proof_beyond_their_number(k, gain):
    """All right against half right in four folds of two passes: no spread, and p was 0."""
    p = corrected_t_p(gain + 1e-15 * np.arange(k) * gain, 1.0)
    assert p == pytest.approx(binomtest(0, k, 0.5).pvalue)


def test_holm_by_hand_keeps_the_order():
    assert holm([0.04, 0.01, 0.03]) == pytest.approx((0.06, 0.03, 0.06))


def exchangeable_accuracies(rng, folds):
    """Fold accuracies of nearest class means on two measurements of the same items, neither of them better."""
    codes = np.repeat([0, 1, 2], 15)
    items = 1.2 * np.eye(3)[codes] + 0.7 * rng.normal(size=(45, 3))
    views = items + rng.normal(size=(2, 45, 3))
    for train, test, _ in folds:
        means = np.stack([views[:, train[codes[train] == c]].mean(axis=1) for c in range(3)], axis=1)
        distances = ((views[:, test, None] - means[:, None]) ** 2).sum(axis=3)
        yield (distances.argmin(axis=2) == codes[test]).mean(axis=1)


@pytest.mark.science
def test_the_test_that_comes_first_seldom_finds_a_difference_where_there_is_none():
    """Below .07 in 1,000 simulations at .05, where its size is about .02; the same data fool Yates' test much oftener."""
    codes, rejected = np.repeat([0, 1, 2], 15), np.zeros(2, dtype=int)
    n = 1_000
    for seed in range(n):
        folds = make_folds(codes, CrossValidation(folds=2, repeats=5, seed=seed))
        found = np.array(list(exchangeable_accuracies(np.random.default_rng([3, seed]), folds)))
        right = found.mean(axis=0) * 225
        p = corrected_t_p(found[:, 0] - found[:, 1], 1.0), yates_p(*np.minimum(right, 225), 225)
        rejected += np.array(p) < 0.05
    first, last = (rejected / n).tolist()
    assert first < 0.07 < 0.15 < last
    # that a size of .04 gives .07 or more in so many simulations has a chance below 1e-5
    assert binom.sf(0.07 * n - 1, n, 0.04) < 1e-5


@given(st.integers(1, 10**6), st.integers(0, 10**6), st.integers(0, 10**6))
def test_the_tail_of_chi_squared_is_that_of_scipy_stats(n, a, b):
    a, b = min(a, n), min(b, n)
    right, wrong = a + b, 2 * n - a - b
    if right and wrong:
        statistic = 2 * n * (max(abs(a - b) - 1, 0) / n) ** 2 / ((right / n) * (wrong / n))
        np.testing.assert_allclose(yates_p(a, b, n), chi2.sf(statistic, 1), rtol=1e-12, atol=1e-300)


@given(st.lists(st.floats(-1.0, 1.0), min_size=10, max_size=60), st.floats(0.01, 1.0))
def test_the_tail_of_t_is_that_of_scipy_stats(differences, share):
    values = np.array(differences)
    if np.ptp(values) > 1e-6:
        t = values.mean() / np.sqrt((1 / values.size + share) * values.var(ddof=1))
        expected = 2 * student.sf(abs(t), values.size - 1)
        np.testing.assert_allclose(corrected_t_p(differences, share), expected, rtol=1e-11)


@given(st.integers(1, 200), st.integers(1, 300), st.floats(0.0, 1.0))
def test_the_best_of_coins_is_of_the_binomial_distribution_of_scipy_stats(count, n, right):
    expected = (1.0 - binom.cdf(np.arange(n), n, right) ** count).sum() / n
    np.testing.assert_allclose(best_of_coins(count, n, right), expected, rtol=1e-11, atol=1e-13)
