"""Kernels on nodes against their series and dense functions of matrices, computed by other code."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.linalg import expm

from kernex_core import (
    CommonNeighbours,
    Diffusion,
    Exponential,
    InvalidInputError,
    LaplacianPseudoinverse,
    RegularizedLaplacian,
    TooLargeError,
    VonNeumann,
    decompose_network,
)
from kernex_core.kernels.networks import spectrum as module
from kernex_core.kernels.networks.spectrum import NODE_LIMIT, decomposing_network
from tests.oracles.networks import laplacian, random_network, series
from tests.oracles.vectors import load

KERNELS = {
    "Diffusion": Diffusion, "VonNeumann": VonNeumann, "RegularizedLaplacian": RegularizedLaplacian,
    "LaplacianPseudoinverse": LaplacianPseudoinverse, "Exponential": Exponential,
}  # fmt: skip


def by_definition(kernel, B):
    """The kernel from NumPy's and SciPy's dense functions."""
    n = B.shape[0]
    if isinstance(kernel, Diffusion):
        return expm(-kernel.tau * laplacian(B, kernel.laplacian))
    if isinstance(kernel, Exponential):
        return expm(kernel.lam * B)
    if isinstance(kernel, VonNeumann):
        return np.linalg.inv(np.eye(n) - kernel.lam * B)
    if isinstance(kernel, RegularizedLaplacian):
        return np.linalg.inv(kernel.c * np.eye(n) + laplacian(B, kernel.laplacian))
    if isinstance(kernel, LaplacianPseudoinverse):
        return np.linalg.pinv(laplacian(B, kernel.laplacian), rcond=1e-11, hermitian=True)
    return B @ B


def some_of_each(B):
    below = 0.9 / max(float(np.abs(np.linalg.eigvalsh(B)).max()), 1e-3)
    return [
        *(Diffusion(tau, which) for tau in (0.0, 0.3, 5.0) for which in ("normalized", "unnormalized")),
        Exponential(0.2),
        VonNeumann(below),
        *(RegularizedLaplacian(c, which) for c in (0.1, 2.0) for which in ("normalized", "unnormalized")),
        LaplacianPseudoinverse(),
        LaplacianPseudoinverse("normalized"),
        CommonNeighbours(),
    ]


@pytest.mark.parametrize("seed", range(8))
def test_every_kernel_is_its_dense_function(seed):
    B = random_network(np.random.default_rng(seed), n=9 + 3 * seed, isolated=seed % 3)
    for kernel in some_of_each(B):
        K = kernel.gram(B)
        wanted = by_definition(kernel, B)
        assert np.abs(K - wanted).max() <= 1e-11 * max(np.abs(wanted).max(), 1.0), kernel
        assert np.array_equal(K, K.T)
        assert np.linalg.eigvalsh(K).min() >= -1e-10 * np.abs(K).max()
        assert kernel.gram(sparse.coo_array(B)) == pytest.approx(K, rel=1e-13, abs=1e-13)


def test_walks_are_counted_as_the_series_says(rng):
    B = random_network(rng, n=12, isolated=1)
    assert Exponential(0.3).gram(B) == pytest.approx(
        series(0.3 * B, lambda k: 1 / math.factorial(k), 60), rel=1e-12
    )
    lam = 0.5 / float(np.abs(np.linalg.eigvalsh(B)).max())
    assert VonNeumann(lam).gram(B) == pytest.approx(series(lam * B, lambda k: 1.0, 90), rel=1e-12, abs=1e-14)
    assert VonNeumann().resolved(B).lam == pytest.approx(lam, rel=1e-5)
    paths = (np.abs(B) > 0).astype(float)
    assert np.array_equal(CommonNeighbours().gram(paths), paths @ paths)


VECTORS = [name for name in load() if name.startswith("network ") and "one edge" not in name]


@pytest.mark.parametrize("name", VECTORS)
def test_vectors(name):
    assert len(VECTORS) == 7
    given = load()[name]["inputs"]
    settings_ = {key: value for key, value in given.items() if key in ("tau", "lam", "c", "laplacian")}
    kernel = KERNELS[given["kernel"]](**settings_)
    assert kernel.gram(given["adjacency"]) == pytest.approx(
        np.array(load()[name]["expected"]), rel=1e-12, abs=1e-12
    )
    if "upper_bound" in given:
        found = decompose_network(given["adjacency"], kernel.operator)
        assert kernel.bound_on(found) == pytest.approx(given["upper_bound"], rel=1e-12)


def test_closed_forms():
    edge = load()["network closed form: one edge, diffusion"]
    for which in ("normalized", "unnormalized"):
        K = Diffusion(1.0, which).gram(edge["inputs"]["adjacency"])
        assert pytest.approx(np.array(edge["expected"]), rel=1e-14) == K
    path = load()["diffusion_P3_tau1"]
    K = Diffusion(path["inputs"]["tau"]).gram(path["inputs"]["A"])
    assert pytest.approx(np.array(path["expected"]), abs=1e-14) == K


def test_with_negative_weights_the_series_converges_on_a_smaller_range_than_the_inverse_is_a_kernel():
    case = load()["von Neumann with negative weights: two different bounds"]
    B = np.array(case["inputs"]["adjacency"])
    bound = VonNeumann().bound_on(decompose_network(B, "adjacency"))
    assert bound == pytest.approx(case["expected"]["series_bound"], rel=1e-12)
    with pytest.raises(InvalidInputError, match=r"below 0\.366025"):
        VonNeumann(0.4).gram(B)  # between both bounds
    assert np.linalg.eigvalsh(Exponential(1.0).gram(B)).min() > 0.0


def test_the_bound_of_von_neumann_is_strict():
    for lam in (0.5, 0.6, 3.0):
        with pytest.raises(InvalidInputError, match=r"below 0\.5,.*Found: λ"):
            VonNeumann(lam).gram([[0, 2.0], [2.0, 0]])
    assert np.isfinite(VonNeumann(0.499999).gram([[0, 2.0], [2.0, 0]])).all()
    assert VonNeumann(123.0).gram(np.zeros((3, 3))).tolist() == np.eye(3).tolist()  # no edge, no bound


def test_overflow_is_refused_with_the_bound():
    with pytest.raises(InvalidInputError, match=r"up to λ = 354\.5.*Found: λ = 400"):
        Exponential(400.0).gram([[0, 2.0], [2.0, 0]])
    assert np.isfinite(Exponential(354.0).gram([[0, 2.0], [2.0, 0]])).all()
    spectrum = decompose_network([[0, 2.0], [2.0, 0]], "adjacency")
    assert Exponential().bound_on(spectrum) == pytest.approx(math.log(1e150) / 2.0)


@pytest.mark.parametrize("kernel", [Diffusion(), RegularizedLaplacian(), LaplacianPseudoinverse()])
def test_negative_weights_are_refused_under_a_laplacian(kernel):
    with pytest.raises(InvalidInputError, match=r"-2 between node 1 and node 3 \(of such edges: 1\)"):
        kernel.gram([[0, 1, -2.0], [1, 0, 0], [-2.0, 0, 0]])
    with pytest.raises(InvalidInputError, match="between 'a' and 'c'"):
        kernel.check([[0, 1, -2.0], [1, 0, 0], [-2.0, 0, 0]], ("a", "b", "c"))


def test_what_is_no_network_is_refused():
    with pytest.raises(InvalidInputError, match="'x' to 'y' and 0 the other way"):
        Diffusion().check([[0, 1.0], [0, 0]], ("x", "y"))
    with pytest.raises(InvalidInputError, match="finite"):
        Diffusion().gram(sparse.csr_array([[0, np.inf], [np.inf, 0]]))
    with pytest.raises(TooLargeError, match=f"up to {NODE_LIMIT:,} nodes.*chosen_columns"):
        Diffusion().gram(sparse.csr_array((NODE_LIMIT + 1, NODE_LIMIT + 1)))
    with pytest.raises(InvalidInputError, match="hang together"):
        LaplacianPseudoinverse().gram([[0, 1.0, 0, 0], [1, 0, 1e-17, 0], [0, 1e-17, 0, 1], [0, 0, 1, 0]])


def test_components_and_isolated_nodes_are_apart_exactly(rng):
    B = random_network(rng, n=20, isolated=3)
    B[:10, 10:], B[10:, :10] = 0.0, 0.0
    for kernel in some_of_each(B):
        K = kernel.gram(B)
        assert (K[:10, 10:] == 0.0).all(), kernel
        alone = np.flatnonzero((B == 0.0).all(axis=1))
        assert np.count_nonzero(K[alone]) <= alone.size
    assert Diffusion(7.0).gram(B)[alone, alone].tolist() == [1.0] * alone.size
    said = " ".join(Diffusion().remarks(B + np.eye(20)))
    assert "Self loops are dropped: 20." in said
    assert f"without an edge: {alone.size}" in said


def test_self_loops_do_not_count(rng):
    B = random_network(rng, n=10)
    for kernel in some_of_each(B):
        assert np.array_equal(kernel.gram(B + 3.0 * np.eye(10)), kernel.gram(B))


def test_one_decomposition_serves_every_kernel_of_its_matrix(rng, monkeypatch):
    B = random_network(rng, n=15, isolated=2)
    spectra = {which: decompose_network(B, which) for which in ("normalized", "unnormalized", "adjacency")}
    kernels = some_of_each(B)
    wanted = [kernel.gram(B) for kernel in kernels]

    def never(*args, **kwargs):
        raise AssertionError("nothing is decomposed again")

    monkeypatch.setattr(module.lapack, "eigh", never)
    for kernel, K in zip(kernels, wanted, strict=True):
        spectrum = spectra[kernel.operator]
        assert kernel.on(spectrum) == pytest.approx(K, rel=1e-12, abs=1e-12)
    with pytest.raises(InvalidInputError, match="decomposition of 'normalized'"):
        Diffusion().on(spectra["adjacency"])


def test_a_decomposition_stays_what_it_was(rng):
    B = random_network(rng, n=12, isolated=1)
    found = decompose_network(B)
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    for spectrum in (found, again):
        with pytest.raises(ValueError, match="read-only"):
            spectrum.blocks[0].vectors[0, 0] = 1.0
        assert not spectrum.eigenvalues.flags.writeable
    assert found.eigenvalues[: 2 + len(found.blocks) - 1].tolist() == [0.0] * (1 + len(found.blocks))


def test_a_large_component_is_decomposed_in_pieces(rng, monkeypatch):
    monkeypatch.setattr(module, "_IN_STEPS", 20)
    B = random_network(rng, n=60)
    shares = list(decomposing_network(B))
    assert len(shares) > 2
    assert shares == sorted(shares)
    K = Diffusion(2.0).on(decompose_network(B))
    assert pytest.approx(expm(-2.0 * laplacian(B, "normalized")), abs=1e-12) == K


@given(seed=st.integers(0, 2**32), n=st.integers(2, 12), tau=st.floats(0.0, 50.0))
def test_heat_is_kept(seed, n, tau):
    """Rows of exp(-τL) sum to 1, and heat is nowhere negative."""
    B = random_network(np.random.default_rng(seed), n=n, isolated=n // 4)
    K = Diffusion(tau, "unnormalized").gram(B)
    assert K.sum(axis=1) == pytest.approx(np.ones(n), abs=1e-10)
    assert K.min() >= -1e-12
