import numpy as np
import pytest
from numpy.testing import assert_array_equal

from kernex_core.base.errors import InvalidInputError
from kernex_core.conditioning.impute import FILLS, FillUnknown, fill_unknown
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import write_script
from kernex_core.gram.split import split_inductively

U = np.nan
K = np.array([[9.0, 4.0, U], [4.0, 8.0, 2.0], [U, 2.0, 7.0]])


@pytest.mark.parametrize(
    ("method", "value"), [("zero", 0.0), ("half the lowest", 1.0), ("lowest", 2.0), ("mean", 3.0)]
)
def test_unknown_pairs_get_the_value_and_known_ones_stay(method, value):
    filled = fill_unknown(K, method)
    assert_array_equal(filled, [[9.0, 4.0, value], [4.0, 8.0, 2.0], [value, 2.0, 7.0]])
    assert np.isnan(K).sum() == 2  # the input is not touched


def test_the_diagonal_counts_neither_for_the_value_nor_gets_it():
    unknown_self = np.array([[U, 4.0, U], [4.0, 8.0, 2.0], [U, 2.0, 6.0]])
    filled = fill_unknown(unknown_self, "mean")
    assert_array_equal(np.diag(filled), [7.0, 8.0, 6.0])
    assert filled[0, 2] == 3.0


@pytest.mark.parametrize("method", FILLS)
def test_a_complete_matrix_stays_as_it_is(method):
    whole = np.array([[2.0, 1.0], [1.0, 2.0]])
    assert_array_equal(fill_unknown(whole, method), whole)


@pytest.mark.parametrize("method", FILLS)
def test_inside_a_fold_the_value_comes_from_the_training_items(method):
    gram = GramMatrix(
        np.array([[9.0, 4.0, U, 1.0], [4.0, 8.0, 2.0, U], [U, 2.0, 7.0, U], [1.0, U, U, U]])
    ).then(FillUnknown(method))
    split = split_inductively(gram, np.array([0, 1, 2]), np.array([3]))
    assert_array_equal(split.K_train, fill_unknown(K, method))
    value = fill_unknown(K, method)[0, 2]
    assert_array_equal(split.K_cross, [[1.0, value, value]])
    assert_array_equal(split.diag_test, [8.0])


def test_the_step_is_recorded():
    gram = fill_unknown(GramMatrix(K), "lowest")
    assert gram.unknown.complete
    assert gram.provenance.steps == (FillUnknown("lowest"),)
    assert "FillUnknown(method='lowest')" in write_script([gram.recipe], heading="x")


@pytest.mark.parametrize("method", ["half the lowest", "lowest", "mean"])
def test_nothing_reported_is_refused_unless_the_fill_is_zero(method):
    nothing = np.array([[1.0, U], [U, 1.0]])
    with pytest.raises(InvalidInputError, match="at least one known pair"):
        fill_unknown(nothing, method)
    assert_array_equal(fill_unknown(nothing, "zero"), np.eye(2))


def test_half_the_lowest_is_refused_below_zero():
    with pytest.raises(InvalidInputError, match="-3"):
        fill_unknown(np.array([[1.0, -3.0, U], [-3.0, 1.0, U], [U, U, 1.0]]), "half the lowest")


def test_an_unknown_diagonal_is_refused():
    with pytest.raises(InvalidInputError, match="itself"):
        fill_unknown(np.array([[U, 1.0], [1.0, U]]), "zero")


def test_an_unknown_method_is_refused():
    with pytest.raises(InvalidInputError, match="half the lowest"):
        FillUnknown("median")
