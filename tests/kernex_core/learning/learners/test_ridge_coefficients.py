import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.learning.learners.losses import MARGIN_LOSSES, epsilon_insensitive, least_on_a_line
from kernex_core.learning.learners.ridge import bias_and_variance, kernel_ridge, ridge_coefficients


@pytest.mark.parametrize("shape", [(7, 3), (3, 7)])
def test_coefficients_solve_both_systems(rng, shape):
    X, lams = rng.standard_normal(shape), [0.01, 1.0]
    y = rng.standard_normal(shape[0])
    made = ridge_coefficients(X, y, lams)
    for k, lam in enumerate(lams):
        ridge = shape[0] * lam
        primal = np.linalg.solve(X.T @ X + ridge * np.eye(shape[1]), X.T @ y)
        np.testing.assert_allclose(made.primal[k], primal, atol=1e-10)
        np.testing.assert_allclose(made.dual[k], kernel_ridge(X @ X.T, y, lam).alpha, atol=1e-8)


def test_without_lambda_columns_have_to_be_independent(rng):
    X = rng.standard_normal((5, 2))
    made = ridge_coefficients(X, X @ [1.0, -2.0], 0.0)
    np.testing.assert_allclose(made.primal[0], [1.0, -2.0], atol=1e-10)
    with pytest.raises(InvalidInputError, match="rank 2"):
        ridge_coefficients(np.column_stack([X, X[:, 0]]), X[:, 1], 0.0)
    with pytest.raises(InvalidInputError, match="one finite target"):
        ridge_coefficients(X, [1.0], 1.0)


def test_bias_and_variance_are_those_of_the_smoother(rng):
    A = rng.standard_normal((6, 6))
    K, f, lam = A @ A.T, rng.standard_normal(6), 0.3
    S = K @ np.linalg.inv(K + 6 * lam * np.eye(6))
    made = bias_and_variance(K, f, [lam], noise=0.5)
    assert made.squared_bias[0] == pytest.approx(((S @ f - f) ** 2).mean())
    assert made.variance[0] == pytest.approx(0.25 * np.trace(S @ S.T) / 6)
    assert made.effective[0] == pytest.approx(np.trace(S))
    assert made.error[0] == made.squared_bias[0] + made.variance[0]


def test_what_falls_for_ever_has_no_least_value():
    with pytest.raises(InvalidInputError, match="λ above 0"):
        least_on_a_line(MARGIN_LOSSES[3], [1.0, 2.0])


@pytest.mark.parametrize("loss", [*MARGIN_LOSSES, epsilon_insensitive(0.7)])
def test_slopes_are_those_of_the_loss(loss):
    z, h = np.array([-1.7, -0.7, 0.0, 0.4, 0.7, 1.0, 2.0]), 1e-6
    left, right = loss.slopes(z)
    np.testing.assert_allclose(left, (loss.value(z) - loss.value(z - h)) / h, atol=1e-5)
    np.testing.assert_allclose(right, (loss.value(z + h) - loss.value(z)) / h, atol=1e-5)
