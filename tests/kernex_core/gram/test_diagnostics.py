import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.combine import Product, WeightedSum
from kernex_core.gram.diagnostics import diagnose
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import split_inductively
from tests.oracles.joint import random_kernel


def test_numbers_by_hand():
    got = diagnose(np.array([[4.0, 2, 0], [2, 4, 0], [0, 0, -1]]))
    np.testing.assert_allclose(got.eigenvalues, [6, 2, -1], atol=1e-14)
    assert (got.negative, got.rank, got.indefinite) == (1, 3, True)
    assert got.negative_mass == pytest.approx(1 / 9)
    assert got.dominance == pytest.approx((7 / 3) / (4 / 6))
    assert got.zero_share == pytest.approx(4 / 6)
    assert np.isinf(got.condition)
    p = np.array([6, 2, 1]) / 9
    assert got.effective_rank == pytest.approx(np.exp(-(p * np.log(p)).sum()))
    assert np.isnan(got.alignment)
    assert np.isnan(got.neighbour_accuracy)


def test_neighbours_by_distance_not_by_similarity_and_alignment_of_the_ideal():
    X = np.array([[0.0], [0.5], [5.0], [4.0]])
    y = ["a", "a", "b", "b"]
    assert diagnose(X @ X.T, y).neighbour_accuracy == 1.0
    same = np.equal.outer(np.array(y), np.array(y)).astype(float)
    assert diagnose(same, y).alignment == pytest.approx(1.0)


def test_a_kernel_that_knows_nothing_is_below_the_floor_of_its_nearest_neighbour(rng):
    y = np.repeat(["a", "b"], [60, 30])
    X = rng.normal(size=(90, 20))
    got = diagnose(X @ X.T, y)
    assert got.neighbour_floor == pytest.approx(2 / 3)
    assert got.below_floor == (got.neighbour_accuracy < 2 / 3)
    # the only item of its class has no neighbour that is right: 4 of 5 at the most, the floor of a constant answer
    lone = diagnose(np.diag([5.0, 1.0, 1.0, 1.0, 1.0]), ["a", "b", "b", "b", "b"])
    assert (lone.neighbour_floor, lone.below_floor) == (0.8, False)
    # nearest are those of the other class
    crossed = diagnose(np.array([[1, 0, 0.9], [0, 1, 0.9], [0.9, 0.9, 1.0]]), ["a", "a", "b"])
    assert crossed.below_floor
    assert np.isnan(diagnose(np.eye(3)).neighbour_floor)
    assert not diagnose(np.eye(3)).below_floor


def test_unlabelled_items_and_unknown_entries_do_not_count(rng):
    K = random_kernel(rng, 6)
    y = np.array(["a", "b", "a", "b", "", "a"])
    cut = diagnose(K[:4, :4], y[:4])
    K[5, :] = K[:, 5] = np.nan
    got = diagnose(GramMatrix(K), y)
    assert (got.n, got.n_known, got.n_labelled) == (6, 5, 4)
    assert got.alignment == pytest.approx(cut.alignment)


def test_identity_is_a_large_diagonal():
    got = diagnose(np.eye(4))
    assert np.isinf(got.dominance)
    assert got.large_diagonal


def test_one_item_and_none():
    assert np.isnan(diagnose([[2.0]]).dominance)
    with pytest.raises(InvalidInputError):
        diagnose(np.full((2, 2), np.nan))


@pytest.mark.parametrize("step", [WeightedSum, Product])
def test_combinations_work_on_everything_and_in_folds(rng, step):
    K, L = GramMatrix(random_kernel(rng, 7)), GramMatrix(random_kernel(rng, 7), name="other")
    made = K.then(step(L))
    expected = (K.values + L.values) / 2 if step is WeightedSum else K.values * L.values
    np.testing.assert_allclose(made.values, expected)
    split = split_inductively(made, np.array([0, 2, 3]), np.array([1, 6]))
    np.testing.assert_allclose(split.K_cross, expected[np.ix_([1, 6], [0, 2, 3])])
    np.testing.assert_allclose(made.take([4, 1]).values, expected[np.ix_([4, 1], [4, 1])])
    with pytest.raises(InvalidInputError, match="same items"):
        K.then(step(L.take([0, 1])))
