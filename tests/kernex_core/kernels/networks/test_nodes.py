"""Every kernel on nodes takes a Network, its weights, or the decomposition that is made once for several kernels."""

import numpy as np
import pytest
from scipy import sparse

from kernex_core import (
    Diffusion,
    Exponential,
    InvalidInputError,
    Network,
    VonNeumann,
    chosen_columns,
    decompose_network,
    kernels_for,
)
from kernex_core.kernels.networks import spectrum as module

LAPLACIANS = ("normalized", "unnormalized")


def network(rng, n=14, lowest=0.2):
    """Two components, a node alone, and weights that are no whole numbers."""
    B = np.triu(rng.uniform(lowest, 2.0, (n, n)) * (rng.random((n, n)) < 0.5), 1)
    B[: n // 2, n // 2 :] = 0.0
    B[np.arange(n - 2), np.arange(1, n - 1)] = 1.0
    B[n // 2 - 1, n // 2] = 0.0
    B[:, n - 1] = 0.0
    return Network(tuple(f"node{k}" for k in range(n)), sparse.csr_array(B + B.T))


def each_kernel():
    for kind in kernels_for("network"):
        for which in LAPLACIANS if hasattr(kind(), "laplacian") else ("",):
            made = kind(laplacian=which) if which else kind()
            yield pytest.param(made, id=f"{kind.__name__}-{which}".rstrip("-"))


@pytest.mark.parametrize("kernel", list(each_kernel()))
def test_a_network_its_weights_and_its_decomposition_give_the_same(kernel, rng):
    brought = network(rng)
    weights, spectrum = brought.adjacency, decompose_network(brought, kernel.operator)
    expected = kernel.gram(weights.toarray())
    assert np.abs(expected).max() > 0.1
    for samples in (brought, weights, spectrum):
        np.testing.assert_allclose(kernel.gram(samples), expected, rtol=1e-9, atol=1e-11)
        assert kernel.resolved(samples) == kernel.resolved(weights)
        assert kernel.remarks(samples) == kernel.remarks(weights)
        kernel.check(samples)
        assert kernel.estimate_seconds(samples) > 0.0
    assert kernel.estimate_seconds(spectrum) <= kernel.estimate_seconds(brought)
    np.testing.assert_array_equal(kernel.similarities(brought).values, expected)


def test_five_kernels_of_one_decomposition_decompose_once(rng, monkeypatch):
    brought, calls = network(rng), []
    real = module.lapack.eigh
    monkeypatch.setattr(
        module.lapack, "eigh", lambda *args, **kwargs: calls.append(1) or real(*args, **kwargs)
    )
    spectrum = decompose_network(brought, "normalized")
    once = len(calls)
    for tau in (0.1, 0.5, 1.0, 2.0, 5.0):
        Diffusion(tau=tau).gram(spectrum)
    assert len(calls) == once == 2  # one a component with edges


def test_a_decomposition_of_another_matrix_is_refused(rng):
    spectrum = decompose_network(network(rng), "normalized")
    for kernel in (Exponential(), VonNeumann(), Diffusion(laplacian="unnormalized")):
        for ask in (kernel.gram, kernel.check):
            with pytest.raises(InvalidInputError, match="needs the decomposition of"):
                ask(spectrum)


def test_edges_of_a_network_are_named_by_its_ids(rng):
    brought = network(rng, lowest=-0.5)
    for ask in (Diffusion().gram, lambda samples: decompose_network(samples, "unnormalized")):
        with pytest.raises(InvalidInputError, match=r"'node\d+' and 'node\d+'"):
            ask(brought)


def test_columns_of_a_network_are_those_of_its_weights(rng):
    brought = network(rng)
    made = chosen_columns(Diffusion(), brought, [0, 3])
    np.testing.assert_array_equal(made.values, chosen_columns(Diffusion(), brought.adjacency, [0, 3]).values)
    np.testing.assert_allclose(made.values, Diffusion().gram(brought)[:, [0, 3]], atol=1e-10)
