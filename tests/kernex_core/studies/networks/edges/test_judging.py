"""Edges of unseen genes, judged over folds and predicted."""

import json
from dataclasses import replace

import numpy as np
import pytest

from kernex_core import (
    EDGE_METHODS,
    EdgeConfig,
    GramMatrix,
    InvalidInputError,
    Network,
    gene_data,
    judging_edges,
    load_dataset,
    predict_edges,
)
from kernex_core.conditioning.repairs import repair_step
from kernex_core.datasets.genes import interacting_genes
from kernex_core.learning.edges.genes import gene_folds, repaired
from kernex_core.learning.edges.methods import CanonicalProjection, TwoStepRidge
from kernex_core.studies.networks.edges.sources import OverFolds


def aucs(table, source, method, new=False):
    pairs = [cell.new_new if new else cell.known_new for cell in table.of(source, method)]
    return [each.auc for each in pairs]


@pytest.fixture(scope="module")
def genes():
    data = load_dataset("interacting_genes")
    return gene_data(data.kernels, data.samples["network"])


@pytest.fixture(scope="module")
def table(genes):
    *_, last = judging_edges(genes, EdgeConfig(folds=3))
    return last


def test_the_demo_is_the_one_of_the_vectors(shared):
    for case in json.loads((shared / "vectors/network_inference.json").read_text())["demo"]:
        data = interacting_genes(case["seed"], complementary=case["kind"] != "similar")
        network, kernels = data.samples["network"], [K.values for K in data.kernels.values()]
        assert (network.n_edges, int((network.neighbours == 0).sum())) == (case["edges"], case["isolated"])
        assert [K[0, 1] for K in kernels] == pytest.approx(case["K_0_1"], abs=1e-9)
        assert [K.mean() for K in kernels] == pytest.approx(case["K_means"], abs=1e-9)


def test_every_method_on_every_source_in_every_fold(genes, table):
    assert genes.sources == ("view 1", "view 2", "view 3", "noise", "sum", "alignment", "mkl")
    assert table.done == table.total == 3 * 7 * len(EDGE_METHODS)
    assert {len(table.of(source, kind.name)) for source in genes.sources for kind in EDGE_METHODS} == {3}
    for fold in range(3):
        cell = table.of("sum", "kcca")[fold]
        assert (cell.known_new.pairs, cell.new_new.pairs) == (100 * 50, 1225)


def test_the_sum_beats_its_parts_and_noise_is_at_chance(table):
    def mean(source, method, **how):
        return np.nanmean(aucs(table, source, method, **how))

    best = max(mean(f"view {k}", "kcca") for k in (1, 2, 3))
    assert mean("sum", "kcca") > best + 0.03
    assert 0.43 < mean("noise", "kcca") < 0.57
    assert mean("sum", "direct") < mean("sum", "two_step") < mean("sum", "kcca")
    assert 0.75 < mean("sum", "metric", new=True) < 0.92
    assert table.of("mkl", "kcca")[0].eta[3] < 0.05
    assert 0.5 < np.nanmean(table.degree.known_new) < 0.65  # needs no kernel


def test_permuted_genes_are_at_chance(genes):
    order = np.random.default_rng(4).permutation(len(genes.ids))
    shuffled = replace(genes, A=genes.A[np.ix_(order, order)])
    *_, table = judging_edges(replace(shuffled, names=("a",), kernels=genes.kernels[:1]), EdgeConfig(folds=3))
    for kind in EDGE_METHODS:
        within = np.nanmean([cell.within for cell in table.of("a", kind.name)])
        assert within == pytest.approx(0.5, abs=0.06)


def test_hidden_edges_change_nothing_but_what_they_are_compared_with(genes):
    new = genes.ids[:20]
    noisy = np.array(genes.A)
    noise = np.random.default_rng(0).random((20, 150)) < 0.5
    noisy[:20], noisy[:, :20] = noise, noise.T
    other = replace(genes, A=noisy)
    for method in (kind() for kind in EDGE_METHODS):
        a, b = (predict_edges(data, new, method, "mkl") for data in (genes, other))
        assert np.array_equal(a.scores, b.scores)
        assert np.array_equal(a.pairs, b.pairs)
        assert not np.array_equal(a.in_network, b.in_network)


