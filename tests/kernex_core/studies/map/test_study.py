"""The study of the page Map: what is placed where, and the numbers about it, against other code."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial import procrustes
from scipy.spatial.distance import cdist
from scipy.stats import spearmanr
from sklearn.decomposition import KernelPCA
from sklearn.manifold import LocallyLinearEmbedding, trustworthiness

from kernex_core import (
    GramMatrix,
    InvalidInputError,
    MapConfig,
    Vectors,
    lle_kernel,
    load_dataset,
    map_kernel,
    prepare_map,
    view_map,
)
from kernex_core.gram.provenance import write_script
from kernex_core.studies.map.points import best_spearman, distance, laid_on, radius


@pytest.fixture(scope="module")
def roll():
    return load_dataset("swiss_roll")


@pytest.fixture(scope="module")
def prepared(roll):
    return prepare_map(MapConfig(), roll.samples["points"])


@pytest.fixture(scope="module")
def t(roll):
    return roll.samples["along the roll"].X[:, 0]


def test_the_map_is_scikit_learns_and_so_are_the_placed_items(roll, prepared):
    X, kept, held = roll.samples["points"].X, prepared.kept, prepared.held
    assert (kept.size, held.size) == (400, 100)
    view = view_map(prepared)
    theirs = LocallyLinearEmbedding(n_neighbors=8, n_components=2, eigen_solver="dense").fit(X[kept])
    signs = np.sign((view.coordinates[kept] * theirs.embedding_).sum(axis=0))
    assert_allclose(view.coordinates[kept] * signs, theirs.embedding_, atol=1e-6)
    assert_allclose(view.coordinates[held] * signs, theirs.transform(X[held]), atol=1e-6)


def test_the_numbers_of_the_demo(prepared, t):
    view = view_map(prepared, along=t)
    by = {each.title: each for each in view.placements}
    assert list(by) == ["by extrapolation", "in the paper's form", "as by Bengio and others"]
    assert view.along_kept == pytest.approx(0.998, abs=2e-3)
    assert by["by extrapolation"].along == pytest.approx(0.999, abs=2e-3)
    assert by["by extrapolation"].apart == 0.0
    assert by["by extrapolation"].error == min(each.error for each in view.placements)
    assert by["by extrapolation"].error < view.moved < 0.25
    assert view.trust_kept > 0.95
    assert "condition number" in view.notes[-1]
    flat = view_map(
        prepare_map(MapConfig(method="kernel pca"), GramMatrix(_linear(prepared.cloud.X))), along=t
    )
    assert flat.along_kept == pytest.approx(0.19, abs=0.05)


def _linear(X):
    return X @ X.T


@pytest.mark.parametrize("method", ["lle", "kernel pca"])
@pytest.mark.parametrize("components", [2, 3])
def test_measures_by_other_code(roll, t, method, components):
    X = roll.samples["points"].X
    made = prepare_map(MapConfig(method=method, n_neighbors=10, share=0.3, seed=4), roll.samples["points"])
    view = view_map(made, components, t)
    assert view.coordinates.shape == (500, components)
    kept, held = made.kept, made.held
    assert view.trust_kept == pytest.approx(
        trustworthiness(X[kept], view.coordinates[kept], n_neighbors=10), abs=1e-12
    )
    assert view.trust_all == pytest.approx(trustworthiness(X, view.coordinates, n_neighbors=10), abs=1e-12)
    for of, value in ((kept, view.along_kept), (held, view.placements[0].along)):
        best = max(abs(spearmanr(column, t[of])[0]) for column in view.coordinates[of].T)
        assert value == pytest.approx(best)


def test_maps_are_laid_on_one_another_as_procrustes_does(rng):
    whole = rng.normal(size=(30, 2))
    turn = np.linalg.qr(rng.normal(size=(2, 2)))[0]
    kept = np.arange(20)
    moved = 3.0 * whole @ turn + [5.0, -2.0]
    assert_allclose(laid_on(moved, whole, kept), moved, atol=1e-12)
    noisy = moved + rng.normal(size=moved.shape)
    # scipy's fit of the kept items, whose sum of squares it sets to 1
    centre, norm = noisy[kept].mean(axis=0), np.linalg.norm(noisy[kept] - noisy[kept].mean(axis=0))
    _, fitted, _ = procrustes(noisy[kept], whole[kept])
    assert_allclose(laid_on(noisy, whole, kept)[kept], fitted * norm + centre, atol=1e-9)
    assert radius(noisy[kept]) == pytest.approx(norm / np.sqrt(20))
    assert distance(noisy, moved) == pytest.approx(np.sqrt(((noisy - moved) ** 2).sum() / 30))


def test_kernel_pca_places_items_as_scikit_learn_does_and_by_weights():
    data = load_dataset("protein_world")
    K = data.kernels["sequence"]
    K = GramMatrix(K.values @ K.values.T / 1e6, K.ids)
    made = prepare_map(MapConfig(method="kernel pca", n_neighbors=5), K)
    kept, held = made.kept, made.held
    theirs = KernelPCA(2, kernel="precomputed").fit(K.values[np.ix_(kept, kept)])
    placed = made.placements["by their own similarities"][:, :2]
    wanted = theirs.transform(K.values[np.ix_(held, kept)])
    signs = np.sign((placed * wanted).sum(axis=0))
    assert_allclose(placed * signs, wanted, atol=1e-6 * np.abs(wanted).max())
    values, vectors = np.linalg.eigh(K.values)
    points = vectors * np.sqrt(np.maximum(values, 0.0))
    weights = lle_kernel(points[kept], 5).weights(points[held])
    assert_allclose(made.placements["by extrapolation"], weights @ made.made.coordinates, atol=1e-7)
    assert view_map(made).share.shape == (2,)
    assert view_map(made).placements[0].apart == 0.0


def test_a_kernel_is_mapped_by_its_own_distances(roll):
    """LLE of the linear kernel is LLE of the points."""
    X = roll.samples["points"].take(np.arange(120)).X
    K = GramMatrix(X @ X.T)
    items = np.arange(120)
    assert_allclose(prepare_map(MapConfig(), K).cloud.squared(items, items), cdist(X, X) ** 2, atol=1e-9)
    one = view_map(prepare_map(MapConfig(n_neighbors=9), K)).coordinates
    other = view_map(prepare_map(MapConfig(n_neighbors=9), Vectors(K.ids, X))).coordinates
    assert_allclose(one * np.sign((one * other).sum(axis=0)), other, atol=1e-5)


def test_similarities_that_are_no_kernel_are_clipped_and_that_is_said():
    K = next(iter(load_dataset("indefinite_similarities").kernels.values()))
    made = prepare_map(MapConfig(normalize=True), K)
    values, vectors = np.linalg.eigh(K.values / np.sqrt(np.outer(np.diag(K.values), np.diag(K.values))))
    assert_allclose(made.cloud.K, (vectors * np.maximum(values, 0)) @ vectors.T, atol=1e-9)
    assert f"{int((values < -1e-9).sum())} of {K.n} eigenvalues are negative" in made.notes[0]
    assert made.cloud.own.min() >= 1.0 - 1e-9


def test_nothing_held_out(roll):
    view = view_map(prepare_map(MapConfig(share=0.0), roll.samples["points"]))
    assert view.held.size == 0
    assert view.placements == ()
    assert view.trust_all == view.trust_kept
    assert np.isnan(view.along_kept)


def test_the_kernel_can_be_made_again(roll):
    K = map_kernel(roll.samples["points"], 8)
    assert K.has_seen().items
    assert_allclose(K.values, lle_kernel(roll.samples["points"].X, 8).gram)
    namespace = {}
    exec(write_script([K.recipe], heading="test"), namespace)
    assert_allclose(namespace["lle"].values, K.values)


@pytest.mark.parametrize("n", [5, 6, 7])
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_few_items_with_as_many_coordinates_as_there_are(rng, n):
    """The last coordinate of LLE has the eigenvalue 0: Bengio's form divides by it."""
    X = np.column_stack([rng.normal(size=(n, 2)), np.full(n, 3.0)])
    for method in ("lle", "kernel pca"):
        made = prepare_map(MapConfig(method, 2), Vectors(tuple(map(str, range(n))), X))
        assert all(np.isfinite(each).all() for each in made.placements.values())
        assert np.isfinite(view_map(made, 3).trust_all)


