import functools

import numpy as np
import pytest
from sklearn.decomposition import PCA

from kernex_core.base.errors import InvalidInputError
from kernex_core.gram import spectrum
from kernex_core.gram.order import order_by_class, order_by_similarity
from kernex_core.gram.spectrum import ALONE, decompose, decomposing, kernel_pca


def test_a_linear_kernel_gives_principal_components(rng):
    X = rng.normal(size=(30, 5)) * [5, 3, 1, 1, 1] + 7
    got = kernel_pca(X @ X.T, 3)
    reference = PCA(3).fit(X)
    np.testing.assert_allclose(np.abs(got.coordinates), np.abs(reference.transform(X)), atol=1e-8)
    np.testing.assert_allclose(got.share, reference.explained_variance_ratio_, atol=1e-12)


def test_all_components_uncentred_give_the_kernel_back(rng):
    X = rng.normal(size=(6, 6))
    F = kernel_pca(X @ X.T, 6, centred=False).coordinates
    np.testing.assert_allclose(F @ F.T, X @ X.T, atol=1e-12)


def test_an_indefinite_matrix_shows_its_positive_part_only():
    got = kernel_pca(np.diag([2.0, -1.0, 1.0]), 3, centred=False)
    np.testing.assert_allclose(got.share, [0.5, 0.25, 0.0])
    np.testing.assert_allclose(got.coordinates[:, 2], 0.0)


def test_items_that_are_all_the_same_lie_at_the_origin():
    got = kernel_pca(np.ones((4, 4)))
    np.testing.assert_array_equal(got.coordinates, 0.0)


@functools.cache
def kernels_of_many(n):
    """Kernels of ALONE items and more, by name."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, 6)) * [5.0, 4.0, 3.0, 2.5, 2.0, 0.5] + 3.0
    apart = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    centres = np.repeat(np.eye(4) * 5.0, n // 4, axis=0)
    noise = rng.normal(size=(n, n))
    return {
        "linear": X @ X.T,
        "of rank 1": np.outer(X[:, 0], X[:, 0]),
        "constant beside it": X @ X.T + 1e4,
        "Gaussian": np.exp(-apart / 400.0),
        "twice each": np.repeat(np.repeat((X @ X.T)[::2, ::2], 2, axis=0), 2, axis=1),
        "equal eigenvalues": centres @ centres.T + 1e-3 * np.eye(n),
        "identity": np.eye(n),
        "all the same": np.ones((n, n)),
        "zero": np.zeros((n, n)),
        "indefinite": X @ X.T + 0.2 * (noise + noise.T),
        "noise": noise @ noise.T,
    }


@pytest.mark.parametrize("centred", [True, False])
@pytest.mark.parametrize("unit", [1.0, 1e-120, 1e120])
@pytest.mark.parametrize("name", kernels_of_many(8))
def test_leading_components_alone_are_those_of_all(name, unit, centred):
    K = kernels_of_many(ALONE + 3)[name] * unit
    whole = decompose(K)
    for q in (1, 2, 5):
        got = kernel_pca(K, q, centred=centred)
        wanted = kernel_pca(K, q, centred=centred, decomposition=whole)
        size = np.abs(wanted.coordinates).max()
        again = kernel_pca(K.copy(), q, centred=centred)
        np.testing.assert_array_equal(got.coordinates, again.coordinates)
        np.testing.assert_allclose(got.share, wanted.share, rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(got.coordinates, wanted.coordinates, atol=1e-10 * size)


def test_which_kernels_need_all_their_eigenvalues(monkeypatch):
    decomposed = []
    monkeypatch.setattr(spectrum, "decomposing", lambda K: decomposed.append(True) or decomposing(K))
    needed = {}
    for name, K in kernels_of_many(ALONE + 3).items():
        decomposed.clear()
        kernel_pca(K, 2)
        needed[name] = bool(decomposed)
    alone = {"linear", "of rank 1", "constant beside it", "Gaussian", "twice each"}
    assert {name for name, all_of_them in needed.items() if not all_of_them} - {"noise"} == alone
    decomposed.clear()
    kernel_pca(kernels_of_many(40)["linear"], 2)
    assert decomposed  # few items


@pytest.mark.parametrize("q", [0, 5])
def test_number_of_components(q):
    with pytest.raises(InvalidInputError):
        kernel_pca(np.eye(4), q)


def test_unknown_entries_are_refused():
    with pytest.raises(InvalidInputError):
        kernel_pca(np.full((3, 3), np.nan))


def test_largest_class_first_unlabelled_last_unknown_last_inside():
    y = np.array(["b", "a", "", "b", "c", "a", "b"])
    known = np.array([0, 1, 1, 1, 1, 1, 1], dtype=bool)
    assert order_by_class(y, known).tolist() == [3, 6, 0, 1, 5, 4, 2]


def test_similar_items_end_side_by_side_and_unknown_ones_last(rng):
    group = np.array([0, 1, 0, 1, 0, 1, 0])
    K = (group[:, None] == group[None, :]) + 0.01 * np.eye(7)
    K[3, :] = K[:, 3] = np.nan
    order = order_by_similarity(K, ~np.isnan(K[0]))
    assert order[-1] == 3
    assert (np.diff(group[order[:-1]]) != 0).sum() == 1
    assert sorted(order) == list(range(7))


@pytest.mark.parametrize("n", [1, 2])
def test_few_items_stay_as_they_are(n):
    assert order_by_similarity(np.eye(n)).tolist() == list(range(n))
