"""Numbers of items without one, beside a system that is solved by hand."""

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError, NotPositiveSemidefiniteError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.learners.logistic import KernelLogistic
from kernex_core.learning.learners.ridge import KernelRidge
from kernex_core.learning.regression.evaluate import predict_numbers


@pytest.fixture
def world(rng):
    X = rng.normal(size=(30, 3))
    y = 2.0 + X[:, 0] + 0.1 * rng.normal(size=30)
    y[[4, 9, 20]] = np.nan
    return GramMatrix(X @ X.T), y


def by_hand(K, y, lam):
    at = ~np.isnan(y)
    n = at.sum()
    system = np.block(
        [[K[np.ix_(at, at)] + n * lam * np.eye(n), np.ones((n, 1))], [np.ones((1, n)), np.zeros((1, 1))]]
    )
    made = np.linalg.solve(system, np.append(y[at], 0.0))
    return K[np.ix_(~at, at)] @ made[:n] + made[n]


def test_they_are_those_of_all_items_that_have_one(world):
    K, y = world
    made = predict_numbers(K, y, learner=KernelRidge(0.01))
    np.testing.assert_allclose(made.numbers, by_hand(K.values, y, 0.01), atol=1e-9)
    assert made.items.tolist() == [4, 9, 20]
    assert made.ids == tuple(K.ids[i] for i in (4, 9, 20))
    assert made.trained == 27
    labels = Labels(K.ids, ["" if np.isnan(v) else f"{v:.17g}" for v in y])
    np.testing.assert_array_equal(predict_numbers(K, labels, learner=KernelRidge(0.01)).numbers, made.numbers)


def test_a_strength_is_chosen_where_it_is_asked_for(world):
    K, y = world
    made = predict_numbers(K, y, learner=KernelRidge(1.0), choose=CrossValidation(choose_C=True))
    assert made.learner.lam < 1.0
    unit = np.diag(K.values)[~np.isnan(y)].mean()  # λ is in units of the items that were learned from
    np.testing.assert_allclose(made.numbers, by_hand(K.values, y, made.learner.lam * unit), atol=1e-9)
    assert predict_numbers(K, y, learner=KernelRidge(1.0), choose=CrossValidation()).learner.lam == 1.0


def test_what_cannot_be_is_refused(world):
    K, y = world
    with pytest.raises(InvalidInputError, match="every item has one"):
        predict_numbers(K, np.arange(30.0))
    with pytest.raises(InvalidInputError, match="learn"):
        predict_numbers(K, y, learner=KernelLogistic())
    with pytest.raises(NotPositiveSemidefiniteError):
        predict_numbers(GramMatrix(-np.eye(30)), y)
