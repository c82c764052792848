"""Better than chance, of completions, combinations and several kernels: beside the studies themselves on permuted labels."""

from dataclasses import replace

import numpy as np
import pytest

from kernex_core.base.parameters import repetition_rng
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation, kept_together
from kernex_core.learning.permutations import LabelOrders
from kernex_core.studies import against_chance
from kernex_core.studies.against_chance import combination_chance, completion_chance, together_chance
from kernex_core.studies.combination import (
    CombinationConfig,
    combination_verdict,
    combining,
    prepare_combination,
)
from kernex_core.studies.completion.candidates import verdict_at
from kernex_core.studies.completion.share_sweep import sweeping
from kernex_core.studies.completion.study import CompletionConfig, prepare_source
from kernex_core.studies.many_kernels import ManyConfig, judging_together

N = 20
IDS = tuple(f"item{k}" for k in range(N))
PROTOCOL = CrossValidation(folds=2, repeats=2, seed=3, C=5.0)


@pytest.fixture
def two(rng):
    """Two kernels, in both of which the second item is the first; one item has no label."""
    y = np.array(["a"] * 11 + ["b"] * 8 + [""])
    made = []
    for name, gap in (("one", 1.2), ("other", 0.6)):
        X = gap * (y == "a")[:, None] + rng.normal(size=(N, 4))
        X[1] = X[0]
        made.append(GramMatrix(X @ X.T, IDS, name))
    return made[0], made[1], Labels(IDS, y)


def drawn(labels, b):
    """Labels and protocol of the b-th permutation, written out: the copies are one unit."""
    rng = repetition_rng(PROTOCOL.seed, b)
    units = np.arange(N)
    units[1] = 0
    how = replace(PROTOCOL, seed=int(rng.integers(2**31 - 1)))
    y = labels.y[LabelOrders.of(labels.y, kept_together(PROTOCOL, None, units)).draw(rng)]
    assert y[0] == y[1]
    assert y[-1] == ""
    return replace(labels, y=y), how


def compared(found, values_of, labels):
    """Observed and drawn values are those that the study itself has for the same labels and folds."""
    assert dict(zip(found.names, found.observed, strict=True)) == pytest.approx(values_of(labels, PROTOCOL))
    for b, row in enumerate(found.drawn):
        assert dict(zip(found.names, row, strict=True)) == pytest.approx(values_of(*drawn(labels, b)))


@pytest.mark.parametrize("measure", ["multi_class", "one_vs_rest"])
@pytest.mark.parametrize(
    "config",
    [
        CompletionConfig(share=0.3), CompletionConfig(share=None, residual=True),
        CompletionConfig(share=0.3, normalize_after=True, constraint="free"),
    ],
)  # fmt: skip
def test_completions_are_made_once_and_judged_as_the_page_judges_them(two, measure, config, monkeypatch):
    source, target, labels = two
    ready, made, prepare = prepare_source(config, source), [], against_chance.prepare
    monkeypatch.setattr(
        against_chance, "prepare", lambda *a, **k: made.append(k["repetition"]) or prepare(*a, **k)
    )
    found = completion_chance(config, ready, target, labels, PROTOCOL, 0.4, measure=measure, permutations=3)
    # one for each repetition, and none for permuted labels
    assert made == ([0, 1] if config.share else [0])

    def values(labels, how):
        *_, last = sweeping(config, ready, target, labels, how, shares=(config.share,))
        candidates = verdict_at(last.sweep, 0.4, source="one", measure=measure).candidates
        return {each.name: each.value for each in candidates}

    compared(found, values, labels)


@pytest.mark.parametrize("measure", ["multi_class", "one_vs_rest"])
def test_combinations_are_judged_as_the_page_judges_them(two, measure):
    first, second, labels = two
    both = prepare_combination(CombinationConfig(), first, second)
    found = combination_chance(
        both, labels, PROTOCOL, first="one", second="other", measure=measure, permutations=2
    )

    def values(labels, how):
        *_, last = combining(both, labels, how)
        made = combination_verdict(last, first="one", second="other", measure=measure)
        return {each.name: each.value for each in made.candidates}

    compared(found, values, labels)


@pytest.mark.parametrize("choose_C", [False, True])
def test_weights_from_labels_are_learned_again_from_permuted_ones(two, choose_C, monkeypatch):
    first, second, labels = two
    kernels, config = {"one": first, "other": second}, ManyConfig(kind="joint", weigh="alignment")
    protocol = replace(PROTOCOL, choose_C=choose_C, repeats=1)
    monkeypatch.setattr("tests.kernex_core.studies.test_against_chance.PROTOCOL", protocol)
    found = together_chance(kernels, labels, protocol, config, refused=("product",), permutations=2)
    assert "product" not in found.names
    assert {"one alone", "sum", "alignment", "MKL", "joint", "joint, alignment"} <= set(found.names)

    def values(labels, how):
        *_, last = judging_together(kernels, labels, how, config)
        return {name: one.multi_class.mean for name, one in last.judged.items() if name != "product"}

    compared(found, values, labels)


@pytest.mark.parametrize("worlds", [8, pytest.param(20, marks=pytest.mark.science)])
def test_p_of_many_kernels_that_know_nothing_is_seldom_small(worlds):
    """Learned weights fit whatever labels there are: without learning them again p would be small nearly always."""
    below = 0
    for seed in range(worlds):
        rng = np.random.default_rng(seed)
        kernels = {}
        for k in range(4):
            X = rng.normal(size=(N, 3))
            kernels[f"k{k}"] = GramMatrix(X @ X.T, IDS, f"k{k}")
        labels = Labels(IDS, rng.permutation(np.repeat(["a", "b"], N // 2)))
        how = CrossValidation(folds=2, repeats=1, seed=seed)
        left_out = (*(f"k{k} alone" for k in range(4)), "MKL", "joint", "product")
        found = together_chance(kernels, labels, how, ManyConfig(), refused=left_out, permutations=9)
        below += min(found.p(name) for name in found.names) <= 0.1
    assert below <= 0.1 * worlds + 3 * np.sqrt(worlds * 0.1 * 0.9)
