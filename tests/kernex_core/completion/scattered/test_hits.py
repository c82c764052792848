"""Pairs that a search did not report: which were missed, and what would they have scored."""

import numpy as np
import pytest

from kernex_core import GramMatrix, complete_hits, complete_pairs
from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.provenance import write_script


@pytest.fixture(scope="module")
def searched():
    """Truth, source, what was reported, and which high pairs were lost."""
    rng = np.random.default_rng(1)
    n = 45
    Z = np.repeat(rng.standard_normal((5, 6)), 9, axis=0) + 0.7 * rng.standard_normal((n, 6))
    X = Z + rng.standard_normal((n, 6))
    T, S = (x @ x.T / np.outer(np.linalg.norm(x, axis=1), np.linalg.norm(x, axis=1)) for x in (Z, X))
    high = np.quantile(T[np.triu_indices(n, 1)], 0.8) <= T
    lost = np.triu(high & (rng.random((n, n)) < 0.2), 1)
    lost |= lost.T
    given = np.where((high & ~lost) | np.eye(n, dtype=bool), T, np.nan)
    return T, S, given, lost


def auc(values, lost, given):
    never = np.isnan(given) & ~lost
    np.fill_diagonal(never, False)
    return np.mean(values[lost][:, None] > values[never])


@pytest.mark.parametrize("has_source", [True, False])
def test_lost_hits_are_found_by_taking_absence_for_low(searched, has_source):
    T, S, given, lost = searched
    found = complete_hits(GramMatrix(given), GramMatrix(S) if has_source else None, intervals=False)
    assert auc(found.likely, lost, given) > 0.9
    assert auc(found.likely, lost, given) > auc(found.reported.model, lost, given) + 0.1
    assert 0.8 < found.auc <= 1.0
    assert np.isnan(found.half_width)
    # what it would have scored is said by the other fit
    off = [np.sqrt(np.mean((made - T)[lost] ** 2)) for made in (found.reported.model, found.likely)]
    assert off[0] < off[1]
    assert (found.floor < np.nanmin(given)).all()
    share = (~np.isnan(given[np.triu_indices(len(T), 1)])).mean()
    assert found.weight == pytest.approx(share / (1.0 - share))  # both groups weigh the same
    best = found.missed(5)
    assert [each.likely for each in best] == sorted((each.likely for each in best), reverse=True)
    assert all(np.isnan(given[int(p.first) - 1, int(p.second) - 1]) for p in best)


def test_an_audit_sets_the_floor_and_gives_an_interval(searched):
    T, S, given, _ = searched
    rng = np.random.default_rng(2)
    absent = np.argwhere(np.triu(np.isnan(given), 1))
    drawn = absent[rng.permutation(len(absent))[:120]]
    with_audit = given.copy()
    for i, j in (drawn.T, drawn.T[::-1]):
        with_audit[i, j] = T[i, j]
    found = complete_hits(GramMatrix(with_audit), GramMatrix(S), audit=drawn, intervals=False)
    rest = np.isnan(with_audit)
    covered = np.abs(T - found.likely)[rest] <= found.half_width
    assert 0.8 < covered.mean() < 1.0
    assert (found.floor <= np.nanmin(given)).all()
    assert found.floor[~np.eye(len(T), dtype=bool)].std() > 0.0


@pytest.mark.parametrize("factor", [1e-4, 1e4])
def test_scores_times_a_number_give_the_same_times_that(searched, factor):
    _, S, given, _ = searched
    one, other = (
        complete_hits(GramMatrix(x * given), GramMatrix(S), rank=8, intervals=False) for x in (1.0, factor)
    )
    np.testing.assert_allclose(other.likely, factor * one.likely, rtol=1e-6, atol=1e-8 * factor)
    assert other.auc == pytest.approx(one.auc, abs=1e-9)


def test_scores_that_were_not_reported_are_those_of_the_fit_that_ignores_absence(searched):
    _, S, given, _ = searched
    found = complete_hits(GramMatrix(given), GramMatrix(S), rank=8, intervals=False)
    alone = complete_pairs(GramMatrix(given), GramMatrix(S), rank=8, intervals=False)
    np.testing.assert_array_equal(found.reported.model, alone.model)


def test_a_script_makes_it_again(searched):
    _, S, given, _ = searched
    found = complete_hits(GramMatrix(given), GramMatrix(S), rank=8, intervals=False)
    scope = {}
    exec(write_script([found.gram.recipe], heading="test"), scope)
    kernels = [each for each in scope.values() if isinstance(each, GramMatrix)]
    assert any(np.array_equal(K.values, found.gram.values) for K in kernels)
    assert found.gram.has_seen().items


def test_what_cannot_be_asked():
    with pytest.raises(InvalidInputError, match="unreported"):
        complete_hits(GramMatrix(np.ones((4, 4))))
    K = np.array([[1, 0.8, np.nan], [0.8, 1, 0.7], [np.nan, 0.7, 1]])
    with pytest.raises(InvalidInputError, match="audit"):
        complete_hits(GramMatrix(K), audit=[[0, 2]])
