import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kernex_core.base.errors import InvalidInputError
from pages.ui.figures.heatmap import (
    HeatmapScale,
    block_means,
    block_size,
    common_scale,
    encode,
    error_scale,
    known_values,
)
from tests.oracles.codes import decode

finite = st.floats(-1e6, 1e6, allow_nan=False, width=32)


@given(
    arrays(np.float64, (5, 5), elements=finite | st.just(math.nan)),
    st.floats(-10, 10),
    st.floats(0.01, 100),
    st.booleans(),
)
def test_codes_decode_to_the_clipped_values_within_half_a_step(values, low, span, diverging):
    scale = HeatmapScale(-span, span, diverging=True) if diverging else HeatmapScale(low, low + span)
    codes = encode(values, scale)
    assert codes.dtype == np.uint8
    assert codes.max() <= (249 if diverging else 250)
    np.testing.assert_array_equal(codes == 0, np.isnan(values))
    expected = np.clip(values, scale.low, scale.high)
    step = (scale.high - scale.low) / (248 if diverging else 249)
    np.testing.assert_allclose(decode(codes, scale), expected, atol=step * (0.5 + 1e-6), equal_nan=True)


def test_the_ends_of_the_scale_have_the_first_and_the_last_code():
    codes = encode(np.array([[-9.0, 0.2], [0.6, 9.0]]), HeatmapScale(0.2, 0.6))
    assert codes.tolist() == [[1, 1], [250, 250]]


def test_zero_sits_exactly_in_the_middle_of_a_diverging_scale():
    scale = HeatmapScale(-2.0, 2.0, diverging=True)
    codes = encode(np.array([[-2.0, 0.0, 2.0]]), scale)
    assert codes.tolist() == [[1, 125, 249]]
    assert decode(codes, scale).tolist() == [[-2.0, 0.0, 2.0]]


def test_a_diverging_scale_that_is_not_centred_is_refused():
    with pytest.raises(InvalidInputError, match="centred"):
        HeatmapScale(0, 1, diverging=True)


@pytest.mark.parametrize(("low", "high"), [(1.0, 1.0), (2.0, 1.0), (math.nan, 1.0), (0.0, math.inf)])
def test_a_scale_that_goes_nowhere_is_refused(low, high):
    with pytest.raises(InvalidInputError, match="scale"):
        HeatmapScale(low, high)


def test_common_scale_covers_the_percentiles_of_all_matrices_off_the_diagonal(rng):
    matrices = [rng.uniform(0.1, 0.3, (60, 60)), rng.uniform(0.2, 0.5, (40, 40))]
    for matrix in matrices:
        np.fill_diagonal(matrix, 1000.0)
    off = np.concatenate([m[~np.eye(len(m), dtype=bool)] for m in matrices])
    low, high = np.percentile(off, [2, 98.5])
    scale = common_scale(matrices)
    assert scale.low == pytest.approx(low, abs=0.05 * (high - low))
    assert scale.high == pytest.approx(high, abs=0.11 * (high - low))


def test_common_scale_ignores_unknown_entries_of_any_size(rng):
    matrix = rng.uniform(0, 1, (30, 30))
    spoilt = np.where(rng.random((30, 30)) < 0.3, np.nan, matrix)
    infinite = np.where(np.isnan(spoilt), np.inf, matrix)
    assert common_scale([spoilt]) == common_scale([infinite])


@given(st.floats(-1e3, 1e3), st.floats(1e-6, 1e4))
def test_scale_prints_its_ends_and_its_middle_exactly(start, span):
    matrix = np.array([[0.0, start], [start + span, 0.0]])
    scale = common_scale([matrix])
    for value in (scale.low, scale.middle, scale.high):
        assert float(scale.text(value).replace("−", "-").replace(",", "")) == pytest.approx(
            value, abs=1e-5 * span + 1e-12
        )


