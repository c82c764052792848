import numpy as np
import pytest
from scipy.stats import chi2_contingency

from kernex_core.errors import InvalidInputError
from kernex_core.learning.compare import compare, compare_all, corrected_t_p, holm, mcnemar_p, yates_p
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from tests.kernex_core.learning.test_evaluate import classes_and_kernel


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


def test_mcnemar_by_hand():
    assert mcnemar_p(0, 0) == 1.0
    assert mcnemar_p(5, 0) == pytest.approx(2 / 32)


def test_corrected_t_by_hand_is_wider_than_the_plain_one():
    d = [0.1, 0.2, 0.0, 0.1]
    from scipy.stats import t, ttest_1samp

    statistic = np.mean(d) / np.sqrt((1 / 4 + 1.0) * np.var(d, ddof=1))
    assert corrected_t_p(d, 1.0) == pytest.approx(2 * t.sf(statistic, 3))
    assert corrected_t_p(d, 0.0) == pytest.approx(ttest_1samp(d, 0).pvalue)
    assert corrected_t_p([0.0, 0.0], 1.0) == 1.0
    assert np.isnan(corrected_t_p([0.1], 1.0))


def test_holm_by_hand_keeps_the_order():
    assert holm([0.04, 0.01, 0.03]) == pytest.approx((0.06, 0.03, 0.06))


def test_two_kernels_on_the_same_folds(rng):
    K, y = classes_and_kernel(rng)
    noise = np.eye(len(y))
    good, bad = (judge(M, y, CrossValidation(repeats=2)) for M in (K, noise))
    made = compare(good, bad)
    assert made.difference == pytest.approx(good.multi_class.mean - bad.multi_class.mean)
    assert made.only_first > made.only_second
    assert made.mcnemar_p < 0.01
    assert compare(good, good).mcnemar_p == 1.0
    with pytest.raises(InvalidInputError, match="same items and folds"):
        compare(good, judge(K, y, CrossValidation(repeats=3)))


def test_several_kernels_are_compared_two_by_two_and_corrected_for_being_many(rng):
    K, y = classes_and_kernel(rng, sizes=(30, 30), gap=3.0)
    config = CrossValidation(repeats=3)
    made = {
        "good": judge(K, y, config),
        "noise": judge(np.eye(60), y, config),
        "worse": judge(K + 20.0 * np.eye(60), y, config),
    }
    pairs = compare_all(made)
    assert [(pair.first, pair.second) for pair in pairs] == [
        ("good", "noise"),
        ("good", "worse"),
        ("noise", "worse"),
    ]
    plain = [pair.comparison.mcnemar_p for pair in pairs]
    assert [pair.mcnemar_p for pair in pairs] == pytest.approx(holm(plain))
    assert min(pair.mcnemar_p for pair in pairs) == pytest.approx(3 * min(plain))
    assert pairs[0].mcnemar_p < 0.01
    with pytest.raises(InvalidInputError, match="at least two"):
        compare_all({"good": made["good"]})


def test_the_warning_stands_beside_yates_only_where_items_are_decided_on_again(rng):
    K, y = classes_and_kernel(rng)
    for repeats, words in ((1, ""), (2, "too small")):
        made = judge(K, y, CrossValidation(repeats=repeats))
        assert words in compare(made, made).warning
        assert bool(compare(made, made).warning) == (repeats > 1)
