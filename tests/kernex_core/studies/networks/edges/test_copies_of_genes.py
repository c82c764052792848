"""Genes that are copies are in one fold, outside and inside; the interval draws them as wholes."""

import numpy as np
import pytest

from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.edges.genes import gene_folds
from kernex_core.learning.edges.methods import TwoStepRidge
from kernex_core.studies.networks.edges import judging
from kernex_core.studies.networks.edges import judging as verdicts
from kernex_core.studies.networks.edges.judging import edge_verdict, judging_edges
from kernex_core.studies.networks.edges.sources import EdgeConfig, GeneData, gene_copies


def twice(rng, n):
    """Every gene and its copy, whose edges are its own; edges mean nothing."""
    X = rng.normal(size=(n, 4))
    A = np.triu(rng.random((n, n)) < 0.2, 1).astype(float)
    A += A.T
    at = np.r_[np.arange(n), np.arange(n)]
    own = (X * X).sum(axis=1)
    K = np.exp(-(own[:, None] + own - 2.0 * X @ X.T))[np.ix_(at, at)]
    return GeneData(tuple(map(str, range(2 * n))), ("views",), K[None], A[np.ix_(at, at)])


def test_without_copies_folds_are_what_they_were():
    for n, folds, seed in ((23, 5, 3), (40, 4, 0)):
        order = np.random.default_rng(1000 + seed).permutation(n)
        for made in (gene_folds(n, folds, seed), gene_folds(n, folds, seed, np.arange(n))):
            assert [fold.tolist() for fold in made] == [
                sorted(order[i::folds].tolist()) for i in range(folds)
            ]


def test_folds_keep_copies_together_and_are_even():
    units = np.array([0, 1, 2, 3, 0, 5, 1, 0, 8, 9, 9, 11])
    folds = gene_folds(12, 3, 1, units)
    assert sorted(np.concatenate(folds).tolist()) == list(range(12))
    for fold in folds:
        assert not set(units[fold]) & set(units[np.setdiff1d(np.arange(12), fold)])
    assert max(map(len, folds)) - min(map(len, folds)) <= 3


def test_copies_that_are_split_are_found_and_not_predicted(rng, monkeypatch):
    data = twice(rng, 16)
    seen = []
    inner = judging.inner_gene_folds
    monkeypatch.setattr(judging, "inner_gene_folds", lambda *a: seen.extend(inner(*a)) or inner(*a))
    *_, kept = judging_edges(data, EdgeConfig(folds=2, tuned=True))
    assert kept.copies.remarks == ("32 items are copies (16 different ones), kept together.",)
    assert seen
    for one in seen:  # inside the folds, too
        assert not set(one.split.train % 16) & set(one.split.test % 16)
    *_, apart = judging_edges(data, EdgeConfig(folds=2, copies="apart"))
    assert "kept apart" in apart.copies.remarks[0]
    source = data.names[0]
    # a gene whose copy is known has that one's edges: what means nothing is found all the same
    best = {name: max(t.summary(source, m).known_new.auc.mean for m in ("kcca", "two_step", "local"))
            for name, t in (("kept", kept), ("apart", apart))}  # fmt: skip
    assert best["apart"] > best["kept"] + 0.15
    made = edge_verdict(kept, "auc", lambda method, source: f"{method} {source}")
    assert isinstance(made, Verdict)
    assert {each.interval.units for each in made.candidates} == {16}


@pytest.mark.parametrize("kernels", [np.zeros((1, 8, 8)), np.ones((1, 8, 8))])
def test_a_kernel_that_tells_no_genes_apart_joins_none(kernels):
    data = GeneData(tuple("abcdefgh"), ("one",), kernels, np.ones((8, 8)) - np.eye(8))
    found = gene_copies(data, 2)
    assert not found.kept
    assert found.aside == 8


@pytest.mark.parametrize("networks", [12, pytest.param(40, marks=pytest.mark.science)])
def test_the_interval_within_a_node_holds_the_mean_of_other_networks(monkeypatch, networks):
    """Genes are the units: networks of 30 genes, of which at most .08 and two standard errors may miss."""
    for module in (judging, verdicts):
        monkeypatch.setattr(module, "EDGE_METHODS", (TwoStepRidge,))
    found = []
    for seed in range(networks):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(30, 3))
        joined = rng.random((30, 30)) < 1.0 / (1.0 + np.exp(2.2 - X @ X.T / 1.7))
        A = np.triu(joined, 1).astype(float)
        Z = np.hstack([X + 0.7 * rng.normal(size=X.shape), rng.normal(size=X.shape)])
        data = GeneData(tuple(map(str, range(30))), ("views",), (Z @ Z.T)[None], A + A.T)
        *_, table = judging_edges(data, EdgeConfig(seed=seed))
        found.append(edge_verdict(table, "within", lambda method, source: method).of("two_step"))
    truth = np.mean([each.value for each in found])
    missed = np.mean([not each.interval.low <= truth <= each.interval.high for each in found])
    assert missed <= 0.08 + 2 * np.sqrt(0.08 * 0.92 / networks)
    # as wide as what networks differ by, too
    widths = [each.interval.high - each.interval.low for each in found]
    assert np.mean(widths) / 3.92 > 0.85 * np.std([each.value for each in found], ddof=1)
