"""Accuracy, weights and the graph lasso of profiles on a network: by other code, on the demos, and with nothing to find."""

import json
from functools import cache

import numpy as np
import pytest
from scipy import sparse
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

from kernex_core import (
    CrossValidation,
    Diffusion,
    Labels,
    Network,
    Vectors,
    judge,
)
from kernex_core.base.errors import InvalidInputError
from kernex_core.base.parameters import repetition_seed
from kernex_core.conditioning.network_features import features_kernel, prepare_features
from kernex_core.datasets.genes import PLANTED, expression_on_a_network, planted_regulator
from kernex_core.inputs.items.match import match_features
from kernex_core.learning.chance.interval import Passes
from kernex_core.learning.chance.paired import paired
from kernex_core.learning.compare import compare
from kernex_core.learning.mkl.base_kernels import FeatureGroups
from kernex_core.learning.mkl.losses import square_loss_mkl
from kernex_core.studies.networks.features.accuracy import node_weights, sweeping_features
from kernex_core.studies.networks.features.graph_lasso import (
    edge_groups,
    graph_lasso,
    judging_lasso,
    recovered,
    targets,
    two_classes,
)

DEMO = CrossValidation(folds=5, repeats=5, C=1.0)
ONCE = CrossValidation(folds=5, repeats=1, C=1.0)


@cache
def demo(make, seed=0):
    data = make(seed)
    matched = match_features(data.samples["expression"], data.feature_networks["genes"])
    return data, prepare_features(matched), data.feature_networks["genes"].attributes.X[:, 0]


def last(states):
    *_, made = states
    return made


def test_the_demo_has_the_numbers_of_its_description_and_the_network_gains():
    """Published: 79.9 ± 4.9 % plain, 91.0 ± 2.6 at τ = 5; roughness .69 and .11, correlation with the signal .61 and .89."""
    plain, smooth, rough, truth = [], [], [], []
    for seed in range(8):
        data, prepared, planted = demo(expression_on_a_network, seed)
        kernels = (features_kernel(prepared), features_kernel(prepared, Diffusion(tau=5.0)))
        one, other = (judge(K, data.labels, CrossValidation(5, 5, C=1.0, inductive=True)) for K in kernels)
        plain.append(one.multi_class.mean)
        smooth.append(other.multi_class.mean)
        made = [
            node_weights(prepared, kernel, data.labels, of="case") for kernel in (None, Diffusion(tau=5.0))
        ]
        rough.append([each.roughness for each in made])
        truth.append([np.corrcoef(each.beta, planted)[0, 1] for each in made])
    assert np.mean(plain) == pytest.approx(0.799, abs=3 * 0.049 / np.sqrt(8))
    assert np.mean(smooth) == pytest.approx(0.910, abs=3 * 0.049 / np.sqrt(8))
    assert min(np.subtract(smooth, plain)) > 0.0
    assert np.mean(np.subtract(smooth, plain)) > 0.07
    np.testing.assert_allclose(np.mean(rough, axis=0), [0.69, 0.11], atol=0.05)
    np.testing.assert_allclose(np.mean(truth, axis=0), [0.61, 0.89], atol=0.05)


def test_the_sweep_is_what_single_judgements_and_single_choices_say():
    data, prepared, _ = demo(expression_on_a_network)
    kernels = [Diffusion(tau=tau) for tau in (0.0, 2.0, 8.0)]
    states = list(sweeping_features(prepared, kernels, data.labels, ONCE))
    assert [state.done for state in states] == [1, 2, 3, 4]
    made, inductive = states[-1], CrossValidation(folds=5, repeats=1, C=1.0, inductive=True)
    for kernel, one, other in zip(kernels, made.judged, made.compared, strict=True):
        alone = judge(features_kernel(prepared, kernel), data.labels, inductive)
        assert alone.multi_class == one.multi_class
        assert other == compare(alone, made.plain)
    # the kernel at τ = 0 is the plain one
    assert made.judged[0].multi_class == made.plain.multi_class
    # the nested choice item by item: what each fold picked
    folds = np.full(60, -1)
    y = np.array(made.plain.codes)
    seed = repetition_seed(0, 0)
    for k, (_, test) in enumerate(StratifiedKFold(5, shuffle=True, random_state=seed).split(y, y)):
        folds[test] = k
    right = np.array(
        [made.judged[made.nested.picked[folds[i]]].correct[0, i] for i in range(60)], dtype=float
    )
    assert made.claim.chosen == pytest.approx(right.mean())
    assert made.claim.paired == paired(right, made.plain.correct[0].astype(float), Passes(5, 1))
    assert made.claim.difference == pytest.approx(right.mean() - made.plain.multi_class.mean)


