"""Kernels of profiles on a network beside X K_G X' with K_G written out, on all items and inside folds."""

import numpy as np
import pytest
from scipy.linalg import expm

from kernex_core import (
    CrossValidation,
    Diffusion,
    Labels,
    LaplacianPseudoinverse,
    Network,
    RegularizedLaplacian,
    Vectors,
    judge,
)
from kernex_core.base.errors import InvalidInputError
from kernex_core.conditioning.network_features import (
    KEPT_BYTES,
    FeaturesOnNetwork,
    PreparedFeatures,
    features_kernel,
    prepare_features,
)
from kernex_core.gram.split import split_inductively
from kernex_core.inputs.items.match import Matching, match_features

KERNELS = [
    (Diffusion(tau=1.4), lambda L: expm(-1.4 * L)),
    (Diffusion(tau=0.6, laplacian="unnormalized"), lambda L: expm(-0.6 * L)),
    (RegularizedLaplacian(c=0.3), lambda L: np.linalg.inv(0.3 * np.eye(len(L)) + L)),
    (LaplacianPseudoinverse(laplacian="normalized"), np.linalg.pinv),
    (None, lambda L: np.eye(len(L))),
]


def world(rng, n=24, N=30, missing=False):
    """Profiles on a network with two isolated nodes, two components, nodes that were not measured and an alien column."""
    half = np.triu(rng.random((N, N)) < 0.12, 1) * rng.gamma(2.0, 1.0, (N, N))
    half[:, -2:] = half[-2:] = 0.0
    half[:12, 12:] = 0.0
    genes = tuple(f"g{k}" for k in range(N))
    measured = np.sort(rng.choice(N, 22, replace=False))
    measured[-1] = N - 1
    X = rng.normal(size=(n, 23)) * rng.gamma(2.0, 2.0, 23) + 5.0
    if missing:
        X[rng.random(X.shape) < 0.1] = np.nan
    order = rng.permutation(22)
    columns = [genes[k] for k in measured[order]] + ["alien"]
    ids = tuple(f"s{k}" for k in range(n))
    made = match_features(Vectors(ids, X, tuple(columns)), Network(genes, half + half.T))
    return made, half + half.T


def laplacian(B, operator):
    d = B.sum(axis=1)
    if operator == "unnormalized":
        return np.diag(d) - B
    root = np.where(d > 0, d, 1.0) ** -0.5
    return np.diag((d > 0).astype(float)) - root[:, None] * B * root[None, :]


def scaled(X, train, scaling):
    """Column by column, as the words say."""
    made = np.zeros_like(X)
    for j in range(X.shape[1]):
        known = X[train, j][~np.isnan(X[train, j])]
        spread = known.std(ddof=1) if scaling == "standardised" and known.size > 1 else 1.0
        made[:, j] = np.nan_to_num((X[:, j] - known.mean()) / spread)
    return made


def naive(matched, B, kernel, f, scaling, train):
    """Everything at its node, 0 elsewhere, and the kernel of all nodes."""
    wide = np.zeros((matched.vectors.n, len(B)))
    wide[:, matched.at] = scaled(matched.vectors.X, train, scaling)
    K = wide @ f(laplacian(B, "normalized" if kernel is None else kernel.operator)) @ wide.T
    return K / np.diag(K)[train].mean()


