"""Two kernels that predict numbers, and rank correlations, beside scipy and loops that are written out."""

import dataclasses

import numpy as np
import pytest
from scipy.stats import binomtest, norm, spearmanr
from scipy.stats import t as student

from kernex_core.base.errors import InvalidInputError
from kernex_core.learning.chance.interval import Passes, interval_of
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.learners.ridge import KernelRidge
from kernex_core.learning.regression.evaluate import compare_numbers, judge_numbers, number_verdict
from kernex_core.learning.regression.judgement import rank_correlation, ranks_by_item, without_each

CONFIG = CrossValidation(folds=5, repeats=3)


@pytest.fixture(scope="module")
def judged():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(45, 3))
    y = X[:, 0] + 0.5 * rng.normal(size=45)
    kernels = {"all": X @ X.T, "first": np.outer(X[:, 0], X[:, 0]), "second": np.outer(X[:, 1], X[:, 1])}
    groups = [f"g{i % 9}" for i in range(45)]
    grouped = dataclasses.replace(CONFIG, grouped=True)
    return (
        {name: judge_numbers(K, y, CONFIG) for name, K in kernels.items()},
        {name: judge_numbers(K, y, grouped, groups=groups) for name, K in kernels.items()},
        y,
    )


def squares(made, y):
    return (made.predicted - y) ** 2


def roots_by_item(made, y):
    """RMSE of a repetition plus n times the influence of each item: its change with the item's weight."""
    rows = []
    for errors in squares(made, y):
        slopes = []
        for item in range(y.size):
            up, down = np.ones(y.size), np.ones(y.size)
            up[item], down[item] = 1 + 1e-5, 1 - 1e-5
            slopes.append(
                (np.sqrt(np.average(errors, weights=up)) - np.sqrt(np.average(errors, weights=down))) / 2e-5
            )
        rows.append(np.sqrt(errors.mean()) + y.size * np.array(slopes))
    return np.array(rows)


def test_differences_their_p_and_holm_by_hand(judged):
    made, _, y = judged
    pairs = compare_numbers(made)
    assert [(pair.first, pair.second) for pair in pairs] == [
        ("all", "first"), ("all", "second"), ("first", "second"),
    ]  # fmt: skip
    plain = []
    f = 1 + 4 / 5 + 1 / 5 / 3
    for pair in pairs:
        a, b = made[pair.first], made[pair.second]
        rmse = [np.sqrt(squares(each, y).mean(axis=1)).mean() for each in (a, b)]
        assert pair.difference == pytest.approx(rmse[0] - rmse[1])
        d = roots_by_item(a, y) - roots_by_item(b, y)
        v = np.mean([row.var(ddof=1) / 45 for row in d])
        p = 2 * student.sf(abs(d.mean()) / np.sqrt(f * v), 44)
        sides = [int(np.rint((side * d > 0).sum(axis=1).mean())) for side in (1, -1)]
        plain.append(max(p, binomtest(sides[0], sum(sides)).pvalue))
        assert pair.paired.p == pytest.approx(plain[-1], rel=1e-4)
        half = student.isf(0.025, 44) * np.sqrt(f * v)
        assert pair.interval.high == pytest.approx(pair.difference + half, rel=1e-4, abs=1e-6)
    order = np.argsort(plain)
    for rank, place in enumerate(order):
        worst = max((3 - k) * plain[order[k]] for k in range(rank + 1))
        assert pairs[place].p == pytest.approx(min(worst, 1.0), rel=1e-4)
        assert pairs[place].told_apart == (pairs[place].p < 0.05)
    told = {(pair.first, pair.second): pair.told_apart for pair in pairs}
    assert told["all", "second"]
    assert not told["all", "first"]


def test_groups_are_drawn_as_wholes(judged):
    made, y = judged[1], judged[2]
    pair = next(iter(compare_numbers({"all": made["all"], "second": made["second"]})))
    d = roots_by_item(made["all"], y) - roots_by_item(made["second"], y)
    unit = np.arange(45) % 9
    v = np.mean(
        [sum((row[unit == u] - row.mean()).sum() ** 2 for u in range(9)) * 9 / 8 / 45**2 for row in d]
    )
    assert pair.paired.t_p == pytest.approx(
        2 * student.sf(abs(d.mean()) / np.sqrt((1.8 + 0.2 / 3) * v), 8), rel=1e-4
    )
    assert (pair.interval.units, pair.interval.over) == (9, "groups")


