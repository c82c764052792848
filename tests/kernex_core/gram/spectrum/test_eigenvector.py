import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.spectrum import decompose, eigenvector


def symmetric(rng, n=30):
    A = rng.normal(size=(n, n))
    return A + A.T


@pytest.mark.parametrize("vectors_are_there", [False, True])
@pytest.mark.parametrize("rank", [1, 7, 30])
def test_one_eigenvector_is_numpy_s(rng, rank, vectors_are_there):
    K = symmetric(rng)
    made = decompose(K)
    if vectors_are_there:
        assert made.vectors.shape == K.shape
    found = eigenvector(made, K, rank)
    assert made.has_vectors == vectors_are_there  # one does not make all
    values, vectors = np.linalg.eigh(K)
    assert found.eigenvalue == pytest.approx(values[-rank])
    assert abs(found.entries @ vectors[:, -rank]) == pytest.approx(1.0)
    assert found.entries[np.abs(found.entries).argmax()] > 0.0
    assert found.alone
    same = np.equal.outer(found.entries > 0.0, found.entries > 0.0)
    weighted = np.abs(np.outer(found.entries, found.entries)) * K
    assert found.within == pytest.approx(weighted[same].sum())
    assert found.across == pytest.approx(weighted[~same].sum())


def test_what_carries_it_and_the_largest_of_each_side():
    v = np.array([0.1, -0.7, 0.5, 0.5, 0.0])
    K = np.outer(v, v)
    found = eigenvector(decompose(K), K, 1)
    assert found.side(True, 2) == (1,)
    assert found.side(False, 2) == (2, 3)
    assert found.carried_by == 2  # 0.49 of 1, then 0.25


@pytest.mark.parametrize(
    ("K", "rank"), [(np.eye(4), 2), (np.diag([3.0, 1.0, 1.0]), 2), (np.zeros((3, 3)), 1)]
)
def test_a_vector_among_many_is_not_read(K, rank):
    assert not eigenvector(decompose(K), K, rank).alone


def test_one_item():
    found = eigenvector(decompose(np.array([[3.0]])), np.array([[3.0]]), 1)
    assert (found.alone, found.carried_by, found.side(False, 3)) == (True, 1, ())


@pytest.mark.parametrize(("rank", "n"), [(0, 3), (4, 3), (1, 2)])
def test_another_rank_or_matrix(rank, n):
    with pytest.raises(InvalidInputError):
        eigenvector(decompose(np.eye(3)), np.eye(n), rank)
