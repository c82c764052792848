"""Filters of warnings belong to the process: what threads do must not need any."""

import threading
import warnings

import numpy as np
import pytest

from kernex_core.learning import machine as svm
from kernex_core.learning.folds import CrossValidation, make_folds
from tests.patience import PATIENCE


def test_fits_that_end_early_are_counted_and_leave_the_filters(monkeypatch, rng):
    monkeypatch.setattr(svm, "iteration_limit", lambda n: 3)
    X = rng.standard_normal((40, 3))
    codes = np.tile([0, 1], 20)
    found = []

    def fit():
        found.append(svm.fit_one_vs_rest(X @ X.T, codes, 2, C=1e6, checked=True).not_converged)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        before = list(warnings.filters)
        threads = [threading.Thread(target=fit) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        after = list(warnings.filters)
    assert found == [1, 1, 1, 1]
    assert after == before


@pytest.mark.parametrize("grouped", [False, True])
def test_folds_of_small_classes_warn_of_nothing_and_leave_the_filters(grouped):
    codes = np.repeat([0, 1, 2], [20, 9, 2])
    groups = np.array([f"g{i % 8}" for i in range(codes.size)])
    config = CrossValidation(folds=5, repeats=2, grouped=grouped)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        before = list(warnings.filters)
        assert len(make_folds(codes, config, groups=groups)) == 10
        assert list(warnings.filters) == before
