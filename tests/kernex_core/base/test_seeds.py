"""Two neighbouring seeds share nothing beyond chance: not a fold, not a hidden set, no noise, no strings."""

from itertools import product

import numpy as np
import pytest

from kernex_core.base.parameters import repetition_rng, repetition_seed
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.learning.folds import CrossValidation, make_folds
from kernex_core.studies.completion.study import draw_hidden
from kernex_core.studies.papers.orthogonal import tables as colon
from kernex_core.studies.papers.orthogonal import tables as hidden
from kernex_core.studies.papers.orthogonal import tables as lymphoma
from kernex_core.studies.papers.orthogonal import tables as strings
from kernex_core.studies.papers.orthogonal import tables as thrombin

CODES = np.repeat([0, 1, 2], [40, 30, 20])
GROUPS = np.array([f"g{k // 3}" for k in range(CODES.size)])
REPEATS = 10
FEW = 4


def folds(seed, groups=None):
    config = CrossValidation(folds=2, repeats=REPEATS, seed=seed, grouped=groups is not None)
    return [frozenset(fold.test.tolist()) for fold in make_folds(CODES, config, groups=groups)]


def hidden_sets(seed):
    known = np.ones(90, dtype=bool)
    return [frozenset(draw_hidden(known, 0.5, seed, r).tolist()) for r in range(REPEATS)]


def draws(module, run, monkeypatch):
    """What the repetitions of a study draw: kernels and folds, without judging them."""
    caught = []
    monkeypatch.setattr(module, "measuring", lambda plan, *_, **__: caught.append(plan) or iter(()))
    run()
    parts = [caught[0].draw(r).parts[0] for r in range(FEW)]
    return [K.values.tobytes() for K, _ in parts], [
        fold.test.tobytes() for _, folds in parts for fold in folds
    ]


def test_folds():
    for groups in (None, GROUPS):
        seeds = [folds(seed, groups) for seed in range(4)]
        for a, b in ((0, 1), (1, 2), (0, 3)):
            assert not set(seeds[a]) & set(seeds[b])
        assert len({fold for of in seeds for fold in of}) == 4 * 2 * REPEATS


def test_two_folds_overlap_as_by_chance():
    """Tests halves of two seeds have a half of their items in common, give or take."""
    shared = [len(a & b) / len(a) for a, b in product(folds(0), folds(1))]
    assert abs(np.mean(shared) - 0.5) < 1e-12  # the halves of a repetition are complements
    assert 0.02 < np.std(shared) < 0.12


def test_hidden_sets():
    sets = [hidden_sets(seed) for seed in range(4)]
    assert len({drawn for of in sets for drawn in of}) == 4 * REPEATS
    shared = [len(a & b) / len(a) for a, b in product(sets[0], sets[1])]
    assert 0.45 < np.mean(shared) < 0.55


def test_strings():
    def of(seed):
        config = strings.OrthogonalConfig(seed=seed, trials=2)
        drawn = [strings.draw(config, trial) for trial in range(REPEATS)]
        return [K.values.tobytes() for K, _, _ in drawn], [fold.test.tobytes() for _, _, fold in drawn]

    (kernels, splits), (others, other_splits) = of(0), of(1)
    assert len(set(kernels)) == len(set(others)) > 1
    assert not set(kernels) & set(others)
    assert not set(splits) & set(other_splits)


def vectors_of(n, d):
    rng = np.random.default_rng(1)
    X = np.exp(rng.normal(size=(n, d)))
    return Vectors(tuple(map(str, range(n))), X), Labels(
        tuple(map(str, range(n))), np.repeat(["a", "b"], n // 2)
    )


STUDIES = {
    "colon": (colon, lambda seed: colon.measuring_table_2(colon.ColonConfig(seed=seed), *vectors_of(40, 6))),
    "hidden": (hidden, lambda seed: hidden.measuring_table_3(hidden.HiddenConfig(seed=seed))),
    "thrombin": (
        thrombin,
        lambda seed: thrombin.measuring_table_4(
            thrombin.ThrombinConfig(seed=seed),
            GramMatrix(np.eye(40) + 1.0, tuple(map(str, range(40)))),
            vectors_of(40, 2)[1],
        ),
    ),
    "lymphoma": (
        lymphoma,
        lambda seed: lymphoma.measuring_table_5(lymphoma.LymphomaConfig(seed=seed), *vectors_of(40, 6)),
    ),
}


@pytest.mark.parametrize("name", STUDIES)
def test_studies_of_papers(monkeypatch, name):
    """Folds, sparse noise and simulated data of their repetitions."""
    module, run = STUDIES[name]
    (kernels, tests), (others, other_tests) = (
        draws(module, lambda seed=seed: run(seed), monkeypatch) for seed in (0, 1)
    )
    assert len(set(tests)) == len(tests)
    assert not set(tests) & set(other_tests)
    if name in ("colon", "hidden"):
        assert len(set(kernels)) == FEW
        assert not set(kernels) & set(others)


def test_a_repetition_is_what_it_was_whatever_stands_beside_it():
    config = CrossValidation(folds=5, repeats=3, seed=7)
    more = CrossValidation(folds=5, repeats=6, seed=7)
    for a, b in zip(make_folds(CODES, config), make_folds(CODES, more), strict=False):
        np.testing.assert_array_equal(a.test, b.test)


def test_seeds_and_repetitions_are_not_added():
    pairs = list(product(range(40), range(40)))
    assert len({repetition_seed(s, r) for s, r in pairs}) == len(pairs)
    assert len({repetition_rng(s, r).integers(2**63) for s, r in pairs}) == len(pairs)
    assert all(0 <= repetition_seed(s, r) < 2**32 for s, r in [(0, 0), (2**31 - 1, 10**6), (2**40, 3)])
