"""Weights by alignment beside the formulas written out and a search over the simplex."""

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.learning.mkl.weightings import alignment_weights


@pytest.fixture
def world(rng):
    y = np.where(np.arange(30) % 2, 1.0, -1.0)
    X = rng.normal(size=(30, 4)) + np.outer(y, [1.0, 0.7, 0.0, 0.0])
    return [np.exp(-((X[:, [j]] - X[:, j]) ** 2)) for j in range(4)], y


def alignment(K, L):
    n = len(K)
    H = np.eye(n) - 1.0 / n
    K, L = H @ K @ H, H @ L @ H
    return np.trace(K @ L) / np.sqrt(np.trace(K @ K) * np.trace(L @ L))


def test_alignments_are_those_of_the_formula(world):
    kernels, y = world
    made = alignment_weights(kernels, y, way="each")
    own = [alignment(K, np.outer(y, y)) for K in kernels]
    np.testing.assert_allclose(made.with_labels, own, atol=1e-12)
    np.testing.assert_allclose(made.weights, np.array(own) / np.sum(own))
    np.testing.assert_allclose(
        made.between, [[alignment(K, L) for L in kernels] for K in kernels], atol=1e-12
    )


def test_no_other_weights_align_the_sum_better(world, rng):
    kernels, y = world
    made = alignment_weights(kernels, y)
    best = alignment(np.tensordot(made.weights, np.array(kernels), 1), np.outer(y, y))
    for other in rng.dirichlet(np.full(4, 0.5), 300):
        assert alignment(np.tensordot(other, np.array(kernels), 1), np.outer(y, y)) <= best + 1e-9
    twice = alignment_weights([*kernels, kernels[0]], y)
    assert twice.weights[[0, 4]].sum() == pytest.approx(made.weights[0], abs=1e-6)
    grown = alignment_weights([100.0 * kernels[0], *kernels[1:]], y, normalize="mean")
    np.testing.assert_allclose(grown.weights, made.weights, atol=1e-9)


def test_several_classes_and_numbers_have_a_target_each(world, rng):
    kernels, _ = world
    codes = np.arange(30) % 3
    T = np.where(codes[:, None] == np.arange(3), 1.0, -1.0)
    made = alignment_weights(kernels, np.array(["a", "b", "c"])[codes], way="each")
    np.testing.assert_allclose(made.with_labels, [alignment(K, T @ T.T) for K in kernels], atol=1e-12)
    numbers = rng.normal(size=30)
    made = alignment_weights(kernels, numbers, way="each", numbers=True)
    np.testing.assert_allclose(
        made.with_labels, [alignment(K, np.outer(numbers, numbers)) for K in kernels], atol=1e-12
    )


def test_kernels_that_say_nothing_get_equal_weights():
    made = alignment_weights([np.ones((4, 4)), np.zeros((4, 4))], ["a", "b", "a", "b"])
    assert made.weights.tolist() == [0.5, 0.5]
    with pytest.raises(InvalidInputError, match="way"):
        alignment_weights([np.eye(4)], ["a", "b", "a", "b"], way="some")
