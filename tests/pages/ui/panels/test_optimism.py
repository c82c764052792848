import numpy as np
import pytest

from kernex_core.learning.chance.interval import Interval
from kernex_core.learning.chance.tried import NestedChoice
from pages.ui.panels.accuracy import choice_basis, choice_sentence


def made(measure, by_repeat=(0.8, 0.9), picked=(0, 1, 1, 1), n_folds=2):
    alone = np.array([[0.7, 0.9], [0.9, 0.95]])
    interval = Interval(0.75, 0.95, units=40)
    return NestedChoice(
        measure, ("dim", "good"), alone[:, : len(by_repeat)], np.array(picked), np.array(by_repeat), 40, n_folds,
        np.zeros((1, 40)), interval, 2, 2, 0.1,
    )  # fmt: skip


def test_an_accuracy_has_its_interval_items_folds_repetitions_and_spread():
    found = made("multi_class")
    said, basis = choice_sentence(found), choice_basis(found)
    assert "**good** was chosen most often, in 3 of 4 training folds" in said
    assert "worth **85.0\u00a0%** [75.0, 95.0]" in said
    assert "The highest of all, good, reads 92.5\u00a0%: 7.5 points higher" in said
    assert (
        "Multi-class accuracy; 40 items, each judged twice, 2 folds, each choosing among 2 by 5 folds"
        in basis
    )
    assert "sd over repetitions 7.1" in basis
    assert "95\u00a0%, for other data sets of this size; allows for shared training sets" in basis


def test_a_loss_is_the_rest_and_its_interval_is_turned():
    found = made("balanced")
    said = choice_sentence(found)
    assert "worth **15.0\u00a0%** [5.0, 25.0]" in said
    assert "The lowest of all, good, reads 7.5\u00a0%: 7.5 points lower" in said
    assert choice_basis(found).startswith("Balanced loss; ")


@pytest.mark.parametrize("by_repeat", [(0.95,), (0.9,)])
def test_one_repetition_has_no_spread_and_no_gap_is_no_gap(by_repeat):
    found = made("multi_class", by_repeat, (1, 1), 40)
    assert "sd over" not in choice_basis(found)
    assert "one item a fold" in choice_basis(found)
    assert "no better" in choice_sentence(found)
