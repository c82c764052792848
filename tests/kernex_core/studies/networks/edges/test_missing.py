"""Missing edges among known genes: what is hidden is seen by nothing, and ranked as by a count of all comparisons."""

from dataclasses import replace

import numpy as np
import pytest

from kernex_core import (
    EDGE_METHODS,
    GramMatrix,
    InvalidInputError,
    Network,
    gene_data,
    judging_missing,
    load_dataset,
    rank_unobserved,
)
from kernex_core.learning.edges.genes import PAIR_BASELINES, KernelSide, NetworkSide, centred, pair_folds
from kernex_core.learning.edges.methods import CanonicalProjection, LocalModels
from kernex_core.studies.networks.edges.judging import trained_on_all, trained_without


@pytest.fixture(scope="module")
def whole():
    data = load_dataset("interacting_genes")
    return gene_data(data.kernels, data.samples["network"])


def part(data, n, views=2):
    return replace(
        data,
        ids=data.ids[:n],
        names=data.names[:views],
        kernels=data.kernels[:views, :n, :n],
        A=data.A[:n, :n],
    )


@pytest.fixture(scope="module")
def genes(whole):
    return part(whole, 36)


@pytest.fixture(scope="module")
def table(genes):
    *_, last = judging_missing(genes, 3, 1)
    return last


def by_counting(scores, edges):
    """AUC by every comparison of an edge with a pair without one."""
    won = [
        1.0 if s > r else 0.5 if s == r else 0.0
        for s, e in zip(scores, edges, strict=True) if e
        for r, f in zip(scores, edges, strict=True) if not f
    ]  # fmt: skip
    return sum(won) / len(won)


def test_every_pair_is_hidden_once_and_counted(genes, table):
    folds = pair_folds(36, 3, 1)
    pairs = {tuple(pair) for fold in folds for pair in fold.tolist()}
    assert len(pairs) == sum(map(len, folds)) == 36 * 35 // 2
    assert all(i < j for i, j in pairs)
    assert not np.array_equal(folds[0], pair_folds(36, 3, 2)[0])
    assert table.done == table.total == 3 * 5
    assert len(table.cells) == 3 * 5 * len(EDGE_METHODS)
    edges = int(genes.A.sum()) // 2
    for each in (table.summary("mkl", "kcca"), table.summary(None, "common neighbours")):
        assert (each.pairs, each.edges, each.auc.folds) == (630, edges, 3)
    with pytest.raises(InvalidInputError, match="two folds over pairs"):
        pair_folds(3, 2, 0)


def test_auc_is_that_of_all_comparisons_on_the_same_hidden_pairs(genes, table):
    """Network, neighbours and degrees by sets of names of places; nothing of the study but its folds."""
    every = np.arange(36)
    for fold, hidden in enumerate(pair_folds(36, 3, 1)):
        edges = {(i, j) for i in range(36) for j in range(i + 1, 36) if genes.A[i, j]}
        asked = [tuple(pair) for pair in hidden.tolist()]
        known = edges - set(asked)
        near = [{j for e in known if i in e for j in e if j != i} for i in range(36)]
        told = [pair in edges for pair in asked]
        A = np.zeros((36, 36))
        for i, j in known:
            A[i, j] = A[j, i] = 1.0
        S = CanonicalProjection().scores(
            KernelSide(centred(genes.kernels[0], every), every, every[:0]), NetworkSide(A)
        )
        ours = next(c for c in table.cells if (c.source, c.method, c.fold) == (genes.names[0], "kcca", fold))
        assert ours.hidden.auc == pytest.approx(by_counting([S[p] for p in asked], told), abs=1e-12)
        for name, scores in {
            "common neighbours": [len(near[i] & near[j]) for i, j in asked],
            "degree product": [len(near[i]) * len(near[j]) for i, j in asked],
        }.items():
            assert table.baselines[fold][name].auc == pytest.approx(by_counting(scores, told), abs=1e-12)
    found = [c.hidden.auc for c in table.cells if (c.source, c.method) == ("mkl", "metric")]
    of = table.summary("mkl", "metric").auc
    assert (of.mean, of.sd) == pytest.approx((np.mean(found), np.std(found, ddof=1)), abs=1e-12)


