"""A figure that is not checked on its way is, to the browser, what a checked one would be."""

import json

import numpy as np
import plotly.graph_objects as go
import plotly.io
import pytest

from pages.kernels.power.results import decades
from pages.papers.orthogonal.own_data import scatter
from pages.ui.figures.bars import entry_histogram, trust_bars
from pages.ui.figures.chart import Across, Chart, Items, Values, encoded
from pages.ui.figures.curve import Level, Line, curve
from pages.ui.figures.heatmap import error_scale, heatmap
from pages.ui.figures.scatter import item_map
from pages.ui.figures.spectrum import EigenvalueLine, eigenvalue_bars, spectra

RNG = np.random.default_rng(0)
X = RNG.normal(size=(12, 4))
K = X @ X.T
GAPS = np.where(np.add.outer(range(12), range(12)) % 7 == 0, np.nan, K)
ITEMS = Items([f"item {k}" for k in range(12)], ["a", "b", None] * 4)
SHARES = np.linspace(0.1, 0.9, 5)
LINES = [
    Line("joint", SHARES, 100 * SHARES, "joint", error=np.full((2, 5), 3.0)),
    Line("sum", SHARES, 50 * SHARES, "extrapolated", error=np.full(5, 2.0), bars=True),
]
PICTURES = {
    "heatmap": lambda: heatmap(K, ITEMS),
    "exact": lambda: heatmap(np.abs(K), ITEMS, exact=True),
    "gaps": lambda: heatmap(GAPS, ITEMS, exact=True, scale=error_scale([K])),
    "curve": lambda: curve(
        LINES, Across("share", guide=0.3), Values("%", bounds=(0, 100)), levels=[Level("floor", 40.0)]
    ),
    "bars": lambda: eigenvalue_bars(np.linalg.eigvalsh(K)),
    "spectra": lambda: spectra([EigenvalueLine("one", np.linalg.eigvalsh(K), "target")]),
    "map": lambda: item_map(X[:, :2], ITEMS),
    "trust": lambda: trust_bars(SHARES, ids=[f"id {k}" for k in range(5)]),
    "histogram": lambda: entry_histogram(X.ravel(), name="sizes"),
    "changed": lambda: entry_histogram(X.ravel(), name="sizes").with_layout({"xaxis": decades(-3.0, 1.0)}),
    "families": lambda: scatter(("f", "g"), np.array([0.95, 0.9]), np.array([0.99, np.nan]), "p = 0.5"),
}


def told(figure):
    made = json.loads(plotly.io.to_json(figure, validate=False))
    # plotly leaves out a list without entries, which says nothing either
    made["layout"] = {name: part for name, part in made["layout"].items() if part != []}
    return made


@pytest.mark.parametrize("name", PICTURES)
def test_the_browser_gets_what_a_checked_figure_would_give_it(name):
    chart = PICTURES[name]().figure
    assert isinstance(chart, Chart)
    checked = go.Figure(data=chart.data, layout=chart.layout)  # raises where a part has no such name or value
    assert told(chart) == told(checked)
    assert told(chart) == told(chart)  # nothing is used up


def test_numbers_are_right_whatever_their_type():
    for kind in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64", "int64"):
        values = np.array([[0, 1, 2], [3, 4, 100]], kind)
        chart = Chart([{"type": "heatmap", "z": values}], {})
        assert told(chart)["data"] == told(go.Figure(data=chart.data))["data"], kind
    assert encoded(np.array([2**40, -1])) == encoded(np.array([float(2**40), -1.0]))
    assert encoded(np.array(["a", "b"])) == ["a", "b"]
    assert encoded(np.array([])) == []


def test_a_changed_layout_leaves_the_first_as_it_was_and_keeps_what_it_does_not_name():
    first = Chart([], {"height": 100, "xaxis": {"range": [0, 1], "title": "x"}})
    second = first.with_layout({"xaxis": {"range": [0, 2]}, "shapes": []})
    assert first.to_dict()["layout"] == {"height": 100, "xaxis": {"range": [0, 1], "title": "x"}}
    assert second.to_dict()["layout"] == {
        "height": 100,
        "xaxis": {"range": [0, 2], "title": "x"},
        "shapes": [],
    }