@pytest.mark.parametrize("kernel", [None, Diffusion(tau=5.0)])
def test_weights_are_those_of_the_machine_and_roughness_is_its_form(kernel):
    data, prepared, _ = demo(expression_on_a_network)
    made = node_weights(prepared, kernel, data.labels, C=1.0, of="case")
    K = features_kernel(prepared, kernel).values
    y = np.where(data.labels.y == "case", 1, -1)
    machine = SVC(C=1.0, kernel="precomputed", tol=1e-10).fit(K, y)
    np.testing.assert_allclose(made.decisions, machine.decision_function(K), atol=1e-5)
    X = prepared.matched.vectors.X - prepared.matched.vectors.X.mean(axis=0)
    np.testing.assert_allclose(X @ made.beta + made.bias, made.decisions, atol=1e-10)
    B = prepared.matched.network.adjacency.toarray()
    root = np.where(B.sum(axis=1) > 0, B.sum(axis=1), 1.0) ** -0.5
    L = np.diag((B.sum(axis=1) > 0).astype(float)) - root[:, None] * B * root
    assert made.roughness == pytest.approx(made.beta @ L @ made.beta / (made.beta @ made.beta), rel=1e-8)
    other = node_weights(prepared, kernel, data.labels, C=1.0, of="control")
    np.testing.assert_allclose(other.beta, -made.beta, atol=1e-8)
    with pytest.raises(InvalidInputError, match="case"):
        node_weights(prepared, kernel, data.labels, of="nobody")


def test_every_edge_is_a_group_and_who_has_none_is_one_too():
    B = np.zeros((6, 6))
    for i, j in ("ab", "bc", "bd", "ef"):
        B["abcdef".index(i), "abcdef".index(j)] = B["abcdef".index(j), "abcdef".index(i)] = 1.0
    network = Network(tuple("abcdef"), B)
    made = edge_groups(match_features(Vectors(("s",), np.ones((1, 4)), ("e", "c", "b", "a")), network))
    assert made.edges.tolist() == [[0, 1], [1, 2]]  # d and f were not measured
    assert made.alone.tolist() == [4]
    # columns are in the order of the network: a, b, c, e
    assert made.members.toarray().tolist() == [[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1]]


@pytest.mark.parametrize("strength", ["0.2", "1", "3"])
def test_the_vectors_of_the_graph_lasso(shared, strength):
    vector = json.loads((shared / "vectors" / "lessons.json").read_text(encoding="utf-8"))["10.graph_lasso"]
    X, y = np.array(vector["inputs"]["X"]), np.array(vector["inputs"]["y"])
    path = sparse.csr_array(np.array([[1, 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1.0]]))
    kernels = FeatureGroups(X, path)
    made = square_loss_mkl(kernels, y, float(strength), tolerance=1e-12)
    wanted = vector["expected"]
    np.testing.assert_allclose(
        kernels.coefficients(made.weights, made.dual), wanted[f"beta_{strength}"], atol=1e-4
    )
    np.testing.assert_allclose(made.weights, wanted[f"edge_weights_{strength}"], atol=1e-4)
    assert made.objective == pytest.approx(wanted[f"J_{strength}"], abs=1e-4)


def test_the_path_obeys_the_subgradient_conditions_on_the_demo():
    data, prepared, _ = demo(planted_regulator)
    found = graph_lasso(prepared, data.labels, of="high", strengths=(3.0, 0.5), tolerance=1e-13)
    y = np.where(data.labels.y == "high", 1.0, -1.0)
    X = prepared.matched.vectors.X - prepared.matched.vectors.X.mean(axis=0)
    columns = {name: k for k, name in enumerate(prepared.matched.vectors.columns)}
    ids = prepared.matched.network.ids
    assert [columns[name] for name in ids] == list(range(150))
    for step in found.steps:
        slopes = X.T @ (y - y.mean() - X @ step.beta) / 200  # = λ × slope of Ω² / 2
        groups = [*found.groups.edges.tolist(), *([k] for k in found.groups.alone.tolist())]
        sizes = np.array([np.linalg.norm(slopes[group]) for group in groups])
        chosen = [
            *step.edges.tolist(),
            *(len(found.groups.edges) + np.flatnonzero(np.isin(found.groups.alone, step.alone))),
        ]
        # every group's slope is at most λΩ, and a selected one's exactly that
        np.testing.assert_allclose(sizes[chosen], sizes.max(), rtol=1e-6)
        # β is the sum of parts along these slopes: Σ weights × slope, all weights summing to 1
        parts = np.zeros(150)
        for e, weight in zip(step.edges, step.weights, strict=True):
            parts[found.groups.edges[e]] += weight * slopes[found.groups.edges[e]]
        np.testing.assert_allclose(step.beta, parts / step.lam, atol=1e-6)
        off = np.setdiff1d(
            np.arange(150), np.concatenate([found.groups.edges[step.edges].ravel(), step.alone])
        )
        np.testing.assert_allclose(step.beta[off], 0.0, atol=1e-6)


def test_the_planted_regulator_is_found_in_one_connected_piece():
    connected, precise = [], []
    for seed in range(10):
        data, prepared, planted = demo(planted_regulator, seed)
        found = graph_lasso(prepared, data.labels, strengths=(5.0, 1.5))
        step = found.steps[-1]
        assert step.converged
        one = recovered(found, step, planted != 0.0)
        connected.append(one.connected)
        precise.append(one.precise)
    assert connected[0] >= 0.8
    assert np.mean(connected) >= 0.8
    assert sum(share >= 0.8 for share in connected) >= 8
    assert np.mean(precise) > 0.7


