"""Groups by each of GROUPINGS, their silhouettes, stability and Rand index, against scikit-learn and by hand."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import AgglomerativeClustering, KMeans, SpectralClustering
from sklearn.metrics import adjusted_rand_score, silhouette_samples

from kernex_core import (
    GROUPINGS,
    GramMatrix,
    GroupsConfig,
    InvalidInputError,
    Labels,
    Vectors,
    adjusted_rand,
    find_groups,
    group_stability,
    kernel_k_means,
    load_dataset,
    prepare_groups,
)
from kernex_core.gram.order import dendrogram
from kernex_core.studies.map.groups import group_names, silhouettes

NAMES = [each.name for each in GROUPINGS]


def blobs(apart, n=90, d=5, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    X = apart * np.eye(3, d)[y] + rng.normal(size=(n, d))
    return Vectors(tuple(map(str, range(n))), X), y


@pytest.mark.parametrize("name", NAMES)
def test_groups_that_are_there_are_found_by_every_way_and_again_in_resamples(name):
    source, y = blobs(20.0)
    prepared, config = prepare_groups(source), GroupsConfig(name, number=3, resamples=5)
    labels = Labels(source.ids, np.where(np.arange(90) < 60, y.astype(str), ""))
    found = find_groups(config, prepared, labels)
    assert adjusted_rand(found.groups, y) == 1.0
    assert (found.against_labels, found.labelled) == (1.0, 60)
    assert found.sizes.tolist() == [30, 30, 30]
    assert found.groups[0] == 1  # of equal size: that of the first item
    assert group_stability(config, prepared, found).values.tolist() == [1.0] * 5
    assert found.misplaced == 0
    assert find_groups(config, prepared, labels) == found


@pytest.mark.parametrize("name", NAMES)
def test_groups_are_those_of_scikit_learn(name):
    source, _ = blobs(5.0)
    K = np.exp(-0.5 * squareform(pdist(source.X, "sqeuclidean")) / 5.0)
    prepared = prepare_groups(GramMatrix(K, source.ids))
    found = find_groups(GroupsConfig(name, number=3), prepared).groups
    far = np.sqrt(2.0 - 2.0 * K)
    graph = K - np.eye(90)
    theirs = {
        "dendrogram": lambda: AgglomerativeClustering(3, metric="precomputed", linkage="average").fit_predict(
            far
        ),
        "spectral": lambda: SpectralClustering(3, affinity="precomputed", random_state=0).fit_predict(graph),
        "k-means": lambda: KMeans(3, n_init=10, random_state=0).fit_predict(
            np.linalg.cholesky(K + 1e-10 * np.eye(90))
        ),
    }[name]()
    assert adjusted_rand_score(found, theirs) > 0.95


def test_kernel_k_means_is_k_means_in_feature_space():
    """As small a sum of squares as scikit-learn's on coordinates whose inner products are the kernel."""
    for seed in range(4):
        X = np.random.default_rng(seed).normal(size=(60, 4))
        groups = kernel_k_means(X @ X.T, 5, rng=np.random.default_rng(seed))
        spread = sum(((X[groups == g] - X[groups == g].mean(axis=0)) ** 2).sum() for g in range(5))
        assert spread < 1.08 * KMeans(5, n_init=10, random_state=seed).fit(X).inertia_


def test_of_few_items_k_means_finds_the_best_division():
    X = np.random.default_rng(5).normal(size=(8, 2))

    def spread(groups):
        parts = [X[np.array(groups) == g] for g in (0, 1)]
        return min(len(part) for part in parts) and sum(((p - p.mean(axis=0)) ** 2).sum() for p in parts)

    found = spread(kernel_k_means(X @ X.T, 2, rng=np.random.default_rng(0)))
    assert found == pytest.approx(min(s for g in itertools.product((0, 1), repeat=8) if (s := spread(g))))


