"""What `[ ]` and `±` are in a table of kernels: every way in which an interval was made is named."""

from __future__ import annotations

import numpy as np

from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from pages.shared.panels.kernel_table import spread_words

MEASURES = {"multi_class": "multi-class", "balanced": "balanced"}


def test_every_way_of_making_an_interval_is_named(rng):
    y = np.repeat(["a", "b"], 30)
    side = np.repeat([-1.0, 1.0], 30)
    right = np.outer(side, side)  # no mistake: too few for a bootstrap
    noise = rng.normal(size=(60, 4))
    protocol = CrossValidation(folds=2, repeats=2)
    made = [judge(K, y, protocol) for K in (right, noise @ noise.T, np.eye(60) + noise @ noise.T)]
    assert [one.interval().method for one in made] == ["Wilson", "bootstrap", "bootstrap"]
    assert "multi-class bootstrap in 2 of 3 rows, Wilson in 1 of 3 rows" in spread_words(made, MEASURES)
    assert "over items (bootstrap); ±: standard" in spread_words(made[1:], MEASURES)
