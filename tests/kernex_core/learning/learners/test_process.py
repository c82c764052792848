"""Gaussian process regression: by kriging's bordered system, by the density of contrasts, by scikit-learn; its intervals."""

import numpy as np
import pytest
from scipy.linalg import null_space
from scipy.optimize import minimize_scalar
from scipy.stats import multivariate_normal
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel

from kernex_core import CrossValidation, GaussianProcess, InvalidInputError, KernelRidge, judge_numbers
from kernex_core.learning.learners.contract import Targets

N = 24


@pytest.fixture
def items(rng):
    """Training block, similarities of new items, their own, and numbers."""
    X = rng.normal(size=(N + 7, 2))
    K = 3.0 * np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2))
    y = 40.0 + np.linalg.cholesky(K + 0.3 * np.eye(N + 7)) @ rng.normal(size=N + 7)
    return X, K[:N, :N], K[N:, :N], np.diag(K)[N:].copy(), y[:N]


def test_mean_and_variance_are_those_of_kriging(items):
    _, K, cross, own, y = items
    made = GaussianProcess(noise=0.2).fit(K, Targets(y))
    H = K / 3.0 + 0.2 * np.eye(N)
    A = np.block([[H, np.ones((N, 1))], [np.ones((1, N)), np.zeros((1, 1))]])
    rows = np.hstack([cross / 3.0, np.ones((len(cross), 1))])
    solved = np.linalg.solve(A, rows.T)
    assert made.decide(cross)[:, 0] == pytest.approx(np.append(y, 0.0) @ solved, rel=1e-9)
    rest = y - made.mean.bias[0]
    scale = rest @ np.linalg.solve(H, rest) / (N - 1)
    expected = scale * (own / 3.0 - (rows * solved.T).sum(axis=1) + 0.2)
    assert made.variance(cross, own) == pytest.approx(expected, rel=1e-8)


def test_evidence_is_the_density_of_contrasts(items):
    _, K, _, _, y = items
    made = GaussianProcess(noise=0.2).fit(K, Targets(y))
    Q = null_space(np.ones((1, N)))
    S = made.scale * (K / 3.0 + 0.2 * np.eye(N))
    density = multivariate_normal(np.zeros(N - 1), Q.T @ S @ Q).logpdf(Q.T @ y)
    assert made.evidence == pytest.approx(density - 0.5 * np.log(N), rel=1e-9)


def test_noise_is_the_likeliest(items):
    _, K, _, _, y = items

    def evidence(log_noise):
        return GaussianProcess(noise=float(np.exp(log_noise))).fit(K, Targets(y)).evidence

    best = minimize_scalar(lambda x: -evidence(x), bounds=(-12.0, 6.0), method="bounded")
    made = GaussianProcess().fit(K, Targets(y))
    assert made.evidence >= -best.fun - 1e-3


def test_scikit_learn_says_the_same_of_a_constant_of_large_variance(items):
    X, K, cross, own, y = items
    made = GaussianProcess(noise=0.2).fit(K, Targets(y))
    kernel = ConstantKernel(1e5, "fixed") + ConstantKernel(made.scale, "fixed") * RBF(1.0, "fixed")
    other = GaussianProcessRegressor(kernel, alpha=0.2 * made.scale, optimizer=None).fit(X[:N], y)
    mean, sd = other.predict(X[N:], return_std=True)
    assert made.decide(cross)[:, 0] == pytest.approx(mean, abs=1e-2)
    assert made.variance(cross, own) == pytest.approx(sd**2 + 0.2 * made.scale, rel=1e-2)


def test_the_mean_is_that_of_ridge(items):
    _, K, cross, _, y = items
    made = GaussianProcess(noise=0.2).fit(K, Targets(y))
    ridge = KernelRidge(0.2 / N).fit(K / 3.0, Targets(y))
    assert made.decide(cross) == pytest.approx(ridge.decide(cross / 3.0), rel=1e-9)


def test_intervals_hold_nine_of_ten(rng):
    n, found = 60, []
    for _ in range(12):
        X = rng.normal(size=(n, 2))
        K = np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2))
        y = 5.0 + np.linalg.cholesky(K + 0.2 * np.eye(n)) @ rng.normal(size=n)
        judged = judge_numbers(K, y, CrossValidation(folds=5, repeats=1), learner=GaussianProcess())
        found.append(judged.coverage)
        assert judged.strengths == ()
    assert 0.86 < np.mean(found) < 0.94


def test_others_say_no_intervals(items):
    _, K, _, _, y = items
    assert np.isnan(judge_numbers(K, y, CrossValidation(folds=2, repeats=1)).coverage)
    with pytest.raises(InvalidInputError, match="Noise"):
        GaussianProcess(noise=0.0)
