"""Scores of pairs of genes, weights of kernels, and how pairs are ranked."""

import json

import numpy as np
import pytest
from sklearn.svm import SVC

from kernex_core import EDGE_METHODS, InvalidInputError
from kernex_core.learning.edges.genes import (
    KernelSide,
    NetworkSide,
    auc_within,
    centred,
    gene_folds,
    pair_scores,
    roc_curve,
)
from kernex_core.learning.edges.methods import (
    CanonicalProjection,
    LocalModels,
    MetricLearning,
    PairwiseMachine,
    Spectral,
    TwoStepRidge,
    balanced_machine,
    learned_weights,
)


@pytest.fixture(scope="module")
def vectors(shared):
    given = json.loads((shared / "vectors/network_inference.json").read_text())
    K = np.array(given["input"]["kernels"])
    A = np.zeros(K.shape[1:])
    for i, j in given["input"]["edges"]:
        A[i, j] = A[j, i] = 1.0
    return given, K, A, np.array(given["input"]["train"]), np.array(given["input"]["test"])


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("kcca", CanonicalProjection(3.0, 0.1, 0.1, 3)),
        ("dml", MetricLearning(1.0, 2)),
        ("two_step", TwoStepRidge(1.0)),
        ("local_svm", LocalModels(1.0)),
    ],
)
def test_scores_of_the_vectors(vectors, name, method):
    given, K, A, T, U = vectors
    # machines do not see the origin; theirs were trained in the kernel's own units
    values = K[0] if name == "local_svm" else centred(K[0], T)
    S = method.scores(KernelSide(values, T, U), NetworkSide(A[np.ix_(T, T)]))
    expected = given[name]
    assert S[np.ix_(T, U)] == pytest.approx(
        np.array(expected["score_train_test"]), abs=expected.get("tolerance", 1e-8)
    )
    if "score_test_test" in expected:
        assert S[np.ix_(U, U)] == pytest.approx(np.array(expected["score_test_test"]), abs=1e-8)


@pytest.mark.parametrize("pairs", ["differences", "products"])
def test_a_pairwise_machine_is_one_on_the_kernel_between_pairs(rng, pairs):
    """Every entry of that kernel from its formula, one pair after the other; both classes weigh the same."""
    from sklearn.svm import SVC

    X = rng.normal(size=(16, 3))
    T, U = np.arange(12), np.arange(12, 16)
    K = centred(X @ X.T, T)
    A = np.triu(rng.random((12, 12)) < 0.25, 1).astype(float)
    method = PairwiseMachine(pairs, 2.0, 50)  # all pairs

    def k(p, q):
        (a, b), (c, d) = p, q
        if pairs == "products":
            return K[a, c] * K[b, d] + K[a, d] * K[b, c]
        return (K[a, c] - K[a, d] - K[b, c] + K[b, d]) ** 2

    learned = [(a, b) for a in range(12) for b in range(a + 1, 12)]
    y = [A[p] > 0 for p in learned]
    machine = SVC(C=2.0, kernel="precomputed", class_weight="balanced", tol=1e-7)
    machine.fit([[k(p, q) for q in learned] for p in learned], y)
    asked = [(0, 12), (13, 5), (12, 15)]
    expected = machine.decision_function([[k(p, q) for q in learned] for p in asked])
    S = method.scores(KernelSide(K, T, U), NetworkSide(A + A.T))
    assert [S[p] for p in asked] == pytest.approx(expected, abs=3e-3)
    a, b, joined = PairwiseMachine(negatives=2)._learned_from(A + A.T)
    assert (joined.sum(), joined.size) == (A.sum(), 3 * A.sum())
    assert ((A + A.T)[a, b] == joined).all()


def test_correlations_levels_and_weights_of_the_vectors(vectors):
    given, K, A, T, U = vectors
    made, network = [centred(each, T) for each in K], NetworkSide(A[np.ix_(T, T)])
    side = KernelSide(made[0], T, U)
    rho = CanonicalProjection(3.0, 0.1, 0.1, 3)._directions(side, network)[1]
    assert rho[:3] == pytest.approx(given["kcca"]["correlations"], abs=1e-8)
    mu = MetricLearning(1.0, 2)._solved(side, network)[0]
    assert mu[:3] == pytest.approx(given["dml"]["mu"], abs=1e-8)
    blocks, expected = [each[np.ix_(T, T)] for each in made], given["weights"]
    found = learned_weights("mkl", blocks, network, tau=expected["tau"])
    assert found.eta == pytest.approx(expected["eta"], abs=1e-8)
    assert found.objective == pytest.approx(expected["objective"], rel=1e-9)
    assert found.gap <= 1e-3
    aligned = learned_weights("alignment", blocks, network, tau=expected["tau"])
    assert aligned.eta == pytest.approx(expected["align"], abs=1e-7)


