"""Who does not belong: distances and the one-class machine against scikit-learn, labels that are wrong by construction."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.neighbors import NearestNeighbors
from sklearn.svm import OneClassSVM

from kernex_core import (
    GramMatrix,
    InvalidInputError,
    Labels,
    OutliersConfig,
    Vectors,
    contradicted_labels,
    find_outliers,
    load_dataset,
)


def blobs(apart=6.0, n=60):
    rng = np.random.default_rng(1)
    y = np.arange(n) % 2
    X = apart * np.eye(2, 4)[y] + rng.normal(size=(n, 4))
    return Vectors(tuple(map(str, range(n))), X), np.array(["a", "b"])[y]


def test_items_are_ranked_by_their_nearest_others():
    source, _ = blobs()
    X = source.X.copy()
    X[7] += 50.0
    found = find_outliers(OutliersConfig(n_neighbors=4), Vectors(source.ids, X))
    far, near = NearestNeighbors(n_neighbors=4).fit(X).kneighbors()
    assert_allclose(found.distances, far, atol=1e-9)
    assert (found.near == near).all()
    assert_allclose(found.far, far.mean(axis=1) / np.median(far.mean(axis=1)), atol=1e-9)
    assert found.order[0] == 7
    assert (np.diff(found.far[found.order]) <= 0.0).all()
    # the linear kernel has the same distances
    kernel = find_outliers(OutliersConfig(n_neighbors=4), GramMatrix(X @ X.T, source.ids))
    assert_allclose(kernel.far, found.far, atol=1e-6)


def test_the_one_class_machine_is_scikit_learns_in_the_kernel():
    source, _ = blobs()
    K = np.exp(-((source.X[:, None, :] - source.X[None, :, :]) ** 2).sum(axis=2) / 8.0)
    found = find_outliers(OutliersConfig(share=0.2), GramMatrix(7.0 * K, source.ids))
    theirs = OneClassSVM(kernel="rbf", gamma=1.0 / 8.0, nu=0.2, tol=1e-8).fit(source.X)
    assert_allclose(found.outside * theirs.offset_[0], theirs.decision_function(source.X), atol=1e-4)
    assert 0 < found.is_outside.sum() <= 0.2 * 60 + 1


def test_labels_that_are_wrong_by_construction_are_contradicted_and_no_others():
    source, y = blobs(apart=12.0)
    wrong = [3, 20, 41]
    y[wrong] = np.where(y[wrong] == "a", "b", "a")
    y[5] = ""
    found = contradicted_labels(OutliersConfig(repeats=2), source, Labels(source.ids, y))
    assert found.always.tolist() == wrong
    assert found.named[wrong].tolist() == ["a" if each == "b" else "b" for each in y[wrong]]
    assert np.isnan(found.share[5])
    assert found.named[5] == ""
    assert (found.changed, found.found) == (3, 3)
    assert found == contradicted_labels(OutliersConfig(repeats=2), source, Labels(source.ids, y))


def test_of_labels_by_chance_as_many_are_contradicted_as_are_found():
    """Nothing can be told of them, and the second run says so: changed ones are contradicted no more often than others."""
    rng = np.random.default_rng(0)
    source = Vectors(tuple(map(str, range(40))), rng.normal(size=(40, 5)))
    y = rng.choice(["a", "b"], 40)
    found = contradicted_labels(OutliersConfig(repeats=2, planted=0.2), source, Labels(source.ids, y))
    assert found.changed == 8
    assert abs(found.accuracy - 0.5) < 0.2
    assert found.found <= 6


def test_what_is_no_kernel_is_clipped_and_what_cannot_be_judged_is_refused():
    data = load_dataset("indefinite_similarities").select(np.arange(0, 206, 4))
    K = data.kernels["log sequence"]
    assert "were clipped" in find_outliers(OutliersConfig(), K).notes[0]
    found = contradicted_labels(OutliersConfig(repeats=2), K, data.labels)
    assert "were clipped" in found.notes[0]
    one = Labels(K.ids, np.array(["a"] * K.n))
    with pytest.raises(InvalidInputError, match="two classes"):
        contradicted_labels(OutliersConfig(), K, one)
    with pytest.raises(InvalidInputError, match="number of neighbours"):
        find_outliers(OutliersConfig(n_neighbors=5), Vectors(tuple("abcde"), np.eye(5)))
