"""Expansions of chosen columns: right within the bound that they say."""

import numpy as np
import pytest
from scipy import sparse

from kernex_core import (
    CommonNeighbours,
    Diffusion,
    Exponential,
    InvalidInputError,
    LaplacianPseudoinverse,
    RegularizedLaplacian,
    TooLargeError,
    VonNeumann,
    chosen_columns,
)
from kernex_core.kernels.networks.spectrum import exponential_series, spectral_radius
from tests.oracles.networks import random_network

ROUNDING = 1e-12
EXPANDED = [
    *(Diffusion(tau, which) for tau in (0.0, 0.5, 5.0, 80.0) for which in ("normalized", "unnormalized")),
    Exponential(0.0),
    Exponential(0.4),
    VonNeumann(),
    VonNeumann(0.0),
    *(RegularizedLaplacian(c, which) for c in (0.05, 1.0, 50.0) for which in ("normalized", "unnormalized")),
    CommonNeighbours(),
]


@pytest.mark.parametrize("kernel", EXPANDED, ids=repr)
@pytest.mark.parametrize("tolerance", [1e-12, 1e-4])
def test_columns_are_those_of_the_kernel_within_the_bound(rng, kernel, tolerance):
    B = random_network(rng, n=40, isolated=2)
    K = kernel.gram(B)
    made = chosen_columns(kernel, sparse.csr_array(B), [5, 39, 0], tolerance=tolerance)
    largest = np.abs(np.linalg.eigvalsh(K)).max()
    assert np.abs(made.values - K[:, [5, 39, 0]]).max() <= made.error_bound + ROUNDING * largest
    assert made.error_bound <= 1.01 * tolerance * largest + 1e-300
    assert made.nodes.tolist() == [5, 39, 0]
    assert not made.values.flags.writeable


def test_the_error_bound_is_that_of_the_formula():
    """2 Σ_{j>m} e^-τ I_j(τ), τ = 5: below 5e-15 from degree 22 on."""
    M = sparse.csr_array((2, 2))
    found = exponential_series(M, 5.0, 1.0, 5e-15)
    # e^-5 I_j(5) from its series, by other code
    terms = [
        np.exp(-5.0) * sum((2.5) ** (2 * k + j) / (fact(k) * fact(k + j)) for k in range(60))
        for j in range(60)
    ]
    assert found.coefficients.size - 1 == 22
    assert found.bound == pytest.approx(2.0 * sum(terms[found.coefficients.size :]), rel=1e-6)
    assert found.coefficients[1:] == pytest.approx(
        2.0 * np.array(terms[1 : found.coefficients.size]), rel=1e-12
    )


def fact(k):
    return float(np.prod(np.arange(1.0, k + 1.0)))


def test_the_bound_holds_also_where_it_is_not_cut_short():
    """Of a large τ the coefficients that were not computed are bounded, too."""
    M = sparse.csr_array((1, 1))
    for a in (0.0, 1e-3, 1.0, 300.0, 1e5):
        found = exponential_series(M, a, 1.0, 1e-13)
        # at M = 1 the sum is e^-a exp(a) = 1
        assert abs(found.coefficients.sum() - 1.0) <= found.bound + 1e-12


def test_large_networks_need_no_matrix(rng):
    n = 20_000
    ends = rng.integers(n, size=(2, 60_000))
    B = sparse.coo_array((np.ones(60_000), ends), shape=(n, n))
    B = sparse.csr_array(((B + B.T) > 0).astype(np.float64))
    made = chosen_columns(Diffusion(2.0, "unnormalized"), B, [7])
    assert made.values.sum() == pytest.approx(1.0)  # heat is kept
    assert made.values.min() > -1e-12


def test_the_radius_of_a_large_network_is_that_of_its_eigenvalues(rng):
    B = random_network(rng, n=260)
    assert spectral_radius(sparse.csr_array(B)) == pytest.approx(
        np.abs(np.linalg.eigvalsh(B)).max(), rel=1e-10
    )
    assert spectral_radius(sparse.csr_array((300, 300))) == 0.0


def test_what_cannot_be_expanded_is_refused(rng):
    B = random_network(rng, n=10)
    with pytest.raises(InvalidInputError, match="no such expansion"):
        chosen_columns(LaplacianPseudoinverse(), B, [0])
    with pytest.raises(InvalidInputError, match="has to stay below"):
        chosen_columns(VonNeumann(9.0), B, [0])
    with pytest.raises(InvalidInputError, match="range of numbers"):
        chosen_columns(Exponential(9e4), B, [0])
    with pytest.raises(TooLargeError, match="products with the network"):
        chosen_columns(Diffusion(1e12), B, [0])
    with pytest.raises(TooLargeError, match="products with the network"):
        chosen_columns(RegularizedLaplacian(1e-12), B, [0])