def test_predictions_are_ranked_and_say_what_is_new(genes):
    found = predict_edges(genes, genes.ids[:10], CanonicalProjection())
    assert len(found.scores) == 10 * 140 + 45 == found.names.shape[0]
    assert (np.diff(found.scores) <= 0).all()
    assert found.both_new.sum() == 45
    hits = found.in_network[:60].mean()
    assert hits > 3 * found.in_network.mean()  # the top of the list holds the edges
    assert found.trained == 140
    with pytest.raises(InvalidInputError, match="no gene 'x'"):
        predict_edges(genes, ["x"], CanonicalProjection())
    with pytest.raises(InvalidInputError, match=f"Perhaps '{genes.ids[3]}' is meant"):
        predict_edges(genes, [genes.ids[3] + "_"], CanonicalProjection())
    with pytest.raises(InvalidInputError, match="150 of 150"):
        predict_edges(genes, genes.ids, CanonicalProjection())


def test_parameters_are_chosen_on_training_genes(genes):
    few = replace(genes, names=("a",), kernels=genes.kernels[:1])
    *_, plain = judging_edges(few, EdgeConfig(folds=2))
    *_, tuned = judging_edges(few, EdgeConfig(folds=2, tuned=True))
    assert any(cell.fitted != type(cell.fitted)() for cell in tuned.cells)
    assert all(cell.fitted == type(cell.fitted)() for cell in plain.cells)
    hidden = np.array(genes.A)
    fold = gene_folds(150, 2, 0)[0]
    noise = np.random.default_rng(1).random((fold.size, 150)) < 0.3
    hidden[fold], hidden[:, fold] = noise, noise.T
    first = next(iter(judging_edges(replace(few, A=hidden), EdgeConfig(folds=2, tuned=True))))
    assert first.cells[0].fitted == tuned.cells[0].fitted


def test_genes_are_brought_together_by_id():
    A = np.ones((5, 5)) - np.eye(5)
    K = GramMatrix(np.eye(4) + 0.5, ("d", "c", "b", "a"), "K")
    made = gene_data({"K": K}, Network(("a", "b", "c", "d", "e"), A))
    assert made.ids == ("a", "b", "c", "d")
    assert made.dropped == ("e",)
    with pytest.raises(InvalidInputError, match="at least four genes"):
        gene_data({"K": K}, Network(("a", "x"), np.zeros((2, 2))))
    holes = np.array(K.values)
    holes[0, 1] = holes[1, 0] = np.nan
    with pytest.raises(InvalidInputError, match="unknown ones in 'K'"):
        gene_data({"K": GramMatrix(holes, K.ids)}, Network(K.ids, A[:4, :4]))
    with pytest.raises(InvalidInputError, match="at least one kernel"):
        gene_data({}, Network(K.ids, A[:4, :4]))


@pytest.mark.parametrize("method", ["clip", "flip", "shift", "square"])
def test_what_is_no_kernel_is_repaired_on_training_genes_alone(genes, method, rng):
    """Entries by projections on the eigenvectors of the training block; of what other genes are, nothing enters it."""
    noise = rng.normal(size=(60, 60))
    K = genes.kernels[0][:60, :60] + 0.1 * (noise + noise.T)
    ids, T = genes.ids[:60], np.arange(45)
    data = gene_data(
        {"odd": GramMatrix(K, ids), "fine": GramMatrix(np.eye(60) + 0.5, ids)},
        Network(ids, genes.A[:60, :60]),
        repair=method,
    )
    assert data.indefinite == ("odd",)
    made = repaired(data.kernels[0], T, repair_step(method))
    lam, V = np.linalg.eigh(K[:45, :45])
    phi = np.diag(1 / lam) @ V.T @ K[:45]  # of all genes; the eigenvectors themselves on T
    f = {"clip": np.maximum(lam, 0), "flip": abs(lam), "shift": lam - lam[0], "square": lam**2}[method]
    block = V @ np.diag(f) @ V.T
    assert made[:45, :45] == pytest.approx(block, abs=1e-9)
    crossed = K[45:, :45] if method == "shift" else phi[:, 45:].T @ np.diag(f) @ V.T
    assert made[45:, :45] == pytest.approx(crossed, abs=1e-9)
    held = np.clip(phi[:, 45:], -1, 1)
    within = K[45:, 45:] + held.T @ np.diag(f - lam) @ held
    within = {"shift": K[45:, 45:] - lam[0] * np.eye(15), "square": K[45:, :45] @ K[:45, 45:]}.get(
        method, within
    )
    assert made[45:, 45:] == pytest.approx(within, abs=1e-9)
    scores = predict_edges(data, ids[45:], TwoStepRidge(), "odd").scores
    other = np.array(data.kernels)
    other[0, 45:, 45:] += 1.0  # a method that reads similarities to training genes knows nothing of these
    assert np.array_equal(
        scores, predict_edges(replace(data, kernels=other), ids[45:], TwoStepRidge(), "odd").scores
    )


