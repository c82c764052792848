"""Kernel ridge regression beside solved systems, refits without one item, scikit-learn and the vector."""

import json

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from kernex_core.base.errors import InvalidInputError, NotPositiveSemidefiniteError
from kernex_core.learning.learners.contract import Targets
from kernex_core.learning.learners.ridge import KernelRidge, kernel_ridge


@pytest.fixture
def world(rng):
    X = rng.normal(size=(25, 4))
    return X, X @ X.T + 0.3 * np.eye(25), X[:, 0] + 0.4 * rng.normal(size=25) + 2.0


def solved(K, y, ridge, intercept):
    """α and b of the system written out."""
    n = len(y)
    if not intercept:
        return np.linalg.solve(K + ridge * np.eye(n), y), 0.0
    system = np.block([[K + ridge * np.eye(n), np.ones((n, 1))], [np.ones((1, n)), np.zeros((1, 1))]])
    made = np.linalg.solve(system, np.append(y, 0.0))
    return made[:n], made[n]


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("lam", [1e-3, 0.1, 10.0])
def test_leave_one_out_is_what_refits_without_the_item_give(world, lam, intercept):
    _, K, y = world
    made = kernel_ridge(K, y, lam, intercept=intercept)
    alpha, b = solved(K, y, 25 * lam, intercept)
    np.testing.assert_allclose(made.alpha, alpha, atol=1e-10)
    assert made.intercept == pytest.approx(b, abs=1e-10)
    for i in range(25):
        others = np.delete(np.arange(25), i)
        a, b = solved(K[np.ix_(others, others)], y[others], 25 * lam, intercept)  # nλ of all items is kept
        assert made.loo_residuals[i] == pytest.approx(y[i] - K[i, others] @ a - b, abs=1e-10)
    assert made.loo_error == pytest.approx((made.loo_residuals**2).mean())