def test_canonical_directions_are_those_of_the_generalised_problem(rng):
    """The largest quotient of the formula, by an eigenvalue problem of twice the size."""
    from scipy.linalg import eigh

    X = rng.normal(size=(12, 12))
    T, U = np.arange(9), np.arange(9, 12)
    K = centred(X @ X.T, T)
    A = np.triu(rng.random((9, 9)) < 0.4, 1).astype(float)
    network, method = NetworkSide(A + A.T), CanonicalProjection(2.0, 0.5, 0.2, 2)
    K1, K2, own = K[np.ix_(T, T)], network.diffusion(2.0), 0.2 * np.diag(network.diffusion(2.0)).mean()
    left = np.block([[np.zeros((9, 9)), K1 @ K2], [K2 @ K1, np.zeros((9, 9))]])
    zero = np.zeros((9, 9))
    right = np.block([[K1 @ K1 + 0.5 * K1, zero], [zero, K2 @ K2 + own * K2]]) + 1e-10 * np.eye(18)
    rho = method._directions(KernelSide(K, T, U), network)[1]
    assert rho[:3] == pytest.approx(eigh(left, right)[0][::-1][:3], abs=1e-5)


def test_mkl_weights_are_the_best_of_a_grid(rng):
    T = np.arange(15)
    A = np.triu(rng.random((15, 15)) < 0.3, 1).astype(float)
    network = NetworkSide(A + A.T)
    blocks = []
    for d in (2, 15):
        X = rng.normal(size=(15, d))
        blocks.append(centred(X @ X.T, T))
    G = network.diffusion(10.0)
    G /= np.diag(G).mean()
    J = [
        10 / 15 * np.trace(np.linalg.solve(e * blocks[0] + (1 - e) * blocks[1] + 10 * np.eye(15), G))
        for e in np.linspace(0, 1, 401)
    ]
    assert learned_weights("mkl", blocks, network).objective == pytest.approx(min(J), rel=1e-3)


def test_test_genes_and_their_edges_are_not_looked_at(rng):
    """Scores of a pair depend on the two genes and the training genes alone; edges of test genes do not enter at all."""
    X = rng.normal(size=(20, 4))
    K = X @ X.T + np.eye(20)
    T, U = np.arange(14), np.arange(14, 20)
    A = np.triu(rng.random((14, 14)) < 0.3, 1).astype(float)
    fewer = np.arange(17)
    for kind in EDGE_METHODS:
        network = NetworkSide(A + A.T)
        S = kind().scores(KernelSide(centred(K, T), T, U), network)
        part = kind().scores(KernelSide(centred(K[np.ix_(fewer, fewer)], T), T, U[:3]), network)
        assert S[np.ix_(T, U[:3])] == pytest.approx(part[np.ix_(T, U[:3])], abs=1e-9)
        assert pytest.approx(S.T, abs=1e-12, nan_ok=True) == S
        assert np.isnan(S[np.ix_(U, U)]).all() == (not kind.between_new)


