import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from pages.ui.figures.chart import Items
from pages.ui.figures.scatter import Added, Layers, Marked, Outlined, item_space
from pages.ui.figures.theme import CLASS_MARKERS, MARK, class_styles

LETTERS = "abcdefghijklm"
TITLES = ("one", "two", "three")


def test_items_turn_in_the_colours_of_the_flat_map_and_the_key_names_what_there_is(rng):
    classes = [f"c{k:02}" for k in range(12)] + [None]
    ids = [f"<i>{letter}" for letter in LETTERS]
    points = rng.normal(size=(13, 3))
    points[3] = np.nan
    held = np.arange(13) == 5
    added = Added(("new & one",), np.ones((1, 3)), np.array([0.1, np.nan, 0.3]))
    picture = item_space(
        points, Items(ids, classes), TITLES, layers=Layers(Outlined(held, "held out"), added, True), marked=Marked((0, 3))
    )  # fmt: skip
    *drawn, ring, stars = [trace for trace in picture.figure.data if trace.x[0] is not None]
    styles = {style.name: style for style in class_styles(classes)}
    for trace in drawn[1:]:
        assert trace.marker.color == styles[trace.name].colour
        for name, *place in zip(trace.text, trace.x, trace.y, trace.z, strict=True):
            assert name.startswith("&lt;i&gt;")
            np.testing.assert_allclose(place, points[LETTERS.index(name[9])], rtol=1e-6)
    assert sum(len(trace.x) for trace in drawn) == 12
    assert len(ring.x) == 1
    assert ring.marker.color == MARK
    assert (stars.error_x.value, stars.error_y.value, stars.error_z.value) == (0.1, None, 0.3)
    keys = [trace.name for trace in picture.figure.data if trace.x[0] is None]
    assert keys == [*classes[:9], "3 other classes", "unlabelled", "held out", "new"]
    assert "1 chosen" in picture.alt
    assert picture.figure.layout.scene.zaxis.title.text == "three"


def test_every_marker_has_one_in_three_dimensions_also_as_an_outline(rng):
    """plotly refuses a name that WebGL does not have."""
    n = len(CLASS_MARKERS)
    names = [f"c{k}" for k in range(n)]
    for mask in (np.zeros(n, dtype=bool), np.ones(n, dtype=bool)):
        figure = item_space(
            rng.normal(size=(n, 3)), Items(names, names), TITLES, layers=Layers(Outlined(mask))
        ).figure
        assert len(figure.data) == n


def test_other_shapes_are_refused():
    with pytest.raises(InvalidInputError, match="three coordinates"):
        item_space(np.zeros((2, 2)), Items(["a", "b"]), TITLES)
