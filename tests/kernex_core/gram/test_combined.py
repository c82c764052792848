"""Combinations entry by entry: whatever a fold sees of them is the entry of the whole."""

import numpy as np
import pytest

from kernex_core.gram.combine import LearnedSum, Product, WeightedSum
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import split_inductively
from tests.oracles.joint import random_kernel


@pytest.mark.parametrize("weight", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("kind", [WeightedSum, LearnedSum, Product])
def test_a_fold_sees_the_entries_of_the_whole(rng, kind, weight):
    first, second = random_kernel(rng, 8), random_kernel(rng, 8)
    step = Product(GramMatrix(second)) if kind is Product else kind(GramMatrix(second), weight)
    whole = first * second if kind is Product else (1 - weight) * first + weight * second
    made = GramMatrix(first).then(step)
    train, test = np.array([0, 2, 3, 5, 7]), np.array([1, 4, 6])
    split = split_inductively(made, train, test)
    np.testing.assert_allclose(made.values, whole, atol=1e-12)
    np.testing.assert_allclose(split.K_train, whole[np.ix_(train, train)], atol=1e-12)
    np.testing.assert_allclose(split.K_cross, whole[np.ix_(test, train)], atol=1e-12)
    np.testing.assert_allclose(split.diag_test, np.diag(whole)[test], atol=1e-12)
