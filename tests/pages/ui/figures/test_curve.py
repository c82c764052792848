import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from pages.ui.figures.chart import Across, Values
from pages.ui.figures.curve import Level, Line, curve
from pages.ui.figures.published import ChartRow, ChartScale, common_range, published_measured
from pages.ui.figures.theme import ROLES

X = [0, 25, 50, 90]


def test_lines_bands_levels_and_labels():
    joint = Line("joint", X, [80.0, 82.0, 99.0, 63.0], "joint", error=[1, 2, 3, 4])
    fill = Line("zero-fill", X, [87.0, 68.0, 53.0, 35.0], "zero-fill")
    picture = curve(
        [fill, joint], Across("hidden, %"), Values(unit="%", bounds=(0, 100)), levels=[Level("floor", 34.5)]
    )
    floor, band, dashed, hero = picture.figure.data
    assert list(floor.y) == [34.5, 34.5]
    assert list(floor.x) == [0, 90]
    np.testing.assert_array_equal(band.y, [81, 84, 100, 67, 59, 96, 80, 79])
    np.testing.assert_array_equal(band.x, [*X, *X[::-1]])
    assert band.fill == "toself"
    assert dashed.line.dash == ROLES["zero-fill"].dash
    assert hero.line.width == max(trace.line.width or 0 for trace in picture.figure.data)
    assert len(picture.figure.layout.annotations) == 3
    assert picture.figure.layout.yaxis.range[1] <= 105
    assert "joint from 80.0 % at 0 to 63.0 % at 90" in picture.alt
    assert "floor 34.5 %" in picture.alt


def test_labels_do_not_collide_where_lines_end_together():
    lines = [Line(f"k{k}", X, [1, 2, 3, 4.0 + 0.001 * k], "target") for k in range(5)]
    picture = curve(lines, Across("x"), height=250)
    pixels = np.sort([(1 - note.y) * (250 - 56) for note in picture.figure.layout.annotations])
    assert np.all(np.diff(pixels) >= 15 - 1e-6)


def test_missing_values_are_left_out_and_places_sorted():
    trace = curve([Line("joint", [50, 0, 25], [np.nan, 1.0, 2.0])], Across("x")).figure.data[0]
    np.testing.assert_array_equal(trace.x, [0, 25])
    np.testing.assert_array_equal(trace.y, [1, 2])


def test_a_line_without_a_value_yet_has_no_label():
    picture = curve([Line("joint", X, [1, 2, 3, 4]), Line("late", X, [np.nan] * 4, "source")], Across("x"))
    assert len(picture.figure.layout.annotations) == 1
    assert "late" not in picture.alt


def test_the_guide_stands_at_the_current_value_and_inside_the_axis():
    picture = curve([Line("joint", X, [1, 2, 3, 4])], Across("x", guide=95))
    (guide,) = [shape for shape in picture.figure.layout.shapes if shape.xref == "x"]
    assert guide.x0 == guide.x1 == 95
    assert picture.figure.layout.xaxis.range[1] == 95


def test_error_bars_instead_of_a_band():
    (trace,) = curve([Line("joint", X, [1, 2, 3, 4], error=[1, 1, 1, 1], bars=True)], Across("x")).figure.data
    np.testing.assert_array_equal(trace.error_y.array, [1, 1, 1, 1])
    assert "±" in trace.hovertemplate


def test_crowded_ticks_are_thinned_and_given_ones_kept():
    line = Line("joint", [0, 1, 2, 50, 100], [1, 2, 3, 4, 5])
    assert curve([line], Across("x")).figure.layout.xaxis.tickvals == (0, 50, 100)
    assert curve([line], Across("x", ticks=[1, 2])).figure.layout.xaxis.tickvals == (1, 2)


def test_texts_stand_at_the_ticks_instead_of_numbers():
    values = Values("y", ticks=range(1, 3), texts=["ten", "hundred"])
    across = Across("x", ticks=[0.0, 50.0], texts=["none", "half"])
    layout = curve([Line("joint", X, [1, 2, 3, 4])], across, values).figure.layout
    assert (layout.xaxis.tickvals, layout.xaxis.ticktext) == ((0.0, 50.0), ("none", "half"))
    assert (layout.yaxis.tickvals, layout.yaxis.ticktext) == ((1, 2), ("ten", "hundred"))


