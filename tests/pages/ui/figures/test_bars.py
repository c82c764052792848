import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from pages.ui.figures.bars import entry_histogram, trust_bars


def test_histogram_counts_every_known_pair_once(rng):
    K = rng.random((30, 30))
    K = K + K.T
    np.fill_diagonal(K, 1e6)
    K[0, 1] = K[1, 0] = np.nan
    picture = entry_histogram(K, name="structure", bins=10)
    (trace,) = picture.figure.data
    assert sum(trace.y) == 30 * 29 // 2 - 1
    known = K[np.triu_indices(30, 1)]
    expected = np.histogram(known[np.isfinite(known)], bins=10)[0]
    np.testing.assert_array_equal(trace.y, expected)
    assert "434 entries of structure" in picture.alt


def test_histogram_of_a_vector_and_of_one_value():
    assert sum(entry_histogram([0.1, 0.2, np.nan]).figure.data[0].y) == 2
    assert sum(entry_histogram(np.ones((3, 3))).figure.data[0].y) == 3
    with pytest.raises(InvalidInputError, match="at least one known"):
        entry_histogram(np.full((3, 3), np.nan))


def test_trust_is_sorted_and_named():
    picture = trust_bars([0.2, 0.9, np.nan, 0.5], ids=["a", "b", "c", "d"])
    (trace,) = picture.figure.data
    np.testing.assert_allclose(trace.y, [90, 50, 20])
    assert list(trace.hovertext) == ["b", "d", "a"]
    assert picture.note == "1 item without a value"
    assert picture.figure.layout.annotations[0].text == "median 50\u00a0%"
    assert "from 90\u00a0% down to 20\u00a0%" in picture.alt


def test_trust_below_zero_is_not_cut_off():
    low, high = trust_bars([-0.5, 1.2], ids=["a", "b"]).figure.layout.yaxis.range
    assert low < -50
    assert high > 120


def test_trust_without_values_or_ids_is_refused():
    with pytest.raises(InvalidInputError, match="no value"):
        trust_bars([np.nan], ids=["a"])
    with pytest.raises(InvalidInputError, match="2 values"):
        trust_bars([0.1, 0.2], ids=["a"])