@pytest.mark.parametrize("which", [0, 1])
def test_intervals_are_as_long_as_what_draws_of_items_give(judged, which):
    """Drawn by other code, with f = 1 in place of that of the passes: bootstrap of one repetition."""
    made, y = judged[which]["all"], judged[2]
    unit = np.arange(45) if which == 0 else np.arange(45) % 9
    errors, rng, drawn = squares(made, y)[0], np.random.default_rng(99), []
    for _ in range(1500):
        at = np.concatenate(
            [np.flatnonzero(unit == u) for u in rng.integers(unit.max() + 1, size=unit.max() + 1)]
        )
        drawn.append((np.sqrt(errors[at].mean()), 1 - errors[at].mean() / y[at].var()))
    for place, (measure, value) in enumerate({"rmse": made.rmse, "r2": made.r2}.items()):
        ends = np.quantile([row[place] for row in drawn], [0.025, 0.975])
        found = made.interval(measure)
        # t √(f v) against z √v; nine groups are few for draws
        longer = student.isf(0.025, unit.max()) / norm.isf(0.025) * np.sqrt(made.passes.factor)
        ratio = (found.high - found.low) / (ends[1] - ends[0]) / longer
        assert ratio == pytest.approx(1.0, abs=0.2 if which == 0 else 0.4)
        assert found.low < value.mean < found.high
        assert made.by_item(measure).mean() == pytest.approx(value.mean)


def test_numbers_that_are_predicted_rightly_have_an_interval():
    y = np.arange(12.0)
    exact = judge_numbers(
        np.outer(y - 5.5, y - 5.5) * 1e6,
        y,
        CrossValidation(folds=2, repeats=2),
        learner=KernelRidge(lam=1e-12),
    )
    for measure in ("rmse", "r2", "spearman"):
        found = exact.interval(measure)
        assert found.low <= getattr(exact, measure).mean + 1e-9
        assert found.high >= getattr(exact, measure).mean - 1e-9
        assert found.high > found.low
    with pytest.raises(InvalidInputError, match="differ"):
        judge_numbers(np.eye(12), np.ones(12), CrossValidation(folds=2, repeats=1))


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("grouped", [False, True])
def test_what_an_item_has_of_rank_correlations_is_the_literal_jackknife(ties, grouped):
    rng = np.random.default_rng(0)
    y = rng.normal(size=31)
    p = y + rng.normal(size=31)
    if ties:
        y, p = np.round(y), np.round(p)
    units = np.arange(31) % 8 if grouped else np.arange(31)
    parts = rng.permutation(units.max() + 1)[units] % 4

    def mean_rank(kept):
        at = [kept & (parts == k) for k in np.unique(parts)]
        return np.mean([spearmanr(y[each], p[each])[0] for each in at])

    theta = np.array([mean_rank(units != u) for u in np.unique(units)])
    u = theta.size
    found = ranks_by_item(y, p, parts, units if grouped else None)
    assert found.mean() == pytest.approx(mean_rank(np.full(31, True)))
    # the jackknife's variance, (u − 1)/u Σ (θ_(i) − θ̄)², is that of these values
    expected = (u - 1) / u * ((theta - theta.mean()) ** 2).sum()
    interval = interval_of(found, Passes(1, 10**12), scale="correlation", groups=units if grouped else None)
    whole = found.mean()
    half = student.isf(0.025, u - 1) * np.sqrt(expected) / (1 - whole**2)
    ends = np.tanh([np.arctanh(whole) - half, np.arctanh(whole) + half])
    np.testing.assert_allclose([interval.low, interval.high], ends, rtol=1e-6)


def test_ranks_without_each_item_are_those_of_the_others():
    rng = np.random.default_rng(1)
    for y, p in (
        (rng.normal(size=600), rng.integers(0, 9, 600)),
        (np.arange(4.0), np.array([1.0, 1.0, 1.0, 2.0])),
    ):
        others = [np.arange(y.size) != i for i in range(y.size)]
        np.testing.assert_allclose(without_each(y, p), [rank_correlation(y[at], p[at]) for at in others])
    assert np.isnan(without_each(np.arange(3.0), np.arange(3.0))).all()


def test_a_reference_and_what_cannot_be_compared(judged):
    made, grouped, _ = judged
    pairs = compare_numbers(made, "second")
    assert [(pair.first, pair.second) for pair in pairs] == [("all", "second"), ("first", "second")]
    with pytest.raises(InvalidInputError, match="at least two"):
        compare_numbers({"all": made["all"]})
    with pytest.raises(InvalidInputError, match="one of the judged"):
        compare_numbers(made, "third")
    with pytest.raises(InvalidInputError, match="same items and folds"):
        compare_numbers({"all": made["all"], "other": grouped["all"]})


@pytest.mark.parametrize("grouped", [False, True])
def test_the_verdict_is_that_of_all_pairs(judged, grouped):
    made = judged[int(grouped)]
    verdict, pairs = number_verdict(made), compare_numbers(made)
    assert [each.value for each in verdict.candidates] == pytest.approx(
        sorted(each.rmse.mean for each in made.values())
    )
    for each in verdict.candidates:
        assert each.interval == made[each.name].interval()
        if each is not verdict.best:
            (pair,) = [pair for pair in pairs if {pair.first, pair.second} == {each.name, verdict.best.name}]
            assert each.p == pytest.approx(pair.p)
            assert each.behind == pytest.approx(abs(pair.difference))


def test_a_verdict_of_nothing_or_of_other_folds_is_refused(judged):
    with pytest.raises(InvalidInputError, match="at least one"):
        number_verdict({})
    with pytest.raises(InvalidInputError, match="same items and folds"):
        number_verdict({"one": judged[0]["all"], "other": judged[1]["all"]})