@pytest.mark.parametrize("kind", EDGE_METHODS, ids=lambda kind: kind.name)
def test_variants_share_work_and_change_nothing(kind, rng):
    X = rng.normal(size=(18, 5))
    T, U = np.arange(12), np.arange(12, 18)
    A = np.triu(rng.random((12, 12)) < 0.3, 1).astype(float)
    side, network = KernelSide(centred(X @ X.T, T), T, U), NetworkSide(A + A.T)
    variants = list(kind().variants(side, network))
    assert len({made for made, _ in variants}) == len(variants)
    for made, scores in variants[:: max(1, len(variants) // 5)]:
        assert np.array_equal(made.scores(side, network), scores, equal_nan=True)


def test_more_features_than_the_rank_are_capped(rng):
    x = rng.normal(size=(10, 1))
    side = KernelSide(centred(x @ x.T, np.arange(8)), np.arange(8), np.arange(8, 10))
    assert np.isfinite(Spectral(20).scores(side, NetworkSide(np.ones((8, 8)) - np.eye(8)))).all()
    assert np.isfinite(CanonicalProjection().scores(side, NetworkSide(np.ones((8, 8)) - np.eye(8)))).all()


def test_a_gene_without_edges_is_kept_and_similar_to_itself():
    A = np.zeros((4, 4))
    A[0, 1] = A[1, 0] = 1.0
    G = NetworkSide(A).diffusion(2.0)
    H = np.eye(4) - 0.25
    from scipy.linalg import expm

    expected = H @ expm(-2.0 * np.array([[1, -1, 0, 0], [-1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0.0]])) @ H
    assert pytest.approx(expected) == G


def test_a_kernel_that_tells_no_training_genes_apart_is_none():
    K = np.ones((5, 5))
    K[4, 4] = 3.0
    assert centred(K, np.arange(4)) is None


def test_measures_of_the_vectors(vectors):
    given = vectors[0]["metrics"]
    found = pair_scores(np.array(given["y"], bool), np.array(given["s"]))
    assert found.auc == pytest.approx(given["auc"])
    assert found.average_precision == pytest.approx(given["average_precision"])
    assert (found.edges, found.pairs, found.prevalence) == (4, 8, 0.5)


def test_curve_and_area_agree(rng):
    joined, scores = rng.random(400) < 0.3, rng.integers(0, 9, 400).astype(float)
    at = np.linspace(0, 1, 2001)
    curve = roc_curve(joined, scores, at)
    assert np.trapezoid(curve, at) == pytest.approx(pair_scores(joined, scores).auc, abs=1e-3)
    assert (curve[0], curve[-1]) == (pytest.approx(0.0, abs=0.3), 1.0)


def test_within_a_gene_degree_says_nothing():
    joined = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 0]], bool)
    assert auc_within(joined, np.repeat([[3.0], [9.0], [1.0]], 3, axis=1)) == 0.5
    assert auc_within(joined, joined.astype(float)) == 1.0
    assert np.isnan(auc_within(np.zeros((2, 2), bool), np.ones((2, 2))))


def test_folds_hold_every_gene_once_and_need_two_each():
    folds = gene_folds(23, 5, 3)
    assert sorted(np.concatenate(folds).tolist()) == list(range(23))
    with pytest.raises(InvalidInputError, match="6 of 11"):
        gene_folds(11, 6, 0)


@pytest.mark.parametrize("seed", range(3))
def test_without_a_free_support_vector_the_offset_is_the_middle_in_any_order(seed):
    """With a small cost all coefficients are at their bounds; rounding then picked one of the items to say the offset."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(24, 3))
    T, U = np.arange(18), np.arange(18, 24)
    A = np.triu(rng.random((18, 18)) < 0.3, 1).astype(float)
    A += A.T
    K = centred(np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 6.0), T)
    method = LocalModels(0.05)
    S = method.scores(KernelSide(K, T, U), NetworkSide(A))
    order = np.concatenate([rng.permutation(T), U])
    again = method.scores(
        KernelSide(K[np.ix_(order, order)], T, U), NetworkSide(A[np.ix_(order[T], order[T])])
    )
    assert again[np.ix_(T, U)] == pytest.approx(S[np.ix_(order[T], U)], abs=1e-9)
    for gene in T:
        others = np.delete(T, gene)
        y = np.where(A[gene, others] > 0, 1.0, -1.0)
        beta = y * 0.05 * y.size / (2.0 * np.array([(y == one).sum() for one in y]))
        margins = y - K[np.ix_(others, others)] @ beta
        middle = (margins[y < 0].max() + margins[y > 0].min()) / 2.0
        if margins[y < 0].max() > margins[y > 0].min():
            continue  # these are not the optimum: some vector is free
        assert S[gene, U] == pytest.approx(K[np.ix_(U, others)] @ beta + middle, abs=1e-9)


@pytest.mark.parametrize("C", [0.05, 1.0, 20.0])
def test_the_machine_is_that_of_libsvm_with_both_classes_of_one_weight(C, rng):
    X = rng.normal(size=(40, 3))
    K, joined = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 6.0), rng.random(40) < 0.2
    a = balanced_machine(K, joined, C)
    b = SVC(C=C, kernel="precomputed", class_weight="balanced", tol=1e-5).fit(K, joined)
    assert pytest.approx(b.decision_function(K), abs=2e-3) == K @ a.beta + a.offset
    # a primal and a dual objective that meet: no other solver is trusted
    y, edges = np.where(joined, 1.0, -1.0), int(joined.sum())
    costs = C * np.where(joined, 20.0 / edges, 20.0 / (40 - edges))
    assert ((a.beta * y >= 0.0) & (a.beta * y <= costs)).all()
    assert a.beta.sum() == pytest.approx(0.0, abs=1e-9)
    square = a.beta @ K @ a.beta
    lost = costs @ np.maximum(1.0 - y * (K @ a.beta + a.offset), 0.0)
    assert square / 2.0 + lost == pytest.approx(y @ a.beta - square / 2.0, rel=1e-3)
