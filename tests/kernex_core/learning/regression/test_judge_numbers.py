"""Cross-validated regression beside a loop that is written out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata, spearmanr

from kernex_core.base.errors import InvalidInputError, NotPositiveSemidefiniteError
from kernex_core.conditioning.empirical_map import EmpiricalMap
from kernex_core.conditioning.power import SignedPower
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.seen import Seen
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation, make_folds
from kernex_core.learning.learners.neighbours import NearestNeighbours
from kernex_core.learning.learners.ridge import KernelRidge
from kernex_core.learning.regression.evaluate import judge_numbers, judge_numbers_in_steps
from kernex_core.learning.regression.judgement import are_numbers, mean_ranks


@pytest.fixture
def world(rng):
    X = rng.normal(size=(40, 3))
    return X @ X.T, 5.0 + 2.0 * X[:, 0] + rng.normal(size=40)


def by_hand(K, y, folds, lam):
    """Predictions and training means (n_repeats, n), each fold a solved bordered system."""
    found = np.full((folds[-1].repeat + 1, len(y)), np.nan)
    means = found.copy()
    for fold in folds:
        n = fold.train.size
        system = np.zeros((n + 1, n + 1))
        system[:n, :n] = K[np.ix_(fold.train, fold.train)] + n * lam * np.eye(n)
        system[n, :n] = system[:n, n] = 1.0
        made = np.linalg.solve(system, np.append(y[fold.train], 0.0))
        found[fold.repeat, fold.test] = K[np.ix_(fold.test, fold.train)] @ made[:n] + made[n]
        means[fold.repeat, fold.test] = y[fold.train].mean()
    return found, means


def test_scores_spreads_and_floors_are_those_of_a_loop(world):
    K, y = world
    config = CrossValidation(folds=5, repeats=3)
    made = judge_numbers(K, y, config, learner=KernelRidge(0.05))
    folds = make_folds(np.zeros(40, dtype=np.int64), config)
    found, means = by_hand(K, y, folds, 0.05)
    np.testing.assert_allclose(made.predicted, found, atol=1e-9)
    np.testing.assert_allclose(made.by_mean, means)
    rmse = np.sqrt(((found - y) ** 2).mean(axis=1))
    assert made.rmse.mean == pytest.approx(rmse.mean())
    assert made.rmse.sd_repeats == pytest.approx(rmse.std(ddof=1))
    assert made.rmse.floor == pytest.approx(np.sqrt(((means - y) ** 2).mean(axis=1)).mean())
    r2 = 1 - ((found - y) ** 2).sum(axis=1) / ((y - y.mean()) ** 2).sum()
    assert made.r2.mean == pytest.approx(r2.mean())
    assert made.r2.floor == pytest.approx(
        (1 - ((means - y) ** 2).sum(axis=1) / ((y - y.mean()) ** 2).sum()).mean()
    )
    ranks = np.array([spearmanr(y[fold.test], found[fold.repeat, fold.test])[0] for fold in folds])
    assert made.spearman.mean == pytest.approx(ranks.reshape(3, 5).mean())
    assert made.spearman.sd_folds == pytest.approx(ranks.std(ddof=1))
    assert made.rmse.sd_folds == pytest.approx(np.std(made.fold_rmse, ddof=1))
    assert (made.n_items, made.n_folds, made.n_repeats, made.mode) == (40, 5, 3, "as brought")
    for measure in ("rmse", "r2", "spearman"):
        interval = made.interval(measure)
        assert interval.low < getattr(made, measure).mean < interval.high
        assert interval.units == 40


def test_lambda_is_chosen_by_the_training_items_alone(world):
    """Other targets of the test items change nothing that is predicted of them."""
    K, y = world
    config = CrossValidation(folds=2, repeats=1, choose_C=True)
    made = judge_numbers(K, y, config)
    fold = make_folds(np.zeros(40, dtype=np.int64), config)[0]
    other = y.copy()
    other[fold.test] = 1e3 * np.random.default_rng(0).normal(size=fold.test.size)
    again = judge_numbers(K, other, config)
    np.testing.assert_array_equal(made.predicted[0, fold.test], again.predicted[0, fold.test])
    assert made.learner == KernelRidge()
    assert sum(count for _, count in made.strengths) == 2


def test_items_without_a_number_and_groups(world):
    K, y = world
    y = y.copy()
    y[[3, 7]] = np.nan
    groups = [f"g{i % 10}" for i in range(40)]
    made = judge_numbers(K, y, CrossValidation(folds=5, repeats=2, grouped=True), groups=groups)
    assert made.n_items == 38
    assert "2 of 40 items have no number" in " ".join(made.notes)
    assert np.isnan(made.predicted[:, [3, 7]]).all()
    assert made.interval().units == 10
    assert made.interval().over == "groups"
    # all of a group are predicted by the same training items
    for g in range(10):
        members = [i for i in range(g, 40, 10) if i not in (3, 7)]
        assert (made.by_mean[:, members[0]] == made.by_mean[:, members].T).all()


def test_leave_one_out_has_no_rank_correlation_and_says_so(world):
    K, y = world
    made = judge_numbers(K, y, CrossValidation(folds=0))
    assert np.isnan(made.spearman.mean)
    assert np.isnan(made.interval("spearman").low)
    assert "no rank correlation" in " ".join(made.notes)
    assert made.r2.floor == pytest.approx(1 - (40 / 39) ** 2)


def test_steps_are_fitted_inside_the_folds_of_an_inductive_run(world):
    K, y = world
    kernel = GramMatrix(K, seen=Seen()).then(EmpiricalMap(SignedPower(0.5)))
    seen = {
        inductive: judge_numbers(kernel, y, CrossValidation(inductive=inductive))
        for inductive in (False, True)
    }
    assert (seen[False].mode, seen[True].mode) == ("transductive", "inductive")
    assert not np.array_equal(seen[False].predicted, seen[True].predicted)


def test_pieces_end_in_the_whole_and_labels_are_numbers(world):
    K, y = world
    gram = GramMatrix(K)
    labels = Labels(gram.ids, np.array([f"{value:.17g}" for value in y]))
    assert are_numbers(labels)
    states = list(judge_numbers_in_steps(gram, labels, CrossValidation(repeats=2)))
    assert states[-1].done == states[-1].total == 4
    assert states[-1].judgement == judge_numbers(gram, labels, CrossValidation(repeats=2))
    np.testing.assert_array_equal(
        states[-1].judgement.predicted, judge_numbers(K, y, CrossValidation(repeats=2)).predicted
    )
    assert not are_numbers(Labels(("a", "b", "c", "d"), ["0", "1", "0", "1"]))
    assert not are_numbers(Labels(("a", "b", "c", "d"), ["0", "1", "2", "x"]))
    assert not are_numbers(Labels(("a", "b", "c", "d"), ["0", "1", "2", "nan"]))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"y": np.arange(3.0)}, "one finite number an item"),
        ({"y": np.full(10, np.inf)}, "finite"),
        ({"y": np.ones(10)}, "at least two of them differ"),
        ({"y": np.append(np.full(8, np.nan), [1.0, 2.0]), "config": CrossValidation(folds=5)}, "as folds"),
        ({"config": "five"}, "CrossValidation"),
        ({"y": Labels(tuple("abcdefghij"), ["1"] * 10)}, "at least two"),
        ({"K": GramMatrix(np.eye(10)), "y": Labels(tuple("abcdefghij"), ["1", "2"] * 5)}, "same items"),
        ({"y": Labels(tuple("abcdefghij"), ["1", "x"] * 5)}, "'x' of 'b'"),
    ],
)
def test_what_cannot_be_is_refused(wrong, words):
    with pytest.raises(InvalidInputError, match=words):
        judge_numbers(**{"K": np.eye(10), "y": np.arange(10.0), "config": CrossValidation(), **wrong})
    with pytest.raises(NotPositiveSemidefiniteError):
        judge_numbers(-np.eye(10), np.arange(10.0), CrossValidation())


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("folds", [2, 0])
def test_intervals_do_not_depend_on_where_numbers_begin_and_how_they_are_scaled(rng, folds):
    """Dates in seconds are a large number and small differences; R² of their draws had no digits left."""
    X = rng.normal(size=(30, 2))
    y, K, config = X[:, 0] + 0.3 * rng.normal(size=30), X @ X.T, CrossValidation(folds=folds, repeats=1)
    plain = judge_numbers(K, y, config, learner=KernelRidge(0.01))
    for shift, scale in ((1.7e9, 1.0), (0.0, 1e60), (-3e5, 1e-3)):
        moved = judge_numbers(K, shift + scale * y, config, learner=KernelRidge(0.01))
        for measure in ("rmse", "r2", "spearman"):
            unit = scale if measure == "rmse" else 1.0
            one, other = plain.interval(measure), moved.interval(measure)
            assert (other.low / unit, other.high / unit) == pytest.approx(
                (one.low, one.high), rel=1e-4, nan_ok=True
            )


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("learner", [KernelRidge(1e6), NearestNeighbours(1000)])
def test_an_interval_holds_its_own_number(rng, learner):
    """Where the mean is predicted, every draw is a little lower; where one item alone differs, some draws have no R²."""
    for y in (rng.normal(size=14), np.eye(14)[3]):
        made = judge_numbers(np.eye(14), y, CrossValidation(folds=0), learner=learner)
        for measure in ("rmse", "r2"):
            interval = made.interval(measure)
            assert interval.low <= getattr(made, measure).mean <= interval.high
            assert np.isfinite([interval.low, interval.high]).all()


@given(st.lists(st.sampled_from([-2.0, 0.0, 0.5, 1e-9, 7.0]) | st.floats(-1e9, 1e9), min_size=1, max_size=40))
def test_ranks_are_those_of_scipy_stats_ties_included(values):
    np.testing.assert_array_equal(mean_ranks(np.array(values)), rankdata(values))