def test_what_is_recovered_is_counted_edge_by_edge():
    data, prepared, planted = demo(planted_regulator)
    found = graph_lasso(prepared, data.labels)
    edges = [tuple(pair) for pair in found.groups.edges.tolist()]
    true = {pair for pair in edges if planted[list(pair)].all()}
    for step in found.steps:
        chosen = {edges[e] for e in step.edges}
        one = recovered(found, step, planted != 0.0)
        assert one.planted == len(true)
        assert one.selected == pytest.approx(len(true & chosen) / len(true))
        assert one.precise == pytest.approx(len(true & chosen) / len(chosen))
        within = [sum(set(pair) <= set(nodes.tolist()) for pair in true) for nodes in found.pieces(step)]
        assert one.connected == pytest.approx(max(within) / len(true))
        assert sum(nodes.size for nodes in found.pieces(step)) == len(
            set(sum(chosen, ())) | set(step.alone.tolist())
        )


def test_the_accuracy_of_the_graph_lasso_is_that_of_paths_fitted_to_training_items():
    data, prepared, _ = demo(planted_regulator)
    found = last(judging_lasso(prepared, data.labels, ONCE, of="high", strengths=(3.0, 0.5)))
    assert (found.done, found.total, found.floor) == (1, 1, 0.5)
    seed = repetition_seed(0, 0)
    y = (data.labels.y == "high").astype(int)
    right = np.zeros((2, 200))
    for train, test in StratifiedKFold(5, shuffle=True, random_state=seed).split(y, y):
        inside = prepare_features(prepared.matched.take(train))
        path = graph_lasso(inside, data.labels.take(train), of="high", strengths=(3.0, 0.5))
        X = prepared.matched.vectors.X
        for k, step in enumerate(path.steps):
            scores = (X[test] - X[train].mean(axis=0)) @ step.beta + 2 * y[train].mean() - 1
            right[k, test] = (scores >= 0) == y[test]
    np.testing.assert_allclose(found.accuracy, right.mean(axis=1))
    assert found.claim.plain == pytest.approx(found.plain)
    assert found.claim.difference == pytest.approx(found.claim.chosen - found.plain)
    assert found.claim.difference > 0.05  # the graph lasso is ahead of the plain kernel here


def test_with_permuted_labels_nothing_is_found(rng):
    """Whatever a fold should not see would show here as an accuracy above one half."""
    data, prepared, _ = demo(expression_on_a_network)
    swept, chosen = [], []
    for _ in range(4):
        labels = Labels(data.ids, rng.permutation(data.labels.y))
        made = last(
            sweeping_features(prepared, [Diffusion(tau=tau) for tau in (1.0, 5.0, 20.0)], labels, ONCE)
        )
        swept.append(made.claim.chosen)
        chosen.append(last(judging_lasso(prepared, labels, ONCE, strengths=(3.0, 1.0))).claim.chosen)
    for shares in (swept, chosen):  # 60 items, 4 permutations; an error of 3 standard deviations
        assert abs(np.mean(shares) - 0.5) < 3 * 0.5 / np.sqrt(60 * 4) + 0.05


def test_one_class_stands_against_the_others():
    labels = Labels(tuple("abcdef"), np.array(["x", "y", "z", "", "z", "x"]))
    name, y = targets(labels, "y")
    assert name == "y"
    np.testing.assert_array_equal(y, [-1, 1, -1, np.nan, -1, -1])
    assert two_classes(labels, "y").y.tolist() == [
        "other classes",
        "y",
        "other classes",
        "",
        "other classes",
        "other classes",
    ]
    assert targets(labels)[0] == "x"
    with pytest.raises(InvalidInputError, match="x, z, y"):
        targets(labels, "w")
    with pytest.raises(InvalidInputError, match="two classes"):
        targets(Labels(("a",), np.array(["x"])))


def test_demos_are_as_described():
    data, _, planted = demo(expression_on_a_network)
    network = data.feature_networks["genes"]
    assert (data.n, network.n, dict(data.labels.classes)) == (60, 200, {"case": 30, "control": 30})
    assert network.attributes.columns == (PLANTED,)
    assert [int((planted == effect).sum()) for effect in (0.25, -0.25, 0.0)] == [20, 20, 160]
    module = np.repeat(np.arange(10), 20)
    B = network.adjacency.toarray()
    same = (module[:, None] == module) & ~np.eye(200, dtype=bool)
    assert B[same].mean() == pytest.approx(0.25, abs=0.03)
    assert B[module[:, None] != module].mean() == pytest.approx(0.004, abs=0.001)
    data, _, planted = demo(planted_regulator)
    network = data.feature_networks["genes"]
    assert (data.n, network.n, dict(data.labels.classes)) == (200, 150, {"high": 100, "low": 100})
    hub = np.flatnonzero(network.neighbours == 5)[0]
    assert set(np.flatnonzero(planted)) == {hub, *np.flatnonzero(network.adjacency.toarray()[hub]).tolist()}
