"""The engine beside fits that are written out, in one thread and in many, for one visitor and for several."""

import threading

import numpy as np
import pytest

from kernex_core.conditioning.empirical_map import EmpiricalMap
from kernex_core.conditioning.power import SignedPower
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import split_inductively, split_transductively
from kernex_core.inputs.samples import Labels
from kernex_core.learning.cells import scores_of
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.machine import (
    UNSCALED,
    Machine,
    Margin,
    cross_decisions,
    cut_of,
    fit_one_vs_rest,
    over_folds,
    over_folds_in_steps,
)
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.runtime.progress import finished
from kernex_core.studies.diagonals.judging import judging_all
from tests.patience import PATIENCE

VALIDATION = CrossValidation(folds=5, repeats=3, C=2.0)


@pytest.fixture
def kernel(rng):
    codes = np.arange(60) % 3
    X = rng.normal(size=(60, 5)) + np.eye(5)[codes]
    K = GramMatrix(X @ X.T)
    return K, Labels(K.ids, np.array(["a", "b", "c"])[codes])


def written_out(K, how, margin):
    """Decisions of every fold, one after another, each fit as the formulas say."""
    found = []
    for fold in how.folds:
        block, cross = K[np.ix_(fold.train, fold.train)], K[np.ix_(fold.test, fold.train)]
        unit = np.diag(block).mean() if margin.scaled else 1.0
        made = fit_one_vs_rest(
            block / unit, how.coded.codes[fold.train], 3, C=2.0, asymmetry=margin.asymmetry, checked=True
        )
        found.append(cross / unit @ made.coefficients.T + made.bias)
    return found


@pytest.mark.parametrize("margin", [UNSCALED, Margin(), Margin(asymmetry=0.4), Margin(False, 0.4)])
@pytest.mark.parametrize("setting", ["1", "8"])
def test_decisions_are_those_of_fits_one_after_another(kernel, monkeypatch, margin, setting):
    monkeypatch.setenv("KERNEX_THREADS", setting)
    K, labels = kernel
    how = Judging.of(labels, Protocol(VALIDATION, margin))
    found = cross_decisions(K.values, how.coded, how.folds, Machine(2.0, margin))
    for made, expected in zip(found, written_out(K.values, how, margin), strict=True):
        np.testing.assert_allclose(made, expected, atol=1e-2)  # fits end within the tolerance
    scores = scores_of(K.values, how.repetitions[1])
    truth = np.concatenate([how.coded.codes[fold.test] for fold in how.repetitions[1].folds])
    named = np.concatenate([made.argmax(axis=1) for made in found[5:10]])
    assert scores.multi_class == (named == truth).mean()


@pytest.mark.parametrize("inductive", [False, True])
def test_a_cut_takes_further_steps_after_those_of_the_kernel(kernel, inductive):
    K, labels = kernel
    step = EmpiricalMap(SignedPower(0.5))
    fold = Judging.of(labels, Protocol(VALIDATION)).folds[0]
    found = cut_of(K, inductive=inductive, further=(step,))(fold.train, fold.test)
    split = split_inductively if inductive else split_transductively
    expected = split(K.then(step), fold.train, fold.test)
    np.testing.assert_array_equal(found.K_train, expected.K_train)
    np.testing.assert_array_equal(found.K_cross, expected.K_cross)


def test_pieces_are_the_whole_in_the_order_of_the_folds(kernel):
    K, labels = kernel
    how, cut = Judging.of(labels, Protocol(VALIDATION)), cut_of(K, inductive=False)
    whole = over_folds(lambda fold, blocks: (fold, blocks.K_train.shape), cut, how.folds)
    pieces = over_folds_in_steps(lambda fold, blocks: (fold, blocks.K_train.shape), cut, how.folds)
    assert [one for piece in pieces for one in piece] == whole
    assert [fold for fold, _ in whole] == list(how.folds)


def everything(K, labels):
    """Numbers of Evaluate, of the cells that Combine and Complete share, and of Large diagonals."""
    how = Judging.of(labels, Protocol(VALIDATION))
    judged = judge(K, labels, VALIDATION)
    cells = [scores_of(K.values, part).by_fold for part in how.repetitions]
    losses = finished(judging_all(K, how))
    return [
        judged.fold_accuracy,
        *map(np.ndarray.tolist, cells),
        *(found.values.tolist() for found in losses.values()),
    ]


def test_threads_and_visitors_at_once_change_no_bit(kernel, monkeypatch):
    alone = everything(*kernel)
    for setting in ("1", "16"):
        monkeypatch.setenv("KERNEX_THREADS", setting)
        found = {}

        def visit(name, found=found):
            found[name] = everything(*kernel)

        visitors = [threading.Thread(target=visit, args=(name,)) for name in range(2)]
        for visitor in visitors:
            visitor.start()
        for visitor in visitors:
            visitor.join(PATIENCE)
        assert found == {0: alone, 1: alone}
