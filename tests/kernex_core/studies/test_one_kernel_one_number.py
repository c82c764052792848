"""The same kernel alone, under the same folds and seed, has the same accuracy on every page."""

import numpy as np
import pytest

from kernex_core.datasets.catalogue import load_dataset
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.combination import CombinationConfig, combining, prepare_combination
from kernex_core.studies.completion.config import CompletionConfig
from kernex_core.studies.completion.study import prepare_source
from kernex_core.studies.completion.sweep import sweeping
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
