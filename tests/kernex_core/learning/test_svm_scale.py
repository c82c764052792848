"""C times the kernel of any size: the solution is that of outside solvers, or it is said that it is not."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from sklearn.svm import SVC

from kernex_core.learning import machine as svm
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from tests.oracles.svm import dual_objective

SCALES = [1e-8, 1e-4, 1e4, 1e8]


def problem(rng, n=60, positive=20, gap=1.0, repeated=0):
    """K, codes: two overlapping classes, and the same again for the first `repeated` items of each class."""
    codes = np.repeat([0, 1], [n - positive, positive])
    X = rng.normal(size=(n, 5)) + gap * codes[:, None]
    twice = np.concatenate([np.flatnonzero(codes == c)[:repeated] for c in (0, 1)])
    X, codes = np.vstack([X, X[twice]]), np.concatenate([codes, codes[twice]])
    K = X @ X.T + 3.0
    return K / np.diag(K).mean(), codes


def limit(K, codes):
    """u with beta = C u as C goes to 0, by an interior-point solver: the smaller class at its bound."""
    import cvxpy

    y = 2.0 * codes - 1.0
    small = y == (1.0 if codes.mean() < 0.5 else -1.0)
    half = np.linalg.cholesky(K + 1e-13 * np.eye(codes.size)).T
    u = cvxpy.Variable(codes.size)
    bounds = [u[small] == y[small], cvxpy.multiply(u, y) >= 0, cvxpy.multiply(u, y) <= 1, cvxpy.sum(u) == 0]
    cvxpy.Problem(cvxpy.Minimize(cvxpy.sum_squares(half @ u)), bounds).solve(
        solver="CLARABEL", tol_gap_abs=1e-13, tol_gap_rel=1e-13, tol_feas=1e-13
    )
    return u.value


@pytest.mark.parametrize("s", SCALES)
@pytest.mark.parametrize("C", [1e-5, 0.1, 10.0])
def test_a_scaled_kernel_with_an_inversely_scaled_c_is_the_same_problem(rng, C, s):
    K, codes = problem(rng)
    plain = svm.fit_one_vs_rest(K, codes, 2, C=C, tolerance=1e-7)
    scaled = svm.fit_one_vs_rest(s * K, codes, 2, C=C / s, tolerance=1e-7)
    spread = np.ptp(plain.decide(K)[:, 1])
    np.testing.assert_allclose(scaled.decide(s * K), plain.decide(K), atol=1e-5 * spread)
    np.testing.assert_allclose(
        s * dual_objective(s * K, scaled.coefficients), dual_objective(K, plain.coefficients), rtol=1e-6
    )
    libsvm = SVC(kernel="precomputed", C=C, tol=1e-12).fit(K, codes)
    np.testing.assert_allclose(plain.decide(K)[:, 1], libsvm.decision_function(K), atol=1e-5 * spread)
    assert plain.not_converged == scaled.not_converged == 0


@pytest.mark.parametrize("repeated", [0, 15])
@pytest.mark.parametrize("s", [1e-4, 1e-7, 1e-10])
def test_far_below_the_margin_the_solution_is_the_limit_and_not_arbitrary(rng, s, repeated):
    """With a tolerance in units of the margin, areas of .72 stood where .69 is right."""
    K, codes = problem(rng, gap=0.6, repeated=repeated)
    expected = K @ limit(K, codes)
    assert np.ptp(expected) > 0.1
    made = svm.fit_one_vs_rest(s * K, codes, 2)
    found = made.decide(s * K)[:, 1]
    moved = (found - found.mean()) / s - (expected - expected.mean())
    assert abs(moved).max() <= 2.0 * svm.TOLERANCE * np.ptp(expected) + 1e-15 / s
    assert roc_auc_score(codes, found) == pytest.approx(roc_auc_score(codes, expected), abs=0.003)
    assert made.not_converged == 0


@pytest.mark.parametrize("positive", [20, 30, 40])
def test_the_bias_of_a_small_c_is_that_of_libsvm(rng, positive):
    K, codes = problem(rng, positive=positive)
    reference = SVC(kernel="precomputed", C=1e-4, tol=1e-13).fit(K, codes)
    made = svm.fit_one_vs_rest(K, codes, 2, C=1e-4, tolerance=1e-7)
    np.testing.assert_allclose(made.decide(K)[:, 1], reference.decision_function(K), atol=1e-9)
    # LIBSVM's midpoint, and that of every scale
    for s in SCALES:
        scaled = svm.fit_one_vs_rest(s * K, codes, 2, C=1e-4 / s, tolerance=1e-7)
        np.testing.assert_allclose(scaled.bias, made.bias, atol=1e-9)


def test_a_large_diagonal_does_not_hide_what_decides(rng):
    """Decision values of new items hold no diagonal: they spread by 1e-4 here, training values by 1."""
    K, codes = problem(rng)
    K = K + 1e4 * np.eye(codes.size)
    made = svm.fit_one_vs_rest(K, codes, 2, C=10.0)
    fine = svm.fit_one_vs_rest(K, codes, 2, C=10.0, tolerance=1e-9)
    rows = K - np.diag(np.diag(K))
    spread = np.ptp(fine.decide(rows)[:, 1])
    assert spread < 0.05
    np.testing.assert_allclose(made.decide(rows), fine.decide(rows), atol=3e-3 * spread)


def test_a_small_c_starts_from_another(rng):
    K, codes = problem(rng)
    for first, then in ((1e-9, 1e-3), (1.0, 1e-9), (1e-9, 10.0)):
        start = svm.fit_one_vs_rest(K, codes, 2, C=first, tolerance=1e-7)
        warm = svm.fit_one_vs_rest(K, codes, 2, C=then, tolerance=1e-7, start=start)
        cold = svm.fit_one_vs_rest(K, codes, 2, C=then, tolerance=1e-7)
        spread = np.ptp(cold.decide(K)[:, 1])
        np.testing.assert_allclose(warm.decide(K), cold.decide(K), atol=1e-5 * spread)
        assert (abs(warm.coefficients) <= then).all()


def test_what_did_not_converge_is_said(rng, monkeypatch):
    K, codes = problem(rng)
    names = np.array([f"c{c}" for c in codes])
    assert svm.fit_one_vs_rest(K, codes, 2, C=1e-18).not_converged == 1
    with monkeypatch.context() as few:
        few.setattr(svm, "iteration_limit", lambda n: 3)
        assert svm.fit_one_vs_rest(K, codes, 2, C=1e6).not_converged == 1
    lost = judge(1e-18 * K, names, CrossValidation(C=1.0, repeats=1))
    assert lost.not_converged == 2
    assert "2 two-class problems ended before their optimum" in lost.notes[-1]
    assert not judge(1e-6 * K, names, CrossValidation(C=1.0, repeats=1)).not_converged


@pytest.mark.parametrize("s", [1.0, 1e-4, 1e-12])
def test_decisions_that_are_equal_are_equal_to_the_last_digit(rng, s):
    """Five features, classes that overlap: w = 0 is the optimum, and areas of .69 were made of what was left of it."""
    K, codes = problem(rng, gap=0.1)
    assert np.ptp(K @ limit(K, codes)) < 1e-9
    made = svm.fit_one_vs_rest(s * K, codes, 2, C=1e-3)
    np.testing.assert_array_equal(made.decide(s * K)[:, 1], -1.0)
    assert made.not_converged == 0


def test_a_kernel_that_says_nothing_converges():
    for K in (np.eye(6), np.zeros((6, 6)), np.ones((6, 6))):
        made = svm.fit_one_vs_rest(K, [0, 0, 0, 0, 1, 1], 2)
        assert made.not_converged == 0
        assert np.isfinite(made.decide(K)).all()
