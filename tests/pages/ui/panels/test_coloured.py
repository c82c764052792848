import dataclasses
import json

import numpy as np
import pytest

from kernex_core.inputs.samples import Labels
from pages.server.visitors.contents import Contents, Entry
from pages.server.visitors.tab import added, carried
from pages.ui.figures.theme import CLASS_COLOURS, OTHER, class_styles
from tests.pages.conftest import switch
from tests.pages.matrices import blobs, head

BOX = "Coloured classes"
SETTING = "coloured.classes.thirty"


@pytest.fixture
def twelve(small_dataset):
    """Twelve classes: six of three items, six of two."""
    y = np.array([f"c{k:02d}" for k in [*np.repeat(np.arange(6), 3), *np.repeat(np.arange(6, 12), 2)]])
    return dataclasses.replace(small_dataset, labels=Labels(small_dataset.ids, y))


def box_of(at):
    (box,) = [each for each in at.multiselect if each.label == BOX]
    return box


def key_of(at, key):
    """Colour of every entry of the key below the matrices."""
    items = blobs(at)[head(at, key)["items"]][0]
    return {name: colour for name, colour, _ in items["key"]}


def colours_of_map(at):
    charts = [json.loads(chart.proto.spec)["data"] for chart in at.get("plotly_chart")]
    return {
        t["name"]: t["marker"]["color"]
        for traces in charts
        for t in traces
        if t.get("name") in ("c01", "c11")
    }


def test_the_choice_of_coloured_classes_is_followed_by_every_page(open_page_test, twelve):
    at = open_page_test("kernels/kernels.py", twelve)
    assert box_of(at).value == [f"c{k:02d}" for k in range(9)]
    assert key_of(at, "kernels.map")["3 other classes"] == OTHER

    box_of(at).set_value(["c01", "c02", "c11"]).run()
    assert not at.exception
    wanted = {
        "c01": CLASS_COLOURS[1],
        "c02": CLASS_COLOURS[2],
        "c11": CLASS_COLOURS[0],
        "9 other classes": OTHER,
    }
    assert key_of(at, "kernels.map") == wanted
    assert colours_of_map(at) == {"c01": CLASS_COLOURS[1], "c11": CLASS_COLOURS[0]}
    page = at.session_state["kernex"].memory["shown.page"]  # what "Figure" and "Report" export
    assert {style.name: style.colour for style in class_styles(page.classes())} == wanted

    switch(at, "complete/complete.py").run()
    assert key_of(at, "complete.maps") == wanted
    assert sorted(box_of(at).value) == ["c01", "c02", "c11"]

    box_of(at).set_value([]).run()
    assert "3 other classes" in key_of(at, "complete.maps")


def test_nobody_is_asked_where_all_classes_have_a_colour(open_page_test, small_dataset):
    at = open_page_test("kernels/kernels.py", small_dataset)
    assert BOX not in [each.label for each in at.multiselect]


def test_the_choice_goes_into_a_file_and_follows_the_name_of_its_data(twelve):
    seen = Contents({"thirty": Entry(twelve)}, {SETTING: ("c11", "")}, "thirty")
    renamed, name = seen.moved("thirty", "other")
    assert renamed.settings == {f"coloured.classes.{name}": ("c11", "")}

    other = dataclasses.replace(twelve, labels=None)
    made = added(Contents({"thirty": Entry(other)}), carried(seen, "thirty"))
    assert made.contents.settings == {f"coloured.classes.{made.names['thirty']}": ("c11", "")}
