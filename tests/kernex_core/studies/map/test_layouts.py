"""Maps of MAPS against scikit-learn, each with what it keeps, and the places of new items."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.manifold import MDS, TSNE, ClassicalMDS, SpectralEmbedding, trustworthiness
from sklearn.neighbors import kneighbors_graph

from kernex_core import (
    MAPS,
    GramMatrix,
    MapConfig,
    TooLargeError,
    Vectors,
    kept_by_maps,
    prepare_map,
    view_map,
)
from kernex_core.completion.neighbour_weights import KernelCloud, VectorCloud
from kernex_core.studies.map import layouts
from kernex_core.studies.map.layouts import heavy_tails, joint_probabilities, stress, t_sne_slope
from kernex_core.studies.map.points import kept_near, map_method


@pytest.fixture(scope="module")
def blobs():
    rng = np.random.default_rng(3)
    X = np.repeat(1.2 * rng.normal(size=(4, 6)), 20, axis=0) + rng.normal(size=(80, 6))
    return Vectors(tuple(f"i{k}" for k in range(80)), X)


def whole(method, source, k=9):
    return prepare_map(MapConfig(method, n_neighbors=k, share=0.0), source)


def as_kernel(source):
    return GramMatrix(source.X @ source.X.T, source.ids)


@pytest.mark.parametrize("method", [each.name for each in MAPS])
def test_every_map_keeps_neighbours_and_is_the_same_of_the_kernel_and_again(blobs, method):
    view = view_map(whole(method, blobs), kept=True)
    assert np.isfinite(view.coordinates).all()
    assert view.trust_all == pytest.approx(
        trustworthiness(blobs.X, view.coordinates, n_neighbors=9), abs=1e-12
    )
    # continuity is trustworthiness with map and points exchanged
    assert view.continuity == pytest.approx(
        trustworthiness(view.coordinates, blobs.X, n_neighbors=9), abs=1e-12
    )
    assert min(view.trust_all, view.continuity) > 0.8
    assert 0.0 < view.stress < 0.5
    assert view == view_map(whole(method, blobs), kept=True)
    again = view_map(whole(method, as_kernel(blobs)))
    assert abs(again.trust_all - view.trust_all) < 0.03  # t-SNE takes another path after a thousand roundings


@pytest.mark.parametrize("method", [each.name for each in MAPS])
def test_items_are_held_out_where_the_map_has_a_place_for_new_ones(blobs, method):
    made = prepare_map(MapConfig(method, n_neighbors=9, share=0.2), blobs)
    view = view_map(made)
    assert bool(view.held.size) == bool(view.placements) == bool(map_method(method).places)
    if view.placements:
        # 80 items: in their own group, that is within a fraction of the radius
        assert view.placements[0].error < 0.5
    else:
        assert "no place for new items" in " ".join(view.notes)


def test_classical_scaling_of_the_kernels_distances_is_kernel_pca(blobs):
    made = whole("kernel pca", as_kernel(blobs))
    theirs = ClassicalMDS(2, metric="precomputed").fit_transform(squareform(pdist(blobs.X)))
    mine = made.made.coordinates[:, :2]
    assert_allclose(mine * np.sign((mine * theirs).sum(axis=0)), theirs, atol=1e-8)


@pytest.mark.parametrize("n", [80, 400])
def test_spectral_embedding_is_scikit_learns_and_an_item_lies_where_its_neighbours_place_it(n):
    rng = np.random.default_rng(0)
    source = Vectors(tuple(map(str, range(n))), rng.random((n, 2)) * [5.0, 1.0])
    made = whole("spectral", source).made
    A = kneighbors_graph(source.X, 9).toarray()
    A = (A + A.T) / 2.0
    theirs = SpectralEmbedding(
        3, affinity="precomputed", eigen_solver="arpack", random_state=0
    ).fit_transform(A)
    for mine, other in zip(made.coordinates.T[:3], theirs.T, strict=True):
        assert abs(mine @ other) / np.linalg.norm(mine) / np.linalg.norm(other) == pytest.approx(
            1.0, abs=1e-6
        )
    # f = D^-1 A f / λ of every coordinate: the rule that places new items
    walked = A @ made.coordinates / A.sum(axis=1, keepdims=True)
    assert_allclose(walked / made.eigenvalues, made.coordinates, atol=1e-6)


def test_a_graph_of_neighbours_in_parts_is_told():
    X = np.vstack([np.random.default_rng(0).normal(size=(20, 2)), 100.0 + np.eye(20, 2)])
    notes = view_map(whole("spectral", Vectors(tuple(map(str, range(40))), X), 4)).notes
    assert "falls into 2 parts" in notes[0]


def test_t_sne_has_scikit_learns_probabilities_slope_and_divergence(blobs):
    squared = squareform(pdist(blobs.X, "sqeuclidean"))
    P = joint_probabilities(squared, 9.0)
    assert P.sum() == pytest.approx(1.0, abs=1e-5)
    # the perplexity of every item, from the definition: a Gaussian of some width with that entropy
    Y = np.random.default_rng(1).normal(size=(80, 2))
    Q = 1.0 / (1.0 + cdist(Y, Y, "sqeuclidean"))
    np.fill_diagonal(Q, 0.0)
    assert_allclose(heavy_tails(Y), Q, atol=1e-5)
    slope = [4.0 * (((P[i] - Q[i] / Q.sum()) * Q[i])[:, None] * (Y[i] - Y)).sum(axis=0) for i in range(80)]
    assert_allclose(t_sne_slope(Y, P), slope, atol=1e-6)

    def divergence(coordinates):
        tails = 1.0 / (1.0 + pdist(coordinates, "sqeuclidean"))
        q, p = tails / tails.sum() / 2.0, squareform(P.astype(float), checks=False)
        return 2.0 * float((p * np.log(np.maximum(p, 1e-12) / q)).sum())

    theirs = TSNE(2, perplexity=9, method="exact", init="pca", random_state=0).fit(blobs.X)
    assert divergence(theirs.embedding_) == pytest.approx(theirs.kl_divergence_, abs=1e-3)
    assert divergence(view_map(whole("t-sne", blobs)).coordinates) < 1.1 * theirs.kl_divergence_


def test_non_metric_scaling_is_as_good_as_scikit_learns_and_its_stress_is_the_same_number(blobs):
    D = squareform(pdist(blobs.X))
    theirs = MDS(
        2, metric_mds=False, metric="precomputed", init="random", n_init=4, random_state=0, normalized_stress=True
    ).fit(D)  # fmt: skip
    cloud, items = VectorCloud(blobs.X, 80), np.arange(80)
    # theirs is measured before its last step, and over the aims of that step
    assert stress(cloud, items, theirs.embedding_) == pytest.approx(theirs.stress_, rel=0.02)
    assert view_map(whole("non-metric", blobs), kept=True).stress < 1.02 * theirs.stress_


def test_stress_is_nothing_where_the_order_of_distances_is_kept_and_has_no_unit():
    x = np.arange(9.0)[:, None] ** 1.5
    cloud = VectorCloud(x, 9)
    assert stress(cloud, np.arange(9), np.hstack([x, np.zeros_like(x)])) == pytest.approx(0.0, abs=1e-12)
    Y = np.random.default_rng(0).normal(size=(9, 2))
    assert stress(cloud, np.arange(9), Y) == pytest.approx(stress(cloud, np.arange(9), 1e6 * Y))
    # three pairs by hand: distances rise 1, 2, 3, on the map they are 2, 1, 3: both first ones are 1.5
    three = KernelCloud(np.zeros((3, 3)), np.zeros(3))
    object.__setattr__(three, "K", -0.5 * np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 9.0], [4.0, 9.0, 0.0]]))
    on_map = np.array([[0.0, 0.0], [2.0, 0.0], [-1.0, 0.0]])
    assert stress(three, np.arange(3), on_map) == pytest.approx(np.sqrt(0.5 / 14.0))


def test_all_maps_side_by_side_are_those_of_the_page(blobs):
    found = {each.title: each for each in kept_by_maps(MapConfig(n_neighbors=9), blobs)}
    assert list(found) == [each.title for each in MAPS]
    view = view_map(whole("spectral", blobs), kept=True)
    one = found["spectral embedding"]
    assert (one.trust, one.continuity, one.stress) == (view.trust_all, view.continuity, view.stress)


def test_too_many_items_for_all_pairs_are_refused_before_anything_is_computed(blobs, monkeypatch):
    monkeypatch.setattr(layouts, "MOST_LAID_OUT", 50)
    with pytest.raises(TooLargeError, match="kernel PCA, LLE or spectral"):
        whole("t-sne", blobs)


def test_both_directions_are_asked_for_or_one(blobs):
    cloud, items = VectorCloud(blobs.X, 80), np.arange(80)
    both = kept_near(cloud, items, blobs.X[:, :2], 7, both=True)
    assert kept_near(cloud, items, blobs.X[:, :2], 7)[0] == both[0]
