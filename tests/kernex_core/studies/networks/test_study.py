"""Diffusion on a network: one decomposition, the same folds for every τ, and a choice that is judged."""

import numpy as np
import pytest
from scipy.linalg import expm

from kernex_core import (
    CrossValidation,
    Diffusion,
    Exponential,
    InvalidInputError,
    Labels,
    Network,
    VonNeumann,
    join_nodes,
    judge,
    load_dataset,
    read_samples,
)
from kernex_core.base import lapack
from kernex_core.gram.provenance import write_script
from kernex_core.studies.networks.layout import SMALL, network_layout
from kernex_core.studies.networks.study import (
    diffusions_of,
    prepare_network,
    scaled,
    sweeping_network,
    view_network,
)
from tests.oracles.networks import laplacian, random_network

FIVE = CrossValidation(folds=5, repeats=2, C=1.0, seed=3)


@pytest.fixture(scope="module")
def karate():
    return load_dataset("karate_club")


@pytest.fixture(scope="module")
def prepared(karate):
    return prepare_network(karate.samples["network"])


def test_a_view_holds_what_a_page_shows(karate, prepared, monkeypatch):
    def never(*args, **kwargs):
        raise AssertionError("nothing is decomposed again")

    monkeypatch.setattr(lapack, "eigh", never)
    B = karate.samples["network"].adjacency.toarray()
    for tau in (0.0, 0.5, 4.0):
        found = view_network(prepared, Diffusion(tau), 5)
        K = expm(-tau * laplacian(B, "normalized"))
        assert found.gram.values == pytest.approx(K, abs=1e-12)
        assert found.column == pytest.approx(K[:, 5], abs=1e-12)
        assert found.weights == pytest.approx(np.exp(-tau * found.eigenvalues))
        assert found.gram.ids == karate.ids
        assert (np.diff(found.column[found.nearest]) <= 0.0).all()
        assert 5 not in found.nearest
    with pytest.raises(InvalidInputError, match="0 to 33"):
        view_network(prepared, Diffusion(), 34)
    with pytest.raises(InvalidInputError, match="decomposition of 'adjacency'"):
        view_network(prepared, Exponential())


def test_a_view_says_where_the_slider_ends(karate):
    prepared = prepare_network(karate.samples["network"], "adjacency")
    radius = np.abs(np.linalg.eigvalsh(karate.samples["network"].adjacency.toarray())).max()
    found = view_network(prepared, VonNeumann())
    assert found.bound == pytest.approx(1.0 / radius)
    assert found.kernel.lam == pytest.approx(0.5 / radius, rel=1e-5)
    with pytest.raises(InvalidInputError, match="Laplacian"):
        diffusions_of(prepared)


def test_the_script_of_a_view_computes_the_same(prepared):
    K = view_network(prepared, Diffusion(2.0)).gram
    names = {}
    exec(write_script([K.recipe], heading="Made by a test"), names)
    assert names["diffusion"].values == pytest.approx(K.values, abs=1e-14)


def test_every_tau_is_judged_as_evaluate_judges_it(karate, prepared):
    kernels = diffusions_of(prepared, (0.5, 2.0))
    *_, found = sweeping_network(prepared, kernels, karate.labels, FIVE)
    for kernel, one in zip(kernels, found.judged, strict=True):
        K = kernel.gram(karate.samples["network"].adjacency)
        wanted = judge(K / np.diag(K).mean(), karate.labels.y, FIVE)
        assert one.multi_class.mean == wanted.multi_class.mean
        assert np.array_equal(one.correct, wanted.correct)
        assert one.auc.mean == pytest.approx(wanted.auc.mean, abs=1e-9)
        assert one.mode == "transductive"
    script = write_script([found.judged[1].recipe], heading="Made by a test")
    names = {}
    exec(script, names)
    assert "load_dataset('karate_club'" in script
    assert names["judgement"].multi_class.mean == pytest.approx(found.judged[1].multi_class.mean)
    means, sds = found.curve()
    assert means.tolist() == [one.multi_class.mean for one in found.judged]
    assert sds.tolist() == [one.multi_class.sd_repeats for one in found.judged]
    interval = found.judged[0].interval()
    assert found.reach()[:, 0] == pytest.approx([means[0] - interval.low, interval.high - means[0]])
    assert np.array_equal(found.nested.alone.mean(axis=1), means)
    assert "never of their labels" in found.notes[0]
    assert found.floor == 0.5


