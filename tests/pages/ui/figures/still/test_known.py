"""Keys of Plotly's that a still picture draws or may leave out; any other one is told."""

import numpy as np
import pytest

from pages.ui.figures.still.chart import DRAWN, LIVE, SET, chart, is_square, unknown
from tests.pages.svg import outside

LAYOUT = {"height": 200, "margin": {"l": 40, "r": 10, "t": 10, "b": 30}}


def test_a_key_that_nobody_draws_is_told():
    figure = {
        "data": [{"type": "scatter", "x": [1], "y": [1], "marker": {"size": 3, "angle": 7}}],
        "layout": {"xaxis": {"range": [0, 1], "side": "top"}, "polar": {}},
    }
    assert unknown(figure) == ["layout.xaxis.side", "scatter.marker.angle"]
    figure["data"][0] = {"type": "violin", "x": [1]}
    assert "violin.x" in unknown(figure)


def test_every_key_is_of_one_kind():
    assert DRAWN & LIVE == DRAWN & SET == LIVE & SET == set()


@pytest.mark.parametrize("mark", [{"shapes": [{"type": "line", "x0": 30, "x1": 30, "y0": 0, "y1": 1, "yref": "paper"}]},
                                  {"annotations": [{"text": "floor", "x": 30, "y": 1, "yref": "paper"}]}])  # fmt: skip
def test_an_axis_that_is_not_named_is_that_of_the_chart(mark):
    figure = {
        "data": [{"type": "scatter", "mode": "markers", "x": [20.0, 40.0], "y": [0.0, 1.0]}],
        "layout": LAYOUT | mark,
    }
    whole = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 200">{chart(figure, 400)}</svg>'
    assert outside(whole) == []


def test_cells_that_are_no_square_are_as_wide_as_the_chart():
    trace = {
        "type": "heatmap",
        "z": np.ones((2, 30)),
        "zmin": 0,
        "zmax": 1,
        "colorscale": [[0, "#000000"], [1, "#ffffff"]],
    }
    figure = {
        "data": [trace],
        "layout": LAYOUT | {"shapes": [{"type": "line", "x0": 25, "x1": 25, "y0": 0, "y1": 1}]},
    }
    assert not is_square(figure)
    drawn = chart(figure, 400)
    assert 'width="350.0"' in drawn
    assert outside(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 200">{drawn}</svg>') == []
