import json
import math

import numpy as np
import plotly.io as pio
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.inputs.names import counted
from pages.server.digits import number, p_value, percent
from pages.ui.figures import theme
from pages.ui.figures.chart import Picture, PlotMargin, axis, chart_config, draw, padded
from pages.ui.figures.theme import class_codes, class_order, class_styles, escaped, role_of, symbol


def test_values_are_those_of_the_palette(shared):
    palette = json.loads((shared / "style" / "palette.json").read_text("utf-8"))
    assert list(theme.CIVIDIS) == palette["sequential_cividis"]
    assert list(theme.CLASS_COLOURS) == palette["classes"]["colours"]
    assert list(theme.CLASS_MARKERS) == palette["classes"]["markers"]
    assert [[place, theme.rgba(colour)] for place, colour in theme.DIVERGING] == palette["diverging"]
    for name, drawn in palette["roles"].items():
        if name in theme.ROLES:
            role = theme.ROLES[name]
            assert (role.colour, role.width) == (drawn["colour"], drawn["width"])
            assert role.dash == drawn.get("dash", "solid")
    assert {"target", "source", "extrapolated", "joint", "zero-fill", "mean-fill", "nystroem"} <= set(
        theme.ROLES
    )


def test_no_two_roles_look_the_same():
    looks = {(role.colour, role.dash, role.width) for role in theme.ROLES.values()}
    assert len(looks) == len(theme.ROLES)


def test_an_unknown_role_is_named_with_the_known_ones():
    with pytest.raises(InvalidInputError, match=r"joint.*'teal'"):
        role_of("teal")
    own = theme.Role("#123456")
    assert role_of(own) is own


def test_classes_are_styled_by_size_then_name():
    styles = class_styles(["b", "a", "b", "c", None, "", "a", "b"])
    assert [(style.name, style.count) for style in styles] == [("b", 3), ("a", 2), ("c", 1)]
    assert [style.colour for style in styles] == list(theme.CLASS_COLOURS[:3])


@pytest.mark.parametrize("n", [1, 9, 10, 11, 25])
def test_of_more_than_ten_classes_the_nine_largest_keep_a_colour_and_the_others_are_one_in_grey(n):
    classes = [f"c{k:02d}" for k in range(n) for _ in range(30 - k)] + [None]
    styles, codes = class_styles(classes), class_codes(classes)
    own = n if n <= 10 else 9
    assert [style.name for style in styles[:own]] == [f"c{k:02d}" for k in range(own)]
    assert len({style.colour for style in styles}) == len({style.marker for style in styles}) == len(styles)
    if n > 10:
        assert (styles[9].name, styles[9].colour) == (f"{n - 9} other classes", theme.OTHER)
        assert {int(codes[classes.index(f"c{k:02d}")]) for k in range(9, n)} == {9}
    assert [style.count for style in styles] == np.bincount(codes[codes >= 0]).tolist()
    assert codes[-1] == -1


def test_codes_are_ranks_and_minus_one_without_a_label():
    assert class_codes(["x", None, "y", "x", ""]).tolist() == [0, -1, 1, 0, -1]


def test_order_is_by_class_unknown_last_within_each():
    classes = ["a", "b", "a", "", "a", "b"]
    assert class_order(classes).tolist() == [0, 2, 4, 1, 5, 3]
    hidden = [True, False, False, False, False, True]
    assert class_order(classes, hidden).tolist() == [2, 4, 0, 1, 5, 3]
    assert class_order([None, None]).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (-0.314, 2, "−0.31"), (-0.001, 2, "0.00"), (204.3, None, "204"), (0.0, None, "0"), (-0.0, None, "0"),
        (1292.4, None, "1,292"), (-1580.6, None, "−1,581"), (9999.6, None, "10,000"),
        (12345.0, None, "12,300"), (1234567.0, None, "1,230,000"), (1e-9, None, "10⁻⁹"),
        (0.25, None, "0.25"), (math.nan, 2, "unknown"), (-math.inf, None, "−∞"), (math.inf, 1, "∞"),
    ],
)  # fmt: skip
def test_numbers_have_a_real_minus_and_no_negative_zero(value, decimals, text):
    assert number(value, decimals) == text


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0.0, "< 0.0001"),
        (4.9e-5, "< 0.0001"),
        (5.1e-5, "0.0001"),
        (0.25, "0.2500"),
        (1.0, "1.0000"),
        (float("nan"), "unknown"),
    ],
)
def test_no_p_value_is_shown_as_zero(p, text):
    assert p_value(p) == text


def test_words_around_numbers():
    assert percent(0.25) == "25\u00a0%"
    assert percent(-0.0314, 1) == "−3.1\u00a0%"
    assert [counted(1, "item"), counted(2, "item"), counted(3, "class"), counted(2, "entry")] == [
        "1 item", "2 items", "3 classes", "2 entries",
    ]  # fmt: skip
    assert "italic" in symbol("λ")
    assert escaped("<b>a&b") == "&lt;b&gt;a&amp;b"


def test_a_picture_without_a_sentence_is_refused():
    figure = draw([], 100, PlotMargin(0, 0, 0, 0), {})
    with pytest.raises(ValueError, match="sentence"):
        Picture(figure, "  ")


def test_the_layout_leaves_grounds_and_grids_to_the_theme():
    figure = draw([{"type": "scatter", "y": [1, 2]}], 200, PlotMargin(1, 2, 3, 4), {"xaxis": axis("t")})
    spec = json.loads(pio.to_json(figure, validate=False))["layout"]
    text = json.dumps(spec)
    assert "gridcolor" not in text
    assert "bgcolor" not in text
    assert len(json.dumps(spec["template"])) < 400
    assert spec["margin"] == {"l": 1, "r": 2, "t": 3, "b": 4, "pad": 0}
    assert spec["xaxis"]["title"]["font"]["color"] == spec["font"]["color"] == theme.INK
    config = chart_config("protein-spectrum")
    assert config["modeBarButtons"] == [["toImage"]]  # and nothing else to get lost in
    assert config["toImageButtonOptions"] == {"format": "svg", "filename": "protein-spectrum"}


def test_padded_ranges():
    assert padded([0.0, 10.0], 0.1) == (-1.0, 11.0)
    assert padded([np.nan]) == (0.0, 1.0)
    low, high = padded([5.0])
    assert low < 5.0 < high
    assert padded([0.0]) == (-0.5, 0.5)