@pytest.mark.parametrize("intercept", [False, True])
def test_a_path_is_its_single_fits(world, intercept):
    _, K, y = world
    lams = np.geomspace(1e-4, 10.0, 7)
    path = kernel_ridge(K, y, lams, intercept=intercept)
    for row, lam in enumerate(lams):
        one = kernel_ridge(K, y, lam, intercept=intercept)
        for name in ("alpha", "intercept", "loo_residuals", "loo_error", "effective", "objective"):
            np.testing.assert_allclose(getattr(path, name)[row], getattr(one, name), rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(path.predict(K)[row], one.predict(K), atol=1e-10)
        residual = y - one.predict(K)
        assert one.objective == pytest.approx((residual**2).mean() + lam * one.alpha @ K @ one.alpha)
        # the map from y to the fitted values, column by column
        trace = sum(
            kernel_ridge(K, e, lam, intercept=intercept).predict(K)[i] for i, e in enumerate(np.eye(25))
        )
        assert one.effective == pytest.approx(trace)
    assert path.best == int(path.loo_error.argmin())
    assert (np.diff(path.effective) < 0.0).all()


def test_of_equally_good_lambdas_the_largest_is_best():
    assert kernel_ridge(np.eye(2), [0.0, 0.0], [0.1, 10.0, 1.0]).best == 1


@pytest.mark.parametrize("intercept", [False, True])
def test_a_linear_kernel_is_ridge_regression(world, intercept):
    X, _, y = world
    made = kernel_ridge(X @ X.T, y, 0.2, intercept=intercept)
    theirs = Ridge(alpha=25 * 0.2, fit_intercept=intercept, solver="cholesky").fit(X, y)
    np.testing.assert_allclose(made.predict(X @ X.T), theirs.predict(X), atol=1e-10)


def test_the_vector(shared):
    vectors = json.loads((shared / "vectors" / "more.json").read_text(encoding="utf-8"))
    vector = next(one for one in vectors if one["name"] == "kernel ridge and exact leave-one-out")
    given, wanted = vector["inputs"], vector["expected"]
    made = kernel_ridge(given["K"], given["y"], given["lam"])
    np.testing.assert_allclose(made.alpha, wanted["alpha"], atol=1e-12)
    np.testing.assert_allclose(made.loo_residuals, wanted["loo_residuals"], atol=1e-12)
    assert made.objective == pytest.approx(wanted["objective"], abs=1e-12)


def test_lessons_on_ridge(shared):
    lessons = json.loads((shared / "vectors" / "lessons.json").read_text(encoding="utf-8"))
    given = lessons["2.ridge"]["inputs"]
    X, y = np.array(given["X"]), np.array(given["y"])
    for lam in (0.1, 1.0, 10.0):
        beta = X.T @ kernel_ridge(X @ X.T, y, lam).alpha
        np.testing.assert_allclose(beta, lessons["2.ridge"]["expected"][f"lam_{lam:g}"], rtol=1e-4)
    x = (np.arange(20) + 0.5) / 20
    K = np.exp(-((x[:, None] - x) ** 2) / (2 * 0.1**2))
    found = [
        10.0
        ** np.linspace(-5, 0, 51)[
            kernel_ridge(
                K,
                np.sin(2 * np.pi * x) + 0.3 * np.random.default_rng(seed).standard_normal(20),
                10.0 ** np.linspace(-5, 0, 51),
            ).loo_error.argmin()
        ]
        for seed in range(3)
    ]
    wanted = lessons["2.loo_choice"]["expected"]
    np.testing.assert_allclose(found, [wanted[f"seed_{seed}"] for seed in range(3)], rtol=1e-3)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"y": [1.0]}, "one finite number an item"),
        ({"y": [1.0, np.nan, 2.0]}, "finite number"),
        ({"lam": 0.0}, "λ"),
        ({"lam": [0.1, -1.0]}, "λ"),
        ({"lam": []}, "a number or a list"),
        ({"K": [[1.0]], "y": [1.0], "intercept": True}, "at least two items"),
    ],
)
def test_what_cannot_be_is_refused(wrong, words):
    with pytest.raises(InvalidInputError, match=words):
        kernel_ridge(**{"K": np.eye(3), "y": [1.0, 0.0, -1.0], "lam": 0.5, **wrong})


def test_what_is_no_kernel_is_refused():
    with pytest.raises(NotPositiveSemidefiniteError):
        kernel_ridge(-np.eye(3), [1.0, 2.0, 3.0], 0.1)


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("lam", [1e-12, 1e-6, 1e-3])
@pytest.mark.parametrize("scale", [1e6, 1e9, 1e15, 1e60])
def test_of_a_large_kernel_of_low_rank_nothing_is_told_by_rounding(rng, scale, lam, intercept):
    """Coefficients of directions that K takes to 0 are y / nλ: times the rounding of K they were R² of −327, and of −1e30.

    What is left is least squares on the features, and leave-one-out by refits of it.
    """
    X = rng.normal(size=(40, 3)) + 0.5
    y = X[:, 0] + 0.5 * rng.normal(size=40) + 2.0
    new = rng.normal(size=(10, 3))
    F, G = ((np.column_stack([Z, np.ones(len(Z))]) if intercept else Z) for Z in (X, new))
    made = kernel_ridge(scale * X @ X.T, y, [lam, 1.0], intercept=intercept)
    least = np.linalg.lstsq(F, y, rcond=None)[0]
    assert made.predict(scale * new @ X.T)[0] == pytest.approx(G @ least, rel=1e-5, abs=1e-5)
    hat = np.diag(F @ np.linalg.pinv(F))
    assert made.loo_residuals[0] == pytest.approx((y - F @ least) / (1.0 - hat), rel=1e-3, abs=1e-3)
    assert made.effective[0] == pytest.approx(F.shape[1], abs=1e-2)
    learner = KernelRidge(lam).fit(scale * X @ X.T, Targets(y)).decide(scale * new @ X.T)[:, 0]
    if intercept:
        assert learner == pytest.approx(G @ least, rel=1e-5, abs=1e-5)
