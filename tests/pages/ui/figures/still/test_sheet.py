"""A sheet holds what its figures hold: the same values at the places that their axes give them."""

import base64
import io
import re
import xml.etree.ElementTree as ET

import numpy as np
import plotly.graph_objects as go
import pytest
from PIL import Image

from pages.ui.figures.chart import Across, Chart, Items, Picture, Values
from pages.ui.figures.curve import Level, Line, curve
from pages.ui.figures.heatmap import error_scale, heatmap
from pages.ui.figures.still.chart import chart, label, spans
from pages.ui.figures.still.sheet import SheetPanel, sheet
from pages.ui.figures.still.traces import Axis, nice, numbers, reach
from pages.ui.figures.theme import CIVIDIS, CLASS_MARKERS, class_styles, rgb

SVG = "{http://www.w3.org/2000/svg}"


def drawn(data, layout=None, width=400):
    """Elements of a chart with a plot area from (50, 20) to (380, 260)."""
    usual = {"height": 300, "margin": {"l": 50, "r": 20, "t": 20, "b": 40}}
    figure = {"data": data, "layout": {**usual, **(layout or {})}}
    return ET.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{chart(figure, width)}</svg>')


def points(element):
    return np.array(re.findall(r"(-?[\d.]+) (-?[\d.]+)", element.get("d")), dtype=float)


RANGES = {"xaxis": {"range": [0, 10]}, "yaxis": {"range": [-1, 1]}}


def test_a_line_lies_where_its_axes_say_and_is_interrupted_where_nothing_is_known():
    x, y = [0, 5, 7, 10], [-1.0, 0.0, np.nan, 1.0]
    trace = {
        "type": "scatter",
        "mode": "lines",
        "x": x,
        "y": y,
        "line": {"color": "#d9731a", "dash": "4px,3px"},
    }
    (line,) = [e for e in drawn([trace], RANGES).iter(f"{SVG}path") if e.get("stroke") == "#d9731a"]
    np.testing.assert_allclose(points(line), [[50, 260], [215, 140], [380, 20]])
    assert line.get("d").count("M") == 2
    assert line.get("stroke-dasharray") == "4,3"


