import pandas as pd
import pytest

from pages.ui import chosen
from pages.ui.figures.bars import trust_bars
from pages.ui.figures.theme import MARK


@pytest.mark.parametrize(
    ("ids", "order", "marks"),
    [(("c", "a"), ["a", "c", "b", "d"], ["●", "●", "", ""]), (("x",), ["a", "b", "c", "d"], None)],
)
def test_rows_of_chosen_items_come_first_and_are_marked(monkeypatch, ids, order, marks):
    monkeypatch.setattr(chosen, "chosen_ids", lambda: ids)
    made = chosen.first(pd.DataFrame({"id": list("abcd"), "n": range(4)}))
    assert made["id"].tolist() == order
    assert made["n"].tolist() == ["abcd".index(k) for k in order]
    assert ("chosen" in made) == (marks is not None)
    if marks:
        assert made["chosen"].tolist() == marks


def test_bars_of_chosen_items_have_their_colour():
    (trace,) = trust_bars([0.1, 0.9, 0.5], ids=["a", "b", "c"], marked=("c", "z")).figure.data
    assert [colour == MARK for colour in trace.marker.color] == [False, True, False]
