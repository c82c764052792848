import pytest

from pages.shared.panels.item_map import places


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