def test_logarithmic_axes():
    axis = Axis({"type": "log", "exponentformat": "power"}, -2.0, 3.0, 0.0, 500.0)
    np.testing.assert_allclose(axis.at([0.01, 1.0, 1000.0]), [0.0, 200.0, 500.0])
    assert np.isnan(axis.at([0.0, -1.0])).all()
    assert [word for _, word in axis.ticks()] == [
        "10<sup>−2</sup>", "10<sup>−1</sup>", "1", "10", "10<sup>2</sup>", "10<sup>3</sup>"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("low", "high", "most", "found"),
    [
        (0, 1, 6, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (-30, 95, 5, [0, 50]),
        (0.11, 0.13, 4, [0.11, 0.115, 0.12, 0.125, 0.13]),
    ],
)
def test_ticks_are_round(low, high, most, found):
    assert nice(low, high, most) == found


def test_numbers_are_read_as_plotly_sends_them():
    values = np.arange(6, dtype=np.int16).reshape(2, 3)
    spec = go.Figure(go.Heatmap(z=values)).to_plotly_json()
    np.testing.assert_array_equal(numbers(spec["data"][0]["z"]), values)
    np.testing.assert_array_equal(numbers([1, None]), [1, np.nan])
    assert reach({"rangemode": "tozero"}, [[2.0, 4.0]]) == (0.0, 4.2)


def test_bars_stand_on_zero_and_errors_reach_their_ends():
    bars = {
        "type": "bar",
        "x": [2, 4],
        "y": [1.0, -0.5],
        "width": 1,
        "marker": {"color": ["#111111", "#222222"]},
    }
    boxes = {e.get("fill"): e for e in drawn([bars], RANGES).iter(f"{SVG}rect")}
    assert [float(boxes["#111111"].get(name)) for name in ("x", "y", "width", "height")] == [
        99.5,
        20,
        33,
        120,
    ]
    assert [float(boxes["#222222"].get(name)) for name in ("y", "height")] == [140, 60]


def test_lying_bars_are_upright_ones_with_their_axes_changed():
    colours = ["#111111", "#222222"]
    bars = {"type": "bar", "orientation": "h", "y": [2, 4], "x": [1.0, -0.5], "marker": {"color": colours}}
    layout = {"xaxis": {"range": [-1, 1], "zeroline": True}, "yaxis": {"range": [0, 10]}}
    boxes = {e.get("fill"): e for e in drawn([bars], layout).iter(f"{SVG}rect")}
    one, two = ({n: float(boxes[c].get(n)) for n in ("x", "y", "width", "height")} for c in colours)
    assert one["x"] == pytest.approx(two["x"] + two["width"], abs=0.02)
    assert one["width"] == pytest.approx(2.0 * two["width"], abs=0.02)
    assert one["height"] == pytest.approx(two["height"], abs=0.02)
    assert one["y"] > two["y"]
    error = {"type": "data", "array": [0.5], "arrayminus": [0.25], "symmetric": False, "color": "#333333"}
    trace = {"type": "scatter", "mode": "markers", "x": [5], "y": [0.0], "error_y": error}
    (bar,) = [e for e in drawn([trace], RANGES).iter(f"{SVG}path") if e.get("stroke") == "#333333"]
    assert bar.get("d") == "M215.0 170.0V80.0"


def test_what_lies_beyond_the_axes_is_cut_off_unless_the_trace_asks_for_it():
    bar = {"type": "bar", "x": [5], "y": [700.0], "marker": {"color": "#444444"}}
    _, window = drawn([bar], RANGES).iter(f"{SVG}svg")
    assert window.get("viewBox") == "50.0 20.0 330.0 240.0"
    assert window.get("overflow") == "hidden"
    assert window.find(f"{SVG}rect") is not None
    line = {"type": "scatter", "mode": "markers", "x": [10], "y": [1.0], "cliponaxis": False}
    assert len(list(drawn([line], RANGES).iter(f"{SVG}svg"))) == 1


def test_a_long_note_stands_below_its_title():
    picture = curve([Line("a", [0, 1], [1.0, 2.0])], Across("x"), Values("y"))
    note = "%, 2-fold, 206 items, each judged 5 times; band: 95 % over items"
    root = ET.fromstring(
        sheet("t", {}, [SheetPanel("Accuracy", note, picture), SheetPanel("Spectrum", "short", picture)])
    )
    heads = [
        [("".join(t.itertext()), float(t.get("y"))) for t in g.findall(f"{SVG}text")]
        for g in root.findall(f"{SVG}g")
    ]
    assert [text for text, _ in heads[0]] == ["Accuracy", note]
    assert heads[0][0][1] < heads[0][1][1]
    assert [text for text, _ in heads[1]] == ["Spectrum  short"]


@pytest.mark.parametrize("symbol", [*CLASS_MARKERS, "square-open", "circle-open"])
def test_thousands_of_points_are_the_markers_of_few_on_less_paper(symbol):
    trace = {
        "mode": "markers", "x": [0.0, 5.0, np.nan, 10.0], "y": [-1.0, 0.0, 0.0, 1.0],
        "marker": {"color": "#d9731a", "symbol": symbol, "size": 7, "opacity": 0.5},
    }  # fmt: skip
    (path,) = [e for e in drawn([{"type": "scattergl", **trace}], RANGES).iter(f"{SVG}path") if e.get("opacity") or
               e.get("stroke-opacity")]  # fmt: skip
    assert "#d9731a" in (path.get("fill"), path.get("stroke"))
    starts = re.findall(r"M(-?[\d.]+) (-?[\d.]+)", path.get("d"))
    np.testing.assert_allclose(np.array(starts, dtype=float), [[50, 260], [215, 140], [380, 20]])
    few = [
        e for e in drawn([{"type": "scatter", **trace}], RANGES).iter(f"{SVG}path") if e.get("fill-opacity")
    ]
    if few:  # of corners: steps from one to the next
        steps = np.array(re.findall(r"[ml](-?[\d.]+) (-?[\d.]+)", path.get("d").split("M")[1]), dtype=float)
        np.testing.assert_allclose(np.array([50, 260]) + np.cumsum(steps, axis=0), points(few[0]), atol=0.5)
    assert len(path.get("d")) / 3 < 130


@pytest.mark.parametrize("symbol", [*CLASS_MARKERS, "circle-open"])
def test_every_marker_is_drawn_around_its_point(symbol):
    trace = {
        "type": "scatter",
        "mode": "markers",
        "x": [5],
        "y": [0.0],
        "marker": {"symbol": symbol, "size": 8, "color": "#abcdef"},
    }
    root = drawn([trace], RANGES)
    (mark,) = [e for e in root.iter() if "#abcdef" in (e.get("fill"), e.get("stroke"))]
    if mark.tag == f"{SVG}circle":
        assert (mark.get("cx"), mark.get("cy"), mark.get("r")) == ("215.0", "140.0", "4.0")
    else:
        np.testing.assert_allclose(points(mark).mean(axis=0), [215, 140], atol=0.11)
        assert np.ptp(points(mark), axis=0).max() < 14


@pytest.mark.parametrize("name", ["color", "size", "symbol", "opacity", "width"])
def test_whatever_a_marker_is_may_be_given_one_a_point(name):
    one = {"color": "#d9731a", "size": 8.0, "symbol": "circle-open", "opacity": 0.5, "width": 2.5}
    given = np.array([one[name]] * 3)  # as the browser gets it: numbers as base64
    marker = {key: value for key, value in one.items() if key != "width"} | {"line": {"width": one["width"]}}
    each = {**marker, "line": {"width": given}} if name == "width" else {**marker, name: given}
    shown = []
    for look in (marker, each):
        trace = {"type": "scatter", "mode": "markers", "x": [1, 2, 3], "y": [0, 0, 0], "marker": look}
        shown.append(drawn(Chart([trace], {}).to_dict()["data"], RANGES))
    assert ET.tostring(shown[0]) == ET.tostring(shown[1])


def test_cells_have_the_colours_of_the_scale():
    K = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, np.nan], [0.5, np.nan, 1.0]])
    svg = sheet("K", {}, [SheetPanel("K", "", heatmap(K, Items(list("abc"))))])
    png = base64.b64decode(re.search(rb"data:image/png;base64,([\w+/=]+)", svg).group(1))
    pixels = np.asarray(Image.open(io.BytesIO(png)).convert("RGBA"))
    assert pixels.shape == (3, 3, 4)
    np.testing.assert_array_equal(pixels[..., 3] == 0, np.isnan(K))
    np.testing.assert_allclose(pixels[0, 0, :3], rgb(CIVIDIS[-1]), atol=3)
    np.testing.assert_allclose(pixels[0, 1, :3], rgb(CIVIDIS[0]), atol=3)


