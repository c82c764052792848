"""Maps by locally linear embedding, and clouds known by vectors or by a kernel, against scikit-learn and plain loops."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import subspace_angles
from scipy.spatial.distance import cdist
from sklearn.manifold import LocallyLinearEmbedding

from kernex_core.completion import neighbour_weights as lle_modes
from kernex_core.completion import neighbour_weights as point_clouds
from kernex_core.completion.locally_linear import lle_gram, lle_kernel, lle_mapping
from kernex_core.completion.neighbour_weights import KernelCloud, VectorCloud, nearest, smooth_modes, weighing
from kernex_core.runtime.progress import finished

RNG = np.random.default_rng(3)
SHEET = RNG.uniform(size=(60, 2)) * [6.0, 2.0]
CURVED = np.column_stack([np.cos(SHEET[:, 0]), np.sin(SHEET[:, 0]), SHEET[:, 1]])
CLOUDS = {
    "more neighbours than columns": (CURVED, 8),
    "more columns than neighbours": (RNG.normal(size=(40, 12)), 5),
    "every other item a neighbour": (RNG.normal(size=(9, 4)), 8),
    "one neighbour": (np.cumsum(RNG.uniform(0.5, 1.5, size=(12, 1)), axis=0) ** 1.5, 2),
    "two pieces": (np.vstack([RNG.normal(size=(20, 3)), RNG.normal(size=(20, 3)) + 50.0]), 5),
    "a constant column": (np.column_stack([CURVED, np.full(60, 7.0)]), 6),
}
TWICE = np.vstack([CURVED, CURVED[:4], CURVED[:2]])


def clouds_of(X, X_new):
    """The same points by coordinates and by their linear kernel."""
    n = len(X)
    kernel = KernelCloud(X @ X.T, (X**2).sum(axis=1)).with_new(X_new @ X.T, (X_new**2).sum(axis=1))
    return VectorCloud(np.vstack([X, X_new]), n), kernel


def naive_weights(X, x, near, reg=1e-3):
    gaps = X[near] - x
    G = gaps @ gaps.T
    w = np.linalg.inv(G + np.eye(len(near)) * (reg * np.trace(G) if np.trace(G) > 0 else reg)).sum(axis=1)
    return w / w.sum()


def naive_map(X, k, q):
    """All weights by loops, coordinates by an eigendecomposition of H (aI − N) H."""
    n = len(X)
    W = np.zeros((n, n))
    for i in range(n):
        near = sorted((j for j in range(n) if j != i), key=lambda j: (np.sum((X[i] - X[j]) ** 2), j))[:k]
        W[i, near] = naive_weights(X, X[i], near)
    N, H = (np.eye(n) - W).T @ (np.eye(n) - W), np.eye(n) - 1.0 / n
    a = np.linalg.eigvalsh(N)[-1]
    values, vectors = np.linalg.eigh(H @ (a * np.eye(n) - N) @ H)
    return W, a, values[::-1][:q], vectors[:, ::-1][:, :q]


@pytest.mark.parametrize("name", CLOUDS)
@pytest.mark.parametrize("by_kernel", [False, True])
def test_map_and_new_points_are_scikit_learns(name, by_kernel):
    X, k = CLOUDS[name]
    X_new = X[::4] + 0.05 * RNG.normal(size=X[::4].shape) * (X.std(axis=0) > 0)
    cloud, items = clouds_of(X, X_new)[by_kernel], np.arange(len(X))
    q = 1 if name == "one neighbour" else 2
    made = finished(lle_mapping(finished(weighing(cloud, items, items, k)), q, paper=True))
    theirs = LocallyLinearEmbedding(n_neighbors=k, n_components=q, eigen_solver="dense").fit(X)
    # of two pieces, the constant and what tells the pieces apart share an eigenvalue: the second coordinate is unique
    told = slice(1, 2) if name == "two pieces" else slice(None)
    assert subspace_angles(made.coordinates, naive_map(X, k, q)[3]).max() < 1e-6
    signs = np.sign((made.coordinates * theirs.embedding_).sum(axis=0))
    assert_allclose((made.coordinates * signs)[:, told], theirs.embedding_[:, told], atol=1e-6)
    placed = made.place(finished(weighing(cloud, len(X) + np.arange(len(X_new)), items, k)))
    assert_allclose((placed["identity"] * signs)[:, told], theirs.transform(X_new)[:, told], atol=1e-6)
    whole = lle_kernel(X, k)
    signs = np.sign((made.coordinates * whole.embed(q)).sum(axis=0))
    for form in ("paper", "bengio"):
        assert_allclose(placed[form] * signs, whole.embed_new(X_new, q, form=form), atol=2e-5)
    assert made.condition == pytest.approx(whole.condition, rel=1e-3) or whole.condition > 1e12


@pytest.mark.parametrize("by_kernel", [False, True])
def test_duplicates_by_plain_loops(by_kernel):
    """scikit-learn drops the first neighbour as the item itself, which may be its double; here it is the item."""
    n, k = len(TWICE), 7
    cloud, items = clouds_of(TWICE, TWICE[:2])[by_kernel], np.arange(n)
    W, a, values, vectors = naive_map(TWICE, k, 2)
    weights = finished(weighing(cloud, items, items, k))
    assert_allclose(weights.dense, W, atol=1e-8)
    made = finished(lle_mapping(weights, 2))
    assert made.a == pytest.approx(a)
    assert_allclose(made.eigenvalues, values, atol=1e-9)
    assert subspace_angles(made.coordinates, vectors).max() < 1e-6
    assert_allclose(lle_gram(weights), lle_kernel(TWICE, k).gram, atol=1e-10)
    # a new point on three items that are the same leans on each alike
    placed = finished(weighing(cloud, n + np.arange(2), items, k))
    assert_allclose(placed.dense[0, [0, 60, 64]], 1.0 / 3.0)
    # Bengio: k(x, x_i) = (a − 1) w_i, k(x, x) = 0, on v / λ
    coordinates = made.place(placed)["bengio"]
    assert_allclose(coordinates, (made.a - 1.0) * placed.dense @ (made.coordinates / made.eigenvalues))


def ring(n):
    """Every eigenvalue of it is double."""
    angle = 2.0 * np.pi * np.arange(n) / n
    return np.column_stack([np.cos(angle), np.sin(angle)]), 4


@pytest.mark.parametrize("made", [*CLOUDS.values(), ring(90)], ids=[*CLOUDS, "a ring"])
@pytest.mark.parametrize("q", [1, 2, 5])
def test_sparse_modes_are_those_of_the_whole_matrix_or_give_way_to_it(monkeypatch, made, q):
    X, k = made
    items = np.arange(len(X))
    W = finished(weighing(VectorCloud(X, len(X)), items, items, k)).sparse
    whole = finished(smooth_modes(W, q))
    monkeypatch.setattr(lle_modes, "DIRECT", 0)
    monkeypatch.setattr(lle_modes, "SPARSE", 1.0)
    mu, vectors, a = finished(smooth_modes(W, q))
    assert_allclose(mu, whole[0], atol=1e-10 * a)
    assert a == pytest.approx(whole[2])
    N = lle_modes.gaps(W)
    assert_allclose(N @ vectors, vectors * mu, atol=1e-9 * a)
    assert_allclose(vectors.T @ vectors, np.eye(q), atol=1e-9)
    assert np.abs(vectors.sum(axis=0)).max() < 1e-7
    # eigenvalues between the last two are noticed, and where there are none the sparse matrix is enough
    assert not lle_modes._none_missed(N, np.array([mu[0], 1.5 * a]), 1)
    if len(X) == 60:
        assert lle_modes._sparse_modes(N, q) is not None


def test_distances_of_wide_vectors_are_those_of_narrow_ones(monkeypatch):
    X = RNG.normal(size=(30, 50)) + 100.0
    items = np.arange(30)
    monkeypatch.setattr(point_clouds, "MANY", 10)
    assert_allclose(VectorCloud(X, 30).squared(items[:7], items), cdist(X[:7], X) ** 2, atol=1e-9)


def test_of_equally_near_items_the_first_are_neighbours():
    d = RNG.integers(0, 4, size=(50, 12)).astype(float)
    for k in (1, 3, 11, 12):
        np.testing.assert_array_equal(nearest(d.copy(), k), np.argsort(d, axis=1, kind="stable")[:, :k])
