import numpy as np
import pytest

from kernex_core.learning.chance.interval import Interval
from kernex_core.learning.chance.nested_choice import NestedChoice
from pages.shared.panels.optimism import choice_words


def made(measure, by_repeat=(0.8, 0.9), picked=(0, 1, 1, 1), n_folds=2):
    alone = np.array([[0.7, 0.9], [0.9, 0.95]])
    interval = Interval(0.75, 0.95, units=40)
    return NestedChoice(
        measure, ("dim", "good"), alone[:, : len(by_repeat)], np.array(picked), np.array(by_repeat), 40, n_folds,
        np.zeros((1, 40)), interval, 2, 2, 0.1,
    )  # fmt: skip


def test_an_accuracy_has_its_items_folds_repetitions_spread_and_interval():
    said = choice_words(made("multi_class"), "the kernel")
    assert (
        "The choice of the kernel made again inside every training fold: multi-class accuracy **85.0\u00a0%** ± 7.1"
        in said
    )
    assert (
        "sd over 2 repetitions; 40 items, each judged twice, 2 folds, each choosing among 2 by 5 folds"
        in said
    )
    assert (
        "75.0 to 95.0: 95\u00a0%, for other data sets of this size; allows for shared training sets" in said
    )
    assert (
        "The highest on the test folds, good, reads 92.5\u00a0%: 7.5 points higher than the choice is worth"
        in said
    )
    assert "good, in 3 of 4 folds" in said


def test_a_loss_is_the_rest_and_its_interval_is_turned():
    said = choice_words(made("balanced"), "p")
    assert "balanced loss **15.0\u00a0%**" in said
    assert "5.0 to 25.0" in said
    assert (
        "The lowest on the test folds, good, reads 7.5\u00a0%: 7.5 points lower than the choice is worth"
        in said
    )


@pytest.mark.parametrize("by_repeat", [(0.95,), (0.9,)])
def test_one_repetition_has_no_spread_and_no_gap_is_no_gap(by_repeat):
    said = choice_words(made("multi_class", by_repeat, (1, 1), 40), "λ")
    assert "±" not in said
    assert "one item a fold" in said
    assert "not too optimistic here" in said
