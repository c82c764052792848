"""Nodes placed by their attributes, on twelve simulated networks: the numbers are printed and held."""

import numpy as np
import pytest

from kernex_core import Diffusion, InvalidInputError, NewNodesConfig, Vectors, place_nodes
from kernex_core.datasets.blocks import blocks
from kernex_core.extrapolation.fisher_scores import fisher_map


@pytest.fixture(scope="module")
def found():
    """Seed -> the default, without a bias row, with the shear constraint; diffusion to τ = 8."""
    made = {}
    for seed in range(12):
        data = blocks(seed)
        network = data.samples["network"]
        K = Diffusion(tau=8.0).similarities(network, name="diffusion")
        made[seed] = [
            place_nodes(config, K, network.attributes, data.labels)
            for config in (
                NewNodesConfig(seed=seed),
                NewNodesConfig(seed=seed, bias=False),
                NewNodesConfig(seed=seed, constraint="shear"),
            )
        ]
    return made


def means(found, of):
    return np.mean([of(*three) for three in found.values()])


def test_the_bias_row_lowers_the_training_error_by_at_least_a_third(found, capsys):
    with_row = means(found, lambda free, bare, shear: free.extended.training_error)
    without = means(found, lambda free, bare, shear: bare.extended.training_error)
    aligned = means(found, lambda free, bare, shear: free.placed.alignment)
    with capsys.disabled():
        print(
            f"\ntraining error {without:.3f} without, {with_row:.3f} with a bias row; alignment {aligned:.3f}"
        )
    assert with_row <= 2.0 / 3.0 * without
    assert (with_row, without, aligned) == pytest.approx((0.536, 0.945, 0.832), abs=2e-3)
    assert means(found, lambda free, bare, shear: bare.placed.alignment) < 0.5


def test_hidden_nodes_beat_the_mean_of_the_kernel(found):
    error = means(found, lambda free, bare, shear: free.placed.error)
    base = means(found, lambda free, bare, shear: free.baseline.error)
    named = means(found, lambda free, bare, shear: free.placed.accuracy)
    floor = means(found, lambda free, bare, shear: free.floor)
    assert (error, base) == pytest.approx((0.558, 0.591), abs=2e-3)
    assert error < base
    assert named > floor + 0.1 > means(found, lambda free, bare, shear: free.baseline.accuracy)
    assert means(found, lambda free, bare, shear: free.true.accuracy) > named


def test_the_shear_constraint_keeps_less_of_the_trace(found):
    free = means(found, lambda free, bare, shear: free.extended.approximation.trace_share)
    shear = means(found, lambda free, bare, shear: shear.extended.approximation.trace_share)
    assert (free, shear) == pytest.approx((0.555, 0.001), abs=2e-3)
    for made, _, held in found.values():
        assert held.extended.approximation.certificate_holds
        assert not made.extended.approximation.certificate_holds


def test_numbers_by_other_code():
    data = blocks(3)
    network, K = data.samples["network"], data.kernels["diffusion"]
    made = place_nodes(NewNodesConfig(share=0.3, seed=2), K, network.attributes, data.labels)
    assert made.hidden.size == 36
    assert sorted([*made.hidden, *made.known]) == list(range(120))
    X, known, hidden = network.attributes.X, made.known, made.hidden
    Phi = np.vstack([-(X - X[known].mean(axis=0)).T / X[known].std(axis=0)[:, None], np.ones(120)])
    inverse = np.linalg.pinv(Phi[:, known])
    cross = Phi[:, hidden].T @ (inverse.T @ K.values[np.ix_(known, known)] @ inverse) @ Phi[:, known]
    np.testing.assert_allclose(made.extended.cross, cross, atol=1e-10)
    truth = K.values[np.ix_(hidden, known)]
    assert made.placed.error == pytest.approx(np.linalg.norm(truth - cross) / np.linalg.norm(truth))
    assert made.true.error == 0.0
    assert made.true.alignment == pytest.approx(1.0)


def test_without_labels_and_with_a_constant_attribute():
    data = blocks(0)
    network = data.samples["network"]
    X = np.column_stack([network.attributes.X, np.ones(120)])
    made = place_nodes(NewNodesConfig(), data.kernels["diffusion"], Vectors(data.ids, X))
    assert np.isnan([made.placed.accuracy, made.floor]).all()
    assert "do not vary" in made.notes[0]
    assert fisher_map(X).sd[-1] == 0.0


def test_what_is_refused():
    data = blocks(0)
    K, attributes = data.kernels["diffusion"], data.samples["network"].attributes
    with pytest.raises(InvalidInputError, match="nodes of the kernel"):
        place_nodes(NewNodesConfig(), K, attributes.take(np.arange(119, -1, -1)))
    with pytest.raises(InvalidInputError, match="zeros and ones"):
        place_nodes(NewNodesConfig(family="bernoulli"), K, attributes)
    with pytest.raises(InvalidInputError, match="Hidden nodes"):
        NewNodesConfig(share=1.0)
