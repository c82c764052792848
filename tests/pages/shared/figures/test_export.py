import copy
import json

import numpy as np
import pytest

from pages.shared.figures.axes import Across, Values
from pages.shared.figures.curve import Line, curve
from pages.shared.figures.export import figure_html, themed
from pages.shared.figures.heatmap import heatmap
from pages.shared.figures.picture import Items


@pytest.fixture
def picture():
    return curve([Line("joint", [0, 1], [80.0, 70.0])], Across("hidden share, %"), Values("accuracy, %"))


def test_the_file_stands_alone_with_title_axes_and_settings(picture):
    text = figure_html(picture, "Accuracy <1>", {"nugget ρ": "0.10", "data": "a & b"}).decode("utf-8")
    head = text[:2000]
    assert "<title>Accuracy &lt;1&gt;</title>" in head
    assert "<dt>nugget ρ</dt><dd>0.10</dd>" in text
    assert "<dd>a &amp; b</dd>" in text
    assert "hidden share, %" in text
    assert "accuracy, %" in text
    assert picture.alt in text
    assert len(text) > 3_000_000
    assert '<script src="http' not in text
    assert "plotly.js v" in text


def test_colours_are_explicit_and_the_plot_keeps_its_size(picture):
    original = copy.deepcopy(picture.figure.to_dict())
    made = themed(picture.figure, "Accuracy", {"a": "1"}, caption=picture.alt)
    assert made.layout.paper_bgcolor == made.layout.plot_bgcolor == "#ffffff"
    assert made.layout.xaxis.gridcolor
    assert made.layout.title.text == "<b>Accuracy</b>"
    assert "a = 1" in made.layout.annotations[-1].text
    assert picture.alt in made.layout.annotations[-1].text
    inside = [f.layout.height - f.layout.margin.t - f.layout.margin.b for f in (picture.figure, made)]
    assert inside[0] == inside[1]
    assert picture.figure.to_dict()["layout"].keys() == original["layout"].keys()


def test_a_figure_without_settings_has_no_foot(picture):
    made = themed(picture.figure, "Accuracy", {})
    assert len(made.layout.annotations) == len(picture.figure.layout.annotations)
    assert b"none" in figure_html(picture.figure, "Accuracy", {})


def test_heatmaps_keep_cells_and_strips():
    shown = heatmap(np.eye(3), Items(list("abc"), ["x", "y", "x"]))
    made = themed(shown.figure, "K", {"a": "1"})
    assert json.loads(made.to_json())["data"] == json.loads(shown.figure.to_json())["data"]
    assert len(made.layout.images) == 3
