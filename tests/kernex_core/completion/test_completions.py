import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.completion.baselines import completions


def test_three_items_have_the_known_ends():
    a, b = 0.6, 0.5
    half = np.sqrt((1 - a**2) * (1 - b**2))
    K = [[1, a, np.nan], [a, 1, b], [np.nan, b, 1]]
    np.testing.assert_allclose(completions(K, 0, 2), (a * b - half, a * b + half))


@pytest.mark.parametrize("rank", [3, 7])
def test_the_ends_are_where_the_smallest_eigenvalue_is_zero(rng, rank):
    X = rng.normal(size=(6, rank))
    K = X @ X.T
    low, high = completions(K, 1, 4)
    assert low - 1e-9 <= K[1, 4] <= high + 1e-9

    def least(value):
        changed = K.copy()
        changed[1, 4] = changed[4, 1] = value
        return np.linalg.eigvalsh(changed)[0]

    width = max(high - low, 0.1)
    assert least(low) > -1e-8
    assert least(high) > -1e-8
    assert least(low - 0.1 * width) < -1e-6
    assert least(high + 0.1 * width) < -1e-6


def test_refusals():
    with pytest.raises(InvalidInputError, match="different"):
        completions(np.eye(3), 1, 1)
    with pytest.raises(KernexError):
        completions([[1, 2, 0], [2, 1, 0], [0, 0, 1]], 0, 2)
