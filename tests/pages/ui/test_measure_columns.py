"""Columns of a measure: numbers, and intervals that are sorted as numbers although they are text."""

import pandas as pd

from pages.ui.chosen import measure_columns


def test_intervals_are_sorted_by_their_lower_ends():
    lows = [0.0, 0.0951, 0.1, 0.452, 0.999, 1.0]
    rows = pd.DataFrame({"share": lows, "share_from": lows, "share_to": [1.0] * 6})
    made = measure_columns(rows, "share", "accuracy")
    assert made["accuracy"].tolist() == [0.0, 9.5, 10.0, 45.2, 99.9, 100.0]
    assert made["[ ] accuracy"][1].strip() == "9.5 to 100.0"
    assert sorted(made["[ ] accuracy"]) == made["[ ] accuracy"]
