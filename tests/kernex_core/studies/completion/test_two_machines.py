"""Two machines beside machines of scikit-learn that are asked one item and one class at a time."""

import numpy as np
import pytest
from sklearn.svm import SVC

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.cells import scores_of, scores_of_decisions
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.machine import UNSCALED, cross_decisions
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.studies.completion.share_sweep import TWO_MACHINES, sweeping, two_machines
from kernex_core.studies.completion.study import CompletionConfig, prepare, prepare_source

C = 2.0


def world(rng, n_classes, n=48):
    """Two kernels of the same items, the target the better one, and how they are judged."""
    codes = np.arange(n) % n_classes
    kernels = []
    for noise in (1.5, 0.7):
        X = np.eye(n_classes)[codes] + noise * rng.normal(size=(n, n_classes))
        kernels.append(np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=2) / 2.0))
    ids = tuple(f"i{k}" for k in range(n))
    labels = Labels(ids, np.array([f"class {code}" for code in codes]))
    how = Judging.of(labels, Protocol(CrossValidation(folds=5, repeats=1, C=C, seed=3), UNSCALED))
    return *kernels, labels, how


def answer(K, item, train, member):
    """Decision value of one item by a machine of scikit-learn."""
    machine = SVC(C=C, kernel="precomputed", tol=1e-7).fit(K[np.ix_(train, train)], member)
    return float(machine.decision_function(K[np.ix_([item], train)])[0])


def asked_one_by_one(source, target, known, how):
    """Which machine answers is found out for every item and class anew."""
    codes, n_classes = how.coded.codes, len(how.coded.classes)
    found = []
    for fold in how.folds:
        decided = np.zeros((fold.test.size, n_classes))
        seen = np.array([item for item in fold.train if known[item]], dtype=int)
        for row, item in enumerate(fold.test):
            for c in range(n_classes):
                by_target = known[item] and 0 < (codes[seen] == c).sum() < seen.size
                K, train = (target, seen) if by_target else (source, fold.train)
                decided[row, c] = answer(K, item, train, codes[train] == c)
        found.append(decided)
    return found


@pytest.mark.parametrize("n_classes", [2, 3, 6])
@pytest.mark.parametrize("hidden", [0, 12, 36, 43, 47, 48])
def test_every_question_is_answered_by_the_machine_that_can(rng, n_classes, hidden):
    source, target, _, how = world(rng, n_classes)
    known = np.ones(48, dtype=bool)
    known[rng.permutation(48)[:hidden]] = False
    S = np.flatnonzero(known)
    # what is unknown is not looked at
    seen = target[np.ix_(S, S)]
    found = two_machines(source, seen, S, how)
    for made, expected in zip(found, asked_one_by_one(source, target, known, how), strict=True):
        np.testing.assert_allclose(made, expected, atol=2e-2)  # fits end within the tolerance


def test_known_everywhere_it_is_the_target_and_nowhere_the_source(rng):
    source, target, _, how = world(rng, 3)
    everyone, nobody = np.arange(48), np.zeros(0, dtype=int)
    for made, K in (
        (two_machines(source, target, everyone, how), target),
        (two_machines(source, np.zeros((0, 0)), nobody, how), source),
    ):
        alone = cross_decisions(K, how.coded, how.folds, how.protocol.machine())
        for one, other in zip(made, alone, strict=True):
            np.testing.assert_array_equal(one, other)
        assert scores_of_decisions(made, how).multi_class == scores_of(K, how).multi_class


@pytest.mark.parametrize("config", [{}, {"normalize_after": True}, {"normalize": False}])
def test_the_sweep_judges_the_kernels_that_the_completion_has(rng, config):
    """The target's block is the one that is extrapolated, the source that which stands alone: no other nugget or scale."""
    source, target, labels, _ = world(rng, 3)
    sizes = np.exp(rng.normal(0.0, 0.5, 48))
    source, target = (K * np.outer(sizes, sizes) for K in (source, target))
    source, target = GramMatrix(source, labels.ids), GramMatrix(target, labels.ids)
    completion = CompletionConfig(share=0.5, **config)
    ready, protocol = prepare_source(completion, source), CrossValidation(folds=2, repeats=2, C=C)
    *_, last = sweeping(completion, ready, target, labels, protocol, shares=(0.5,))
    for cell in last.sweep.cells:
        made = prepare(completion, ready, target, repetition=cell.repetition)
        T = made.extrapolation.T_known.copy()
        K = ready.values.copy()
        if config.get("normalize_after"):
            T, K = (M / np.sqrt(np.outer(np.diag(M), np.diag(M))) for M in (T, K))
        expected = scores_of_decisions(two_machines(K, T, np.flatnonzero(made.known), cell.how), cell.how)
        np.testing.assert_allclose(cell.plain[TWO_MACHINES].by_item, expected.by_item)
        # a hidden item is decided as by the source alone, a known one is not
        alone = last.sweep.levels["source"][cell.repetition].by_item
        shown = cell.plain[TWO_MACHINES].by_item
        np.testing.assert_array_equal(shown[made.hidden], alone[made.hidden])
        assert (shown[made.known] != alone[made.known]).any()
