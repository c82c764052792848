"""Items that occur twice are found at every scale, after every step that keeps them the same, and no others are."""

import numpy as np
import pytest

from kernex_core.conditioning.power import signed_power
from kernex_core.conditioning.repairs import repair_psd
from kernex_core.gram.diagnostics import repeated_items, repeated_rows
from kernex_core.gram.normalize import center, cosine_normalize


def kernel(rng, n=60, twice=25):
    """K and, for each item, the first one with the same features."""
    X = rng.normal(size=(n, 7)) * 10.0 ** rng.uniform(-3, 3, size=(n, 1))
    items = rng.permutation(np.concatenate([np.arange(n), rng.choice(n, twice)]))
    first = np.array([np.flatnonzero(items == item)[0] for item in items])
    return (X @ X.T)[np.ix_(items, items)], first


STEPS = {
    "as it is": lambda K: K,
    "cosine": cosine_normalize,
    "centred": lambda K: center(cosine_normalize(K)),
    "power": lambda K: signed_power(K, 0.3),
    "clipped": lambda K: repair_psd(signed_power(cosine_normalize(K), 0.3), "clip").gram,
    "shifted": lambda K: cosine_normalize(K) + 1.0,
}


@pytest.mark.parametrize("scale", [1e-100, 1e-12, 1.0, 1e12])
@pytest.mark.parametrize("step", STEPS)
def test_as_many_after_a_step_as_before(rng, step, scale):
    K, first = kernel(rng)
    np.testing.assert_array_equal(repeated_items(STEPS[step](scale * K)), first)


def test_items_that_differ_by_more_than_rounding_are_others(rng):
    K, first = kernel(rng, twice=0)
    np.testing.assert_array_equal(repeated_items(K), np.arange(first.size))
    X = np.vstack([np.eye(5), np.eye(5) + 1e-7 * rng.normal(size=(5, 5))])
    np.testing.assert_array_equal(repeated_items(X @ X.T), np.arange(10))
    # twice as long is another item, though its row is the same up to a factor
    x = np.array([1.0, 2.0, 2.0, 5.0])
    assert repeated_items(np.outer(x, x)).tolist() == [0, 1, 1, 3]


def test_what_is_unknown_has_to_be_so_for_both(rng):
    K, _ = kernel(rng, n=6, twice=0)
    K = K[np.ix_([0, 1, 2, 3, 1, 2], [0, 1, 2, 3, 1, 2])]
    K[0, 5] = K[5, 0] = np.nan
    assert repeated_items(K).tolist() == [0, 1, 2, 3, 1, 5]
    assert repeated_items(np.zeros((3, 3))).tolist() == [0, 0, 0]


def test_rows_of_columns_in_any_unit(rng):
    X = rng.normal(size=(30, 4))[np.r_[0:30, 3, 3, 8]] * [1e-9, 1.0, 1e9, 0.0]
    X[5, 1] = np.nan
    expected = [*range(30), 3, 3, 8]
    assert repeated_rows(X).tolist() == expected
    assert repeated_rows((X - np.nanmean(X, axis=0)) / [1e-9, 1.0, 1e9, 1.0]).tolist() == expected
    other = X.copy()
    other[30, 0] += 1e-18  # a thousandth of a millionth of its column, which is small beside the others
    assert repeated_rows(other).tolist() == [*range(31), 3, 8]
