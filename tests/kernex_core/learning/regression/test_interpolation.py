import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF

from kernex_core.base.errors import InvalidInputError
from kernex_core.kernels.vectors.distance import Gaussian
from kernex_core.studies.lessons.smoothness import interpolate, nearest_to_bound


def test_mean_and_variance_are_those_of_a_gaussian_process(rng):
    X, new = rng.uniform(0, 4, (6, 1)), rng.uniform(0, 4, (9, 1))
    y, kernel = rng.standard_normal(6), Gaussian(sigma=0.7)
    made = interpolate(kernel.gram(X), y, nugget=0.1)
    other = GaussianProcessRegressor(RBF(0.7), alpha=0.1, optimizer=None).fit(X, y)
    mean, sd = other.predict(new, return_std=True)
    crossed = kernel.cross(new, X)
    np.testing.assert_allclose(made.mean(crossed), mean, atol=1e-10)
    np.testing.assert_allclose(made.variance(crossed, np.ones(9)), sd**2, atol=1e-10)
    assert made.squared_norm == pytest.approx(made.alpha @ kernel.gram(X) @ made.alpha)


def test_without_a_nugget_the_values_are_met_at_no_variance(rng):
    K = Gaussian(sigma=1.0).gram(rng.standard_normal((5, 2)))
    y = rng.standard_normal(5)
    made = interpolate(K, y)
    assert made.nugget == 0.0
    np.testing.assert_allclose(made.mean(K), y, atol=1e-8)
    np.testing.assert_allclose(made.variance(K, np.ones(5)), 0.0, atol=1e-8)
    assert made.squared_norm == pytest.approx(y @ np.linalg.solve(K, y))


def test_no_pair_passes_its_bound(rng):
    X = rng.uniform(0, 3, (40, 1))
    K = Gaussian(sigma=0.5).gram(X)
    made = interpolate(K[:4, :4], rng.standard_normal(4))
    f = made.mean(K[:, :4])
    best = nearest_to_bound(f, K, made.squared_norm)
    assert 0.0 < best.ratio <= 1.0
    for i in range(40):
        for j in range(i):
            bound = np.sqrt(made.squared_norm * (2.0 - 2.0 * K[i, j]))
            assert abs(f[i] - f[j]) <= best.ratio * bound * (1 + 1e-9) + 1e-12


def test_no_norm_no_bound():
    assert nearest_to_bound([0.0, 0.0], np.eye(2), 0.0) is None
    assert nearest_to_bound([1.0], [[1.0]], 1.0) is None


def test_what_cannot_be_met_is_refused():
    with pytest.raises(InvalidInputError, match="nugget"):
        interpolate(np.ones((2, 2)), [0.0, 1.0], nugget=0.0)
    with pytest.raises(InvalidInputError, match="finite number"):
        interpolate(np.eye(2), [0.0])
    assert interpolate(np.ones((2, 2)), [0.0, 1.0]).nugget == pytest.approx(2e-6)
    assert not interpolate(np.zeros((1, 1)), [1.0]).mean([[0.0]]).any()
