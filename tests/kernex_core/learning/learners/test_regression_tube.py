"""ε-support vector regression beside its optimality conditions and a general solver of its dual."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.svm import SVR

from kernex_core.learning.learners.contract import Targets
from kernex_core.learning.learners.support_vectors import SupportVectorRegression, epsilon_svr


@pytest.fixture
def world(rng):
    X = rng.normal(size=(24, 3))
    return np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 3.0), X[:, 0] + 0.5 * rng.normal(size=24)


@pytest.mark.parametrize(("C", "epsilon"), [(0.3, 0.1), (2.0, 0.3), (50.0, 0.0)])
def test_the_optimality_conditions_hold(world, C, epsilon):
    K, y = world
    made = epsilon_svr(K, y, C=C, epsilon=epsilon, tolerance=1e-8)
    a, residual = made.coefficients[0], y - made.decide(K)[:, 0]
    assert made.not_converged == 0
    assert abs(a.sum()) < 1e-9
    assert np.abs(a).max() <= C + 1e-12
    inside, free, bound = a == 0.0, (a != 0.0) & (np.abs(a) < C - 1e-9), np.abs(a) >= C - 1e-9
    assert (np.abs(residual[inside]) <= epsilon + 1e-6).all()
    np.testing.assert_allclose(residual[free], epsilon * np.sign(a[free]), atol=1e-5)
    assert (residual[bound] * np.sign(a[bound]) >= epsilon - 1e-6).all()
    assert made.at_bound == bound.sum()


def test_a_general_solver_of_the_dual_finds_nothing_better(world):
    K, y = world
    n, C, epsilon = len(y), 1.0, 0.2
    made = epsilon_svr(K, y, C=C, epsilon=epsilon, tolerance=1e-8).coefficients[0]

    def loss(u):  # a = u₊ − u₋
        a = u[:n] - u[n:]
        return a @ K @ a / 2.0 - y @ a + epsilon * u.sum()

    def slope(u):
        g = K @ (u[:n] - u[n:]) - y
        return np.concatenate([g, -g]) + epsilon

    theirs = minimize(
        loss, np.full(2 * n, 0.1), jac=slope, bounds=[(0.0, C)] * (2 * n), method="SLSQP",
        constraints={"type": "eq", "fun": lambda u: u[:n].sum() - u[n:].sum(), "jac": lambda u: np.repeat([1.0, -1.0], n)},
        options={"ftol": 1e-13, "maxiter": 1000},
    )  # fmt: skip
    mine = loss(np.concatenate([np.maximum(made, 0.0), np.maximum(-made, 0.0)]))
    assert mine <= theirs.fun + 1e-8
    np.testing.assert_allclose(made, theirs.x[:n] - theirs.x[n:], atol=1e-3)


def test_duals_are_those_of_scikit_learn_on_standardised_targets(world):
    K, y = world
    made = SupportVectorRegression(C=2.0, epsilon=0.2).fit(K, Targets(100.0 * y + 7.0))
    theirs = SVR(kernel="precomputed", C=2.0, epsilon=0.2, tol=1e-5).fit(K, (y - y.mean()) / y.std())
    a = np.zeros(len(y))
    a[theirs.support_] = theirs.dual_coef_[0]
    np.testing.assert_allclose(made.coefficients[0], 100.0 * y.std() * a, rtol=1e-3, atol=1e-6)
    np.testing.assert_allclose(
        made.decide(K)[:, 0], 7.0 + 100.0 * (y.mean() + y.std() * theirs.predict(K)), rtol=1e-4
    )


def test_what_does_not_converge_is_counted_without_a_warning(world, monkeypatch):
    K, y = world
    monkeypatch.setattr("kernex_core.learning.learners.support_vectors.iteration_limit", lambda n: 2)
    assert epsilon_svr(K, y, C=100.0, epsilon=0.0).not_converged == 1
    assert "1 problems" in SupportVectorRegression().unfinished(1)[0]
