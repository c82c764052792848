"""Under a projector everything is larger, on every page, and what is measured in units of an axis stays."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import projector
from pages.ui.figures.chart import Chart
from pages.ui.projector import TIMES
from tests.conftest import REPOSITORY
from tests.pages.conftest import switch

TRACE = {
    "type": "scatter", "x": np.array([12.0, 13.0]), "y": [12.0, 13.0], "text": ["size", "height"],
    "marker": {"size": [6, 9], "line": {"width": 1.5}, "color": "#123456"}, "line": {"width": 2, "dash": "dot"},
    "error_y": {"array": [1.0, 2.0], "thickness": 1},
}  # fmt: skip
BAR = {"type": "bar", "x": [1, 2], "y": [3, 4], "width": 0.9}
LAYOUT = {
    "height": 222, "margin": {"l": 40, "r": 8, "t": 4, "b": 30, "pad": 0}, "font": {"size": 12, "color": "#666b73"},
    "xaxis": {"range": [0, 5], "tickfont": {"size": 11}, "title": {"text": "l", "standoff": 8}, "fixedrange": True},
    "annotations": [{"text": "a", "x": 1, "y": 2, "xshift": 12, "yshift": -5, "font": {"size": 12}}],
    "shapes": [{"type": "line", "xsizemode": "pixel", "x0": 8, "x1": 30, "y0": 0.5, "y1": 0.5, "line": {"width": 1}}],
}  # fmt: skip


def test_lengths_in_pixels_grow_and_all_else_stays(monkeypatch):
    monkeypatch.setattr(projector, "is_on", lambda: True)
    figure = projector.enlarged(Chart([TRACE, BAR], LAYOUT))
    trace, bar = figure.to_dict()["data"]
    layout = figure.to_dict()["layout"]
    assert trace["x"] == Chart([TRACE], {}).to_dict()["data"][0]["x"]
    assert trace["y"] == [12.0, 13.0]
    assert trace["marker"]["size"] == pytest.approx([8.0, 12.0])
    assert trace["marker"]["line"]["width"] == pytest.approx(2.0)
    assert trace["line"] == {"width": pytest.approx(2 * TIMES), "dash": "dot"}
    assert trace["error_y"] == {"array": [1.0, 2.0], "thickness": pytest.approx(TIMES)}
    assert bar == BAR  # in units of its axis
    assert layout["height"] == pytest.approx(296.0)
    assert layout["margin"] == pytest.approx({"l": 160 / 3, "r": 32 / 3, "t": 16 / 3, "b": 40.0, "pad": 0})
    assert layout["font"] == {"size": pytest.approx(16.0), "color": "#666b73"}
    assert layout["xaxis"]["range"] == [0, 5]
    assert layout["xaxis"]["fixedrange"] is True
    assert layout["xaxis"]["title"] == {"text": "l", "standoff": pytest.approx(8 * TIMES)}
    (note,), (shape,) = layout["annotations"], layout["shapes"]
    assert (note["x"], note["y"]) == (1, 2)
    assert (note["xshift"], note["yshift"]) == pytest.approx((16.0, -20 / 3))
    assert (shape["x0"], shape["x1"], shape["y0"]) == pytest.approx((32 / 3, 40.0, 0.5))


def test_without_a_projector_a_chart_is_itself():
    chart = Chart([BAR], LAYOUT)
    assert projector.enlarged(chart) is chart


def test_it_is_in_the_address_holds_on_every_page_and_is_left_by_a_button():
    at = AppTest.from_file(str(REPOSITORY / "pages" / "main.py"))
    at.query_params["projector"] = "true"
    switch(at, "learn").run()
    assert not at.exception
    switch(at, "learn/glossary.py").run()
    assert at.sidebar.toggle(key="projector").value is True
    assert at.query_params["projector"] == "true"
    at.button(key="projector.leave").click().run()
    assert at.sidebar.toggle(key="projector").value is False
    assert "projector" not in at.query_params
    assert all(button.key != "projector.leave" for button in at.button)


def test_a_main_chart_is_lower_under_a_projector(monkeypatch):
    assert projector.fitted(400) == 400
    monkeypatch.setattr(projector, "is_on", lambda: True)
    assert 0.9 * 400 < TIMES * projector.fitted(400) < 400
