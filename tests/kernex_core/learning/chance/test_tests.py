import numpy as np
import pytest
from scipy.stats import chi2_contingency

from kernex_core.errors import InvalidInputError
from kernex_core.learning.chance.tests import corrected_t_p, holm, mcnemar_p, yates_p


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
