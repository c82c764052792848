import numpy as np
import pytest

from kernex_core.errors import InvalidInputError
from pages.shared.figures.codes import error_scale
from pages.shared.figures.zoom import zoom


def test_the_block_holds_exact_values_and_prints_them(rng):
    K = rng.uniform(-1, 1, (20, 20))
    rows, cols = [3, 1, 4], [0, 19]
    picture = zoom(K, rows, cols, ids=[f"i{k}" for k in range(20)])
    trace = picture.figure.data[0]
    np.testing.assert_array_equal(np.asarray(trace.z), K[np.ix_(rows, cols)])
    assert list(trace.y) == ["i3", "i1", "i4"]
    assert list(trace.x) == ["i0", "i19"]
    printed = np.array([[float(text.replace("−", "-")) for text in row] for row in trace.text])
    np.testing.assert_allclose(printed, K[np.ix_(rows, cols)], atol=5e-4)
    assert "3 rows and 2 columns" in picture.alt


def test_large_numbers_are_printed_with_three_significant_digits():
    picture = zoom(np.full((2, 2), 1234.0), [0, 1], [0, 1], ids=["a", "b"])
    assert picture.figure.data[0].text[0][0] == "1,230"


def test_large_blocks_are_not_printed_and_not_named(rng):
    K = rng.random((60, 60))
    picture = zoom(K, range(60), range(50), ids=[f"i{k}" for k in range(60)])
    assert picture.figure.data[0].text is None
    assert picture.figure.layout.xaxis.showticklabels is False
    assert picture.figure.data[0].xgap == 0


def test_rows_and_columns_may_have_other_names(rng):
    K = rng.random((3, 5))
    trace = zoom(K, [2], [4, 0], ids=["a", "b", "c"], column_ids=list("vwxyz")).figure.data[0]
    assert (list(trace.y), list(trace.x)) == (["c"], ["z", "v"])


def test_unknown_cells_are_empty_and_hatched(rng):
    K = rng.random((4, 4))
    K[1] = K[:, 1] = np.nan
    picture = zoom(K, [0, 1], [2, 3], ids=list("abcd"))
    trace = picture.figure.data[0]
    assert np.isnan(np.asarray(trace.z)[1]).all()
    assert list(trace.text[1]) == ["", ""]
    assert trace.hovertemplatefallback == "unknown"
    assert len(picture.figure.layout.shapes) == 1
    assert "2 unknown" in picture.alt


def test_a_block_of_unknown_entries_says_so():
    assert "all of it unknown" in zoom(np.full((2, 2), np.nan), [0], [1], ids=["a", "b"]).alt


def test_a_position_named_twice_is_shown_once(rng):
    trace = zoom(rng.random((3, 3)), [1, 1, 0], [2], ids=list("abc")).figure.data[0]
    assert list(trace.y) == ["b", "a"]


@pytest.mark.parametrize(
    ("rows", "cols", "found"), [([], [0], "0 × 1"), ([0, 9], [0], "0 to 9"), ([0], [-1], "-1 to -1")]
)
def test_blocks_outside_the_matrix_are_refused(rows, cols, found):
    with pytest.raises(InvalidInputError, match=found):
        zoom(np.eye(3), rows, cols, ids=list("abc"))


def test_too_many_cells_are_refused():
    with pytest.raises(InvalidInputError, match="Choose fewer"):
        zoom(np.zeros((300, 300)), range(300), range(300), ids=[str(k) for k in range(300)])


def test_errors_share_the_diverging_scale(rng):
    error = rng.normal(size=(3, 3))
    picture = zoom(error, range(3), range(3), ids=list("abc"), scale=error_scale([error]))
    trace = picture.figure.data[0]
    assert trace.zmin == -trace.zmax < 0
