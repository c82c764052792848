"""Influences on ROC area and Matthews correlation, by finite differences and by draws of items."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import matthews_corrcoef

from kernex_core import CrossValidation, judge
from kernex_core.learning.chance.interval import Passes, interval_of, wilson
from kernex_core.learning.chance.paired import (
    area_influence,
    influence_over_folds,
    matthews_by_item,
    matthews_slope,
)
from kernex_core.learning.scores import auc_by_class, matthews


def some(rng, n=80, c=3):
    truth = rng.integers(0, c, n)
    return truth, rng.normal(size=(n, c)).round(1) + 1.2 * np.eye(c)[truth]


def weighted_area(member, scores, w):
    p, n = np.flatnonzero(member), np.flatnonzero(~member)
    wins = (scores[p][:, None] > scores[n][None, :]) + 0.5 * (scores[p][:, None] == scores[n][None, :])
    return w[p] @ wins @ w[n] / (w[p].sum() * w[n].sum())


def test_the_influence_on_an_area_is_its_change_with_the_weight_of_an_item(rng):
    truth, decisions = some(rng, 30)
    found = area_influence(truth, decisions).sum(axis=0)
    for item in range(30):
        total = 0.0
        for c in range(3):
            up, down = np.ones(30), np.ones(30)
            up[item], down[item] = 1 + 1e-5, 1 - 1e-5
            total += weighted_area(truth == c, decisions[:, c], up) - weighted_area(
                truth == c, decisions[:, c], down
            )
        assert found[item] == pytest.approx(total / 2e-5, abs=1e-8)


def test_the_slope_of_a_correlation_is_its_change_with_a_count(rng):
    counts = rng.integers(1, 20, (3, 3)).astype(float)
    for at in np.ndindex(3, 3):
        step = np.zeros((3, 3))
        step[at] = 1e-4
        change = (matthews(counts + step) - matthews(counts - step)) / 2e-4
        assert matthews_slope(counts)[at] == pytest.approx(change, abs=1e-9)


def test_both_are_as_long_as_what_draws_of_items_give(rng):
    truth, decisions = some(rng, 150)
    given = decisions.argmax(axis=1)
    areas, correlations = [], []
    for _ in range(600):
        at = rng.integers(0, 150, 150)
        areas.append(np.mean(auc_by_class(truth[at], decisions[at])))
        correlations.append(matthews_corrcoef(truth[at], given[at]))
    area = float(np.mean(auc_by_class(truth, decisions)))
    alone = Passes(1, 10**12)  # f = 1: draws of items know nothing of training sets
    first = interval_of(area + 150 * area_influence(truth, decisions).sum(axis=0) / 3, alone, scale="area")
    rows = [matthews_by_item(truth, one, 3) for one in [given]]
    second = interval_of(rows, alone, scale="correlation")
    for found, drawn in ((first, areas), (second, correlations)):
        low, high = np.quantile(drawn, [0.025, 0.975])
        assert (found.low, found.high) == pytest.approx((low, high), abs=0.25 * (high - low))


def over_folds(truth, decisions, parts):
    """Areas of the folds, and the influence of each item on their mean."""
    folds = [np.flatnonzero(parts == part) for part in np.unique(parts)]
    areas = np.array([auc_by_class(truth[at], decisions[at]) for at in folds])
    pulls = [area_influence(truth[at], decisions[at]) for at in folds]
    made = np.zeros(truth.size)
    for at, values in zip(
        folds, influence_over_folds(areas, pulls, [truth[at] for at in folds]), strict=True
    ):
        made[at] = values
    return areas, made


@pytest.mark.parametrize(
    ("n", "k", "shift"),
    [
        (20, 10, 0.0),
        (60, 2, 2.0),
        *(
            pytest.param(*fold, shift, marks=pytest.mark.science)
            for shift in (0.0, 1.0, 2.0)
            for fold in ((20, 10), (40, 10), (40, 5), (60, 2))
        ),
    ],
)
def test_small_folds_make_an_area_as_uncertain_as_it_is(rng, n, k, shift):
    """With one item of a class in a fold nothing moved inside it: 95 % intervals missed in 66 of 100 data sets."""
    truth = np.arange(n) % 2
    parts = np.repeat(np.arange(k), n // k)
    found, squares = [], []
    for _ in range(400):
        scores = rng.normal(size=n) + shift * truth
        areas, pulls = over_folds(truth, np.column_stack([-scores, scores]), parts)
        assert pulls.sum() == pytest.approx(0.0, abs=1e-9)
        found.append(areas.mean())
        squares.append((pulls**2).sum())
    # ± 7 % of the variance of 400 draws is one standard error
    assert np.mean(squares) / np.var(found) == pytest.approx(1.1, abs=0.4)


def test_an_area_of_one_fold_rests_on_its_items_alone(rng):
    """Of ten families nine are alone in their fold, which has no area: ten units would be a lie."""
    y = np.array(["a", "a", "b", *["a", "b"] * 4])
    groups = np.array(["f0", "f0", "f0", *[f"f{i}" for i in range(1, 9)]])
    X = rng.normal(size=(11, 3))
    made = judge(X @ X.T, y, CrossValidation(folds=0, grouped=True), groups=groups)
    found = made.interval("auc")
    assert made.area_freedom == 0.0
    assert (found.low, found.high) == pytest.approx(wilson(made.auc.mean, 2 / 3, 1.959964), abs=1e-6)


def test_nothing_has_an_interval_of_no_width(rng):
    y = np.array(["a"] * 20 + ["b"] * 10)
    for K, C in ((np.eye(30), 1e-4), (np.equal.outer(y, y) * 1.0, 10.0)):
        for repeats in (1, 5):
            made = judge(K, y, CrossValidation(folds=2, repeats=repeats, C=C))
            for measure in ("multi_class", "one_vs_rest", "balanced", "matthews", "auc"):
                found, mean = made.interval(measure), getattr(made, measure).mean
                assert found.high - found.low > 0.05, measure
                assert found.low - 1e-12 <= mean <= found.high + 1e-12, measure
            for found in (*made.found_intervals(), *made.decided_intervals()):
                assert found.high - found.low > 0.05


def test_classes_have_intervals_over_their_own_items(rng):
    y = np.repeat(["a", "b", "c"], [30, 20, 10])
    X = rng.normal(size=(60, 4)) + (y == "a")[:, None]
    made = judge(X @ X.T, y, CrossValidation(folds=2, repeats=3))
    assert [one.units for one in made.found_intervals()] == [30, 20, 10]
    assert [one.units for one in made.decided_intervals()] == [60, 60, 60]
    assert made.answered.mean(axis=(0, 1)) == pytest.approx(made.class_accuracy)
    for value, found in zip(made.class_recall, made.found_intervals(), strict=True):
        assert found.low <= value <= found.high
