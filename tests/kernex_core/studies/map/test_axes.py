"""Which coordinate of a map is no function of the first."""

import numpy as np
import pytest

from kernex_core.studies.map.points import own_direction


@pytest.fixture
def strip(rng):
    """Length and width of four hundred points of a strip, and the waves of its length that eigenvectors repeat."""
    length, width = rng.random((2, 400))
    waves = [np.cos(k * np.pi * length) for k in (1, 2, 3)]
    return waves, np.cos(np.pi * width)


@pytest.mark.parametrize("before", [0, 1, 2])
def test_the_width_of_a_strip_is_found_behind_the_waves_of_its_length(strip, before):
    waves, width = strip
    columns = [waves[0], *waves[1 : 1 + before], width, waves[2]]
    assert own_direction(np.column_stack(columns)) == 1 + before


def test_noise_on_a_wave_leaves_it_a_wave(strip, rng):
    waves, width = strip
    noisy = waves[1] + 0.1 * rng.normal(size=width.size)
    assert own_direction(np.column_stack([waves[0], noisy, width])) == 2


def test_scale_and_sign_and_order_of_items_play_no_part(strip, rng):
    waves, width = strip
    X = np.column_stack([waves[0], waves[1], width])
    turned = rng.permutation(len(X))
    assert own_direction(-1e6 * X[turned]) == own_direction(X) == 2


def test_where_nothing_is_of_its_own_or_nothing_can_be_told_the_second_is_taken(strip):
    waves, _ = strip
    assert own_direction(np.column_stack(waves)) == 1
    assert own_direction(np.column_stack([waves[0], np.ones(400)])) == 1
    assert own_direction(np.column_stack([waves[0], waves[1], waves[2]])[:8]) == 1
    assert own_direction(np.zeros((30, 3))) == 1
