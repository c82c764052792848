"""Parameters chosen inside folds over genes and over pairs: on what a fold trains on, and without any gain by it."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from kernex_core import EDGE_METHODS, EdgeConfig, gene_data, judging_edges, judging_missing, load_dataset
from kernex_core.learning.edges.genes import PAIR_BASELINES, gene_folds, pair_folds
from kernex_core.learning.edges.methods import Direct, MetricLearning, TwoStepRidge
from kernex_core.studies.networks.edges.judging import trained_on_all, trained_without
from kernex_core.studies.networks.edges.predicting import choose_for_new
from kernex_core.studies.networks.edges.sources import Choice, inner_pair_folds, values_chosen

N = 40


@pytest.fixture(scope="module")
def genes():
    data = load_dataset("interacting_genes")
    whole = gene_data(data.kernels, data.samples["network"])
    return replace(
        whole,
        ids=whole.ids[:N],
        names=whole.names[:2],
        kernels=whole.kernels[:2, :N, :N],
        A=whole.A[:N, :N],
    )


def one(data):
    return replace(data, names=data.names[:1], kernels=data.kernels[:1])


def with_noise(A, rows, columns):
    noisy = np.array(A)
    values = np.random.default_rng(0).random(rows.shape) < 0.5
    noisy[rows, columns] = values
    noisy[columns, rows] = values
    return noisy


@pytest.fixture(scope="module")
def two_folds(genes):
    """Hidden pairs of one kernel: states of the first two folds."""
    return list(islice(judging_missing(one(genes), 3, 1, True), 2))


def same(mine, theirs):
    """Choices and weights, to the bit."""
    assert [cell.fitted for cell in mine] == [cell.fitted for cell in theirs]
    assert any(cell.fitted != type(cell.fitted)() for cell in mine)
    for a, b in zip(mine, theirs, strict=True):
        assert np.array_equal(a.eta, b.eta)


def test_labels_of_hidden_pairs_change_no_choice(genes, two_folds):
    """They become noise."""
    hidden = pair_folds(N, 3, 1)[0]
    other = replace(genes, A=with_noise(genes.A, *hidden.T))
    assert not np.array_equal(other.A, genes.A)
    same(two_folds[0].cells, next(judging_missing(one(other), 3, 1, True)).cells)
    splits = [trained_without(trained_on_all(data), hidden) for data in (genes, other)]
    for source in ("alignment", "mkl"):
        a, b = (Choice.on(inner_pair_folds(split, hidden), source) for split in splits)
        assert all(np.array_equal(x.K, y.K) for x, y in zip(a.sides, b.sides, strict=True))
        assert a.best(TwoStepRidge) == b.best(TwoStepRidge)


def test_edges_of_test_genes_change_no_choice(genes):
    """They become noise; every method on every source of a fold."""
    held = np.isin(np.arange(N), gene_folds(N, 3, 1)[0])
    other = replace(genes, A=with_noise(genes.A, *np.nonzero(np.triu(held[:, None] | held, 1))))
    many = 5 * len(EDGE_METHODS)
    mine, theirs = (
        list(islice(judging_edges(data, EdgeConfig(folds=3, seed=1, tuned=True)), many))[-1].cells
        for data in (genes, other)
    )
    assert len(mine) == many
    same(mine, theirs)
    # the list of predicted edges chooses as the table does
    new = [genes.ids[k] for k in np.flatnonzero(held)]
    for cell in mine:
        if cell.source == "mkl":
            assert choose_for_new(other, new, type(cell.fitted), "mkl") == cell.fitted


def by_counting(scores, joined):
    """AUC by every comparison of an edge with a pair without one."""
    above = scores[joined][:, None] - scores[~joined]
    return float((above > 0.0).mean() + (above == 0.0).mean() / 2.0)


def test_the_choice_inside_pair_folds_is_the_best_of_all_settings(genes, two_folds):
    """Inner folds by a list of pairs, one after the other; every setting scored from the start."""
    hidden = pair_folds(N, 3, 1)[0]
    split = trained_without(trained_on_all(one(genes)), hidden)
    out = {tuple(pair) for pair in hidden.tolist()}
    left = [(i, j) for i in range(N) for j in range(i + 1, N) if (i, j) not in out]
    order = np.random.default_rng(4000 + N).permutation(len(left))
    first = two_folds[0]
    side = split.side(np.ones(1))
    for usual, settings in (
        (TwoStepRidge(), [TwoStepRidge(lam) for lam in (0.1, 1.0, 10.0, 100.0)]),
        (MetricLearning(), [MetricLearning(a, f) for a in (0.1, 1.0, 10.0) for f in (2, 3, 5, 10, 20)]),
    ):
        rated = dict.fromkeys(settings, 0.0)
        for part in range(3):
            held = [left[k] for k in sorted(order[part::3].tolist())]
            A = np.array(genes.A)
            for i, j in [*held, *out]:
                A[i, j] = A[j, i] = 0.0
            network = type(split.network)(A)
            joined = np.array([genes.A[pair] > 0.0 for pair in held])
            for made in settings:
                S = made.scores(side, network)
                rated[made] += by_counting(np.array([S[pair] for pair in held]), joined) / 3.0
        (cell,) = (cell for cell in first.cells if cell.method == usual.name)
        assert rated[cell.fitted] == pytest.approx(max(rated.values()), abs=1e-12)
        S = cell.fitted.scores(side, split.network)
        rows, columns = hidden.T
        assert cell.hidden.auc == pytest.approx(
            by_counting(S[rows, columns], genes.A[rows, columns] > 0.0), abs=1e-12
        )


def test_edges_by_chance_are_at_chance_in_both_protocols_also_with_choice_inside(genes):
    """As many edges on pairs that are drawn anew: no kernel, degree or neighbour tells of them, so every mean AUC is .5."""
    found, rows = {}, np.triu_indices(N, 1)
    for seed in range(4):
        A = np.zeros((N, N))
        A[rows] = np.random.default_rng(seed).permutation(genes.A[rows])
        data = replace(one(genes), A=A + A.T)
        *_, missing = judging_missing(data, 2, seed, True)
        *_, table = judging_edges(data, EdgeConfig(folds=2, seed=seed, tuned=True))
        of = {("two known", name): missing.summary(None, name).auc for name in PAIR_BASELINES}
        for kind in EDGE_METHODS:
            new = table.summary("view 1", kind.name)
            of["two known", kind.name] = missing.summary("view 1", kind.name).auc
            of |= {("known and new", kind.name): new.known_new.auc, ("within", kind.name): new.within}
            if kind.between_new:
                of["two new", kind.name] = new.new_new.auc
        for name, auc in of.items():
            found.setdefault(name, []).append(auc.mean)
    assert len(found) == 4 * len(EDGE_METHODS) - 1 + 2
    far = {name: aucs for name, aucs in found.items() if abs(np.mean(aucs) - 0.5) > BAND[name[0]]}
    assert not far


BAND = {"known and new": 0.08, "within": 0.08, "two new": 0.1, "two known": 0.08}
"""Three standard errors of the mean of four networks."""


def test_choices_are_counted_by_value(genes, two_folds):
    fitted = [cell.fitted for cell in two_folds[-1].of("view 1", "kcca")]
    counts = values_chosen(fitted)
    assert list(counts) == ["tau", "ridge", "features"]
    for name, times in counts.items():
        assert list(times) == sorted(times)
        assert sum(times.values()) == 2
        assert all(times[value] == [getattr(m, name) for m in fitted].count(value) for value in times)
    assert values_chosen([Direct()]) == values_chosen([]) == {}
    usual = next(judging_missing(one(genes), 2, 0))
    assert all(cell.fitted == type(cell.fitted)() for cell in usual.cells)
