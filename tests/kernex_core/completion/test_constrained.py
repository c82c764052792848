"""Theorem 4: a fit under bounds on several norms, against an outside solver and against ridge regression."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from kernex_core import InvalidInputError, NotPositiveSemidefiniteError, joint_path, joint_regularize
from kernex_core.studies.papers.joint.theorem import (
    TheoremConfig,
    constrained_fit,
    demo_kernels,
    theorem_demo,
)


def problem(seed, n, count):
    rng = np.random.default_rng(seed)
    kernels = []
    for _ in range(count):
        B = rng.normal(size=(n, n))
        kernels.append(B @ B.T / n + 0.2 * np.eye(n))
    y = rng.normal(size=n)
    needed = np.array([y @ np.linalg.solve(K, y) / 2 for K in kernels])
    return kernels, y, needed * 10 ** rng.uniform(-2.5, 0.2, count)


@given(st.integers(0, 10**6), st.integers(1, 10), st.integers(1, 4))
def test_the_fit_is_feasible_its_multipliers_complementary_and_no_fit_is_nearer(seed, n, count):
    kernels, y, bounds = problem(seed, n, count)
    made = constrained_fit(kernels, y, bounds)
    terms = [made.f @ np.linalg.solve(K, made.f) / 2 for K in kernels]
    np.testing.assert_allclose(made.terms, terms, rtol=1e-8)
    assert (made.terms <= bounds * (1 + 1e-9)).all()
    assert (made.beta >= 0).all()
    np.testing.assert_allclose(made.terms[made.binding], bounds[made.binding], rtol=1e-9)
    # stationary: f - y + sum beta_i K_i^-1 f = 0
    pulled = sum(b * np.linalg.solve(K, made.f) for b, K in zip(made.beta, kernels, strict=True))
    np.testing.assert_allclose(made.f - y + pulled, 0, atol=1e-8 * np.abs(y).max())
    assert abs(made.gap) <= 1e-8 * (y @ y)


@pytest.mark.parametrize("seed", range(6))
def test_an_outside_convex_solver_finds_the_same_fit(seed):
    kernels, y, bounds = problem(seed, 6, 2)
    made = constrained_fit(kernels, y, bounds)
    inverses = [np.linalg.inv(K) for K in kernels]
    outside = minimize(
        lambda f: np.sum((f - y) ** 2) / 2,
        np.zeros(6),
        jac=lambda f: f - y,
        method="SLSQP",
        constraints=[
            {
                "type": "ineq",
                "fun": lambda f, Q=Q, c=c: 1 - f @ Q @ f / (2 * c),
                "jac": lambda f, Q=Q, c=c: -Q @ f / c,
            }
            for Q, c in zip(inverses, bounds, strict=True)
        ],
        options={"ftol": 1e-14, "maxiter": 500},
    )
    np.testing.assert_allclose(made.f, outside.x, atol=2e-5)
    assert made.loss == pytest.approx(outside.fun, abs=1e-7)


def test_it_is_ridge_regression_with_the_joint_kernel_of_its_multipliers():
    found = 0
    for seed in range(30):
        kernels, y, bounds = problem(seed, 8, 2)
        made = constrained_fit(kernels, y, bounds)
        if made.total:
            lam = float(made.weights[0])
            J = joint_path(*kernels, nugget=0.0).kernel(lam)
            np.testing.assert_allclose(made.f, J @ np.linalg.solve(J + made.total * np.eye(8), y), atol=1e-8)
            found += bool(made.binding.all())
    assert found  # with both bounds binding, too
    kernels, y, bounds = problem(3, 8, 4)
    made = constrained_fit(kernels, y, bounds)
    J = joint_regularize(kernels, made.weights, nugget=0.0)
    np.testing.assert_allclose(made.f, J @ np.linalg.solve(J + made.total * np.eye(8), y), atol=1e-8)


def test_bounds_that_do_not_bind_have_multiplier_0():
    kernels, y, _ = problem(0, 7, 2)
    needed = np.array([y @ np.linalg.solve(K, y) / 2 for K in kernels])
    made = constrained_fit(kernels, y, 2 * needed)
    assert not made.beta.any()
    assert np.isnan(made.weights).all()
    np.testing.assert_allclose(made.f, y)
    one = constrained_fit(kernels, y, needed * [0.05, 2])
    assert one.binding.tolist() == [True, False]
    twice = constrained_fit([kernels[0]] * 2, y, needed[:1].repeat(2) * 0.05)
    assert twice.total == pytest.approx(one.total)  # how two equal kernels share it is not determined


def test_lemma_6_is_no_equivalence(rng):
    """Where the larger of two terms is c their sum is above c and at most 2 c, and takes values all over."""
    kernels, *_ = problem(1, 4, 2)
    inverses = [np.linalg.inv(K) for K in kernels]
    sums = []
    for _ in range(4000):
        w = rng.normal(size=4)
        terms = np.array([w @ Q @ w for Q in inverses])
        sums.append(terms.sum() / terms.max())
    assert 1 < min(sums) < 1.3
    assert 1.95 < max(sums) <= 2


@pytest.mark.parametrize(
    ("kernels", "y", "bounds", "error", "said"),
    [
        ([np.eye(2)], [1, 2], [0.0], InvalidInputError, "one bound above 0"),
        ([np.eye(2)], [1, 2], [1, 1], InvalidInputError, "one bound above 0"),
        ([np.eye(3)], [1, 2], [1], InvalidInputError, "same 2 points"),
        ([np.ones((2, 2))], [1, 2], [1], InvalidInputError, "positive definite"),
        ([-np.eye(2)], [1, 2], [1], NotPositiveSemidefiniteError, "Kernel 1"),
        ([], [1, 2], [], InvalidInputError, "At least one kernel"),
    ],
)
def test_what_no_problem_is_says_why(kernels, y, bounds, error, said):
    with pytest.raises(error, match=said):
        constrained_fit(kernels, np.array(y, float), bounds)


def test_the_demonstration_shows_every_case():
    x = theorem_demo(TheoremConfig()).x
    _, even = demo_kernels(x)
    np.testing.assert_allclose(even, even[::-1, ::-1])
    bind = {
        shares: theorem_demo(TheoremConfig(*shares)).fit.binding.tolist()
        for shares in ((1.0, 1.0), (0.2, 0.2), (0.02, 1.0), (1.0, 0.02))
    }
    assert list(bind.values()) == [[False, False], [True, True], [True, False], [False, True]]
    made = theorem_demo(TheoremConfig(1.0, 0.01))
    assert np.abs(made.fit.f - made.fit.f[::-1]).max() < 0.25 * np.abs(made.y - made.y[::-1]).max()
