import numpy as np
import pytest

from kernex_core.base import lapack


@pytest.fixture(params=[1, 2, 7, 150])
def K(request, rng):
    X = rng.normal(size=(request.param, request.param + 3))
    return X @ X.T


def test_factors_and_what_is_solved_by_them(K, rng):
    before, B = K.copy(), rng.normal(size=(len(K), 3))
    L = lapack.factor(K)
    np.testing.assert_allclose(L, np.linalg.cholesky(K), rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(L, np.tril(L))
    np.testing.assert_allclose(K @ lapack.solved(L, B), B, atol=1e-8)
    np.testing.assert_allclose(L @ lapack.forward(L, B), B, atol=1e-10)
    np.testing.assert_array_equal(K, before)
    assert lapack.is_definite(np.array(K, order="F"))


def test_what_is_not_definite_has_no_factor(K):
    assert lapack.factor(-K) is None
    assert not lapack.is_definite(np.array(-K, order="F"))


def test_eigenvalues_and_vectors(K):
    values, vectors = lapack.eigh(K)
    size = values[-1]
    np.testing.assert_allclose((vectors * values) @ vectors.T, K, atol=1e-13 * size)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(len(K)), atol=1e-13)
    np.testing.assert_allclose(lapack.eigvalsh(K), values, atol=1e-13 * size)


def test_those_of_a_tridiagonal_form(K):
    _, d, e, _ = lapack.reduced(np.array(K, order="F"))
    S = np.diag(d) + np.diag(e, 1) + np.diag(e, -1)
    values, vectors = lapack.eigenvalues_of(d, e), lapack.vectors_of(d, e)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(K), atol=1e-13 * values[-1])
    np.testing.assert_allclose(S @ vectors, vectors * values, atol=1e-13 * values[-1])


def test_what_is_no_number_is_said():
    with pytest.raises(np.linalg.LinAlgError):
        lapack.eigh(np.full((3, 3), np.nan))
