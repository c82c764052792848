"""Joint kernels of kernels of any size, against 50-digit arithmetic."""

import mpmath
import numpy as np
import pytest

from kernex_core.completion.complete import joint_kernel
from kernex_core.completion.joint import joint_features, joint_path, joint_regularize
from kernex_core.gram.combine import LIMIT

FACTORS = (-12.0, 12.0)
DIGITS = 1e-12


def pairs(count, seed, kernels=2):
    """Kernels of condition up to about 1e3 and of any size between 1e-12 and 1e12."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n = int(rng.integers(2, 6))
        made = []
        for _ in range(kernels):
            X = rng.normal(size=(n, 2 * n))
            made.append((X @ X.T + 0.05 * n * np.eye(n)) * 10.0 ** rng.uniform(*FACTORS))
        yield made, rng


def exactly(kernels, weights):
    """(Σ β_i K_i^-1)^-1 as it is written."""
    n = kernels[0].shape[0]
    with mpmath.workdps(50):
        total = mpmath.zeros(n)
        for K, weight in zip(kernels, weights, strict=True):
            if weight:
                total += mpmath.matrix(K.tolist()) ** -1 * weight
        J = total**-1
        return np.array([[float(J[i, j]) for j in range(n)] for i in range(n)])


def error(got, expected):
    return abs(got - expected).max() / abs(expected).max()


def test_pairs_of_any_size():
    for (A, T), rng in pairs(200, 0):
        path, lam = joint_path(A, T, nugget=0.0), float(rng.uniform(0.01, 0.99))
        with mpmath.workdps(50):
            weights = mpmath.mpf(lam), 1 - mpmath.mpf(lam)
        expected = exactly([A, T], weights)
        assert error(path.kernel(lam), expected) <= DIGITS
        assert path.trace(lam) == pytest.approx(np.trace(expected), rel=DIGITS)
        assert error(path.diagonal(lam), np.diag(expected)) <= DIGITS
        for end, K in ((0.0, T), (1.0, A)):
            assert error(path.kernel(end), K) <= DIGITS


def test_triples_of_any_size():
    for kernels, rng in pairs(60, 1, kernels=3):
        beta = rng.dirichlet(np.ones(3))
        for weights in (beta, np.array([0.0, 0.5, 0.5]), np.array([0.0, 0.0, 1.0])):
            got = joint_regularize(kernels, weights, nugget=0.0)
            assert error(got, exactly(kernels, [mpmath.mpf(float(w)) for w in weights])) <= DIGITS


def test_weights_of_any_size():
    for kernels, rng in pairs(50, 2, kernels=3):
        beta = 10.0 ** rng.uniform(-13, 0, size=3)
        beta /= beta.sum()
        got = joint_regularize(kernels, beta, nugget=0.0)
        assert error(got, exactly(kernels, [mpmath.mpf(float(w)) for w in beta / beta.sum()])) <= DIGITS


def test_close_to_the_ends_the_path_does_not_jump():
    """λ = 1e-9 counts as 0, but not where the source is so small that it decides."""
    for (A, T), _ in pairs(60, 3):
        path = joint_path(A, T, nugget=0.0)
        for lam in (LIMIT / 10.0, 1.0 - LIMIT / 10.0):
            with mpmath.workdps(50):
                weights = mpmath.mpf(lam), 1 - mpmath.mpf(lam)
            assert error(path.kernel(lam), exactly([A, T], weights)) <= 2.0 * LIMIT * A.shape[0] * 50.0


@pytest.mark.parametrize("factors", [(1e12, 1.0), (1.0, 1e12), (1e-12, 1e12), (1e14, 1.0), (1e120, 1e-120)])
def test_singular_kernels_of_any_size(rng, factors):
    """B diag(a) B' and B diag(t) B' with zeros in both: the parallel sum is that of the diagonals."""
    B = rng.normal(size=(6, 6))
    a, t = np.array([1.0, 2.0, 0.5, 0.0, 0.0, 1.0]), np.array([0.7, 0.0, 1.0, 1.0, 2.0, 3.0])
    a, t = a * factors[0], t * factors[1]
    path = joint_path((B * a) @ B.T, (B * t) @ B.T, nugget=0.0)
    for lam in (0.0, 0.3, 1.0):
        both = (a > 0.0) & (t > 0.0)
        d = np.zeros(6)
        d[both] = 1.0 / (lam / a[both] + (1.0 - lam) / t[both])
        assert error(path.kernel(lam), (B * d) @ B.T) <= 1e-10


def test_the_examples_that_were_wrong():
    A, T = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([[1.0, 0.3], [0.3, 1.0]])
    for size in (1e12, 1e14):
        expected = exactly([size * A, T], [mpmath.mpf("0.5")] * 2)
        assert error(joint_path(size * A, T, nugget=0.0).kernel(0.5), expected) <= DIGITS


@pytest.mark.parametrize("size", [1e-12, 1.0, 1e12])
def test_the_nugget_is_absolute(rng, size):
    """ρ is added to the kernels as they are given, whatever their size."""
    X, Y = rng.normal(size=(2, 4, 9))
    A, T = size * (X @ X.T), Y @ Y.T
    ridge = 0.1 * np.eye(4)
    expected = exactly([A + ridge, T + ridge], [mpmath.mpf(0.25), mpmath.mpf(0.75)])
    assert error(joint_path(A, T).kernel(0.25), expected) <= DIGITS
    assert error(joint_regularize([A, T], [0.25, 0.75]), expected) <= DIGITS
    assert error(joint_kernel(A, T, np.arange(4), 0.25), expected) <= DIGITS


@pytest.mark.parametrize("size", [1e-12, 1e12])
def test_completion_of_a_target_of_any_size(rng, size):
    """W'JW with J from the definition: W does not know the size of the target."""
    X = rng.normal(size=(7, 20))
    K, S = X @ X.T, np.array([0, 2, 3, 5])
    A = K[np.ix_(S, S)]
    T = size * np.diag([1.0, 2.0, 3.0, 4.0])
    J, W = exactly([A, T], [mpmath.mpf(0.5)] * 2), np.linalg.solve(A, K[S])
    assert error(joint_kernel(K, T, S, 0.5, nugget=0.0), W.T @ J @ W) <= 1e-11
    features = joint_features([K, size * K[::-1, ::-1]], [0.5, 0.5], np.eye(7), nugget=0.0)
    assert error(features.Q, exactly([K, size * K[::-1, ::-1]], [mpmath.mpf(0.5)] * 2)) <= 1e-11
