"""Table 1 beside made-up measurements: limits, what is outside, and which basis the numbers fit."""

from dataclasses import replace

import numpy as np
import pytest

from kernex_core.studies.papers.orthogonal.paper import (
    BETTER,
    CANNOT_TELL,
    LOSS,
    NEITHER,
    STRINGS,
    LossComparison,
)
from kernex_core.studies.papers.orthogonal.power_table import (
    ALL_POINTS,
    BASES,
    POWERS,
    TRAIN_ONLY,
    PowerTable,
)
from kernex_core.studies.papers.orthogonal.tables import (
    COMPONENTS,
    NEIGHBOUR,
    OrthogonalConfig,
    measuring_table_1,
)
from kernex_core.studies.papers.paper_table import Beside, Printed


def made(trials, *, shift=0.0, train=0.0, noise=0.1, splits=1):
    """Table 1 with losses that are the printed ones and so much more, on both bases."""
    common = noise * np.random.default_rng(0).normal(size=(trials, 1, 1))
    common -= common.mean() if trials > 1 else 0.0
    printed = np.array([p.mean for p in STRINGS.printed[LOSS]])
    losses = {ALL_POINTS: printed + shift + common, TRAIN_ONLY: printed + train + common}
    losses |= {column: np.full_like(common + printed, np.nan) for column in (NEIGHBOUR, COMPONENTS)}
    aside = np.empty((trials, 0))
    return PowerTable(POWERS, losses, aside, 0, 0, 0, trials, trials, 1.0, len(POWERS), splits)


def compared(trials, **changes):
    return LossComparison(STRINGS, made(trials, **changes))


def with_column(found, column, values):
    return replace(found, losses={**found.losses, column: values})


def test_one_trial_is_neither_inside_nor_outside():
    one = compared(1)
    assert not any(each.within or each.outside for each in one.differences(ALL_POINTS))
    assert np.isnan([each.limit for each in one.differences(ALL_POINTS)]).all()
    assert one.inside(ALL_POINTS) == (0, 0)
    assert not one.judged
    assert one.verdict() is None


def test_the_limit_is_two_standard_errors_of_measured_and_printed_together():
    found = compared(20, shift=0.01)
    for row, difference in enumerate(found.differences(ALL_POINTS)):
        values = found.found.losses[ALL_POINTS][:, 0, row]
        assert difference.gap == pytest.approx(values.mean() - STRINGS.printed[LOSS][row].mean)
        between = STRINGS.between.rows[ALL_POINTS][POWERS[row]]
        assert difference.limit**2 / 4 == pytest.approx(values.var(ddof=1) / 20 + between**2)


def test_the_error_of_what_is_printed_is_the_spread_between_sets_however_little_was_measured():
    """.028 to .053, as far as 400 sets tell it (3.5 % of each); not ± / √20, which is half of it or less."""
    for trials, splits in ((1, 1), (3, 1), (20, 20)):
        for column in BASES:
            errors = compared(trials, splits=splits).printed_se(column)
            assert ((errors > 0.025) & (errors < 0.06)).all()
    by_trials = np.array([p.plus_minus for p in STRINGS.printed[LOSS]]) / np.sqrt(20)
    assert (compared(1).printed_se(ALL_POINTS) > 1.05 * by_trials).all()


@pytest.mark.parametrize("column", BASES)
def test_sets_differ_as_much_as_is_said(column, eight_sets):
    """Over 40 sets and every row of its own in `science`; here over all rows, which tells ± / √20, half of it, apart."""
    losses = eight_sets.losses[column][:, 0].reshape(8, 8, len(POWERS))
    # of 20 splits in place of 8 a smaller part of the spread of the splits is left in the mean
    within = losses.var(axis=1, ddof=1).mean(axis=0)
    between = losses.mean(axis=1).var(axis=0, ddof=1) - (1 / 8 - 1 / 20) * within
    assert 0.65 < np.sqrt(between.mean() / np.mean(compared(1).printed_se(column) ** 2)) < 1.5


@pytest.fixture(scope="module")
def eight_sets():
    *_, found = measuring_table_1(OrthogonalConfig(trials=64, splits=8, seed=40))
    return found