def test_a_heading_stands_above_the_plot_and_in_the_sentence():
    line = Line("joint", X, [1, 2, 3, 4])
    bare, headed = curve([line], Across("x")), curve([line], Across("x"), heading="inductive")
    assert headed.figure.layout.annotations[-1].text == "inductive"
    assert headed.figure.layout.margin.t > bare.figure.layout.margin.t
    assert headed.alt == f"inductive. {bare.alt}"


def test_one_place_is_a_chart_too():
    picture = curve([Line("joint", [0.5], [3.0], "extrapolated")], Across("x"))
    assert picture.figure.data[0].mode == "lines+markers"
    assert picture.figure.layout.xaxis.range[0] < 0.5 < picture.figure.layout.xaxis.range[1]


def test_nothing_to_draw_and_lengths_that_differ_are_refused():
    with pytest.raises(InvalidInputError, match="at least one line"):
        curve([], Across("x"))
    with pytest.raises(InvalidInputError, match="at least one line"):
        curve([Line("joint", [1], [np.nan])], Across("x"))
    with pytest.raises(InvalidInputError, match="2 and 1"):
        curve([Line("joint", [1, 2], [1])], Across("x"))
    with pytest.raises(InvalidInputError, match="'joint'"):
        curve([Line("joint", [1, 2], [1, 2], error=[1])], Across("x"))


ROW = ChartRow([0.1, 0.5, 0.9], [98.5, 97.8, 96.3], [1.3, 1.4, 2.2], [98.8, np.nan, 95.7])


def test_published_is_open_with_its_plus_minus_and_measured_is_filled():
    printed, measured = published_measured(ROW).figure.data
    np.testing.assert_array_equal(printed.error_y.array, [1.3, 1.4, 2.2])
    assert printed.marker.symbol == "circle-open"
    assert printed.mode == "markers"
    assert measured.marker.color == ROLES["joint"].colour
    assert "98.8 against 98.5 published at 0.1" in published_measured(ROW).alt
    assert "unknown against 97.8" in published_measured(ROW).alt


def test_key_and_level_names_appear_only_where_asked():
    levels = [Level("structure alone", 99.1, "target"), Level("sequence alone", 95.9, "source")]
    both = published_measured(ROW, levels=levels)
    key, below, above = (note.text for note in both.figure.layout.annotations)
    assert "measured" in key
    assert ("sequence alone" in below, "structure alone" in above) == (True, True)  # as the lines lie
    short = [Level("all", 99.1, "target"), Level("few", 95.9, "source")]
    _, names = (note.text for note in published_measured(ROW, levels=short).figure.layout.annotations)
    assert names.index("all") < names.index("few")  # on one line of text, which fits a chart of 160 pixels
    long = [Level(f"{name} of a long name", 99.1, "target") for name in ("structure", "sequence")]
    assert len(published_measured(ROW, levels=long).figure.layout.annotations) == 3
    assert len(both.figure.data) == 4
    assert not published_measured(ROW, levels=levels, key=False, name_levels=False).figure.layout.annotations


def test_small_charts_share_one_range_with_room_for_the_key():
    low, high = common_range([ROW], [Level("floor", 93.0)], (0, 100))
    assert high >= 99.8
    assert low < 93.0
    assert published_measured(ROW, ChartScale((low, high))).figure.layout.yaxis.range == (low, high)


def test_a_table_without_plus_minus_or_with_own_errors():
    row = ChartRow([0.1, 0.5], [1.0, 2.0], None, [1.0, 2.0], measured_error=[0.1, np.nan])
    printed, measured = published_measured(row).figure.data
    np.testing.assert_array_equal(printed.error_y.array, [0, 0])
    np.testing.assert_array_equal(measured.error_y.array, [0.1, 0])


def test_columns_of_different_length_are_refused():
    with pytest.raises(InvalidInputError, match="2 places, 1 published"):
        published_measured(ChartRow([1, 2], [1], None, [1, 2]))
