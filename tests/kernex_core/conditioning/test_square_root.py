import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError, NotPositiveSemidefiniteError
from kernex_core.base.validation import psd_tolerance
from kernex_core.conditioning.power import SignedLog, SignedPower, SquareRootMap, square_root_map
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import split_inductively
from tests.oracles.vectors import load


def kernel(rng, n=9, rank=9):
    X = rng.normal(size=(n, rank))
    return X @ X.T


def test_the_worked_example():
    vector = load()["sqrt_phi_square"]
    got = square_root_map(np.array(vector["input"]["K"], float), vector["input"]["p"])
    np.testing.assert_allclose(got, vector["expected"], atol=1e-12)


@pytest.mark.parametrize("rank", [9, 3])
def test_the_identity_returns_the_kernel(rank, rng):
    K = kernel(rng, rank=rank)
    np.testing.assert_allclose(square_root_map(K, 1.0), K, atol=1e-10)


@pytest.mark.parametrize("phi", [SignedPower(0.1), SignedLog(100.0)])
def test_it_is_positive_semidefinite(phi, rng):
    G = square_root_map(kernel(rng, rank=4), phi=phi)
    eigenvalues = np.linalg.eigvalsh(G)
    assert eigenvalues[0] >= -psd_tolerance(9, eigenvalues[-1])


def test_zeros_on_the_diagonal_stay():
    K = np.diag([4.0, 0.0, 9.0])
    np.testing.assert_allclose(square_root_map(K, 0.5), np.diag([2.0, 0.0, 3.0]), atol=1e-12)


def test_a_similarity_that_is_no_kernel_is_refused_with_the_repair():
    with pytest.raises(NotPositiveSemidefiniteError, match="clip"):
        square_root_map(np.array([[1.0, 2.0], [2.0, 1.0]]))


def test_new_items_are_refused_with_the_way_out(rng):
    K = GramMatrix(kernel(rng)).then(SquareRootMap())
    with pytest.raises(InvalidInputError, match="empirical kernel map"):
        split_inductively(K, np.arange(6), np.arange(6, 9))


def test_unknown_items_stay_unknown(rng):
    K = kernel(rng)
    K[2, :] = K[:, 2] = np.nan
    got = square_root_map(K, 0.5)
    rest = [0, 1, 3, 4, 5, 6, 7, 8]
    assert np.isnan(got[2]).all()
    np.testing.assert_allclose(got[np.ix_(rest, rest)], square_root_map(K[np.ix_(rest, rest)], 0.5))
    with pytest.raises(InvalidInputError, match="at least one item"):
        square_root_map(np.full((2, 2), np.nan))


@pytest.mark.parametrize("p", [0.0, 1.5])
def test_p_out_of_range_is_refused(p):
    with pytest.raises(InvalidInputError, match="p has to be"):
        square_root_map(np.eye(2), p)


def test_something_else_than_a_map_is_refused():
    with pytest.raises(InvalidInputError, match="map of entries"):
        SquareRootMap(phi="log")