def test_hidden_labels_change_no_score(genes):
    """Edges and pairs without one among the hidden pairs become noise: weights and scores stay as they are, to the bit."""
    hidden = pair_folds(36, 3, 1)[0]
    noisy = np.array(genes.A)
    noise = np.random.default_rng(0).random(len(hidden)) < 0.5
    noisy[hidden[:, 0], hidden[:, 1]] = noisy[hidden[:, 1], hidden[:, 0]] = noise
    a, b = (trained_without(trained_on_all(data), hidden) for data in (genes, replace(genes, A=noisy)))
    assert not np.array_equal(genes.A, noisy)
    for source in ("mkl", "alignment", genes.names[0]):
        eta = a.weights(source).eta
        assert np.array_equal(eta, b.weights(source).eta)
        for kind in EDGE_METHODS:
            mine, other = (kind().scores(split.side(eta), split.network) for split in (a, b))
            assert np.array_equal(mine, other, equal_nan=True)
    for score in PAIR_BASELINES.values():
        assert np.array_equal(score(a.network.A), score(b.network.A))


def test_every_method_scores_every_pair_of_known_genes_and_no_gene_with_itself_alone(genes):
    known = trained_on_all(genes)
    side = known.side(known.weights("sum").eta)
    off = ~np.eye(36, dtype=bool)
    for kind in EDGE_METHODS:
        scores = kind().scores(side, known.network)
        assert np.isfinite(scores[off]).all()
        assert scores[off] == pytest.approx(scores.T[off], abs=1e-12)
        assert len(rank_unobserved(genes, kind()).scores) == 630 - int(genes.A.sum()) // 2


def test_a_local_model_scores_a_known_pair_by_machines_that_left_it_out(genes):
    """Machine by machine with scikit-learn; and what the network says of a pair does not change the pair's own score."""
    from sklearn.svm import SVC

    every = np.arange(36)
    K = centred(genes.kernels[0], every)
    S = LocalModels(C=2.0).scores(KernelSide(K, every, every[:0]), NetworkSide(genes.A))

    def half(i, j):
        others = np.random.default_rng(3000 + i).permutation([k for k in range(36) if k != i])
        part = next(set(others[p::5].tolist()) for p in range(5) if j in others[p::5])
        learned = [k for k in range(36) if k != i and k not in part]
        y = genes.A[i, learned] > 0.0
        if y.all() or not y.any():
            return 1.0 if y.all() else -1.0
        machine = SVC(C=2.0, kernel="precomputed", class_weight="balanced", tol=1e-4)
        machine.fit(K[np.ix_(learned, learned)], y)
        return float(machine.decision_function(K[[j]][:, learned])[0])

    pairs = [(0, 1), (5, 31), (17, 30), (2, 35)]
    for i, j in pairs:
        assert S[i, j] == pytest.approx((half(i, j) + half(j, i)) / 2.0, abs=1e-3)
        turned = np.array(genes.A)
        turned[i, j] = turned[j, i] = 1.0 - turned[i, j]
        again = LocalModels(C=2.0).scores(KernelSide(K, every, every[:0]), NetworkSide(turned))
        assert again[i, j] == S[i, j]
        assert not np.array_equal(again, S, equal_nan=True)


def test_common_neighbours_do_well_without_a_kernel_on_the_demo(whole):
    first = next(judging_missing(replace(whole, names=("a",), kernels=whole.kernels[:1])))
    found = first.baselines[0]["common neighbours"]
    assert found.auc == pytest.approx(0.81, abs=0.05)
    assert found.average_precision == pytest.approx(0.27, abs=0.08)
    assert found.pairs == 11175 // 5


def test_a_run_goes_on_from_what_is_done(genes, table):
    states = list(judging_missing(genes, 3, 1))
    for done in (7,):
        *_, last = [states[done - 1], *judging_missing(genes, 3, 1, done=states[done - 1])]
        assert last == table


def test_unobserved_pairs_are_ranked_and_none_is_an_edge(genes):
    found = rank_unobserved(genes, CanonicalProjection(), "mkl")
    assert len(found.scores) == 630 - int(genes.A.sum()) // 2 == len({tuple(p) for p in found.pairs.tolist()})
    assert (np.diff(found.scores) <= 0).all()
    assert not genes.A[found.pairs[:, 0], found.pairs[:, 1]].any()
    (i, j), common = found.pairs[0], found.common[0]
    assert common == sum(bool(genes.A[i, k] and genes.A[j, k]) for k in range(36))
    assert found.names[0].tolist() == [genes.ids[i], genes.ids[j]]


def test_what_is_no_kernel_is_repaired_and_one_edge_is_too_few(genes, rng):
    noise = rng.normal(size=(36, 36))
    odd = GramMatrix(genes.kernels[0] + 0.1 * (noise + noise.T), genes.ids, "odd")
    data = gene_data({"odd": odd}, Network(genes.ids, genes.A))
    assert data.indefinite == ("odd",)
    assert np.isfinite(next(judging_missing(data, 2)).cells[0].hidden.auc)
    one = np.zeros((36, 36))
    one[0, 1] = one[1, 0] = 1.0
    with pytest.raises(InvalidInputError, match="no edge among"):
        list(judging_missing(replace(genes, A=one), 2))
