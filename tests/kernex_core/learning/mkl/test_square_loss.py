"""Square-loss multiple kernel learning beside scikit-learn's LASSO, SciPy's solver, hand-made optimality and the vectors."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import minimize
from sklearn.linear_model import Lasso, Ridge

from kernex_core.base.errors import InvalidInputError
from kernex_core.learning.mkl.base_kernels import FeatureGroups, KernelStack
from kernex_core.learning.mkl.losses import square_loss_mkl, square_loss_path
from kernex_core.learning.mkl.minimise import onto_simplex

FINE = 1e-12


def features(rng, n=30, p=8):
    X = rng.normal(size=(n, p))
    y = X[:, 0] - 0.5 * X[:, 1] + 0.3 * rng.normal(size=n)
    return X - X.mean(axis=0), y - y.mean()


def chain(p):
    """Edges 0-1, 1-2, … as groups of features."""
    members = np.zeros((p, p - 1))
    for e in range(p - 1):
        members[[e, e + 1], e] = 1.0
    return sparse.csr_array(members)


def by_name(shared, name):
    vectors = json.loads((shared / "vectors" / "more.json").read_text(encoding="utf-8"))
    return next(vector for vector in vectors if vector["name"] == name)


@pytest.mark.parametrize("name", ["MKL with rank-1 kernels is the LASSO", "graph lasso by MKL"])
def test_vectors_of_features(shared, name):
    given_, wanted = (by_name(shared, name)[key] for key in ("inputs", "expected"))
    X = np.array(given_["X"])
    members = np.zeros((X.shape[1], len(given_["edges"]))) if "edges" in given_ else np.eye(X.shape[1])
    for e, pair in enumerate(given_.get("edges", ())):
        members[pair, e] = 1.0
    kernels = FeatureGroups(X, members)
    made = square_loss_mkl(kernels, given_["y"], given_["lam"], tolerance=FINE)
    assert made.objective == pytest.approx(wanted["J"], rel=1e-10)
    np.testing.assert_allclose(made.weights, wanted["weights"], atol=1e-5)
    np.testing.assert_allclose(kernels.coefficients(made.weights, made.dual), wanted["beta"], atol=1e-5)


def test_the_vector_of_matrices(shared):
    vector = by_name(shared, "MKL square loss, 3 kernels")
    given_, wanted = vector["inputs"], vector["expected"]
    made = square_loss_mkl(KernelStack(given_["kernels"]), given_["y"], given_["lam"], tolerance=FINE)
    assert made.objective == pytest.approx(wanted["J"], rel=1e-10)
    np.testing.assert_allclose(made.weights, wanted["weights"], atol=1e-6)


@pytest.mark.parametrize("lam", [0.01, 0.1, 1.0])
def test_one_kernel_a_feature_is_the_lasso_of_scikit_learn(rng, lam):
    X, y = features(rng)
    kernels = FeatureGroups(X, np.eye(8))
    made = square_loss_mkl(kernels, y, lam, tolerance=1e-16)
    beta = kernels.coefficients(made.weights, made.dual)
    theirs = Lasso(alpha=lam * np.abs(beta).sum(), fit_intercept=False, tol=1e-14, max_iter=100_000).fit(X, y)
    np.testing.assert_allclose(beta, theirs.coef_, atol=1e-10)
    np.testing.assert_allclose(made.weights, np.abs(beta) / np.abs(beta).sum(), atol=1e-10)


def test_matrices_and_features_are_the_same_problem_and_scipy_finds_no_better_weights(rng):
    X, y = features(rng)
    groups = FeatureGroups(X, chain(8))
    stack = KernelStack([X[:, [e, e + 1]] @ X[:, [e, e + 1]].T for e in range(7)])
    one, other = (square_loss_mkl(kernels, y, 0.2, tolerance=FINE) for kernels in (groups, stack))
    np.testing.assert_allclose(one.weights, other.weights, atol=1e-9)

    def objective(d):
        return 0.2 * y @ np.linalg.solve(np.tensordot(d, stack.values, 1) + 6.0 * np.eye(30), y)

    theirs = minimize(
        objective, np.full(7, 1 / 7), bounds=[(0, 1)] * 7, method="SLSQP",
        constraints={"type": "eq", "fun": lambda d: d.sum() - 1}, options={"ftol": 1e-14, "maxiter": 500},
    )  # fmt: skip
    assert one.objective <= theirs.fun * (1 + 1e-10)
    np.testing.assert_allclose(one.weights, theirs.x, atol=1e-4)
    assert one.objective == pytest.approx(objective(one.weights), rel=1e-12)


@pytest.mark.parametrize("lam", [0.02, 0.2, 2.0])
def test_overlapping_groups_obey_the_subgradient_conditions(rng, lam):
    """Of min ‖y − Xβ‖²/n + λ Ω(β)²: every group's slope is at most λ Ω, and exactly that with the direction of its part."""
    X, y = features(rng, n=40, p=25)
    kernels = FeatureGroups(X, chain(25))
    made = square_loss_mkl(kernels, y, lam, tolerance=1e-13)
    slopes = X.T @ made.dual  # a = residual / (nλ), so that λ slopes is half the gradient of the loss
    np.testing.assert_allclose(
        lam * slopes, X.T @ (y - X @ kernels.coefficients(made.weights, made.dual)) / 40, atol=1e-9
    )
    parts = [made.weights[e] * slopes[[e, e + 1]] for e in range(24)]
    omega = sum(map(np.linalg.norm, parts))
    sizes = np.array([np.linalg.norm(slopes[[e, e + 1]]) for e in range(24)])
    assert sizes.max() <= omega * (1 + 1e-6)
    np.testing.assert_allclose(sizes[made.weights > 0.0], omega, rtol=1e-6)
    assert 0 < np.count_nonzero(made.weights) < 24


