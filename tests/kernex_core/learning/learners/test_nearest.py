import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.learning.learners.neighbours import nearest, vote
from tests.oracles.vectors import load


def test_vector():
    case = load()["kernel_1nn"]
    given, expected = case["input"], case["expected"]
    found = nearest([given["k_test"]], [given["k_test_self"]], np.diag(given["K_train"]), k=3)
    assert found.squared_distances[0].tolist() == expected["sq_dist"]
    y = np.array(given["y"])
    assert y[found.positions[0, 0]] == expected["prediction"]
    assert y[np.argmax(given["k_test"])] == expected["max_similarity_would_predict"]


def test_distances_are_those_of_the_feature_space(rng):
    X, Z = rng.normal(size=(9, 3)), rng.normal(size=(5, 3))
    found = nearest(Z @ X.T, (Z**2).sum(axis=1), (X**2).sum(axis=1), k=4)
    for row, z in enumerate(Z):
        true = ((X - z) ** 2).sum(axis=1)
        assert found.positions[row].tolist() == np.argsort(true)[:4].tolist()
        np.testing.assert_allclose(found.squared_distances[row], np.sort(true)[:4])


def test_ties_go_to_the_lowest_position():
    assert nearest([[1.0, 1.0, 0.0]], [1.0], [1.0, 1.0, 1.0], k=2).positions.tolist() == [[0, 1]]


def test_the_longest_vector_is_not_the_nearest():
    # the largest similarity would name the second item
    assert nearest([[1.0, 10.0]], [1.0], [1.0, 100.0]).positions.tolist() == [[0]]


def test_a_vote_and_its_ties():
    codes = np.array([0, 1, 1, 0])
    cross = np.array([[0.9, 0.8, 0.7, 0.0], [0.1, 0.9, 0.2, 0.8]])
    found = nearest(cross, [1.0, 1.0], np.ones(4), k=3)
    assert vote(found, codes).tolist() == [1, 1]
    assert vote(nearest(cross, [1.0, 1.0], np.ones(4), k=2), codes).tolist() == [0, 1]


@pytest.mark.parametrize("k", [0, 4, True])
def test_numbers_of_neighbours_that_cannot_be(k):
    with pytest.raises(InvalidInputError):
        nearest(np.ones((1, 3)), [1.0], np.ones(3), k=k)


def test_shapes_that_do_not_fit():
    with pytest.raises(InvalidInputError, match="one a row"):
        nearest(np.ones((2, 3)), [1.0], np.ones(3))
