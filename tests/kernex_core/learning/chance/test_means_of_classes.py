"""A mean over classes is as well known as the items that it is made of."""

import numpy as np
import pytest

from kernex_core.learning.chance.interval import Passes, interval_of
from kernex_core.learning.chance.paired import recall_by_item


@pytest.mark.parametrize("wrong", [2, 10])
def test_equal_classes_are_together_as_one_class_of_all_their_items(wrong):
    n, c = 50, 4
    scores = np.tile(np.arange(n) >= wrong, c).astype(float)
    codes = np.repeat(np.arange(c), n)
    together = interval_of(scores, Passes(5, 1))
    apart = interval_of(recall_by_item(scores, codes), Passes(5, 1), classes=codes)
    # means of two, three, ... classes: not c times, nor the root of c times, as long
    assert 0.9 < (apart.high - apart.low) / (together.high - together.low) < 1.1
    assert apart.low <= scores.mean() <= apart.high
