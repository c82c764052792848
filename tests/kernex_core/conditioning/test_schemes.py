"""The contract of every scheme, whatever its map φ."""

import numpy as np
import pytest

from kernex_core import SCHEMES
from kernex_core.base.errors import InvalidInputError, NotPositiveSemidefiniteError
from kernex_core.conditioning.power import SignedLog, SignedPower
from kernex_core.conditioning.schemes import scheme_named
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import split_inductively
from tests.oracles.joint import random_kernel

NAMES = [scheme.name for scheme in SCHEMES]
every_scheme = pytest.mark.parametrize("scheme", SCHEMES, ids=NAMES)
every_map = pytest.mark.parametrize("phi", [SignedPower(0.4), SignedLog(100.0), SignedPower(1.0)], ids=repr)


def made_of(scheme, phi, K):
    for step in scheme.steps(phi):
        K = step(K)
    return np.asarray(K)


def spread(rng, n=11):
    """A kernel with a large diagonal and entries of both signs."""
    return random_kernel(rng, n) + 5.0 * np.eye(n)


def indefinite(rng, n=11):
    noise = rng.normal(size=(n, n))
    return noise + noise.T + 0.5 * np.eye(n)


@every_map
@every_scheme
def test_a_kernel_becomes_a_kernel(rng, scheme, phi):
    G = made_of(scheme, phi, spread(rng))
    np.testing.assert_allclose(G, G.T, rtol=0, atol=1e-12 * abs(G).max())
    w = np.linalg.eigvalsh(G)
    assert w[0] > -1e-12 * w[-1]
    assert w[-1] > 0.0


@every_map
@every_scheme
def test_a_similarity_that_is_no_kernel_becomes_one_or_is_refused(rng, scheme, phi):
    K = indefinite(rng)
    if scheme.takes_indefinite:
        w = np.linalg.eigvalsh(made_of(scheme, phi, K))
        assert w[0] > -1e-12 * w[-1]
    else:
        with pytest.raises(NotPositiveSemidefiniteError, match="clip"):
            made_of(scheme, phi, K)


@every_map
@every_scheme
def test_the_order_of_the_items_does_not_matter(rng, scheme, phi):
    K, order = spread(rng), rng.permutation(11)
    np.testing.assert_allclose(
        made_of(scheme, phi, K[np.ix_(order, order)]),
        made_of(scheme, phi, K)[np.ix_(order, order)],
        rtol=1e-9,
    )


@every_map
@every_scheme
def test_the_unit_of_the_similarities_changes_the_unit_of_the_kernel_alone(rng, scheme, phi):
    K = spread(rng)
    one, other = made_of(scheme, phi, K), made_of(scheme, phi, 1000.0 * K)
    np.testing.assert_allclose(other / np.trace(other), one / np.trace(one), rtol=1e-9, atol=1e-12)


@every_map
@every_scheme
def test_an_item_that_is_met_again_has_the_row_that_it_had(rng, scheme, phi):
    """Fitted on the first items; the new ones are copies of some of them."""
    train, test = np.arange(11), np.arange(11, 15)
    K, copies = spread(rng), np.array([*train, 2, 5, 7, 9])
    gram = GramMatrix(K[np.ix_(copies, copies)])
    if not scheme.takes_new_items:
        with pytest.raises(InvalidInputError, match="all items at once"):
            split_inductively(gram, train, test, further=scheme.steps(phi))
        return
    split, G = split_inductively(gram, train, test, further=scheme.steps(phi)), made_of(scheme, phi, K)
    np.testing.assert_allclose(split.K_train, G, rtol=1e-9, atol=1e-12 * abs(G).max())
    np.testing.assert_allclose(split.K_cross, G[copies[test]], rtol=1e-9, atol=1e-9 * abs(G).max())
    np.testing.assert_allclose(split.diag_test, np.diag(G)[copies[test]], rtol=1e-9)


@every_scheme
def test_what_is_said_to_be_left_as_it_is_is_left_as_it_is(rng, scheme):
    K = spread(rng)
    same = np.allclose(made_of(scheme, SignedPower(1.0), K), K, rtol=1e-10)
    assert same == scheme.keeps_kernels


@every_scheme
def test_without_its_repair_a_scheme_is_the_map_of_the_entries(rng, scheme):
    K, phi = spread(rng), SignedPower(0.4)
    first = np.asarray(scheme.steps(phi)[0](K))
    alone = scheme.steps(phi)[:-1] == (phi,) and np.array_equal(first, np.asarray(phi(K)))
    assert alone == scheme.repairs


@every_scheme
def test_unknown_items_stay_unknown_and_change_nothing_else(rng, scheme):
    K, phi = spread(rng), SignedPower(0.4)
    wanted = made_of(scheme, phi, K[:8, :8])
    K[8:, :] = K[:, 8:] = np.nan
    made = made_of(scheme, phi, K)
    np.testing.assert_allclose(made[:8, :8], wanted, rtol=1e-10)
    assert np.isnan(made[8:]).all()
    assert np.isnan(made[:, 8:]).all()


def test_names_are_what_the_catalogue_is_asked_for():
    assert len(set(NAMES)) == len(NAMES)
    assert [scheme_named(name) for name in NAMES] == list(SCHEMES)
    with pytest.raises(InvalidInputError, match=", ".join(NAMES)):
        scheme_named("none")