def test_what_is_refused(rng):
    X = rng.normal(size=(12, 3))
    ids = tuple("abcdefghijkl")
    with pytest.raises(InvalidInputError, match="at least 5 items"):
        prepare_map(MapConfig(), Vectors(ids[:4], X[:4]))
    with pytest.raises(InvalidInputError, match="known everywhere"):
        prepare_map(MapConfig(), Vectors(ids, np.where(X > 1, np.nan, X)))
    with pytest.raises(InvalidInputError, match="whole number from 1 to 9"):
        prepare_map(MapConfig(n_neighbors=10), Vectors(ids, X))
    with pytest.raises(InvalidInputError, match="positive eigenvalue"):
        prepare_map(MapConfig(n_neighbors=3), GramMatrix(-np.eye(12)))
    with pytest.raises(InvalidInputError, match="items that differ"):
        prepare_map(MapConfig(n_neighbors=3), Vectors(ids, np.ones((12, 3))))
    with pytest.raises(InvalidInputError, match="items that differ"):
        prepare_map(MapConfig(n_neighbors=3), GramMatrix(np.ones((12, 12))))
    with pytest.raises(InvalidInputError, match="not zero"):
        prepare_map(MapConfig(n_neighbors=3), Vectors(ids, 1e-170 * X))
    prepared = prepare_map(MapConfig(n_neighbors=3), Vectors(ids, X))
    with pytest.raises(InvalidInputError, match="2 or 3"):
        view_map(prepared, 4)
    with pytest.raises(InvalidInputError, match="each of 12 items"):
        view_map(prepared, along=np.ones(3))


def test_rank_correlation_of_few_and_constant():
    assert np.isnan(best_spearman(np.ones((2, 2)), np.ones(2)))
    both = np.column_stack([np.ones(5), [1, 3, 2, 2, 9]])
    assert best_spearman(both, np.arange(5.0)) == pytest.approx(spearmanr(both[:, 1], np.arange(5))[0])
