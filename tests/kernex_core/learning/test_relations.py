"""Whether two kernels tell the same: statistics by other code and scikit-bio, p by all orders, and under no relation."""

from itertools import permutations as orders

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.learning.relations import LEAST_UNITS, STATISTICS, related


def points():
    """Three sets of 24 points in a closed form."""
    i, j = np.arange(24)[:, None], np.arange(3)[None]
    X = np.sin(1.7 * i + 2.3 * j * i + j)
    X[:8, 0] += 1.0
    X[8:16] *= 2.0
    return X, X + np.cos(2.9 * i + 0.7 * j * i), np.sin(0.9 * i + 1.1 * j * i) + 0.5 * X


def linear(X, name="K"):
    return GramMatrix(X @ X.T, name=name)


def distances(X):
    return np.linalg.norm(X[:, None] - X[None], axis=-1)[np.triu_indices(len(X), 1)]


def test_mantel_is_that_of_scikit_bio():
    X, Z, _ = points()
    found = related(linear(X), linear(Z), statistic="mantel", permutations=99)
    # skbio.stats.distance.mantel 0.7.4 of both matrices of distances; its p with 9,999 permutations, greater: 0.0001
    assert found.value == pytest.approx(0.5882654071958129, rel=1e-12)
    assert found.value == pytest.approx(np.corrcoef(distances(X), distances(Z))[0, 1], rel=1e-12)
    assert found.p == 0.01


def test_with_a_third_kernel_it_is_the_correlation_of_what_its_distances_leave():
    X, Z, W = points()
    a, b, c = (distances(each) for each in (X, Z, W))
    left = [each - np.polyval(np.polyfit(c, each, 1), c) for each in (a, b)]
    found = related(linear(X), linear(Z), statistic="mantel", given=linear(W), permutations=99)
    assert found.value == pytest.approx(np.corrcoef(*left)[0, 1], rel=1e-9)
    same = related(linear(X), linear(Z), statistic="mantel", given=linear(X), permutations=99)
    assert same.value == 0.0
    assert same.p > 0.05


def test_alignment_is_the_cosine_of_centred_kernels():
    X, Z, _ = points()
    A, B = ((each - each.mean(axis=0)) @ (each - each.mean(axis=0)).T for each in (X, Z))
    found = related(linear(X + 3.0), linear(Z - 1.0), permutations=99)
    assert found.value == pytest.approx((A * B).sum() / np.sqrt((A * A).sum() * (B * B).sum()), rel=1e-12)
    assert 0.0 < found.by_chance < found.value


@pytest.mark.parametrize("statistic", list(STATISTICS))
def test_p_is_the_share_of_all_orders(statistic):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(6, 2))
    Z = X + 1.5 * rng.normal(size=(6, 2))
    K, L = linear(X), linear(Z)
    value = related(K, L, statistic=statistic, permutations=1).value
    every = [
        related(linear(X[list(order)]), L, statistic=statistic, permutations=1).value
        for order in orders(range(6))
    ]
    share = np.mean(np.array(every) >= value - 1e-12)
    found = related(K, L, statistic=statistic, permutations=3000)
    assert found.p == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / 3000) + 1 / 3000)


@pytest.mark.parametrize("statistic", list(STATISTICS))
def test_unrelated_kernels_are_told_related_no_more_often_than_p_says(statistic):
    """Also where items belong together, which the same test without groups takes for a relation."""
    worlds, below, blind = 150, 0, 0
    for seed in range(worlds):
        rng = np.random.default_rng([seed, 5])
        of = np.repeat(np.arange(8), 3)
        X, Z = (rng.normal(size=(8, 2))[of] + 0.1 * rng.normal(size=(24, 2)) for _ in range(2))
        groups = [f"g{k}" for k in of]
        how = {"statistic": statistic, "permutations": 19, "seed": seed}
        below += related(linear(X), linear(Z), groups=groups, **how).p <= 0.1
        blind += related(linear(X), linear(Z), **how).p <= 0.1
    limit = 0.1 * worlds + 3 * np.sqrt(worlds * 0.09)
    assert below <= limit < blind


def test_items_that_are_there_more_than_once_say_nothing_more():
    X, Z, W = points()
    of = np.repeat(np.arange(24), 1 + np.arange(24) % 3)
    groups = [f"g{k:02}" for k in of]
    for how in ({"statistic": "alignment"}, {"statistic": "mantel"}, {"statistic": "mantel", "given": W}):
        more = {name: linear(value[of]) if name == "given" else value for name, value in how.items()}
        once = {name: linear(value) if name == "given" else value for name, value in how.items()}
        repeated = related(linear(X[of]), linear(Z[of]), groups=groups, permutations=19, **more)
        single = related(linear(X), linear(Z), permutations=19, **once)
        assert repeated.units == 24
        assert repeated.value == pytest.approx(single.value, rel=1e-9)
        np.testing.assert_allclose(repeated.drawn, single.drawn, atol=1e-9)


@pytest.mark.parametrize("scale", [1e-150, 1e4])
def test_neither_scale_nor_order_of_the_items_matters(scale):
    X, Z, _ = points()
    order = np.random.default_rng(0).permutation(24)
    for statistic in STATISTICS:
        value = related(linear(X), linear(Z), statistic=statistic, permutations=1).value
        other = GramMatrix(scale * (X @ X.T)[np.ix_(order, order)])
        assert related(other, linear(Z[order]), statistic=statistic, permutations=1).value == pytest.approx(
            value
        )


def test_what_cannot_be_compared_is_refused_in_a_sentence():
    X, Z, W = points()
    K = linear(X)
    gaps = K.values.copy()
    gaps[2, 5] = gaps[5, 2] = np.nan
    others = GramMatrix(K.values, tuple(f"x{k}" for k in range(24)))
    for second, said, how in (
        (GramMatrix(gaps, name="gapped"), "unknown pairs in 'gapped'", {}),
        (others, "other ids", {}),
        (GramMatrix(np.ones((24, 24)), name="flat"), "all alike in 'flat'", {}),
        (linear(Z), "statistic", {"statistic": "rv"}),
        (linear(Z), "held fixed in Mantel", {"given": linear(W)}),
        (linear(Z), "permutations", {"permutations": 0}),
        (linear(Z), f"At least {LEAST_UNITS}", {"groups": ["a", "b", "c", "d"] * 6}),
    ):
        with pytest.raises(InvalidInputError, match=said):
            related(K, second, **how)
