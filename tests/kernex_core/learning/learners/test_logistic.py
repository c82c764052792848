"""Kernel logistic regression beside scikit-learn and a general minimiser; its probabilities in a world that is known."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from kernex_core.base.errors import InvalidInputError
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation, make_folds
from kernex_core.learning.learners import logistic
from kernex_core.learning.learners.contract import cost_of
from kernex_core.learning.learners.logistic import KernelLogistic, kernel_logistic
from kernex_core.learning.learners.on_components import OnComponents
from kernex_core.learning.learners.reliability import fold_reliability, reliability


def drawn(rng, n, slope=2.0):
    X = rng.normal(size=(n, 2))
    p = expit(slope * X[:, 0] - X[:, 1] + 0.5)
    return X, p, rng.random(n) < p


def gaussian(X, Z):
    return np.exp(-((X[:, None] - Z) ** 2).sum(axis=2) / 4.0)


@pytest.mark.parametrize("lam", [1e-6, 1e-3, 0.1, 10.0])
@pytest.mark.parametrize("kernel", ["linear", "gaussian", "nearly singular"])
def test_the_gradient_is_zero_and_every_fit_says_so(rng, lam, kernel):
    X, _, y = drawn(rng, 60)
    K = {"linear": X @ X.T, "gaussian": gaussian(X, X), "nearly singular": np.outer(X[:, 0], X[:, 0])}[kernel]
    made = kernel_logistic(K, y, lam)
    gradient = y - made.probabilities(K) - 2 * 60 * lam * made.alpha
    assert made.converged
    assert made.steps <= 25
    assert np.abs(gradient).max() <= 1e-8
    assert abs((y - made.probabilities(K)).sum()) < 1e-6
    assert made.gradient == pytest.approx(np.abs(gradient).max(), abs=1e-9)


def test_a_linear_kernel_is_logistic_regression(rng):
    X, _, y = drawn(rng, 80)
    made = kernel_logistic(X @ X.T, y, 0.01)
    theirs = LogisticRegression(C=cost_of(0.01, 80), tol=1e-12, max_iter=1000).fit(X, y)
    np.testing.assert_allclose(X.T @ made.alpha, theirs.coef_[0], atol=1e-5)
    assert made.intercept == pytest.approx(theirs.intercept_[0], abs=1e-5)
    new = rng.normal(size=(5, 2))
    np.testing.assert_allclose(made.probabilities(new @ X.T), theirs.predict_proba(new)[:, 1], atol=1e-6)
    assert made.classes == ("False", "True")


def test_a_general_minimiser_finds_nothing_better(rng):
    X, _, y = drawn(rng, 40)
    K, sign = gaussian(X, X), np.where(y, 1.0, -1.0)
    L = np.linalg.cholesky(K + 1e-10 * np.eye(40))

    def objective(v):
        return np.logaddexp(0.0, -sign * (L @ v[:-1] + v[-1])).mean() + 0.01 * v[:-1] @ v[:-1]

    made = kernel_logistic(K, y, 0.01)
    theirs = minimize(objective, np.zeros(41), method="BFGS", options={"gtol": 1e-9})
    assert made.objective <= theirs.fun + 1e-9
    assert made.objective == pytest.approx(theirs.fun, rel=1e-6)


def test_steps_that_overshoot_are_halved(monkeypatch):
    """Three times Newton's step raises the objective wherever it is taken: halved, it ends at the same optimum."""
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(30, 3)), rng.random(30) < 0.5
    whole = kernel_logistic(X @ X.T, y, 1e-2)
    look, step, seen = logistic._look, logistic._step, {}

    def looking(K, t, lam, a, b):
        at = look(K, t, lam, a, b)
        seen[id(at.f)] = at, a, b
        return at

    def overshooting(K, t, lam, f):
        _, a, b = seen[id(f)]
        new_a, new_b = step(K, t, lam, f)
        return a + 3.0 * (new_a - a), b + 3.0 * (new_b - b)

    monkeypatch.setattr(logistic, "_look", looking)
    monkeypatch.setattr(logistic, "_step", overshooting)
    far = kernel_logistic(X @ X.T, y, 1e-2)
    assert far.halvings >= far.steps > whole.steps
    assert far.converged
    assert far.alpha == pytest.approx(whole.alpha, abs=1e-6)
    assert far.objective == pytest.approx(whole.objective, rel=1e-12)


def test_outliers_on_the_wrong_side_converge():
    x = np.array([-1.0, -0.9, 0.9, 1.0, 60.0, -60.0])
    y = np.array([0, 0, 1, 1, 0, 1])
    assert all(kernel_logistic(np.outer(x, x), y, lam).converged for lam in (1e-7, 1e-5, 1e-3))
    rng = np.random.default_rng(5)
    for _ in range(20):
        X = 8.0 * rng.normal(size=(20, 3))
        assert kernel_logistic(X @ X.T, rng.random(20) < 0.5, 1e-6).converged


