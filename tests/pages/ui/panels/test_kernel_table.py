"""What `[ ]` and `±` are in a table of kernels: every way in which an interval was made is named."""

from __future__ import annotations

import numpy as np

from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from pages.ui.panels.keep import spread_words

MEASURES = {"multi_class": "multi-class", "balanced": "balanced"}


def test_the_interval_is_named_with_what_it_is_for_and_what_it_allows_for(rng):
    y = np.repeat(["a", "b"], 30)
    side = np.repeat([-1.0, 1.0], 30)
    noise = rng.normal(size=(60, 4))
    protocol = CrossValidation(folds=2, repeats=2)
    made = [judge(K, y, protocol) for K in (np.outer(side, side), noise @ noise.T)]
    assert spread_words(made, MEASURES) == (
        f"[ ]: {made[0].interval().words}; ±: standard deviation over repetitions"
    )
    assert "influence in 1 of 3" not in spread_words(made, {**MEASURES, "auc": "ROC area"})
    assert "ROC area" in spread_words(made, {**MEASURES, "auc": "ROC area"})