@pytest.mark.parametrize(("kernel", "f"), KERNELS, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize(("scaling", "missing"), [("centred", False), ("standardised", True)])
def test_every_kernel_is_the_formula_written_out(rng, kernel, f, scaling, missing):
    matched, B = world(rng, missing=missing)
    operator = "normalized" if kernel is None else kernel.operator
    prepared = prepare_features(matched, operator, scaling)
    K = features_kernel(prepared, kernel)
    every = np.arange(24)
    np.testing.assert_allclose(K.values, naive(matched, B, kernel, f, scaling, every), atol=1e-10)
    train, test = every[::2], every[1::2]
    wanted = naive(matched, B, kernel, f, scaling, train)
    blocks = split_inductively(K, train, test)
    np.testing.assert_allclose(blocks.K_train, wanted[np.ix_(train, train)], atol=1e-10)
    np.testing.assert_allclose(blocks.K_cross, wanted[np.ix_(test, train)], atol=1e-10)
    np.testing.assert_allclose(blocks.diag_test, np.diag(wanted)[test], atol=1e-10)
    taken = K.take([3, 1, 5])
    np.testing.assert_allclose(
        taken.values, naive(matched.take([3, 1, 5]), B, kernel, f, scaling, [0, 1, 2]), atol=1e-10
    )


def test_no_other_profile_has_a_part_in_a_training_block(rng):
    matched, _ = world(rng)
    X = np.array(matched.vectors.X)
    X[1::2] = rng.normal(size=X[1::2].shape) * 1e6
    other = Vectors(matched.vectors.ids, X, matched.vectors.columns)
    train, test = np.arange(0, 24, 2), np.arange(1, 24, 2)
    blocks = []
    for vectors in (matched.vectors, other):
        again = match_features(vectors, matched.network)
        K = features_kernel(prepare_features(again, scaling="standardised"), Diffusion(tau=1.0))
        blocks.append(split_inductively(K, train, test))
    np.testing.assert_array_equal(blocks[0].K_train, blocks[1].K_train)
    assert not np.array_equal(blocks[0].K_cross, blocks[1].K_cross)


def test_what_is_kept_of_folds_changes_nothing(rng, monkeypatch):
    matched, _ = world(rng)
    labels = Labels(matched.vectors.ids, np.where(np.arange(24) % 3 == 0, "a", "b"))
    validation = CrossValidation(folds=2, repeats=2, inductive=True)
    assert KEPT_BYTES > 0
    found = []
    for kept in (KEPT_BYTES, 0):
        monkeypatch.setattr("kernex_core.conditioning.network_features.KEPT_BYTES", kept)
        prepared = prepare_features(matched)
        found += [judge(features_kernel(prepared, Diffusion(tau=2.0)), labels, validation) for _ in range(2)]
    assert len({one.multi_class.mean for one in found}) == 1
    assert found[0].mode == "inductive"


def test_columns_that_say_nothing_among_the_fitted_items_are_left_out(rng):
    matched, _ = world(rng)
    X = np.array(matched.vectors.X)
    X[:, 3] = np.nan
    X[:, 4] = 7.7
    K = features_kernel(
        prepare_features(
            match_features(Vectors(matched.vectors.ids, X, matched.vectors.columns), matched.network),
            scaling="standardised",
        )
    )
    kept = np.delete(X, [3, 4], axis=1)
    fewer = np.delete(np.array(matched.vectors.columns), [3, 4])
    other = match_features(Vectors(matched.vectors.ids, kept, tuple(fewer)), matched.network)
    np.testing.assert_allclose(
        K.values, features_kernel(prepare_features(other, scaling="standardised")).values, atol=1e-12
    )


def test_a_node_on_its_own_and_heat_over_what_was_not_measured():
    network = Network(
        ("a", "b", "c", "d"), np.array([[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0.0]])
    )
    vectors = Vectors(("s", "t"), np.array([[1.0, -1.0, 0.0], [-1.0, 1.0, 0.0]]), ("a", "c", "d"))
    through = features_kernel(prepare_features(match_features(vectors, network)), Diffusion(tau=3.0)).values
    assert through.shape == (2, 2)
    cut = match_features(vectors, network, Matching(through=False))
    assert cut.network.n_edges == 0
    np.testing.assert_allclose(
        features_kernel(prepare_features(cut), Diffusion(tau=3.0)).values,
        features_kernel(prepare_features(cut)).values,
    )


def test_wrong_matrices_and_items_are_refused(rng):
    matched, _ = world(rng)
    prepared = prepare_features(matched)
    with pytest.raises(InvalidInputError, match="decomposition"):
        features_kernel(prepared, Diffusion(laplacian="unnormalized"))
    with pytest.raises(InvalidInputError, match="Laplacian"):
        PreparedFeatures(matched, "adjacency")
    with pytest.raises(InvalidInputError, match="24 profiles"):
        FeaturesOnNetwork(prepared).fit(np.eye(3))
    with pytest.raises(InvalidInputError, match="items of its data set"):
        FeaturesOnNetwork(prepared).fit(np.eye(24)).apply_cross(np.ones((1, 24)), np.ones(1))
