"""The same kernel alone, under the same folds and seed, has the same accuracy on every page."""

import numpy as np
import pytest

from kernex_core.conditioning.repairs import Clip
from kernex_core.datasets.catalogue import load_dataset
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.machine import UNSCALED, cross_decisions
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.studies.combination import CombinationConfig, combining, prepare_combination
from kernex_core.studies.completion.share_sweep import sweeping
from kernex_core.studies.completion.study import CompletionConfig, prepare_source
from kernex_core.studies.diagonals.judging import SVM_TOLERANCE
from kernex_core.studies.diagonals.shrink import DiagonalConfig
from kernex_core.studies.diagonals.strength_sweep import losses_at
from kernex_core.studies.evaluation import EvaluationConfig, evaluating
from kernex_core.studies.papers.extrapolation.tables import measuring


@pytest.fixture(scope="module")
def world():
    return load_dataset("protein_world")


@pytest.mark.parametrize("folds", [2, 5])
def test_on_combine_evaluate_complete_and_papers(world, folds):
    source, target, labels = world.kernels["sequence"], world.kernels["structure"], world.labels
    validation = CrossValidation(folds=folds, repeats=3, C=1.5, seed=2)
    hiding = CompletionConfig(share=0.5, seed=2)
    ready = prepare_source(hiding, source)
    pair = prepare_combination(CombinationConfig(), source, target)
    combined = list(combining(pair, labels, validation, lams=(0.5,)))[-1]
    judged = list(evaluating(EvaluationConfig(), {"source": source, "target": target}, labels, validation))[
        -1
    ]
    sweep = list(sweeping(hiding, ready, target, labels, validation, shares=(0.5,)))[-1].sweep
    tables = list(measuring(hiding, source, target, labels, validation, shares=(0.5,), lams=(0.5,)))[-1]
    for measure in ("multi_class", "one_vs_rest"):
        for role, other in (("source", "first"), ("target", "second")):
            on_evaluate = getattr(judged.judgements[role], measure)
            on_combine = combined.values(other, 0.0, measure)
            on_complete = np.mean([getattr(score, measure) for score in sweep.levels[role]])
            on_papers = tables.alone(role, measure)
            assert np.mean(on_combine) == pytest.approx(on_evaluate.mean, abs=1e-12)
            assert on_complete == pytest.approx(on_evaluate.mean, abs=1e-12)
            assert on_papers.mean == pytest.approx(on_evaluate.mean, abs=1e-12)
            assert on_papers.sd_repeats == pytest.approx(on_evaluate.sd_repeats, abs=1e-12)


@pytest.mark.parametrize("role", ["sequence", "structure"])
def test_on_large_diagonals_too_where_the_kernel_is_not_divided(world, role):
    """Balanced loss in each fold there is one less the mean recall of the decisions that Evaluate has in that fold."""
    K, labels = world.kernels[role].then(Clip()).then(CosineNormalize()), world.labels
    validation = CrossValidation(folds=2, repeats=3, C=1.5, seed=2)
    how = Judging.of(labels, Protocol(validation, UNSCALED), K=K)
    machine = how.protocol.machine(tolerance=SVM_TOLERANCE)
    expected = []
    for fold, made in zip(how.folds, cross_decisions(K.values, how.coded, how.folds, machine), strict=True):
        truth, named = how.coded.codes[fold.test], made.argmax(axis=1)
        expected.append(1.0 - np.mean([(named[truth == c] == c).mean() for c in np.unique(truth)]))
    found = losses_at(DiagonalConfig(p=1.0, scheme="clip"), K, labels, how.protocol)["svm"]
    assert found.values == pytest.approx(expected, abs=1e-12)
    # on the same folds, so that as many items are named rightly as on the page Evaluate, up to the finer tolerance
    judged = judge(K, labels, validation)
    sizes = [fold.test.size for fold in how.folds]
    right = sum(
        int((made.argmax(axis=1) == how.coded.codes[fold.test]).sum())
        for fold, made in zip(
            how.folds, cross_decisions(K.values, how.coded, how.folds, how.protocol.machine()), strict=True
        )
    )
    assert judged.multi_class.mean == pytest.approx(right / sum(sizes), abs=1e-12)
