import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import cophenet, fcluster, linkage
from scipy.spatial.distance import pdist, squareform

from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.order import LINKAGES, dendrogram, order_by_similarity


def members(tree, n):
    """Items below every merge, by walking down."""

    def below(node):
        return {node} if node < n else below(tree.merges[node - n][0]) | below(tree.merges[node - n][1])

    return [below(n + k) for k in range(len(tree.heights))]


@pytest.mark.parametrize("method", LINKAGES)
def test_heights_are_the_distances_of_the_two_groups(method):
    X = np.random.default_rng(1).normal(size=(14, 3))
    tree = dendrogram(X @ X.T, method=method)
    D, parts = squareform(pdist(X)), [{i} for i in range(14)]
    of = {"average": np.mean, "complete": np.max, "single": np.min}[method]
    for (a, b), height in zip(tree.merges, tree.heights, strict=True):
        np.testing.assert_allclose(height, of(D[np.ix_(sorted(parts[a]), sorted(parts[b]))]), rtol=1e-9)
        parts.append(parts[a] | parts[b])
    assert parts[-1] == set(range(14))
    assert (np.diff(tree.heights) >= 0).all()


@pytest.mark.parametrize("method", LINKAGES)
def test_leaves_of_every_branch_stand_side_by_side_and_unknown_items_last(method):
    X = np.random.default_rng(2).normal(size=(20, 4))
    K = X @ X.T
    K[3], K[:, 3] = np.nan, np.nan
    known = np.ones(20, bool)
    known[7] = False
    tree = dendrogram(K, known, method=method)
    assert tree.order[-2:].tolist() == [3, 7]
    place = np.argsort(tree.order)
    for branch in members(tree, 20):
        places = sorted(place[list(branch)])
        assert places == list(range(places[0], places[-1] + 1))
    assert set(np.flatnonzero(tree.groups(tree.top) == 0)) == {3, 7}


@given(st.integers(2, 12), st.integers(0, 99), st.sampled_from(LINKAGES), st.floats(-0.1, 1.1))
def test_groups_are_those_of_scipy(n, seed, method, share):
    X = np.random.default_rng(seed).normal(size=(n, 3))
    tree = dendrogram(X @ X.T, method=method)
    height = share * tree.top
    got, expected = tree.groups(height), fcluster(linkage(pdist(X), method), height, "distance")
    assert ((got[:, None] == got) == (expected[:, None] == expected)).all()
    sizes = np.bincount(got)[1:]
    assert (np.diff(sizes) <= 0).all()
    assert sizes.min() > 0


def test_joined_below_a_height_is_what_the_cophenetic_distance_says():
    X = np.random.default_rng(3).normal(size=(9, 2))
    tree, far = dendrogram(X @ X.T), squareform(cophenet(linkage(pdist(X), "average")))
    for height in tree.heights:
        got = tree.groups(height * (1 + 1e-9))
        np.testing.assert_array_equal(got[:, None] == got, far <= height * (1 + 1e-9))


def test_nothing_to_merge():
    K = np.full((3, 3), np.nan)
    K[1, 1] = 1.0
    tree = dendrogram(K)
    assert (tree.order.tolist(), tree.top, tree.groups(1.0).tolist()) == ([1, 0, 2], 0.0, [0, 0, 0])
    with pytest.raises(InvalidInputError):
        dendrogram(np.eye(3), method="ward")


def test_the_order_by_similarity_is_the_leaves_of_the_average_tree():
    X = np.random.default_rng(4).normal(size=(30, 4))
    np.testing.assert_array_equal(order_by_similarity(X @ X.T), dendrogram(X @ X.T).order)