def test_with_it_the_numbers_fit_all_points_and_not_training_points():
    """Means over 1,200 trials of other code: all-points inside 2 SE in every row, train-only outside at p >= .8."""
    all_points = [0.323, 0.271, 0.233, 0.199, 0.171, 0.153, 0.143, 0.149, 0.159, 0.183, 0.228]
    train_only = [0.323, 0.395, 0.361, 0.318, 0.270, 0.227, 0.192, 0.178, 0.190, 0.226, 0.278]
    printed = np.array([p.mean for p in STRINGS.printed[LOSS]])
    apart = {
        column: np.abs(np.array(means) - printed) / compared(1).printed_se(column)
        for column, means in ((ALL_POINTS, all_points), (TRAIN_ONLY, train_only))
    }
    assert (apart[ALL_POINTS] < 1.3).all()
    assert (apart[TRAIN_ONLY][1:4] > 3.0).all()


def test_losses_beside_the_table_are_judged_as_if_they_varied_as_ours_do():
    found = made(20)
    far = with_column(found, COMPONENTS, found.losses[ALL_POINTS] + 0.5)
    beside = Beside("components", COMPONENTS, None, Printed(0.23))
    difference = LossComparison(STRINGS, far).beside(beside)
    assert difference.outside
    between = STRINGS.between.rows[COMPONENTS][None]
    assert difference.se == pytest.approx(np.hypot(far.se(COMPONENTS)[0], between))
    near = replace(beside, printed=Printed(float(far.mean(COMPONENTS)[0]) + 0.01))
    assert LossComparison(STRINGS, far).beside(near).within
    assert np.isnan(compared(1).beside(replace(beside, column=ALL_POINTS)).limit)


def test_trials_that_share_their_strings_are_one_unit():
    found = made(100)
    sets = np.repeat(0.1 * np.random.default_rng(1).normal(size=(5, 1, 1)), 20, axis=0)
    alone = replace(found, losses={column: values + sets for column, values in found.losses.items()})
    shared = replace(alone, splits=20)
    assert shared.by_unit(ALL_POINTS).shape == (5, len(POWERS))
    assert (shared.se(ALL_POINTS) > 2.0 * alone.se(ALL_POINTS)).all()
    apart = [LossComparison(STRINGS, each).distances()[ALL_POINTS].se for each in (alone, shared)]
    assert apart[1] > apart[0]
    one = compared(20, splits=20)
    assert np.isnan(one.found.se(ALL_POINTS)).all()
    assert np.isnan(one.beside(Beside("", ALL_POINTS, None, Printed(0.9))).se)


class TestSumOverRows:
    """The noise of a row's trials is that of all its rows: .1 / √20 measured, .03 to .04 printed, together .04."""

    @pytest.mark.parametrize(
        ("shift", "train", "said"),
        [
            (0.0, 0.2, BETTER[ALL_POINTS]),
            (-0.2, 0.0, BETTER[TRAIN_ONLY]),
            (0.0, 0.01, CANNOT_TELL),
            (0.0, 0.0, CANNOT_TELL),
            (0.2, 0.25, NEITHER),
        ],
    )
    def test_the_verdict_is_that_of_the_sum(self, shift, train, said):
        verdict = compared(20, shift=shift, train=train).verdict()
        assert verdict.text == said
        assert verdict.apart[ALL_POINTS].gap == pytest.approx(shift)
        assert verdict.apart[TRAIN_ONLY].gap == pytest.approx(train)

    def test_one_row_decides_nothing(self):
        found = made(20)
        off = found.losses[TRAIN_ONLY].copy()
        off[:, :, 4] += 0.3
        verdict = LossComparison(STRINGS, with_column(found, TRAIN_ONLY, off)).verdict()
        assert verdict.inside == {ALL_POINTS: (11, 11), TRAIN_ONLY: (10, 11)}
        assert verdict.text == CANNOT_TELL

    def test_the_error_is_that_of_repetitions(self):
        found = compared(20)
        spread = float(found.found.losses[ALL_POINTS].mean(axis=(1, 2)).std(ddof=1))
        between = STRINGS.between.over_rows[ALL_POINTS]
        assert found.distances()[ALL_POINTS].se == pytest.approx(np.hypot(spread / np.sqrt(20), between))

    @pytest.mark.parametrize(("trials", "rough"), [(2, True), (5, True), (6, False)])
    def test_few_units_are_called_rough(self, trials, rough):
        assert compared(trials).verdict().rough is rough
