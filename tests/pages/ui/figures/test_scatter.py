import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from pages.ui.figures.chart import Items
from pages.ui.figures.scatter import Added, MapAxes, Marked, Outlined, item_map
from pages.ui.figures.still.sheet import SheetPanel, sheet
from pages.ui.figures.theme import MARK, UNLABELLED, class_styles

IDS = ["i0", "i1", "i2", "i3", "i4", "i5"]
CLASSES = ["b", "a", None, "b", "b", "a"]


def test_one_trace_a_class_and_positions_as_custom_data(rng):
    points = rng.normal(size=(6, 2))
    data = item_map(points, Items(IDS, CLASSES)).figure.data
    assert [trace.name for trace in data] == ["unlabelled", "b", "a"]
    assert [list(trace.customdata) for trace in data] == [[2], [0, 3, 4], [1, 5]]
    for trace in data:
        at = list(trace.customdata)
        np.testing.assert_array_equal(np.c_[trace.x, trace.y], points[at])
        assert list(trace.text) == [IDS[k] for k in at]
    assert data[0].marker.color == UNLABELLED
    for trace, style in zip(data[1:], class_styles(CLASSES), strict=True):
        assert (trace.marker.color, trace.marker.symbol) == (style.colour, style.marker)


def test_hidden_items_are_outlines_and_say_so(rng):
    hollow = np.array([True, False, False, False, False, False])
    picture = item_map(rng.normal(size=(6, 2)), Items(IDS, CLASSES), outlined=Outlined(hollow, "new"))
    trace = picture.figure.data[1]
    assert list(trace.marker.symbol) == ["circle-open", "circle", "circle"]
    assert trace.text[0] == "i0 (new)"
    assert "1 new, drawn as outlines" in picture.alt


def test_axes_tell_their_share_of_the_variance_and_have_one_unit(rng):
    layout = item_map(rng.normal(size=(6, 2)), Items(IDS), axes=MapAxes(shares=(0.04, 0.021))).figure.layout
    assert layout.xaxis.title.text == "component 1 (4\u00a0%)"
    assert layout.yaxis.title.text == "component 2 (2\u00a0%)"
    assert layout.xaxis.scaleanchor == "y"


def test_items_without_a_place_are_counted():
    points = np.array([[0, 0], [1, np.nan], [2, 2.0]])
    picture = item_map(points, Items(["a", "b", "c"]))
    assert picture.note == "1 item without a place"
    assert list(picture.figure.data[0].customdata) == [0, 2]


def test_many_points_are_drawn_by_the_graphics_card(rng):
    n = 3001
    (trace,) = item_map(rng.normal(size=(n, 2)), Items([str(k) for k in range(n)])).figure.data
    assert trace.type == "scattergl"


@pytest.mark.parametrize("shape", [(5, 2), (6, 3), (6,)])
def test_other_shapes_are_refused(shape):
    with pytest.raises(InvalidInputError, match="two coordinates"):
        item_map(np.zeros(shape), Items(IDS))
    with pytest.raises(InvalidInputError):
        item_map(np.zeros((0, 2)), Items([]))


def test_chosen_items_have_a_ring_and_a_pair_a_line_and_neither_takes_part_in_a_choice(rng):
    points = rng.normal(size=(6, 2))
    points[4] = np.nan
    picture = item_map(points, Items(IDS, CLASSES), marked=Marked((1, 4), (0, 5)))
    line, ring = picture.figure.data[-2:]
    np.testing.assert_array_equal(np.c_[line.x, line.y], points[[0, 5]])
    np.testing.assert_array_equal(np.c_[ring.x, ring.y], points[[1, 0, 5]])
    assert ring.marker.color == line.line.color == MARK
    assert all(trace.customdata is None and trace.hoverinfo == "skip" for trace in (line, ring))
    assert "2 chosen" in picture.alt


def test_above_ten_classes_the_others_are_one_trace_that_names_each_on_hover(rng):
    classes = [f"c{k:02}" for k in range(12)]
    traces = item_map(rng.normal(size=(12, 2)), Items(classes, classes)).figure.data
    assert [trace.name for trace in traces] == [*classes[:9], "3 other classes"]
    assert list(traces[-1].text) == [f"{name}<br>{name}" for name in classes[9:]]


def test_picked_items_are_the_charts_own_selection_and_new_ones_are_never_chosen(rng):
    points = rng.normal(size=(6, 2))
    added = Added(("new", "far"), np.array([[0.0, 0.0], [1e6, 0.0]]), np.array([0.2, np.nan]))
    picture = item_map(
        points, Items(IDS, CLASSES), marked=Marked((1, 4), picked=True), added=added, keyed=True
    )
    *classes, stars = [trace for trace in picture.figure.data if trace.x[0] is not None]
    at = [trace.customdata[k] for trace in classes for k in trace.selectedpoints or ()]
    assert sorted(at) == [1, 4]
    assert all(trace.unselected.marker.opacity == trace.marker.opacity for trace in classes)
    assert stars.customdata is None
    assert (list(stars.error_x.array), stars.error_y.array) == ([0.2, 0.2], None)
    assert b"<path" in sheet("map", {}, [SheetPanel("map", "", picture)], ())
    assert picture.figure.layout.xaxis.range[1] < 1e3  # a point far away leaves the items their room
    assert [trace.name for trace in picture.figure.data if trace.x[0] is None] == [
        "b",
        "a",
        "unlabelled",
        "new",
    ]
    assert "2 chosen, in pink. 2 new items, as stars." in picture.alt
