import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from pages.ui.figures.bars import signed_bars, weight_bars


def test_a_bar_a_weight_and_the_highlighted_one_in_colour():
    picture = weight_bars([0.5, -1.0, 0.0], names=["a", "b<", "c"], highlighted=[1])
    (trace,) = picture.figure.data
    np.testing.assert_array_equal(trace.y, [0.5, -1.0, 0.0])
    colours = trace.marker.color
    assert colours[0] == colours[2] != colours[1]
    assert trace.hovertext[1] == "b&lt;"
    low, high = picture.figure.layout.yaxis.range
    assert low == -high
    assert "b< −1.000" in picture.alt


def test_a_limit_puts_charts_on_one_axis_and_zeros_have_an_axis_too():
    assert weight_bars([0.1], names=["a"], limit=2.0).figure.layout.yaxis.range[1] == pytest.approx(2.16)
    assert weight_bars([0.0], names=["a"]).figure.layout.yaxis.range[1] > 0


@pytest.mark.parametrize(("weights", "names"), [([1.0], ["a", "b"]), ([], []), ([np.nan], ["a"])])
def test_weights_without_names_or_values_are_refused(weights, names):
    with pytest.raises(InvalidInputError):
        weight_bars(weights, names=names)


def test_signed_bars_in_the_order_given_with_long_names_cut():
    picture = signed_bars([2.0, 1.0, -3.0], names=["AB<", "C" * 30, "D"])
    (trace,) = picture.figure.data
    assert tuple(trace.x) == (2.0, 1.0, -3.0)
    layout = picture.figure.layout
    assert layout.yaxis.range[0] > layout.yaxis.range[1]
    assert layout.yaxis.ticktext[0] == "AB&lt;"
    assert len(layout.yaxis.ticktext[1]) == 14
    assert trace.hovertext[1] == "C" * 30
    above, _, below = trace.marker.color
    assert above == trace.marker.color[1] != below
    assert "D −3.000" in picture.alt
    with pytest.raises(InvalidInputError):
        signed_bars([1.0], names=[])
