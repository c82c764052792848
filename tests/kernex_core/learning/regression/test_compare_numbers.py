"""Two kernels that predict numbers, and rank correlations, beside scipy and loops that are written out."""

import dataclasses

import numpy as np
import pytest
from scipy.stats import spearmanr, t

from kernex_core.errors import InvalidInputError
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.regression.compare import compare_numbers
from kernex_core.learning.regression.evaluate import judge_numbers
from kernex_core.learning.regression.rank_correlation import rank_correlation, without_each
from kernex_core.learning.regression.rank_interval import rank_interval

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


def test_differences_their_test_and_holm_by_hand(judged):
    made, _, y = judged
    pairs = compare_numbers(made)
    assert [(pair.first, pair.second) for pair in pairs] == [
        ("all", "first"), ("all", "second"), ("first", "second"),
    ]  # fmt: skip
    plain = []
    for pair in pairs:
        a, b = made[pair.first], made[pair.second]
        rmse = [np.sqrt(((each.predicted - y) ** 2).mean(axis=1)).mean() for each in (a, b)]
        assert pair.difference == pytest.approx(rmse[0] - rmse[1])
        gap = np.array(
            [
                ((a.predicted[r] - y) ** 2 - (b.predicted[r] - y) ** 2)[a.parts[r] == k].mean()
                for r in range(3)
                for k in range(5 * r, 5 * r + 5)
            ]
        )
        statistic = gap.mean() / np.sqrt((1 / 15 + 9 / 36) * gap.var(ddof=1))
        plain.append(2 * t.sf(abs(statistic), 14))
        assert pair.corrected_t_p == pytest.approx(plain[-1])
    order = np.argsort(plain)
    for rank, place in enumerate(order):
        worst = max((3 - k) * plain[order[k]] for k in range(rank + 1))
        assert pairs[place].holm_p == pytest.approx(min(worst, 1.0))


@pytest.mark.parametrize("which", [0, 1])
def test_the_interval_of_a_difference_is_a_paired_bootstrap(judged, which):
    """Drawn again by other code and other draws: ends agree within what 1,000 draws leave open."""
    made, y = judged[which], judged[2]
    a, b = made["all"], made["second"]
    unit = np.arange(45) if which == 0 else np.arange(45) % 9
    errors = [((each.predicted - y) ** 2).mean(axis=0) for each in (a, b)]
    rng, drawn = np.random.default_rng(99), []
    for _ in range(4000):
        items = np.concatenate(
            [np.flatnonzero(unit == u) for u in rng.integers(unit.max() + 1, size=unit.max() + 1)]
        )
        drawn.append(np.sqrt(errors[0][items].mean()) - np.sqrt(errors[1][items].mean()))
    found = a.interval_of_difference(b)
    width = np.quantile(drawn, 0.975) - np.quantile(drawn, 0.025)
    np.testing.assert_allclose([found.low, found.high], np.quantile(drawn, [0.025, 0.975]), atol=0.07 * width)
    assert (found.units, found.over) == ((45, "items") if which == 0 else (9, "groups"))
    # paired: far shorter than two intervals that know nothing of each other
    pairs = {(pair.first, pair.second): pair for pair in compare_numbers(made)}
    assert pairs["all", "second"].told_apart
    assert not pairs["all", "first"].told_apart
    assert a.interval_of_difference(a).half_width == 0.0


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("grouped", [False, True])
def test_the_interval_of_rank_correlations_is_the_literal_jackknife(ties, grouped):
    rng = np.random.default_rng(0)
    y = rng.normal(size=31)
    P = y + rng.normal(size=(3, 31))
    if ties:
        y, P = np.round(y), np.round(P)
    units = np.arange(31) % 8 if grouped else np.arange(31)
    parts = np.array([rng.permutation(units.max() + 1)[units] % 4 + 4 * r for r in range(3)])

    def mean_rank(kept):
        return np.mean(
            [
                [spearmanr(y[kept & (q == k)], p[kept & (q == k)])[0] for k in np.unique(q)]
                for p, q in zip(P, parts, strict=True)
            ]
        )

    theta = np.array([mean_rank(units != u) for u in np.unique(units)])
    half = 1.959964 * np.sqrt((theta.size - 1) / theta.size * ((theta - theta.mean()) ** 2).sum())
    found = rank_interval(y, P, parts, units if grouped else None)
    whole = mean_rank(np.full(31, True))
    np.testing.assert_allclose([found.low, found.high], [whole - half, min(whole + half, 1.0)], rtol=1e-6)
    assert (found.units, found.over, found.method) == (
        theta.size,
        "groups" if grouped else "items",
        "jackknife",
    )


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
