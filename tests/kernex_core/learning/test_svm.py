import numpy as np
import pytest
from sklearn.svm import SVC

from kernex_core.base.errors import InvalidInputError, NotPositiveSemidefiniteError
from kernex_core.base.jit import jit_numbers
from kernex_core.learning import machine as svm
from kernex_core.learning.smo import greater, lesser
from tests.kernex_core.learning.test_evaluate import classes_and_kernel


@pytest.mark.parametrize("C", [0.1, 10.0, 1e6])
def test_decisions_are_those_of_libsvm(rng, C):
    K, y = classes_and_kernel(rng, sizes=(30, 20, 10))
    codes = np.unique(y, return_inverse=True)[1]
    made = svm.fit_one_vs_rest(K, codes, 3, C=C, tolerance=1e-5)
    for c in range(3):
        reference = SVC(kernel="precomputed", C=C, tol=1e-6).fit(K, codes == c)
        np.testing.assert_allclose(made.decide(K)[:, c], reference.decision_function(K), atol=5e-3)
    np.testing.assert_allclose(made.coefficients.sum(axis=1), 0.0, atol=1e-6 * C)
    assert made.not_converged == 0


def test_two_classes_are_mirror_images(rng):
    K, y = classes_and_kernel(rng, sizes=(10, 12))
    decisions = svm.fit_one_vs_rest(K, (y == "c1").astype(int), 2).decide(K)
    np.testing.assert_array_equal(decisions[:, 0], -decisions[:, 1])


def test_one_class_in_training_is_predicted_and_a_missing_one_never():
    made = svm.fit_one_vs_rest(np.eye(3), [1, 1, 1], 3)
    assert made.decide(np.eye(3)).argmax(axis=1).tolist() == [1, 1, 1]


def test_a_warm_start_ends_at_the_same_solution(rng):
    K, y = classes_and_kernel(rng, sizes=(30, 20, 10), gap=1.0)
    codes = np.unique(y, return_inverse=True)[1]
    start = svm.fit_one_vs_rest(K, codes, 3, C=1.0, tolerance=1e-6)
    warm = svm.fit_one_vs_rest(K, codes, 3, C=5.0, tolerance=1e-6, start=start)
    cold = svm.fit_one_vs_rest(K, codes, 3, C=5.0, tolerance=1e-6)
    np.testing.assert_allclose(warm.decide(K), cold.decide(K), atol=1e-4)


def test_contradictory_duplicates_end_at_the_limit_and_are_counted(monkeypatch):
    K = np.ones((4, 4))
    monkeypatch.setattr(svm, "iteration_limit", lambda n: 50)
    made = svm.fit_one_vs_rest(K, [0, 1, 0, 1], 2, C=1e7)
    assert np.isfinite(made.coefficients).all()


def test_the_asymmetric_margin_is_a_ridge_of_class_counts(rng):
    K, y = classes_and_kernel(rng, sizes=(12, 6))
    codes = (y == "c1").astype(int)
    members = np.where(codes == 1, 6, 12)
    made = svm.fit_one_vs_rest(K, codes, 2, C=10.0, asymmetry=0.5, tolerance=1e-6)
    reference = SVC(kernel="precomputed", C=10.0, tol=1e-7).fit(K + np.diag(0.5 * members / 18), codes)
    beta = np.zeros(18)
    beta[reference.support_] = reference.dual_coef_[0]
    np.testing.assert_allclose(made.coefficients[1], beta, atol=1e-3)


def test_what_would_be_fitted_silently_is_refused():
    with pytest.raises(NotPositiveSemidefiniteError):
        svm.fit_one_vs_rest([[0.0, 1], [1, 0]], [0, 1], 2)
    with pytest.raises(InvalidInputError, match="symmetric"):
        svm.fit_one_vs_rest([[1.0, 0.5], [0, 1]], [0, 1], 2)
    with pytest.raises(InvalidInputError, match="one row"):
        svm.fit_one_vs_rest(np.eye(3), [0, 1], 2)
    with pytest.raises(InvalidInputError, match="codes"):
        svm.fit_one_vs_rest(np.eye(2), [0, 5], 2)
    with pytest.raises(InvalidInputError, match="C has"):
        svm.fit_one_vs_rest(np.eye(2), [0, 1], 2, C=-1.0)


def test_lambda_is_shown_both_ways():
    assert svm.fit_one_vs_rest(np.eye(2), [0, 1], 2, C=4.0).lam == pytest.approx(1 / 16)


def steps_of_one_after_the_other(K, y, C, tolerance):
    """Number of pairs by second-order information (Fan, Chen, Lin 2005, WSS 2) to the optimum, in plain Python."""
    n, steps = y.size, 0
    high, low = np.where(y > 0, C, 0.0), np.where(y > 0, 0.0, -C)
    beta, F = np.zeros(n), -y.astype(float)
    while True:
        i = min((k for k in range(n) if beta[k] < high[k]), key=lambda k: F[k])
        others = [k for k in range(n) if beta[k] > low[k] and F[k] > F[i]]
        if not others or max(F[k] for k in others) - F[i] < tolerance:
            return steps
        bend = K[i, i] + np.diag(K) - 2.0 * K[i]
        j = max(others, key=lambda k: (F[k] - F[i]) ** 2 / bend[k])
        step = min((F[j] - F[i]) / bend[j], high[i] - beta[i], beta[j] - low[j])
        beta[i] = high[i] if step == high[i] - beta[i] else beta[i] + step
        beta[j] = low[j] if step == beta[j] - low[j] else beta[j] - step
        F, steps = F + step * (K[i] - K[j]), steps + 1


@pytest.mark.parametrize("n", [2, 8, 37, 150])
def test_items_are_looked_at_together_and_the_steps_are_those_of_one_after_the_other(rng, n):
    X = rng.normal(size=(n, 6))
    y = np.where(X[:, 0] + rng.normal(size=n) > 0.3, 1, -1)
    y[:2] = 1, -1
    K = np.exp(-0.1 * np.square(X[:, None] - X[None]).sum(axis=2))
    made = svm.fit_one_vs_rest(K, (y > 0).astype(int), 2, C=20.0, tolerance=1e-3)
    # after a whole step two items are equal but for rounding, which is not the same here and there
    assert made.iterations[1] == pytest.approx(steps_of_one_after_the_other(K, y, 20.0, 1e-3), rel=0.05)
    beta, high = made.coefficients[1], np.where(y > 0, 20.0, 0.0)
    F = K @ beta - y
    assert F[beta > high - 20.0].max() - F[beta < high].min() < 1e-3


@pytest.mark.parametrize("n", [1, 7, 8, 9, 100])
def test_extremes_of_several_items_at_a_time_are_those_of_all(rng, n):
    @jit_numbers
    def both(values):
        low, high = np.inf, -np.inf
        for value in values:
            low, high = lesser(low, value), greater(high, value)
        return low, high

    for values in (rng.normal(size=n), np.full(n, np.inf), np.where(rng.random(n) < 0.5, -np.inf, 1.0)):
        assert both(values) == (values.min(), values.max())