@pytest.mark.parametrize("linkage", ["average", "complete", "single"])
def test_a_cut_is_that_of_the_dendrogram_by_number_and_by_height(linkage):
    source, _ = blobs(3.0)
    prepared = prepare_groups(source)
    tree = dendrogram(prepared.K, method=linkage)
    for number in (2, 5, 17):
        found = find_groups(GroupsConfig(number=number, linkage=linkage), prepared)
        assert adjusted_rand(found.groups, tree.groups(found.height * (1 + 1e-9))) == 1.0
        assert found.number == number
    for share in (0.0, 0.5, 0.9):
        config = GroupsConfig(by="height", height=share, linkage=linkage)
        found = find_groups(config, prepared)
        assert_array_equal(np.sort(found.sizes), np.sort(np.bincount(tree.groups(share * tree.top))[1:]))
    one = find_groups(GroupsConfig(by="height", height=1.0), prepared)
    assert one.number == 1
    assert np.isnan(one.silhouette).all()


def test_silhouettes_and_the_rand_index_are_scikit_learns():
    rng = np.random.default_rng(2)
    D = squareform(pdist(rng.normal(size=(40, 3))))
    groups = rng.integers(1, 6, 40)
    groups[:5] = np.arange(1, 6)
    groups[groups == 5] = np.where(np.arange((groups == 5).sum()) == 0, 5, 1)  # one item alone
    values, other = silhouettes(D, groups)
    assert_allclose(values, silhouette_samples(D, groups, metric="precomputed"), atol=1e-12)
    for i in range(40):
        means = {g: D[i, groups == g].mean() for g in range(1, 6) if g != groups[i]}
        assert other[i] == min(means, key=means.get)
    a, b = rng.integers(0, 4, 50), rng.integers(0, 3, 50)
    assert adjusted_rand(a, b) == pytest.approx(adjusted_rand_score(a, b))
    assert adjusted_rand(a.astype(str), a) == 1.0
    assert adjusted_rand([1, 1, 1], [2, 2, 2]) == 1.0
    with pytest.raises(InvalidInputError, match="same items"):
        adjusted_rand([1, 2], [1, 2, 3])


def test_items_without_groups_are_not_stable_where_the_draw_decides():
    rng = np.random.default_rng(0)
    source = Vectors(tuple(map(str, range(120))), rng.normal(size=(120, 30)))
    prepared, config = prepare_groups(source), GroupsConfig("k-means", number=5, resamples=10)
    assert group_stability(config, prepared, find_groups(config, prepared)).mean < 0.5


def test_what_is_no_kernel_is_clipped_and_negative_similarities_are_told():
    K = load_dataset("indefinite_similarities").kernels["log sequence"]
    prepared = prepare_groups(K, normalize=True)
    assert "were clipped" in prepared.notes[0]
    values = np.linalg.eigvalsh(prepared.K)
    assert values[0] > -1e-9 * values[-1]
    squared = np.diag(prepared.K)[:, None] + np.diag(prepared.K)[None, :] - 2.0 * prepared.K
    assert_allclose(prepared.D**2, np.maximum(squared - np.diag(np.diag(squared)), 0.0), atol=1e-9)
    found = find_groups(GroupsConfig("spectral", number=3), prepare_groups(blobs(3.0)[0]))
    assert "negative and count as 0" in found.notes[-1]


def test_items_that_are_the_same_make_fewer_groups_and_that_is_said():
    X = np.repeat(np.eye(3), 4, axis=0)
    prepared = prepare_groups(Vectors(tuple(map(str, range(12))), X))
    found = find_groups(GroupsConfig(number=5), prepared)
    assert found.number == 3
    assert "3 groups, not 5" in found.notes[-1]
    assert set(np.bincount(kernel_k_means(X @ X.T, 5, rng=np.random.default_rng(0)), minlength=5)) <= {0, 4}
    with pytest.raises(InvalidInputError, match="Fewer groups than items"):
        find_groups(GroupsConfig(number=12), prepared)


def test_names_of_groups_sort_by_number():
    assert group_names(np.array([1, 10, 2])).tolist() == ["group 01", "group 10", "group 02"]