def test_one_kernel_is_ridge_regression_and_of_twins_only_the_sum_is_certain(rng):
    X, y = features(rng)
    K = X @ X.T
    one = square_loss_mkl(KernelStack([K]), y, 0.3)
    ridge = Ridge(alpha=30 * 0.3, fit_intercept=False, solver="cholesky").fit(X, y)
    np.testing.assert_allclose(K @ one.dual, ridge.predict(X), atol=1e-9)
    noise = np.outer(X[:, 7], X[:, 7])
    alone = square_loss_mkl(KernelStack([K, noise]), y, 0.3, tolerance=FINE)
    twins = square_loss_mkl(KernelStack([K, noise, K]), y, 0.3, tolerance=FINE)
    assert twins.weights[0] + twins.weights[2] == pytest.approx(alone.weights[0], abs=1e-6)


def test_the_gap_is_what_it_says_whenever_it_ends(rng):
    X, y = features(rng, n=50, p=60)
    kernels = FeatureGroups(X, np.eye(60))
    best = square_loss_mkl(kernels, y, 0.05, tolerance=1e-12).objective
    for most in (0, 1, 3, 10):
        made = square_loss_mkl(kernels, y, 0.05, tolerance=1e-12, most_steps=most)
        assert made.steps == most
        assert not made.converged
        assert 0.0 <= (made.objective - best) / made.objective <= made.gap + 1e-12
        assert made.path.shape == (most + 1, 2)
    warm = list(square_loss_path(kernels, y, (1.0, 0.2, 0.05)))
    assert [one.lam for one in warm] == [1.0, 0.2, 0.05]
    assert all(one.converged and one.gap <= 1e-3 for one in warm)
    assert warm[-1].objective == pytest.approx(best, rel=2e-3)
    assert warm[-1].steps < square_loss_mkl(kernels, y, 0.05).steps * 2


def test_targets_without_variation_leave_nothing_to_learn():
    made = square_loss_mkl(KernelStack([np.eye(3), np.ones((3, 3))]), np.zeros(3), 1.0)
    assert (made.objective, made.gap, made.converged) == (0.0, 0.0, True)
    np.testing.assert_array_equal(made.dual, 0.0)


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=30))
def test_the_simplex_is_met_where_it_is_nearest(values):
    v = np.array(values)
    d = onto_simplex(v)
    assert d.min() >= 0.0
    assert d.sum() == pytest.approx(1.0, abs=1e-9)
    # no corner lies on the side of v: (v − d)'(e_m − d) ≤ 0
    assert ((v - d) - (v - d) @ d).max() <= 1e-6 * (1 + np.abs(v).max())


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"y": [1.0, 2.0]}, "one finite number an item"),
        ({"y": [1.0, 2.0, np.nan]}, "finite number"),
        ({"lam": 0.0}, "λ"),
        ({"start": [1.0]}, "one weight a kernel"),
    ],
)
def test_what_cannot_be_is_refused(wrong, words):
    with pytest.raises(InvalidInputError, match=words):
        square_loss_mkl(
            KernelStack([np.eye(3), np.ones((3, 3))]), **{"y": [1.0, 0.0, -1.0], "lam": 0.5, **wrong}
        )


def test_matrices_that_are_no_kernels_and_groups_of_other_features_are_refused():
    with pytest.raises(InvalidInputError, match="positive semidefinite"):
        square_loss_mkl(KernelStack([-np.eye(3)]), [1.0, 0.0, -1.0], 0.01)
    with pytest.raises(InvalidInputError, match="shape"):
        KernelStack(np.eye(3))
    with pytest.raises(InvalidInputError, match="each of 2 features"):
        FeatureGroups(np.eye(2), np.eye(3))