def test_a_sheet_says_everything_in_words():
    y = ["x & y", "<z>", "x & y"]
    K = np.eye(3)
    items = Items(list("abc"), y)
    accuracy = curve(
        [Line("joint", [0, 1], [80.0, 70.0], role="joint")], Across("hidden share, %"), Values("accuracy, %"),
        levels=[Level("floor", 60.0, "floor")],
    )  # fmt: skip
    panels = [
        SheetPanel("Known", "3 items", heatmap(K, items)),
        SheetPanel("Error", "", heatmap(K, items, scale=error_scale([K]))),
        SheetPanel("Accuracy", "5-fold", accuracy),
    ]
    svg = sheet("A <title>", {"Nugget ρ": "0.1", "Repair": "clip"}, panels, class_styles(y))
    text = " ".join("".join(ET.fromstring(svg).itertext()).split())
    for said in ("A <title>", "Known", "3 items", "x & y (2)", "<z> (1)", "Settings: Nugget ρ: 0.1; Repair: clip.",
                 "hidden share, %", "accuracy, %", "joint", "floor", accuracy.alt):  # fmt: skip
        assert said in text
    assert len(svg) < 100_000
    assert b"http" not in svg.replace(b"http://www.w3.org/2000/svg", b"")


def test_a_sheet_of_large_matrices_is_small(rng):
    X = rng.normal(size=(300, 20))
    items = Items([f"item{k}" for k in range(300)], [f"class {k % 40}" for k in range(300)])
    picture = heatmap(X @ X.T, items, height=360)
    assert len(sheet("K", {}, [SheetPanel("K", "", picture)] * 5)) < 1_000_000


def test_text_of_users_is_text():
    assert spans("a<br><b>b</b> &lt;i&gt; <script>x</script>") == [
        "a",
        '<tspan font-weight="700">b</tspan> &lt;i&gt; x',
    ]
    assert spans('<span style="color:#123456">━</span>') == ['<tspan fill="#123456">━</tspan>']
    assert "onload" not in spans('<span style="color:red" onload="x">a</span>')[0]
    drawn_label = label("x \x00 & <", 0, 0, colour='"/><a')
    ET.fromstring(f"<g>{drawn_label}</g>")


def test_a_picture_is_taken_as_a_dictionary_too():
    picture = curve([Line("a", [0, 1], [1.0, 2.0])], Across("x"), Values("y"))
    plain = Picture(picture.figure.to_plotly_json(), picture.alt)
    assert sheet("t", {}, [SheetPanel("", "", picture)]) == sheet("t", {}, [SheetPanel("", "", plain)])