def test_states_come_one_a_kernel_and_what_fails_is_named(karate):
    prepared = prepare_network(karate.samples["network"], "adjacency")
    kernels = (VonNeumann(0.01), VonNeumann(5.0), Exponential(0.1))
    states = list(sweeping_network(prepared, kernels, karate.labels, FIVE))
    assert [state.done for state in states] == [1, 2, 3]
    assert states[-1].kernels == (kernels[0], kernels[2])
    ((kernel, reason),) = states[-1].failed
    assert kernel == kernels[1]
    assert "has to stay below" in reason
    assert states[-1].nested.names == ("lam = 0.01", "lam = 0.1")
    assert states[-1].best in kernels
    with pytest.raises(InvalidInputError, match="at least one kernel"):
        list(sweeping_network(prepared, (), karate.labels, FIVE))
    with pytest.raises(InvalidInputError, match="classes"):
        list(sweeping_network(prepared, kernels, Labels(karate.ids, np.array(["x"] * 34)), FIVE))


def test_a_kernel_is_divided_by_its_mean_self_similarity(prepared):
    K = scaled(view_network(prepared, Diffusion(3.0)).gram)
    assert np.diag(K.values).mean() == pytest.approx(1.0)


def test_yeast_accuracy_against_tau(shared):
    folder = shared / "data" / "ppi_yeast_sand"
    network = read_samples((folder / "ppiCC_edges.csv").read_bytes(), "ppiCC_edges.csv")
    table = read_samples(
        (folder / "ppiCC_nodes.csv").read_bytes(),
        "ppiCC_nodes.csv",
        "vectors",
        id_column="id",
        label_column="ICSC",
    )
    made = join_nodes(network, table).network
    assert (made.n, made.n_edges, dict(made.labels.classes)) == (134, 241, {"1": 77, "0": 57})
    prepared = prepare_network(made)
    taus = (0.0, 0.3, 1.0, 3.0, 5.0, 10.0, 50.0)
    config = CrossValidation(folds=5, repeats=5, C=1.0)
    *_, found = sweeping_network(prepared, diffusions_of(prepared, taus), made.labels, config)
    accuracy, spread = found.curve()
    area, area_spread = found.curve("auc")
    # measured: accuracy 57.5 65.5 75.8 76.6 75.1 69.1 55.8 % (sd up to 2.4), AUC .56 .80 .80 .82 .82 .76 .67
    assert accuracy == pytest.approx([0.575, 0.655, 0.758, 0.766, 0.751, 0.691, 0.558], abs=0.03)
    assert area[1:] == pytest.approx([0.804, 0.804, 0.823, 0.816, 0.755, 0.671], abs=0.03)
    assert spread.max() < 0.04
    assert 0.0 < area_spread[1:].max() < 0.04
    assert found.floor == pytest.approx(77 / 134)
    # the choice made inside the training folds: .767, interval .70 to .83, against the floor .575
    assert found.nested.mean == pytest.approx(0.767, abs=0.03)
    assert found.nested.interval.low > found.floor
    assert 1.0 <= found.best.tau <= 5.0


@pytest.mark.parametrize("isolated", [0, 5])
def test_a_layout_is_seeded_inside_the_unit_square_and_apart(rng, isolated):
    B = random_network(rng, n=30, isolated=isolated)
    network = Network(tuple(f"n{k}" for k in range(30)), B)
    found = network_layout(network, seed=4)
    assert np.array_equal(found.places, network_layout(network, seed=4).places)
    assert not np.array_equal(found.places, network_layout(network, seed=5).places)
    assert found.places.min() >= 0.0
    assert found.places.max() <= 1.0
    gaps = np.hypot(*(found.places[:, None] - found.places[None, :]).transpose(2, 0, 1))
    assert gaps[~np.eye(30, dtype=bool)].min() > 1e-3
    assert not found.places.flags.writeable
    assert "seed 4" in found.method


def test_a_layout_puts_neighbours_near(karate):
    network = karate.samples["network"]
    places = network_layout(network).places
    gaps = np.hypot(*(places[:, None] - places[None, :]).transpose(2, 0, 1))
    joined = network.adjacency.toarray() > 0
    assert gaps[joined].mean() < 0.7 * gaps[~joined].mean()


def test_a_layout_of_a_large_component_begins_with_eigenvectors(rng):
    n = SMALL + 20
    ring = np.zeros((n + 1, n + 1))
    at = np.arange(n)
    ring[at, (at + 1) % n] = ring[(at + 1) % n, at] = 1.0
    found = network_layout(Network(tuple(map(str, range(n + 1))), ring))  # and an isolated node
    assert "eigenvectors" in found.method
    near = np.hypot(*(found.places[at] - found.places[(at + 1) % n]).T)
    assert near.mean() < 0.1
    assert np.isfinite(found.places).all()
