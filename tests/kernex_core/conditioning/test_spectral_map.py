import numpy as np
import pytest
from scipy.linalg import sqrtm

from kernex_core.base.errors import InvalidInputError, NotPositiveSemidefiniteError
from kernex_core.conditioning.power import Log1p, SignedLog, SignedPower, SpectralMap, spectral_map
from kernex_core.gram.matrix import GramMatrix
from tests.oracles.joint import random_kernel


def test_the_power_one_half_is_the_matrix_root(rng):
    K = random_kernel(rng, 12)
    np.testing.assert_allclose(spectral_map(K, 0.5), np.real(sqrtm(K)), atol=1e-8)
    np.testing.assert_allclose(spectral_map(K, 1.0), K, atol=1e-10)


@pytest.mark.parametrize("phi", [SignedPower(0.3), SignedLog(50.0), Log1p()])
def test_eigenvalues_are_mapped_and_eigenvectors_stay(rng, phi):
    K = random_kernel(rng, 10)
    G = spectral_map(K, phi=phi)
    mean = np.diag(K).mean()
    mapped = {
        "SignedPower": lambda x: x**0.3,
        "SignedLog": lambda x: np.log1p(50.0 * x / mean),
        "Log1p": np.log1p,
    }[type(phi).__name__]
    np.testing.assert_allclose(np.linalg.eigvalsh(G), mapped(np.linalg.eigvalsh(K)), rtol=1e-7)
    np.testing.assert_allclose(K @ G, G @ K, atol=1e-8)


def test_a_direction_that_is_rounding_stays_zero(rng):
    X = rng.normal(size=(8, 3))
    G = spectral_map(X @ X.T, 0.05)
    assert np.linalg.matrix_rank(G) == 3


def test_new_items_see_the_fitted_ones_alone(rng):
    X = rng.normal(size=(12, 5))
    K = X @ X.T
    fitted = SpectralMap(SignedPower(0.5)).fit(K[:9, :9])
    block = fitted.apply_cross(K[9:, :9], np.diag(K)[9:])
    # U λ^-1/2 U' k: features of a new item in the span of the fitted ones
    root = np.linalg.pinv(np.real(sqrtm(K[:9, :9] + 0j)), rcond=1e-6)
    np.testing.assert_allclose(block.values, K[9:, :9] @ root, atol=1e-6)


def test_unknown_items_stay_unknown(rng):
    K = random_kernel(rng, 8)
    K[2] = K[:, 2] = np.nan
    G = spectral_map(GramMatrix(K), 0.5)
    assert np.isnan(G.values[2]).all()
    others = np.delete(np.arange(8), 2)
    np.testing.assert_allclose(
        G.values[np.ix_(others, others)], spectral_map(K[np.ix_(others, others)], 0.5), atol=1e-10
    )


def test_refusals(rng):
    with pytest.raises(NotPositiveSemidefiniteError, match="clip"):
        spectral_map(np.diag([1.0, -0.5, 2.0]))
    with pytest.raises(InvalidInputError):
        spectral_map(np.eye(3), 0.0)
    with pytest.raises(InvalidInputError, match="map of entries"):
        SpectralMap(np.sqrt)
    np.testing.assert_array_equal(spectral_map(np.zeros((3, 3))), 0.0)
