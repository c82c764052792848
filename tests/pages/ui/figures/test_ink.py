"""Text of charts can be read on both grounds; what is drawn is as the theme's constants say."""

import json
import tomllib

import numpy as np
import plotly.io as pio
import pytest

from pages.ui.figures.bars import Dot, dots, trust_bars
from pages.ui.figures.chart import GROUNDS, INKS, Across, Items, Values, inked
from pages.ui.figures.curve import Line, curve
from pages.ui.figures.heatmap import heatmap
from pages.ui.figures.scatter import item_map
from pages.ui.figures.spectrum import EigenvalueLine, eigenvalue_bars, spectra
from pages.ui.figures.theme import GROUND, INK, rgb
from tests.conftest import REPOSITORY

THEME = tomllib.loads((REPOSITORY / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
READABLE = 4.5  # WCAG 2.1, success criterion 1.4.3


def luminance(colour):
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in rgb(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first, second):
    """Return the contrast of two colours, from 1 to 21: (L₁ + 0.05) / (L₂ + 0.05), the lighter one above (WCAG 2.1)."""
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def test_names_on_the_grid_stand_on_the_ground_of_the_page():
    for name, ground in GROUNDS.items():
        assert contrast(ground, THEME[name]["backgroundColor"]) < 1.001
        kernels = [EigenvalueLine(each, [9.0, 0.5, 0.2], each) for each in ("target", "joint")]
        notes = inked(spectra(kernels).figure, name).to_plotly_json()["layout"]["annotations"]
        assert [note["bgcolor"] for note in notes] == [ground] * 2


def mixed(colour, ground, share):
    """Return a colour drawn at a share of opacity on a ground."""
    pairs = [(int(colour[k : k + 2], 16), int(ground[k : k + 2], 16)) for k in (1, 3, 5)]
    return "#" + "".join(f"{round(share * c + (1 - share) * g):02x}" for c, g in pairs)


def test_contrast_is_that_of_the_guidelines():
    assert contrast("#ffffff", "#000000") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == contrast("#ffffff", "#777777") == pytest.approx(4.478, abs=5e-4)
    assert contrast("#123456", "#123456") == 1.0


@pytest.mark.parametrize("name", GROUNDS)
def test_every_text_can_be_read_on_its_ground(name):
    theme, sidebar = THEME[name], THEME[name]["sidebar"]
    assert contrast(INKS[name], theme["backgroundColor"]) >= READABLE
    for ground in (theme["backgroundColor"], theme["secondaryBackgroundColor"], sidebar["backgroundColor"]):
        # Streamlit draws captions at 60 % of the text, and what is chosen on a tenth of its own colour
        assert contrast(mixed(theme["textColor"], ground, 0.6), ground) >= READABLE
        assert contrast(theme["linkColor"], ground) >= READABLE
        assert contrast(theme["grayTextColor"], ground) >= READABLE
    for ground in (theme["backgroundColor"], sidebar["backgroundColor"]):
        assert contrast(theme["primaryColor"], mixed(theme["primaryColor"], ground, 0.1)) >= READABLE
    for colour in ("gray", "green", "red", "orange"):
        assert contrast(theme[f"{colour}TextColor"], theme[f"{colour}BackgroundColor"]) >= READABLE


def pictures():
    K = np.eye(6) + 0.5
    items = Items(list("abcdef"), ["x", "y"] * 3)
    yield curve([Line("joint", [0, 1], [80.0, 70.0], role="joint")], Across("share"), Values("accuracy"))
    yield heatmap(K, items)
    yield item_map(np.arange(12.0).reshape(6, 2), items)
    yield eigenvalue_bars([9.0, 0.5, 0.1, -0.2])
    yield spectra([EigenvalueLine("joint", [1.0, 0.5, 0.2], "joint")])
    yield dots([Dot("one", 50.0)], x_title="accuracy", floor=20.0)
    yield trust_bars([0.1] * 6, ids=items.ids)


def fonts(node):
    """Colours of fonts, wherever in a figure they stand."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key.endswith("font") and isinstance(value, dict) and "color" in value:
                yield value["color"]
            yield from fonts(value)
    elif isinstance(node, list):
        for value in node:
            yield from fonts(value)


@pytest.mark.parametrize("picture", list(pictures()), ids=lambda picture: picture.alt[:20])
def test_all_text_of_a_figure_is_in_the_ink_of_its_ground(picture):
    for name, ink in INKS.items():
        spec = json.loads(pio.to_json(inked(picture.figure, name), validate=False))
        assert set(fonts(spec)) == {ink}
    assert INK not in json.dumps(spec["layout"])


def test_only_ink_is_replaced():
    picture = next(pictures())
    light, dark = picture.figure.to_plotly_json(), inked(picture.figure, "dark").to_plotly_json()
    as_text = [json.dumps(json.loads(pio.to_json(spec, validate=False))) for spec in (light, dark)]
    assert as_text[0].replace(INK, INKS["dark"]).replace(GROUND, GROUNDS["dark"]) == as_text[1]
    assert inked(picture.figure, "light") is picture.figure
