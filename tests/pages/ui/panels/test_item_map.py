import pytest

from pages.ui.panels import item_map
from pages.ui.panels.item_map import places


@pytest.mark.parametrize(
    ("selection", "items"),
    [
        ({"points": [{"customdata": 3}, {"customdata": [1]}, {"customdata": 3}]}, [1, 3]),
        ({"points": []}, []),
        ({}, []),
        (None, []),
        (
            {
                "points": [
                    {"customdata": 9},
                    {"customdata": -1},
                    {"customdata": "0"},
                    {"customdata": True},
                    {},
                    5,
                ]
            },
            [],
        ),
    ],
)
def test_points_are_items_and_what_is_none_is_left_out(selection, items):
    assert places(selection, 5) == items


def test_a_choice_made_in_a_chart_leaves_the_chart_as_it_was(monkeypatch):
    """So the browser keeps its zoom; a choice made elsewhere, or another map, makes another chart."""
    kept, told = {}, {}
    monkeypatch.setattr(item_map.workspace, "recall", lambda key, default: kept.get(key, default))
    monkeypatch.setattr(item_map.workspace, "remember", kept.__setitem__)
    monkeypatch.setattr(
        item_map.workspace, "told", lambda key, name: {"points": [{"customdata": k} for k in told[key]]}
    )
    monkeypatch.setattr(item_map.chosen, "choose", lambda names, again_is_none: None)
    ids = ("a", "b", "c")
    first = item_map.drawn_chart("m", "map", ())
    told[f"m.{first.turn}"] = [1]
    item_map.on_select("m", first.turn, ids)
    same = item_map.drawn_chart("m", "map", ("b",))
    assert (same.turn, same.items) == (first.turn, ())
    told[f"m.{first.turn}"] = []  # and let go of
    item_map.on_select("m", first.turn, ids)
    assert item_map.drawn_chart("m", "map", ()).turn == first.turn
    elsewhere = item_map.drawn_chart("m", "map", ("c",))
    assert elsewhere.turn > first.turn
    assert elsewhere.items == ("c",)
    told[f"m.{first.turn}"] = [0]  # a late word of the chart that is gone
    item_map.on_select("m", first.turn, ids)
    assert item_map.drawn_chart("m", "map", ("c",)) == elsewhere
    other = item_map.drawn_chart("m", "another map", ("c",))
    assert other.turn > elsewhere.turn
    assert other.items == ("c",)