def test_a_network_without_edges_is_refused():
    data = gene_data({"K": GramMatrix(np.eye(6))}, Network(tuple("123456"), np.zeros((6, 6))))
    with pytest.raises(InvalidInputError, match="no edge among"):
        next(judging_edges(data, EdgeConfig(folds=2)))


def test_a_run_goes_on_from_what_is_done(genes):
    some = slice(70)
    views = tuple(K[some, some] for K in genes.kernels[:2])
    few = replace(genes, ids=genes.ids[some], A=genes.A[some, some], names=("a", "b"), kernels=views)
    states = list(judging_edges(few, EdgeConfig(folds=2)))
    for done in (1, 6, 20, 30, 31, len(states)):
        *_, last = [states[done - 1], *judging_edges(few, EdgeConfig(folds=2), done=states[done - 1])]
        assert last.done == last.total == len(states) == 2 * 5 * len(EDGE_METHODS)
        for mine, other in zip(last.cells, states[-1].cells, strict=True):
            assert (mine.source, mine.method, mine.fold) == (other.source, other.method, other.fold)
            assert mine.known_new == other.known_new
        assert np.array_equal(last.degree.curve, states[-1].degree.curve)


def test_means_are_over_folds_and_those_without_edges_count_nowhere(genes, table):
    one = table.summary("sum", "metric")
    found = aucs(table, "sum", "metric")
    assert (one.known_new.auc.mean, one.known_new.auc.sd) == (np.mean(found), np.std(found, ddof=1))
    assert one.known_new.pairs == 3 * 100 * 50
    assert one.known_new.prevalence.mean == pytest.approx(one.known_new.edges / one.known_new.pairs)
    assert one.curve == pytest.approx(np.mean([cell.curve for cell in table.of("sum", "metric")], axis=0))
    assert table.summary("sum", "local").new_new.auc.folds == 0
    assert table.weights("mkl").shape == (3, 4)
    # all edges of the first fold's test nodes are gone
    A = np.array(genes.A)
    alone = gene_folds(150, 3, 0)[0]
    A[alone], A[:, alone] = 0.0, 0.0
    few = replace(genes, names=("a",), kernels=genes.kernels[:1], A=A)
    *_, sparse = judging_edges(few, EdgeConfig(folds=3))
    assert sparse.without_edges == 1
    one = sparse.summary("a", "kcca")
    assert (one.known_new.auc.folds, one.new_new.auc.folds) == (2, 2)
    assert np.isfinite(one.curve).all()
    for curve, pairs in ((one.curve, one.known_new), (one.curve_new, one.new_new)):
        assert np.trapezoid(curve, dx=0.01) == pytest.approx(pairs.auc.mean, abs=0.01)


def test_one_fold_has_no_spread_and_none_has_no_mean():
    one, none = OverFolds.of([0.5, np.nan]), OverFolds.of([np.nan])
    assert (one.mean, one.folds, none.folds) == (0.5, 1, 0)
    assert np.isnan([one.sd, none.mean, none.sd]).all()
