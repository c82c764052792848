"""All that is on a picture is in its verdict: every value, every row, and the plain baselines, corrected together."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from kernex_core import CrossValidation, Diffusion, load_dataset, prepare_network, sweeping_network
from kernex_core.conditioning.network_features import prepare_features
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.items.match import match_features
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.paired import holm, paired
from kernex_core.learning.folds import Fold
from kernex_core.learning.machine import Coded
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.studies.diagonals.judging import neighbour_losses
from kernex_core.studies.diagonals.shrink import DiagonalConfig
from kernex_core.studies.diagonals.strength_sweep import sweeping
from kernex_core.studies.many_kernels import ManyConfig, judging_together
from kernex_core.studies.networks.features.accuracy import sweeping_features

ONCE = CrossValidation(folds=2, repeats=2, C=1.0)
TAUS = (0.1, 1.0, 10.0)


def judged(judgements, measure="multi_class"):
    """What each item has, the passes, and the groups."""
    first = next(iter(judgements.values()))
    return {name: one.by_item(measure) for name, one in judgements.items()}, first.passes, first.units


def check(verdict, values, passes, groups, plain, smaller=False):
    """The verdict beside pairs that are compared one by one, Holm over all of them."""
    means = {name: np.nanmean(rows) for name, rows in values.items()}
    assert {each.name: each.value for each in verdict.candidates} == pytest.approx(means)
    order = [each.value for each in verdict.candidates]
    assert order == sorted(order, reverse=not smaller)
    assert {each.name for each in verdict.candidates if each.plain} == set(plain)
    pairs = list(combinations(values, 2))
    corrected = holm([paired(values[a], values[b], passes, groups=groups).p for a, b in pairs])
    p = {frozenset(pair): one for pair, one in zip(pairs, corrected, strict=True)}
    best = verdict.best.name
    for each in verdict.candidates[1:]:
        assert each.p == pytest.approx(p[frozenset((best, each.name))])
        assert each.told_apart == (each.p < 0.05)


def test_every_tau_of_a_network_is_a_candidate_once_all_are_judged():
    data = load_dataset("blocks")
    prepared = prepare_network(data.samples["network"], Diffusion().operator)
    *before, found = sweeping_network(prepared, [Diffusion(tau=tau) for tau in TAUS], data.labels, ONCE)
    assert all(state.verdict() is None for state in before)
    for measure in ("multi_class", "auc"):
        named = dict(zip(("tau = 0.1", "tau = 1", "tau = 10"), found.judged, strict=True))
        check(found.verdict(measure), *judged(named, measure), ())
    assert [each.name for each in found.verdict(names="abc").candidates] == sorted(
        "abc", key=lambda name: -found.judged["abc".index(name)].multi_class.mean
    )
    # names that say less than the values do
    assert len(found.verdict(names=("τ", "τ", "other")).candidates) == 3


def test_the_plain_kernel_is_beside_every_value_on_a_network():
    data = load_dataset("expression_on_a_network")
    prepared = prepare_features(match_features(data.samples["expression"], data.feature_networks["genes"]))
    *before, found = sweeping_features(prepared, [Diffusion(tau=tau) for tau in TAUS], data.labels, ONCE)
    assert all(state.verdict() is None for state in before)
    every = {"plain kernel": found.plain} | dict(
        zip(("tau = 0.1", "tau = 1", "tau = 10"), found.judged, strict=True)
    )
    check(found.verdict(), *judged(every), ("plain kernel",))


def test_kernels_alone_and_their_equal_sum_are_baselines_of_what_is_learned():
    data = load_dataset("three_sources")
    *before, found = judging_together(data.kernels, data.labels, ONCE, ManyConfig(nugget=0.1))
    assert all(state.verdict is None for state in before[:-1])
    check(found.verdict, *judged(found.judged), {*(f"{name} alone" for name in data.kernels), "sum"})


@pytest.fixture(scope="module")
def swept():
    """A kernel with a large diagonal: items of two classes, far from each other as they are."""
    rng = np.random.default_rng(5)
    y = np.repeat(["a", "b"], 14)
    X = np.exp(rng.normal(size=(28, 30)) * 2.0) * (rng.random((28, 30)) < 0.2 + 0.3 * (y == "a")[:, None])
    K = GramMatrix(X @ X.T)
    protocol = Protocol(CrossValidation(folds=2, repeats=2, C=1e6))
    *_, found = sweeping(DiagonalConfig(), K, Labels(K.ids, y), protocol)
    return found


def named(classifier, strength):
    return f"{classifier} {'as it is' if strength is None else strength}"


def test_every_classifier_at_every_strength_is_beside_the_kernel_as_it_is(swept):
    values = {named(name, None): one.by_item for name, one in swept.original.items()}
    plain = set(values)
    for strength, losses in zip(swept.strengths, swept.judged, strict=True):
        values |= {named(name, strength): one.by_item for name, one in losses.items()}
    assert len(values) == 3 * (1 + len(swept.strengths))
    passes = swept.original["svm"].passes
    check(swept.verdict(named), values, passes, None, plain, smaller=True)
    # each beside the same classifier, on the kernel as it is: that was fixed before, so these pairs alone are corrected for
    keys = [(name, at) for at in swept.strengths for name in swept.original]
    found = [paired(values[named(*key)], values[named(key[0], None)], passes) for key in keys]
    expected = dict(zip(keys, holm([one.p for one in found]), strict=True))
    against = swept.against_as_it_is()
    assert {key: p for key, (_, p) in against.items()} == pytest.approx(expected)
    for key, (one, _) in against.items():
        assert one.difference == pytest.approx(
            values[named(*key)].mean() - values[named(key[0], None)].mean()
        )


def test_of_losses_that_do_not_test_the_same_items_nothing_is_told_apart(rng, swept):
    X = rng.normal(size=(12, 3))
    codes, order = np.repeat([0, 1], 6), rng.permutation(12)
    folds = [Fold(order[:6], order[6:], 0), Fold(order[6:], order[:6], 1)]
    how = Judging.given(Coded(codes, ("a", "b")), folds, C=1.0)
    losses = {"neighbour": neighbour_losses(GramMatrix(X @ X.T), how)}
    found = replace(swept, strengths=(0.5,), judged=(losses,), original=losses)
    assert found.verdict(named) is None
    assert found.against_as_it_is() == {}