@pytest.mark.parametrize(
    "matrix",
    [np.ones((4, 4)), np.zeros((4, 4)), -np.ones((4, 4)), np.eye(1), np.full((3, 3), np.nan), np.eye(6)],
    ids=["ones", "zeros", "minus ones", "one item", "unknown", "identity"],
)
def test_a_scale_exists_for_degenerate_matrices(matrix):
    assert common_scale([matrix]).low < common_scale([matrix]).high
    assert error_scale([matrix]).high == -error_scale([matrix]).low > 0


def test_large_matrices_are_sampled_without_a_bias_to_some_columns(rng):
    matrix = np.tile(np.linspace(0, 1, 1000), (1000, 1))
    scale = common_scale([matrix])
    assert scale.low == pytest.approx(0.02, abs=0.06)
    assert scale.high == pytest.approx(0.985, abs=0.1)


def test_ticks_say_where_the_scale_clips():
    scale = HeatmapScale(0.05, 0.25)
    assert scale.ticks(np.array([[0.05, 0.25]])) == ("0.05", "0.15", "0.25")
    assert scale.ticks(np.array([[0.01, 0.2]])) == ("≤ 0.05", "0.15", "0.25")
    assert scale.ticks(np.array([[0.1, 1.0, np.nan]])) == ("0.05", "0.15", "≥ 0.25")
    assert HeatmapScale(-0.2, 0.2, 1).ticks(np.zeros((1, 1))) == ("−0.2", "0", "0.2")


def naive_block_means(values, size):
    n = len(values)
    starts = range(0, n, size)
    result = np.full((len(starts), len(starts)), np.nan)
    for i, a in enumerate(starts):
        for j, b in enumerate(starts):
            known = [
                values[r, c]
                for r in range(a, min(a + size, n))
                for c in range(b, min(b + size, n))
                if np.isfinite(values[r, c])
            ]
            if known:
                result[i, j] = sum(known) / len(known)
    return result


@pytest.mark.parametrize(("n", "size"), [(12, 3), (13, 3), (7, 10), (5, 1), (31, 4)])
def test_block_means_equal_the_double_loop(rng, n, size):
    values = rng.normal(size=(n, n))
    values[rng.random((n, n)) < 0.4] = np.nan
    values[:size, :size] = np.nan
    order = rng.permutation(n)
    expected = naive_block_means(values[np.ix_(order, order)], size)
    np.testing.assert_allclose(block_means(values, size, order), expected, rtol=1e-12, equal_nan=True)


def test_block_means_do_not_depend_on_the_piece_size(rng, monkeypatch):
    values = rng.normal(size=(50, 50))
    whole = block_means(values, 4)
    monkeypatch.setattr("pages.ui.figures.heatmap._CHUNK", 1)
    np.testing.assert_array_equal(block_means(values, 4), whole)


@pytest.mark.parametrize("n", [1, 206, 576, 577, 1000, 1025, 5000, 20000])
def test_blocks_leave_at_most_512_a_side(n):
    size = block_size(n)
    assert size == 1 if n <= 576 else math.ceil(n / size) <= 512 < math.ceil(n / (size - 1))


def test_what_is_not_finite_is_unknown_and_the_callers_matrix_is_not_changed():
    values = np.array([[np.inf, 1.0], [np.nan, -np.inf]])
    before = values.copy()
    assert np.isnan(known_values(values)).tolist() == [[True, False], [True, True]]
    np.testing.assert_array_equal(values, before)
    with pytest.raises(InvalidInputError, match="at least one entry"):
        known_values(np.empty((0, 0)))


def test_rounding_beside_a_diagonal_is_not_given_colours_of_its_own(rng):
    noise = 1e-16 * rng.normal(size=(8, 8))
    assert common_scale([np.eye(8) + noise]) == common_scale([np.eye(8)])
    assert (common_scale([np.eye(8)]).low, common_scale([np.eye(8)]).high) == (0.0, 1.0)
    assert common_scale([40.0 * (np.eye(8) + noise)]).high == 40.0
    assert common_scale([np.eye(8) + 1e-6 * rng.random((8, 8))]).high <= 1e-6
