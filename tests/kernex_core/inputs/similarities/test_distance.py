from contextlib import suppress

import numpy as np
import pytest

from kernex_core import GramMatrix, InvalidInputError, read_samples
from kernex_core.gram.split import split_inductively
from kernex_core.inputs.similarities.distance import (
    CentredSquares,
    GaussianOfDistance,
    InverseDistance,
    ReversedDistance,
    guess_distance,
    median_gamma,
)
from tests.kernex_core.inputs.dialects import matrix_bytes


@pytest.fixture
def X(rng):
    return rng.normal(size=(9, 3))


@pytest.fixture
def D(X):
    return np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))


def ids(D):
    return tuple(f"p{k}" for k in range(D.shape[0]))


def test_guess(D):
    assert guess_distance(D)
    assert not guess_distance(np.exp(-D))
    assert not guess_distance(-D)
    assert not guess_distance(np.zeros((3, 3)))
    assert not guess_distance(np.full((2, 2), np.nan))
    hidden = D.copy()
    hidden[0, 1] = hidden[1, 0] = hidden[2, 2] = np.nan
    assert guess_distance(hidden)


def test_distances_taken_as_similarities_are_noted(D):
    found = read_samples(matrix_bytes(D, ids(D)), "d.csv", meaning="similarity")
    assert any("look like distances" in note.text for note in found.notes)
    np.testing.assert_array_equal(found.gram.values, D)


def _pairs(D):
    return [D[i, j] ** 2 for i in range(len(D)) for j in range(i)]


EXPECTED = {
    "gaussian": lambda D: np.exp(-(D**2) / np.median(_pairs(D))),
    "one_minus": lambda D: 1 - D,
    "max_minus": lambda D: D.max() - D,
    "inverse": lambda D: np.where(np.eye(len(D)), 1 / D[D > 0].min(), 1 / np.where(D, D, 1)),
}


@pytest.mark.parametrize("conversion", EXPECTED)
def test_conversions(D, conversion):
    found = read_samples(matrix_bytes(D, ids(D)), "d.csv", meaning="distance", conversion=conversion)
    np.testing.assert_allclose(found.gram.values, EXPECTED[conversion](D), rtol=1e-12)
    assert any("read as distances" in note.text for note in found.notes)
    np.testing.assert_allclose(found.gram.base.values, D)


def test_double_centring_gives_the_gram_matrix_of_centred_points(X, D):
    found = read_samples(matrix_bytes(D, ids(D)), "d.csv", meaning="distance", conversion="centring")
    centred = X - X.mean(axis=0)
    np.testing.assert_allclose(found.gram.values, centred @ centred.T, atol=1e-12)


def test_gamma_by_choice(D):
    found = read_samples(matrix_bytes(D, ids(D)), "d.csv", meaning="distance", gamma=0.25)
    np.testing.assert_allclose(found.gram.values, np.exp(-0.25 * D**2))
    with pytest.raises(InvalidInputError, match="above 0"):
        read_samples(matrix_bytes(D, ids(D)), "d.csv", meaning="distance", gamma=0.0)
    assert median_gamma(np.zeros((3, 3))) == 1.0


@pytest.mark.parametrize(
    "step",
    [
        GaussianOfDistance(),
        ReversedDistance(),
        ReversedDistance(top=1.0),
        InverseDistance(),
        CentredSquares(),
    ],
)
def test_new_items_are_converted_by_what_was_fitted(D, step):
    train, test = np.arange(6), np.arange(6, 9)
    split = split_inductively(GramMatrix(D).then(step), train, test)
    fitted = step.fit(D[:6, :6])
    np.testing.assert_allclose(split.K_train, fitted.apply(D[:6, :6]))
    np.testing.assert_allclose(split.K_cross, fitted.apply_cross(D[6:, :6], np.zeros(3)).values)
    # a fitted item, looked at as a new one, gets its own row
    again = fitted.apply_cross(D[:6, :6], np.zeros(6))
    np.testing.assert_allclose(again.values, split.K_train, atol=1e-12)
    np.testing.assert_allclose(again.diag, np.diag(split.K_train), atol=1e-12)


def test_unknown_distances_stay_unknown_or_are_refused(D):
    D[0, 3] = D[3, 0] = np.nan
    for step in (GaussianOfDistance(), ReversedDistance(), InverseDistance()):
        made = step(D)
        assert np.isnan(made[0, 3])
        assert np.isnan(made).sum() == 2
    with pytest.raises(InvalidInputError, match="2 unknown"):
        CentredSquares()(D)


def test_what_distances_cannot_be(D):
    with pytest.raises(InvalidInputError, match=r"at least 0.*'p0' and 'p1'"):
        read_samples(matrix_bytes(-D, ids(D)), "d.csv", meaning="distance")
    D[0, 1] = D[1, 0] = 0.0
    with pytest.raises(InvalidInputError, match="items 1 and 2"):
        InverseDistance()(D)


@pytest.mark.parametrize("power", [*range(-320, 300, 20), -151, -150, -149, 149, 150, 151, 154, 155])
@pytest.mark.parametrize("conversion", ["gaussian", "max_minus", "inverse", "centring"])
def test_distances_of_any_size_are_told_apart_or_refused_in_a_sentence(D, conversion, power):
    far = D * 10.0**power
    beyond = (
        abs(power) >= 149
        if conversion in ("gaussian", "centring")
        else conversion == "inverse" and power < -305
    )
    made = None
    if beyond:  # at the very edge it depends on the distances
        with suppress(InvalidInputError):
            made = read_samples(
                matrix_bytes(far, ids(far)), "d.csv", meaning="distance", conversion=conversion
            )
    else:
        made = read_samples(matrix_bytes(far, ids(far)), "d.csv", meaning="distance", conversion=conversion)
    if made is None:
        return
    near = read_samples(matrix_bytes(D, ids(D)), "d.csv", meaning="distance", conversion=conversion)
    assert np.isfinite(made.gram.values).all()
    # whatever the unit, who is nearest to whom stays so
    assert (np.argsort(made.gram.values[0]) == np.argsort(near.gram.values[0])).all()


def test_new_items_beyond_all_numbers_are_as_far_as_can_be(D):
    fitted = GaussianOfDistance(gamma=1e300).fit(D)
    np.testing.assert_array_equal(fitted.apply_cross(np.full((1, 9), 1e200), np.zeros(1)).values, 0.0)
