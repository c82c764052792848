import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError, NotPositiveSemidefiniteError, TooLargeError
from kernex_core.base.validation import (
    as_known,
    as_matrix,
    as_square,
    as_symmetric,
    check_item_count,
    check_psd,
    largest_asymmetry,
    largest_size,
    shown_bytes,
)


def test_infinity_is_named_by_row_and_column():
    K = np.eye(3)
    K[1, 2] = np.inf
    with pytest.raises(InvalidInputError, match="row 2, column 3"):
        as_matrix(K)


def test_nan_is_unknown_only_where_that_is_meant():
    K = np.full((2, 2), np.nan)
    assert np.isnan(as_matrix(K, allow_nan=True)).all()
    with pytest.raises(InvalidInputError, match="finite"):
        as_matrix(K)


@pytest.mark.parametrize("shape", [(3, 4), (0, 0), (2,), (2, 2, 2)])
def test_not_square(shape):
    with pytest.raises(InvalidInputError):
        as_square(np.zeros(shape))


def test_not_numbers():
    with pytest.raises(InvalidInputError, match="numbers"):
        as_matrix([["a", "b"], ["c", "d"]])


def test_rounding_asymmetry_is_removed_and_a_real_one_named_with_ids(rng):
    X = rng.normal(size=(600, 5))
    K = X @ X.T
    K[17, 580] += 1e-12
    symmetric = as_symmetric(K)
    assert np.array_equal(symmetric, symmetric.T)
    K[580, 17] += 0.5
    with pytest.raises(InvalidInputError, match=r"'item17'.*'item580'"):
        as_symmetric(K, ids=[f"item{i}" for i in range(600)])


def test_largest_asymmetry_equals_the_double_loop_and_skips_unknown(rng):
    K = rng.normal(size=(7, 7))
    K[2, 5] = np.nan
    gaps = {
        (i, j): abs(K[i, j] - K[j, i])
        for i in range(7)
        for j in range(i + 1, 7)
        if not np.isnan(K[i, j] - K[j, i])
    }
    pair = max(gaps, key=gaps.get)
    assert largest_asymmetry(K) == (gaps[pair], *pair)


@pytest.mark.parametrize("place", [(0, 1), (3, 599), (255, 256), (300, 260), (599, 598)])
def test_one_asymmetric_pair_is_found_in_every_tile(place, rng):
    X = rng.normal(size=(600, 4))
    K = X @ X.T
    K = (K + K.T) / 2.0
    K[7, 8] = np.nan
    assert largest_asymmetry(K) == (0.0, 0, 0)
    K[place] += 3.0
    gap, row, column = largest_asymmetry(K)
    assert gap == pytest.approx(3.0)
    assert (row, column) == (min(place), max(place))


def test_the_largest_size_is_that_of_known_entries():
    assert largest_size(np.array([[np.nan, -7.0], [2.0, 3.0]])) == 7.0
    assert largest_size(np.full((2, 2), np.nan)) == 0.0
    assert largest_size(np.empty((0, 0))) == 0.0
    assert largest_size(np.zeros((2, 2))) == 0.0


def test_a_symmetric_matrix_comes_back_as_a_copy(rng):
    K = np.eye(3)
    made = as_symmetric(K)
    assert not np.shares_memory(made, K)
    np.testing.assert_array_equal(made, K)
    one_sided = np.array([[1.0, np.nan], [2.0, 1.0]])
    assert np.isnan(as_symmetric(one_sided, allow_nan=True)[1, 0])


def test_psd_check_tells_rounding_from_negative():
    check_psd(np.array([-1e-15, 1.0, 2.0]))
    with pytest.raises(NotPositiveSemidefiniteError, match=r"-0\.01.*1 of 3"):
        check_psd(np.array([-0.01, 1.0, 2.0]))


@pytest.mark.parametrize(
    "wrong", [[], [True, False], [0, 9], [-1], [0, 0], [0.5], [[0]], [False] * 4], ids=str
)
def test_known_refuses(wrong):
    with pytest.raises(InvalidInputError):
        as_known(wrong, 4)


def test_a_mask_of_known_items_is_read_as_positions():
    assert as_known(np.array([True, False, True, True]), 4).tolist() == [0, 2, 3]


def test_too_many_items_are_refused_with_their_memory():
    check_item_count(5000)
    with pytest.raises(TooLargeError, match=r"20,000 items.*3\.2 GB"):
        check_item_count(20_000)


@pytest.mark.parametrize(
    ("size", "shown"),
    [(72, "72 bytes"), (700_928, "700.9 kB"), (1_113_032, "1.1 MB"), (3_200_000_000, "3.2 GB")],
)
def test_bytes_as_people_read_them(size, shown):
    assert shown_bytes(size) == shown


def test_values_of_any_size_are_held_but_not_squared():
    from kernex_core import GramMatrix, LocalAlignment, cosine_normalize, diagnose

    K = GramMatrix([[1e229, 1e200], [1e200, 1e180]])
    with pytest.raises(InvalidInputError, match="Cosine-normalise it first"):
        diagnose(K)
    np.testing.assert_allclose(np.diag(cosine_normalize(K)), 1.0)
    assert np.isfinite(GramMatrix([[1.7e308]]).values).all()
    long = LocalAlignment().gram(["ACDEFGHIKLMNPQRSTVWY" * 11] * 2)
    assert long.max() > 1e200
    assert diagnose(cosine_normalize(GramMatrix(long))).n == 2