def test_what_the_digits_of_numbers_leave_open_is_told():
    X = 80.0 * np.random.default_rng(5).normal(size=(20, 3))
    made = kernel_logistic(X @ X.T, np.arange(20) % 2, 1e-12)
    assert made.gradient > 1e-3
    assert not made.converged


def test_probabilities_mean_what_they_say_in_a_world_that_is_known(rng):
    X, _, y = drawn(rng, 300)
    new, p, truth = drawn(rng, 4000)
    made = kernel_logistic(gaussian(X, X), y, 1e-3)
    found = made.probabilities(gaussian(new, X))
    table = reliability(found, truth)
    assert table.error < 0.04
    assert table.brier < reliability(p, truth).brier + 0.01
    assert table.counts.sum() == 4000
    # and the table would show it if they did not: a fit that follows every training item is far too sure
    sure = kernel_logistic(gaussian(X, X), y, 1e-9).probabilities(gaussian(new, X))
    assert reliability(sure, truth).error > 2 * table.error


def test_a_table_of_reliability_is_counted_bin_by_bin(rng):
    p, truth = rng.random(500), rng.random(500) < 0.4
    made = reliability(p, truth, bins=7)
    for b in range(7):
        inside = (p >= b / 7) & (p < (b + 1) / 7)
        assert made.counts[b] == inside.sum()
        assert made.predicted[b] == pytest.approx(p[inside].mean())
        assert made.observed[b] == pytest.approx(truth[inside].mean())
    assert made.error == pytest.approx(np.abs(made.predicted - made.observed) @ made.counts / 500)
    assert reliability([1.0, 0.0], np.array([True, False])).error == 0.0
    for wrong in ([1.5], [np.nan], []):
        with pytest.raises(InvalidInputError):
            reliability(wrong, np.ones(len(wrong), dtype=bool))
    with pytest.raises(InvalidInputError, match="truth value"):
        reliability([0.5], [2])
    with pytest.raises(InvalidInputError, match="bins"):
        reliability([0.5], [True], bins=0)


def test_the_larger_label_is_the_second_class_and_numbers_keep_their_order():
    x = np.array([-1.0, -2.0, 1.0, 2.0])
    assert kernel_logistic(np.outer(x, x), [2, 2, 10, 10], 0.1).classes == ("2", "10")
    assert kernel_logistic(np.outer(x, x), ["2", "2", "10", "10"], 0.1).classes == ("10", "2")


@pytest.mark.parametrize(
    ("y", "words"),
    [
        (["a", "a", "a"], "1 classes"),
        (["a", "b", "c"], "3 classes"),
        (["a", "b", ""], "3 classes"),
        (["a", ""] * 2, "one label"),
    ],
)
def test_other_than_two_classes_are_refused(y, words):
    with pytest.raises(InvalidInputError, match=words):
        kernel_logistic(np.eye(3), y, 0.1)
    with pytest.raises(InvalidInputError, match="λ"):
        kernel_logistic(np.eye(2), ["a", "b"], 0.0)


def test_reliability_over_folds_is_that_of_explicit_refits(rng):
    X = rng.normal(size=(40, 2))
    y = np.where(rng.random(40) < 1.0 / (1.0 + np.exp(-2.0 * X[:, 0])), "yes", "no")
    K, config = X @ X.T, CrossValidation(folds=2, repeats=3, seed=4)
    made = judge(K, y, config, learner=KernelLogistic(0.05))
    codes = np.array([made.classes.index(label) for label in y])
    p, truth, items = [], [], []
    for train, test, _ in make_folds(codes, config):
        fit = kernel_logistic(K[np.ix_(train, train)], y[train], 0.05)
        p.append(fit.probabilities(K[np.ix_(test, train)]))
        truth.append(y[test] == "yes")
        items.append(test)
    p, truth, items = map(np.concatenate, (p, truth, items))
    found = fold_reliability(made, "yes", bins=4)
    place = np.minimum((p * 4).astype(int), 3)
    for row, b in enumerate(np.unique(place)):
        assert found.table.predicted[row] == pytest.approx(p[place == b].mean(), abs=1e-8)
        assert found.table.observed[row] == pytest.approx(truth[place == b].mean())
        assert found.items[row] == len(set(items[place == b]))
        assert found.low[row] <= found.table.observed[row] + 1e-12
        assert found.table.observed[row] <= found.high[row] + 1e-12
    share = (y == "yes").mean()
    assert found.floor == pytest.approx(((truth - share) ** 2).mean())
    # the other class is the mirror image, also through components that keep everything
    assert fold_reliability(made, "no", bins=4).table.brier == pytest.approx(found.table.brier)
    through = judge(K, y, config, learner=OnComponents(30, KernelLogistic(0.05)))
    assert fold_reliability(through, "yes").table.brier == pytest.approx(found.table.brier, abs=1e-6)
    with pytest.raises(InvalidInputError, match="probabilities"):
        fold_reliability(judge(K, y, config), "yes")


