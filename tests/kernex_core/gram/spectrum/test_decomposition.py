import numpy as np
import pytest

from kernex_core.gram import tridiagonal
from kernex_core.gram.spectrum import decompose, decomposing
from kernex_core.runtime.progress import finished, part


def symmetric(rng, n, rank=None):
    A = rng.normal(size=(n, n))
    w = rng.normal(size=n)
    w[n if rank is None else rank :] = 0.0
    U = np.linalg.qr(A)[0]
    return (U * w) @ U.T


MATRICES = {
    "one item": lambda rng: np.array([[3.0]]),
    "one item of zero": lambda rng: np.zeros((1, 1)),
    "two items": lambda rng: np.array([[2.0, 1.0], [1.0, -2.0]]),
    "indefinite": lambda rng: symmetric(rng, 45),
    "of low rank": lambda rng: symmetric(rng, 70, 4),
    "identity": lambda rng: np.eye(40),
    "zero": lambda rng: np.zeros((5, 5)),
    "constant": lambda rng: np.ones((36, 36)),
    "diagonal": lambda rng: np.diag(np.arange(6.0) - 2.0),
    "a panel and one": lambda rng: symmetric(rng, 33),
    "more than a wide block": lambda rng: symmetric(rng, 300),
    "huge": lambda rng: 1e149 * symmetric(rng, 40),
    "tiny": lambda rng: 1e-200 * symmetric(rng, 40),
    "graded": lambda rng: np.diag(10.0 ** -np.arange(12.0)) + 1e-14 * np.ones((12, 12)),
}


@pytest.fixture(autouse=True, params=["column by column", "at once"])
def way(request, monkeypatch):
    """Small matrices are reduced by LAPACK in one call, larger ones column by column."""
    if request.param == "column by column":
        monkeypatch.setattr(tridiagonal, "SMALL", 0)


@pytest.fixture(params=MATRICES)
def K(request, rng):
    made = MATRICES[request.param](rng)
    return (made + made.T) / 2.0


def near(got, wanted, K):
    """Equal up to what rounding leaves of a matrix of that size."""
    size = max(np.abs(np.linalg.eigvalsh(K)).max(), np.finfo(float).tiny)
    np.testing.assert_allclose(got / size, wanted / size, rtol=0, atol=4 * len(K) * np.finfo(float).eps)


def test_eigenvalues_are_lapacks(K):
    near(decompose(K).eigenvalues, np.linalg.eigvalsh(K), K)


def test_eigenvalues_of_the_centred_matrix_follow_without_another_decomposition(K):
    n = len(K)
    H = np.eye(n) - 1.0 / n
    near(decompose(K).centred_eigenvalues, np.linalg.eigvalsh(H @ K @ H), K)


def test_vectors_are_orthonormal_and_give_the_matrix_back(K):
    made = decompose(K)
    U = made.vectors
    np.testing.assert_allclose(U.T @ U, np.eye(len(K)), atol=1e-12)
    near((U * made.eigenvalues) @ U.T, K, K)
    assert made.vectors is U


@pytest.mark.parametrize("centred", [False, True])
def test_the_leading_vectors_are_eigenvectors(K, centred):
    n = len(K)
    H = np.eye(n) - centred / n
    q = min(3, n)
    values, directions = decompose(K).leading(q, centred=centred)
    near(H @ K @ H @ directions, directions * values, K)
    np.testing.assert_allclose(np.linalg.norm(directions, axis=0)[: n - centred], 1.0, atol=1e-12)


def test_another_spectrum_on_the_same_vectors(rng):
    K = symmetric(rng, 50)
    w, U = np.linalg.eigh(K)
    got = finished(decompose(K).with_spectrum(np.maximum(w, 0.0)))
    np.testing.assert_allclose(got, (U * np.maximum(w, 0.0)) @ U.T, atol=1e-13)
    assert np.array_equal(got, got.T)


@pytest.mark.parametrize("way", ["column by column"], indirect=True)
def test_the_work_is_cut_into_pieces_whose_shares_rise_to_one(rng):
    shares = list(decomposing(symmetric(rng, 100)))
    assert len(shares) >= 100 // 8
    assert shares == sorted(shares)
    assert 0.0 < shares[0] < 0.5 < shares[-1] <= 1.0


def test_a_part_of_a_longer_work_runs_from_its_start_to_its_end():
    def work():
        yield 0.0
        yield 0.5
        yield 1.0
        return "made"

    assert list(part(work(), 0.2, 0.6)) == pytest.approx([0.2, 0.4, 0.6])
    assert finished(part(work(), 0.2, 0.6)) == "made"
