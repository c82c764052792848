import numpy as np
import pytest

from kernex_core import one_vs_rest_accuracy
from kernex_core.base.errors import InvalidInputError
from tests.kernex_core.learning.test_evaluate import classes_and_kernel


def test_it_counts_each_class_and_knows_its_floor(rng):
    K, y = classes_and_kernel(rng, gap=8.0)
    made = one_vs_rest_accuracy(K, y, C=10.0, folds=3, rng=np.random.default_rng(1))
    assert made.classes == ("c0", "c1", "c2")
    np.testing.assert_allclose(made.per_class, 1.0)
    assert (made.mean, made.floor) == (1.0, pytest.approx(2 / 3))


def test_a_cost_of_next_to_nothing_says_no_to_everything(rng):
    K, y = classes_and_kernel(rng, sizes=(20, 18, 16, 14))
    made = one_vs_rest_accuracy(K, y, C=1e-6, folds=2, rng=rng)
    assert made.mean == pytest.approx(made.floor)


def test_leave_one_out_needs_no_chance(rng):
    K, y = classes_and_kernel(rng)
    one, two = (
        one_vs_rest_accuracy(K, y, C=1.0, folds=0, rng=np.random.default_rng(seed)) for seed in (1, 2)
    )
    np.testing.assert_array_equal(one.per_class, two.per_class)


def test_unlabelled_items_do_not_count(rng):
    K, y = classes_and_kernel(rng)
    some = y.copy()
    some[[0, 20]] = ""
    keep = some != ""
    one = one_vs_rest_accuracy(K, some, C=1.0, folds=2, rng=np.random.default_rng(3))
    two = one_vs_rest_accuracy(K[np.ix_(keep, keep)], y[keep], C=1.0, folds=2, rng=np.random.default_rng(3))
    np.testing.assert_array_equal(one.per_class, two.per_class)


@pytest.mark.parametrize("folds", [1, 2.0, True, 500])
def test_folds_that_cannot_be(rng, folds):
    K, y = classes_and_kernel(rng)
    with pytest.raises(InvalidInputError):
        one_vs_rest_accuracy(K, y, C=1.0, folds=folds, rng=rng)
