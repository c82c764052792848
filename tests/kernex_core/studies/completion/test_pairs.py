"""The study of single pairs: what is hidden is scored, plain ways get the same treatment, and what measuring next gains."""

import numpy as np
import pytest

from kernex_core import CrossValidation, GramMatrix, Labels, extrapolate, hide_pairs, repair_psd
from kernex_core.completion.scattered.fills import FILLS, filling
from kernex_core.completion.scattered.pairs import problem_of
from kernex_core.runtime.progress import finished
from kernex_core.studies.completion.candidates import Measured, measuring
from kernex_core.studies.completion.pairs import (
    ALONE,
    BLOCK,
    OWN,
    UNREPORTED,
    PairsConfig,
    by_block,
    first_picture,
    studying_pairs,
)


@pytest.fixture(scope="module")
def given():
    rng = np.random.default_rng(4)
    n = 42
    Z = np.repeat(rng.standard_normal((3, 5)), n // 3, axis=0) + 0.6 * rng.standard_normal((n, 5))
    X = Z + 0.5 * rng.standard_normal(Z.shape)
    ids = tuple(f"i{k}" for k in range(n))
    noise = 0.1 * rng.standard_normal((n, n))
    target, source = (
        GramMatrix(A @ A.T + off, ids, name)
        for A, name, off in ((Z, "target", noise + noise.T), (X, "source", 0.0))
    )
    return target, source, Labels(ids, np.repeat(["a", "b", "c"], n // 3))


@pytest.fixture(scope="module")
def made(given):
    target, source, labels = given
    return finished(
        studying_pairs(PairsConfig(hidden=0.3), target, source, labels, CrossValidation(repeats=1))
    )


def test_scores_are_those_of_the_hidden_pairs(made):
    at = tuple(made.pairs.T)
    truth, off = made.target.values[at], made.error[at]
    np.testing.assert_allclose(made.own.error, np.sqrt(np.mean((made.completed.model[at] - truth) ** 2)))
    np.testing.assert_allclose(off, made.completed.model[at] - truth)
    assert len(made.pairs) == round(0.3 * 42 * 41 / 2)
    assert np.isnan(made.seen.values[at]).all()
    assert made.own.error < min(each.error for each in made.scores[1:] if each.name in FILLS)
    assert [each.name for each in made.scores] == [OWN, *FILLS, BLOCK, ALONE]
    assert 0.7 < made.coverage <= 1.0
    assert np.isnan(made.scores[1].rank)  # the mean ranks nothing
    assert made.own.rank > 0.9


def test_every_way_is_judged_on_the_same_folds_as_a_kernel_with_known_values_kept(made):
    assert len({each.judgement.n_decisions for each in made.scores}) == 1
    assert {each.name for each in made.verdict.candidates} == {OWN, *FILLS, BLOCK, ALONE}
    assert np.linalg.eigvalsh(made.gram.values)[0] > -1e-9


def test_hidden_pairs_play_no_part(given):
    target, source, _ = given
    config = PairsConfig(hidden=0.3, normalize=False)
    seen = hide_pairs(target, 0.3)
    other = GramMatrix(np.where(np.isnan(seen.values), 7.0, target.values), target.ids, target.name)
    one, two = (finished(studying_pairs(config, T, source, None, CrossValidation())) for T in (target, other))
    np.testing.assert_array_equal(one.completed.model, two.completed.model)
    np.testing.assert_array_equal(one.completed.half_width, two.completed.half_width)


def test_a_first_picture_is_of_the_same_pairs_without_intervals(given, made):
    target, source, _ = given
    first = finished(first_picture(PairsConfig(hidden=0.3), target, source))
    np.testing.assert_array_equal(first.hidden, made.hidden)
    assert np.isnan(first.coverage)
    assert not first.scores


def test_larger_shares_hide_more_of_the_same(given):
    target, _, _ = given
    few, many = (np.isnan(hide_pairs(target, share).values) for share in (0.2, 0.6))
    assert (many | ~few).all()
    assert many.sum() > few.sum()


def test_unreported_pairs_have_their_own_score(given):
    target, source, labels = given
    low = np.quantile(target.values, 0.7) > target.values
    np.fill_diagonal(low, False)
    hits = GramMatrix(np.where(low, np.nan, target.values), target.ids, "hits")
    config = PairsConfig(hidden=0.2, absence=UNREPORTED, normalize=False)
    made = finished(studying_pairs(config, hits, source, labels, CrossValidation(repeats=1)))
    assert made.own.auc > max(each.auc for each in made.scores[1:] if not np.isnan(each.auc))
    assert made.gram is made.hits.gram


def test_measuring_makes_the_rest_better(made):
    found = finished(measuring(made))
    assert found.counts[0] == 0
    assert found.active[0] == found.random[0]
    assert found.active[-1] < found.active[0]
    assert found.random[-1] < found.random[0]


@pytest.mark.parametrize(
    ("active", "random", "saved", "tells"),
    [
        ([1.0, 0.7, 0.6], [1.0, 0.8, 0.7], 0.5, True),
        ([1.0, 0.6, 0.9], [1.0, 0.8, 0.7], np.nan, True),
        # a touch that does not last is none
        ([1.0, 0.6, 0.9, 0.7, 0.6], [1.0, 0.9, 0.9, 0.8, 0.7], 0.75, True),
        ([1.0, 0.9, 0.9], [1.0, 0.99, 0.98], 0.5, False),
    ],
)
def test_what_choosing_saves_is_said_where_it_lasts(active, random, saved, tells):
    counts = 10 * np.arange(len(active))
    found = Measured(counts, np.array(active), np.array(random))
    np.testing.assert_allclose(found.saved, saved)
    assert found.tells is tells


@pytest.mark.parametrize("name", FILLS)
def test_plain_ways_know_what_is_known_alone(given, name):
    target, source, _ = given
    seen = hide_pairs(target, 0.4)
    problem = problem_of(seen, source)
    values = finished(filling(problem, 0))[name]
    np.testing.assert_allclose(values, values.T, atol=1e-10)
    assert np.isfinite(values).all()
    scaled = problem_of(GramMatrix(1e4 * seen.values), GramMatrix(source.values))
    np.testing.assert_allclose(finished(filling(scaled, 0))[name], 1e4 * values, rtol=1e-6, atol=1e-2)


def test_soft_impute_finds_a_matrix_of_few_factors():
    rng = np.random.default_rng(0)
    U = rng.standard_normal((60, 2))
    T = GramMatrix(U @ U.T)
    seen = hide_pairs(T, 0.3)
    at = np.isnan(seen.values)
    found = finished(FILLS["softImpute"](problem_of(seen, None), 0))
    assert np.sqrt(np.mean((found - T.values)[at] ** 2)) < 0.15 * T.values[at].std()


def test_what_is_rounding_is_no_error():
    """All similarities the same: the mean finds them, and so does this, whatever the last digit says."""
    ids = tuple(map(str, range(20)))
    K = GramMatrix(0.1 + 0.9 * np.eye(20), ids)
    found = finished(studying_pairs(PairsConfig(hidden=0.2), K, None, None, CrossValidation()))
    assert found.own.error == found.best_plain.error == found.hidden_error == 0.0
    assert np.isnan(found.own.rank)


@pytest.mark.parametrize("share", [0.02, 0.1, 0.9])
def test_of_any_share_a_pair_is_hidden_and_one_stays_known(share):
    K = GramMatrix(np.eye(3) + 0.5)
    unknown = hide_pairs(K, share).unknown.unknown_pairs
    assert 1 <= unknown <= 2
    assert hide_pairs(K, 0.0).unknown.complete


def test_lemma_1_is_beside_it_where_a_block_of_items_is_known(given):
    target, source, _ = given
    values = target.values.copy()
    values[10:, 5:10] = values[5:10, 10:] = np.nan  # of 30 items 25 are known among themselves, two ways
    gapped = GramMatrix(values, target.ids)
    known = gapped.known
    found = by_block(gapped, source)[BLOCK]
    expected = extrapolate(source, repair_psd(values[np.ix_(known, known)]).gram, known).T_hat
    np.testing.assert_allclose(found, expected)
    assert not by_block(gapped, None)
    assert not by_block(GramMatrix(np.where(np.eye(target.n) > 0, 1.0, np.nan), target.ids), source)
    assert not by_block(gapped, GramMatrix(-source.values, source.ids))
