from dataclasses import replace

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.studies.papers.orthogonal.power_table import ALL_POINTS, POWERS, TRAIN_ONLY
from kernex_core.studies.papers.orthogonal.tables import (
    COMPONENTS,
    NEIGHBOUR,
    OrthogonalConfig,
    class_values,
    draw,
    measuring_table_1,
)

COLUMNS = (ALL_POINTS, TRAIN_ONLY, NEIGHBOUR, COMPONENTS)
MANY = {
    ALL_POINTS: [0.326, 0.274, 0.237, 0.204, 0.174, 0.156, 0.148, 0.150, 0.162, 0.184, 0.228],
    TRAIN_ONLY: [0.326, 0.396, 0.361, 0.319, 0.273, 0.229, 0.195, 0.180, 0.189, 0.225, 0.279],
}
"""Over 4,000 trials with seeds apart from those below, standard errors .0011 to .0016; over 12,000 in `make science`."""


def last(config):
    return list(measuring_table_1(config))[-1]


@pytest.fixture(scope="module")
def table():
    return last(OrthogonalConfig(trials=60, seed=1000))


def test_every_trial_yields_the_table_so_far():
    states = list(measuring_table_1(OrthogonalConfig(trials=3)))
    assert [(s.done, s.total) for s in states] == [(1, 3), (2, 3), (3, 3)]
    assert np.isnan(states[0].sd(ALL_POINTS)).all()
    np.testing.assert_array_equal(states[2].losses[ALL_POINTS][:1], states[0].losses[ALL_POINTS])


def test_a_stopped_table_goes_on_to_the_same_numbers():
    config = OrthogonalConfig(trials=4, seed=7)
    states = list(measuring_table_1(config))
    rest = list(measuring_table_1(config, done=states[1]))
    assert [s.done for s in rest] == [3, 4]
    for column in COLUMNS:
        np.testing.assert_array_equal(rest[-1].losses[column], states[-1].losses[column])
    np.testing.assert_array_equal(rest[-1].described["between"], states[-1].described["between"])
    assert rest[-1].seconds > states[1].seconds
    assert not list(measuring_table_1(config, done=states[-1]))
    with pytest.raises(InvalidInputError, match="goes on to 9 repetitions"):
        next(measuring_table_1(replace(config, trials=9), done=states[1]))


def test_values_within_and_between_classes_are_of_pairs():
    K = np.arange(16.0).reshape(4, 4)
    K = K + K.T
    within, between = class_values(K)
    assert within.tolist() == [K[0, 1]]
    assert sorted(between) == sorted(K[:2, 2:].ravel())


def test_a_trial_is_fifty_strings_in_two_halves():
    K, coded, fold = draw(OrthogonalConfig(), 5)
    assert K.n == 50
    assert fold.train.size == fold.test.size == 25
    assert sorted(np.concatenate([fold.train, fold.test])) == list(range(50))
    assert coded.codes.sum() == 25


def test_trials_may_share_their_strings():
    config = OrthogonalConfig(trials=6, splits=3)
    drawn = [draw(config, trial) for trial in range(6)]
    same = [np.array_equal(drawn[0][0].values, K.values) for K, _, _ in drawn]
    assert same == [True] * 3 + [False] * 3
    assert len({tuple(fold.train) for _, _, fold in drawn}) == 6
    table = last(config)
    sets = table.losses[ALL_POINTS].reshape(2, 3, -1).mean(axis=1)
    np.testing.assert_allclose(table.se(ALL_POINTS), sets.std(axis=0, ddof=1) / np.sqrt(2.0))
    assert np.isnan(last(OrthogonalConfig(trials=2, splits=20)).se(ALL_POINTS)).all()
    alone = last(OrthogonalConfig(trials=6))
    np.testing.assert_allclose(alone.se(ALL_POINTS), alone.sd(ALL_POINTS) / np.sqrt(6.0))


def test_the_seed_moves_the_numbers():
    first, second = (last(OrthogonalConfig(trials=2, seed=seed)) for seed in (0, 50))
    assert not np.array_equal(first.losses[ALL_POINTS], second.losses[ALL_POINTS])


def test_the_original_kernel_knows_no_basis_and_the_last_column_no_p(table):
    np.testing.assert_array_equal(table.losses[ALL_POINTS][..., 0], table.losses[TRAIN_ONLY][..., 0])
    assert np.isnan(table.losses[COMPONENTS][..., 1:]).all()


def test_every_margin_is_hard(table):
    assert table.training_errors == table.at_bound == 0


def test_large_diagonals_are_cured_by_a_small_p(table):
    means = table.mean(ALL_POINTS)
    best = POWERS[int(means.argmin())]
    assert best is not None
    assert 0.3 <= best <= 0.6
    assert means[0] - means.min() > 4.0 * table.se(ALL_POINTS).max()


@pytest.mark.parametrize("column", [ALL_POINTS, TRAIN_ONLY])
def test_the_table_over_sixty_trials_is_within_standard_errors_of_many(column, table):
    # a difference of independent means: sixty trials here, thousands there; 11 correlated rows at 3.5 standard errors
    assert (np.abs(table.mean(column) - MANY[column]) < 3.5 * table.se(column)).all()


def test_what_stands_beside_the_table_is_within_standard_errors_of_many(table):
    neighbour, row = table.mean(NEIGHBOUR), table.se(NEIGHBOUR)
    for p, other in {None: 0.406, 0.6: 0.209, 0.3: 0.195}.items():
        assert abs(neighbour[POWERS.index(p)] - other) < 3.5 * row[POWERS.index(p)]
    assert abs(table.mean(COMPONENTS)[0] - 0.243) < 3.5 * table.se(COMPONENTS)[0]
    for values, other in ((table.described["within"], 2.9e-4), (table.described["between"], 2.9e-5)):
        assert abs(values.mean() - other) < 3.5 * values.std(ddof=1) / np.sqrt(len(values))
    # of pairs, within one set of strings
    for values, other in ((table.described["within_sd"], 8e-4), (table.described["between_sd"], 9e-5)):
        assert abs(values.mean() - other) < 0.25 * other + 3.5 * values.std(ddof=1) / np.sqrt(len(values))


def test_a_trial_is_a_repetition_of_one_fold_and_a_step_of_all_rows(table):
    assert (table.n_folds, table.step, table.repetitions, table.planned, table.begun) == (1, 11, 60, 60, 0)
    assert table.counts.tolist() == [60] * 11
    np.testing.assert_array_equal(table.sd(ALL_POINTS), table.sd_repetitions(ALL_POINTS))


def test_trials_of_a_set_that_is_not_whole_are_a_unit_of_their_own():
    table = last(OrthogonalConfig(trials=5, splits=3))
    values = table.losses[ALL_POINTS][:, 0]
    np.testing.assert_allclose(table.by_unit(ALL_POINTS), [values[:3].mean(axis=0), values[3:].mean(axis=0)])
    np.testing.assert_allclose(
        table.se(ALL_POINTS), table.by_unit(ALL_POINTS).std(axis=0, ddof=1) / np.sqrt(2.0)
    )


def test_a_column_that_is_not_there_is_refused(table):
    with pytest.raises(InvalidInputError, match="A column is one of"):
        table.mean("SVM")
    assert set(table.losses) == set(COLUMNS)


@pytest.mark.parametrize("change", [{"trials": 0}, {"decay": 0.0}, {"C": -1.0}, {"seed": -1}])
def test_settings_out_of_range_are_refused(change):
    with pytest.raises(InvalidInputError):
        replace(OrthogonalConfig(), **change)
