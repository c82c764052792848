import numpy as np
import pytest

from kernex_core.errors import InvalidInputError
from pages.shared.figures.bars import confusion, entry_histogram, trust_bars


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
    assert picture.figure.layout.annotations[0].text == "median 50 %"
    assert "from 90 % down to 20 %" in picture.alt


def test_trust_below_zero_is_not_cut_off():
    low, high = trust_bars([-0.5, 1.2], ids=["a", "b"]).figure.layout.yaxis.range
    assert low < -50
    assert high > 120


def test_trust_without_values_or_ids_is_refused():
    with pytest.raises(InvalidInputError, match="no value"):
        trust_bars([np.nan], ids=["a"])
    with pytest.raises(InvalidInputError, match="2 values"):
        trust_bars([0.1, 0.2], ids=["a"])


def test_confusion_prints_counts_and_colours_shares_of_the_row():
    picture = confusion([[8, 2, 0], [1, 3, 0], [0, 0, 0]], classes=["a", "b", "c"])
    (trace,) = picture.figure.data
    np.testing.assert_allclose(np.asarray(trace.z), [[0.8, 0.2, 0], [0.25, 0.75, 0], [0, 0, 0]])
    assert [list(row) for row in trace.text] == [["8", "2", ""], ["1", "3", ""], ["", "", ""]]
    assert "78.6 % of the items on the diagonal" in picture.alt
    assert "most often a taken for b" in picture.alt
    assert picture.figure.layout.yaxis.autorange == "reversed"
    assert "80 % of the class" in trace.customdata[0][0]


def test_confusion_of_means_has_decimals_and_long_names_are_cut():
    name = "a class with a very long name"
    picture = confusion([[1.5, 0], [0, 2]], classes=[name, "b"])
    assert picture.figure.data[0].text[0][0] == "1.5"
    assert picture.figure.layout.yaxis.ticktext[0].endswith("…")
    assert name in picture.figure.data[0].customdata[0][0]
    assert "most often" not in picture.alt


@pytest.mark.parametrize("counts", [np.zeros((2, 3)), np.zeros((3, 3)), np.full((2, 2), np.nan)])
def test_confusion_of_another_shape_is_refused(counts):
    with pytest.raises(InvalidInputError, match="2 classes"):
        confusion(counts, classes=["a", "b"])
