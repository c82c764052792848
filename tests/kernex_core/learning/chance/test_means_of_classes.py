"""A mean over classes is as well known as the items that it is made of: by whatever rule its interval is made."""

import numpy as np
import pytest

from kernex_core.learning.chance.interval import over_items


@pytest.mark.parametrize("wrong", [2, 10])
def test_equal_classes_are_together_as_one_class_of_all_their_items(wrong):
    n, c = 50, 4
    scores = np.tile(np.arange(n) >= wrong, c).astype(float)
    together, apart = over_items(scores), over_items(scores, classes=np.repeat(np.arange(c), n))
    # means of two, three, ... classes: not c times, nor the root of c times, as long
    assert 0.7 < (apart.high - apart.low) / (together.high - together.low) < 1.8
    assert apart.low <= scores.mean() <= apart.high