def primal_optimum(X, t, lam):
    """w and b of the least mean loss + λ‖w‖², by Newton's method on features: there is nothing large in it."""
    Z, v = np.c_[X, np.ones(len(X))], np.zeros(X.shape[1] + 1)
    ridge = 2.0 * lam * np.diag([1.0] * X.shape[1] + [0.0])
    for _ in range(50):
        p = expit(Z @ v)
        slope = Z.T @ (p - t) / len(t) + ridge @ v
        v = v - np.linalg.solve(Z.T @ ((p * (1.0 - p))[:, None] * Z) / len(t) + ridge, slope)
    assert np.abs(slope).max() < 1e-14
    return v


@pytest.mark.parametrize(
    ("scale", "lam", "off"), [(1.0, 1e-6, 1e-6), (1e4, 1e-6, 1e-5), (1e6, 1e-6, 1e-3), (1e4, 1e-8, 1e-3)]
)
def test_a_large_kernel_and_a_small_lambda_end_at_the_digits_and_at_the_optimum(scale, lam, off):
    """Beside entries of 10⁴ no gradient of 1e-8 can be had at λ = 1e-6; the functions are those of a primal fit.

    Each order of the items is rounded otherwise, as on another processor. `off` is what digits leave of K a, with room to
    spare: where a rise that was rounding ended the steps, one order in twenty was a thousand times as far off as most.
    """
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] + rng.normal(size=60) > 0).astype(float)
    best = primal_optimum(X, y, lam / scale)
    least = (
        np.logaddexp(0.0, (1.0 - 2.0 * y) * (X @ best[:3] + best[3])).mean()
        + lam / scale * best[:3] @ best[:3]
    )
    for order in [np.arange(60), *(rng.permutation(60) for _ in range(20))]:
        K = scale * X[order] @ X[order].T
        made = kernel_logistic(K, y[order], lam)
        assert made.converged
        assert made.steps < logistic.MOST_STEPS
        assert made.gradient <= off
        np.testing.assert_allclose(made.log_odds(K), X[order] @ best[:3] + best[3], atol=off)
        assert made.objective == pytest.approx(least, abs=off)


def test_what_no_digit_tells_apart_is_not_called_done(rng):
    X = rng.normal(size=(60, 3))
    y = X[:, 0] + rng.normal(size=60) > 0
    assert not kernel_logistic(1e8 * X @ X.T, y, 1e-8).converged


def test_a_point_whose_objective_is_no_number_is_never_better():
    t, K = np.array([0.0, 1.0]), np.eye(2)
    here = logistic._look(K, t, 0.1, np.zeros(2), 0.0)
    for lost in (np.nan, np.inf):
        with np.errstate(all="ignore"):
            there = logistic._look(K, t, 0.1, np.array([lost, 0.0]), 0.0)
        assert not logistic._better(there, here)


@pytest.mark.parametrize("lam", [1e-10, 1e-6, 1e-2])
@pytest.mark.parametrize("kernel", ["linear", "gaussian"])
def test_separable_items_end_at_the_optimum_where_all_residuals_vanish(kernel, lam):
    """Beside residuals of 1e-9 a gradient of 1e-8 says nothing: the norm of f was off by a tenth, the objective by a third.

    At the optimum a = (t − p) / 2nλ in all its digits, and neither a larger nor a smaller f has a lower objective.
    """
    rng = np.random.default_rng(1)
    y = np.arange(14) % 2
    X = rng.normal(size=(14, 2)) + 8.0 * np.c_[y, 0 * y]
    K = X @ X.T if kernel == "linear" else gaussian(X, X)
    made = kernel_logistic(K, y, lam)
    f, sign = made.log_odds(K), np.where(y == 1, 1.0, -1.0)
    assert made.converged
    np.testing.assert_allclose(
        made.alpha, sign * expit(-sign * f) / (28.0 * lam), rtol=1e-5, atol=1e-6 * abs(made.alpha).max()
    )

    def objective(times):
        a, b = times * made.alpha, made.intercept
        return np.logaddexp(0.0, -sign * (K @ a + b)).mean() + lam * a @ K @ a

    assert objective(1.0) <= min(objective(0.999), objective(1.001))


@pytest.mark.parametrize("scale", [1e6, 1e20, 1e140])
@pytest.mark.parametrize("lam", [1e-12, 1e-3])
def test_a_kernel_beside_which_lambda_is_rounding_ends_without_a_traceback(rng, scale, lam):
    """Of a kernel of low rank the system was no longer positive definite: an error of linear algebra came to the page."""
    X = rng.normal(size=(14, 2))
    y = np.arange(14) % 2
    made = kernel_logistic(scale * X @ X.T, y, lam)
    assert np.isfinite(made.alpha).all()
    assert np.isfinite(made.intercept)
    assert np.isfinite(
        judge(scale * X @ X.T, y.astype(str), CrossValidation(), learner=KernelLogistic(lam)).auc.mean
    )
