"""Locally linear embedding as a kernel: against scikit-learn, a naive oracle and the example of the ring."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import null_space
from sklearn.manifold import LocallyLinearEmbedding

from kernex_core import InvalidInputError, lle_kernel
from kernex_core.completion.locally_linear import FORMS, kernel_of_weights
from kernex_core.completion.neighbour_weights import closed_parts
from kernex_core.datasets.vectors import swiss_roll
from tests.oracles.vectors import load, number


def naive_weights(x, neighbours, reg=1e-3):
    k = len(neighbours)
    G = np.array([[(a - x) @ (b - x) for b in neighbours] for a in neighbours])
    G = G + np.eye(k) * (reg * np.trace(G) if np.trace(G) > 0 else reg)
    w = np.linalg.inv(G) @ np.ones(k)
    return w / w.sum()


def reference(X, k, q=2):
    return LocallyLinearEmbedding(n_neighbors=k, n_components=q, eigen_solver="dense").fit(X)


def matched(ours, theirs):
    return np.sign((ours * theirs).sum(axis=0))


@pytest.fixture(scope="module")
def roll():
    X = swiss_roll(0).samples["points"].X
    order = np.random.default_rng(5).permutation(len(X))
    return X[order[:400]], X[order[400:]]


def test_the_ring():
    vector = load()["lle_kernel_ring4"]
    W = number(vector["inputs"]["W"])
    made = kernel_of_weights(W, np.zeros((4, 1)), 2)
    assert made.a == pytest.approx(4.0)
    assert_allclose(made.gram, number(vector["expected"]), atol=1e-12)
    # W has rank 2: what the paper's form divides by is zero up to rounding, and left out
    assert made.condition > 1e15
    assert np.isfinite(made.embed_new(np.zeros((1, 1)), 2, form="paper", truncation=0.0)).all()


@pytest.mark.parametrize(("n", "d", "k"), [(12, 2, 4), (10, 6, 3), (9, 3, 8)])
def test_weights_and_kernel_are_their_definitions(rng, n, d, k):
    """More neighbours than columns, more columns than neighbours, every other item a neighbour."""
    X = rng.normal(size=(n, d))
    made = lle_kernel(X, k)
    W = np.zeros((n, n))
    for i in range(n):
        near = sorted((j for j in range(n) if j != i), key=lambda j: np.linalg.norm(X[i] - X[j]))[:k]
        W[i, near] = naive_weights(X[i], X[near])
    assert_allclose(made.W, W, atol=1e-10)
    assert_allclose(made.W.sum(axis=1), 1.0, atol=1e-12)
    N, H = (np.eye(n) - W).T @ (np.eye(n) - W), np.eye(n) - 1.0 / n
    a = np.linalg.eigvalsh(N)[-1]
    assert_allclose(made.gram, H @ (a * np.eye(n) - N) @ H, atol=1e-9 * a)
    assert_allclose(made.gram @ made.eigenvectors, made.eigenvectors * made.eigenvalues, atol=1e-9 * a)
    assert_allclose(made.embed(3).T @ made.embed(3), np.eye(3), atol=1e-12)
    assert np.linalg.eigvalsh(made.gram)[0] > -1e-10 * a


@pytest.mark.parametrize("k", [6, 8, 25])
def test_it_is_scikit_learns_embedding_and_transform(roll, k):
    train, new = roll
    ours, theirs = lle_kernel(train, k), reference(train, k)
    signs = matched(ours.embed(2), theirs.embedding_)
    assert_allclose(ours.embed(2) * signs, theirs.embedding_, atol=1e-6)
    assert_allclose(ours.embed_new(new, 2) * signs, theirs.transform(new), atol=1e-6)


def test_new_points_are_a_projection_of_their_kernel_row(roll):
    train, new = roll
    made = lle_kernel(train, 8)
    v, lam = made.eigenvectors[:, :3], made.eigenvalues[:3]
    phi = np.array([_row(train, x, 8) for x in new[:20]])
    assert_allclose(made.weights(new[:20]), phi, atol=1e-9)
    assert_allclose(made.embed_new(new[:20], 3), phi @ made.gram @ v / lam, atol=1e-9)
    # the paper: Q = W⁻¹ K W⁻ᵀ, k(x, x_j) = φ(x)' Q (row j of W)
    Q = np.linalg.solve(made.W, np.linalg.solve(made.W, made.gram).T)
    whole = phi @ Q @ made.W.T @ v / lam
    assert_allclose(made.embed_new(new[:20], 3, form="paper", truncation=0.0), whole, atol=1e-6)
    assert_allclose(made.embed_new(new[:20], 3, form="bengio"), phi * (made.a - 1.0) @ v / lam, atol=1e-9)


def _row(X, x, k):
    near = np.argsort(np.linalg.norm(X - x, axis=1), kind="stable")[:k]
    row = np.zeros(len(X))
    row[near] = naive_weights(x, X[near])
    return row


def test_the_papers_form_depends_on_a_badly_conditioned_matrix(roll):
    """Spec: cond(W) 3e3 to 1.6e4; small changes of the data move the untruncated form far more than the default."""
    train, new = roll
    made = lle_kernel(train, 8)
    assert 500.0 < made.condition < 2e4
    assert made.condition == pytest.approx(np.linalg.cond(made.W), rel=1e-6)
    whole = made.embed_new(new, 2, form="paper", truncation=0.0)
    cut = made.embed_new(new, 2, form="paper")
    default = made.embed_new(new, 2)
    assert np.abs(cut - default).max() > 1e-3
    assert np.abs(whole - cut).max() > 1e-3


def test_a_new_point_on_an_item_lies_where_the_item_lies(roll):
    train, _ = roll
    made = lle_kernel(train, 8)
    assert_allclose(made.weights(train[:5]), np.eye(400)[:5], atol=0)
    assert_allclose(made.embed_new(train[:5], 2), made.embed(2)[:5], atol=1e-14)


def test_duplicates(rng):
    X = rng.normal(size=(20, 2))
    twice = np.vstack([X, X[:3]])
    made = lle_kernel(twice, 5)
    assert np.isfinite(made.gram).all()
    assert any("3 of 23 items repeat" in note for note in made.notes)
    row = made.weights(X[:1])
    assert row[0, [0, 20]].tolist() == [0.5, 0.5]
    same = lle_kernel(np.ones((6, 2)), 3)
    assert_allclose(same.W.sum(axis=1), 1.0)
    assert np.isfinite(same.embed(2)).all()


@pytest.mark.parametrize("parts", [2, 3])
def test_a_graph_that_falls_apart_is_told(rng, parts):
    X = np.vstack([rng.normal(size=(15, 3)) + 100.0 * part for part in range(parts)])
    made = lle_kernel(X, 4)
    assert closed_parts(made.W) == parts == null_space(np.eye(15 * parts) - made.W, rcond=1e-12).shape[1]
    assert f"{parts} groups" in made.notes[0]
    # the first coordinates are constant on each group
    first = made.embed(parts - 1).reshape(parts, 15, parts - 1)
    assert np.abs(first - first.mean(axis=1, keepdims=True)).max() < 1e-6
    whole = lle_kernel(X, 20)
    assert not any("groups" in note for note in whole.notes)


def test_groups_that_lean_on_others_do_not_count():
    """A chain into a triangle: weakly one piece, and the constant alone solves f = W f."""
    W = np.array([[0, 1, 0, 0], [0, 0, 0.5, 0.5], [0, 0.5, 0, 0.5], [0, 0.5, 0.5, 0.0]])
    assert closed_parts(W) == 1


@pytest.mark.parametrize("k", [0, 10, 11, 2.5, True, "3", None])
def test_numbers_of_neighbours_out_of_range(rng, k):
    with pytest.raises(InvalidInputError, match="whole number from 1 to 9"):
        lle_kernel(rng.normal(size=(10, 2)), k)


def test_what_else_is_refused(rng):
    X = rng.normal(size=(10, 3))
    made = lle_kernel(X, 4)
    with pytest.raises(InvalidInputError, match="finite"):
        lle_kernel(np.where(X > 1, np.nan, X), 3)
    with pytest.raises(InvalidInputError, match="two items"):
        lle_kernel(X[:1], 1)
    with pytest.raises(InvalidInputError, match="columns of the items"):
        made.embed_new(X[:, :2])
    for wrong in (0, 10, 1.0):
        with pytest.raises(InvalidInputError, match="number of components"):
            made.embed(wrong)
    with pytest.raises(InvalidInputError, match="form"):
        made.embed_new(X, form="other")
    with pytest.raises(InvalidInputError, match="truncation"):
        made.embed_new(X, form="paper", truncation=1.0)
    with pytest.raises(InvalidInputError, match="regularisation"):
        lle_kernel(X, 3, reg=0.0)
    assert set(FORMS) == {"identity", "paper", "bengio"}


def test_scale_does_not_matter(rng):
    X = rng.normal(size=(30, 4))
    for scale in (1e-8, 1e8):
        assert_allclose(lle_kernel(scale * X, 5).gram, lle_kernel(X, 5).gram, atol=1e-9)
