"""Bundled networks: what they are, and the numbers of the blocks."""

import networkx as nx
import numpy as np
import pytest

from kernex_core import CrossValidation, Diffusion, load_dataset
from kernex_core.datasets.social import blocks
from kernex_core.studies.networks.study import TAUS, diffusions_of, prepare_network, sweeping_network

ONCE = CrossValidation(folds=5, repeats=1, C=1.0)


@pytest.mark.parametrize(
    ("name", "n", "edges", "classes"),
    [
        ("karate_club", 34, 78, {"Mr. Hi": 17, "officer": 17}),
        ("les_miserables", 77, 254, None),
        ("florentine_families", 15, 20, {}),
    ],
)
def test_real_networks_are_those_of_networkx(name, n, edges, classes):
    data = load_dataset(name)
    network = data.samples["network"]
    graph = {"karate_club": nx.karate_club_graph, "les_miserables": nx.les_miserables_graph}.get(
        name, nx.florentine_families_graph
    )()
    assert (data.n, network.n_edges) == (n, edges)
    assert np.array_equal(network.adjacency.toarray(), nx.to_numpy_array(graph))
    assert data.kernels["diffusion"].values == pytest.approx(Diffusion(1.0).gram(nx.to_numpy_array(graph)))
    assert "Real: " in data.description
    assert not data.simulated
    if classes == {}:
        assert data.labels is None
    elif classes is not None:
        assert dict(data.labels.classes) == classes
    else:
        assert "computed from the network itself" in data.notes[0].text


def test_blocks_are_as_described():
    within, between, alone = [], [], 0
    for seed in range(20):
        data = blocks(seed)
        B = data.samples["network"].adjacency.toarray()
        block = np.repeat(np.arange(6), 20)
        same = (block[:, None] == block[None, :]) & ~np.eye(120, dtype=bool)
        within.append(B[same].mean())
        between.append(B[block[:, None] != block[None, :]].mean())
        alone += int((B.sum(axis=1) == 0).sum())
        wrong = (data.labels.y == "odd") != (block % 2 == 1)
        assert wrong.sum() == 18  # 15 %
        assert set(np.unique(B)) == {0.0, 1.0}
    assert alone == 0
    assert np.mean(within) == pytest.approx(0.2, abs=0.01)
    assert np.mean(between) == pytest.approx(0.012, abs=0.001)
    assert blocks(3).digest == blocks(3).digest != blocks(4).digest


def test_accuracy_against_tau_has_the_documented_shape():
    """Three seeds, one repetition: within 6 points of the means over 18 seeds; science/runs/networks.py has all."""
    documented = np.array([52, 62, 72, 75.5, 78, 79.5, 80, 81, 81, 78, 54.5, 52])
    curves = []
    for seed in range(3):
        data = blocks(seed)
        prepared = prepare_network(data.samples["network"])
        *_, found = sweeping_network(prepared, diffusions_of(prepared), data.labels, ONCE)
        curves.append(100.0 * found.curve()[0])
        assert 1.0 <= found.best.tau <= 20.0
    means = np.mean(curves, axis=0)
    assert len(TAUS) == documented.size
    assert np.abs(means - documented)[3:].max() < 6.0
    assert means[0] < 60.0
    assert means.max() < 85.0 + 3.0  # the noise ceiling
