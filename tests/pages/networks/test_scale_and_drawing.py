import numpy as np
import pytest

from kernex_core import Diffusion, Network, decompose_network, load_dataset
from kernex_core.studies.networks.study import prepare_network
from pages.networks.drawing import WIDTHS, Coloured, drawn, marker_key, sizes
from pages.networks.subject import KINDS, frames_of, scale_of
from pages.ui import payload
from pages.ui.figures.still.chart import chart
from pages.ui.figures.theme import CIVIDIS
from tests.pages.ui.matrices.test_payload import frames_of as decoded
from tests.pages.ui.matrices.test_payload import opened


def random_network(seed, n=25):
    rng = np.random.default_rng(seed)
    B = np.triu(rng.random((n, n)) < 0.12, 1) * rng.gamma(2.0, 3.0, (n, n))
    return Network(tuple(f"n{k}" for k in range(n)), B + B.T)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("seed", range(3))
def test_every_place_of_the_slider_is_a_kernel_and_what_is_judged_can_be_chosen(kind, seed):
    kernel = kind()
    spectrum = decompose_network(random_network(seed).adjacency, kernel.operator)
    scale = scale_of(kernel, kernel.bound_on(spectrum))
    assert set(scale.grid) <= set(scale.options)
    assert list(scale.options) == sorted(set(scale.options))
    assert not scale.name or (scale.start in scale.options and 5 <= len(scale.grid) <= 15)
    for value in scale.options:
        K = scale.at(kernel, value).on(spectrum)
        assert np.isfinite(K).all()
        assert scale.at(kernel, value).bound_on(spectrum) >= value


def test_frames_of_a_large_network_are_block_means_of_its_kernels():
    network = random_network(0, 330)
    prepared = prepare_network(network, Diffusion().operator)
    kernels = tuple(Diffusion(tau=tau) for tau in np.linspace(0.1, 1.2, 23))
    order = np.random.default_rng(1).permutation(330)
    carrier = frames_of(prepared, kernels, order)
    said, codes = opened(carrier)
    assert (said["lams"][0], said["lams"][-1], said["size"]) == (0.0, 22.0, payload.FRAME)
    for place, (frame, half) in zip(said["lams"], decoded(said, codes), strict=True):
        K = kernels[int(place)].on(prepared.spectrum)[np.ix_(order, order)]
        expected = payload.block_means(K, payload.FRAME)[np.tril_indices(payload.FRAME)]
        np.testing.assert_allclose(frame, expected, atol=1.01 * half)


def test_places_rise_with_the_values_zero_before_the_first():
    scale = scale_of(KINDS[0](), np.inf)
    assert (np.diff(scale.places(scale.grid)) > 0).all()
    assert scale.places([10.0])[0] == 1.0


def test_edges_nodes_and_colours_are_those_of_the_network():
    data = load_dataset("karate_club")
    network = data.samples["network"]
    rng = np.random.default_rng(0)
    places, column = rng.random((network.n, 2)), rng.random(network.n)
    column[5] = 9.0
    classes = [label or None for label in data.labels.y.tolist()]
    *lines, nodes, rings = drawn(places, network, Coloured(column, 5, (7,)), classes).figure.data
    x = np.concatenate([np.asarray(line.x).reshape(-1, 3) for line in lines])
    assert len(x) == network.n_edges
    assert np.isnan(x[:, 2]).all()
    at = {float(np.float32(place)): k for k, place in enumerate(places[:, 0])}
    ends = {tuple(sorted(at[float(v)] for v in pair)) for pair in x[:, :2]}
    assert ends == {
        (int(i), int(j)) for i, j in zip(*np.nonzero(network.adjacency.toarray()), strict=True) if i < j
    }
    # the karate club's edges weigh 1 to 7: each line holds those of its quarter of the largest
    for line, quarter in zip(lines, (1, 2, 3, 4), strict=True):
        assert line.line.width == WIDTHS[quarter - 1]
        for pair in np.asarray(line.x).reshape(-1, 3)[:, :2]:
            i, j = (at[float(v)] for v in pair)
            assert np.ceil(4 * network.adjacency[i, j] / 7) == quarter
    second = np.argsort(column)[-2]
    assert nodes.marker.color[5] == nodes.marker.color[second] == CIVIDIS[-1]
    assert nodes.marker.color[int(column.argmin())] != CIVIDIS[-1]
    assert len(set(nodes.marker.symbol)) == len(set(classes))
    assert np.argmax(nodes.marker.size) == network.neighbours.argmax()
    assert list(rings.x) == [places[5, 0], places[7, 0]]
    assert all(style in marker_key(classes) for style in set(classes))


def test_sizes_stay_within_their_ends_whatever_the_degrees():
    for seed in range(3):
        made = sizes(random_network(seed))
        assert made.min() >= 3.0
        assert made.max() <= 22.0


def test_the_drawing_stands_on_the_sheet_of_figures_in_its_colours():
    network = random_network(1)
    column = np.linspace(0.0, 1.0, network.n)
    made = drawn(np.random.default_rng(2).random((network.n, 2)), network, Coloured(column, 0), None)
    svg = chart(made.figure, 500)
    assert CIVIDIS[-1] in svg
    assert svg.count("<circle") == network.n + 1  # and the ring


def test_a_tau_that_is_asked_for_is_a_stop_of_the_slider_and_one_beyond_its_ends_is_not():
    usual = scale_of(Diffusion(), np.inf)
    asked = scale_of(Diffusion(), np.inf, asked=2.06)
    assert set(asked.options) - set(usual.options) == {2.06}
    assert list(asked.options) == sorted(asked.options)
    for value in (-1.0, 201.0, np.nan):
        assert scale_of(Diffusion(), np.inf, asked=value) == usual


def test_a_zero_that_was_rounded_is_the_end_of_the_colours_and_a_true_negative_stays():
    values = np.array([1.0, 0.2, -9e-17, 0.1])
    assert Coloured(values, 0).ends == (0.0, 0.2)
    assert Coloured(np.where(values < 0, -0.1, values), 0).ends == (-0.1, 0.2)
