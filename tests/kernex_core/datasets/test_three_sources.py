"""Three sources: weights and accuracies of a few data sets are near those that are documented for ten."""

import numpy as np
import pytest

from kernex_core.datasets.vectors import three_sources
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.mkl.judging import judge_many
from kernex_core.learning.mkl.learn import mkl
from kernex_core.learning.mkl.weightings import EqualWeights, LearnedWeights, Together

SEEDS = range(4)
CONFIG = CrossValidation(folds=5, repeats=1, C=1.0)


@pytest.fixture(scope="module")
def measured():
    rows = []
    for seed in SEEDS:
        data = three_sources(seed)
        made = [judge(K, data.labels, CONFIG).multi_class.mean for K in data.kernels.values()]
        made += [
            judge_many(data.kernels, data.labels, CONFIG, Together(way)).judgement.multi_class.mean
            for way in (EqualWeights(), LearnedWeights(C=1.0))
        ]
        rows.append([*mkl(data.kernels, data.labels.y, C=1.0).weights, *(100.0 * np.array(made))])
    return np.array(rows)


def test_means_are_within_three_standard_errors(measured):
    documented = np.array([0.88, 0.12, 0.0, 86.9, 83.8, 44.2, 85.1, 86.6])
    spread = np.array([0.12, 0.12, 0.01, 2.5, 2.5, 4.0, 2.5, 2.5])
    error = spread * np.hypot(len(measured) ** -0.5, 10**-0.5)
    assert (np.abs(measured.mean(axis=0) - documented) <= 3.0 * error).all()
    assert (measured[:, 2] <= 0.02).all()


def test_the_noise_knows_nothing_and_the_blur_costs_something(measured):
    clear, blurred, noise = measured[:, 3:6].mean(axis=0)
    assert clear > blurred > noise + 20.0


def test_the_data_are_what_the_description_says():
    data = three_sources(0)
    X = data.samples["clear"].X
    second = data.labels.y == "second"
    assert (data.n, X.shape[1], second.sum()) == (120, 6, 60)
    assert [name for name, _ in data.labels.classes] == ["first", "second"]
    difference = X[second].mean(axis=0) - X[~second].mean(axis=0)
    np.testing.assert_allclose(difference, [2.0, 1.2, 0.0, 0.0, 0.0, 0.0], atol=3.5 * np.sqrt(2 / 60))
    blur = data.samples["blurred"].X - X
    assert blur.std() == pytest.approx(0.5, abs=0.05)
    assert abs(np.corrcoef(data.samples["noise"].X.ravel(), X.ravel())[0, 1]) < 0.15
