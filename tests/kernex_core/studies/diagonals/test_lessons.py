"""Where large diagonals come from, and φ on entries against φ on eigenvalues."""

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError, NotPositiveSemidefiniteError
from kernex_core.conditioning.power import SignedLog, SignedPower, signed_power
from kernex_core.datasets.markov_strings import markov_strings
from kernex_core.datasets.vectors import half_seen_digits
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Vectors
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.diagonals.shrink import (
    AROUND_ZERO,
    DEGREES,
    FROM_ZERO,
    functional_calculus,
    kernels_of_strings,
    polynomials_of_pixels,
)
from tests.oracles.joint import random_kernel

HALVES = CrossValidation(folds=2, repeats=1, C=1e6)


@pytest.fixture(scope="module")
def digits():
    data = half_seen_digits(0)
    return data.samples["whole image"], data.labels


@pytest.fixture(scope="module")
def grown(digits):
    return polynomials_of_pixels(*digits, 0.2, HALVES)


def test_diagonals_of_polynomials_grow_with_the_degree(grown, digits):
    assert [g.name for g in grown] == [FROM_ZERO, AROUND_ZERO]
    X = digits[0].values
    for g, pixels in zip(grown, (X, 2 * X - 1), strict=True):
        assert (np.diff(g.dominance) > 0).all()
        K = (pixels @ pixels.T) ** 4.0
        n = len(K)
        expected = np.trace(K) / n / (np.abs(K).sum() - np.trace(K)) * n * (n - 1)
        assert g.dominance[DEGREES.index(4)] == pytest.approx(expected)


def test_a_large_degree_costs_and_a_small_power_takes_it_back(grown):
    for g in grown:
        plain, mapped = ([losses.mean for losses in part] for part in (g.plain, g.mapped))
        assert plain[-1] > min(plain) + 0.1
        assert mapped[-1] < plain[-1] - 0.1


def test_the_power_one_over_the_degree_is_the_linear_kernel(digits):
    images, _ = digits
    K = (images.values @ images.values.T) ** 5
    np.testing.assert_allclose(signed_power(K, 0.2), images.values @ images.values.T)


def test_longer_words_are_shared_by_nobody():
    data = markov_strings(4)
    spectrum, gapped = kernels_of_strings(data.samples["strings"], data.labels, 0.5, HALVES)
    assert (np.diff(gapped.dominance) > 0).all()
    assert np.isinf(spectrum.dominance[-1])
    assert spectrum.dominance[1] == pytest.approx(16.7, abs=0.1)
    assert spectrum.plain[-1].mean == pytest.approx(0.5)
    (alone,) = kernels_of_strings(data.samples["strings"], data.labels, 0.5, HALVES, subsequences=False)
    np.testing.assert_array_equal(alone.dominance, spectrum.dominance)


def test_brightness_outside_the_range_is_refused(digits):
    images, labels = digits
    with pytest.raises(InvalidInputError, match="Brightness"):
        polynomials_of_pixels(Vectors(images.ids, 16.0 * images.values), labels, 0.5, HALVES)


@pytest.mark.parametrize("phi", [SignedPower(0.4), SignedLog(100.0)])
def test_entries_and_eigenvalues_are_two_things(rng, phi):
    K = GramMatrix(random_kernel(rng, 15))
    made = functional_calculus(phi, K)
    x, spectral, entries = made.graph
    np.testing.assert_allclose(np.linalg.eigvalsh(K.values / np.diag(K.values).mean())[-x.size :], x)
    np.testing.assert_allclose(spectral, x**0.4 if isinstance(phi, SignedPower) else np.log1p(100.0 * x))
    unit = K.values / np.diag(K.values).mean()
    by_hand = np.sign(unit) * (
        np.abs(unit) ** 0.4 if isinstance(phi, SignedPower) else np.log1p(100.0 * np.abs(unit))
    )
    np.testing.assert_allclose(np.linalg.eigvalsh(by_hand)[-x.size :], entries, atol=1e-10)
    assert not np.allclose(spectral, entries)


def test_functional_calculus_of_partly_unknown_and_indefinite_matrices(rng):
    values = random_kernel(rng, 9)
    values[4] = values[:, 4] = np.nan
    assert functional_calculus(SignedPower(0.5), GramMatrix(values)).before.n == 8
    with pytest.raises(NotPositiveSemidefiniteError, match="clip"):
        functional_calculus(SignedPower(0.5), GramMatrix(np.diag([1.0, -1.0, 3.0])))
    with pytest.raises(InvalidInputError, match="known"):
        functional_calculus(SignedPower(0.5), GramMatrix(np.full((3, 3), np.nan)))
